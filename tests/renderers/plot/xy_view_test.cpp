#include "renderers/plot/xy_view.h"
#include "renderers/selection.h"
#include "renderers/theme.h"
#include "tests/catch.h"
#include "tests/renderers/window_test.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <cmath>
#include <random>

using namespace orrery;

namespace {

Figure measured_against_predicted() {
    XyPlot plot;
    plot.kind = XyKind::scatter;
    plot.x = {"measured ddG", "kcal/mol", {}, false, 0, 0};
    plot.y = {"predicted ddG", "kcal/mol", {}, false, 0, 0};
    plot.identity_line = true;
    plot.notes = {"Pearson 0.81, n = 24", "RMSE 0.62 kcal/mol"};
    std::mt19937 generator(3);
    std::normal_distribution<double> noise(0, 0.5);
    for (int complex = 0; complex < 2; ++complex) {
        Series series;
        series.name = complex == 0 ? "1AO7" : "1C1Y";
        for (int index = 0; index < 12; ++index) {
            double const x = -1 + index * 0.4;
            series.x.push_back(x);
            series.y.push_back(0.8 * x + noise(generator));
            series.error.push_back(0.2 + 0.02 * index);
            series.labels.push_back("mutant " + std::to_string(complex * 100 + index));
            series.keys.push_back("M" + std::to_string(complex * 100 + index));
        }
        plot.series.push_back(series);
    }
    Figure figure;
    figure.title = "Against measurements";
    figure.content = std::move(plot);
    return figure;
}

Figure long_line(std::size_t count) {
    XyPlot plot;
    plot.kind = XyKind::line;
    plot.x = {"time", "s", {}, false, 0, 0};
    plot.y = {"potential", "µV", {}, false, 0, 0};
    Series series;
    series.name = "Cz";
    std::mt19937_64 generator(4);
    std::normal_distribution<double> noise;
    for (std::size_t index = 0; index < count; ++index) {
        series.x.push_back(static_cast<double>(index) / 1000);
        series.y.push_back(20 * std::sin(static_cast<double>(index) * 1e-4) + noise(generator));
    }
    plot.series = {series};
    Figure figure;
    figure.title = "Channel Cz, 1 kHz";
    figure.content = std::move(plot);
    return figure;
}

struct Shown {
    XyView view;
    SelectionModel selection;
    explicit Shown(Figure figure, QSize size = {800, 480}) {
        view.set_selection(&selection, "mutant");
        REQUIRE(view.set_figure(std::move(figure)).ok());
        view.resize(size);
        view.show();
        REQUIRE(tests::wait_until([this] { return view.frames_drawn() > 1; }));
        tests::wait_for(120);
    }
    QWidget* canvas() { return view.focusProxy(); }
};

void use_theme(char const* name) {
    Result<Theme> theme = Theme::load(name);
    REQUIRE(theme.ok());
    ThemeNotifier::instance().set(std::move(theme).value());
}

// Whether any pixel within `radius` of the place has this colour.
bool has_color(QImage const& picture, QPointF place, QColor const& color, int radius = 3, int tolerance = 12) {
    QPoint const middle = (place * picture.devicePixelRatio()).toPoint();
    for (int dy = -radius; dy <= radius; ++dy) {
        for (int dx = -radius; dx <= radius; ++dx) {
            QPoint const at = middle + QPoint(dx, dy);
            if (!picture.rect().contains(at)) continue;
            QColor const found = picture.pixelColor(at);
            if (std::abs(found.red() - color.red()) <= tolerance &&
                std::abs(found.green() - color.green()) <= tolerance &&
                std::abs(found.blue() - color.blue()) <= tolerance) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace

TEST_CASE("points lie where their values say, in their series' colours") {
    ORRERY_NEED_WINDOW();
    Shown shown(measured_against_predicted());
    QImage const picture = shown.view.grab_frame();
    QColor const surface = ThemeNotifier::instance().theme().surface;
    for (std::size_t index = 0; index < 12; ++index) {
        for (int series = 0; series < 2; ++series) {
            QPointF const place = shown.view.point_position(series, index);
            CHECK(shown.view.plot_rect().contains(place));
            CHECK_FALSE(has_color(picture, place, surface, 0));
        }
    }
    tests::save_screenshot(picture, "scatter_light");
    use_theme("dark");
    QTest::mouseMove(shown.canvas(), shown.view.point_position(0, 5).toPoint());
    tests::wait_for(100);
    tests::save_screenshot(shown.view.grab_frame(), "scatter_dark_hover");
    use_theme("light");
}

TEST_CASE("hover tells the row, the exact values and the unit, and tells the other views") {
    ORRERY_NEED_WINDOW();
    Shown shown(measured_against_predicted());
    QSignalSpy spy(&shown.view, &XyView::hovered);
    QTest::mouseMove(shown.canvas(), shown.view.point_position(1, 7).toPoint());
    REQUIRE(spy.count() == 1);
    CHECK(spy.at(0).at(0).toString().startsWith("mutant 107: 1.80 kcal/mol, "));
    CHECK(spy.at(0).at(0).toString().endsWith(" ± 0.34 kcal/mol"));
    CHECK(shown.selection.hovered("mutant") == "M107");
    QTest::mouseMove(shown.canvas(), QPoint(2, 2));
    CHECK(shown.selection.hovered("mutant").isEmpty());
}

TEST_CASE("a click selects a point, Shift and a drag those in a box, and both ways") {
    ORRERY_NEED_WINDOW();
    Shown shown(measured_against_predicted());
    QTest::mouseClick(shown.canvas(), Qt::LeftButton, {}, shown.view.point_position(0, 3).toPoint());
    CHECK(shown.selection.selected("mutant") == QSet<QString>{"M3"});
    QTest::mouseClick(shown.canvas(), Qt::LeftButton, Qt::ControlModifier, shown.view.point_position(1, 9).toPoint());
    CHECK(shown.selection.selected("mutant") == QSet<QString>{"M3", "M109"});
    tests::wait_for(80);
    tests::save_screenshot(shown.view.grab_frame(), "scatter_selected");

    QRect const plot = shown.view.plot_rect().toRect();
    QTest::mousePress(shown.canvas(), Qt::LeftButton, Qt::ShiftModifier, plot.topLeft() + QPoint(1, 1));
    QMouseEvent move(QEvent::MouseMove, QPointF(plot.center()), shown.canvas()->mapToGlobal(QPointF(plot.center())),
                     Qt::NoButton, Qt::LeftButton, Qt::ShiftModifier);
    QApplication::sendEvent(shown.canvas(), &move);
    QTest::mouseRelease(shown.canvas(), Qt::LeftButton, Qt::ShiftModifier,
                        QPoint(plot.center().x(), plot.bottom() - 1));
    QSet<QString> expected;
    for (int series = 0; series < 2; ++series) {
        for (std::size_t index = 0; index < 12; ++index) {
            if (shown.view.point_position(series, index).x() < plot.center().x())
                expected.insert("M" + QString::number(series * 100 + static_cast<int>(index)));
        }
    }
    CHECK(shown.selection.selected("mutant") == expected);
    CHECK_FALSE(shown.view.zoomed());

    shown.selection.select("mutant", {"M11"});
    tests::wait_for(80);
    QColor const accent = ThemeNotifier::instance().theme().accent;
    CHECK(has_color(shown.view.grab_frame(), shown.view.point_position(0, 11) + QPointF(6.5, 0), accent));
}

TEST_CASE("a drag zooms into the box, a double click resets, the wheel keeps its point") {
    ORRERY_NEED_WINDOW();
    Shown shown(measured_against_predicted());
    QRect const plot = shown.view.plot_rect().toRect();
    QPointF const before = shown.view.point_position(0, 6);
    QTest::mousePress(shown.canvas(), Qt::LeftButton, {}, plot.center() - QPoint(120, 80));
    QTest::mouseMove(shown.canvas(), plot.center());
    tests::wait_for(60);
    tests::save_screenshot(shown.view.grab_frame(), "scatter_box");
    QTest::mouseRelease(shown.canvas(), Qt::LeftButton, {}, plot.center() + QPoint(120, 80));
    CHECK(shown.view.zoomed());
    tests::wait_for(80);
    QTest::mouseDClick(shown.canvas(), Qt::LeftButton, {}, plot.center());
    CHECK_FALSE(shown.view.zoomed());
    tests::wait_for(80);
    CHECK(shown.view.point_position(0, 6).x() == Approx(before.x()).margin(0.5));
    QWheelEvent wheel(before, shown.canvas()->mapToGlobal(before), {}, QPoint(0, 120), Qt::NoButton, {},
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(shown.canvas(), &wheel);
    CHECK(shown.view.point_position(0, 6).x() == Approx(before.x()).margin(0.5));
    CHECK(shown.view.zoomed());
}

TEST_CASE("a long line draws at most two vertices a pixel column and keeps a one-sample peak") {
    ORRERY_NEED_WINDOW();
    Figure figure = long_line(2'000'000);
    Series& series = std::get<XyPlot>(figure.content).series[0];
    series.y[1'234'567] = 90;
    Shown shown(std::move(figure), {1000, 400});
    QImage const picture = shown.view.grab_frame();
    tests::save_screenshot(picture, "line_2M");
    CHECK(shown.view.last_frame_vertices() < 40'000);
    QPointF const peak = shown.view.point_position(0, 1'234'567);
    CHECK(shown.view.plot_rect().contains(peak));
    QColor const blue("#0072B2");
    CHECK(has_color(picture, peak + QPointF(0, 3), blue, 2, 80));
    QSignalSpy spy(&shown.view, &XyView::hovered);
    QTest::mouseMove(shown.canvas(), peak.toPoint());
    REQUIRE(spy.count() >= 1);
    CHECK(spy.last().at(0).toString().toStdString() == "1234.567 s, 90.0 µV");
}

TEST_CASE("appending goes on where the line ended, shows its age, and comes to rest") {
    ORRERY_NEED_WINDOW();
    Shown shown(long_line(5000));
    std::vector<double> const x{5.0, 5.001}, y{50, 60};
    REQUIRE(shown.view.append(0, x, y).ok());
    CHECK(shown.view.live());
    CHECK(std::get<XyPlot>(shown.view.figure().content).series[0].y.size() == 5002);
    tests::wait_for(400);
    tests::save_screenshot(shown.view.grab_frame(), "line_live");
    tests::wait_for(900);
    int const before = shown.view.frames_drawn();
    tests::wait_for(1500);
    int const frames = shown.view.frames_drawn() - before;
    CHECK(frames >= 1);  // the age counts on
    CHECK(frames <= 4);
    shown.view.set_live(false);
    tests::wait_for(200);
    int const still = shown.view.frames_drawn();
    tests::wait_for(1300);
    CHECK(shown.view.frames_drawn() == still);
    CHECK_FALSE(shown.view.append(1, x, y).ok());
    CHECK_FALSE(shown.view.append(0, x, std::span(y).first(1)).ok());
    std::vector<double> const next{70};
    REQUIRE(shown.view.append(0, {}, next).ok());
    CHECK(std::get<XyPlot>(shown.view.figure().content).series[0].x.back() == Approx(6.001));
}

TEST_CASE("bars stand beside their names and are read one by one") {
    ORRERY_NEED_WINDOW();
    XyPlot plot;
    plot.kind = XyKind::bars;
    plot.x = {"predictor", "", {"StaB-ddG", "Flex ddG", "FoldX"}, false, 0, 0};
    plot.y = {"Pearson correlation", "", {}, false, 0, 0};
    for (int split = 0; split < 2; ++split) {
        Series series;
        series.name = split == 0 ? "test" : "training";
        series.x = {0, 1, 2};
        series.y = {0.45 + 0.1 * split, 0.55, -0.1};
        series.error = {0.05, 0.04, 0.06};
        plot.series.push_back(series);
    }
    Figure figure;
    figure.content = std::move(plot);
    Shown shown(std::move(figure), {600, 400});
    QImage const picture = shown.view.grab_frame();
    tests::save_screenshot(picture, "bars");
    QPointF const top = shown.view.point_position(1, 0);
    CHECK(has_color(picture, top + QPointF(8, 12), QColor("#D55E00"), 1));
    QSignalSpy spy(&shown.view, &XyView::hovered);
    QTest::mouseMove(shown.canvas(), (top + QPointF(0, 20)).toPoint());
    REQUIRE(spy.count() == 1);
    CHECK(spy.at(0).at(0).toString().toStdString() == "training: StaB-ddG, 0.550 ± 0.050");
}

TEST_CASE("an empty plot says so, one without points too, and wrong ones are refused") {
    ORRERY_NEED_WINDOW();
    XyView view;
    view.resize(500, 300);
    view.show();
    REQUIRE(tests::wait_until([&] { return view.frames_drawn() > 0; }));
    CHECK(view.empty());
    tests::save_screenshot(view.grab_frame(), "xy_empty");
    Figure broken = measured_against_predicted();
    std::get<XyPlot>(broken.content).series[1].error.pop_back();
    Result<void> const refused = view.set_figure(std::move(broken));
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().message() == "x, y, errors, labels or keys of a series differ in length (series 1C1Y)");
    Figure wrong;
    wrong.content = HeatMap();
    CHECK_FALSE(view.set_figure(std::move(wrong)).ok());
    Figure hollow;
    XyPlot plot;
    plot.kind = XyKind::line;
    plot.y.logarithmic = true;
    plot.series.resize(1);
    hollow.content = plot;
    REQUIRE(view.set_figure(hollow).ok());
    CHECK(view.empty());
    std::vector<double> const y{std::nan(""), -1, 10, 1000};
    REQUIRE(view.append(0, {}, y).ok());  // NaN and what a logarithm has no place for
    tests::wait_for(150);
    CHECK_FALSE(view.empty());
    tests::save_screenshot(view.grab_frame(), "line_logarithmic");
    // The line begins at the first value above 0; below it the plot is empty.
    QColor const blue("#0072B2");
    CHECK(has_color(view.grab_frame(), view.point_position(0, 2), blue));
    CHECK_FALSE(has_color(view.grab_frame(), view.point_position(0, 2) + QPointF(0, 9), blue, 2));
    view.clear();
    CHECK(view.empty());
}

TEST_CASE("a plot without news is not drawn again") {
    ORRERY_NEED_WINDOW();
    Shown shown(measured_against_predicted());
    tests::wait_for(300);
    int const before = shown.view.frames_drawn();
    tests::wait_for(800);
    CHECK(shown.view.frames_drawn() == before);
}

TEST_CASE("the figure given back is the figure given") {
    ORRERY_NEED_WINDOW();
    Figure const figure = measured_against_predicted();
    XyView view;
    REQUIRE(view.set_figure(figure).ok());
    CHECK(view.figure().to_json() == figure.to_json());
}
