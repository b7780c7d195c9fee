#include "core/figure/page.h"
#include "core/figure/ticks.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace orrery::figure {
namespace {

constexpr double faint_alpha = 0.22;

// Shapes of marks, so that series are told apart without colour.
enum class Shape { circle, square, triangle, diamond };

std::vector<double> dash_of(std::size_t order) {
    switch (order % 4) {
        case 1:
            return {4, 2};
        case 2:
            return {1.2, 1.6};
        case 3:
            return {5, 1.8, 1.2, 1.8};
        default:
            return {};
    }
}

class PlotLayout {
public:
    PlotLayout(Page& page, XyPlot const& plot) : m_page(page), m_style(page.style), m_plot(plot) {
        m_many = std::count_if(plot.series.begin(), plot.series.end(), [](Series const& s) { return !s.faint; }) > 1;
        choose_ranges();
    }

    double run(double top, double height) {
        double const legend = m_many ? draw_legend(top) : 0;
        top += legend + m_style.small * 0.5;
        // Tick labels of y depend on the height, and that on the labels of x, which depend on the width: from a first
        // guess the second pass is exact enough.
        double plot_height = height > 0 ? std::max(20.0, height - legend - bottom_guess()) : 200;
        for (int pass = 0; pass < 3; ++pass) {
            set_y_ticks(plot_height);
            m_box = {left_side(), top, 0, plot_height};
            m_box.width = std::max(20.0, m_page.width - m_box.x - right_side() - Page::margin);
            set_x_ticks();
            double const wanted =
                m_plot.identity_line ? std::min(m_box.width, 285.0) : std::clamp(m_box.width * 0.55, 110.0, 300.0);
            plot_height = height > 0 ? std::max(20.0, height - legend - m_style.small * 0.5 - below_height()) : wanted;
            m_box.height = plot_height;
        }
        if (m_plot.identity_line) m_box.width = std::min(m_box.width, m_box.height);
        set_x_ticks();
        draw_grid();
        draw_data();
        m_page.frame(m_box, {m_style.axis, m_style.axis_width});
        draw_axes();
        draw_notes();
        return m_box.bottom() + below_height();
    }

private:
    [[nodiscard]] Color color(std::size_t order) const {
        Rgb const rgb = category_color(series_category(m_plot.series[order], order));
        bool const black = rgb == Rgb{0, 0, 0};
        Color color = black ? m_style.text : Color{rgb};
        if (m_plot.series[order].faint) color.alpha = faint_alpha;
        return color;
    }
    // By the order among those that the legend names; context lines are plain.
    [[nodiscard]] std::vector<double> dash(std::size_t order) const {
        if (!m_many || m_plot.series[order].faint) return {};
        return dash_of(static_cast<std::size_t>(
            std::count_if(m_plot.series.begin(), m_plot.series.begin() + static_cast<std::ptrdiff_t>(order),
                          [](Series const& s) { return !s.faint; })));
    }
    [[nodiscard]] double x_of(Series const& series, std::size_t i) const {
        return i < series.x.size() ? series.x[i] : static_cast<double>(i);
    }
    [[nodiscard]] Point place(double x, double y) const {
        return {m_box.x + m_box.width * position(m_plot.x, m_x_range, x),
                m_box.bottom() - m_box.height * position(m_plot.y, m_y_range, y)};
    }
    static bool drawable(Point p) {
        return std::isfinite(p.x) && std::isfinite(p.y) && std::abs(p.x) < 1e6 && std::abs(p.y) < 1e6;
    }

