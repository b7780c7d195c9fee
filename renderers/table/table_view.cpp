#include "renderers/table/table_view.h"

#include "renderers/selection.h"
#include "renderers/table/table_delegate.h"
#include "renderers/table/table_model.h"
#include "renderers/theme_style.h"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QScrollBar>
#include <QTableView>
#include <algorithm>

namespace orrery {
namespace {

constexpr int quick_rows = 20'000;    // up to here every letter typed filters at once
constexpr int rows_for_widths = 300;  // rows looked at for the width of a column
constexpr int widest_column = 320;

std::string tsv_field(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char letter) { return letter == '\t' || letter == '\n' || letter == '\r'; }, ' ');
    return text;
}

}  // namespace

TableView::TableView(QWidget* parent)
    : QWidget(parent),
      m_model(new TableModel(this)),
      m_delegate(new TableDelegate(*m_model, this)),
      m_view(new QTableView(this)),
      m_filter(new QLineEdit(this)),
      m_count(new QLabel(this)),
      m_error(new QLabel(this)),
      m_message(new QLabel(m_view->viewport())),
      m_export(new QPushButton(tr("Export CSV…"), this)),
      m_bar(new QHBoxLayout),
      m_empty_title(tr("No data yet")),
      m_empty_hint(tr("Rows appear here as results arrive.")) {
    m_filter->setPlaceholderText(tr("Filter: a word, or a condition"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setAccessibleName(tr("Filter rows"));
    m_filter->setToolTip(
        tr("A word that a row must hold, or conditions on columns:\n"
           "ddg_mean > 1 and chain = A        < <= > >= = != ~ (contains)\n"
           "measured = missing        and, or, not, ( )"));
    m_count->setProperty("role", "secondary");
    m_error->setProperty("role", "error");
    m_error->setWordWrap(true);
    m_error->hide();
    m_export->setProperty("quiet", true);

    m_view->setModel(m_model);
    m_view->setItemDelegate(m_delegate);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setAlternatingRowColors(false);
    m_view->setShowGrid(false);
    m_view->setWordWrap(false);
    m_view->setCornerButtonEnabled(false);
    m_view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setMouseTracking(true);
    m_view->setAccessibleName(tr("Results"));
    m_view->setTabKeyNavigation(false);
    // A fixed height keeps Qt from asking every one of 100,000 rows for its own.
    m_view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_view->verticalHeader()->hide();
    m_view->horizontalHeader()->setSortIndicatorShown(true);
    m_view->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    m_view->horizontalHeader()->setSectionsMovable(true);
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->setSortingEnabled(true);
    m_view->viewport()->installEventFilter(this);
    m_message->setAlignment(Qt::AlignCenter);
    m_message->setProperty("role", "secondary");
    m_message->setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusProxy(m_view);

    m_bar->setContentsMargins(0, 0, 0, 0);
    m_bar->setSpacing(8);
    m_bar->addWidget(m_filter, 1);
    m_bar->addWidget(m_count);
    m_bar->addWidget(m_export);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(m_bar);
    layout->addWidget(m_error);
    layout->addWidget(m_view, 1);

    m_filter_delay.setSingleShot(true);
    m_filter_delay.setInterval(150);
    connect(&m_filter_delay, &QTimer::timeout, this, &TableView::apply_filter);
    connect(m_filter, &QLineEdit::textChanged, this, [this](QString const& text) {
        if (static_cast<int>(m_model->table().rows()) <= quick_rows) {
            apply_filter();
        } else {
            m_filter_delay.start();
        }
        emit filter_changed(text);
    });
    connect(m_export, &QPushButton::clicked, this, &TableView::export_requested);
    connect(m_model, &QAbstractItemModel::modelReset, this, &TableView::restore);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &TableView::send_selection);
    connect(m_view, &QTableView::entered, this, [this](QModelIndex const& index) { hover_row(index.row()); });
    connect(m_view, &QTableView::activated, this,
            [this](QModelIndex const& index) { emit row_activated(key_of(m_model->source_row(index.row()))); });
    auto const restyle = [this] {
        double const scale = ThemeNotifier::instance().theme().scale;
        m_view->verticalHeader()->setDefaultSectionSize(static_cast<int>(28 * scale));
        m_columns_sized.clear();
        size_columns();
        m_view->viewport()->update();
    };
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, restyle);
    restyle();
    update_texts();
}

