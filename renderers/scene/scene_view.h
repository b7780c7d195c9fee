// A 3-D view of plain shapes with labels: spheres, cylinders and meshes in named layers (renderers/vtk/canvas.h). Free of
// VTK, which is loaded when the view is first shown with something in it.
//
//   auto* view = new SceneView(parent);
//   view->set_home(camera, radius);                    // where Reset goes
//   view->set_layer("path", {.geometry = tube, .colors = colors});
//   view->set_labels({{{0, 0, 1.15}, "|0>"}});
//
// Without OpenGL or without the module it shows a notice, and everything else keeps working. Window's thread.
#pragma once

#include "renderers/vtk/canvas.h"

#include <QImage>
#include <QWidget>
#include <memory>
#include <string>
#include <vector>

namespace orrery {

struct SceneLabel {
    view3d::Vector at;
    QString text;
    bool quiet = false;  // in the secondary colour, smaller
};

class SceneView : public QWidget {
    Q_OBJECT
public:
    explicit SceneView(QWidget* parent);
    ~SceneView() override;

    // Camera that reset_camera() goes to; it is moved back so that a sphere of `radius` about its focal point fits.
    void set_home(view3d::Camera const& camera, double radius);
    void set_layer(std::string const& name, view3d::Layer layer);
    void remove_layer(std::string const& name);
    void set_labels(std::vector<SceneLabel> labels);
    void set_caption(QString const& text);  // in the lower left corner; empty: none
    void reset_camera();

    [[nodiscard]] Json state() const;               // the camera
    Result<void> restore_state(Json const& state);  // changes nothing on error
    // The scene with its labels at a size of its own, on white or transparent. Errors: not shown yet, no graphics.
    Result<QImage> render_image(QSize pixels, bool transparent);
    [[nodiscard]] bool ready() const;  // drawn with; false before it was first shown, and without OpenGL

signals:
    void camera_changed();
    void shown();  // the canvas is there
    void failed(QString const& message);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Impl;
    std::unique_ptr<Impl> m;
};

}  // namespace orrery