    void choose_ranges() {
        std::vector<double> xs, ys;
        m_pitch = 1e300;
        std::set<double> distinct;
        for (Series const& series : m_plot.series)
            for (std::size_t i = 0; i < series.y.size(); ++i) {
                double const x = x_of(series, i),
                             error = i < series.error.size() && std::isfinite(series.error[i]) ? series.error[i] : 0;
                xs.push_back(x);
                ys.push_back(series.y[i] - error);
                ys.push_back(series.y[i] + error);
                if (m_plot.kind == XyKind::bars && std::isfinite(x)) distinct.insert(x);
            }
        for (double y : m_plot.horizontal_lines) ys.push_back(y);
        if (m_plot.kind == XyKind::bars) {
            double before = NAN;
            for (double x : distinct) {
                if (x > before) m_pitch = std::min(m_pitch, x - before);
                before = x;
            }
            if (m_pitch > 1e299) m_pitch = 1;
            if (m_plot.x.categories.empty())
                for (double x : std::set<double>(distinct)) {
                    xs.push_back(x - m_pitch / 2);
                    xs.push_back(x + m_pitch / 2);
                }
        }
        m_x_range = axis_range(m_plot.x, xs, false, m_plot.kind == XyKind::scatter);
        m_y_range = axis_range(m_plot.y, ys, m_plot.kind == XyKind::bars && !m_plot.y.logarithmic, true);
        if (m_plot.identity_line && m_plot.x.categories.empty() && m_plot.y.categories.empty()) {
            // One range for both, unless the figure fixes them: the line is then the diagonal.
            Range const both{std::min(m_x_range.minimum, m_y_range.minimum),
                             std::max(m_x_range.maximum, m_y_range.maximum)};
            if (m_plot.x.minimum == m_plot.x.maximum) m_x_range = both;
            if (m_plot.y.minimum == m_plot.y.maximum) m_y_range = both;
        }
    }

    [[nodiscard]] static std::vector<Tick> ticks_of(Axis const& axis, Range range, int most) {
        return axis.logarithmic ? logarithmic_ticks(range, most) : linear_ticks(range, most);
    }
    void set_y_ticks(double height) {
        m_y_ticks.clear();
        auto const& categories = m_plot.y.categories;
        if (categories.empty()) {
            m_y_ticks = ticks_of(m_plot.y, m_y_range, std::clamp(static_cast<int>(height / (m_style.small * 2)), 3, 8));
            return;
        }
        for (std::size_t i : labelled_categories(categories.size(), height / static_cast<double>(categories.size()),
                                                 m_style.small * 1.1, {}))
            m_y_ticks.push_back({static_cast<double>(i),
                                 m_page.metrics.fit(clean_text(categories[i]), m_style.small, m_page.width * 0.25)});
    }
    void set_x_ticks() {
        m_x_ticks.clear();
        m_turned = false;
        auto const& categories = m_plot.x.categories;
        if (categories.empty()) {
            for (int most = m_plot.identity_line ? 8 : 10; most >= 2; --most) {
                m_x_ticks = ticks_of(m_plot.x, m_x_range, most);
                if (widest(m_x_ticks) + 10 <=
                    m_box.width / std::max<double>(1, static_cast<double>(m_x_ticks.size()) - 1))
                    break;
            }
            return;
        }
        double const pitch = m_box.width / static_cast<double>(categories.size());
        double longest = 0;
        for (std::string const& name : categories)
            longest = std::max(longest, m_page.metrics.width(clean_text(name), m_style.small));
        m_turned = longest + 4 > pitch;
        for (std::size_t i : labelled_categories(categories.size(), pitch, m_turned ? m_style.small * 1.1 : 0, {}))
            m_x_ticks.push_back(
                {static_cast<double>(i), m_page.metrics.fit(clean_text(categories[i]), m_style.small, 90)});
    }
    [[nodiscard]] double widest(std::vector<Tick> const& ticks) const {
        double width = 0;
        for (Tick const& tick : ticks) width = std::max(width, m_page.metrics.width(tick.label, m_style.small));
        return width;
    }
    [[nodiscard]] std::string x_title() const { return clean_text(titled(m_plot.x.title, m_plot.x.unit)); }
    [[nodiscard]] std::string y_title() const { return clean_text(titled(m_plot.y.title, m_plot.y.unit)); }
    [[nodiscard]] double left_side() const {
        return Page::margin + (y_title().empty() ? 0 : m_style.font * 1.5) + widest(m_y_ticks) + 5.5;
    }
    [[nodiscard]] double right_side() const {
        return m_x_ticks.empty() || !m_plot.x.categories.empty()
                   ? 2
                   : m_page.metrics.width(m_x_ticks.back().label, m_style.small) / 2 + 1;
    }
    [[nodiscard]] double bottom_guess() const { return m_style.small * 2 + m_style.font * 1.5 + 6; }
    [[nodiscard]] double below_height() const {
        double const labels = m_turned ? widest(m_x_ticks) + 3 : m_style.small * 1.2;
        return 4 + labels + (x_title().empty() ? 0 : m_style.font * 1.6);
    }

