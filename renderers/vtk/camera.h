// The camera of a 3-D view as plain values: what sessions save, what picking and overlays project with. No VTK, so the
// window can compute with it before VTK is loaded. Lengths in the scene's unit (Å for molecules), angles in degrees.
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <QPointF>
#include <QSizeF>
#include <array>
#include <optional>

namespace orrery::view3d {

// A type of its own, so that its operators are found wherever it is used.
struct Vector : std::array<double, 3> {};

[[nodiscard]] Vector operator+(Vector const& a, Vector const& b);
[[nodiscard]] Vector operator-(Vector const& a, Vector const& b);
[[nodiscard]] Vector operator*(Vector const& a, double factor);
[[nodiscard]] double dot(Vector const& a, Vector const& b);
[[nodiscard]] Vector cross(Vector const& a, Vector const& b);
[[nodiscard]] double length(Vector const& a);
[[nodiscard]] Vector normalized(Vector const& a);  // the zero vector stays zero

struct Ray {
    Vector origin;
    Vector direction;  // unit length
};

struct Camera {
    Vector position{0, 0, 10};
    Vector focal_point{0, 0, 0};
    Vector up{0, 1, 0};
    double view_angle = 30;  // vertical, degrees
    bool orthographic = false;
    double parallel_scale = 3;  // half the height of the view in scene units, orthographic only

    // Axes of the view: right, up, backwards (from the focal point towards the eye); orthonormal.
    struct Axes {
        Vector right, up, back;
    };
    [[nodiscard]] Axes axes() const;
    [[nodiscard]] double distance() const;  // eye to focal point

    // Logical pixels (origin top left) of a point; nothing when it lies behind the eye.
    [[nodiscard]] std::optional<QPointF> project(Vector const& point, QSizeF const& size) const;
    // Pixels that one scene unit spans at `point`.
    [[nodiscard]] double pixels_per_unit(Vector const& point, QSizeF const& size) const;
    [[nodiscard]] Ray ray(QPointF const& pixel, QSizeF const& size) const;

    // Turns the scene about the focal point by a drag of `pixels`; a drag across the view's height turns by 180
    // degrees.
    void orbit(QPointF const& pixels, QSizeF const& size);
    void roll(double degrees);
    void pan(QPointF const& pixels, QSizeF const& size);
    // Enlarges by `factor`, keeping what lies under `pixel` (in the focal plane) where it is.
    void zoom_at(QPointF const& pixel, QSizeF const& size, double factor);
    // Shows a sphere whole, from the present direction.
    void fit(Vector const& center, double radius, QSizeF const& size);
    // Switches the projection without changing the size of what lies in the focal plane.
    void set_orthographic(bool on);

    // 0: a, 1: b; turns along the shorter arc.
    [[nodiscard]] static Camera between(Camera const& a, Camera const& b, double t);

    [[nodiscard]] Json to_json() const;
    // Errors: a missing member, not numbers, not finite, eye on the focal point, up along the view.
    static Result<Camera> from_json(Json const& value);
    friend bool operator==(Camera const&, Camera const&) = default;
};

}  // namespace orrery::view3d
