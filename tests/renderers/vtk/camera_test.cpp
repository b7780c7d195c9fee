#include "renderers/vtk/camera.h"
#include "tests/catch.h"

#include <QRectF>

#include <cmath>

using namespace orrery;
using namespace orrery::view3d;

namespace {
QSizeF const size(800, 600);

void same_place(std::optional<QPointF> const& a, QPointF const& b) {
    REQUIRE(a);
    CHECK(a->x() == Approx(b.x()).margin(1e-6));
    CHECK(a->y() == Approx(b.y()).margin(1e-6));
}
}  // namespace

TEST_CASE("a point and the ray through its pixel meet, in both projections") {
    for (bool const orthographic : {false, true}) {
        Camera camera;
        camera.position = {10, -20, 35};
        camera.focal_point = {1, 2, 3};
        camera.up = {0.1, 1, 0.2};
        camera.orthographic = orthographic;
        camera.parallel_scale = 12;
        for (Vector const& point : {Vector{0, 0, 0}, Vector{4, -3, 2}, Vector{1, 2, 3}}) {
            auto const pixel = camera.project(point, size);
            REQUIRE(pixel);
            Ray const ray = camera.ray(*pixel, size);
            Vector const offset = point - ray.origin;
            CHECK(length(cross(offset, ray.direction)) < 1e-9);
            CHECK(dot(offset, ray.direction) > 0);
        }
        same_place(camera.project(camera.focal_point, size), {400, 300});
    }
}

TEST_CASE("what lies behind the eye is on no pixel") {
    Camera const camera;
    CHECK_FALSE(camera.project({0, 0, 11}, size));
}

TEST_CASE("zooming keeps the point under the pointer") {
    for (bool const orthographic : {false, true}) {
        Camera camera;
        camera.orthographic = orthographic;
        QPointF const pointer(620, 140);
        double const scale = camera.pixels_per_unit(camera.focal_point, size);
        Vector const under{(pointer.x() - 400) / scale, (300 - pointer.y()) / scale, 0};
        same_place(camera.project(under, size), pointer);
        camera.zoom_at(pointer, size, 1.7);
        same_place(camera.project(under, size), pointer);
        CHECK(camera.pixels_per_unit(camera.focal_point, size) == Approx(1.7 * scale));
    }
}

TEST_CASE("panning moves the focal plane with the pointer") {
    Camera camera;
    camera.pan({30, -12}, size);
    same_place(camera.project({0, 0, 0}, size), {430, 288});
}

TEST_CASE("a drag turns the near side with the pointer and back again") {
    Camera camera;
    Camera const start = camera;
    Vector const near{0, 0, 1};
    camera.orbit({60, 0}, size);
    CHECK(camera.project(near, size)->x() > 400);
    CHECK(camera.distance() == Approx(start.distance()));
    camera.orbit({-60, 0}, size);
    CHECK(length(camera.position - start.position) < 1e-9);
    camera.orbit({0, 40}, size);
    CHECK(camera.project(near, size)->y() > 300);
    // A full turn in many steps comes back: no drift, no pole that flips.
    Camera round = start;
    for (int i = 0; i < 120; ++i) round.orbit({0, 10}, size);
    CHECK(length(round.position - start.position) < 1e-6);
}

TEST_CASE("fit shows the sphere whole, wide or narrow") {
    for (QSizeF const& view : {QSizeF(800, 600), QSizeF(200, 900)}) {
        Camera camera;
        camera.fit({5, 6, 7}, 20, view);
        for (Vector const& edge : {Vector{20, 0, 0}, Vector{-20, 0, 0}, Vector{0, 20, 0}, Vector{0, -20, 0}}) {
            auto const at = camera.project(Vector{5, 6, 7} + edge, view);
            REQUIRE(at);
            CHECK(QRectF(QPointF(0, 0), view).contains(*at));
        }
    }
}

TEST_CASE("switching the projection keeps the size in the focal plane") {
    Camera camera;
    camera.position = {0, 0, 44};
    double const before = camera.pixels_per_unit({0, 0, 0}, size);
    camera.set_orthographic(true);
    CHECK(camera.pixels_per_unit({0, 0, 0}, size) == Approx(before));
    camera.set_orthographic(false);
    CHECK(camera.distance() == Approx(44));
}

TEST_CASE("a camera move starts and ends where it should, with upright axes between") {
    Camera a, b;
    b.position = {10, 0, 0};
    b.focal_point = {1, 0, 0};
    b.up = {0, 0, 1};
    CHECK(Camera::between(a, b, 0) == a);
    CHECK(Camera::between(a, b, 1) == b);
    for (double t = 0.1; t < 1; t += 0.1) {
        auto const axes = Camera::between(a, b, t).axes();
        CHECK(std::abs(dot(axes.right, axes.up)) < 1e-9);
        CHECK(length(axes.right) == Approx(1));
    }
}

TEST_CASE("JSON keeps a camera to the last bit; broken ones are named") {
    Camera camera;
    camera.position = {0.1, 1.0 / 3, 35.7};
    camera.orthographic = true;
    auto const again = Camera::from_json(Json::parse(camera.to_json().dump()));
    REQUIRE(again);
    CHECK(*again == camera);
    Json broken = camera.to_json();
    broken["up"] = Json{1, 2};
    CHECK(Camera::from_json(broken).error().what == "camera: up must be three finite numbers");
    broken = camera.to_json();
    broken["position"] = broken["focal_point"];
    CHECK(Camera::from_json(broken).error().what == "camera: position and focal_point are the same");
    broken = camera.to_json();
    broken["view_angle"] = 500;
    CHECK(Camera::from_json(broken).error().what == "camera: view_angle must lie between 1 and 170 degrees");
    broken = camera.to_json();
    broken["up"] = Json{camera.position[0], camera.position[1], camera.position[2]};
    CHECK(Camera::from_json(broken).error().what == "camera: up lies along the line of sight");
    CHECK_FALSE(Camera::from_json(Json(3)));
}
