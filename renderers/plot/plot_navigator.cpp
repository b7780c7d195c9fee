#include "renderers/plot/plot_navigator.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace orrery {

double to_axis_unit(double value, bool logarithmic) {
    return logarithmic ? std::log10(std::max(value, std::numeric_limits<double>::min())) : value;
}

double from_axis_unit(double value, bool logarithmic) { return logarithmic ? std::pow(10.0, value) : value; }

void PlotNavigator::set_home(PlotLimits const& home) {
    m_home = home;
    if (!m_zoomed) m_limits = home;
    constrain();
}

void PlotNavigator::reset() {
    m_zoomed = false;
    m_limits = m_home;
}

void PlotNavigator::set_limits(PlotLimits const& limits) {
    m_limits = limits;
    m_zoomed = true;
    constrain();
}

QPointF PlotNavigator::to_axis(QPointF pixel) const {
    double const x = (pixel.x() - m_area.left()) / m_area.width();
    double const y = (pixel.y() - m_area.top()) / m_area.height();
    double const up = y_down ? y : 1 - y;
    return {m_limits.x_min + x * (m_limits.x_max - m_limits.x_min),
            m_limits.y_min + up * (m_limits.y_max - m_limits.y_min)};
}

void PlotNavigator::zoom_at(QPointF pixel, double factor) {
    QPointF const fixed = to_axis(pixel);
    PlotLimits next;
    next.x_min = fixed.x() + (m_limits.x_min - fixed.x()) * factor;
    next.x_max = fixed.x() + (m_limits.x_max - fixed.x()) * factor;
    next.y_min = fixed.y() + (m_limits.y_min - fixed.y()) * factor;
    next.y_max = fixed.y() + (m_limits.y_max - fixed.y()) * factor;
    // An axis at its closest keeps still, so that the point under the pointer does too.
    auto const too_small = [](double low, double high, double smallest) {
        double const resolution = std::max(std::abs(low), std::abs(high)) * 1e-12;
        return high - low < std::max(smallest, resolution);
    };
    if (factor < 1 && too_small(next.x_min, next.x_max, smallest_x_span)) {
        next.x_min = m_limits.x_min;
        next.x_max = m_limits.x_max;
    }
    if (factor < 1 && too_small(next.y_min, next.y_max, smallest_y_span)) {
        next.y_min = m_limits.y_min;
        next.y_max = m_limits.y_max;
    }
    set_limits(next);
}

void PlotNavigator::pan(QPointF pixels) {
    QPointF const from = to_axis(m_area.topLeft()), to = to_axis(m_area.topLeft() + pixels);
    PlotLimits next = m_limits;
    next.x_min -= to.x() - from.x();
    next.x_max -= to.x() - from.x();
    next.y_min -= to.y() - from.y();
    next.y_max -= to.y() - from.y();
    set_limits(next);
}

void PlotNavigator::zoom_to(QRectF const& pixels) {
    QRectF const box = pixels.normalized() & m_area;
    if (box.width() < 1 || box.height() < 1) return;
    QPointF const a = to_axis(box.topLeft()), b = to_axis(box.bottomRight());
    set_limits({std::min(a.x(), b.x()), std::max(a.x(), b.x()), std::min(a.y(), b.y()), std::max(a.y(), b.y())});
}

void PlotNavigator::constrain() {
    if (!bounded) return;
    auto const keep = [](double& low, double& high, double home_low, double home_high, double smallest) {
        double span = std::min(high - low, home_high - home_low);
        span = std::max(span, std::min(smallest, home_high - home_low));
        double const middle = std::clamp((low + high) / 2, home_low + span / 2, home_high - span / 2);
        low = middle - span / 2;
        high = middle + span / 2;
    };
    keep(m_limits.x_min, m_limits.x_max, m_home.x_min, m_home.x_max, smallest_x_span);
    keep(m_limits.y_min, m_limits.y_max, m_home.y_min, m_home.y_max, smallest_y_span);
    auto const near = [](double a, double b, double span) { return std::abs(a - b) < 1e-9 * span; };
    double const x_span = m_home.x_max - m_home.x_min, y_span = m_home.y_max - m_home.y_min;
    if (near(m_limits.x_min, m_home.x_min, x_span) && near(m_limits.x_max, m_home.x_max, x_span) &&
        near(m_limits.y_min, m_home.y_min, y_span) && near(m_limits.y_max, m_home.y_max, y_span)) {
        reset();
    }
}

QPointF PlotNavigator::to_data(QPointF pixel) const {
    QPointF const axis = to_axis(pixel);
    return {from_axis_unit(axis.x(), x_logarithmic), from_axis_unit(axis.y(), y_logarithmic)};
}

double PlotNavigator::x_to_pixel(double x) const {
    double const part = (to_axis_unit(x, x_logarithmic) - m_limits.x_min) / (m_limits.x_max - m_limits.x_min);
    return m_area.left() + part * m_area.width();
}

double PlotNavigator::y_to_pixel(double y) const {
    double const part = (to_axis_unit(y, y_logarithmic) - m_limits.y_min) / (m_limits.y_max - m_limits.y_min);
    return m_area.top() + (y_down ? part : 1 - part) * m_area.height();
}

QPointF PlotNavigator::to_pixel(double x, double y) const { return {x_to_pixel(x), y_to_pixel(y)}; }

PlotLimits PlotNavigator::data_limits() const {
    return {from_axis_unit(m_limits.x_min, x_logarithmic), from_axis_unit(m_limits.x_max, x_logarithmic),
            from_axis_unit(m_limits.y_min, y_logarithmic), from_axis_unit(m_limits.y_max, y_logarithmic)};
}

}  // namespace orrery
