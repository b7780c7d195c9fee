// Drawing of points, lines and bars through ImPlot.
#include "core/base/color_maps.h"
#include "renderers/imgui/imgui_style.h"
#include "renderers/plot/plot_text.h"
#include "renderers/plot/xy_canvas.h"
#include "renderers/theme_style.h"

#include <implot.h>
#include <implot_internal.h>

#include <algorithm>
#include <cmath>

namespace orrery {
namespace {

ImVec2 vec(QPointF point) { return {static_cast<float>(point.x()), static_cast<float>(point.y())}; }

// Unique in ImPlot's eyes even when two series share a name; what follows ## is not shown.
std::string item_name(XySeries const& series, int number) { return series.name() + "##" + std::to_string(number); }

// A logarithmic axis has no place for these: the line ends before them.
void leave_gaps(std::vector<double>& values) {
    for (double& value : values) {
        if (!(value > 0)) value = std::nan("");
    }
}

}  // namespace

QColor XyCanvas::color(int number) const {
    Series named;
    named.color = series(number).color();
    std::size_t const category = series_category(named, static_cast<std::size_t>(number));
    Theme const& theme = ThemeNotifier::instance().theme();
    QColor const full = category_color(static_cast<int>(category), theme.dark);
    return series(number).faint() ? mix(theme.surface, full, 0.28) : full;
}

std::string XyCanvas::age_text() const {
    qint64 const seconds = m_since_point.elapsed() / 1000;
    if (seconds < 1) return "last point now";
    if (seconds < 120) return "last point " + std::to_string(seconds) + " s ago";
    return "last point " + std::to_string(seconds / 60) + " min ago";
}

void XyCanvas::refresh(int number, Drawn& drawn) {
    XySeries const& one = series(number);
    bool const stale = drawn.version != one.version();
    if (m_plot.kind == XyKind::line && one.sorted()) {
        int const columns = std::max(1, static_cast<int>(navigator().area().width() * devicePixelRatioF()));
        if (!stale && drawn.limits == navigator().limits() && drawn.columns == columns) return;
        PlotLimits const view = navigator().data_limits();
        reduce_line(one.x(), one.y(), one.pyramid(), view.x_min, view.x_max, columns, m_plot.x.logarithmic, drawn.line);
        if (m_plot.y.logarithmic) leave_gaps(drawn.line.y);
        drawn.limits = navigator().limits();
        drawn.columns = columns;
    }
    if (stale && (m_plot.kind != XyKind::line || !one.sorted() || !one.error().empty())) {
        drawn.x = one.x().copy(0, one.size());
        drawn.y = one.y().copy(0, one.size());
        drawn.error = one.error().copy(0, one.error().size());
        if (m_plot.y.logarithmic) leave_gaps(drawn.y);
        if (m_plot.kind == XyKind::bars) {
            for (std::size_t index = 0; index < drawn.x.size(); ++index) drawn.x[index] = bar_center({number, index});
        }
    }
    drawn.version = one.version();
}

// Title at the left, notes after or below it, the age of a live plot at the right. Where the plot begins, in pixels.
float XyCanvas::draw_header(ImDrawList& list) {
    Theme const& theme = ThemeNotifier::instance().theme();
    float const line = ImGui::GetTextLineHeight(), pad = 8 * static_cast<float>(theme.scale);
    float const right = static_cast<float>(width()) - pad;
    float x = pad * 1.5f, y = pad, end = right;
    bool any = false;
    if (m_live && !empty()) {
        std::string const age = age_text();
        end = right - ImGui::CalcTextSize(age.c_str()).x - pad * 2;
        list.AddCircleFilled(ImVec2(end + pad, y + line / 2), 3.5f,
                             to_u32(m_since_point.elapsed() < 10'000 ? theme.good : theme.warn));
        list.AddText(ImVec2(end + pad * 2, y), to_u32(theme.secondary_text), age.c_str());
        any = true;
    }
    if (!m_title.empty()) {
        std::string const title = fitted(m_title, end - x);
        list.AddText(ImVec2(x, y), to_u32(theme.text), title.c_str());
        x += ImGui::CalcTextSize(title.c_str()).x + pad * 2;
        any = true;
    }
    for (std::string const& note : m_plot.notes) {
        float const extent = ImGui::CalcTextSize(note.c_str()).x;
        if (x + extent > end && x > pad * 1.5f) {
            x = pad * 1.5f;
            y += line + 2;
            end = right;
        }
        std::string const text = fitted(note, end - x);
        list.AddText(ImVec2(x, y), to_u32(theme.secondary_text), text.c_str());
        x += extent + pad * 2;
        any = true;
    }
    float const bottom = any ? y + line - 2 : 0;
    return m_legend_above ? draw_legend_above(list, bottom, right) : bottom;
}

// Names with their colours in rows above the plot, where the legend inside would hide a fair part of it.
float XyCanvas::draw_legend_above(ImDrawList& list, float top, float right) {
    Theme const& theme = ThemeNotifier::instance().theme();
    float const line = ImGui::GetTextLineHeight(), pad = 8 * static_cast<float>(theme.scale), swatch = line * 0.6f;
    float x = pad * 1.5f, y = top + 4;
    for (int number = 0; number < static_cast<int>(m_series.size()); ++number) {
        if (series(number).faint()) continue;
        std::string const name = fitted(series(number).name(), right - pad * 2 - swatch);
        float const extent = swatch + 4 + ImGui::CalcTextSize(name.c_str()).x;
        if (x + extent > right && x > pad * 1.5f) {
            x = pad * 1.5f;
            y += line + 2;
        }
        float const middle = y + line / 2;
        list.AddRectFilled(ImVec2(x, middle - swatch / 2), ImVec2(x + swatch, middle + swatch / 2),
                           to_u32(color(number)));
        list.AddText(ImVec2(x + swatch + 4, y), to_u32(theme.secondary_text), name.c_str());
        x += extent + pad * 1.5f;
    }
    return y + line - 2;
}

// By the size the legend inside would have, and that of the whole view, which does not depend on the answer.
bool XyCanvas::legend_belongs_above() const {
    float widest = 0;
    int entries = 0;
    for (XySeries const& one : m_series) {
        if (one.faint()) continue;
        ++entries;
        widest = std::max(widest, ImGui::CalcTextSize(one.name().c_str()).x);
    }
    if (entries < 2 || entries > 16) return false;
    float const area = (widest + 40) * (ImGui::GetTextLineHeight() + 2) * static_cast<float>(entries);
    return area > 0.07f * static_cast<float>(width()) * static_cast<float>(height());
}

void XyCanvas::set_up_axes() {
    ImPlotAxisFlags const flags = ImPlotAxisFlags_NoMenus | ImPlotAxisFlags_NoHighlight | ImPlotAxisFlags_NoSideSwitch;
    std::string const x_title = axis_title(m_plot.x.title, m_plot.x.unit);
    std::string y_title = axis_title(m_plot.y.title, m_plot.y.unit);
    // Turned text that is longer than the axis would run into the plot's title.
    auto const room = static_cast<float>(navigator().area().height()) + 8;
    if (ImGui::CalcTextSize(y_title.c_str()).x > room)
        y_title = m_plot.y.unit.empty() ? fitted(y_title, room) : m_plot.y.unit;
    ImPlot::SetupAxes(x_title.empty() ? nullptr : x_title.c_str(), y_title.empty() ? nullptr : y_title.c_str(),
                      flags | (categorical() ? ImPlotAxisFlags_NoGridLines : 0), flags);
    if (m_plot.x.logarithmic) ImPlot::SetupAxisScale(ImAxis_X1, ImPlotScale_Log10);
    if (m_plot.y.logarithmic) ImPlot::SetupAxisScale(ImAxis_Y1, ImPlotScale_Log10);
    PlotLimits const view = navigator().data_limits();
    ImPlot::SetupAxesLimits(view.x_min, view.x_max, view.y_min, view.y_max, ImPlotCond_Always);
    if (!categorical()) return;
    // As many names as fit side by side.
    double const spacing = navigator().area().width() / (view.x_max - view.x_min);
    float widest = 0;
    for (std::string const& name : m_plot.x.categories) widest = std::max(widest, ImGui::CalcTextSize(name.c_str()).x);
    int const step = label_step(spacing, std::min(widest, 120.0f) + 8);
    std::vector<double> places;
    std::vector<std::string> names;
    std::vector<char const*> pointers;
    for (std::size_t index = 0; index < m_plot.x.categories.size(); index += static_cast<std::size_t>(step)) {
        places.push_back(static_cast<double>(index));
        names.push_back(fitted(m_plot.x.categories[index], 120));
    }
    for (std::string const& name : names) pointers.push_back(name.c_str());
    ImPlot::SetupAxisTicks(ImAxis_X1, places.data(), static_cast<int>(places.size()), pointers.data());
}

void XyCanvas::draw_lines_of_reference() {
    Theme const& theme = ThemeNotifier::instance().theme();
    ImDrawList& list = *ImPlot::GetPlotDrawList();
    QRectF const& area = navigator().area();
    ImPlot::PushPlotClipRect();
    ImU32 const faint = to_u32(mix(theme.border, theme.secondary_text, 0.8));
    if (m_plot.identity_line) {
        PlotLimits const view = navigator().data_limits();
        double const low = std::min(view.x_min, view.y_min), high = std::max(view.x_max, view.y_max);
        list.AddLine(vec(navigator().to_pixel(low, low)), vec(navigator().to_pixel(high, high)), faint, 1.2f);
    }
    std::vector<double> lines = m_plot.horizontal_lines;
    if (m_plot.kind == XyKind::bars && !m_plot.y.logarithmic) lines.push_back(0);
    for (double const value : lines) {
        float const y = std::round(static_cast<float>(navigator().y_to_pixel(value)));
        list.AddLine(ImVec2(static_cast<float>(area.left()), y), ImVec2(static_cast<float>(area.right()), y), faint,
                     1.2f);
    }
    ImPlot::PopPlotClipRect();
}

void XyCanvas::draw_error_bars(int number, Drawn const& drawn) {
    if (drawn.error.empty() || !drawn.visible) return;
    ImPlotSpec spec;
    spec.LineColor = to_vec4(mix(color(number), ThemeNotifier::instance().theme().text, 0.35));
    spec.LineWeight = 1;
    spec.Size = 3;
    // A name of their own: the legend shows the series' colour, not this one.
    spec.Flags = ImPlotItemFlags_NoFit | ImPlotItemFlags_NoLegend;
    std::string const name = "##errors" + std::to_string(number);
    ImPlot::PlotErrorBars(name.c_str(), drawn.x.data(), drawn.y.data(), drawn.error.data(),
                          static_cast<int>(drawn.x.size()), spec);
}

// Error bars too close to be told apart are one band, as in exported figures.
void XyCanvas::draw_band(int number, Drawn const& drawn) {
    if (drawn.error.empty() || !drawn.visible) return;
    std::vector<double> low(drawn.y.size()), high(drawn.y.size());
    double const floor = m_plot.y.logarithmic ? navigator().data_limits().y_min : 0;
    for (std::size_t index = 0; index < low.size(); ++index) {
        double const error = std::isfinite(drawn.error[index]) ? drawn.error[index] : 0;
        low[index] = drawn.y[index] - error;
        high[index] = drawn.y[index] + error;
        if (m_plot.y.logarithmic && !(low[index] > 0)) low[index] = floor;
    }
    ImPlotSpec spec;
    spec.FillColor = to_vec4(color(number), 0.2);
    spec.Flags = ImPlotItemFlags_NoFit | ImPlotItemFlags_NoLegend;
    std::string const name = "##band" + std::to_string(number);
    ImPlot::PlotShaded(name.c_str(), drawn.x.data(), low.data(), high.data(), static_cast<int>(drawn.x.size()), spec);
}

void XyCanvas::draw_line(int number, Drawn& drawn) {
    XySeries const& one = series(number);
    std::vector<double> const& x = one.sorted() ? drawn.line.x : drawn.x;
    std::vector<double> const& y = one.sorted() ? drawn.line.y : drawn.y;
    ImPlotSpec spec;
    spec.LineColor = to_vec4(color(number));
    spec.LineWeight = 1.5f;
    // Points are marked where they are apart: beads that touch would hide the line.
    double const spacing = x.empty() ? 0 : navigator().area().width() / static_cast<double>(x.size());
    if (x.size() <= 60 && !drawn.line.reduced && spacing >= 4) {
        spec.Marker = ImPlotMarker_Circle;
        spec.MarkerSize = static_cast<float>(std::clamp(spacing * 0.35, 1.5, 2.5));
        spec.MarkerFillColor = spec.MarkerLineColor = spec.LineColor;
    }
    if (spacing >= 12) {
        draw_error_bars(number, drawn);
    } else {
        draw_band(number, drawn);
    }
    if (one.faint()) {
        spec.LineWeight = 1;
        spec.Marker = ImPlotMarker_None;
        spec.Flags = ImPlotItemFlags_NoLegend;
    }
    ImPlot::PlotLine(item_name(one, number).c_str(), x.data(), y.data(), static_cast<int>(x.size()), spec);
}

void XyCanvas::draw_series(int number) {
    Theme const& theme = ThemeNotifier::instance().theme();
    Drawn& drawn = m_drawn[static_cast<std::size_t>(number)];
    refresh(number, drawn);
    std::string const name = item_name(series(number), number);
    QColor const paint = color(number);
    ImPlotSpec spec;
    switch (m_plot.kind) {
        case XyKind::line:
            draw_line(number, drawn);
            break;
        case XyKind::scatter:
            draw_error_bars(number, drawn);
            spec.Marker = ImPlotMarker_Circle;
            spec.MarkerSize = drawn.x.size() > 2000 ? 2.5f : 4.0f;
            spec.LineColor = to_vec4(paint);
            spec.MarkerFillColor = to_vec4(paint, drawn.x.size() > 2000 ? 0.6 : 0.85);
            // An edge towards the text colour keeps yellow on white above 3:1.
            spec.MarkerLineColor =
                to_vec4(mix(paint, theme.text, theme.dark ? 0.25 : 0.5), drawn.x.size() > 2000 ? 0.6 : 1.0);
            ImPlot::PlotScatter(name.c_str(), drawn.x.data(), drawn.y.data(), static_cast<int>(drawn.x.size()), spec);
            break;
        case XyKind::bars:
            spec.FillColor = to_vec4(paint);
            spec.LineColor = to_vec4(paint);
            ImPlot::PlotBars(name.c_str(), drawn.x.data(), drawn.y.data(), static_cast<int>(drawn.x.size()),
                             bar_width(), spec);
            draw_error_bars(number, drawn);
            break;
    }
    ImPlotItem* const item = ImPlot::GetItem(name.c_str());
    drawn.visible = item == nullptr || item->Show;
    if (item != nullptr) item->Color = to_u32(paint);  // the legend's: ImPlot takes that of the markers' edge
}

void XyCanvas::draw_points_on_top(ImDrawList& list) {
    Theme const& theme = ThemeNotifier::instance().theme();
    ImPlot::PushPlotClipRect(6);
    auto const ring = [&](XyPoint point, float radius, ImU32 outline, float thickness) {
        ImVec2 const at = vec(position(point));
        if (m_plot.kind == XyKind::bars) {
            double const half = bar_width() / 2, center = bar_center(point);
            ImVec2 const low = vec(navigator().to_pixel(center - half, 0)),
                         high = vec(navigator().to_pixel(center + half, series(point.series).y()[point.index]));
            list.AddRect(ImVec2(low.x, std::min(low.y, high.y)), ImVec2(high.x, std::max(low.y, high.y)), outline, 2,
                         thickness);
            return;
        }
        list.AddCircleFilled(at, radius - 1, to_u32(color(point.series)));
        list.AddCircle(at, radius + 1.5f, to_u32(theme.surface), 0, thickness);
        list.AddCircle(at, radius, outline, 0, thickness);
    };
    for (XyPoint const& point : m_selected) ring(point, 6.5f, to_u32(theme.accent), 2.5f);
    if (m_linked && !m_hover) ring(*m_linked, 6, to_u32(theme.text), 1.5f);
    if (m_hover) ring(*m_hover, 6, to_u32(theme.text), 1.5f);
    bool const any = m_live_series < static_cast<int>(m_series.size()) && series(m_live_series).size() > 0;
    if (m_live && any && m_since_point.elapsed() < 1000 && m_plot.kind != XyKind::bars) {
        float const part = static_cast<float>(m_since_point.elapsed()) / 1000;
        ImVec2 const at = vec(position({m_live_series, series(m_live_series).size() - 1}));
        list.AddCircle(at, 4 + 8 * part, to_u32(color(m_live_series), 1 - static_cast<double>(part)), 0, 2);
        list.AddCircleFilled(at, 3, to_u32(color(m_live_series)));
    }
    if (m_moving) {
        XySeries const& one = series(m_moving->series);
        std::size_t const index = m_moving->index;
        ImVec2 const at = vec(navigator().to_pixel(one.x()[index], m_moved_to));
        ImU32 const ink = to_u32(theme.accent);
        for (std::size_t const side : {index - 1, index + 1}) {
            if (side >= one.size()) continue;  // index - 1 of the first wraps round and is left out too
            list.AddLine(vec(position({m_moving->series, side})), at, ink, 1.5f);
        }
        list.AddCircleFilled(at, 6, ink);
    }
    if (m_box) {
        ImVec2 const low = vec(m_box->topLeft()), high = vec(m_box->bottomRight());
        list.AddRectFilled(low, high, to_u32(theme.accent, m_box_selects ? 0.2 : 0.08));
        list.AddRect(low, high, to_u32(theme.accent), 0, 1.5f);
    }
    ImPlot::PopPlotClipRect();
}

void XyCanvas::draw() {
    ImDrawList& window = *ImGui::GetWindowDrawList();
    m_legend_above = !empty() && legend_belongs_above();
    float const top = draw_header(window);
    if (empty()) {
        draw_empty(window, ImVec2(0, top), ImGui::GetIO().DisplaySize, m_empty_title, m_empty_hint);
        return;
    }
    Theme const& theme = ThemeNotifier::instance().theme();
    bool const legend =
        !m_legend_above &&
        std::count_if(m_series.begin(), m_series.end(), [](XySeries const& one) { return !one.faint(); }) > 1;
    ImPlotFlags const flags = ImPlotFlags_NoTitle | ImPlotFlags_NoMenus | ImPlotFlags_NoBoxSelect |
                              ImPlotFlags_NoMouseText | ImPlotFlags_NoInputs | ImPlotFlags_NoFrame |
                              (legend ? 0 : ImPlotFlags_NoLegend);
    ImGui::SetCursorScreenPos(ImVec2(0, top));
    ImVec2 const size(static_cast<float>(width()), static_cast<float>(height()) - top);
    m_legend = QRectF();
    if (ImPlot::BeginPlot("##plot", size, flags)) {
        set_up_axes();
        static constexpr ImPlotLocation corners[] = {ImPlotLocation_NorthEast, ImPlotLocation_NorthWest,
                                                     ImPlotLocation_SouthEast, ImPlotLocation_SouthWest};
        ImPlot::SetupLegend(corners[m_legend_corner], ImPlotLegendFlags_NoMenus);
        ImPlot::SetupFinish();
        ImVec2 const corner = ImPlot::GetPlotPos(), extent = ImPlot::GetPlotSize();
        QRectF const area(corner.x, corner.y, extent.x, extent.y);
        // Tick labels decide how wide the plot is; names of categories were thinned for the width before.
        if (categorical() && std::abs(area.width() - navigator().area().width()) > 8) request_frames();
        navigator().set_area(area);
        draw_lines_of_reference();
        for (int number = 0; number < static_cast<int>(m_series.size()); ++number) draw_series(number);
        draw_points_on_top(*ImPlot::GetPlotDrawList());
        ImRect const entries = ImPlot::GetCurrentPlot()->Items.Legend.Rect;
        if (legend) m_legend = QRectF(entries.Min.x, entries.Min.y, entries.GetWidth(), entries.GetHeight());
        ImPlot::EndPlot();
    }
    if (m_hover && !m_box) {
        std::vector<std::string> lines{read_out(*m_hover)};
        if (m_series.size() > 1 && !series(m_hover->series).label(m_hover->index).empty())
            lines.push_back(series(m_hover->series).name());
        draw_read_out(*ImGui::GetForegroundDrawList(), lines, vec(position(*m_hover)), ImGui::GetIO().DisplaySize);
    }
    if (hasFocus()) window.AddRect(ImVec2(1, 1), ImVec2(width() - 1.0f, height() - 1.0f), to_u32(theme.accent), 4);
}

}  // namespace orrery