    // Rows of swatch and name above the plot. Gives their height.
    double draw_legend(double top) {
        double const size = m_style.font, row = size * 1.5, swatch = 16;
        double x = Page::margin, y = top + row * 0.75;
        for (std::size_t s = 0; s < m_plot.series.size(); ++s) {
            if (m_plot.series[s].faint) continue;
            std::string const name = m_page.metrics.fit(clean_text(m_plot.series[s].name), size, m_page.width * 0.6);
            double const width = swatch + 4 + m_page.metrics.width(name, size) + 14;
            if (x > Page::margin && x + width > m_page.width - Page::margin) {
                x = Page::margin;
                y += row;
            }
            Point const middle{x + swatch / 2, y - size * TextMetrics::cap_height / 2};
            if (m_plot.kind == XyKind::bars) {
                m_page.add(FilledBox{{x + 4, middle.y - 4, 8, 8}, color(s)});
            } else {
                if (m_plot.kind == XyKind::line)
                    m_page.add(
                        Lines{{{{x, middle.y}, {x + swatch, middle.y}}}, {color(s), m_style.line_width, dash(s)}});
                if (m_plot.kind == XyKind::scatter || few_points()) draw_marks(s, {middle});
            }
            m_page.text({x + swatch + 4, y}, name, size, m_style.text);
            x += width;
        }
        return y - top + row * 0.25;
    }
    [[nodiscard]] bool few_points() const {
        for (Series const& series : m_plot.series)
            if (series.y.size() > 25) return false;
        return true;
    }

    void draw_grid() {
        Lines grid{{}, {m_style.grid, m_style.grid_width}};
        for (Tick const& tick : m_x_ticks) {
            if (!m_plot.x.categories.empty()) break;
            double const x = place(tick.value, m_y_range.minimum).x;
            grid.pieces.push_back({{x, m_box.y}, {x, m_box.bottom()}});
        }
        for (Tick const& tick : m_y_ticks) {
            double const y = place(m_x_range.minimum, tick.value).y;
            grid.pieces.push_back({{m_box.x, y}, {m_box.right(), y}});
        }
        if (!grid.pieces.empty()) m_page.add(std::move(grid));
    }

    void draw_data() {
        m_page.add(BeginClip{m_box});
        Pen const dashed{m_style.secondary, 0.8, {3, 2}};
        for (double y : m_plot.horizontal_lines) {
            Point const a = place(m_x_range.minimum, y);
            if (drawable(a)) m_page.line({m_box.x, a.y}, {m_box.right(), a.y}, dashed);
        }
        if (m_plot.identity_line) {
            Range const shared{std::max(m_x_range.minimum, m_y_range.minimum),
                               std::min(m_x_range.maximum, m_y_range.maximum)};
            Point const a = place(shared.minimum, shared.minimum), b = place(shared.maximum, shared.maximum);
            if (shared.maximum > shared.minimum && drawable(a) && drawable(b)) m_page.line(a, b, dashed);
        }
        for (std::size_t s = 0; s < m_plot.series.size(); ++s) {
            if (m_plot.kind == XyKind::bars) draw_bars(s);
            if (m_plot.kind == XyKind::line) draw_line(s);
        }
        m_page.add(EndClip{});
        // Marks at the edge of the plot are whole.
        m_page.add(BeginClip{{m_box.x - 3, m_box.y - 3, m_box.width + 6, m_box.height + 6}});
        for (std::size_t s = 0; s < m_plot.series.size(); ++s) {
            if (m_plot.kind == XyKind::scatter) draw_scatter(s);
            if (m_plot.kind == XyKind::line && few_points() && !m_plot.series[s].faint) draw_marks(s, points_inside(s));
        }
        m_page.add(EndClip{});
        if (m_plot.kind == XyKind::bars && m_y_range.minimum < 0 && m_y_range.maximum > 0) {
            double const zero = place(m_x_range.minimum, 0).y;
            m_page.line({m_box.x, zero}, {m_box.right(), zero}, {m_style.axis, m_style.axis_width});
        }
    }

