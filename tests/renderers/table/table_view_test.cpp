#include "renderers/table/table_view.h"
#include "renderers/selection.h"
#include "renderers/theme.h"
#include "renderers/theme_style.h"
#include "tests/catch.h"
#include "tests/renderers/window_test.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <cmath>

using namespace orrery;

namespace {

Table mutants(int rows) {
    Table table({{"mutation", "mutation", "", ColumnType::text, 3, "author numbering"},
                 {"chain", "chain", "", ColumnType::text, 3, ""},
                 {"ddg_mean", "mean ddG", "kcal/mol", ColumnType::real, 2, "Mean over draws; positive: weaker binding"},
                 {"ddg_se", "s.e.", "kcal/mol", ColumnType::real, 2, "Standard error of the mean"},
                 {"n", "draws", "", ColumnType::integer, 0, ""},
                 {"measured", "measured ddG", "kcal/mol", ColumnType::real, 2, ""}});
    for (int row = 0; row < rows; ++row) {
        Cell measured;
        if (row % 3 == 0) measured = std::cos(row * 0.7) * 2;
        table.add_row({"EA" + std::to_string(row + 1) + "Q", row % 2 == 0 ? "A" : "B", std::sin(row * 1.3) * 3,
                       0.05 + 0.01 * (row % 9), std::int64_t{20}, measured});
    }
    return table;
}

struct Shown {
    SelectionModel selection;
    TableView view;
    explicit Shown(Table table) {
        Theme const& theme = ThemeNotifier::instance().theme();
        qApp->setPalette(palette(theme));
        qApp->setFont(theme.body());
        qApp->setStyleSheet(style_sheet(theme));
        view.set_selection(&selection, "mutant", "mutation");
        view.set_table(std::move(table));
        view.resize(820, 420);
        view.show();
        REQUIRE(tests::wait_until([this] { return view.isVisible(); }));
        tests::wait_for(60);
    }
    ~Shown() { qApp->setStyleSheet({}); }
    QTableView& inner() { return *view.view(); }
    QString text(int row, int column) { return inner().model()->index(row, column).data().toString(); }
    void click(int row, Qt::KeyboardModifiers held = {}) {
        QRect const cell = inner().visualRect(inner().model()->index(row, 0));
        QTest::mouseClick(inner().viewport(), Qt::LeftButton, held, cell.center());
    }
};

void use_theme(char const* name) {
    Result<Theme> theme = Theme::load(name);
    REQUIRE(theme.ok());
    ThemeNotifier::instance().set(std::move(theme).value());
}

}  // namespace

TEST_CASE("headers carry label and unit, tool tips the help, numbers stand at the right") {
    ORRERY_NEED_WINDOW();
    Shown shown(mutants(30));
    QAbstractItemModel& model = *shown.inner().model();
    CHECK(model.headerData(2, Qt::Horizontal).toString() == "mean ddG (kcal/mol)");
    CHECK(model.headerData(2, Qt::Horizontal, Qt::ToolTipRole).toString() ==
          "Mean over draws; positive: weaker binding\nFilter by it as: ddg_mean");
    CHECK(model.index(0, 2).data(Qt::TextAlignmentRole).toInt() == static_cast<int>(Qt::AlignRight | Qt::AlignVCenter));
    CHECK(model.index(0, 0).data(Qt::TextAlignmentRole).toInt() == static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter));
    CHECK(shown.text(1, 2) == "2.89");
    CHECK(shown.text(1, 5) == "–");
    CHECK(model.index(1, 5).data(Qt::ToolTipRole).toString() == "no value");
    tests::save_screenshot(shown.view, "table_light");
}

TEST_CASE("a click on a header sorts by value, missing cells last both ways") {
    ORRERY_NEED_WINDOW();
    Shown shown(mutants(200));
    auto const sorted_by = [&](int column, Qt::SortOrder order) {
        shown.inner().sortByColumn(column, order);
        QAbstractItemModel& model = *shown.inner().model();
        double previous = order == Qt::AscendingOrder ? -1e9 : 1e9;
        bool missing = false;
        for (int row = 0; row < model.rowCount(); ++row) {
            QString const text = model.index(row, column).data(Qt::ToolTipRole).toString();
            if (text == "no value") {
                missing = true;
                continue;
            }
            if (missing) return false;
            double const value = text.section(' ', 0, 0).toDouble();
            if (order == Qt::AscendingOrder ? value < previous : value > previous) return false;
            previous = value;
        }
        return true;
    };
    CHECK(sorted_by(2, Qt::AscendingOrder));
    CHECK(sorted_by(2, Qt::DescendingOrder));
    CHECK(sorted_by(5, Qt::AscendingOrder));
    CHECK(sorted_by(5, Qt::DescendingOrder));
    REQUIRE(shown.view.sort_by("mutation", Qt::AscendingOrder));
    CHECK(shown.text(8, 0) == "EA9Q");
    CHECK(shown.text(9, 0) == "EA10Q");
    CHECK_FALSE(shown.view.sort_by("no such column", Qt::AscendingOrder));
    QHeaderView& header = *shown.inner().horizontalHeader();
    QTest::mouseClick(header.viewport(), Qt::LeftButton, {},
                      QPoint(header.sectionViewportPosition(2) + 20, header.height() / 2));
    CHECK(shown.text(0, 2).toDouble() <= shown.text(1, 2).toDouble());
}

