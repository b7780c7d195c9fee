#include "renderers/plot/plot_navigator.h"
#include "renderers/plot/plot_text.h"
#include "tests/catch.h"

using namespace orrery;

namespace {
PlotNavigator navigator() {
    PlotNavigator result;
    result.set_area(QRectF(100, 50, 400, 200));
    result.set_home({0, 40, -10, 10});
    return result;
}
}  // namespace

TEST_CASE("pixels and data are each other's inverse") {
    PlotNavigator plot = navigator();
    CHECK(plot.to_pixel(0, -10) == QPointF(100, 250));
    CHECK(plot.to_pixel(40, 10) == QPointF(500, 50));
    QPointF const there = plot.to_data(plot.to_pixel(13, 4.5));
    CHECK(there.x() == Approx(13));
    CHECK(there.y() == Approx(4.5));
    plot.y_down = true;
    CHECK(plot.to_pixel(0, -10) == QPointF(100, 50));
}

TEST_CASE("the wheel keeps the point under the pointer") {
    PlotNavigator plot = navigator();
    QPointF const pointer(220, 90);
    QPointF const before = plot.to_data(pointer);
    for (int step = 0; step < 10; ++step) plot.zoom_at(pointer, 0.85);
    CHECK(plot.zoomed());
    CHECK(plot.limits().x_max - plot.limits().x_min < 9);
    CHECK(plot.to_data(pointer).x() == Approx(before.x()));
    CHECK(plot.to_data(pointer).y() == Approx(before.y()));
    plot.reset();
    CHECK_FALSE(plot.zoomed());
    CHECK(plot.limits() == plot.home());
}

TEST_CASE("panning moves the data with the pointer") {
    PlotNavigator plot = navigator();
    QPointF const grabbed = plot.to_data({200, 100});
    plot.pan({30, -20});
    CHECK(plot.to_data({230, 80}).x() == Approx(grabbed.x()));
    CHECK(plot.to_data({230, 80}).y() == Approx(grabbed.y()));
}

TEST_CASE("a box becomes the view") {
    PlotNavigator plot = navigator();
    plot.zoom_to(QRectF(QPointF(300, 150), QPointF(200, 100)));
    CHECK(plot.limits().x_min == Approx(10));
    CHECK(plot.limits().x_max == Approx(20));
    CHECK(plot.limits().y_min == Approx(0));
    CHECK(plot.limits().y_max == Approx(5));
}

TEST_CASE("a bounded view never leaves home and is not zoomed when it is all of it") {
    PlotNavigator plot = navigator();
    plot.bounded = true;
    plot.smallest_x_span = 4;
    plot.pan({100, 100});
    CHECK(plot.limits() == plot.home());
    CHECK_FALSE(plot.zoomed());
    plot.zoom_at({300, 150}, 0.5);
    plot.pan({10'000, 0});
    CHECK(plot.limits().x_min == Approx(0));
    CHECK(plot.limits().x_max == Approx(20));
    for (int step = 0; step < 60; ++step) plot.zoom_at({300, 150}, 0.8);
    CHECK(plot.limits().x_max - plot.limits().x_min == Approx(4).margin(1.1));
    for (int step = 0; step < 60; ++step) plot.zoom_at({300, 150}, 1.3);
    CHECK(plot.limits() == plot.home());
}

TEST_CASE("logarithmic axes zoom by decades") {
    PlotNavigator plot;
    plot.x_logarithmic = true;
    plot.set_area(QRectF(0, 0, 300, 100));
    plot.set_home({0, 3, 0, 1});  // 1 .. 1000
    CHECK(plot.x_to_pixel(10) == Approx(100));
    CHECK(plot.to_data({200, 0}).x() == Approx(100));
    CHECK(plot.data_limits().x_max == Approx(1000));
    CHECK(plot.x_to_pixel(0) < -1e4);  // no such value: far outside, and finite
}

TEST_CASE("ticks are round and few, numbers short") {
    CHECK(nice_ticks(-2.3, 2.3, 5) == std::vector<double>{-2, -1, 0, 1, 2});
    CHECK(nice_ticks(0, 100, 4).size() <= 5);
    CHECK(tick_text(0.5, 0.5) == "0.5");
    CHECK(tick_text(-2, 1) == "-2");
    CHECK(tick_text(-1e-17, 1) == "0");
    CHECK(tick_text(2.5e7, 5e6) == "2.5e+07");
    CHECK(fixed_text(1.239, 2) == "1.24");
    CHECK(fixed_text(0.00012, 2) == "1.20e-04");
    CHECK(decimals_for(1) == 2);
    CHECK(decimals_for(0.01) == 4);
    CHECK(axis_title("ddG", "kcal/mol") == "ddG (kcal/mol)");
    CHECK(label_step(4, 14) == 5);
    CHECK(label_step(20, 14) == 1);
    CHECK(label_step(0.05, 14) == 500);
}
