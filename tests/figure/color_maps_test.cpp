// The maps are measured: symmetry, evenness and contrast, not looks.
#include "core/base/color_maps.h"
#include "tests/catch.h"

#include <cmath>

using namespace orrery;

TEST_CASE("the two-sided map is white at zero, symmetric and even in lightness") {
    auto const& table = color_table(ColorScale::diverging);
    CHECK(color_of(ColorScale::diverging, 0.5) == Rgb{255, 255, 255});
    CHECK(table[127] == Rgb{255, 255, 255});
    CHECK(table[128] == Rgb{255, 255, 255});
    double const step = (lightness(table[128]) - lightness(table[255])) / 127;
    for (std::size_t i = 0; i < 128; ++i) {
        INFO(i);
        CHECK(std::abs(lightness(table[127 - i]) - lightness(table[128 + i])) < 0.6);
        CHECK(std::abs(lightness(table[128 + i]) - (100 - step * static_cast<double>(i))) < 0.6);
    }
    CHECK(table[0][2] > table[0][0]);      // blue end
    CHECK(table[255][0] > table[255][2]);  // red end
    CHECK(contrast_ratio(table[0], {255, 255, 255}) > 7);
    CHECK(contrast_ratio(table[255], {255, 255, 255}) > 7);
}

TEST_CASE("the one-sided map rises in lightness without a turn") {
    auto const& table = color_table(ColorScale::sequential);
    for (std::size_t i = 1; i < 256; ++i) CHECK(lightness(table[i]) > lightness(table[i - 1]) - 0.3);
    CHECK(table[0] == Rgb{68, 1, 84});
    CHECK(table[255] == Rgb{253, 231, 37});
}

TEST_CASE("the cyclic map ends where it begins, without a jump") {
    auto const& table = color_table(ColorScale::cyclic);
    CHECK(table[0] == table[255]);
    for (std::size_t i = 1; i < 256; ++i)
        for (std::size_t channel = 0; channel < 3; ++channel)
            CHECK(std::abs(int{table[i][channel]} - int{table[i - 1][channel]}) < 12);
}

TEST_CASE("positions outside the map are held at its ends, missing ones are grey") {
    CHECK(color_of(ColorScale::sequential, -3) == color_table(ColorScale::sequential)[0]);
    CHECK(color_of(ColorScale::sequential, INFINITY) == color_table(ColorScale::sequential)[255]);
    CHECK(color_of(ColorScale::sequential, std::nan("")) == color_of_missing());
    CHECK(color_of_missing() != Rgb{255, 255, 255});
}

TEST_CASE("series by order stand out from paper and from the dark surface by 3:1") {
    for (std::size_t order = 0; order < 3; ++order) {
        Rgb const color = category_color(series_category({}, order));
        INFO(order);
        CHECK(contrast_ratio(color, {255, 255, 255}) >= 3);
        CHECK(contrast_ratio(color, {0x1E, 0x21, 0x28}) >= 3);
    }
    Series chosen;
    chosen.color = 9;
    CHECK(series_category(chosen, 5) == 1);
    CHECK(category_color(8) == category_color(0));
}

TEST_CASE("the range of a two-sided map is symmetric and ends at the 98th percentile") {
    HeatMap map;
    for (int i = 1; i <= 100; ++i) map.values.push_back(i % 2 == 0 ? i : -i);
    map.values.push_back(std::nan(""));
    ColorRange range = color_range(map);
    CHECK(range.maximum == 98);
    CHECK(range.minimum == -98);
    CHECK(range.position(0) == 0.5);
    map.limit = 5;
    CHECK(color_range(map).maximum == 5);
    map.limit = 0;
    map.values = {0, 0};
    CHECK(color_range(map).maximum == 1);
    map.values.clear();
    CHECK(color_range(map).maximum == 1);
    map.scale = ColorScale::sequential;
    map.values = {2, 2, std::nan("")};
    range = color_range(map);
    CHECK(range.minimum < 2);
    CHECK(range.maximum > 2);
    map.values = {-1e308, 1e308};
    range = color_range(map);
    CHECK(std::isfinite(range.position(3)));
}
