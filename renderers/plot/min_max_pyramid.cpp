#include "renderers/plot/min_max_pyramid.h"

#include "renderers/plot/plot_navigator.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace orrery {
namespace {

constexpr MinMax nothing{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};

MinMax join(MinMax a, MinMax b) { return {std::min(a.minimum, b.minimum), std::max(a.maximum, b.maximum)}; }

// Comparisons with NaN are false, so NaN changes nothing. Four lanes, so that the compiler can keep them in registers.
MinMax of_values(std::span<double const> values) {
    double low[4], high[4];
    std::fill(std::begin(low), std::end(low), nothing.minimum);
    std::fill(std::begin(high), std::end(high), nothing.maximum);
    std::size_t index = 0;
    for (; index + 4 <= values.size(); index += 4) {
        for (std::size_t lane = 0; lane < 4; ++lane) {
            double const value = values[index + lane];
            low[lane] = value < low[lane] ? value : low[lane];
            high[lane] = value > high[lane] ? value : high[lane];
        }
    }
    MinMax result = join(join({low[0], high[0]}, {low[1], high[1]}), join({low[2], high[2]}, {low[3], high[3]}));
    for (; index < values.size(); ++index) {
        if (values[index] < result.minimum) result.minimum = values[index];
        if (values[index] > result.maximum) result.maximum = values[index];
    }
    return result;
}

MinMax of_blocks(std::vector<MinMax> const& blocks, std::size_t first, std::size_t last) {
    MinMax result = nothing;
    for (std::size_t index = first; index < last; ++index) result = join(result, blocks[index]);
    return result;
}

}  // namespace

void GrowingColumn::append(std::span<double const> values) {
    while (!values.empty()) {
        std::size_t const used = m_size % piece_size;
        if (used == 0) m_pieces.push_back(std::unique_ptr<double[]>(new double[piece_size]));
        std::size_t const count = std::min(values.size(), piece_size - used);
        std::copy_n(values.data(), count, m_pieces.back().get() + used);
        m_size += count;
        values = values.subspan(count);
    }
}

void GrowingColumn::clear() {
    m_pieces.clear();
    m_size = 0;
}

std::span<double const> GrowingColumn::run(std::size_t first, std::size_t last) const {
    std::size_t const end = std::min(last, (first / piece_size + 1) * piece_size);
    return {m_pieces[first / piece_size].get() + first % piece_size, end - first};
}

std::vector<double> GrowingColumn::copy(std::size_t first, std::size_t last) const {
    std::vector<double> result;
    result.reserve(last - first);
    while (first < last) {
        std::span<double const> const part = run(first, last);
        result.insert(result.end(), part.begin(), part.end());
        first += part.size();
    }
    return result;
}

void MinMaxPyramid::clear() {
    m_levels.clear();
    m_taken = 0;
}

void MinMaxPyramid::extend(GrowingColumn const& column) {
    if (m_taken == column.size()) return;
    if (m_levels.empty()) m_levels.emplace_back();
    // A piece holds whole blocks (65536 = 64 * 1024), so a block never spans two pieces.
    std::size_t block = m_taken / fan_out;
    std::size_t const blocks = (column.size() + fan_out - 1) / fan_out;
    m_levels[0].resize(blocks, nothing);
    std::size_t changed = block;
    for (; block < blocks; ++block) {
        m_levels[0][block] = of_values(column.run(block * fan_out, std::min(column.size(), (block + 1) * fan_out)));
    }
    m_taken = column.size();
    for (std::size_t level = 1; m_levels[level - 1].size() > 1; ++level) {
        if (m_levels.size() == level) {
            m_levels.emplace_back();
            changed = 0;
        }
        std::vector<MinMax> const& below = m_levels[level - 1];
        changed /= fan_out;
        std::size_t const count = (below.size() + fan_out - 1) / fan_out;
        m_levels[level].resize(count, nothing);
        for (std::size_t index = changed; index < count; ++index) {
            m_levels[level][index] = of_blocks(below, index * fan_out, std::min(below.size(), (index + 1) * fan_out));
        }
    }
}

