#include "core/figure/page.h"
#include "core/figure/ticks.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace orrery::figure {
namespace {

constexpr std::uint8_t mark_dot = 1, mark_hatch = 2;

// A block of equal cells: columns [left, right), rows [top, bottom).
struct Block {
    std::size_t left, right, top, bottom;
};

// The cells where `chosen` holds, as few blocks: runs in a row, joined with an equal run in the row above.
template <class Chosen>
std::vector<Block> blocks_of(std::size_t rows, std::size_t columns, Chosen chosen) {
    std::vector<Block> blocks;
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns;) {
            if (!chosen(r, c)) {
                ++c;
                continue;
            }
            std::size_t const left = c;
            while (c < columns && chosen(r, c)) ++c;
            auto const above = std::find_if(blocks.rbegin(), blocks.rend(), [&](Block const& block) {
                return block.bottom == r && block.left == left && block.right == c;
            });
            if (above != blocks.rend())
                above->bottom = r + 1;
            else
                blocks.push_back({left, c, r, r + 1});
        }
    return blocks;
}

std::vector<std::size_t> group_starts(std::vector<int> const& groups, std::size_t count) {
    std::vector<std::size_t> starts{0};
    for (std::size_t i = 1; i < groups.size() && i < count; ++i)
        if (groups[i] != groups[i - 1]) starts.push_back(i);
    return starts;
}

// The names of the groups of columns, from what their selection keys ("A:63") have in common; empty where they share
// nothing or two groups would get one name.
std::vector<std::string> group_names(HeatMap const& map, std::vector<std::size_t> const& starts) {
    std::size_t const columns = map.columns.categories.size();
    if (map.column_groups.empty() || map.column_keys.size() != columns) return {};
    std::vector<std::string> names;
    for (std::size_t g = 0; g < starts.size(); ++g) {
        std::size_t const end = g + 1 < starts.size() ? starts[g + 1] : columns;
        std::string const& first = map.column_keys[starts[g]];
        std::string const name = first.substr(0, first.find(':'));
        if (name.empty() || name.size() == first.size()) return {};
        for (std::size_t i = starts[g]; i < end; ++i)
            if (map.column_keys[i].compare(0, name.size() + 1, name + ":") != 0) return {};
        names.push_back(name.size() <= 2 ? "chain " + name : name);
    }
    if (std::set<std::string>(names.begin(), names.end()).size() != names.size()) return {};
    return names;
}

class HeatMapLayout {
public:
    HeatMapLayout(Page& page, HeatMap const& map)
        : m_page(page),
          m_style(page.style),
          m_map(map),
          m_rows(map.rows.categories.size()),
          m_columns(map.columns.categories.size()),
          m_range(color_range(map)),
          m_column_starts(group_starts(map.column_groups, m_columns)),
          m_group_names(group_names(map, m_column_starts)) {
        for (std::string const& name : map.rows.categories) m_row_labels.push_back(clean_text(name));
        for (std::string const& name : map.columns.categories) m_column_labels.push_back(clean_text(name));
    }

    double run(double top, double height) {
        measure_sides();
        measure_columns();
        double const strips = strips_height();
        double const below = below_height();
        double cell_height = std::clamp(m_cell_width, m_style.small * 1.2, m_cell_width > 20 ? 20.0 : 15.0);
        constexpr double tallest_map = 520;
        cell_height = std::min(cell_height, tallest_map / static_cast<double>(m_rows));
        if (height > 0) cell_height = std::max(0.5, (height - strips - below) / static_cast<double>(m_rows));
        m_box = {m_left, top + strips, m_cell_width * static_cast<double>(m_columns),
                 cell_height * static_cast<double>(m_rows)};
        m_cell_height = cell_height;

        draw_strips(top);
        draw_cells();
        draw_marks();
        draw_separators(top);
        draw_row_labels();
        draw_color_bar();
        return draw_below();
    }

private:
    [[nodiscard]] double value(std::size_t r, std::size_t c) const { return m_map.values[r * m_columns + c]; }
    [[nodiscard]] bool missing(std::size_t r, std::size_t c) const { return std::isnan(value(r, c)); }
    [[nodiscard]] bool marked(std::size_t r, std::size_t c, std::uint8_t bit) const {
        return !m_map.marks.empty() && (m_map.marks[r * m_columns + c] & bit) != 0 && !missing(r, c);
    }
    [[nodiscard]] Rgb color(double v) const { return color_of(m_map.scale, m_range.position(v)); }
    [[nodiscard]] Box box_of(Block const& block) const {
        double const x = m_box.x + static_cast<double>(block.left) * m_cell_width,
                     y = m_box.y + static_cast<double>(block.top) * m_cell_height;
        return {x, y, static_cast<double>(block.right - block.left) * m_cell_width,
                static_cast<double>(block.bottom - block.top) * m_cell_height};
    }

