#include "renderers/plot/min_max_pyramid.h"
#include "tests/catch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

using namespace orrery;

namespace {

std::vector<double> random_walk(std::size_t count, unsigned seed) {
    std::mt19937_64 generator(seed);
    std::normal_distribution<double> step;
    std::vector<double> values(count);
    double value = 0;
    for (double& at : values) at = value += step(generator);
    return values;
}

MinMax brute_force(std::vector<double> const& values, std::size_t first, std::size_t last) {
    MinMax result{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (std::size_t index = first; index < last; ++index) {
        if (std::isnan(values[index])) continue;
        result.minimum = std::min(result.minimum, values[index]);
        result.maximum = std::max(result.maximum, values[index]);
    }
    return result;
}

}  // namespace

TEST_CASE("a pyramid grown in pieces gives the extremes of brute force for any range") {
    std::vector<double> values = random_walk(300'007, 1);
    std::mt19937_64 generator(2);
    for (int hole = 0; hole < 2000; ++hole) values[generator() % values.size()] = std::nan("");
    std::fill(values.begin() + 70'000, values.begin() + 70'300, std::nan(""));
    GrowingColumn column;
    MinMaxPyramid pyramid;
    for (std::size_t at = 0; at < values.size();) {
        std::size_t const count = std::min<std::size_t>(values.size() - at, generator() % 9000 + 1);
        column.append(std::span(values).subspan(at, count));
        pyramid.extend(column);
        at += count;
        MinMax const whole = pyramid.whole(column), expected = brute_force(values, 0, at);
        REQUIRE(whole.minimum == expected.minimum);
        REQUIRE(whole.maximum == expected.maximum);
    }
    for (int trial = 0; trial < 3000; ++trial) {
        std::size_t first = generator() % values.size(), last = generator() % (values.size() + 1);
        if (trial % 3 == 0) last = std::min(values.size(), first + generator() % 200);
        if (first > last) std::swap(first, last);
        MinMax const found = pyramid.range(column, first, last), expected = brute_force(values, first, last);
        CAPTURE(first, last);
        REQUIRE(found.minimum == expected.minimum);
        REQUIRE(found.maximum == expected.maximum);
    }
    CHECK(pyramid.range(column, 70'000, 70'300).empty());
    CHECK(pyramid.range(column, 5, 5).empty());
    CHECK(static_cast<double>(pyramid.bytes()) < 0.04 * static_cast<double>(values.size() * sizeof(double)));
}

TEST_CASE("a growing column keeps its values over the borders of its pieces") {
    GrowingColumn column;
    std::vector<double> const values = random_walk(GrowingColumn::piece_size * 2 + 11, 3);
    column.append(std::span(values).first(GrowingColumn::piece_size - 1));
    column.append(std::span(values).subspan(GrowingColumn::piece_size - 1));
    CHECK(column.size() == values.size());
    CHECK(column.copy(0, column.size()) == values);
    CHECK(column.run(GrowingColumn::piece_size - 1, column.size()).size() == 1);
    CHECK(column.back() == values.back());
}

TEST_CASE("the search for a pixel column's first point agrees with the standard one") {
    std::vector<double> x(5000);
    std::mt19937_64 generator(4);
    for (double& value : x) value = static_cast<double>(generator() % 900);
    std::sort(x.begin(), x.end());
    GrowingColumn column;
    column.append(x);
    for (int trial = 0; trial < 2000; ++trial) {
        std::size_t const first = generator() % x.size();
        double const value = static_cast<double>(generator() % 950) - 20;
        auto const expected =
            std::lower_bound(x.begin() + static_cast<std::ptrdiff_t>(first), x.end(), value) - x.begin();
        CHECK(lower_bound_from(column, first, value, generator() % 100) == static_cast<std::size_t>(expected));
    }
    CHECK(lower_bound_from(column, x.size(), 1) == x.size());
}

TEST_CASE("a reduced line has each pixel column's exact extremes and at most two points a column") {
    std::vector<double> const y = random_walk(200'000, 5);
    std::vector<double> x(y.size());
    for (std::size_t index = 0; index < x.size(); ++index) x[index] = static_cast<double>(index) * 0.01;
    GrowingColumn xs, ys;
    MinMaxPyramid pyramid;
    xs.append(x);
    ys.append(y);
    pyramid.extend(ys);
    ReducedLine line;
    int const columns = 640;
    double const x_min = 123.456, x_max = 1789.01;
    reduce_line(xs, ys, pyramid, x_min, x_max, columns, false, line);
    REQUIRE(line.reduced);
    CHECK(line.x.size() <= static_cast<std::size_t>(columns) * 2 + 2);
    CHECK(std::is_sorted(line.x.begin(), line.x.end()));
    for (int column = 0; column < columns; ++column) {
        double const low = x_min + (x_max - x_min) * column / columns,
                     high = x_min + (x_max - x_min) * (column + 1) / columns;
        double expected_low = 1e300, expected_high = -1e300, drawn_low = 1e300, drawn_high = -1e300;
        for (std::size_t index = 0; index < x.size(); ++index) {
            if (x[index] < low || x[index] >= high) continue;
            expected_low = std::min(expected_low, y[index]);
            expected_high = std::max(expected_high, y[index]);
        }
        for (std::size_t index = 0; index < line.x.size(); ++index) {
            if (line.x[index] < low || line.x[index] >= high) continue;
            drawn_low = std::min(drawn_low, line.y[index]);
            drawn_high = std::max(drawn_high, line.y[index]);
        }
        REQUIRE(drawn_low == expected_low);
        REQUIRE(drawn_high == expected_high);
    }
}

TEST_CASE("few points are drawn as they are, with a neighbour on either side") {
    GrowingColumn xs, ys;
    MinMaxPyramid pyramid;
    std::vector<double> const x{0, 1, 2, 3, 4, 5}, y{0, 1, std::nan(""), 9, 16, 25};
    xs.append(x);
    ys.append(y);
    pyramid.extend(ys);
    ReducedLine line;
    reduce_line(xs, ys, pyramid, 1.5, 3.5, 300, false, line);
    CHECK_FALSE(line.reduced);
    CHECK(line.x == std::vector<double>{1, 2, 3, 4});
    CHECK(std::isnan(line.y[1]));
    reduce_line(xs, ys, pyramid, 10, 20, 300, false, line);
    CHECK(line.x == std::vector<double>{5});
    reduce_line(xs, ys, pyramid, 3, 3, 300, false, line);
    CHECK(line.x.empty());
}
