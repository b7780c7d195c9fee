#include "renderers/plot/xy_canvas.h"

#include "renderers/plot/plot_text.h"
#include "renderers/selection.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace orrery {
namespace {

constexpr double reach = 10;  // pixels within which a point is under the pointer

Result<void> check_series(Series const& series) {
    auto const fits = [&](std::size_t size) { return size == 0 || size == series.y.size(); };
    if (fits(series.x.size()) && fits(series.error.size()) && fits(series.labels.size()) && fits(series.keys.size()))
        return {};
    return internal_error("x, y, errors, labels or keys of a series differ in length", "series " + series.name);
}

}  // namespace

XyCanvas::XyCanvas(QWidget* parent) : PlotCanvas(parent) {
    setAccessibleName(tr("Plot"));
    connect(&m_timer, &QTimer::timeout, this, &XyCanvas::tick);
}

XyCanvas::~XyCanvas() { stop_gl(); }

Result<void> XyCanvas::set_figure(Figure figure) {
    auto* const plot = std::get_if<XyPlot>(&figure.content);
    if (plot == nullptr) return internal_error("the figure is a heat map, not a plot of points", figure.title);
    for (Series const& series : plot->series) ORRERY_CHECK(check_series(series));
    m_title = std::move(figure.title);
    m_caption = std::move(figure.caption);
    m_provenance = std::move(figure.provenance);
    m_plot = std::move(*plot);
    m_series.clear();
    m_drawn.clear();
    for (Series const& series : m_plot.series) m_series.emplace_back(series);
    m_drawn.resize(m_series.size());
    m_plot.series.clear();
    m_hover.reset();
    m_linked.reset();
    m_moving.reset();
    m_movable.clear();
    m_live_series = 0;
    navigator().reset();
    navigator().x_logarithmic = m_plot.x.logarithmic;
    navigator().y_logarithmic = m_plot.y.logarithmic;
    find_home();
    place_legend();
    index_keys();
    read_selection();
    describe();
    request_frames(2);
    return {};
}

void XyCanvas::clear() {
    set_live(false);
    // A plot without series has nothing that could be refused.
    Figure nothing;
    nothing.content = XyPlot();
    if (Result<void> const done = set_figure(std::move(nothing)); !done.ok()) return;
}

Figure XyCanvas::figure() const {
    Figure result;
    result.title = m_title;
    result.caption = m_caption;
    result.provenance = m_provenance;
    XyPlot plot = m_plot;
    for (XySeries const& series : m_series) plot.series.push_back(series.series());
    result.content = std::move(plot);
    return result;
}

bool XyCanvas::empty() const {
    return std::all_of(m_series.begin(), m_series.end(), [](XySeries const& series) { return series.size() == 0; });
}

Result<void> XyCanvas::append(int number, std::span<double const> x, std::span<double const> y,
                              std::span<double const> error) {
    if (number < 0 || number >= static_cast<int>(m_series.size())) {
        return internal_error("there is no series " + std::to_string(number));
    }
    if ((!x.empty() && x.size() != y.size()) || (!error.empty() && error.size() != y.size())) {
        return internal_error("x, y and errors to append differ in length", "series " + series(number).name());
    }
    if (y.empty()) return {};
    m_series[static_cast<std::size_t>(number)].append(x, y, error);
    m_live_series = number;
    m_since_point.start();
    set_live(true);
    find_home();
    request_frames();
    return {};
}

int XyCanvas::add_series(Series const& series) {
    m_series.emplace_back(series);
    m_drawn.emplace_back();
    find_home();
    place_legend();
    index_keys();
    request_frames();
    return static_cast<int>(m_series.size()) - 1;
}

Result<void> XyCanvas::replace_series(int number, Series const& series) {
    if (number < 0 || number >= static_cast<int>(m_series.size()))
        return internal_error("there is no series " + std::to_string(number));
    ORRERY_CHECK(check_series(series));
    auto const at = static_cast<std::size_t>(number);
    bool const visible = m_drawn[at].visible;
    m_series[at] = XySeries(series);
    m_drawn[at] = Drawn{};
    m_drawn[at].visible = visible;
    if (m_live) {  // what is replaced while a job runs is news
        m_live_series = number;
        m_since_point.start();
    }
    if (m_hover && m_hover->series == number && m_hover->index >= series.y.size()) m_hover.reset();
    if (m_moving && m_moving->series == number && m_moving->index >= series.y.size()) m_moving.reset();
    find_home();
    index_keys();
    read_selection();
    request_frames();
    return {};
}

void XyCanvas::set_movable(int number, bool movable) {
    std::erase(m_movable, number);
    if (movable) m_movable.push_back(number);
}

