// A heat map seen from afar. Each level halves rows and columns; a coarse cell holds, of its finite cells, the value
// that lies farthest from zero (two-sided colours), the largest (sequential) or the first (cyclic): a lone hot cell
// among 8,000 x 8,000 stays visible at any zoom, which a mean would hide.
#pragma once

#include "core/base/figure.h"

#include <cstddef>
#include <span>
#include <vector>

namespace orrery {

// The value that stands for two cells.
[[nodiscard]] float stronger(float a, float b, ColorScale scale);

class HeatMapLevels {
public:
    // Forgets the levels; `values` is row-major and must stay in place until the next reset.
    void reset(std::span<double const> values, std::size_t rows, std::size_t columns, ColorScale scale);
    // Builds levels for at most so many milliseconds; true when all are there.
    bool build(double milliseconds);
    [[nodiscard]] double progress() const;  // 0..1
    [[nodiscard]] bool complete() const { return m_built == m_levels.size(); }
    // After the cells row..row_end-1, column..column_end-1 changed.
    void update(std::size_t row, std::size_t row_end, std::size_t column, std::size_t column_end);

    // The value of the block of 2^row_shift x 2^column_shift cells at block (row, column); NaN: none computed.
    // complete() must be true where both shifts are above 0.
    [[nodiscard]] float at(std::size_t row, std::size_t column, int row_shift, int column_shift) const;
    [[nodiscard]] std::size_t rows() const { return m_rows; }
    [[nodiscard]] std::size_t columns() const { return m_columns; }
    [[nodiscard]] std::size_t bytes() const;

private:
    struct Level {
        std::size_t rows = 0, columns = 0;
        std::vector<float> values;
    };
    [[nodiscard]] float cell(std::size_t level, std::size_t row, std::size_t column) const;
    void make_row(std::size_t level, std::size_t row, std::size_t column, std::size_t column_end);
    std::span<double const> m_values;
    std::size_t m_rows = 0, m_columns = 0;
    ColorScale m_scale = ColorScale::diverging;
    std::vector<Level> m_levels;  // [0] halves once
    std::size_t m_built = 0, m_next_row = 0;
};

}  // namespace orrery