TableView::~TableView() = default;

Table const& TableView::table() const { return m_model->table(); }
int TableView::visible_rows() const { return m_model->rowCount(); }
QString TableView::filter() const { return m_filter->text(); }
QString TableView::filter_error() const { return m_filter_error; }
void TableView::set_filter(QString const& text) { m_filter->setText(text); }
void TableView::set_export_visible(bool visible) { m_export->setVisible(visible); }

void TableView::add_button(QPushButton* button) {
    button->setProperty("quiet", true);
    m_bar->insertWidget(m_bar->indexOf(m_export), button);
}

void TableView::set_table(Table table) {
    QSet<QString> const kept = selected_keys();
    int const place = m_view->verticalScrollBar()->value();
    bool const filled_before = m_model->rowCount() > 0;
    m_has_table = true;
    m_rows_of_key.clear();
    if (m_key_index >= 0) m_selected_rows.clear();
    m_key_index = table.column_index(m_key_column.toStdString());
    // The example is one of this table's own.
    for (Column const& column : table.columns()) {
        if (column.type != ColumnType::real) continue;
        m_filter->setPlaceholderText(tr("Filter: a word, or %1 > 1").arg(QString::fromStdString(column.name)));
        break;
    }
    // The filter speaks of columns: it is read anew for those of the new table.
    Result<RowFilter> filter = read_filter(table.columns());
    m_model->set_table(std::move(table), filter.ok() ? std::move(filter).value() : RowFilter());
    index_keys();
    if (m_selection == nullptr && m_key_index >= 0) {
        for (QString const& key : kept) {
            for (int const row : m_rows_of_key.values(key)) m_selected_rows.insert(row);
        }
    }
    size_columns();
    m_view->verticalScrollBar()->setValue(place);
    // A table that is filled anew and anew (a job runs) stays where the user scrolled to.
    show_selection(!filled_before);
}

Result<RowFilter> TableView::read_filter(std::vector<Column> const& columns) {
    Result<RowFilter> filter = parse_row_filter(m_filter->text().toStdString(), columns);
    m_filter_error = filter.ok() || !m_has_table ? QString() : QString::fromStdString(filter.error().message());
    set_property(*m_filter, "invalid", !m_filter_error.isEmpty());
    m_error->setText(m_filter_error);
    m_error->setVisible(!m_filter_error.isEmpty());
    return filter;
}

void TableView::clear() {
    m_selected_rows.clear();
    set_table(Table());
    m_has_table = false;
    update_texts();
}

Table TableView::visible_table() const {
    Table const& all = m_model->table();
    Table result(all.columns());
    for (int row = 0; row < m_model->rowCount(); ++row) {
        std::vector<Cell> cells;
        for (std::size_t column = 0; column < all.columns().size(); ++column)
            cells.push_back(all.at(m_model->source_row(row), column));
        result.add_row(std::move(cells));
    }
    return result;
}

void TableView::set_empty_text(QString const& title, QString const& hint) {
    m_empty_title = title;
    m_empty_hint = hint;
    update_texts();
}

bool TableView::sort_by(QString const& column_name, Qt::SortOrder order) {
    int const column = table().column_index(column_name.toStdString());
    if (column < 0) return false;
    m_view->sortByColumn(column, order);
    return true;
}

void TableView::apply_filter() {
    m_filter_delay.stop();
    Result<RowFilter> filter = read_filter(table().columns());
    // A half-typed condition leaves the rows as they are.
    if (filter.ok()) m_model->set_filter(std::move(filter).value());
}

void TableView::index_keys() {
    m_rows_of_key.clear();
    if (m_key_index < 0) return;
    m_rows_of_key.reserve(static_cast<int>(table().rows()));
    for (std::size_t row = 0; row < table().rows(); ++row) {
        QString const key = key_of(row);
        if (!key.isEmpty()) m_rows_of_key.insert(key, static_cast<int>(row));
    }
    show_selection();
}