TEST_CASE("the filter box narrows the rows, and says what it does not understand") {
    ORRERY_NEED_WINDOW();
    Shown shown(mutants(100));
    auto* box = shown.view.findChild<QLineEdit*>();
    REQUIRE(box != nullptr);
    QTest::keyClicks(box, "ddg_mean > 1 and chain = A");
    Table const visible = shown.view.visible_table();
    CHECK(visible.rows() > 5);
    CHECK(visible.rows() < 40);
    for (std::size_t row = 0; row < visible.rows(); ++row) {
        CHECK(std::get<double>(visible.at(row, 2)) > 1);
        CHECK(std::get<std::string>(visible.at(row, 1)) == "A");
    }
    CHECK(shown.view.filter_error().isEmpty());
    tests::save_screenshot(shown.view, "table_filtered");
    shown.view.set_filter("ddg_men > 1");
    CHECK(shown.view.filter_error().startsWith("there is no column \"ddg_men\" (filter). Did you mean \"ddg_mean\""));
    CHECK(shown.view.visible_rows() == static_cast<int>(visible.rows()));  // as before the mistake
    tests::wait_for(50);
    tests::save_screenshot(shown.view, "table_filter_error");
    shown.view.set_filter("zebra");
    CHECK(shown.view.visible_rows() == 0);
    tests::wait_for(50);
    tests::save_screenshot(shown.view, "table_no_match");
    shown.view.set_filter("");
    CHECK(shown.view.visible_rows() == 100);
}

TEST_CASE("rows chosen here are selected everywhere, and rows selected elsewhere are shown here") {
    ORRERY_NEED_WINDOW();
    Shown shown(mutants(400));
    shown.click(2);
    CHECK(shown.selection.selected("mutant") == QSet<QString>{"EA3Q"});
    shown.click(4, Qt::ControlModifier);
    CHECK(shown.selection.selected("mutant") == QSet<QString>{"EA3Q", "EA5Q"});
    shown.click(6, Qt::ShiftModifier);
    CHECK(shown.selection.selected("mutant") == QSet<QString>{"EA5Q", "EA6Q", "EA7Q"});
    shown.view.clearFocus();
    shown.selection.select("mutant", {"EA300Q", "not in the table"});
    CHECK(shown.view.selected_keys() == QSet<QString>{"EA300Q"});
    CHECK(shown.inner().selectionModel()->isRowSelected(299, {}));
    QModelIndex const index = shown.inner().model()->index(299, 0);
    tests::wait_for(30);
    CHECK(shown.inner().viewport()->rect().intersects(shown.inner().visualRect(index)));  // scrolled into sight
    // Kept over sorting, filtering and a new table.
    shown.view.sort_by("ddg_mean", Qt::DescendingOrder);
    CHECK(shown.view.selected_keys() == QSet<QString>{"EA300Q"});
    CHECK(shown.inner().selectionModel()->selectedRows().size() == 1);
    shown.view.set_filter("chain = A");
    CHECK(shown.inner().selectionModel()->selectedRows().isEmpty());  // row 300 is in chain B
    CHECK(shown.selection.selected("mutant").contains("EA300Q"));
    shown.view.set_filter("");
    CHECK(shown.inner().selectionModel()->selectedRows().size() == 1);
    shown.view.set_table(mutants(500));
    CHECK(shown.inner().selectionModel()->selectedRows().size() == 1);
    CHECK(shown.text(shown.inner().selectionModel()->selectedRows().at(0).row(), 0) == "EA300Q");
    CHECK(shown.text(0, 2).toDouble() >= shown.text(1, 2).toDouble());  // still sorted
}