    [[nodiscard]] std::vector<Point> points_inside(std::size_t s) const {
        Series const& series = m_plot.series[s];
        Box const near{m_box.x - 0.5, m_box.y - 0.5, m_box.width + 1, m_box.height + 1};
        std::vector<Point> points;
        // Above 20,000 points those within a tenth of a point of another are not drawn again.
        bool const thin = series.y.size() > 20'000;
        std::set<std::pair<long, long>> seen;
        for (std::size_t i = 0; i < series.y.size(); ++i) {
            Point const p = place(x_of(series, i), series.y[i]);
            if (!drawable(p) || !near.contains(p)) continue;
            if (thin && !seen.insert({std::lround(p.x * 10), std::lround(p.y * 10)}).second) continue;
            points.push_back(p);
        }
        return points;
    }
    void draw_scatter(std::size_t s) {
        draw_error_bars(s, 0);
        draw_marks(s, points_inside(s));
    }
    void draw_marks(std::size_t s, std::vector<Point> const& points) {
        double const radius = points.size() > 500 ? 1.2 : points.size() > 100 ? 1.6 : 2.1;
        Color fill = color(s);
        fill.alpha = points.size() > 200 ? 0.7 : 1;
        double const edge = points.size() > 500 ? 0 : 0.35;
        Shape const shape = m_many ? static_cast<Shape>(s % 4) : Shape::circle;
        if (shape == Shape::circle) {
            if (!points.empty()) m_page.add(Discs{points, radius, fill, edge, m_style.background});
            return;
        }
        for (Point const& p : points) {
            double const r = radius * (shape == Shape::square ? 0.9 : 1.25);
            std::vector<Point> corners{{p.x, p.y - r}, {p.x + r, p.y}, {p.x, p.y + r}, {p.x - r, p.y}};
            if (shape == Shape::square)
                corners = {{p.x - r, p.y - r}, {p.x + r, p.y - r}, {p.x + r, p.y + r}, {p.x - r, p.y + r}};
            if (shape == Shape::triangle)
                corners = {{p.x, p.y - r}, {p.x + 0.95 * r, p.y + 0.7 * r}, {p.x - 0.95 * r, p.y + 0.7 * r}};
            m_page.add(Polygon{corners, fill, edge, m_style.background});
        }
    }
    void draw_error_bars(std::size_t s, double shift) {
        Series const& series = m_plot.series[s];
        Color const ink = m_plot.kind == XyKind::bars ? m_style.text : Color{color(s).rgb, 0.75};
        Lines bars{{}, {ink, 0.6}};
        constexpr double cap = 1.5;
        for (std::size_t i = 0; i < series.error.size(); ++i) {
            if (!std::isfinite(series.error[i]) || series.error[i] <= 0) continue;
            double const x = x_of(series, i);
            Point high = place(x, series.y[i] + series.error[i]), low = place(x, series.y[i] - series.error[i]);
            if (m_plot.y.logarithmic && !drawable(low)) low = {high.x, m_box.bottom()};
            if (!drawable(high) || !drawable(low)) continue;
            high.x = low.x = high.x + shift;
            bars.pieces.push_back({high, low});
            bars.pieces.push_back({{high.x - cap, high.y}, {high.x + cap, high.y}});
            bars.pieces.push_back({{low.x - cap, low.y}, {low.x + cap, low.y}});
        }
        if (!bars.pieces.empty()) m_page.add(std::move(bars));
    }
    void draw_bars(std::size_t s) {
        Series const& series = m_plot.series[s];
        double const unit = m_box.width * m_pitch / (m_x_range.maximum - m_x_range.minimum);
        double const group = unit * 0.8, width = group / static_cast<double>(m_plot.series.size());
        double const shift = -group / 2 + (static_cast<double>(s) + 0.5) * width;
        double const base = m_plot.y.logarithmic
                                ? m_box.bottom()
                                : place(m_x_range.minimum, std::clamp(0.0, m_y_range.minimum, m_y_range.maximum)).y;
        for (std::size_t i = 0; i < series.y.size(); ++i) {
            Point const top = place(x_of(series, i), series.y[i]);
            if (!drawable(top)) continue;
            double const gap = m_many ? 0.04 * width : 0;
            m_page.add(FilledBox{
                {top.x + shift - width / 2 + gap, std::min(top.y, base), width - 2 * gap, std::abs(base - top.y)},
                color(s)});
        }
        draw_error_bars(s, shift);
    }