    void measure_sides() {
        double const limit = m_page.width * 0.25;
        for (std::string& label : m_row_labels) label = m_page.metrics.fit(label, m_style.small, limit);
        double widest = m_page.metrics.width(m_row_labels, m_style.small);
        for (Series const& strip : m_map.strips)
            widest = std::max(widest, std::min(limit, m_page.metrics.width(clean_text(strip.name), m_style.small)));
        m_row_title_width = titled(m_map.rows.title, m_map.rows.unit).empty() ? 0 : m_style.font * 1.4;
        m_left = Page::margin + m_row_title_width + widest + 4;

        m_bar_ticks = linear_ticks({m_range.minimum, m_range.maximum}, 6);
        double labels = 0;
        for (Tick const& tick : m_bar_ticks) labels = std::max(labels, m_page.metrics.width(tick.label, m_style.small));
        m_bar_labels_width = labels;
        double right = 8 + bar_width + 5 + labels + 3;
        if (!bar_title().empty()) right += m_style.font * 1.4;
        for (Series const& strip : m_map.strips)
            right = std::max(right, 5 + m_page.metrics.width(strip_range_text(strip), m_style.small * 0.9));
        m_available = std::max(20.0, m_page.width - m_left - right - Page::margin);
        m_cell_width = std::min(48.0, m_available / static_cast<double>(m_columns));
    }
    [[nodiscard]] std::string bar_title() const { return clean_text(titled(m_map.value_title, m_map.value_unit)); }

    // Column labels: level where each fits above its cell, else turned by 90 degrees and thinned.
    void measure_columns() {
        m_label_size = m_style.small;
        m_level_labels = m_page.metrics.width(m_column_labels, m_label_size) + 2 <= m_cell_width;
        if (!m_level_labels && m_cell_width < m_label_size) m_label_size = std::max(m_style.small * 0.78, 4.5);
        double const needed = m_level_labels ? 0 : m_label_size * 1.05;
        m_labelled = labelled_categories(m_columns, m_cell_width, needed, m_map.column_groups);
        double longest = 0;
        for (std::size_t i : m_labelled) {
            m_column_labels[i] = m_page.metrics.fit(m_column_labels[i], m_label_size, 90);
            longest = std::max(longest, m_page.metrics.width(m_column_labels[i], m_label_size));
        }
        m_labels_height = m_level_labels ? m_label_size * TextMetrics::line_height : longest + 4;
    }

    [[nodiscard]] double strip_height() const { return m_style.small * 1.05; }
    [[nodiscard]] double strips_height() const {
        return m_map.strips.empty() ? 0 : static_cast<double>(m_map.strips.size()) * (strip_height() + 1.5) + 2;
    }
    [[nodiscard]] bool has_key() const { return m_any_missing || m_any_dot || m_any_hatch; }
    double below_height() {
        for (std::size_t r = 0; r < m_rows; ++r)
            for (std::size_t c = 0; c < m_columns; ++c) {
                m_any_missing = m_any_missing || missing(r, c);
                m_any_dot = m_any_dot || marked(r, c, mark_dot);
                m_any_hatch = m_any_hatch || marked(r, c, mark_hatch);
            }
        double height = 3 + m_labels_height;
        if (!m_group_names.empty()) height += m_style.small * 1.5;
        if (!titled(m_map.columns.title, m_map.columns.unit).empty()) height += m_style.font * 1.5;
        if (has_key()) height += m_style.small * 1.8;
        return height;
    }

