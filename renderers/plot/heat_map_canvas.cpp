#include "renderers/plot/heat_map_canvas.h"

#include "renderers/plot/plot_text.h"
#include "renderers/selection.h"

#include <QKeyEvent>
#include <algorithm>
#include <cmath>

namespace orrery {
namespace {

// Keys of cells are looked up both ways only up to here: beyond, nobody selects single cells by name.
constexpr std::size_t most_cell_keys = 400'000;
// The colours' limits of larger maps are taken from this many cells spread evenly over the map.
constexpr std::size_t most_for_range = 1 << 18;

Result<void> check_sizes(HeatMap const& map) {
    std::size_t const rows = map.rows.categories.size(), columns = map.columns.categories.size();
    auto const wrong = [&](char const* what, std::size_t found, std::size_t needed) {
        return internal_error("the heat map has " + std::to_string(found) + " " + what + " where " +
                                  std::to_string(needed) + " are needed",
                              std::to_string(rows) + " rows x " + std::to_string(columns) + " columns");
    };
    std::size_t const cells = rows * columns;
    auto const fits = [](std::size_t found, std::size_t needed) { return found == 0 || found == needed; };
    if (map.values.size() != cells) return wrong("values", map.values.size(), cells);
    if (!fits(map.errors.size(), cells)) return wrong("errors", map.errors.size(), cells);
    if (!fits(map.marks.size(), cells)) return wrong("marks", map.marks.size(), cells);
    if (!fits(map.column_keys.size(), columns)) return wrong("column keys", map.column_keys.size(), columns);
    if (!fits(map.row_keys.size(), rows)) return wrong("row keys", map.row_keys.size(), rows);
    if (!fits(map.column_groups.size(), columns)) return wrong("column groups", map.column_groups.size(), columns);
    if (!fits(map.row_groups.size(), rows)) return wrong("row groups", map.row_groups.size(), rows);
    for (Series const& strip : map.strips) {
        if (strip.y.size() != columns)
            return wrong(("values of the strip " + strip.name).c_str(), strip.y.size(), columns);
    }
    return {};
}

}  // namespace

HeatMapCanvas::HeatMapCanvas(QWidget* parent) : PlotCanvas(parent) {
    setAccessibleName(tr("Heat map"));
    navigator().bounded = true;
    navigator().y_down = true;
    connect(this, &ImGuiWidget::frame_drawn, this, [this] {
        if (!empty() && !m_levels.complete()) request_frames();
    });
}

HeatMapCanvas::~HeatMapCanvas() { stop_gl(); }

Result<void> HeatMapCanvas::set_figure(Figure figure) {
    auto const* const map_in = std::get_if<HeatMap>(&figure.content);
    if (map_in == nullptr) return internal_error("the figure is a plot of points, not a heat map", figure.title);
    ORRERY_CHECK(check_sizes(*map_in));
    int const rows = static_cast<int>(map_in->rows.categories.size());
    int const columns = static_cast<int>(map_in->columns.categories.size());
    bool const same_shape = rows == m_rows && columns == m_columns;
    m_figure = std::move(figure);
    m_rows = rows;
    m_columns = columns;
    m_row_label_width = m_column_label_width = -1;
    if (!same_shape) {
        m_hover.reset();
        m_pinned.reset();
        navigator().reset();
    }
    navigator().smallest_x_span = std::min(4, std::max(columns, 1));
    navigator().smallest_y_span = std::min(4, std::max(rows, 1));
    if (!empty()) navigator().set_home({0, static_cast<double>(columns), 0, static_cast<double>(rows)});
    m_levels.reset(map().values, static_cast<std::size_t>(rows), static_cast<std::size_t>(columns), map().scale);
    m_tiles.invalidate_all();
    find_range();
    index_keys();
    read_selection();
    describe();
    request_frames(2);
    return {};
}

void HeatMapCanvas::clear() {
    m_figure = Figure();
    m_rows = m_columns = 0;
    m_levels.reset({}, 0, 0, ColorScale::diverging);
    m_tiles.invalidate_all();
    m_hover.reset();
    m_pinned.reset();
    navigator().reset();
    index_keys();
    read_selection();
    describe();
    request_frames(2);
}

std::size_t HeatMapCanvas::index(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(m_columns) + static_cast<std::size_t>(column);
}

std::uint8_t HeatMapCanvas::mark(int row, int column) const {
    return map().marks.empty() ? std::uint8_t{0} : map().marks[index(row, column)];
}

void HeatMapCanvas::find_range() {
    std::vector<double> const& values = map().values;
    if (map().scale == ColorScale::diverging && map().limit != 0) {
        HeatMap fixed;  // the values have no say
        fixed.limit = map().limit;
        m_range = color_range(fixed);
    } else if (values.size() <= most_for_range) {
        m_range = color_range(map());
    } else {
        HeatMap sample;
        sample.scale = map().scale;
        sample.limit = map().limit;
        // An odd step that is no divisor of the columns walks over all of them.
        std::size_t step = values.size() / most_for_range | 1;
        while (static_cast<std::size_t>(m_columns) % step == 0 && step > 1) step += 2;
        for (std::size_t at = 0; at < values.size(); at += step) sample.values.push_back(values[at]);
        m_range = color_range(sample);
    }
    m_decimals = decimals_for(std::max(std::abs(m_range.minimum), std::abs(m_range.maximum)) / 2);
}

void HeatMapCanvas::cells_changed(std::size_t row, std::size_t row_end, std::size_t column, std::size_t column_end) {
    ColorRange const before = m_range;
    find_range();
    m_levels.update(row, row_end, column, column_end);
    if (before.minimum == m_range.minimum && before.maximum == m_range.maximum) {
        m_tiles.invalidate(row, row_end, column, column_end);
    } else {
        m_tiles.invalidate_all();
    }
    describe();
    request_frames(2);
}

Result<void> HeatMapCanvas::set_column(int column, std::span<double const> values, std::span<double const> errors) {
    if (empty()) return internal_error("no heat map is shown yet");
    if (column < 0 || column >= m_columns) return internal_error("there is no column " + std::to_string(column));
    auto const rows = static_cast<std::size_t>(m_rows);
    if (values.size() != rows || (!errors.empty() && errors.size() != rows)) {
        return internal_error("a column of " + std::to_string(values.size()) + " values for a map of " +
                              std::to_string(rows) + " rows");
    }
    if (!errors.empty() && map().errors.empty()) map().errors.assign(map().values.size(), std::nan(""));
    for (int row = 0; row < m_rows; ++row) {
        map().values[index(row, column)] = values[static_cast<std::size_t>(row)];
        if (!errors.empty()) map().errors[index(row, column)] = errors[static_cast<std::size_t>(row)];
    }
    auto const at = static_cast<std::size_t>(column);
    cells_changed(0, rows, at, at + 1);
    return {};
}

Result<void> HeatMapCanvas::set_cell(int row, int column, double value, double error) {
    if (empty()) return internal_error("no heat map is shown yet");
    if (row < 0 || row >= m_rows || column < 0 || column >= m_columns) {
        return internal_error("there is no cell " + std::to_string(row) + ", " + std::to_string(column));
    }
    if (std::isfinite(error) && map().errors.empty()) map().errors.assign(map().values.size(), std::nan(""));
    map().values[index(row, column)] = value;
    if (!map().errors.empty()) map().errors[index(row, column)] = error;
    auto const r = static_cast<std::size_t>(row), c = static_cast<std::size_t>(column);
    cells_changed(r, r + 1, c, c + 1);
    return {};
}

Result<void> HeatMapCanvas::set_marks(std::vector<std::uint8_t> marks) {
    if (empty()) return internal_error("no heat map is shown yet");
    if (!marks.empty() && marks.size() != map().values.size()) {
        return internal_error(std::to_string(marks.size()) + " marks for " + std::to_string(map().values.size()) +
                              " cells");
    }
    map().marks = std::move(marks);
    request_frames();
    return {};
}

void HeatMapCanvas::set_selection(SelectionModel* selection, QString const& column_kind, QString const& cell_kind) {
    if (m_selection != nullptr) m_selection->disconnect(this);
    m_selection = selection;
    m_column_kind = column_kind;
    m_cell_kind = cell_kind;
    if (m_selection != nullptr) {
        connect(m_selection, &SelectionModel::selection_changed, this, &HeatMapCanvas::read_selection);
        connect(m_selection, &SelectionModel::hover_changed, this, &HeatMapCanvas::read_hover);
    }
    read_selection();
}

void HeatMapCanvas::set_cell_key(std::function<QString(int, int)> key) {
    m_cell_key = std::move(key);
    index_keys();
    read_selection();
}

void HeatMapCanvas::set_empty_text(QString const& title, QString const& hint) {
    m_empty_title = title.toStdString();
    m_empty_hint = hint.toStdString();
    request_frames();
}

void HeatMapCanvas::index_keys() {
    m_column_of_key.clear();
    m_cell_of_key.clear();
    if (empty()) return;
    for (int column = 0; column < m_columns && !map().column_keys.empty(); ++column) {
        m_column_of_key.insert(column_key(column), column);
    }
    if (!m_cell_key || map().values.size() > most_cell_keys) return;
    for (int row = 0; row < m_rows; ++row) {
        for (int column = 0; column < m_columns; ++column) {
            QString const key = m_cell_key(row, column);
            if (!key.isEmpty()) m_cell_of_key.insert(key, {row, column});
        }
    }
}

QString HeatMapCanvas::column_key(int column) const {
    if (map().column_keys.empty()) return {};
    return QString::fromStdString(map().column_keys[static_cast<std::size_t>(column)]);
}

QString HeatMapCanvas::cell_key(int row, int column) const { return m_cell_key ? m_cell_key(row, column) : QString(); }

void HeatMapCanvas::read_selection() {
    m_selected_columns.clear();
    m_selected_cells.clear();
    if (m_selection != nullptr) {
        for (QString const& key : m_selection->selected(m_column_kind)) {
            auto const found = m_column_of_key.constFind(key);
            if (found != m_column_of_key.constEnd()) m_selected_columns.insert(*found);
        }
        for (QString const& key : m_selection->selected(m_cell_kind)) {
            auto const found = m_cell_of_key.constFind(key);
            if (found != m_cell_of_key.constEnd()) m_selected_cells.push_back(*found);
        }
    }
    request_frames();
}

void HeatMapCanvas::read_hover() {
    int column = -1;
    std::optional<HeatMapCell> cell;
    if (m_selection != nullptr) {
        column = m_column_of_key.value(m_selection->hovered(m_column_kind), -1);
        auto const found = m_cell_of_key.constFind(m_selection->hovered(m_cell_kind));
        if (found != m_cell_of_key.constEnd()) cell = *found;
    }
    if (column == m_linked_column && cell == m_linked_cell) return;
    m_linked_column = column;
    m_linked_cell = cell;
    request_frames();
}

std::optional<HeatMapCell> HeatMapCanvas::cell_at(QPointF position) const {
    if (empty() || !navigator().area().contains(position)) return std::nullopt;
    QPointF const at = navigator().to_data(position);
    return HeatMapCell{std::clamp(static_cast<int>(std::floor(at.y())), 0, m_rows - 1),
                       std::clamp(static_cast<int>(std::floor(at.x())), 0, m_columns - 1)};
}

int HeatMapCanvas::wild_type_row(int column) const {
    if (map().marks.empty()) return -1;
    for (int row = 0; row < m_rows; ++row) {
        if ((mark(row, column) & 1) != 0) return row;
    }
    return -1;
}

std::string HeatMapCanvas::read_out(int row, int column) const {
    if (empty() || row < 0 || row >= m_rows || column < 0 || column >= m_columns) return {};
    auto const label = [](Axis const& axis, int at) { return axis.categories[static_cast<std::size_t>(at)]; };
    std::string text =
        map().column_keys.empty() ? label(map().columns, column) : map().column_keys[static_cast<std::size_t>(column)];
    int const wild_type = wild_type_row(column);
    text += " ";
    if (wild_type >= 0 && wild_type != row) text += label(map().rows, wild_type) + "→";
    text += label(map().rows, row);
    double const value = map().values[index(row, column)];
    if (std::isnan(value)) return text + " not computed";
    text += " " + fixed_text(value, m_decimals);
    if (!map().errors.empty()) {
        double const error = map().errors[index(row, column)];
        if (std::isfinite(error)) text += " ± " + fixed_text(error, m_decimals);
    }
    if (!map().value_unit.empty()) text += " " + map().value_unit;
    return text;
}

QRectF HeatMapCanvas::cell_rect(int row, int column) const {
    QPointF const a = navigator().to_pixel(column, row), b = navigator().to_pixel(column + 1, row + 1);
    return QRectF(a, b);
}

void HeatMapCanvas::hover(std::optional<HeatMapCell> cell) {
    if (cell == m_hover) return;
    m_hover = cell;
    emit hovered(cell ? QString::fromStdString(read_out(cell->row, cell->column)) : QString());
    if (m_selection != nullptr) {
        m_selection->hover(m_column_kind, cell ? column_key(cell->column) : QString());
        m_selection->hover(m_cell_kind, cell ? cell_key(cell->row, cell->column) : QString());
    }
    request_frames();
}

void HeatMapCanvas::pointer_moved(std::optional<QPointF> position) {
    m_pointer_inside = position.has_value();
    hover(position ? cell_at(*position) : std::nullopt);
}

void HeatMapCanvas::pin(std::optional<HeatMapCell> cell) {
    if (cell && (cell->row < 0 || cell->row >= m_rows || cell->column < 0 || cell->column >= m_columns)) return;
    if (cell == m_pinned) return;
    m_pinned = cell;
    emit cell_pinned(cell ? cell->row : -1, cell ? cell->column : -1);
    if (m_selection != nullptr) {
        QString const in_column = cell ? column_key(cell->column) : QString();
        QString const in_cell = cell ? cell_key(cell->row, cell->column) : QString();
        m_selection->select(m_column_kind, in_column.isEmpty() ? QSet<QString>() : QSet<QString>{in_column});
        m_selection->select(m_cell_kind, in_cell.isEmpty() ? QSet<QString>() : QSet<QString>{in_cell});
    }
    request_frames();
}

void HeatMapCanvas::clicked(QPointF position, Qt::KeyboardModifiers) {
    std::optional<HeatMapCell> const cell = cell_at(position);
    pin(cell == m_pinned ? std::nullopt : cell);
}

void HeatMapCanvas::dragged(QPointF from, QPointF to, Qt::KeyboardModifiers, bool finished) {
    if (empty() || !navigator().area().contains(from)) return;
    auto const column = [this](QPointF at) {
        double const x =
            std::clamp(navigator().to_data(at).x(), navigator().limits().x_min, navigator().limits().x_max);
        return std::clamp(static_cast<int>(std::floor(x)), 0, m_columns - 1);
    };
    auto const [first, last] = std::minmax({column(from), column(to)});
    m_brush = {first, last};
    request_frames();
    if (!finished) return;
    m_brush.reset();
    emit columns_brushed(first, last);
    if (m_selection == nullptr || map().column_keys.empty()) return;
    QSet<QString> keys;
    for (int index = first; index <= last; ++index) keys.insert(column_key(index));
    m_selection->select(m_column_kind, keys);
}

void HeatMapCanvas::drag_cancelled() { m_brush.reset(); }

void HeatMapCanvas::key(QKeyEvent* event) {
    if (empty()) {
        event->ignore();
        return;
    }
    HeatMapCell cell = m_hover.value_or(m_pinned.value_or(HeatMapCell{0, 0}));
    bool const first_step = !m_hover && !m_pinned;
    switch (event->key()) {
        case Qt::Key_Left:
            cell.column -= first_step ? 0 : 1;
            break;
        case Qt::Key_Right:
            cell.column += first_step ? 0 : 1;
            break;
        case Qt::Key_Up:
            cell.row -= first_step ? 0 : 1;
            break;
        case Qt::Key_Down:
            cell.row += first_step ? 0 : 1;
            break;
        case Qt::Key_Home:
            cell.column = 0;
            break;
        case Qt::Key_End:
            cell.column = m_columns - 1;
            break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Space:
            pin(cell);
            return;
        case Qt::Key_Escape:
            hover(std::nullopt);
            pin(std::nullopt);
            if (m_selection != nullptr) m_selection->select(m_column_kind, {});
            return;
        default:
            event->ignore();
            return;
    }
    cell.row = std::clamp(cell.row, 0, m_rows - 1);
    cell.column = std::clamp(cell.column, 0, m_columns - 1);
    m_pointer_inside = true;
    hover(cell);
}

void HeatMapCanvas::describe() {
    if (empty()) {
        setAccessibleDescription(tr("No data yet"));
        return;
    }
    QString const title = QString::fromStdString(m_figure.title);
    setAccessibleName(title.isEmpty() ? tr("Heat map") : tr("Heat map: %1").arg(title));
    setAccessibleDescription(tr("%1 rows, %2 columns").arg(m_rows).arg(m_columns));
}

}  // namespace orrery