void XyCanvas::set_live(bool live) {
    if (live && !m_since_point.isValid()) m_since_point.start();
    m_live = live;
    if (live) {
        tick();
    } else {
        m_timer.stop();
        m_since_point.invalidate();
        request_frames();
    }
}

// The pulse lasts a second; after it the age is written anew each second, and after a minute four times a minute.
void XyCanvas::tick() {
    qint64 const age = m_since_point.elapsed();
    m_timer.start(age < 1000 ? 50 : (age < 60'000 ? 1000 : 15'000));
    if (isVisible()) request_frames();
}

void XyCanvas::find_home() {
    bool const x_log = m_plot.x.logarithmic, y_log = m_plot.y.logarithmic;
    constexpr double infinite = std::numeric_limits<double>::infinity();
    Extent all{infinite, -infinite, infinite, -infinite};
    for (XySeries const& series : m_series) {
        Extent const one = series.extent(x_log, y_log);
        all = {std::min(all.x_min, one.x_min), std::max(all.x_max, one.x_max), std::min(all.y_min, one.y_min),
               std::max(all.y_max, one.y_max)};
    }
    if (all.empty()) all = x_log || y_log ? Extent{1, 10, 1, 10} : Extent{0, 1, 0, 1};
    if (m_plot.kind == XyKind::bars && !y_log) {
        all.y_min = std::min(all.y_min, 0.0);
        all.y_max = std::max(all.y_max, 0.0);
    }
    if (m_plot.identity_line) {
        all.x_min = all.y_min = std::min(all.x_min, all.y_min);
        all.x_max = all.y_max = std::max(all.x_max, all.y_max);
    }
    for (double const value : m_plot.horizontal_lines) {
        if (y_log && value <= 0) continue;
        all.y_min = std::min(all.y_min, value);
        all.y_max = std::max(all.y_max, value);
    }
    m_decimals_x = decimals_for((all.x_max - all.x_min) / 2);
    m_decimals_y = decimals_for((all.y_max - all.y_min) / 2);
    auto const side = [](Axis const& axis, double low, double high, double margin_low, double margin_high) {
        low = to_axis_unit(low, axis.logarithmic);
        high = to_axis_unit(high, axis.logarithmic);
        double const span = high > low ? high - low : std::max(1.0, std::abs(low) * 0.1);
        if (!(high > low)) {
            low -= span / 2;
            high += span / 2;
        }
        low -= span * margin_low;
        high += span * margin_high;
        if (axis.minimum < axis.maximum) {
            low = to_axis_unit(axis.minimum, axis.logarithmic);
            high = to_axis_unit(axis.maximum, axis.logarithmic);
        }
        return std::pair{low, high};
    };
    double const x_margin = m_plot.kind == XyKind::line ? 0.0 : 0.04;
    auto [x_min, x_max] = side(m_plot.x, all.x_min, all.x_max, x_margin, m_plot.kind == XyKind::line ? 0.01 : x_margin);
    if (categorical()) {
        x_min = -0.5;
        x_max = static_cast<double>(m_plot.x.categories.size()) - 0.5;
    }
    bool const on_ground = m_plot.kind == XyKind::bars && all.y_min == 0;
    auto const [y_min, y_max] = side(m_plot.y, all.y_min, all.y_max, on_ground ? 0 : 0.05, 0.05);
    navigator().set_home({x_min, x_max, y_min, y_max});
}

// The corner with the fewest points, so that the legend hides as little as it can.
void XyCanvas::place_legend() {
    std::array<int, 4> points{};  // upper right, upper left, lower right, lower left
    PlotLimits const& home = navigator().home();
    for (XySeries const& one : m_series) {
        std::size_t const step = std::max<std::size_t>(1, one.size() / 2000);
        for (std::size_t index = 0; index < one.size(); index += step) {
            double const x =
                (to_axis_unit(one.x()[index], m_plot.x.logarithmic) - home.x_min) / (home.x_max - home.x_min);
            double const y =
                (to_axis_unit(one.y()[index], m_plot.y.logarithmic) - home.y_min) / (home.y_max - home.y_min);
            // A bar fills all between its end and zero, so for bars only the height counts.
            double const reach_y = m_plot.kind == XyKind::bars ? 0.0 : y;
            std::size_t const side = x > 0.5 ? 0 : 1;
            if (x > 0.3 && x < 0.7) continue;
            if (y > 0.7) ++points[side];
            if (y < 0.3 || reach_y < 0.3) ++points[2 + side];
        }
    }
    m_legend_corner = static_cast<int>(std::min_element(points.begin(), points.end()) - points.begin());
}

