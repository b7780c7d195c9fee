#include "renderers/plot/heat_map_view.h"
#include "core/base/color_maps.h"
#include "renderers/selection.h"
#include "renderers/theme.h"
#include "tests/catch.h"
#include "tests/renderers/window_test.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <cmath>

using namespace orrery;

namespace {

constexpr char const* amino_acids = "AVILMCFWYHSTNQKRDEGP";

// 20 amino acids x `columns` positions on two chains; the wild type of column c is letter c mod 20, with value 0.
Figure scan_figure(int columns) {
    HeatMap map;
    map.rows.title = "mutant";
    for (int row = 0; row < 20; ++row) {
        map.rows.categories.push_back(std::string(1, amino_acids[row]));
        map.row_groups.push_back(row < 6 ? 0 : row < 10 ? 1 : row < 14 ? 2 : row < 18 ? 3 : 4);
    }
    map.columns.title = "position (author numbers)";
    for (int column = 0; column < columns; ++column) {
        std::string const number = std::to_string(column + 40);
        map.columns.categories.push_back(std::string(1, amino_acids[column % 20]) + number);
        map.column_keys.push_back((column < columns / 2 ? "A:" : "B:") + number);
        map.column_groups.push_back(column < columns / 2 ? 0 : 1);
    }
    Series burial;
    burial.name = "buried area (Å²)";
    Series mean;
    mean.name = "mean ddG";
    for (int column = 0; column < columns; ++column) {
        burial.y.push_back(20 + 60 * std::abs(std::sin(column * 0.7)));
        mean.y.push_back(std::sin(column * 0.45));
    }
    map.strips = {mean, burial};
    for (int row = 0; row < 20; ++row) {
        for (int column = 0; column < columns; ++column) {
            bool const wild_type = column % 20 == row;
            double const value = 2.4 * std::sin(column * 0.45 + row * 0.21) * std::cos(row * 0.33);
            map.values.push_back(wild_type ? 0 : value);
            map.errors.push_back(wild_type ? 0 : 0.11);
            map.marks.push_back(static_cast<std::uint8_t>(wild_type ? 1 : (std::abs(value) < 0.22 ? 2 : 0)));
        }
    }
    map.value_title = "ddG of binding";
    map.value_unit = "kcal/mol";
    map.limit = 2.5;
    Figure figure;
    figure.title = "1C1Y, sides A | B, 20 draws";
    figure.content = std::move(map);
    return figure;
}

QString mutant_key(int row, int column) {
    if (column % 20 == row) return {};
    return QString("%1A%2%3").arg(QChar(amino_acids[column % 20])).arg(column + 40).arg(QChar(amino_acids[row]));
}

struct Shown {
    HeatMapView view;
    SelectionModel selection;
    explicit Shown(Figure figure, QSize size = {1100, 520}) {
        view.set_selection(&selection);
        view.set_cell_key(mutant_key);
        REQUIRE(view.set_figure(std::move(figure)).ok());
        view.resize(size);
        view.show();
        settle();
    }
    void settle() {
        REQUIRE(tests::wait_until([this] { return view.frames_drawn() > 0; }));
        tests::wait_for(120);
    }
    QWidget* canvas() { return view.focusProxy(); }
    QPoint center(int row, int column) { return view.cell_rect(row, column).center().toPoint(); }
    // A corner of the cell: away from its dot.
    QColor color(QImage const& picture, int row, int column) {
        QRectF const cell = view.cell_rect(row, column);
        QPointF const at(cell.left() + cell.width() * 0.72, cell.top() + cell.height() * 0.7);
        return picture.pixelColor((at * picture.devicePixelRatio()).toPoint());
    }
    void move_to(QPoint position) {
        QTest::mouseMove(canvas(), position);
        tests::wait_for(60);
    }
};

QColor expected_color(double value, double limit) {
    Rgb const rgb = color_of(ColorScale::diverging, (value + limit) / (2 * limit));
    return QColor(rgb[0], rgb[1], rgb[2]);
}

void use_theme(char const* name) {
    Result<Theme> theme = Theme::load(name);
    REQUIRE(theme.ok());
    ThemeNotifier::instance().set(std::move(theme).value());
}

}  // namespace

