// Dear ImGui's OpenGL 3 backend with its functions looked up through the window system's own context (Qt's), so that
// GLX, EGL and software GL all work without guessing which libGL is loaded.
#pragma once

namespace orrery {

using GlFunction = void (*)();
using GlLookup = GlFunction (*)(char const* name);

// All with the GL context current and the ImGui context set. start: false when GL is older than 3.0.
bool start_opengl_backend(GlLookup lookup);
void stop_opengl_backend();
// Before anything else of a frame, and before textures are deleted: stopping one widget's backend forgets the functions
// for all.
void begin_opengl_frame(GlLookup lookup);
void load_opengl(GlLookup lookup);
void draw_with_opengl_backend(int framebuffer_width, int framebuffer_height, float const (&clear_rgb)[3]);

// A texture of RGBA8 texels, nearest when enlarged, clamped at its edges; 0: could not be made. `pixels` is row-major.
unsigned make_texture(int width, int height, void const* pixels);
void update_texture(unsigned texture, int width, int height, void const* pixels);
void delete_texture(unsigned texture);
int largest_texture();

}  // namespace orrery