TEST_CASE("the row under the pointer is told to others, theirs is marked here") {
    ORRERY_NEED_WINDOW();
    Shown shown(mutants(40));
    QRect const cell = shown.inner().visualRect(shown.inner().model()->index(3, 1));
    QTest::mouseMove(shown.inner().viewport(), cell.center());
    CHECK(tests::wait_until([&] { return shown.selection.hovered("mutant") == "EA4Q"; }));
    QTest::mouseMove(&shown.view, QPoint(2, 2));
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(shown.inner().viewport(), &leave);
    tests::wait_for(150);  // the window system's own leave event
    CHECK(shown.selection.hovered("mutant").isEmpty());
    shown.selection.hover("mutant", "EA2Q");
    tests::wait_for(50);
    QRect const row = shown.inner().visualRect(shown.inner().model()->index(1, 0));
    QImage const picture = shown.inner().viewport()->grab().toImage();
    QPoint const bar = QPoint(row.left() + 1, row.center().y()) * static_cast<int>(picture.devicePixelRatio());
    CHECK(picture.pixelColor(bar) == ThemeNotifier::instance().theme().accent);
    tests::save_screenshot(shown.view, "table_hover");
}

TEST_CASE("selected rows are copied as TSV with numbers in full, in the order shown") {
    ORRERY_NEED_WINDOW();
    Shown shown(mutants(10));
    shown.view.sort_by("ddg_mean", Qt::DescendingOrder);
    shown.selection.select("mutant", {"EA1Q", "EA2Q"});
    shown.inner().setFocus();
    QTest::keyClick(&shown.inner(), Qt::Key_C, Qt::ControlModifier);
    QStringList const lines = QApplication::clipboard()->text().split('\n');
    REQUIRE(lines.size() == 4);
    CHECK(lines[0] == "mutation\tchain\tddg_mean\tddg_se\tn\tmeasured");
    CHECK(lines[1].startsWith("EA2Q\tB\t"));
    CHECK(lines[1].section('\t', 2, 2).toDouble() == std::sin(1.3) * 3);
    CHECK(lines[1].endsWith("\t20\t"));
    CHECK(lines[2].startsWith("EA1Q\tA\t0\t0.05\t20\t2"));
}

TEST_CASE("the export button asks, Enter activates") {
    ORRERY_NEED_WINDOW();
    Shown shown(mutants(10));
    QSignalSpy exports(&shown.view, &TableView::export_requested), activations(&shown.view, &TableView::row_activated);
    auto* button = shown.view.findChild<QPushButton*>();
    REQUIRE(button != nullptr);
    QTest::mouseClick(button, Qt::LeftButton);
    CHECK(exports.count() == 1);
    shown.click(5);
    emit shown.inner().activated(shown.inner().currentIndex());
    REQUIRE(activations.count() == 1);
    CHECK(activations.at(0).at(0).toString() == "EA6Q");
}

TEST_CASE("an empty table says what will be there") {
    ORRERY_NEED_WINDOW();
    use_theme("dark");
    Shown shown{Table()};
    shown.view.set_empty_text("No mutants yet", "Scan the interface, or drop a list of mutations.");
    tests::wait_for(50);
    CHECK(shown.view.visible_rows() == 0);
    tests::save_screenshot(shown.view, "table_empty_dark");
    shown.view.set_table(mutants(12));
    CHECK(shown.view.visible_rows() == 12);
    shown.selection.select("mutant", {"EA4Q", "EA5Q", "EA9Q"});
    tests::wait_for(50);
    tests::save_screenshot(shown.view, "table_dark");
    shown.view.set_filter("measured > 0");
    shown.view.set_table(
        Table({{"other", "", "", ColumnType::text, 3, ""}}));  // fewer columns than the filter speaks of
    CHECK(shown.view.visible_rows() == 0);
    CHECK(shown.view.filter_error().startsWith("there is no column \"measured\""));
    shown.view.clear();
    CHECK(shown.view.table().rows() == 0);
    use_theme("light");
}

TEST_CASE("100,000 rows are sorted, filtered and selected whole") {
    ORRERY_NEED_WINDOW();
    Shown shown(mutants(100'000));
    CHECK(shown.view.visible_rows() == 100'000);
    shown.view.sort_by("ddg_mean", Qt::DescendingOrder);
    CHECK(shown.text(0, 2) == "3.00");
    shown.view.set_filter("ddg_mean > 2.9");
    CHECK(tests::wait_until([&] { return shown.view.visible_rows() < 20'000; }));
    shown.inner().selectAll();
    CHECK(shown.selection.selected("mutant").size() == shown.view.visible_rows());
    CHECK(shown.view.selection_as_tsv().count('\n') == shown.view.visible_rows() + 1);
}