    static ColorScale strip_scale(Series const& strip) {
        bool const signs = std::any_of(strip.y.begin(), strip.y.end(), [](double v) { return v < 0; });
        return signs ? ColorScale::diverging : ColorScale::sequential;
    }
    static ColorRange strip_range(Series const& strip) {
        HeatMap one;
        one.scale = strip_scale(strip);
        one.values = strip.y;
        if (one.scale == ColorScale::diverging)
            for (double v : strip.y)
                if (std::isfinite(v)) one.limit = std::max(one.limit, std::abs(v));
        return color_range(one);
    }
    static std::string strip_range_text(Series const& strip) {
        ColorRange const range = strip_range(strip);
        auto number = [](double v) {
            char text[32];
            std::snprintf(text, sizeof text, "%.3g", v);
            std::string shown = text;
            return shown[0] == '-' ? "−" + shown.substr(1) : shown;
        };
        return number(range.minimum) + " to " + number(range.maximum);
    }
    void draw_strips(double top) {
        double y = top;
        for (Series const& strip : m_map.strips) {
            Box const box{m_box.x, y, m_box.width, strip_height()};
            ColorRange const range = strip_range(strip);
            ColorScale const scale = strip_scale(strip);
            Cells cells{box, m_columns, 1, {}};
            for (double v : strip.y) cells.colors.push_back(color_of(scale, range.position(v)));
            m_page.add(std::move(cells));
            m_page.frame(box, {m_style.axis, 0.4});
            double const baseline = y + strip_height() / 2 + m_style.small * TextMetrics::cap_height / 2;
            m_page.text({m_box.x - 4, baseline},
                        m_page.metrics.fit(clean_text(strip.name), m_style.small, m_page.width * 0.25), m_style.small,
                        m_style.text, Anchor::end);
            m_page.text({m_box.right() + 5, baseline}, strip_range_text(strip), m_style.small * 0.9, m_style.secondary);
            y += strip_height() + 1.5;
        }
    }

    void draw_cells() {
        Cells cells{m_box, m_columns, m_rows, {}};
        cells.colors.reserve(m_map.values.size());
        for (double v : m_map.values) cells.colors.push_back(color(v));
        m_page.add(std::move(cells));
        Lines strokes{{}, {{{0xA4, 0xAC, 0xB8}}, 0.45}};
        for (Block const &block : blocks_of(m_rows, m_columns, [this](auto r, auto c) { return missing(r, c); }))
            for (auto& stroke : hatch(box_of(block), 3, false)) strokes.pieces.push_back(std::move(stroke));
        if (!strokes.pieces.empty()) m_page.add(std::move(strokes));
    }

    void draw_marks() {
        Lines strokes{{}, {{{0x1B, 0x1F, 0x27}, 0.45}, 0.35}};
        for (Block const &block :
             blocks_of(m_rows, m_columns, [this](auto r, auto c) { return marked(r, c, mark_hatch); }))
            for (auto& stroke : hatch(box_of(block), 2.4, true)) strokes.pieces.push_back(std::move(stroke));
        if (!strokes.pieces.empty()) m_page.add(std::move(strokes));
        Discs dark{{}, dot_radius(), {{0x1B, 0x1F, 0x27}}}, light{{}, dot_radius(), {{0xFF, 0xFF, 0xFF}}};
        for (std::size_t r = 0; r < m_rows; ++r)
            for (std::size_t c = 0; c < m_columns; ++c) {
                if (!marked(r, c, mark_dot)) continue;
                Point const center{m_box.x + (static_cast<double>(c) + 0.5) * m_cell_width,
                                   m_box.y + (static_cast<double>(r) + 0.5) * m_cell_height};
                (lightness(color(value(r, c))) > 50 ? dark : light).centers.push_back(center);
            }
        if (!dark.centers.empty()) m_page.add(std::move(dark));
        if (!light.centers.empty()) m_page.add(std::move(light));
    }
    [[nodiscard]] double dot_radius() const {
        return std::clamp(0.22 * std::min(m_cell_width, m_cell_height), 0.5, 1.7);
    }

    void draw_separators(double top) {
        Lines lines{{}, {m_style.text, 0.8}};
        for (std::size_t start : m_column_starts) {
            if (start == 0) continue;
            double const x = m_box.x + static_cast<double>(start) * m_cell_width;
            lines.pieces.push_back({{x, top}, {x, m_box.bottom()}});
        }
        for (std::size_t start : group_starts(m_map.row_groups, m_rows)) {
            if (start == 0) continue;
            double const y = m_box.y + static_cast<double>(start) * m_cell_height;
            lines.pieces.push_back({{m_box.x, y}, {m_box.right(), y}});
        }
        // On paper the map itself is light in both themes, so its lines are dark.
        lines.pen.color = {{0x1B, 0x1F, 0x27}};
        if (!lines.pieces.empty()) m_page.add(std::move(lines));
        m_page.frame(m_box, {m_style.axis, 0.5});
    }

