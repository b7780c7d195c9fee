// Axis marks: round numbers, labels without collisions, ranges that are never empty.
#include "core/figure/ticks.h"
#include "tests/catch.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace orrery;
using namespace orrery::figure;

namespace {

std::string labels(std::vector<Tick> const& ticks) {
    std::string text;
    for (Tick const& tick : ticks) text += (text.empty() ? "" : " ") + tick.label;
    return text;
}

}  // namespace

TEST_CASE("linear ticks are round and labelled with the decimals of their step") {
    CHECK(labels(linear_ticks({0, 10}, 6)) == "0 2 4 6 8 10");
    CHECK(labels(linear_ticks({-1, 1}, 5)) == "−1.0 −0.5 0 0.5 1.0");
    CHECK(labels(linear_ticks({0, 0.3}, 4)) == "0 0.1 0.2 0.3");
    CHECK(labels(linear_ticks({0, 3e6}, 4)) == "0 1e6 2e6 3e6");
    CHECK(labels(linear_ticks({0, 2e-7}, 3)) == "0 1e−7 2e−7");
    CHECK(labels(linear_ticks({1.3, 1.3}, 5)).empty());
    CHECK(linear_ticks({0, std::numeric_limits<double>::infinity()}, 5).empty());
    for (int most = 2; most < 12; ++most)
        CHECK(linear_ticks({-3.7, 12.9}, most).size() <= static_cast<std::size_t>(most));
}

TEST_CASE("logarithmic ticks are powers of ten, thinned over many decades") {
    CHECK(labels(logarithmic_ticks({1, 1000}, 8)) == "1 10 100 1000");
    CHECK(labels(logarithmic_ticks({1, 60}, 8)) == "1 2 5 10 20 50");
    CHECK(labels(logarithmic_ticks({1e-9, 1e-6}, 8)) == "1e−9 1e−8 1e−7 1e−6");
    CHECK(logarithmic_ticks({1e-30, 1e30}, 8).size() <= 9);
    CHECK(logarithmic_ticks({0, 10}, 8).empty());
}

TEST_CASE("ranges follow the axis, else the values, and are never empty") {
    Axis axis;
    CHECK(axis_range(axis, {}, false, true).maximum == 1);
    Range const same = axis_range(axis, {3, 3}, false, false);
    CHECK(same.minimum < 3);
    CHECK(same.maximum > 3);
    Range const bars = axis_range(axis, {2, 7}, true, true);
    CHECK(bars.minimum == 0);
    CHECK(bars.maximum > 7);
    Range const room = axis_range(axis, {0, 10}, false, true);
    CHECK(room.minimum < 0);
    CHECK(room.maximum > 10);
    CHECK(axis_range(axis, {std::nan(""), INFINITY, 1e305}, false, true).maximum == 1);
    axis.minimum = 5;
    axis.maximum = -5;
    CHECK(axis_range(axis, {100}, false, true).minimum == -5);
    Axis logarithmic;
    logarithmic.logarithmic = true;
    Range const positive = axis_range(logarithmic, {-1, 0, 1e-3, 10}, false, true);
    CHECK(positive.minimum > 0);
    CHECK(positive.minimum < 1e-3);
    CHECK(position(logarithmic, {1, 100}, 10) == Approx(0.5));
    CHECK_FALSE(std::isfinite(position(logarithmic, {1, 100}, -10)));
}

TEST_CASE("labels of categories are thinned so that they never touch") {
    CHECK(labelled_categories(5, 10, 8, {}).size() == 5);
    auto const thin = labelled_categories(244, 1.57, 6, {});
    CHECK(thin.size() == 49);
    CHECK(thin[1] == 5);
    std::vector<int> groups(30, 0);
    for (std::size_t i = 13; i < 30; ++i) groups[i] = 1;
    auto const grouped = labelled_categories(30, 2, 8, groups);
    CHECK(std::find(grouped.begin(), grouped.end(), 13) != grouped.end());
    for (std::size_t i = 1; i < grouped.size(); ++i) CHECK((grouped[i] - grouped[i - 1]) * 2 >= 8);
    CHECK(labelled_categories(0, 1, 1, {}).empty());
    CHECK(labelled_categories(3, 0, 1, {}).empty());
}
