#include "renderers/theme.h"
#include "renderers/selection.h"
#include "renderers/theme_style.h"
#include "tests/catch.h"
#include "tests/renderers/window_test.h"

#include <QApplication>
#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QProgressBar>
#include <QPushButton>
#include <QRadioButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QStatusBar>
#include <QTableWidget>
#include <QToolButton>
#include <QTreeWidget>
#include <QWindow>

using namespace orrery;

namespace {

Theme load(char const* name) {
    Result<Theme> theme = Theme::load(name);
    REQUIRE(theme.ok());
    return theme.value();
}

// One of every kind of widget that the style sheet styles.
std::unique_ptr<QMainWindow> every_widget() {
    auto window = std::make_unique<QMainWindow>();
    window->resize(900, 620);
    QMenu* menu = window->menuBar()->addMenu("File");
    menu->addAction("Open…");
    window->menuBar()->addMenu("Edit");
    window->statusBar()->showMessage("ready · CPU 2 threads · 412 MB · no GPU");

    auto* center = new QWidget;
    auto* column = new QVBoxLayout(center);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(8);
    auto* title = new QLabel("Binding ddG");
    title->setProperty("role", "title");
    auto* secondary = new QLabel("707 residues, 2 notes");
    secondary->setProperty("role", "secondary");
    column->addWidget(title);
    column->addWidget(secondary);

    auto* card = new QFrame;
    card->setProperty("role", "card");
    auto* form = new QFormLayout(card);
    form->setContentsMargins(12, 12, 12, 12);
    form->setSpacing(8);
    form->addRow("Draws", new QSpinBox);
    auto* choice = new QComboBox;
    choice->addItems({"weaker binding is positive", "stronger binding is positive"});
    form->addRow("Sign", choice);
    auto* wrong = new QLineEdit("EA63");
    wrong->setProperty("invalid", true);
    form->addRow("Mutation", wrong);
    auto* error = new QLabel("EA63 lacks the new residue");
    error->setProperty("role", "error");
    form->addRow("", error);
    auto* disabled_edit = new QLineEdit("not now");
    disabled_edit->setEnabled(false);
    form->addRow("Weights", disabled_edit);
    auto* check = new QCheckBox("Keep water");
    check->setChecked(true);
    form->addRow("", check);
    auto* radio = new QRadioButton("One side");
    radio->setChecked(true);
    form->addRow("", radio);
    auto* slider = new QSlider(Qt::Horizontal);
    slider->setValue(40);
    form->addRow("Distance", slider);
    column->addWidget(card);

    auto* buttons = new QHBoxLayout;
    auto* run = new QPushButton("Scan interface");
    run->setProperty("primary", true);
    auto* quiet = new QPushButton("Cite");
    quiet->setProperty("quiet", true);
    auto* off = new QPushButton("Resume");
    off->setEnabled(false);
    for (QPushButton* button : {run, new QPushButton("Cancel"), quiet, off}) buttons->addWidget(button);
    buttons->addStretch();
    column->addLayout(buttons);
    auto* progress = new QProgressBar;
    progress->setValue(62);
    column->addWidget(progress);

    auto* table = new QTableWidget(20, 3);
    table->setHorizontalHeaderLabels({"Mutation", "ddG (kcal/mol)", "s.e."});
    for (int row = 0; row < 20; ++row) table->setItem(row, 0, new QTableWidgetItem("EA63Q"));
    table->selectRow(1);
    column->addWidget(table, 1);
    window->setCentralWidget(center);

    auto* dock = new QDockWidget("Rooms");
    auto* tree = new QTreeWidget;
    tree->setHeaderHidden(true);
    auto* group = new QTreeWidgetItem(tree, {"Molecules and proteins"});
    new QTreeWidgetItem(group, {"Binding ddG"});
    tree->expandAll();
    tree->setCurrentItem(group->child(0));
    dock->setWidget(tree);
    window->addDockWidget(Qt::LeftDockWidgetArea, dock);
    auto* other = new QDockWidget("Runs");
    other->setWidget(new QWidget);
    window->addDockWidget(Qt::LeftDockWidgetArea, other);
    window->tabifyDockWidget(dock, other);
    dock->raise();
    return window;
}

}  // namespace

TEST_CASE("both themes have text of 4.5:1 and marks of 3:1 on window and surface") {
    for (char const* name : {"light", "dark"}) {
        Theme const theme = load(name);
        CHECK(theme.name == name);
        for (QColor const& ground : {theme.window, theme.surface, selected(theme), hover(theme)}) {
            CAPTURE(name, ground.name().toStdString());
            CHECK(contrast(theme.text, ground) >= 4.5);
            CHECK(contrast(theme.secondary_text, ground) >= 4.5);
        }
        for (QColor const& ground : {theme.window, theme.surface}) {
            for (QColor const& text : {theme.accent, theme.good, theme.warn, theme.bad}) {
                CAPTURE(name, ground.name().toStdString(), text.name().toStdString());
                CHECK(contrast(text, ground) >= 4.5);  // they are used for words too, so 4.5 and not 3
            }
        }
        CHECK(contrast(on_accent(theme), theme.accent) >= 4.5);
        CHECK(contrast(mix(theme.border, theme.secondary_text, 0.8), theme.surface) >= 3.0);  // tick boxes
    }
}

