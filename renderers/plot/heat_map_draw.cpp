// Drawing of the heat map: cells by texture through ImPlot, everything around them by the draw list of the window.
#include "renderers/imgui/imgui_style.h"
#include "renderers/plot/heat_map_canvas.h"
#include "renderers/plot/plot_text.h"
#include "renderers/theme_style.h"

#include <implot.h>

#include <algorithm>
#include <cmath>

namespace orrery {
namespace {

constexpr float label_cap = 132;       // longest row label or strip name, pixels
constexpr float vertical_cap = 84;     // longest turned column label
constexpr double most_marks = 60'000;  // cells with a dot or a hatch drawn in one frame

ImVec2 vec(QPointF point) { return {static_cast<float>(point.x()), static_cast<float>(point.y())}; }
ImVec2 text_size(std::string const& text) { return ImGui::CalcTextSize(text.c_str()); }

// Lines at 45 degrees over a rectangle, `spacing` apart, on one grid for the whole plot so that neighbours join.
void add_hatch(ImDrawList& list, ImVec2 low, ImVec2 high, float spacing, ImU32 color, bool rising, float thickness) {
    float const width = high.x - low.x, height = high.y - low.y;
    auto const line = [&](float x0, float y0, float x1, float y1) {
        list.AddLine(ImVec2(x0, y0), ImVec2(x1, y1), color, thickness);
    };
    float const base = rising ? low.x + low.y : low.x - high.y;  // smallest x + y, or x - y
    for (float k = std::ceil(base / spacing) * spacing; k < base + width + height; k += spacing) {
        if (rising) {  // x + y = k
            float const x0 = std::max(low.x, k - high.y), x1 = std::min(high.x, k - low.y);
            if (x1 > x0) line(x0, k - x0, x1, k - x1);
        } else {  // x - y = k
            float const x0 = std::max(low.x, k + low.y), x1 = std::min(high.x, k + high.y);
            if (x1 > x0) line(x0, x0 - k, x1, x1 - k);
        }
    }
}

}  // namespace

struct HeatMapCanvas::Layout {
    Theme const* theme = nullptr;
    QRectF area;  // the cells
    float line = 16, small_line = 14, size = 13, small_size = 11;
    float cell_width = 0, cell_height = 0;
    float title_y = 0;
    float strip_top = 0, strip_height = 0, strip_gap = 6;
    float label_right = 0;  // row labels end here
    float row_title_x = 0;
    float column_label_top = 0, column_title_y = 0;
    bool turned_labels = false;
    float bar_left = 0, bar_width = 12;
    int row_first = 0, row_end = 0, column_first = 0, column_end = 0;  // in view
    int row_shift = 0, column_shift = 0;
    [[nodiscard]] double cells_in_view() const {
        return static_cast<double>(row_end - row_first) * (column_end - column_first);
    }
};

float HeatMapCanvas::widest_label(Axis const& axis, float& cache) {
    float const size = ImGui::GetFontSize();
    if (size != m_label_font_size) {
        m_row_label_width = m_column_label_width = -1;
        m_label_font_size = size;
    }
    if (cache < 0) {
        cache = 0;
        for (std::string const& label : axis.categories) cache = std::max(cache, text_size(label).x);
    }
    return cache;
}

HeatMapCanvas::Layout HeatMapCanvas::lay_out() {
    Layout at;
    at.theme = &ThemeNotifier::instance().theme();
    float const scale = static_cast<float>(at.theme->scale);
    float const pad = 8 * scale;
    at.line = ImGui::GetTextLineHeight();
    at.size = ImGui::GetStyle().FontSizeBase;
    at.small_size = at.size * 11.0f / 13.0f;
    ImGui::PushFont(nullptr, at.small_size);
    at.small_line = ImGui::GetTextLineHeight();
    float const row_width = std::min(label_cap * scale, widest_label(map().rows, m_row_label_width));
    float const column_width = widest_label(map().columns, m_column_label_width);
    float left = row_width;
    for (Series const& strip : map().strips)
        left = std::max(left, std::min(label_cap * scale, text_size(strip.name).x));
    float bar_labels = 0;
    for (double const end : {m_range.minimum, m_range.maximum}) {
        bar_labels = std::max(bar_labels, text_size(fixed_text(end, m_decimals)).x);
    }
    ImGui::PopFont();

    bool const row_title = !map().rows.title.empty();
    at.row_title_x = pad / 2;
    left += pad + pad / 2 + (row_title ? at.line + pad / 2 : 0);
    float const right = pad * 1.5f + at.bar_width + pad / 2 + bar_labels + 4 + at.line + pad / 2;
    at.title_y = pad;
    float top = pad + (m_figure.title.empty() ? 0 : at.line + pad);
    at.strip_height = 18 * scale;
    at.strip_top = top;
    top += static_cast<float>(map().strips.size()) * (at.strip_height + at.strip_gap);
    float const width = std::max(20.0f, static_cast<float>(this->width()) - left - right);
    at.turned_labels = column_width + 6 > width / static_cast<float>(m_columns);
    float const column_label = at.turned_labels ? std::min(vertical_cap * scale, column_width) : at.small_line;
    float const column_title = map().columns.title.empty() ? 0 : at.line + 2;
    float const bottom = pad / 2 + column_label + column_title + pad;
    float const height = std::max(20.0f, static_cast<float>(this->height()) - top - bottom);
    at.area = QRectF(std::round(left), std::round(top), std::floor(width), std::floor(height));
    navigator().set_area(at.area);

    PlotLimits const& limits = navigator().limits();
    at.cell_width = static_cast<float>(at.area.width() / (limits.x_max - limits.x_min));
    at.cell_height = static_cast<float>(at.area.height() / (limits.y_max - limits.y_min));
    at.label_right = static_cast<float>(at.area.left()) - pad / 2 - 2;
    at.column_label_top = static_cast<float>(at.area.bottom()) + pad / 2;
    at.column_title_y = at.column_label_top + column_label + 2;
    at.bar_left = static_cast<float>(at.area.right()) + pad * 1.5f;
    // Turned labels are laid out for the whole map; closer in they may stand upright.
    at.turned_labels = at.turned_labels && column_width + 6 > at.cell_width;
    at.column_first = std::clamp(static_cast<int>(std::floor(limits.x_min)), 0, m_columns);
    at.column_end = std::clamp(static_cast<int>(std::ceil(limits.x_max)), 0, m_columns);
    at.row_first = std::clamp(static_cast<int>(std::floor(limits.y_min)), 0, m_rows);
    at.row_end = std::clamp(static_cast<int>(std::ceil(limits.y_max)), 0, m_rows);
    // A texel is never smaller than a device pixel, so that none is passed over.
    double const ratio = devicePixelRatioF();
    while (at.cell_width * ratio * (1 << at.column_shift) < 1) ++at.column_shift;
    while (at.cell_height * ratio * (1 << at.row_shift) < 1) ++at.row_shift;
    return at;
}

void HeatMapCanvas::draw() {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (empty()) {
        draw_empty(list, ImVec2(0, 0), ImGui::GetIO().DisplaySize, m_empty_title, m_empty_hint);
        return;
    }
    m_levels.build(8);
    Layout const layout = lay_out();
    draw_missing(list, layout);
    draw_cells(layout);
    ImVec2 const low = vec(layout.area.topLeft()), high = vec(layout.area.bottomRight());
    list.PushClipRect(low, high, true);
    draw_marks(list, layout);
    draw_groups(list, layout);
    list.PopClipRect();
    list.AddRect(low, high, to_u32(edge(*layout.theme)));
    draw_titles(list, layout);
    ImGui::PushFont(nullptr, layout.small_size);
    draw_row_labels(list, layout);
    draw_column_labels(list, layout);
    draw_strips(list, layout);
    draw_color_bar(list, layout);
    ImGui::PopFont();
    draw_selection(list, layout);
    draw_hover(list, layout);
    if (hasFocus())
        list.AddRect(ImVec2(1, 1), ImVec2(width() - 1.0f, height() - 1.0f), to_u32(layout.theme->accent), 4);
}

// Under the cells: what shows through where a cell was not computed.
void HeatMapCanvas::draw_missing(ImDrawList& list, Layout const& layout) {
    Theme const& theme = *layout.theme;
    Rgb const missing = color_of_missing();
    QColor const ground = theme.dark ? mix(theme.surface, theme.text, 0.1) : QColor(missing[0], missing[1], missing[2]);
    ImVec2 const low = vec(layout.area.topLeft()), high = vec(layout.area.bottomRight());
    list.AddRectFilled(low, high, to_u32(ground));
    add_hatch(list, low, high, 7, to_u32(mix(ground, theme.secondary_text, 0.35)), false, 1);
}

void HeatMapCanvas::draw_cells(Layout const& layout) {
    PlotLimits const& limits = navigator().limits();
    ImPlot::PushStyleVar(ImPlotStyleVar_PlotPadding, ImVec2(0, 0));
    ImPlot::PushStyleVar(ImPlotStyleVar_PlotBorderSize, 0.0f);
    ImPlot::PushStyleColor(ImPlotCol_PlotBg, ImVec4(0, 0, 0, 0));
    ImPlot::PushStyleColor(ImPlotCol_FrameBg, ImVec4(0, 0, 0, 0));
    ImGui::SetCursorScreenPos(vec(layout.area.topLeft()));
    ImVec2 const size(static_cast<float>(layout.area.width()), static_cast<float>(layout.area.height()));
    if (ImPlot::BeginPlot("##cells", size, ImPlotFlags_CanvasOnly | ImPlotFlags_NoInputs | ImPlotFlags_NoFrame)) {
        ImPlot::SetupAxes(nullptr, nullptr, ImPlotAxisFlags_NoDecorations,
                          ImPlotAxisFlags_NoDecorations | ImPlotAxisFlags_Invert);
        ImPlot::SetupAxesLimits(limits.x_min, limits.x_max, limits.y_min, limits.y_max, ImPlotCond_Always);
        ImPlot::SetupFinish();
        bool const ready = m_levels.complete() || (layout.row_shift == 0 || layout.column_shift == 0);
        if (ready) {
            ImDrawList& list = *ImPlot::GetPlotDrawList();
            ImPlot::PushPlotClipRect();
            list.AddCallback(ImGui::GetPlatformIO().DrawCallback_SetSamplerNearest, nullptr);
            for (HeatMapTile const& tile :
                 m_tiles.cover(m_levels, map().scale, m_range, limits.x_min, limits.x_max, limits.y_min, limits.y_max,
                               layout.row_shift, layout.column_shift)) {
                list.AddImage(static_cast<ImTextureID>(tile.texture), ImPlot::PlotToPixels(tile.x_min, tile.y_min),
                              ImPlot::PlotToPixels(tile.x_max, tile.y_max));
            }
            list.AddCallback(ImGui::GetPlatformIO().DrawCallback_SetSamplerLinear, nullptr);
            ImPlot::PopPlotClipRect();
        } else {
            std::string const text = "Preparing the overview, " + fixed_text(m_levels.progress() * 100, 0) + " %";
            ImVec2 const extent = text_size(text);
            QPointF const middle = layout.area.center();
            ImPlot::GetPlotDrawList()->AddText(
                ImVec2(static_cast<float>(middle.x()) - extent.x / 2, static_cast<float>(middle.y())),
                to_u32(layout.theme->text), text.c_str());
        }
        ImPlot::EndPlot();
    }
    ImPlot::PopStyleColor(2);
    ImPlot::PopStyleVar(2);
}

void HeatMapCanvas::draw_marks(ImDrawList& list, Layout const& layout) {
    // Lines of the ground between cells that are large enough to stand apart.
    if (layout.cell_width >= 9 && layout.cell_height >= 9) {
        ImU32 const line = to_u32(layout.theme->surface, layout.theme->dark ? 0.55 : 0.7);
        float const top = static_cast<float>(layout.area.top()), bottom = static_cast<float>(layout.area.bottom());
        float const left = static_cast<float>(layout.area.left()), right = static_cast<float>(layout.area.right());
        for (int column = layout.column_first + 1; column < layout.column_end; ++column) {
            float const x = std::round(static_cast<float>(navigator().x_to_pixel(column)));
            list.AddLine(ImVec2(x, top), ImVec2(x, bottom), line);
        }
        for (int row = layout.row_first + 1; row < layout.row_end; ++row) {
            float const y = std::round(static_cast<float>(navigator().y_to_pixel(row)));
            list.AddLine(ImVec2(left, y), ImVec2(right, y), line);
        }
    }
    if (map().marks.empty() || std::min(layout.cell_width, layout.cell_height) < 3 ||
        layout.cells_in_view() > most_marks)
        return;
    float const radius = std::clamp(std::min(layout.cell_width, layout.cell_height) / 6, 1.0f, 3.5f);
    for (int row = layout.row_first; row < layout.row_end; ++row) {
        for (int column = layout.column_first; column < layout.column_end; ++column) {
            std::uint8_t const bits = mark(row, column);
            if (bits == 0) continue;
            QRectF const cell = cell_rect(row, column);
            double const value = map().values[index(row, column)];
            bool const dark_cell = lightness(color_of(map().scale, m_range.position(value))) < 50;
            ImU32 const ink = dark_cell ? IM_COL32(255, 255, 255, 255) : IM_COL32(27, 31, 39, 255);
            if ((bits & 1) != 0) {
                list.AddCircleFilled(vec(cell.center()), radius, std::isnan(value) ? to_u32(layout.theme->text) : ink);
            }
            if ((bits & 2) != 0 && !std::isnan(value)) {
                add_hatch(list, ImVec2(vec(cell.topLeft()).x + 1, vec(cell.topLeft()).y + 1),
                          ImVec2(vec(cell.bottomRight()).x - 1, vec(cell.bottomRight()).y - 1), 6,
                          (ink & 0x00FFFFFFU) | 0x50000000U, true, 1);
            }
        }
    }
}

void HeatMapCanvas::draw_groups(ImDrawList& list, Layout const& layout) {
    // On cells of any colour: a dark line between two light ones.
    auto const separator = [&](ImVec2 a, ImVec2 b) {
        list.AddLine(a, b, to_u32(layout.theme->surface), 3);
        list.AddLine(a, b, to_u32(layout.theme->text), 1.5f);
    };
    if (!map().column_groups.empty() && layout.cell_width >= 2) {
        for (int column = std::max(1, layout.column_first); column < layout.column_end; ++column) {
            auto const at = static_cast<std::size_t>(column);
            if (map().column_groups[at] == map().column_groups[at - 1]) continue;
            float const x = std::round(static_cast<float>(navigator().x_to_pixel(column)));
            separator(ImVec2(x, static_cast<float>(layout.area.top())),
                      ImVec2(x, static_cast<float>(layout.area.bottom())));
        }
    }
    if (!map().row_groups.empty() && layout.cell_height >= 2) {
        for (int row = std::max(1, layout.row_first); row < layout.row_end; ++row) {
            auto const at = static_cast<std::size_t>(row);
            if (map().row_groups[at] == map().row_groups[at - 1]) continue;
            float const y = std::round(static_cast<float>(navigator().y_to_pixel(row)));
            separator(ImVec2(static_cast<float>(layout.area.left()), y),
                      ImVec2(static_cast<float>(layout.area.right()), y));
        }
    }
}

void HeatMapCanvas::draw_titles(ImDrawList& list, Layout const& layout) {
    Theme const& theme = *layout.theme;
    QRectF const& area = layout.area;
    if (!m_figure.title.empty()) {
        std::string const title = fitted(m_figure.title, static_cast<float>(width()) - 16);
        // Above the cells where there is room for it, else as far left as it takes.
        float const room = static_cast<float>(width()) - 8 - text_size(title).x;
        float const x = std::max(8.0F, std::min(static_cast<float>(area.left()), room));
        list.AddText(ImVec2(std::floor(x), layout.title_y), to_u32(theme.text), title.c_str());
    }
    if (!map().columns.title.empty()) {
        std::string const title = axis_title(map().columns.title, map().columns.unit);
        float const x = static_cast<float>(area.center().x()) - text_size(title).x / 2;
        list.AddText(ImVec2(std::round(x), layout.column_title_y), to_u32(theme.secondary_text), title.c_str());
    }
    if (!map().rows.title.empty()) {
        std::string const title =
            fitted(axis_title(map().rows.title, map().rows.unit), static_cast<float>(area.height()));
        float const y = static_cast<float>(area.center().y()) + text_size(title).x / 2;
        add_vertical_text(list, ImVec2(layout.row_title_x, y), to_u32(theme.secondary_text), title.c_str());
    }
    if (layout.row_shift > 0 || layout.column_shift > 0) {
        char const* const rule = map().scale == ColorScale::diverging    ? "the value farthest from zero"
                                 : map().scale == ColorScale::sequential ? "the largest value"
                                                                         : "the first value";
        std::string const note = std::string("each pixel: ") + rule + " of " + std::to_string(1 << layout.row_shift) +
                                 " × " + std::to_string(1 << layout.column_shift) + " cells";
        ImGui::PushFont(nullptr, layout.small_size);
        ImVec2 const size = text_size(note);
        ImVec2 const at(static_cast<float>(area.right()) - size.x - 6, static_cast<float>(area.bottom()) - size.y - 4);
        list.AddRectFilled(ImVec2(at.x - 4, at.y - 2), ImVec2(at.x + size.x + 4, at.y + size.y + 2),
                           to_u32(theme.surface, 0.88), 4);
        list.AddText(at, to_u32(theme.text), note.c_str());
        ImGui::PopFont();
    }
}

void HeatMapCanvas::draw_row_labels(ImDrawList& list, Layout const& layout) {
    Theme const& theme = *layout.theme;
    // All of them if they fit, else so few that they do not read as a block.
    float const needed = layout.small_line * (layout.cell_height >= layout.small_line * 0.92f ? 0.92f : 1.8f);
    int const step = label_step(layout.cell_height, needed);
    int const standing_out = m_hover ? m_hover->row : (m_linked_cell ? m_linked_cell->row : -1);
    auto const draw_label = [&](int row, QColor const& color, bool over) {
        float const y = static_cast<float>(navigator().y_to_pixel(row + 0.5)) - layout.small_line / 2;
        if (y + layout.small_line / 2 < layout.area.top() || y + layout.small_line / 2 > layout.area.bottom()) return;
        std::string const text = fitted(map().rows.categories[static_cast<std::size_t>(row)], label_cap);
        ImVec2 const size = text_size(text);
        ImVec2 const at(std::round(layout.label_right - size.x), std::round(y));
        if (over)
            list.AddRectFilled(ImVec2(at.x - 3, at.y), ImVec2(layout.label_right + 3, at.y + size.y),
                               to_u32(selected(theme)), 3);
        list.AddText(at, to_u32(color), text.c_str());
    };
    for (int row = layout.row_first; row < layout.row_end; ++row) {
        if (row % step == 0) draw_label(row, theme.secondary_text, false);
    }
    if (standing_out >= 0) draw_label(standing_out, theme.text, true);
}

void HeatMapCanvas::draw_column_labels(ImDrawList& list, Layout const& layout) {
    Theme const& theme = *layout.theme;
    bool const all_fit = layout.cell_width >= layout.small_line * 0.92f;
    float const needed = layout.turned_labels ? layout.small_line * (all_fit ? 0.92f : 1.6f) : m_column_label_width + 6;
    int const step = label_step(layout.cell_width, needed);
    auto const draw_label = [&](int column, QColor const& color, bool over) {
        float const x = static_cast<float>(navigator().x_to_pixel(column + 0.5));
        if (x < layout.area.left() || x > layout.area.right()) return;
        std::string const& full = map().columns.categories[static_cast<std::size_t>(column)];
        if (layout.turned_labels) {
            std::string const text = fitted(full, vertical_cap);
            ImVec2 const size = text_size(text);
            ImVec2 const at(std::round(x - size.y / 2), layout.column_label_top + size.x);
            if (over) {
                list.AddRectFilled(ImVec2(at.x, layout.column_label_top - 2), ImVec2(at.x + size.y, at.y + 3),
                                   to_u32(selected(theme)), 3);
            }
            add_vertical_text(list, at, to_u32(color), text.c_str());
        } else {
            ImVec2 const size = text_size(full);
            ImVec2 const at(std::round(x - size.x / 2), layout.column_label_top);
            if (over)
                list.AddRectFilled(ImVec2(at.x - 3, at.y), ImVec2(at.x + size.x + 3, at.y + size.y),
                                   to_u32(selected(theme)), 3);
            list.AddText(at, to_u32(color), full.c_str());
        }
    };
    for (int column = layout.column_first; column < layout.column_end; ++column) {
        if (column % step == 0) draw_label(column, theme.secondary_text, false);
    }
    // Selected columns keep their names as long as they do not crowd.
    if (m_selected_columns.size() * static_cast<double>(needed) < layout.area.width()) {
        for (int const column : m_selected_columns) draw_label(column, theme.accent, true);
    }
    int const standing_out = m_hover ? m_hover->column : m_linked_column;
    if (standing_out >= 0) draw_label(standing_out, theme.text, true);
}

void HeatMapCanvas::draw_strips(ImDrawList& list, Layout const& layout) {
    Theme const& theme = *layout.theme;
    float top = layout.strip_top;
    float const left = static_cast<float>(layout.area.left()), right = static_cast<float>(layout.area.right());
    for (std::size_t number = 0; number < map().strips.size(); ++number) {
        Series const& strip = map().strips[number];
        double low = 0, high = 0;
        for (double const value : strip.y) {
            if (!std::isfinite(value)) continue;
            low = std::min(low, value);
            high = std::max(high, value);
        }
        if (!(high > low)) high = low + 1;
        float const bottom = top + layout.strip_height;
        auto const y_of = [&](double value) {
            return bottom - static_cast<float>((value - low) / (high - low)) * layout.strip_height;
        };
        Rgb const rgb = category_color(series_category(strip, number));
        ImU32 const color = IM_COL32(rgb[0], rgb[1], rgb[2], 255);
        list.PushClipRect(ImVec2(left, top), ImVec2(right, bottom + 1), true);
        list.AddLine(ImVec2(left, y_of(0)), ImVec2(right, y_of(0)), to_u32(edge(theme)));
        // One bar a column, or, where columns are narrower than a pixel, one a pixel: the value farthest from zero.
        int const per_bar = std::max(1, static_cast<int>(std::floor(1 / layout.cell_width)));
        for (int column = layout.column_first / per_bar * per_bar; column < layout.column_end; column += per_bar) {
            float value = std::nanf("");
            for (int at = column; at < std::min(column + per_bar, m_columns); ++at) {
                value =
                    stronger(value, static_cast<float>(strip.y[static_cast<std::size_t>(at)]), ColorScale::diverging);
            }
            if (!std::isfinite(value)) continue;
            float const x0 = static_cast<float>(navigator().x_to_pixel(column));
            float const x1 = static_cast<float>(navigator().x_to_pixel(column + per_bar));
            float const inset = x1 - x0 > 6 ? 1.0f : 0.0f;
            float const y0 = y_of(0), y1 = y_of(static_cast<double>(value));
            list.AddRectFilled(ImVec2(x0 + inset, std::min(y0, y1)),
                               ImVec2(std::max(x0 + inset + 1, x1 - inset), std::max(y0, y1)), color);
        }
        list.PopClipRect();
        std::string const name = fitted(strip.name, label_cap);
        ImVec2 const size = text_size(name);
        list.AddText(
            ImVec2(std::round(layout.label_right - size.x), std::round(top + (layout.strip_height - size.y) / 2)),
            to_u32(theme.secondary_text), name.c_str());
        int const shown = m_hover ? m_hover->column : m_linked_column;
        if (shown >= 0) {
            std::string const text = fixed_text(strip.y[static_cast<std::size_t>(shown)], decimals_for(high - low));
            list.AddText(ImVec2(right + 6, std::round(top + (layout.strip_height - size.y) / 2)), to_u32(theme.text),
                         text.c_str());
        }
        top += layout.strip_height + layout.strip_gap;
    }
}

void HeatMapCanvas::draw_color_bar(ImDrawList& list, Layout const& layout) {
    Theme const& theme = *layout.theme;
    float const left = layout.bar_left, right = left + layout.bar_width;
    float const top = static_cast<float>(layout.area.top()), bottom = static_cast<float>(layout.area.bottom());
    std::array<Rgb, 256> const& table = color_table(map().scale);
    constexpr int pieces = 64;
    for (int piece = 0; piece < pieces; ++piece) {
        auto const color = [&](int at) {
            Rgb const& rgb = table[static_cast<std::size_t>(at * 255 / pieces)];
            return IM_COL32(rgb[0], rgb[1], rgb[2], 255);
        };
        float const y0 = bottom - (bottom - top) * static_cast<float>(piece) / pieces;
        float const y1 = bottom - (bottom - top) * static_cast<float>(piece + 1) / pieces;
        list.AddRectFilledMultiColor(ImVec2(left, y1), ImVec2(right, y0), color(piece + 1), color(piece + 1),
                                     color(piece), color(piece));
    }
    list.AddRect(ImVec2(left, top), ImVec2(right, bottom), to_u32(edge(theme)));
    std::vector<double> const ticks = nice_ticks(
        m_range.minimum, m_range.maximum, std::max(2, static_cast<int>((bottom - top) / (layout.small_line * 2.5f))));
    double const step = ticks.size() > 1 ? ticks[1] - ticks[0] : 1;
    float labels = 0;
    for (double const tick : ticks) {
        float const y = std::round(bottom - static_cast<float>(m_range.position(tick)) * (bottom - top));
        list.AddLine(ImVec2(right, y), ImVec2(right + 3, y), to_u32(edge(theme)));
        std::string const text = tick_text(tick, step);
        labels = std::max(labels, text_size(text).x);
        list.AddText(ImVec2(right + 6, std::round(y - layout.small_line / 2)), to_u32(theme.secondary_text),
                     text.c_str());
    }
    if (m_hover) {
        double const value = map().values[index(m_hover->row, m_hover->column)];
        if (!std::isnan(value)) {
            float const y = bottom - static_cast<float>(std::clamp(m_range.position(value), 0.0, 1.0)) * (bottom - top);
            list.AddTriangleFilled(ImVec2(left - 6, y - 4), ImVec2(left, y), ImVec2(left - 6, y + 4),
                                   to_u32(theme.text));
        }
    }
    std::string const title = axis_title(map().value_title, map().value_unit);
    if (title.empty()) return;
    ImGui::PushFont(nullptr, layout.size);
    std::string const fitting = fitted(title, static_cast<float>(height()) - 16);
    float const extent = text_size(fitting).x;
    // In the middle of the bar, but not beyond the widget where the bar is short.
    float const y = std::clamp((top + bottom) / 2 + extent / 2, extent + 8, std::max(extent + 8, height() - 8.0f));
    add_vertical_text(list, ImVec2(right + 6 + labels + 4, y), to_u32(theme.secondary_text), fitting.c_str());
    ImGui::PopFont();
}

void HeatMapCanvas::draw_selection(ImDrawList& list, Layout const& layout) {
    Theme const& theme = *layout.theme;
    float const top = static_cast<float>(layout.area.top()), bottom = static_cast<float>(layout.area.bottom());
    ImU32 const accent = to_u32(theme.accent);
    list.PushClipRect(ImVec2(static_cast<float>(layout.area.left()) - 2, top - 4),
                      ImVec2(static_cast<float>(layout.area.right()) + 2, bottom + 5), true);
    auto const span = [&](int first, int last) {
        return std::pair{static_cast<float>(navigator().x_to_pixel(first)),
                         static_cast<float>(navigator().x_to_pixel(last + 1))};
    };
    for (auto at = m_selected_columns.begin(); at != m_selected_columns.end();) {
        int const first = *at;
        int last = first;
        while (++at != m_selected_columns.end() && *at == last + 1) last = *at;
        auto const [x0, x1] = span(first, last);
        list.AddRectFilled(ImVec2(x0, top - 4), ImVec2(x1, top - 1), accent);
        list.AddRectFilled(ImVec2(x0, bottom + 1), ImVec2(x1, bottom + 4), accent);
    }
    if (m_brush) {
        auto const [x0, x1] = span(m_brush->first, m_brush->second);
        list.AddRectFilled(ImVec2(x0, top), ImVec2(x1, bottom), to_u32(theme.accent, 0.22));
        list.AddRect(ImVec2(x0, top), ImVec2(x1, bottom), accent, 0, 1.5f);
    }
    // A ring inside a ring, so that it is seen on any colour; at least 5 pixels wide on tiny cells.
    auto const ring = [&](HeatMapCell cell, ImU32 color, float thickness) {
        QRectF box = cell_rect(cell.row, cell.column);
        double const grow_x = std::max(0.0, (5 - box.width()) / 2), grow_y = std::max(0.0, (5 - box.height()) / 2);
        box.adjust(-grow_x, -grow_y, grow_x, grow_y);
        ImVec2 const low = vec(box.topLeft()), high = vec(box.bottomRight());
        list.AddRect(ImVec2(low.x - 1, low.y - 1), ImVec2(high.x + 1, high.y + 1), to_u32(theme.surface), 2,
                     thickness + 2);
        list.AddRect(low, high, color, 2, thickness);
    };
    if (m_linked_column >= 0 && !m_hover) {
        auto const [x0, x1] = span(m_linked_column, m_linked_column);
        list.AddRect(ImVec2(x0 - 1, top - 1), ImVec2(std::max(x1, x0 + 2) + 1, bottom + 1), to_u32(theme.text), 0,
                     1.5f);
    }
    for (HeatMapCell const& cell : m_selected_cells) {
        if (cell.row >= layout.row_first && cell.row < layout.row_end && cell.column >= layout.column_first &&
            cell.column < layout.column_end) {
            ring(cell, accent, 2);
        }
    }
    if (m_pinned) ring(*m_pinned, accent, 2.5f);
    if (m_linked_cell && !m_hover) ring(*m_linked_cell, to_u32(theme.text), 1.5f);
    if (m_hover) ring(*m_hover, to_u32(theme.text), 1.5f);
    list.PopClipRect();
}

void HeatMapCanvas::draw_hover(ImDrawList& list, Layout const& layout) {
    std::optional<HeatMapCell> const cell = m_hover && m_pointer_inside ? m_hover : std::nullopt;
    if (!cell || m_brush) return;
    std::vector<std::string> lines{read_out(cell->row, cell->column)};
    std::uint8_t const bits = mark(cell->row, cell->column);
    if ((bits & 1) != 0) lines.push_back("wild type");
    if ((bits & 2) != 0) lines.push_back("|mean| is below 2 standard errors");
    QRectF const box = cell_rect(cell->row, cell->column);
    (void)layout;
    draw_read_out(list, lines, ImVec2(vec(box.center()).x, vec(box.center()).y), ImGui::GetIO().DisplaySize);
}

}  // namespace orrery
