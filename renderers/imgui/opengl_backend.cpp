// The backend is compiled here, as part of this file, because its loader's functions are private to the file that
// includes them and have to be filled before it starts.
#include "imgui_impl_opengl3.cpp"
//
#include "renderers/imgui/opengl_backend.h"

namespace orrery {

bool start_opengl_backend(GlLookup lookup) {
    if (imgl3wInit2(lookup) != GL3W_OK) return false;
    return ImGui_ImplOpenGL3_Init("#version 150");
}

void stop_opengl_backend() { ImGui_ImplOpenGL3_Shutdown(); }

void load_opengl(GlLookup lookup) {
    if (glGetIntegerv == nullptr) imgl3wInit2(lookup);
}

void begin_opengl_frame(GlLookup lookup) {
    load_opengl(lookup);
    ImGui_ImplOpenGL3_NewFrame();
}

void draw_with_opengl_backend(int framebuffer_width, int framebuffer_height, float const (&clear_rgb)[3]) {
    glDisable(GL_SCISSOR_TEST);
    glViewport(0, 0, framebuffer_width, framebuffer_height);
    glClearColor(clear_rgb[0], clear_rgb[1], clear_rgb[2], 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

unsigned make_texture(int width, int height, void const* pixels) {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    if (texture != 0) update_texture(texture, width, height, pixels);
    return texture;
}

void update_texture(unsigned texture, int width, int height, void const* pixels) {
    GLint bound = 0;
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(bound));
}

void delete_texture(unsigned texture) {
    GLuint const name = texture;
    glDeleteTextures(1, &name);
}

int largest_texture() {
    GLint size = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &size);
    return size;
}

}  // namespace orrery