    // Runs of drawable points, reduced to first, lowest, highest and last of each quarter of a point: no extreme is
    // lost.
    [[nodiscard]] std::vector<std::vector<Point>> runs(std::size_t s, double sign) const {
        Series const& series = m_plot.series[s];
        std::vector<std::vector<Point>> pieces{{}};
        for (std::size_t i = 0; i < series.y.size(); ++i) {
            double const error = sign == 0                                                   ? 0
                                 : i < series.error.size() && std::isfinite(series.error[i]) ? series.error[i]
                                                                                             : 0;
            Point const p = place(x_of(series, i), series.y[i] + sign * error);
            if (drawable(p))
                pieces.back().push_back(p);
            else if (!pieces.back().empty())
                pieces.emplace_back();
        }
        for (auto& piece : pieces) reduce(piece);
        return pieces;
    }
    static void reduce(std::vector<Point>& points) {
        constexpr std::size_t enough = 4000;
        constexpr double bucket = 0.25;
        if (points.size() <= enough ||
            !std::is_sorted(points.begin(), points.end(), [](Point a, Point b) { return a.x < b.x; }))
            return;
        std::vector<Point> kept;
        for (std::size_t i = 0; i < points.size();) {
            std::size_t end = i + 1;
            while (end < points.size() && std::floor(points[end].x / bucket) == std::floor(points[i].x / bucket)) ++end;
            auto const [low, high] = std::minmax_element(points.begin() + static_cast<std::ptrdiff_t>(i),
                                                         points.begin() + static_cast<std::ptrdiff_t>(end),
                                                         [](Point a, Point b) { return a.y < b.y; });
            std::set<std::size_t> const chosen{i, static_cast<std::size_t>(low - points.begin()),
                                               static_cast<std::size_t>(high - points.begin()), end - 1};
            for (std::size_t k : chosen) kept.push_back(points[k]);
            i = end;
        }
        points = std::move(kept);
    }
    void draw_line(std::size_t s) {
        if (!m_plot.series[s].error.empty()) {
            auto upper = runs(s, 1), lower = runs(s, -1);
            for (std::size_t k = 0; k < upper.size() && k < lower.size(); ++k) {
                if (upper[k].size() < 2 || lower[k].size() < 2) continue;
                std::vector<Point> outline = upper[k];
                outline.insert(outline.end(), lower[k].rbegin(), lower[k].rend());
                m_page.add(Polygon{std::move(outline), {color(s).rgb, 0.18}});
            }
        }
        Lines line{{}, {color(s), m_style.line_width, dash(s)}};
        for (auto& piece : runs(s, 0))
            if (piece.size() > 1) line.pieces.push_back(std::move(piece));
        if (!line.pieces.empty()) m_page.add(std::move(line));
    }