QString TableView::key_of(std::size_t source_row) const {
    if (m_key_index < 0) return {};
    return QString::fromStdString(cell_text(table().at(source_row, static_cast<std::size_t>(m_key_index))));
}

void TableView::set_selection(SelectionModel* selection, QString const& kind, QString const& key_column) {
    if (m_selection != nullptr) m_selection->disconnect(this);
    m_selection = selection;
    m_kind = kind;
    m_key_column = key_column;
    m_key_index = table().column_index(key_column.toStdString());
    if (m_selection != nullptr) {
        auto const mine = [this](QString const& changed) { return changed == m_kind; };
        connect(m_selection, &SelectionModel::selection_changed, this, [this, mine](QString const& changed) {
            if (mine(changed)) show_selection();
        });
        connect(m_selection, &SelectionModel::hover_changed, this, [this, mine](QString const& changed) {
            if (mine(changed)) show_hover();
        });
    }
    index_keys();
}

// After sorting, filtering or a new table the view has lost its selection: it is made again from the keys.
void TableView::restore() {
    m_delegate->set_linked_row(-1);
    show_selection();
    update_texts();
}

void TableView::show_selection(bool reveal) {
    QSet<int> rows = m_selected_rows;
    if (m_selection != nullptr && m_key_index >= 0) {
        rows.clear();
        for (QString const& key : m_selection->selected(m_kind)) {
            for (int const row : m_rows_of_key.values(key)) rows.insert(row);
        }
        m_selected_rows = rows;
    }
    std::vector<int> shown;
    for (int const row : rows) {
        int const at = row < static_cast<int>(table().rows()) ? m_model->shown_row(static_cast<std::size_t>(row)) : -1;
        if (at >= 0) shown.push_back(at);
    }
    std::sort(shown.begin(), shown.end());
    QItemSelection selection;
    int const last_column = m_model->columnCount() - 1;
    for (std::size_t first = 0; first < shown.size();) {
        std::size_t last = first;
        while (last + 1 < shown.size() && shown[last + 1] == shown[last] + 1) ++last;
        selection.select(m_model->index(shown[first], 0), m_model->index(shown[last], last_column));
        first = last + 1;
    }
    m_restoring = true;
    m_view->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    m_restoring = false;
    if (reveal && !shown.empty() && !m_view->hasFocus()) {
        // What another view selected comes into sight.
        bool const in_sight = std::any_of(shown.begin(), shown.end(), [this](int row) {
            int const y = m_view->rowViewportPosition(row);
            return y >= 0 && y + m_view->rowHeight(row) <= m_view->viewport()->height();
        });
        if (!in_sight) m_view->scrollTo(m_model->index(shown.front(), 0), QAbstractItemView::PositionAtCenter);
    }
}

void TableView::send_selection() {
    if (m_restoring) return;
    m_selected_rows.clear();
    QSet<QString> keys;
    for (QItemSelectionRange const& range : m_view->selectionModel()->selection()) {
        for (int row = range.top(); row <= range.bottom(); ++row) {
            std::size_t const source = m_model->source_row(row);
            m_selected_rows.insert(static_cast<int>(source));
            QString const key = key_of(source);
            if (!key.isEmpty()) keys.insert(key);
        }
    }
    if (m_selection != nullptr && m_key_index >= 0) m_selection->select(m_kind, keys);
    update_texts();
}

QSet<QString> TableView::selected_keys() const {
    QSet<QString> keys;
    for (int const row : m_selected_rows) {
        QString const key = key_of(static_cast<std::size_t>(row));
        if (!key.isEmpty()) keys.insert(key);
    }
    return keys;
}

void TableView::show_hover() {
    int row = -1;
    auto const found = m_rows_of_key.constFind(m_selection->hovered(m_kind));
    if (found != m_rows_of_key.constEnd()) row = m_model->shown_row(static_cast<std::size_t>(*found));
    if (row == m_delegate->linked_row()) return;
    m_delegate->set_linked_row(row);
    m_view->viewport()->update();
}

void TableView::hover_row(int row) {
    if (m_selection == nullptr || m_key_index < 0) return;
    m_selection->hover(m_kind, row < 0 ? QString() : key_of(m_model->source_row(row)));
}

