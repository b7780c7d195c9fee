#include "renderers/plot/heat_map_levels.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace orrery {

float stronger(float a, float b, ColorScale scale) {
    if (std::isnan(a)) return b;
    if (std::isnan(b)) return a;
    switch (scale) {
        case ColorScale::diverging:
            return std::abs(b) > std::abs(a) ? b : a;
        case ColorScale::sequential:
            return std::max(a, b);
        case ColorScale::cyclic:
            return a;
    }
    return a;
}

void HeatMapLevels::reset(std::span<double const> values, std::size_t rows, std::size_t columns, ColorScale scale) {
    m_values = values;
    m_rows = rows;
    m_columns = columns;
    m_scale = scale;
    m_levels.clear();
    m_built = m_next_row = 0;
    while (rows > 1 && columns > 1) {
        rows = (rows + 1) / 2;
        columns = (columns + 1) / 2;
        m_levels.push_back({rows, columns, {}});
    }
}

float HeatMapLevels::cell(std::size_t level, std::size_t row, std::size_t column) const {
    if (level == 0) return static_cast<float>(m_values[row * m_columns + column]);
    Level const& at = m_levels[level - 1];
    return at.values[row * at.columns + column];
}

void HeatMapLevels::make_row(std::size_t level, std::size_t row, std::size_t column, std::size_t column_end) {
    Level& at = m_levels[level];
    std::size_t const below_rows = level == 0 ? m_rows : m_levels[level - 1].rows;
    std::size_t const below_columns = level == 0 ? m_columns : m_levels[level - 1].columns;
    bool const two_rows = row * 2 + 1 < below_rows;
    for (std::size_t index = column; index < column_end; ++index) {
        bool const two_columns = index * 2 + 1 < below_columns;
        float value = cell(level, row * 2, index * 2);
        if (two_columns) value = stronger(value, cell(level, row * 2, index * 2 + 1), m_scale);
        if (two_rows) value = stronger(value, cell(level, row * 2 + 1, index * 2), m_scale);
        if (two_rows && two_columns) value = stronger(value, cell(level, row * 2 + 1, index * 2 + 1), m_scale);
        at.values[row * at.columns + index] = value;
    }
}

bool HeatMapLevels::build(double milliseconds) {
    auto const start = std::chrono::steady_clock::now();
    while (m_built < m_levels.size()) {
        Level& level = m_levels[m_built];
        if (level.values.empty()) level.values.resize(level.rows * level.columns);
        while (m_next_row < level.rows) {
            make_row(m_built, m_next_row, 0, level.columns);
            ++m_next_row;
            std::chrono::duration<double, std::milli> const spent = std::chrono::steady_clock::now() - start;
            if (spent.count() > milliseconds) return false;
        }
        ++m_built;
        m_next_row = 0;
    }
    return true;
}

double HeatMapLevels::progress() const {
    double done = 0, total = 0;
    for (std::size_t index = 0; index < m_levels.size(); ++index) {
        double const cells = static_cast<double>(m_levels[index].rows * m_levels[index].columns);
        total += cells;
        if (index < m_built) done += cells;
        if (index == m_built) done += static_cast<double>(m_next_row * m_levels[index].columns);
    }
    return total > 0 ? done / total : 1;
}

void HeatMapLevels::update(std::size_t row, std::size_t row_end, std::size_t column, std::size_t column_end) {
    for (std::size_t level = 0; level < m_levels.size(); ++level) {
        row /= 2;
        column /= 2;
        row_end = (row_end + 1) / 2;
        column_end = (column_end + 1) / 2;
        bool const building = level == m_built;
        if (level > m_built || m_levels[level].values.empty()) return;
        std::size_t const rows_there = building ? std::min(row_end, m_next_row) : row_end;
        for (std::size_t index = row; index < rows_there; ++index) make_row(level, index, column, column_end);
    }
}

float HeatMapLevels::at(std::size_t row, std::size_t column, int row_shift, int column_shift) const {
    int const level = std::min({row_shift, column_shift, static_cast<int>(m_levels.size())});
    int const more_rows = row_shift - level, more_columns = column_shift - level;
    auto const index = static_cast<std::size_t>(level);
    std::size_t const level_rows = level == 0 ? m_rows : m_levels[index - 1].rows;
    std::size_t const level_columns = level == 0 ? m_columns : m_levels[index - 1].columns;
    std::size_t const row_begin = row << more_rows, row_end = std::min(level_rows, (row + 1) << more_rows);
    std::size_t const column_begin = column << more_columns;
    std::size_t const column_end = std::min(level_columns, (column + 1) << more_columns);
    float value = std::nanf("");
    for (std::size_t r = row_begin; r < row_end; ++r) {
        for (std::size_t c = column_begin; c < column_end; ++c) value = stronger(value, cell(index, r, c), m_scale);
    }
    return value;
}

std::size_t HeatMapLevels::bytes() const {
    std::size_t total = 0;
    for (Level const& level : m_levels) total += level.values.size() * sizeof(float);
    return total;
}

}  // namespace orrery
