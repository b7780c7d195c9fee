// One series on screen: its points in growing columns, their extremes, and how far they reach.
#pragma once

#include "core/base/figure.h"
#include "renderers/plot/min_max_pyramid.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace orrery {

struct Extent {
    double x_min, x_max, y_min, y_max;  // of finite values; x_min > x_max: none
    [[nodiscard]] bool empty() const { return !(x_min <= x_max && y_min <= y_max); }
};

class XySeries {
public:
    explicit XySeries(Series const& series);

    // x may be empty: points then follow each other by 1. Costs about 2 ns a point, however many there are already.
    void append(std::span<double const> x, std::span<double const> y, std::span<double const> error);
    [[nodiscard]] Series series() const;  // a copy of everything, for export
    [[nodiscard]] std::size_t size() const { return m_y.size(); }
    [[nodiscard]] GrowingColumn const& x() const { return m_x; }
    [[nodiscard]] GrowingColumn const& y() const { return m_y; }
    [[nodiscard]] GrowingColumn const& error() const { return m_error; }  // empty or as long as y
    [[nodiscard]] MinMaxPyramid const& pyramid() const { return m_pyramid; }
    // Error bars counted in. Only points with x > 0 (y > 0) where the axis is logarithmic.
    [[nodiscard]] Extent extent(bool x_logarithmic, bool y_logarithmic) const;
    [[nodiscard]] bool sorted() const { return m_sorted; }  // x never falls
    [[nodiscard]] std::uint64_t version() const { return m_version; }
    [[nodiscard]] std::string label(std::size_t index) const { return index < m_labels.size() ? m_labels[index] : ""; }
    [[nodiscard]] std::string key(std::size_t index) const { return index < m_keys.size() ? m_keys[index] : ""; }
    [[nodiscard]] std::vector<std::string> const& keys() const { return m_keys; }
    [[nodiscard]] std::string const& name() const { return m_name; }
    [[nodiscard]] int color() const { return m_color; }
    [[nodiscard]] bool faint() const { return m_faint; }

private:
    void measure(std::size_t first);
    std::string m_name;
    int m_color = -1;
    bool m_faint = false;
    std::vector<std::string> m_labels, m_keys;
    GrowingColumn m_x, m_y, m_error;
    MinMaxPyramid m_pyramid;
    // [0] of all finite values, [1] of those above 0.
    MinMax m_x_reach[2], m_y_reach[2];
    bool m_sorted = true;
    std::uint64_t m_version = 0;
};

}  // namespace orrery
