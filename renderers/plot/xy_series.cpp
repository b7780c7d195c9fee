#include "renderers/plot/xy_series.h"

#include <cmath>
#include <limits>

namespace orrery {
namespace {
constexpr double infinite = std::numeric_limits<double>::infinity();
}

XySeries::XySeries(Series const& series)
    : m_name(series.name), m_color(series.color), m_faint(series.faint), m_labels(series.labels), m_keys(series.keys) {
    for (MinMax* reach : {&m_x_reach[0], &m_x_reach[1], &m_y_reach[0], &m_y_reach[1]}) *reach = {infinite, -infinite};
    append(series.x, series.y, series.error);
}

void XySeries::append(std::span<double const> x, std::span<double const> y, std::span<double const> error) {
    std::size_t const first = m_y.size();
    if (x.empty() && !y.empty()) {
        std::vector<double> counted(y.size());
        double next = first == 0 ? 0 : m_x.back() + 1;
        for (double& value : counted) value = next++;
        m_x.append(counted);
    } else {
        m_x.append(x);
    }
    m_y.append(y);
    if (!error.empty()) {
        // Error bars that start late: the points before have none.
        if (m_error.size() < first) m_error.append(std::vector<double>(first - m_error.size(), std::nan("")));
        m_error.append(error);
    } else if (!m_error.empty()) {
        m_error.append(std::vector<double>(y.size(), std::nan("")));
    }
    m_pyramid.extend(m_y);
    measure(first);
    ++m_version;
}

void XySeries::measure(std::size_t first) {
    double previous = first == 0 ? -infinite : m_x[first - 1];
    bool sorted = m_sorted;
    std::size_t const last = m_y.size();
    auto const widen = [](MinMax& reach, double low, double high) {
        if (low < reach.minimum) reach.minimum = low;
        if (high > reach.maximum) reach.maximum = high;
    };
    for (std::size_t at = first; at < last;) {
        std::span<double const> const xs = m_x.run(at, last), ys = m_y.run(at, last);
        for (std::size_t index = 0; index < ys.size(); ++index) {
            double const x = xs[index], y = ys[index];
            sorted = sorted && x >= previous;  // false for NaN too
            previous = x;
            if (!std::isfinite(x) || !std::isfinite(y)) continue;
            widen(m_x_reach[0], x, x);
            if (x > 0) widen(m_x_reach[1], x, x);
            double const half = m_error.empty() ? 0 : m_error[at + index];
            double const low = y - (half > 0 ? half : 0), high = y + (half > 0 ? half : 0);
            widen(m_y_reach[0], low, high);
            if (y > 0) widen(m_y_reach[1], low > 0 ? low : y, high);
        }
        at += ys.size();
    }
    m_sorted = sorted;
}

Extent XySeries::extent(bool x_logarithmic, bool y_logarithmic) const {
    MinMax const& x = m_x_reach[x_logarithmic ? 1 : 0];
    MinMax const& y = m_y_reach[y_logarithmic ? 1 : 0];
    return {x.minimum, x.maximum, y.minimum, y.maximum};
}

Series XySeries::series() const {
    Series result;
    result.name = m_name;
    result.color = m_color;
    result.faint = m_faint;
    result.labels = m_labels;
    result.keys = m_keys;
    result.x = m_x.copy(0, m_x.size());
    result.y = m_y.copy(0, m_y.size());
    result.error = m_error.copy(0, m_error.size());
    return result;
}

}  // namespace orrery