bool TableView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_view->viewport()) {
        if (event->type() == QEvent::Leave) hover_row(-1);
        if (event->type() == QEvent::Resize) m_message->setGeometry(m_view->viewport()->rect());
    }
    return QWidget::eventFilter(watched, event);
}

void TableView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        copy_selection();
    } else if (event->matches(QKeySequence::Find)) {
        m_filter->setFocus();
        m_filter->selectAll();
    } else if (event->key() == Qt::Key_Escape && m_filter->hasFocus()) {
        m_filter->clear();
        m_view->setFocus();
    } else {
        QWidget::keyPressEvent(event);
    }
}

QString TableView::selection_as_tsv() const {
    std::vector<Column> const& columns = table().columns();
    std::string text;
    for (std::size_t column = 0; column < columns.size(); ++column) {
        text += (column > 0 ? "\t" : "") + tsv_field(columns[column].name);
    }
    text += "\n";
    std::vector<int> shown;
    for (int const row : m_selected_rows) {
        if (int const at = m_model->shown_row(static_cast<std::size_t>(row)); at >= 0) shown.push_back(at);
    }
    std::sort(shown.begin(), shown.end());
    for (int const row : shown) {
        for (std::size_t column = 0; column < columns.size(); ++column) {
            text += (column > 0 ? "\t" : "") + tsv_field(cell_text(table().at(m_model->source_row(row), column)));
        }
        text += "\n";
    }
    return QString::fromStdString(text);
}

void TableView::copy_selection() {
    if (!m_selected_rows.isEmpty()) QApplication::clipboard()->setText(selection_as_tsv());
}

void TableView::size_columns() {
    // Once for each set of columns: widths that the user changed stay.
    QString signature;
    for (Column const& column : table().columns()) signature += QString::fromStdString(column.name) + "\n";
    if (signature == m_columns_sized || table().rows() == 0) return;
    m_columns_sized = signature;
    QFontMetricsF const metrics(m_view->font());
    QFont bold = m_view->font();
    bold.setWeight(QFont::DemiBold);
    QFontMetricsF const header_metrics(bold);
    for (int column = 0; column < m_model->columnCount(); ++column) {
        // 16 of padding and room for the sort arrow.
        qreal width =
            header_metrics.horizontalAdvance(m_model->headerData(column, Qt::Horizontal).toString()) + 16 + 20;
        int const step = std::max(1, m_model->rowCount() / rows_for_widths);
        for (int row = 0; row < m_model->rowCount(); row += step) {
            QString const text = m_model->index(row, column).data().toString();
            width = std::max(width, TableDelegate::tabular_width(text, metrics) + 20);
        }
        m_view->setColumnWidth(column, std::min(widest_column, static_cast<int>(width)));
    }
}

void TableView::update_texts() {
    QLocale const english(QLocale::English);
    auto const all = static_cast<qlonglong>(table().rows());
    qlonglong const shown = m_model->rowCount();
    QString text = all == 1 ? tr("1 row") : tr("%1 rows").arg(english.toString(all));
    if (shown < all) text = tr("%1 of %2 rows").arg(english.toString(shown), english.toString(all));
    if (!m_selected_rows.isEmpty())
        text += tr(", %1 selected").arg(english.toString(static_cast<qlonglong>(m_selected_rows.size())));
    m_count->setText(all > 0 ? text : QString());
    m_export->setEnabled(all > 0);
    m_filter->setEnabled(all > 0);
    m_message->setVisible(shown == 0);
    if (shown > 0) return;
    Theme const& theme = ThemeNotifier::instance().theme();
    QString const title = all == 0 ? m_empty_title : tr("No row matches the filter");
    QString const hint = all == 0 ? m_empty_hint : tr("Escape in the filter box shows all rows again.");
    m_message->setText(QString("<p style='color:%1; margin:0'>%2</p><p style='margin:4px'>%3</p>")
                           .arg(theme.text.name(), title.toHtmlEscaped(), hint.toHtmlEscaped()));
    m_message->setGeometry(m_view->viewport()->rect());
}

}  // namespace orrery
