#include "renderers/table/table_model.h"

#include <algorithm>
#include <numeric>

namespace orrery {

void TableModel::set_table(Table table, RowFilter filter) {
    beginResetModel();
    m_table = std::move(table);
    m_filter = std::move(filter);
    if (m_sort_column >= columnCount()) m_sort_column = -1;
    arrange();
    endResetModel();
}

void TableModel::set_filter(RowFilter filter) {
    beginResetModel();
    m_filter = std::move(filter);
    arrange();
    endResetModel();
}

void TableModel::sort(int column, Qt::SortOrder order) {
    if (column == m_sort_column && order == m_sort_order) return;
    beginResetModel();
    m_sort_column = column < columnCount() ? column : -1;
    m_sort_order = order;
    arrange();
    endResetModel();
}

void TableModel::arrange() {
    std::size_t const rows = m_table.rows();
    m_order.clear();
    for (std::size_t row = 0; row < rows; ++row) {
        if (!m_filter || m_filter(m_table, row)) m_order.push_back(static_cast<std::uint32_t>(row));
    }
    if (m_sort_column >= 0) {
        auto const column = static_cast<std::size_t>(m_sort_column);
        bool const falling = m_sort_order == Qt::DescendingOrder;
        auto const present = [&](std::uint32_t row) { return !is_missing(m_table.at(row, column)); };
        auto const end = std::stable_partition(m_order.begin(), m_order.end(), present);
        if (is_numeric(m_sort_column)) {
            std::vector<double> values(rows, 0);
            for (auto at = m_order.begin(); at != end; ++at) {
                Cell const& cell = m_table.at(*at, column);
                auto const* const whole = std::get_if<std::int64_t>(&cell);
                auto const* const real = std::get_if<double>(&cell);
                values[*at] = whole != nullptr ? static_cast<double>(*whole) : real != nullptr ? *real : 0;
            }
            std::stable_sort(m_order.begin(), end, [&](std::uint32_t a, std::uint32_t b) {
                return falling ? values[b] < values[a] : values[a] < values[b];
            });
        } else {
            static std::string const nothing;
            auto const text = [&](std::uint32_t row) -> std::string const& {
                auto const* const found = std::get_if<std::string>(&m_table.at(row, column));
                return found != nullptr ? *found : nothing;
            };
            std::stable_sort(m_order.begin(), end, [&](std::uint32_t a, std::uint32_t b) {
                int const order = natural_compare(text(a), text(b));
                return falling ? order > 0 : order < 0;
            });
        }
    }
    m_shown.assign(rows, -1);
    for (std::size_t index = 0; index < m_order.size(); ++index)
        m_shown[m_order[index]] = static_cast<std::int32_t>(index);
}

bool TableModel::is_numeric(int column) const {
    return m_table.columns()[static_cast<std::size_t>(column)].type != ColumnType::text;
}

int TableModel::rowCount(QModelIndex const& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}
int TableModel::columnCount(QModelIndex const& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_table.columns().size());
}

QVariant TableModel::data(QModelIndex const& index, int role) const {
    if (!index.isValid()) return {};
    auto const column = static_cast<std::size_t>(index.column());
    Cell const& cell = m_table.at(source_row(index.row()), column);
    Column const& description = m_table.columns()[column];
    switch (role) {
        case Qt::DisplayRole:
            return QString::fromStdString(is_missing(cell) ? "–" : shown_text(cell, description));
        case Qt::TextAlignmentRole:
            return static_cast<int>((is_numeric(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        case Qt::ToolTipRole:
            // The number in full, where fewer digits are shown.
            if (is_missing(cell)) return tr("no value");
            return QString::fromStdString(cell_text(cell) + (description.unit.empty() ? "" : " " + description.unit));
        default:
            return {};
    }
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical) {
        if (role == Qt::DisplayRole && section < rowCount()) return static_cast<qulonglong>(source_row(section) + 1);
        return {};
    }
    if (section < 0 || section >= columnCount()) return {};
    Column const& column = m_table.columns()[static_cast<std::size_t>(section)];
    switch (role) {
        case Qt::DisplayRole: {
            std::string const label = column.label.empty() ? column.name : column.label;
            return QString::fromStdString(column.unit.empty() ? label : label + " (" + column.unit + ")");
        }
        case Qt::TextAlignmentRole:
            return static_cast<int>((is_numeric(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        case Qt::ToolTipRole: {
            QString const help = QString::fromStdString(column.help);
            QString const name = tr("Filter by it as: %1").arg(QString::fromStdString(column.name));
            return help.isEmpty() ? name : help + "\n" + name;
        }
        default:
            return {};
    }
}

}  // namespace orrery