TEST_CASE("cells have the colours of their values, zero is white, row 0 is at the top") {
    ORRERY_NEED_WINDOW();
    Shown shown(scan_figure(33));
    Figure const figure = shown.view.figure();
    HeatMap const& map = std::get<HeatMap>(figure.content);
    QImage const picture = shown.view.grab_frame();
    int compared = 0;
    for (int row = 0; row < 20; ++row) {
        for (int column = 0; column < 33; ++column) {
            std::size_t const index = static_cast<std::size_t>(row * 33 + column);
            if ((map.marks[index] & 2) != 0) continue;  // hatched
            CAPTURE(row, column, map.values[index]);
            CHECK(shown.color(picture, row, column) == expected_color(map.values[index], 2.5));
            ++compared;
        }
    }
    CHECK(compared > 500);
    CHECK(shown.color(picture, 3, 3) == QColor(Qt::white));
    CHECK(shown.view.cell_rect(0, 0).top() < shown.view.cell_rect(19, 0).top());
    tests::save_screenshot(picture, "heat_map_light");
    use_theme("dark");
    shown.move_to(shown.center(5, 8));
    tests::save_screenshot(shown.view.grab_frame(), "heat_map_dark_hover");
    use_theme("light");
}

TEST_CASE("wild type cells carry a dot, cells below two standard errors a hatch") {
    ORRERY_NEED_WINDOW();
    Shown shown(scan_figure(33));
    QImage const picture = shown.view.grab_frame();
    QPointF const dot = QPointF(shown.view.cell_rect(4, 4).center()) * picture.devicePixelRatio();
    CHECK(picture.pixelColor(dot.toPoint()) == QColor(27, 31, 39));
    Figure const figure = shown.view.figure();
    HeatMap const& map = std::get<HeatMap>(figure.content);
    int hatched = 0;
    for (int row = 0; row < 20; ++row) {
        for (int column = 0; column < 33; ++column) {
            if (map.marks[static_cast<std::size_t>(row * 33 + column)] != 2) continue;
            QRect const cell = (QRectF(shown.view.cell_rect(row, column).topLeft() * picture.devicePixelRatio(),
                                       shown.view.cell_rect(row, column).size() * picture.devicePixelRatio())
                                    .toRect())
                                   .adjusted(3, 3, -3, -3);
            QSet<QRgb> colors;
            for (int y = cell.top(); y <= cell.bottom(); ++y) {
                for (int x = cell.left(); x <= cell.right(); ++x) colors.insert(picture.pixel(x, y));
            }
            CHECK(colors.size() > 1);
            ++hatched;
        }
    }
    CHECK(hatched > 10);
}

TEST_CASE("cells that were not computed are hatched, and fill in column by column") {
    ORRERY_NEED_WINDOW();
    Figure figure = scan_figure(33);
    HeatMap& map = std::get<HeatMap>(figure.content);
    std::vector<double> const values = map.values;
    for (std::size_t index = 0; index < map.values.size(); ++index) {
        if (index % 33 >= 12) map.values[index] = std::nan("");
    }
    map.marks.clear();
    Shown shown(std::move(figure));
    CHECK(shown.view.read_out(2, 20).endsWith("not computed"));
    QImage picture = shown.view.grab_frame();
    tests::save_screenshot(picture, "heat_map_partial");
    QRectF const area = shown.view.cell_rect(10, 25);
    QSet<QRgb> colors;
    for (double x = area.left() + 2; x < area.right() - 2; x += 0.5)
        colors.insert(picture.pixel((QPointF(x, area.center().y()) * picture.devicePixelRatio()).toPoint()));
    CHECK(colors.size() > 1);
    CHECK(shown.color(picture, 10, 25) != QColor(Qt::white));

    std::vector<double> column(20), errors(20, 0.2);
    for (std::size_t row = 0; row < 20; ++row) column[row] = values[row * 33 + 25];
    REQUIRE(shown.view.set_column(25, column, errors).ok());
    tests::wait_for(120);
    picture = shown.view.grab_frame();
    CHECK(shown.color(picture, 10, 25) == expected_color(column[10], 2.5));
    CHECK(shown.color(picture, 10, 26) != QColor(Qt::white));
    CHECK(shown.view.read_out(10, 25).contains("± 0.20 kcal/mol"));

    CHECK_FALSE(shown.view.set_column(33, column).ok());
    CHECK_FALSE(shown.view.set_column(2, std::span(column).first(19)).ok());
    REQUIRE(shown.view.set_cell(3, 26, 2.5, 0.3).ok());
    tests::wait_for(120);
    CHECK(shown.color(shown.view.grab_frame(), 3, 26) == expected_color(2.5, 2.5));
}

