#include "renderers/plot/heat_map_levels.h"
#include "renderers/plot/heat_map_tiles.h"
#include "tests/catch.h"

#include <cmath>
#include <random>

using namespace orrery;

namespace {

std::vector<double> random_cells(std::size_t count, unsigned seed) {
    std::mt19937_64 generator(seed);
    std::normal_distribution<float> value;
    std::vector<double> cells(count);
    for (double& cell : cells) cell = generator() % 5 == 0 ? std::nan("") : static_cast<double>(value(generator));
    return cells;
}

float brute_force(std::vector<double> const& cells, std::size_t rows, std::size_t columns, std::size_t row,
                  std::size_t column, int row_shift, int column_shift, ColorScale scale) {
    float result = std::nanf("");
    for (std::size_t r = row << row_shift; r < std::min(rows, (row + 1) << row_shift); ++r) {
        for (std::size_t c = column << column_shift; c < std::min(columns, (column + 1) << column_shift); ++c) {
            result = stronger(result, static_cast<float>(cells[r * columns + c]), scale);
        }
    }
    return result;
}

void check_all(HeatMapLevels const& levels, std::vector<double> const& cells, ColorScale scale) {
    for (int row_shift = 0; row_shift < 7; ++row_shift) {
        for (int column_shift = 0; column_shift < 9; ++column_shift) {
            std::size_t const rows = (levels.rows() + (1U << row_shift) - 1) >> row_shift;
            std::size_t const columns = (levels.columns() + (1U << column_shift) - 1) >> column_shift;
            for (std::size_t row = 0; row < rows; ++row) {
                for (std::size_t column = 0; column < columns; ++column) {
                    float const expected = brute_force(cells, levels.rows(), levels.columns(), row, column, row_shift,
                                                       column_shift, scale);
                    float const found = levels.at(row, column, row_shift, column_shift);
                    CAPTURE(row_shift, column_shift, row, column);
                    if (std::isnan(expected)) {
                        REQUIRE(std::isnan(found));
                    } else {
                        REQUIRE(found == expected);
                    }
                }
            }
        }
    }
}

}  // namespace

TEST_CASE("coarse cells of two-sided and sequential maps are those of brute force, also after updates") {
    std::size_t const rows = 37, columns = 150;
    for (ColorScale const scale : {ColorScale::diverging, ColorScale::sequential}) {
        std::vector<double> cells = random_cells(rows * columns, 7);
        HeatMapLevels levels;
        levels.reset(cells, rows, columns, scale);
        REQUIRE(levels.build(1e9));
        check_all(levels, cells, scale);
        for (std::size_t row = 0; row < rows; ++row) cells[row * columns + 149] = 40 + static_cast<double>(row);
        levels.update(0, rows, 149, 150);
        cells[36 * columns + 3] = -99;
        levels.update(36, 37, 3, 4);
        check_all(levels, cells, scale);
    }
}

TEST_CASE("levels are built in slices of time and count up to the whole") {
    std::vector<double> const cells = random_cells(600 * 500, 8);
    HeatMapLevels levels;
    levels.reset(cells, 600, 500, ColorScale::diverging);
    CHECK_FALSE(levels.complete());
    int slices = 0;
    double before = 0;
    while (!levels.build(0)) {
        CHECK(levels.progress() > before);
        before = levels.progress();
        ++slices;
    }
    CHECK(slices > 100);
    CHECK(levels.complete());
    CHECK(levels.progress() == 1);
    CHECK(levels.bytes() < cells.size() * sizeof(float) / 2);
}

TEST_CASE("a lone hot cell of 2,000 x 3,000 is seen from afar") {
    std::vector<double> cells(2000 * 3000, 0.01);
    cells[1234 * 3000 + 2345] = -7;
    HeatMapLevels levels;
    levels.reset(cells, 2000, 3000, ColorScale::diverging);
    REQUIRE(levels.build(1e9));
    CHECK(levels.at(1234 >> 5, 2345 >> 5, 5, 5) == -7);
    CHECK(levels.at(1234 >> 3, 2345 >> 6, 3, 6) == -7);
}

TEST_CASE("texels have the colours of the colour map and are clear where nothing was computed") {
    std::vector<double> const cells{0, 1, -1, std::nan(""), 5, -5};
    HeatMapLevels levels;
    levels.reset(cells, 2, 3, ColorScale::diverging);
    std::vector<std::uint32_t> texels;
    ColorRange const range{-2, 2};
    tile_texels(levels, ColorScale::diverging, range, 0, 0, 0, 0, 2, 3, texels);
    REQUIRE(texels.size() == 6);
    CHECK(texels[0] == 0xFFFFFFFFU);  // zero is white
    CHECK(texels[3] == 0);
    for (std::size_t index : {1U, 2U, 4U, 5U}) {
        Rgb const expected = color_of(ColorScale::diverging, range.position(cells[index]));
        CHECK((texels[index] & 0xFF) == expected[0]);
        CHECK((texels[index] >> 8 & 0xFF) == expected[1]);
        CHECK((texels[index] >> 16 & 0xFF) == expected[2]);
        CHECK(texels[index] >> 24 == 0xFF);
    }
}
