#include "renderers/vtk/view_module.h"

#include "renderers/vtk/canvas.h"
#include "renderers/vtk/gl_probe.h"
#include "renderers/vtk/notice.h"
#include "tests/catch.h"
#include "tests/renderers/window_test.h"

#include <QLabel>
#include <fstream>

using namespace orrery;

namespace {
bool mapped(char const* library) {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);)
        if (line.find(library) != std::string::npos) return true;
    return false;
}
}  // namespace

TEST_CASE("a module is found without being loaded, then loaded once") {
    ORRERY_NEED_WINDOW();
    CHECK_FALSE(mapped("libvtk"));
    REQUIRE(find_view_module("orrery_views3d"));
    CHECK_FALSE(mapped("libvtk"));
    CHECK_FALSE(view_module_loaded("orrery_views3d"));
    preload_view_module("orrery_views3d");
    preload_view_module("orrery_views3d");
    CHECK(tests::wait_until([] { return view_module_loaded("orrery_views3d"); }, 60'000));
    CHECK(mapped("libvtk"));
    auto const first = load_view_module<view3d::CanvasFactory>("orrery_views3d", "orrery::view3d::CanvasFactory");
    auto const again = load_view_module<view3d::CanvasFactory>("orrery_views3d", "orrery::view3d::CanvasFactory");
    REQUIRE(first);
    REQUIRE(again);
    CHECK(*first == *again);
    CHECK_FALSE(load_view_module<int>("orrery_views3d", "another::Interface"));
}

TEST_CASE("a module that is not there is an error with the folders looked in") {
    ORRERY_NEED_WINDOW();
    auto const missing = load_view_module<int>("orrery_no_such", "x");
    REQUIRE_FALSE(missing);
    CHECK(missing.error().what == "the 3-D module liborrery_no_such.so is missing");
    CHECK(missing.error().where.find("lib") != std::string::npos);
    CHECK_FALSE(find_view_module("orrery_no_such"));
}

TEST_CASE("the contour of a ball is a closed ball that faces outwards") {
    ORRERY_NEED_WINDOW();
    auto const factory = load_view_module<view3d::CanvasFactory>("orrery_views3d", "orrery::view3d::CanvasFactory");
    REQUIRE(factory);
    int constexpr n = 40;
    std::vector<float> values;
    for (int z = 0; z < n; ++z)
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x) {
                double const d = std::sqrt(std::pow(x - 19.5, 2) + std::pow(y - 19.5, 2) + std::pow(z - 19.5, 2)) * 0.5;
                values.push_back(float(2 - d / 6));  // 1 at 6 Å
            }
    auto const mesh = (*factory)->isosurface(values, {n, n, n}, view3d::Vector{-9.75, -9.75, -9.75}, 0.5, 1.0);
    REQUIRE(mesh.triangles.size() > 3000);
    double volume = 0;
    for (std::size_t v = 0; v < mesh.positions.size(); v += 3) {
        view3d::Vector const p{mesh.positions[v], mesh.positions[v + 1], mesh.positions[v + 2]};
        view3d::Vector const normal{mesh.normals[v], mesh.normals[v + 1], mesh.normals[v + 2]};
        REQUIRE(length(p) == Approx(6).margin(0.05));
        REQUIRE(dot(normal, normalized(p)) > 0.98);
    }
    for (std::size_t t = 0; t < mesh.triangles.size(); t += 3) {
        auto const at = [&](std::size_t k) {
            std::size_t const v = 3 * std::size_t(mesh.triangles[t + k]);
            return view3d::Vector{mesh.positions[v], mesh.positions[v + 1], mesh.positions[v + 2]};
        };
        volume += dot(at(0), cross(at(1), at(2))) / 6;
    }
    CHECK(std::abs(volume) == Approx(4.0 / 3 * 3.14159265 * 216).epsilon(0.01));
}

TEST_CASE("the probe names the renderer; a notice says what, where and what to do") {
    ORRERY_NEED_WINDOW();
    auto const& facts = gl_facts();
    REQUIRE(facts);
    CHECK(!facts->renderer.empty());
    CHECK(!facts->version.empty());
    std::unique_ptr<QWidget> const notice(
        make_notice("The 3-D view can't be shown", unavailable("no OpenGL", "xcb", "install a driver")));
    CHECK(notice->accessibleDescription().contains("no OpenGL (xcb). install a driver"));
    QString all;
    for (QLabel const* label : notice->findChildren<QLabel*>()) all += label->text() + "\n";
    CHECK(all.contains("no OpenGL (xcb)"));
    CHECK(all.contains("install a driver"));
    notice->resize(640, 360);
    notice->show();
    tests::wait_for(50);
    tests::save_screenshot(*notice, "view3d_notice");
}