TEST_CASE("hovering reads out the cell and tells the other views") {
    ORRERY_NEED_WINDOW();
    Shown shown(scan_figure(33));
    QSignalSpy spy(&shown.view, &HeatMapView::hovered);
    shown.move_to(shown.center(13, 4));
    REQUIRE(spy.count() == 1);
    QString const text = spy.at(0).at(0).toString();
    CHECK(text.startsWith("A:44 M→Q "));
    CHECK(text.endsWith(" ± 0.11 kcal/mol"));
    CHECK(shown.selection.hovered("residue") == "A:44");
    CHECK(shown.selection.hovered("mutant") == "MA44Q");
    tests::save_screenshot(shown.view.grab_frame(), "heat_map_hover");
    shown.move_to(QPoint(3, 3));
    CHECK(spy.count() == 2);
    CHECK(spy.at(1).at(0).toString().isEmpty());
    CHECK(shown.selection.hovered("residue").isEmpty());
}

TEST_CASE("a click pins the cell and selects it and its residue; again lets go") {
    ORRERY_NEED_WINDOW();
    Shown shown(scan_figure(33));
    QSignalSpy spy(&shown.view, &HeatMapView::cell_pinned);
    QTest::mouseClick(shown.canvas(), Qt::LeftButton, {}, shown.center(7, 20));
    REQUIRE(spy.count() == 1);
    CHECK(shown.view.pinned() == HeatMapCell{7, 20});
    CHECK(shown.selection.selected("residue") == QSet<QString>{"B:60"});
    CHECK(shown.selection.selected("mutant") == QSet<QString>{mutant_key(7, 20)});
    tests::wait_for(100);
    tests::save_screenshot(shown.view.grab_frame(), "heat_map_pinned");
    QTest::mouseClick(shown.canvas(), Qt::LeftButton, {}, shown.center(7, 20));
    CHECK_FALSE(shown.view.pinned().has_value());
    CHECK(shown.selection.selected("mutant").isEmpty());
}

TEST_CASE("what is selected elsewhere is marked here") {
    ORRERY_NEED_WINDOW();
    Shown shown(scan_figure(33));
    QImage const before = shown.view.grab_frame();
    QPointF const above(shown.view.cell_rect(0, 9).center().x(), shown.view.map_rect().top() - 2.5);
    auto const pixel = [&](QImage const& picture) {
        return picture.pixelColor((above * picture.devicePixelRatio()).toPoint());
    };
    CHECK(pixel(before) != ThemeNotifier::instance().theme().accent);
    shown.selection.select("residue", {"A:49"});
    tests::wait_for(100);
    CHECK(pixel(shown.view.grab_frame()) == ThemeNotifier::instance().theme().accent);
    shown.selection.select("residue", {"Z:1"});  // of another structure: nothing marked, nothing lost
    tests::wait_for(100);
    CHECK(pixel(shown.view.grab_frame()) != ThemeNotifier::instance().theme().accent);
}