    void draw_row_labels() {
        double const size = m_style.small;
        for (std::size_t r : labelled_categories(m_rows, m_cell_height, size * 1.02, m_map.row_groups)) {
            double const y =
                m_box.y + (static_cast<double>(r) + 0.5) * m_cell_height + size * TextMetrics::cap_height / 2;
            m_page.text({m_box.x - 4, y}, m_row_labels[r], size, m_style.text, Anchor::end);
        }
        std::string const title = titled(m_map.rows.title, m_map.rows.unit);
        m_page.text({Page::margin + m_style.font * TextMetrics::cap_height, m_box.y + m_box.height / 2},
                    m_page.metrics.fit(clean_text(title), m_style.font, std::max(m_box.height, 60.0)), m_style.font,
                    m_style.text, Anchor::middle, -90);
    }

    void draw_color_bar() {
        bool above = false, under = false;
        for (double v : m_map.values) {
            above = above || v > m_range.maximum;
            under = under || v < m_range.minimum;
        }
        constexpr double tip = 5;
        double const title_width = m_page.metrics.width(bar_title(), m_style.font);
        double const height =
            std::min(m_box.height, std::max(150.0, title_width + 10)) - (above ? tip : 0) - (under ? tip : 0);
        Box const bar{m_box.right() + 8, m_box.y + (above ? tip : 0), bar_width, std::max(height, 10.0)};
        Cells cells{bar, 1, 256, {}};
        auto const& table = color_table(m_map.scale);
        cells.colors.assign(table.rbegin(), table.rend());
        m_page.add(std::move(cells));
        std::vector<Point> outline{{bar.x, bar.y}};
        // A pointed end says that values lie beyond the colours.
        if (above) {
            m_page.add(
                Polygon{{{bar.x, bar.y}, {bar.x + bar_width / 2, bar.y - tip}, {bar.right(), bar.y}}, {table.back()}});
            outline.push_back({bar.x + bar_width / 2, bar.y - tip});
        }
        outline.push_back({bar.right(), bar.y});
        outline.push_back({bar.right(), bar.bottom()});
        if (under) {
            m_page.add(Polygon{
                {{bar.x, bar.bottom()}, {bar.x + bar_width / 2, bar.bottom() + tip}, {bar.right(), bar.bottom()}},
                {table.front()}});
            outline.push_back({bar.x + bar_width / 2, bar.bottom() + tip});
        }
        outline.push_back({bar.x, bar.bottom()});
        outline.push_back({bar.x, bar.y});
        m_page.add(Lines{{outline}, {m_style.axis, 0.5}});
        int const most = std::max(2, static_cast<int>(bar.height / (m_style.small * 2.2)));
        Lines marks{{}, {m_style.axis, 0.5}};
        // A short bar still tells two numbers.
        std::vector<Tick> ticks;
        for (int tries = most; ticks.size() < 2 && tries < most + 6; ++tries)
            ticks = linear_ticks({m_range.minimum, m_range.maximum}, std::min(6, tries));
        for (Tick const& tick : ticks) {
            double const y = bar.bottom() - bar.height * m_range.position(tick.value);
            marks.pieces.push_back({{bar.right(), y}, {bar.right() + 2.5, y}});
            m_page.text({bar.right() + 4.5, y + m_style.small * TextMetrics::cap_height / 2}, tick.label, m_style.small,
                        m_style.text);
        }
        m_page.add(std::move(marks));
        double const x = bar.right() + 5 + m_bar_labels_width + 3 + m_style.font;
        double const middle = std::max(bar.y + bar.height / 2, m_box.y + title_width / 2);
        m_page.text({x, middle}, bar_title(), m_style.font, m_style.text, Anchor::middle, -90);
    }

