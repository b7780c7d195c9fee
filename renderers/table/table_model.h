// A Table for QTableView: sorted and filtered by a list of row numbers, so that 100,000 rows cost one list and no
// copies.
#pragma once

#include "core/base/table.h"
#include "renderers/table/row_filter.h"

#include <QAbstractTableModel>
#include <cstdint>
#include <vector>

namespace orrery {

class TableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    void set_table(Table table, RowFilter filter);  // an empty filter passes every row
    [[nodiscard]] Table const& table() const { return m_table; }
    void set_filter(RowFilter filter);
    // By value or, for text, naturally; missing cells last either way; equal rows keep the table's order. -1: unsorted.
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;
    [[nodiscard]] int sort_column() const { return m_sort_column; }
    [[nodiscard]] Qt::SortOrder sort_order() const { return m_sort_order; }

    [[nodiscard]] std::size_t source_row(int row) const { return m_order[static_cast<std::size_t>(row)]; }
    [[nodiscard]] int shown_row(std::size_t source) const { return m_shown[source]; }  // -1: filtered out
    [[nodiscard]] bool is_numeric(int column) const;

    [[nodiscard]] int rowCount(QModelIndex const& parent = {}) const override;
    [[nodiscard]] int columnCount(QModelIndex const& parent = {}) const override;
    [[nodiscard]] QVariant data(QModelIndex const& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    void arrange();
    Table m_table;
    RowFilter m_filter;
    int m_sort_column = -1;
    Qt::SortOrder m_sort_order = Qt::AscendingOrder;
    std::vector<std::uint32_t> m_order;  // shown row -> row of the table
    std::vector<std::int32_t> m_shown;   // row of the table -> shown row
};

}  // namespace orrery
