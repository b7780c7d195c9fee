// Which part of a plot is shown, and the arithmetic of panning and zooming: wheel at the pointer, box, drag, reset.
// Works in axis units: the data's own, or their decimal logarithm on a logarithmic axis.
#pragma once

#include <QPointF>
#include <QRectF>

namespace orrery {

struct PlotLimits {
    double x_min = 0, x_max = 1, y_min = 0, y_max = 1;
    bool operator==(PlotLimits const&) const = default;
};

class PlotNavigator {
public:
    bool x_logarithmic = false, y_logarithmic = false;
    bool y_down = false;         // rows of a heat map grow downwards
    bool bounded = false;        // never leaves home (heat maps)
    double smallest_x_span = 0;  // axis units; 0: no limit but that of double
    double smallest_y_span = 0;

    // The whole plot. A view that was not zoomed follows.
    void set_home(PlotLimits const& home);
    [[nodiscard]] PlotLimits const& home() const { return m_home; }
    [[nodiscard]] PlotLimits const& limits() const { return m_limits; }
    [[nodiscard]] bool zoomed() const { return m_zoomed; }
    void reset();
    void set_limits(PlotLimits const& limits);

    // Where the plot lies in the widget, in device-independent pixels.
    void set_area(QRectF const& area) { m_area = area; }
    [[nodiscard]] QRectF const& area() const { return m_area; }

    void zoom_at(QPointF pixel, double factor);  // factor < 1: closer; the point under the pointer stays
    void pan(QPointF pixels);
    void zoom_to(QRectF const& pixels);

    // Between pixels and the data's own units.
    [[nodiscard]] QPointF to_data(QPointF pixel) const;
    [[nodiscard]] QPointF to_pixel(double x, double y) const;
    [[nodiscard]] double x_to_pixel(double x) const;
    [[nodiscard]] double y_to_pixel(double y) const;
    // Limits in the data's own units.
    [[nodiscard]] PlotLimits data_limits() const;

private:
    [[nodiscard]] QPointF to_axis(QPointF pixel) const;
    void constrain();
    PlotLimits m_home, m_limits;
    QRectF m_area{0, 0, 100, 100};
    bool m_zoomed = false;
};

// To axis units and back: the decimal logarithm, where x <= 0 is taken for the smallest double.
[[nodiscard]] double to_axis_unit(double value, bool logarithmic);
[[nodiscard]] double from_axis_unit(double value, bool logarithmic);

}  // namespace orrery
