#include "renderers/vtk/camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace orrery::view3d {

namespace {

constexpr double radians = std::numbers::pi / 180;

Vector rotated(Vector const& v, Vector const& axis, double angle) {  // Rodrigues; axis of unit length
    double const c = std::cos(angle), s = std::sin(angle);
    return v * c + cross(axis, v) * s + axis * (dot(axis, v) * (1 - c));
}

Vector any_perpendicular(Vector const& v) {
    Vector const helper = std::abs(v[0]) < 0.9 ? Vector{1, 0, 0} : Vector{0, 1, 0};
    return normalized(cross(v, helper));
}

bool read_vector(Json const& value, char const* name, Vector& out) {
    auto const found = value.find(name);
    if (found == value.end() || !found->is_array() || found->size() != 3) return false;
    for (std::size_t i = 0; i < 3; ++i) {
        if (!(*found)[i].is_number()) return false;
        out[i] = (*found)[i].get<double>();
        if (!std::isfinite(out[i])) return false;
    }
    return true;
}

}  // namespace

Vector operator+(Vector const& a, Vector const& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vector operator-(Vector const& a, Vector const& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vector operator*(Vector const& a, double factor) { return {a[0] * factor, a[1] * factor, a[2] * factor}; }
double dot(Vector const& a, Vector const& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector cross(Vector const& a, Vector const& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double length(Vector const& a) { return std::sqrt(dot(a, a)); }
Vector normalized(Vector const& a) {
    double const size = length(a);
    return size > 0 ? a * (1 / size) : a;
}

Camera::Axes Camera::axes() const {
    Axes axes;
    axes.back = normalized(position - focal_point);
    if (length(axes.back) == 0) axes.back = {0, 0, 1};
    axes.right = cross(up, axes.back);
    axes.right = length(axes.right) > 1e-9 ? normalized(axes.right) : any_perpendicular(axes.back);
    axes.up = cross(axes.back, axes.right);
    return axes;
}

double Camera::distance() const { return length(position - focal_point); }

double Camera::pixels_per_unit(Vector const& point, QSizeF const& size) const {
    double half_height = parallel_scale;
    if (!orthographic) {
        double const depth = dot(position - point, axes().back);
        half_height = std::max(depth, 1e-6) * std::tan(view_angle * radians / 2);
    }
    return size.height() / (2 * half_height);
}

std::optional<QPointF> Camera::project(Vector const& point, QSizeF const& size) const {
    Axes const a = axes();
    Vector const relative = point - position;
    if (!orthographic && dot(relative, a.back) >= 0) return std::nullopt;
    double const scale = pixels_per_unit(point, size);
    return QPointF(size.width() / 2 + dot(relative, a.right) * scale, size.height() / 2 - dot(relative, a.up) * scale);
}

Ray Camera::ray(QPointF const& pixel, QSizeF const& size) const {
    Axes const a = axes();
    double const scale = pixels_per_unit(focal_point, size);
    double const x = (pixel.x() - size.width() / 2) / scale, y = (size.height() / 2 - pixel.y()) / scale;
    Vector const offset = a.right * x + a.up * y;
    if (orthographic) return {position + offset, a.back * -1};
    return {position, normalized(focal_point + offset - position)};
}

void Camera::orbit(QPointF const& pixels, QSizeF const& size) {
    double const drag = std::hypot(pixels.x(), pixels.y());
    if (drag == 0 || size.height() <= 0) return;
    Axes const a = axes();
    // The scene turns about the axis in the screen that is perpendicular to the drag; the eye turns the other way.
    Vector const axis = normalized(a.right * pixels.y() + a.up * pixels.x());
    double const angle = -drag / size.height() * std::numbers::pi;
    position = focal_point + rotated(position - focal_point, axis, angle);
    up = normalized(rotated(a.up, axis, angle));
}

void Camera::roll(double degrees) {
    Axes const a = axes();
    up = normalized(rotated(a.up, a.back, degrees * radians));
}

void Camera::pan(QPointF const& pixels, QSizeF const& size) {
    Axes const a = axes();
    double const scale = pixels_per_unit(focal_point, size);
    Vector const shift = a.right * (-pixels.x() / scale) + a.up * (pixels.y() / scale);
    position = position + shift;
    focal_point = focal_point + shift;
}

void Camera::zoom_at(QPointF const& pixel, QSizeF const& size, double factor) {
    if (!(factor > 0)) return;
    QPointF const from_center = pixel - QPointF(size.width() / 2, size.height() / 2);
    if (orthographic)
        parallel_scale /= factor;
    else
        position = focal_point + (position - focal_point) * (1 / factor);
    pan(from_center * (1 - factor), size);
}

void Camera::fit(Vector const& center, double radius, QSizeF const& size) {
    radius = std::max(radius, 1.0);
    Axes const a = axes();
    double const aspect = size.height() > 0 ? size.width() / size.height() : 1;
    double half = view_angle * radians / 2;
    if (aspect < 1) half = std::atan(std::tan(half) * std::max(aspect, 0.05));
    focal_point = center;
    position = center + a.back * (radius / std::sin(half));
    up = a.up;
    parallel_scale = aspect < 1 ? radius / std::max(aspect, 0.05) : radius;
}

void Camera::set_orthographic(bool on) {
    if (on == orthographic) return;
    double const slope = std::tan(view_angle * radians / 2);
    if (on)
        parallel_scale = distance() * slope;
    else
        position = focal_point + axes().back * (parallel_scale / slope);
    orthographic = on;
}

Camera Camera::between(Camera const& a, Camera const& b, double t) {
    if (t <= 0) return a;
    if (t >= 1) return b;
    Axes const from = a.axes(), to = b.axes();
    Camera result = b;
    result.focal_point = a.focal_point * (1 - t) + b.focal_point * t;
    // Blending and orthonormalizing the axes is a rotation along the shorter arc, good enough for turns below 180
    // degrees.
    Vector back = normalized(from.back * (1 - t) + to.back * t);
    if (length(back) < 1e-6) back = normalized(from.back + from.right * 0.1);
    Vector const up = normalized(from.up * (1 - t) + to.up * t);
    double const distance = a.distance() * std::pow(b.distance() / std::max(a.distance(), 1e-9), t);
    result.position = result.focal_point + back * distance;
    result.up = length(up) > 0.1 ? up : to.up;
    result.parallel_scale = a.parallel_scale * std::pow(b.parallel_scale / std::max(a.parallel_scale, 1e-9), t);
    return result;
}

Json Camera::to_json() const {
    return Json{{"position", position},     {"focal_point", focal_point},   {"up", up},
                {"view_angle", view_angle}, {"orthographic", orthographic}, {"parallel_scale", parallel_scale}};
}

Result<Camera> Camera::from_json(Json const& value) {
    auto const bad = [](std::string what) {
        return bad_input("camera: " + what, {}, "the view keeps its present camera");
    };
    if (!value.is_object()) return bad("not an object");
    Camera camera;
    if (!read_vector(value, "position", camera.position)) return bad("position must be three finite numbers");
    if (!read_vector(value, "focal_point", camera.focal_point)) return bad("focal_point must be three finite numbers");
    if (!read_vector(value, "up", camera.up)) return bad("up must be three finite numbers");
    auto const number = [&](char const* name, double& out, double low, double high) {
        auto const found = value.find(name);
        if (found == value.end()) return true;
        if (!found->is_number()) return false;
        out = found->get<double>();
        return out >= low && out <= high;
    };
    if (!number("view_angle", camera.view_angle, 1, 170)) return bad("view_angle must lie between 1 and 170 degrees");
    if (!number("parallel_scale", camera.parallel_scale, 1e-6, 1e9)) return bad("parallel_scale must be above zero");
    if (auto const found = value.find("orthographic"); found != value.end()) {
        if (!found->is_boolean()) return bad("orthographic must be true or false");
        camera.orthographic = found->get<bool>();
    }
    if (camera.distance() < 1e-9) return bad("position and focal_point are the same");
    if (length(cross(normalized(camera.up), camera.axes().back)) < 1e-6) return bad("up lies along the line of sight");
    return camera;
}

}  // namespace orrery::view3d
