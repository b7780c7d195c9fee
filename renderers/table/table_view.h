// The results table of a room: sorted by a click on a header, filtered by text or by expressions (row_filter.h), linked
// with the other views through a key column, copied as TSV. 100,000 rows are fine.
//
//   auto* table = new TableView;
//   table->set_selection(&selection, "mutant", "mutation");   // the column that holds the selection keys
//   table->set_table(results);                                 // again and again while a job runs
//
// Sort order, filter, selection and place are kept when a new table arrives. All calls on the window's thread.
#pragma once

#include "core/base/table.h"
#include "renderers/table/row_filter.h"

#include <QHash>
#include <QPointer>
#include <QSet>
#include <QTimer>
#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace orrery {

class SelectionModel;
class TableDelegate;
class TableModel;

class TableView : public QWidget {
    Q_OBJECT
public:
    explicit TableView(QWidget* parent = nullptr);
    ~TableView() override;

    void set_table(Table table);
    void clear();
    [[nodiscard]] Table const& table() const;
    [[nodiscard]] Table visible_table() const;  // filtered and sorted as shown: what CSV export writes
    [[nodiscard]] int visible_rows() const;

    void set_selection(SelectionModel* selection, QString const& kind, QString const& key_column);
    void set_filter(QString const& text);
    [[nodiscard]] QString filter() const;
    [[nodiscard]] QString filter_error() const;  // empty: none
    // False when there is no such column.
    bool sort_by(QString const& column_name, Qt::SortOrder order);
    void set_empty_text(QString const& title, QString const& hint);
    void set_export_visible(bool visible);

    [[nodiscard]] QSet<QString> selected_keys() const;
    [[nodiscard]] QString selection_as_tsv() const;  // header line and the selected rows, numbers in full
    void copy_selection();
    [[nodiscard]] QTableView* view() const { return m_view; }

signals:
    void export_requested();                 // the button "Export CSV"
    void row_activated(QString const& key);  // Enter or a double click
    void filter_changed(QString const& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void apply_filter();
    Result<RowFilter> read_filter(std::vector<Column> const& columns);
    void restore();
    void index_keys();
    void show_selection(bool reveal = true);  // reveal: scrolls to it if nothing of it is in sight
    void send_selection();
    void show_hover();
    void hover_row(int row);
    void size_columns();
    void update_texts();
    [[nodiscard]] QString key_of(std::size_t source_row) const;

    TableModel* m_model;
    TableDelegate* m_delegate;
    QTableView* m_view;
    QLineEdit* m_filter;
    QLabel* m_count;
    QLabel* m_error;
    QLabel* m_message;
    QPushButton* m_export;
    QTimer m_filter_delay;
    QPointer<SelectionModel> m_selection;
    QString m_kind, m_key_column;
    int m_key_index = -1;
    QMultiHash<QString, int> m_rows_of_key;
    QSet<int> m_selected_rows;  // of the table; kept over sorting and filtering when there are no keys
    QString m_empty_title, m_empty_hint, m_filter_error, m_columns_sized;
    bool m_restoring = false;
    bool m_has_table = false;
};

}  // namespace orrery
