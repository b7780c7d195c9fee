// VTK in a QOpenGLWidget, through vtkGenericOpenGLRenderWindow (Debian's VTK brings a Qt 5 module only). Only modules
// of 3-D views include this; it is free of VTK's headers, so that a view's own header may be too.
//
// VTK draws into framebuffers of its own and the finished picture is copied to the widget: so the scene is drawn again
// only after request_render(), a change of size or of render scale, while uncovering, hiding and overlays cost a copy.
#pragma once

#include "core/base/result.h"

#include <QImage>
#include <QOpenGLWidget>
#include <functional>
#include <memory>
#include <string>

class vtkGenericOpenGLRenderWindow;
class vtkRenderer;
class vtkRenderWindowInteractor;

namespace orrery {

struct PictureRequest {
    int width = 1600, height = 1200;  // pixels
    bool transparent = false;
    int supersample = 2;  // 1..4
};

class VtkWidget : public QOpenGLWidget {
public:
    explicit VtkWidget(QWidget* parent = nullptr);
    ~VtkWidget() override;

    [[nodiscard]] vtkRenderer* renderer() const;
    [[nodiscard]] vtkGenericOpenGLRenderWindow* render_window() const;
    // Receives the widget's mouse, wheel and key events in VTK's pixels. Its style is VTK's trackball camera; a view
    // with controls of its own overrides the Qt events instead and calls request_render().
    [[nodiscard]] vtkRenderWindowInteractor* interactor() const;

    void request_render();                // the scene or its camera changed
    void set_render_scale(double scale);  // pixels drawn for each device pixel, a side: 0.25..2
    [[nodiscard]] double render_scale() const;
    [[nodiscard]] std::uint64_t frames() const;  // scene drawings so far
    [[nodiscard]] int picture_height() const;  // pixels a whole picture is high: the view's, or the one being exported

    // Called before and after each drawing of the scene, context current. `milliseconds` ends with the last pixel.
    std::function<void()> before_render;
    std::function<void(double milliseconds)> after_render;
    std::function<void(Error const&)> on_failure;

    // Draws the present scene at a size of its own. The widget need not be visible. In tiles where the picture exceeds
    // the driver's limits. Transparent: drawn on black and on white, alpha from the difference, so that translucent
    // surfaces and smoothed edges come out right. Errors: no context, size outside 1..32768, not enough memory.
    Result<QImage> render_image(PictureRequest const& request);
    // The same as PNG bytes, with the density in the file's own metadata. Errors as above, or dpi outside 1..2400.
    Result<std::string> render_png(int width_px, int height_px, double dpi, bool transparent, int supersample);

protected:
    void initializeGL() override;
    void resizeGL(int width, int height) override;
    void paintGL() override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    struct Impl;
    std::unique_ptr<Impl> m;
};

}  // namespace orrery