void XyCanvas::index_keys() {
    m_point_of_key.clear();
    for (int number = 0; number < static_cast<int>(m_series.size()); ++number) {
        std::vector<std::string> const& keys = series(number).keys();
        for (std::size_t index = 0; index < keys.size(); ++index) {
            m_point_of_key.insert(QString::fromStdString(keys[index]), {number, index});
        }
    }
}

void XyCanvas::set_selection(SelectionModel* selection, QString const& kind) {
    if (m_selection != nullptr) m_selection->disconnect(this);
    m_selection = selection;
    m_kind = kind;
    if (m_selection != nullptr) {
        connect(m_selection, &SelectionModel::selection_changed, this, &XyCanvas::read_selection);
        connect(m_selection, &SelectionModel::hover_changed, this, &XyCanvas::read_hover);
    }
    read_selection();
}

void XyCanvas::set_empty_text(QString const& title, QString const& hint) {
    m_empty_title = title.toStdString();
    m_empty_hint = hint.toStdString();
    request_frames();
}

void XyCanvas::read_selection() {
    m_selected.clear();
    if (m_selection != nullptr) {
        for (QString const& key : m_selection->selected(m_kind)) {
            auto const found = m_point_of_key.constFind(key);
            if (found != m_point_of_key.constEnd()) m_selected.push_back(*found);
        }
    }
    request_frames();
}

void XyCanvas::read_hover() {
    std::optional<XyPoint> point;
    if (m_selection != nullptr) {
        auto const found = m_point_of_key.constFind(m_selection->hovered(m_kind));
        if (found != m_point_of_key.constEnd()) point = *found;
    }
    if (point == m_linked) return;
    m_linked = point;
    request_frames();
}

double XyCanvas::bar_width() const {
    double step = 1;
    if (!categorical() && !m_series.empty() && series(0).size() > 1 && series(0).sorted()) {
        step = (series(0).x().back() - series(0).x()[0]) / static_cast<double>(series(0).size() - 1);
    }
    return step * 0.76 / std::max<double>(1, static_cast<double>(m_series.size()));
}

double XyCanvas::bar_center(XyPoint point) const {
    double const middle = (static_cast<double>(m_series.size()) - 1) / 2;
    return series(point.series).x()[point.index] + (point.series - middle) * bar_width();
}

QPointF XyCanvas::position(XyPoint point) const {
    XySeries const& one = series(point.series);
    double const x = m_plot.kind == XyKind::bars ? bar_center(point) : one.x()[point.index];
    return navigator().to_pixel(x, one.y()[point.index]);
}

std::optional<XyPoint> XyCanvas::bar_at(QPointF position) const {
    QPointF const at = navigator().to_data(position);
    for (int number = 0; number < static_cast<int>(m_series.size()); ++number) {
        for (std::size_t index = 0; index < series(number).size(); ++index) {
            double const value = series(number).y()[index];
            if (std::abs(at.x() - bar_center({number, index})) > bar_width() / 2) continue;
            // Short bars can be met a little above their end.
            double const slack =
                6 * (navigator().limits().y_max - navigator().limits().y_min) / navigator().area().height();
            if (at.y() >= std::min(0.0, value) - slack && at.y() <= std::max(0.0, value) + slack)
                return XyPoint{number, index};
        }
    }
    return std::nullopt;
}

std::optional<XyPoint> XyCanvas::point_at(QPointF position) const {
    if (m_plot.kind == XyKind::bars) return bar_at(position);
    std::optional<XyPoint> nearest;
    double best = reach * reach;
    double const left = navigator().to_data(position - QPointF(reach, 0)).x();
    double const right = navigator().to_data(position + QPointF(reach, 0)).x();
    for (int number = 0; number < static_cast<int>(m_series.size()); ++number) {
        XySeries const& one = series(number);
        if (!m_drawn[static_cast<std::size_t>(number)].visible || one.faint()) continue;
        std::size_t first = 0, last = one.size();
        if (one.sorted() && last > 0) {
            first = lower_bound_from(one.x(), 0, left, last / 2 + 1);
            last = lower_bound_from(one.x(), first, right);
        }
        for (std::size_t index = first; index < last; ++index) {
            double const dx = navigator().x_to_pixel(one.x()[index]) - position.x();
            if (!(std::abs(dx) <= reach)) continue;
            double const dy = navigator().y_to_pixel(one.y()[index]) - position.y();
            double const distance = dx * dx + dy * dy;
            if (distance < best) {
                best = distance;
                nearest = XyPoint{number, index};
            }
        }
    }
    return nearest;
}