    double draw_below() {
        double y = m_box.bottom() + 3;
        Lines ticks{{}, {m_style.axis, 0.4}};
        for (std::size_t i : m_labelled) {
            double const x = m_box.x + (static_cast<double>(i) + 0.5) * m_cell_width;
            if (m_level_labels) {
                m_page.text({x, y + m_label_size}, m_column_labels[i], m_label_size, m_style.text, Anchor::middle);
                continue;
            }
            ticks.pieces.push_back({{x, m_box.bottom()}, {x, m_box.bottom() + 2}});
            m_page.text({x + m_label_size * TextMetrics::cap_height / 2, y + 1}, m_column_labels[i], m_label_size,
                        m_style.text, Anchor::end, -90);
        }
        if (!ticks.pieces.empty() && m_labelled.size() < m_columns) m_page.add(std::move(ticks));
        y += m_labels_height;
        if (!m_group_names.empty()) y = draw_group_names(y);
        if (std::string const title = titled(m_map.columns.title, m_map.columns.unit); !title.empty()) {
            y += m_style.font * 1.5;
            m_page.text({m_box.x + m_box.width / 2, y - m_style.font * 0.35}, title, m_style.font, m_style.text,
                        Anchor::middle);
        }
        if (has_key()) {
            y += m_style.small * 1.8;
            draw_key(y - m_style.small * 0.45);
        }
        return y;
    }

    double draw_group_names(double y) {
        Lines brackets{{}, {m_style.secondary, 0.6}};
        for (std::size_t g = 0; g < m_column_starts.size(); ++g) {
            std::size_t const end = g + 1 < m_column_starts.size() ? m_column_starts[g + 1] : m_columns;
            double const left = m_box.x + static_cast<double>(m_column_starts[g]) * m_cell_width;
            double const right = m_box.x + static_cast<double>(end) * m_cell_width;
            brackets.pieces.push_back({{left + 0.8, y + 1}, {std::max(left + 1, right - 0.8), y + 1}});
            std::string const full = clean_text(m_group_names[g]);
            std::string const name =
                m_page.metrics.width(full, m_style.small) <= right - left ? full : full.substr(full.rfind(' ') + 1);
            if (m_page.metrics.width(name, m_style.small) <= right - left + 4)
                m_page.text({(left + right) / 2, y + 2 + m_style.small}, name, m_style.small, m_style.text,
                            Anchor::middle);
        }
        m_page.add(std::move(brackets));
        return y + m_style.small * 1.5;
    }

    // What dots, strokes and grey mean, in one line; only what occurs.
    void draw_key(double baseline) {
        double const size = m_style.small, side = size * 0.95;
        double x = m_box.x;
        auto swatch = [&](Rgb fill) {
            Box const box{x, baseline - side * 0.85, side, side};
            m_page.add(FilledBox{box, {fill}});
            m_page.frame(box, {m_style.axis, 0.4});
            return box;
        };
        auto label = [&](std::string const& text) {
            x += side + 3;
            m_page.text({x, baseline}, text, size, m_style.secondary);
            x += m_page.metrics.width(text, size) + 12;
        };
        if (m_any_dot) {
            Box const box = swatch({255, 255, 255});
            m_page.add(
                Discs{{{box.x + side / 2, box.y + side / 2}}, std::max(1.0, dot_radius()), {{0x1B, 0x1F, 0x27}}});
            label("wild type");
        }
        if (m_any_hatch) {
            m_page.add(Lines{hatch(swatch({255, 255, 255}), 2.4, true), {{{0x1B, 0x1F, 0x27}, 0.45}, 0.35}});
            label("|mean| < 2 s.e.");
        }
        if (m_any_missing) {
            m_page.add(Lines{hatch(swatch(color_of_missing()), 3, false), {{{0xA4, 0xAC, 0xB8}}, 0.45}});
            label("not computed");
        }
    }

    static constexpr double bar_width = 8;

    Page& m_page;
    Style const& m_style;
    HeatMap const& m_map;
    std::size_t m_rows, m_columns;
    ColorRange m_range;
    std::vector<std::size_t> m_column_starts;
    std::vector<std::string> m_group_names;
    std::vector<std::string> m_row_labels, m_column_labels;
    std::vector<Tick> m_bar_ticks;
    std::vector<std::size_t> m_labelled;
    double m_row_title_width = 0, m_left = 0, m_available = 0, m_cell_width = 0, m_cell_height = 0, m_label_size = 0;
    double m_labels_height = 0, m_bar_labels_width = 0;
    bool m_level_labels = false, m_any_missing = false, m_any_dot = false, m_any_hatch = false;
    Box m_box;
};

}  // namespace

double lay_out_heat_map(Page& page, HeatMap const& map, double top, double height) {
    return HeatMapLayout(page, map).run(top, height);
}

}  // namespace orrery::figure