TEST_CASE("a drag brushes columns") {
    ORRERY_NEED_WINDOW();
    Shown shown(scan_figure(33));
    QSignalSpy spy(&shown.view, &HeatMapView::columns_brushed);
    QTest::mousePress(shown.canvas(), Qt::LeftButton, {}, shown.center(4, 6));
    QTest::mouseMove(shown.canvas(), shown.center(9, 9));
    tests::wait_for(80);
    tests::save_screenshot(shown.view.grab_frame(), "heat_map_brush");
    QTest::mouseRelease(shown.canvas(), Qt::LeftButton, {}, shown.center(9, 9));
    REQUIRE(spy.count() == 1);
    CHECK(spy.at(0).at(0).toInt() == 6);
    CHECK(spy.at(0).at(1).toInt() == 9);
    CHECK(shown.selection.selected("residue") == QSet<QString>{"A:46", "A:47", "A:48", "A:49"});
    CHECK_FALSE(shown.view.pinned().has_value());
}

TEST_CASE("the wheel zooms at the pointer, a double click resets, the right button pans") {
    ORRERY_NEED_WINDOW();
    Shown shown(scan_figure(33));
    QPoint const pointer = shown.center(10, 16);
    for (int step = 0; step < 6; ++step) {
        QWheelEvent wheel(pointer, shown.canvas()->mapToGlobal(QPointF(pointer)), {}, QPoint(0, 120), Qt::NoButton, {},
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(shown.canvas(), &wheel);
    }
    tests::wait_for(120);
    CHECK(shown.view.zoomed());
    CHECK(shown.view.cell_rect(10, 16).contains(pointer));
    CHECK(shown.view.cell_rect(10, 16).width() > 60);
    tests::save_screenshot(shown.view.grab_frame(), "heat_map_zoomed");
    QRectF const before = shown.view.cell_rect(10, 16);
    QTest::mousePress(shown.canvas(), Qt::RightButton, {}, pointer);
    QTest::mouseMove(shown.canvas(), pointer + QPoint(40, 10));
    QTest::mouseRelease(shown.canvas(), Qt::RightButton, {}, pointer + QPoint(40, 10));
    tests::wait_for(80);
    CHECK(shown.view.cell_rect(10, 16).left() == Approx(before.left() + 40).margin(0.01));
    QTest::mouseDClick(shown.canvas(), Qt::LeftButton, {}, pointer);
    CHECK_FALSE(shown.view.zoomed());
}

TEST_CASE("the keyboard moves, pins, zooms and clears") {
    ORRERY_NEED_WINDOW();
    Shown shown(scan_figure(33));
    QSignalSpy spy(&shown.view, &HeatMapView::hovered);
    QTest::keyClick(shown.canvas(), Qt::Key_Down);
    QTest::keyClick(shown.canvas(), Qt::Key_Down);
    QTest::keyClick(shown.canvas(), Qt::Key_Right);
    QTest::keyClick(shown.canvas(), Qt::Key_Return);
    CHECK(shown.view.pinned() == HeatMapCell{1, 1});
    CHECK(spy.count() == 3);
    QTest::keyClick(shown.canvas(), Qt::Key_Plus);
    CHECK(shown.view.zoomed());
    QTest::keyClick(shown.canvas(), Qt::Key_0);
    CHECK_FALSE(shown.view.zoomed());
    QTest::keyClick(shown.canvas(), Qt::Key_Escape);
    CHECK_FALSE(shown.view.pinned().has_value());
    CHECK(shown.selection.selected("residue").isEmpty());
}

TEST_CASE("nothing is drawn when nothing happens") {
    ORRERY_NEED_WINDOW();
    Shown shown(scan_figure(33));
    tests::wait_for(300);
    int const before = shown.view.frames_drawn();
    tests::wait_for(800);
    CHECK(shown.view.frames_drawn() == before);
}

TEST_CASE("an empty map says what will be there") {
    ORRERY_NEED_WINDOW();
    HeatMapView view;
    view.resize(600, 300);
    view.show();
    REQUIRE(tests::wait_until([&] { return view.frames_drawn() > 0; }));
    tests::wait_for(80);
    CHECK(view.empty());
    QImage const picture = view.grab_frame();
    QSet<QRgb> colors;
    for (int x = 0; x < picture.width(); ++x) colors.insert(picture.pixel(x, picture.height() / 2 - 2));
    CHECK(colors.size() > 3);  // words
    CHECK_FALSE(view.set_column(0, {}).ok());
    tests::save_screenshot(picture, "heat_map_empty");
    REQUIRE(view.set_figure(scan_figure(5)).ok());
    CHECK_FALSE(view.empty());
    view.clear();
    CHECK(view.empty());
    CHECK(view.read_out(0, 0).isEmpty());
}

TEST_CASE("a figure whose arrays do not fit is refused and the one before stays") {
    ORRERY_NEED_WINDOW();
    Shown shown(scan_figure(33));
    Figure broken = scan_figure(33);
    std::get<HeatMap>(broken.content).values.pop_back();
    Result<void> const refused = shown.view.set_figure(std::move(broken));
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().message() == "the heat map has 659 values where 660 are needed (20 rows x 33 columns)");
    CHECK(std::get<HeatMap>(shown.view.figure().content).values.size() == 660);
    Figure wrong;
    wrong.content = XyPlot();
    CHECK_FALSE(shown.view.set_figure(std::move(wrong)).ok());
}