TEST_CASE("contrast follows WCAG's own examples") {
    CHECK(contrast(Qt::black, Qt::white) == Approx(21.0));
    CHECK(contrast(QColor("#777777"), Qt::white) == Approx(4.48).epsilon(0.001));
    CHECK(contrast(QColor("#777777"), QColor("#777777")) == Approx(1.0));
}

TEST_CASE("the light and dark themes are the ones of the design") {
    CHECK(load("light").accent == QColor("#2F5FD0"));
    CHECK(load("dark").accent == QColor("#7FA3FF"));
    CHECK_FALSE(load("light").dark);
    CHECK(load("dark").dark);
}

TEST_CASE("an unknown theme is named together with those that exist") {
    Result<Theme> const theme = Theme::load("sepia");
    REQUIRE_FALSE(theme.ok());
    CHECK(theme.error().message() == "there is no theme \"sepia\" (:/themes/sepia.json). themes are: light, dark");
}

TEST_CASE("the style sheet has no word left to fill in, and its icons exist") {
    for (char const* name : {"light", "dark"}) {
        QString const sheet = style_sheet(load(name));
        REQUIRE(sheet.size() > 4000);
        QString const rules =
            QString(sheet).remove(QRegularExpression("/\\*.*?\\*/", QRegularExpression::DotMatchesEverythingOption));
        CHECK_FALSE(rules.contains('@'));
        QRegularExpressionMatchIterator urls = QRegularExpression("url\\(([^)]*)\\)").globalMatch(rules);
        int icons = 0;
        for (; urls.hasNext(); ++icons) {
            QString const path = urls.next().captured(1);
            CAPTURE(path.toStdString());
            CHECK(QFile::exists(path));
        }
        CHECK(icons > 10);
    }
}

TEST_CASE("categories follow Okabe and Ito, wrap, and black turns white on dark") {
    CHECK(category_color(0, false) == QColor("#E69F00"));
    CHECK(category_color(4, false) == QColor("#0072B2"));
    CHECK(category_color(8, false) == category_color(0, false));
    CHECK(category_color(-1, false) == category_color(7, false));
    CHECK(category_color(7, false) == QColor(Qt::black));
    CHECK(category_color(7, true) == QColor(Qt::white));
}

TEST_CASE("a selection signals once a change and never for the same again") {
    SelectionModel model;
    QSignalSpy selections(&model, &SelectionModel::selection_changed);
    QSignalSpy hovers(&model, &SelectionModel::hover_changed);
    model.select("residue", {"A:63", "A:52A"});
    model.select("residue", {"A:52A", "A:63"});
    REQUIRE(selections.count() == 1);
    CHECK(selections.at(0).at(0).toString() == "residue");
    CHECK(model.selected("residue").contains("A:52A"));
    CHECK(model.selected("mutant").isEmpty());
    model.select("mutant", {});
    CHECK(selections.count() == 1);
    model.hover("residue", "A:63");
    model.hover("residue", "A:63");
    CHECK(hovers.count() == 1);
    model.hover("residue", {});
    CHECK(hovers.count() == 2);
    CHECK(model.hovered("residue").isEmpty());
}

TEST_CASE("the notifier starts with a usable theme and tells of a change") {
    ThemeNotifier& notifier = ThemeNotifier::instance();
    CHECK(notifier.theme().window.isValid());
    QSignalSpy changes(&notifier, &ThemeNotifier::changed);
    notifier.set(load("dark"));
    CHECK(changes.count() == 1);
    CHECK(notifier.theme().dark);
    notifier.set(load("light"));
}

TEST_CASE("every kind of widget is drawn in the theme's colours") {
    ORRERY_NEED_WINDOW();
    for (char const* name : {"light", "dark"}) {
        Theme const theme = load(name);
        qApp->setPalette(palette(theme));
        qApp->setFont(theme.body());
        qApp->setStyleSheet(style_sheet(theme));
        auto window = every_widget();
        window->show();
        REQUIRE(tests::wait_until([&] { return window->isVisible() && window->windowHandle()->isExposed(); }));
        tests::wait_for(50);
        QImage const picture = window->grab().toImage();
        tests::save_screenshot(picture, QString("theme_%1").arg(name));
        double const ratio = picture.devicePixelRatio();
        CHECK(picture.pixelColor(QPoint(picture.width() - 4, static_cast<int>(40 * ratio))) == theme.window);
        QPushButton* run = nullptr;
        for (QPushButton* button : window->findChildren<QPushButton*>()) {
            if (button->property("primary").toBool()) run = button;
        }
        REQUIRE(run != nullptr);
        QPoint const corner = run->mapTo(window.get(), QPoint(5, run->height() / 2));
        CHECK(picture.pixelColor(corner * ratio) == theme.accent);
        CHECK(run->height() == 28);
        for (QLineEdit* edit : window->findChildren<QLineEdit*>()) {
            if (!edit->property("invalid").toBool()) continue;
            QPoint const edge = edit->mapTo(window.get(), QPoint(edit->width() / 2, 0));
            CHECK(picture.pixelColor(edge * ratio) == theme.bad);
        }
    }
    qApp->setStyleSheet({});
}
