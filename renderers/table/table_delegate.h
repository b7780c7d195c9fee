// Paints the cells: numbers with figures of equal width (Inter's own are not, and Qt 6.4 can't ask for its tabular
// ones), missing cells faint, and the row under the pointer in another view with a bar at its left.
#pragma once

#include <QStyledItemDelegate>

namespace orrery {

class TableModel;

class TableDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    TableDelegate(TableModel const& model, QObject* parent) : QStyledItemDelegate(parent), m_model(model) {}
    void set_linked_row(int row) { m_linked_row = row; }
    [[nodiscard]] int linked_row() const { return m_linked_row; }
    void paint(QPainter* painter, QStyleOptionViewItem const& option, QModelIndex const& index) const override;
    // Width of a number as painted, in pixels.
    [[nodiscard]] static qreal tabular_width(QString const& text, QFontMetricsF const& metrics);

private:
    TableModel const& m_model;
    int m_linked_row = -1;
};

}  // namespace orrery
