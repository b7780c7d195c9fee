#include "renderers/vtk/gl_probe.h"

#include <QGuiApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions>

namespace orrery {

namespace {

char const* const remedy =
    "install the graphics driver, or the software one (package libgl1-mesa-dri); over ssh use X forwarding with GLX or "
    "start under xvfb-run. Tables, maps and plots of results work without it";

std::string gl_string(QOpenGLFunctions* functions, GLenum name) {
    auto const* text = reinterpret_cast<char const*>(functions->glGetString(name));
    return text ? text : "";
}

Result<GlFacts> probe() {
    if (qEnvironmentVariableIntValue("ORRERY_NO_GL") != 0)
        return unavailable("3-D is turned off", "ORRERY_NO_GL", "unset ORRERY_NO_GL and start again");
    if (!qGuiApp) return internal_error("graphics asked for before the program started");
    QSurfaceFormat format;
    format.setVersion(3, 2);
    format.setProfile(QSurfaceFormat::CoreProfile);
    QOpenGLContext context;
    context.setFormat(format);
    if (!context.create())
        return unavailable("no OpenGL on this display", QGuiApplication::platformName().toStdString(), remedy);
    auto const got = context.format().version();
    if (context.isOpenGLES() || got < qMakePair(3, 2))
        return unavailable("OpenGL " + std::to_string(got.first) + "." + std::to_string(got.second) +
                               " is too old for 3-D views, they need 3.2",
                           {}, remedy);
    QOffscreenSurface surface;
    surface.setFormat(context.format());
    surface.create();
    if (!surface.isValid() || !context.makeCurrent(&surface))
        return unavailable("OpenGL is there but refuses to draw", QGuiApplication::platformName().toStdString(),
                           remedy);
    GlFacts facts;
    facts.vendor = gl_string(context.functions(), GL_VENDOR);
    facts.renderer = gl_string(context.functions(), GL_RENDERER);
    facts.version = gl_string(context.functions(), GL_VERSION);
    for (char const* name : {"llvmpipe", "softpipe", "SwiftShader", "Software Rasterizer"})
        if (facts.renderer.find(name) != std::string::npos) facts.software = true;
    context.doneCurrent();
    return facts;
}

}  // namespace

Result<GlFacts> const& gl_facts() {
    static Result<GlFacts> const facts = probe();
    return facts;
}

}  // namespace orrery