std::string XyCanvas::read_out(XyPoint point) const {
    XySeries const& one = series(point.series);
    auto const value = [](Axis const& axis, double number, int decimals) {
        if (!axis.categories.empty()) {
            auto const at = static_cast<std::size_t>(std::max(0.0, std::round(number)));
            return at < axis.categories.size() ? axis.categories[at] : std::string();
        }
        std::string const shown = decimals < 0 ? exact_text(number) : fixed_text(number, decimals);
        return shown + (axis.unit.empty() ? "" : " " + axis.unit);
    };
    std::string text = one.label(point.index);
    if (text.empty() && m_series.size() > 1) text = one.name();
    if (!text.empty()) text += ": ";
    // Along a line the place matters to the last sample; between points the spread of the plot does.
    text += value(m_plot.x, one.x()[point.index], m_plot.kind == XyKind::line ? -1 : m_decimals_x) + ", ";
    text += fixed_text(one.y()[point.index], m_decimals_y);
    if (point.index < one.error().size() && std::isfinite(one.error()[point.index])) {
        text += " ± " + fixed_text(one.error()[point.index], m_decimals_y);
    }
    if (!m_plot.y.unit.empty()) text += " " + m_plot.y.unit;
    return text;
}

void XyCanvas::pointer_moved(std::optional<QPointF> position) {
    std::optional<XyPoint> const point = position ? point_at(*position) : std::nullopt;
    if (point == m_hover) return;
    m_hover = point;
    emit hovered(point ? QString::fromStdString(read_out(*point)) : QString());
    if (m_selection != nullptr) {
        m_selection->hover(m_kind, point ? QString::fromStdString(series(point->series).key(point->index)) : QString());
    }
    request_frames();
}

void XyCanvas::select(QSet<QString> const& keys) {
    if (m_selection != nullptr) m_selection->select(m_kind, keys);
    emit points_selected(QStringList(keys.begin(), keys.end()));
    request_frames();
}

void XyCanvas::clicked(QPointF position, Qt::KeyboardModifiers held) {
    if (m_point_of_key.isEmpty() || !navigator().area().contains(position)) return;
    std::optional<XyPoint> const point = point_at(position);
    QString const key = point ? QString::fromStdString(series(point->series).key(point->index)) : QString();
    QSet<QString> keys;
    if (held.testFlag(Qt::ControlModifier) && m_selection != nullptr) keys = m_selection->selected(m_kind);
    if (!key.isEmpty() && !keys.remove(key)) keys.insert(key);
    select(keys);
}

void XyCanvas::dragged(QPointF from, QPointF to, Qt::KeyboardModifiers held, bool finished) {
    if (m_moving) {
        move_point(to, finished);
        return;
    }
    if (empty() || !navigator().area().contains(from)) return;
    if (!m_box && !m_movable.empty() && !held.testFlag(Qt::ShiftModifier)) {
        std::optional<XyPoint> const point = point_at(from);
        if (point && std::find(m_movable.begin(), m_movable.end(), point->series) != m_movable.end()) {
            m_moving = point;
            move_point(to, finished);
            return;
        }
    }
    m_box = QRectF(from, to).normalized() & navigator().area();
    m_box_selects = held.testFlag(Qt::ShiftModifier) && !m_point_of_key.isEmpty();
    request_frames();
    if (!finished) return;
    QRectF const box = *m_box;
    m_box.reset();
    if (!m_box_selects) {
        if (box.width() > 4 && box.height() > 4) navigator().zoom_to(box);
        return;
    }
    QSet<QString> keys;
    for (auto at = m_point_of_key.constBegin(); at != m_point_of_key.constEnd(); ++at) {
        if (box.contains(this->position(at.value()))) keys.insert(at.key());
    }
    select(keys);
}

void XyCanvas::move_point(QPointF to, bool finished) {
    XyPoint const point = *m_moving;
    m_moved_to = navigator().to_data(to).y();
    m_hover = point;
    if (finished) m_moving.reset();
    emit point_moved(point.series, static_cast<int>(point.index), m_moved_to, finished);
    request_frames();
}

void XyCanvas::drag_cancelled() {
    m_box.reset();
    if (!m_moving) return;
    XyPoint const point = *m_moving;
    m_moving.reset();
    // Back where it was.
    emit point_moved(point.series, static_cast<int>(point.index), series(point.series).y()[point.index], true);
    request_frames();
}

bool XyCanvas::belongs_to_imgui(QPointF position) const { return m_legend.contains(position); }

void XyCanvas::describe() {
    QString const title = QString::fromStdString(m_title);
    setAccessibleName(title.isEmpty() ? tr("Plot") : tr("Plot: %1").arg(title));
    QStringList parts;
    for (XySeries const& series : m_series) {
        parts << tr("%1: %2 points").arg(QString::fromStdString(series.name())).arg(series.size());
    }
    for (std::string const& note : m_plot.notes) parts << QString::fromStdString(note);
    setAccessibleDescription(empty() ? tr("No data yet") : parts.join(", "));
}

}  // namespace orrery
