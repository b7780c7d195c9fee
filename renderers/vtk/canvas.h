// What a 3-D view draws with: named layers of spheres, cylinders and meshes under one camera. The implementation lives
// in the module orrery_views3d, the only code that links VTK; it is loaded when the first view opens (view_module.h).
//
// While the camera moves, layers are drawn at reduced detail when the full one is too slow; a moment after the last
// move the full picture comes back, then a supersampled one where that is cheap. Nothing is drawn when nothing changed.
// All calls on the window's thread, except CanvasFactory::isosurface().
#pragma once

#include "core/base/result.h"
#include "renderers/vtk/camera.h"

#include <QColor>
#include <QImage>
#include <QPointF>
#include <Qt>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

class QWidget;

namespace orrery::view3d {

struct Spheres {
    std::vector<float> centers;  // 3 a sphere
    std::vector<float> radii;    // 1 a sphere
};
struct Cylinders {                    // open ends: cover them with spheres
    std::vector<float> starts, ends;  // 3 a cylinder
    std::vector<float> radii;         // 1 a cylinder
};
struct Mesh {
    std::vector<float> positions, normals;  // 3 a vertex
    std::vector<std::uint32_t> triangles;   // 3 a triangle
};
using Geometry = std::variant<Spheres, Cylinders, Mesh>;
using Colors = std::vector<std::uint8_t>;  // red, green, blue of each sphere, cylinder or vertex

struct Layer {
    std::shared_ptr<Geometry const> geometry;
    std::shared_ptr<Colors const> colors;
    std::shared_ptr<Geometry const> moving;  // coarser stand-in while the camera moves; null: the same
    std::shared_ptr<Colors const> moving_colors;
    float opacity = 1;
    bool outline = false;  // mesh only: back faces alone, unlit, so that it shows as a rim around what it encloses
    bool clipped = true;   // obeys the clipping plane
};

struct Plane {
    Vector point;
    Vector normal;  // what lies on the side of the normal is drawn
};

// Reduced detail: 0 full; 1 full shapes at half resolution; 2 stand-ins at half resolution; 3 the same at a third.
inline constexpr int detail_levels = 4;

struct FrameInfo {
    double milliseconds = 0;  // drawing, until the last pixel was done
    int detail = 0;
    bool moving = false;
    bool supersampled = false;
};

struct ImageRequest {
    int width = 1600, height = 1200;  // pixels of the result
    bool transparent = false;
    int supersample = 2;           // 1..4: pixels drawn a side for each pixel of the result
    std::optional<Camera> camera;  // in place of the view's
};

struct Events {
    std::function<void(QPointF)> hovered;  // logical pixels
    std::function<void()> left;
    std::function<void(QPointF, Qt::KeyboardModifiers)> clicked;  // a press and release without a drag
    std::function<void(QPointF, Qt::KeyboardModifiers)> double_clicked;
    std::function<void()> camera_changed;  // by whatever cause
    std::function<void()> user_moved;      // the camera, by mouse or key
    std::function<void(FrameInfo const&)> drawn;
    std::function<void(Error const&)> failed;  // the graphics system refused; the view shows it
};

class Canvas {
public:
    virtual ~Canvas() = default;
    virtual QWidget* widget() = 0;  // belongs to its Qt parent
    virtual void set_events(Events events) = 0;

    virtual void set_layer(std::string const& name, Layer layer) = 0;  // the same geometry again is not sent again
    virtual void remove_layer(std::string const& name) = 0;
    virtual void set_background(QColor const& color) = 0;
    virtual void set_clipping(std::optional<Plane> const& plane) = 0;
    virtual void set_depth_cue(bool on) = 0;  // far parts fade towards the background
    // Off: full detail while moving too, however slow (benchmarks, recordings).
    virtual void set_reduced_detail(bool allowed) = 0;

    [[nodiscard]] virtual Camera camera() const = 0;
    virtual void set_camera(Camera const& camera, int animation_milliseconds = 0) = 0;
    virtual void begin_motion() = 0;  // what a mouse press does: moves until end_motion() count as one motion
    virtual void end_motion() = 0;
    [[nodiscard]] virtual bool moving() const = 0;
    [[nodiscard]] virtual int detail() const = 0;  // level of the next frame
    [[nodiscard]] virtual FrameInfo last_frame() const = 0;
    [[nodiscard]] virtual std::uint64_t frames() const = 0;  // scene drawings so far

    // The same scene at any size, whatever the window shows. Errors: no graphics, size outside 1..32768.
    virtual Result<QImage> render(ImageRequest const& request) = 0;
};

// What the module exports; found by view_module.h.
class CanvasFactory {
public:
    virtual ~CanvasFactory() = default;
    [[nodiscard]] virtual std::unique_ptr<Canvas> create(QWidget* parent) = 0;
    // Triangles of the surface values = level of a grid; x runs fastest. Any thread.
    [[nodiscard]] virtual Mesh isosurface(std::vector<float> const& values, std::array<int, 3> size, Vector origin,
                                          double spacing, double level) const = 0;
};

}  // namespace orrery::view3d