MinMax MinMaxPyramid::range(GrowingColumn const& column, std::size_t first, std::size_t last) const {
    MinMax result = nothing;
    if (first >= last) return result;
    // Values up to the next whole block and after the last whole block, then the same one level up.
    auto const values = [&](std::size_t from, std::size_t to) {
        while (from < to) {
            std::span<double const> const part = column.run(from, to);
            result = join(result, of_values(part));
            from += part.size();
        }
    };
    std::size_t low = (first + fan_out - 1) / fan_out, high = last / fan_out;
    if (low >= high) {
        values(first, last);
        return result;
    }
    values(first, low * fan_out);
    values(high * fan_out, last);
    for (std::size_t level = 0;; ++level) {
        std::vector<MinMax> const& blocks = m_levels[level];
        std::size_t const next_low = (low + fan_out - 1) / fan_out, next_high = high / fan_out;
        if (next_low >= next_high || level + 1 == m_levels.size()) return join(result, of_blocks(blocks, low, high));
        result = join(result, of_blocks(blocks, low, next_low * fan_out));
        result = join(result, of_blocks(blocks, next_high * fan_out, high));
        low = next_low;
        high = next_high;
    }
}

std::size_t MinMaxPyramid::bytes() const {
    std::size_t total = 0;
    for (std::vector<MinMax> const& level : m_levels) total += level.size() * sizeof(MinMax);
    return total;
}

std::size_t lower_bound_from(GrowingColumn const& x, std::size_t first, double value, std::size_t stride) {
    std::size_t const size = x.size();
    if (first >= size || !(x[first] < value)) return first;
    std::size_t low = first, step = std::max<std::size_t>(stride, 1);  // x[low] < value
    std::size_t high = low + step;
    while (high < size && x[high] < value) {
        low = high;
        step *= 2;
        high = low + step;
    }
    high = std::min(high, size);
    while (high - low > 1) {
        std::size_t const middle = low + (high - low) / 2;
        (x[middle] < value ? low : high) = middle;
    }
    return high;
}

void reduce_line(GrowingColumn const& x, GrowingColumn const& y, MinMaxPyramid const& pyramid, double x_min,
                 double x_max, int columns, bool x_logarithmic, ReducedLine& result) {
    result.x.clear();
    result.y.clear();
    result.reduced = false;
    if (x.empty() || columns < 1 || !(x_max > x_min)) return;
    std::size_t const first = lower_bound_from(x, 0, x_min, x.size() / 2 + 1);
    std::size_t last = lower_bound_from(x, first, x_max, x.size() / 2 + 1);
    while (last < x.size() && x[last] == x_max) ++last;
    std::size_t const from = first > 0 ? first - 1 : 0, to = std::min(last + 1, x.size());
    if (to - from <= static_cast<std::size_t>(columns) * 4) {
        result.x = x.copy(from, to);
        result.y = y.copy(from, to);
        return;
    }
    result.reduced = true;
    result.x.reserve(static_cast<std::size_t>(columns) * 2 + 4);
    result.y.reserve(static_cast<std::size_t>(columns) * 2 + 4);
    auto const add = [&](double at, double value) {
        result.x.push_back(at);
        result.y.push_back(value);
    };
    if (from < first) add(x[from], y[from]);
    double const axis_min = to_axis_unit(x_min, x_logarithmic), axis_max = to_axis_unit(x_max, x_logarithmic);
    std::size_t begin = first, stride = 1;
    double previous = std::numeric_limits<double>::quiet_NaN();
    for (int column = 0; column < columns && begin < last; ++column) {
        double const edge = axis_min + (axis_max - axis_min) * (column + 1) / columns;
        std::size_t end = last;
        if (column + 1 < columns) {
            end = std::min(last, lower_bound_from(x, begin, from_axis_unit(edge, x_logarithmic), stride));
        }
        if (end == begin) continue;
        stride = end - begin;
        MinMax const extremes = pyramid.range(y, begin, end);
        double const at = x[begin + (end - begin) / 2];
        if (extremes.empty()) {
            add(at, std::numeric_limits<double>::quiet_NaN());
        } else if (extremes.minimum == extremes.maximum) {
            add(at, extremes.minimum);
        } else if (std::abs(previous - extremes.maximum) < std::abs(previous - extremes.minimum)) {
            add(at, extremes.maximum);
            add(at, extremes.minimum);
        } else {
            add(at, extremes.minimum);
            add(at, extremes.maximum);
        }
        previous = result.y.back();
        begin = end;
    }
    if (last < x.size()) add(x[last], y[last]);
}

}  // namespace orrery