TEST_CASE("8,000 x 8,000 cells: a hot cell is seen from afar and found exactly from near") {
    ORRERY_NEED_WINDOW();
    Figure figure;
    HeatMap map;
    int const side = 8000;
    for (int index = 0; index < side; ++index) {
        map.rows.categories.push_back(std::to_string(index));
        map.columns.categories.push_back(std::to_string(index));
    }
    map.columns.title = "token";
    map.rows.title = "token";
    map.value_title = "score";
    map.limit = 1;
    map.values.assign(static_cast<std::size_t>(side) * side, 0.0);
    map.values[static_cast<std::size_t>(4000) * side + 6000] = 1;
    figure.content = std::move(map);
    HeatMapView view;
    REQUIRE(view.set_figure(std::move(figure)).ok());
    view.resize(900, 600);
    view.show();
    QColor const hot = expected_color(1, 1);
    auto const seen = [&] {
        QImage const picture = view.grab_frame();
        QPoint const middle = (view.cell_rect(4000, 6000).center() * picture.devicePixelRatio()).toPoint();
        for (int dy = -2; dy <= 2; ++dy) {
            for (int dx = -2; dx <= 2; ++dx) {
                if (picture.pixelColor(middle + QPoint(dx, dy)) == hot) return true;
            }
        }
        return false;
    };
    CHECK(tests::wait_until(seen, 120'000));
    tests::save_screenshot(view.grab_frame(), "heat_map_8000");
    QWidget* const canvas = view.focusProxy();
    QPointF const pointer = view.cell_rect(4000, 6000).center();
    for (int step = 0; step < 42; ++step) {
        QWheelEvent wheel(pointer, canvas->mapToGlobal(pointer), {}, QPoint(0, 120), Qt::NoButton, {},
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(canvas, &wheel);
    }
    tests::wait_for(200);
    CHECK(view.cell_rect(4000, 6000).width() > 20);
    CHECK(view.cell_rect(4000, 6000).contains(pointer));
    QImage const picture = view.grab_frame();
    CHECK(picture.pixelColor((view.cell_rect(4000, 6000).center() * picture.devicePixelRatio()).toPoint()) == hot);
    CHECK(picture.pixelColor((view.cell_rect(4000, 6001).center() * picture.devicePixelRatio()).toPoint()) ==
          QColor(Qt::white));
    tests::save_screenshot(picture, "heat_map_8000_near");
}