    void draw_axes() {
        Lines marks{{}, {m_style.axis, m_style.axis_width}};
        double const size = m_style.small;
        for (Tick const& tick : m_x_ticks) {
            double const x = place(tick.value, m_y_range.minimum).x;
            marks.pieces.push_back({{x, m_box.bottom()}, {x, m_box.bottom() + 2.5}});
            if (m_turned)
                m_page.text({x + size * TextMetrics::cap_height / 2, m_box.bottom() + 4.5}, tick.label, size,
                            m_style.text, Anchor::end, -90);
            else
                m_page.text({x, m_box.bottom() + 4 + size * 0.9}, tick.label, size, m_style.text, Anchor::middle);
        }
        for (Tick const& tick : m_y_ticks) {
            double const y = place(m_x_range.minimum, tick.value).y;
            marks.pieces.push_back({{m_box.x - 2.5, y}, {m_box.x, y}});
            m_page.text({m_box.x - 4.5, y + size * TextMetrics::cap_height / 2}, tick.label, size, m_style.text,
                        Anchor::end);
        }
        if (!marks.pieces.empty()) m_page.add(std::move(marks));
        m_page.text({m_box.x + m_box.width / 2, m_box.bottom() + below_height() - m_style.font * 0.35},
                    m_page.metrics.fit(x_title(), m_style.font, m_page.width - 2 * Page::margin), m_style.font,
                    m_style.text, Anchor::middle);
        m_page.text({Page::margin + m_style.font * TextMetrics::cap_height, m_box.y + m_box.height / 2},
                    m_page.metrics.fit(y_title(), m_style.font, std::max(60.0, m_box.height + 2 * m_style.font)),
                    m_style.font, m_style.text, Anchor::middle, -90);
    }

    // Notes stand beside a square plot where there is room, else in the corner of the plot that holds the fewest
    // points.
    void draw_notes() {
        if (m_plot.notes.empty()) return;
        double const size = m_style.small, row = size * TextMetrics::line_height;
        double const beside = m_page.width - Page::margin - m_box.right() - 12;
        std::vector<std::string> lines;
        for (std::string const& note : m_plot.notes)
            for (std::string& line :
                 m_page.metrics.wrap(clean_text(note), size, beside > 90 ? beside : m_box.width * 0.75))
                lines.push_back(std::move(line));
        double const width = m_page.metrics.width(lines, size), height = row * static_cast<double>(lines.size());
        Box box{m_box.right() + 12, m_box.y, width, height};
        if (beside <= 90) {
            box = best_corner(width + 6, height + 4);
            m_page.add(FilledBox{box, {m_style.background.rgb, 0.8}});
            box.x += 3;
            box.y += 2;
        }
        for (std::size_t i = 0; i < lines.size(); ++i)
            m_page.text({box.x, box.y + row * (static_cast<double>(i) + 1) - size * 0.35}, lines[i], size,
                        m_style.text);
    }
    [[nodiscard]] Box best_corner(double width, double height) const {
        double const left = m_box.x + 3, right = m_box.right() - width - 3, top = m_box.y + 3,
                     bottom = m_box.bottom() - height - 3;
        Box best{left, top, width, height};
        std::size_t fewest = SIZE_MAX;
        for (Box const& box : {Box{left, top, width, height}, Box{right, top, width, height},
                               Box{right, bottom, width, height}, Box{left, bottom, width, height}}) {
            std::size_t inside = 0;
            for (Series const& series : m_plot.series)
                for (std::size_t i = 0; i < series.y.size(); ++i)
                    inside += box.contains(place(x_of(series, i), series.y[i])) ? 1 : 0;
            if (inside < fewest) {
                fewest = inside;
                best = box;
            }
        }
        return best;
    }

    Page& m_page;
    Style const& m_style;
    XyPlot const& m_plot;
    bool m_many = false, m_turned = false;
    double m_pitch = 1;
    Range m_x_range, m_y_range;
    std::vector<Tick> m_x_ticks, m_y_ticks;
    Box m_box;
};

}  // namespace

double lay_out_plot(Page& page, XyPlot const& plot, double top, double height) {
    return PlotLayout(page, plot).run(top, height);
}

}  // namespace orrery::figure
