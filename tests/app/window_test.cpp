// The shell: palette, theme, layouts, drops, logs, and what the process has loaded.
#include "tests/app/window_fixture.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QUrl>
#include <algorithm>

#include "app/command_palette.h"
#include "app/docks/log_dock.h"
#include "app/fuzzy.h"
#include "app/menus.h"
#include "panels/common/text.h"
#include "renderers/theme.h"

using namespace orrery;
using namespace orrery::tests;

namespace {

void drop(QWidget& window, std::filesystem::path const& path) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QString::fromStdString(path.string()))});
    QDragEnterEvent enter(window.rect().center(), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    QDropEvent event(QPointF(window.rect().center()), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &event);
}

}  // namespace

TEST_CASE("fuzzy search prefers runs, beginnings of words and short texts") {
    CHECK(fuzzy_score("ddg", "Binding ddG") > 0);
    CHECK(fuzzy_score("bdd", "Binding ddG") > 0);
    CHECK(fuzzy_score("xyz", "Binding ddG") == 0);
    CHECK(fuzzy_score("theme", "Theme: dark") > fuzzy_score("theme", "Show the menu"));
    CHECK(fuzzy_score("dark theme", "Theme: dark") > 0);
    CHECK(fuzzy_score("", "anything") > 0);
}

TEST_CASE("the palette finds rooms by title, paper, method and file type, and commands by their words") {
    ORRERY_NEED_DISPLAY();
    Window window("palette");
    REQUIRE(window.run("palette").ok());
    auto* palette = window.find<CommandPalette>("palette");
    REQUIRE(palette->isVisible());
    for (char const* typed : {"counting", "abacus", "stepnet", ".numbers"}) {
        INFO(typed);
        auto const found = palette->found(QString::fromLatin1(typed));
        bool const room =
            std::any_of(found.begin(), found.end(), [](auto const& e) { return e.text == "room counting"; });
        CHECK(room);
    }
    CHECK(palette->found("dark theme").front().text == "theme dark");
    CHECK(palette->found("count steps").front().text == "run counting count");
    CHECK(palette->found("ten steps").front().text == "sample counting ten");
    CHECK(palette->found("qqqq").empty());
    // Typed and entered as a person does.
    auto* line = window.find<QLineEdit>("palette.line");
    line->setText("theme dark");
    Q_EMIT line->textEdited("theme dark");
    QKeyEvent enter(QEvent::KeyPress, Qt::Key_Return, Qt::NoModifier);
    QApplication::sendEvent(line, &enter);
    CHECK_FALSE(palette->isVisible());
    CHECK(window.state("theme") == "dark");
}

TEST_CASE("the theme changes colours everywhere and is remembered") {
    ORRERY_NEED_DISPLAY();
    QColor light, dark;
    {
        Window window("theme");
        light = QApplication::palette().color(QPalette::Window);
        REQUIRE(window.run("theme dark").ok());
        dark = QApplication::palette().color(QPalette::Window);
        CHECK(light.lightness() > 200);
        CHECK(dark.lightness() < 60);
        CHECK(ThemeNotifier::instance().theme().dark);
        REQUIRE(window.run("undo").ok());
        CHECK(QApplication::palette().color(QPalette::Window) == light);
        REQUIRE(window.run("theme dark").ok());
        REQUIRE(window.run("scale 1.5").ok());
        CHECK(QApplication::font().pixelSize() == 20);
        CHECK_FALSE(window.run("theme blue").ok());
        CHECK_FALSE(window.run("scale 9").ok());
    }
    Window again("theme", false);
    CHECK(again.state("theme") == "dark");
    CHECK(again.state("scale") == "1.5");
}

TEST_CASE("layouts: standard ones, saved ones, and how the window was") {
    ORRERY_NEED_DISPLAY();
    {
        Window window("layouts");
        CHECK(window.state("layout.jobs") == "true");
        CHECK(window.state("layout.log") == "false");
        REQUIRE(window.run("layout focus").ok());
        CHECK(window.state("layout.rooms") == "false");
        CHECK(window.state("layout.jobs") == "false");
        REQUIRE(window.run("undo").ok());
        CHECK(window.state("layout.rooms") == "true");
        REQUIRE(window.run("show log").ok());
        REQUIRE(window.run("hide inspector").ok());
        REQUIRE(window.run("save-layout mine").ok());
        REQUIRE(window.run("layout standard").ok());
        CHECK(window.state("layout.log") == "false");
        CHECK_FALSE(window.run("layout nowhere").ok());
        CHECK_FALSE(window.run("save-layout Standard").ok());
        REQUIRE(window.run("layout mine").ok());
        CHECK(window.state("layout.log") == "true");
        CHECK(window.state("layout.inspector") == "false");
    }
    Window again("layouts", false);
    CHECK(again.state("layout.log") == "true");
    CHECK(again.state("layout.inspector") == "false");
}

TEST_CASE("the log shows every command and why one was refused") {
    ORRERY_NEED_DISPLAY();
    Window window("log");
    REQUIRE(window.run("show log").ok());
    REQUIRE(window.run("room counting").ok());
    CHECK_FALSE(window.run("set counting.steps 0").ok());
    auto* log = dynamic_cast<LogDock*>(window->docks().content("log"));
    REQUIRE(log != nullptr);
    CHECK(log->text().contains("> room counting"));
    CHECK(log->text().contains("set counting.steps 0"));
    CHECK(log->text().contains("must be 1 to 10000"));
    auto* line = window.find<QLineEdit>("log.line");
    line->setText("theme dark");
    Q_EMIT line->returnPressed();
    CHECK(window.state("theme") == "dark");
}

TEST_CASE("a dropped file opens in the room that takes it; a bad one leaves what is loaded untouched") {
    ORRERY_NEED_DISPLAY();
    Window window("drop");
    auto const good = window.write("good.numbers", "1\n2\n3\n");
    auto const bad = window.write("bad.xyz", "nothing");
    drop(*window, good);
    REQUIRE(window.wait("room", "counting"));
    CHECK(window.state("room.values.numbers") == good.string());
    CHECK(window.state("widget.counting.input.name.text") == "good.numbers");
    window.settle();
    CHECK(window.state("session.datasets") == "1");
    drop(*window, bad);
    REQUIRE(window.wait([&] { return !window.state("message").empty(); }));
    CHECK(window.state("message").find("no room can use this kind of file") != std::string::npos);
    CHECK(window.state("message").find("bad.xyz") != std::string::npos);
    CHECK(window.state("room.values.numbers") == good.string());
    drop(*window, window.folder() / "absent.numbers");
    REQUIRE(window.wait([&] { return window.state("message").find("no such file") != std::string::npos; }));
    CHECK(window.state("room.values.numbers") == good.string());
    // Given to the room by name it is refused in the same words, at the room.
    CHECK_FALSE(window.run("open-in counting " + bad.string()).ok());
    CHECK(window.state("room.note").find("It takes *.numbers") != std::string::npos);
    CHECK(window.state("room.values.numbers") == good.string());
    REQUIRE(window.run("undo").ok());
    CHECK(window.room().value("numbers").is_null());
}

TEST_CASE("samples, help and citation are one command away") {
    ORRERY_NEED_DISPLAY();
    Window window("sample");
    REQUIRE(window.run("sample counting ten").ok());
    CHECK(window.state("room.values.steps") == "12");
    CHECK(window.state("undo") == "Sample Ten steps");
    REQUIRE(window.run("help").ok());
    CHECK(window.state("widget.counting.help.text.text").find("How many steps.") != std::string::npos);
    REQUIRE(window.run("cite").ok());
    CHECK(window.state("widget.counting.cite.bibtex.text").find("@article{steps") != std::string::npos);
    CHECK_FALSE(window.run("sample counting twelve").ok());
    CHECK_FALSE(window.run("help nothing").ok());
}

TEST_CASE("selection is a command, whoever changes it, and can be undone") {
    ORRERY_NEED_DISPLAY();
    Window window("selection");
    window->selection().select("residue", {"A:63", "B:2"});  // as a view does
    CHECK(window->commands().history().back().text == "select residue A:63 B:2");
    REQUIRE(window.run("select residue A:1").ok());
    REQUIRE(window.run("undo").ok());
    CHECK(window.state("selection.residue") == "A:63,B:2");
    REQUIRE(window.run("undo").ok());
    CHECK(window.state("selection.residue").empty());
}

TEST_CASE("every menu entry is a command that exists, and can be pressed on the start page without harm") {
    ORRERY_NEED_DISPLAY();
    Window window("menus");
    auto const descriptions = window->commands().descriptions();
    for (auto const& command : window->menus().standing()) {
        INFO(command.text);
        auto const call = CommandCall::parse(command.text);
        REQUIRE(call.ok());
        bool const known =
            std::any_of(descriptions.begin(), descriptions.end(), [&](auto const& d) { return d.name == call->name; });
        CHECK(known);
    }
    for (char const* text : {"run", "pause", "cancel", "repeat-run", "export-dialog", "help", "cite"}) {
        INFO(text);
        CHECK_FALSE(window.run(text).ok());
    }
}

TEST_CASE("the window has loaded neither LibTorch nor VTK") {
    ORRERY_NEED_DISPLAY();
    Window window("maps");
    REQUIRE(window.run("room counting").ok());
    CHECK(window.state("maps.libtorch") == "false");
    CHECK(window.state("maps.libc10") == "false");
    CHECK(window.state("maps.libvtk") == "false");
    CHECK(window.state("maps.libQt6Widgets") == "true");
}

TEST_CASE("interactive widgets have names for journeys and for screen readers") {
    ORRERY_NEED_DISPLAY();
    Window window("names");
    REQUIRE(window.run("room counting").ok());
    for (QAbstractButton* button : window->findChildren<QAbstractButton*>()) {
        if (!button->isVisible() || button->objectName().startsWith("qt_")) continue;
        INFO(button->objectName().toStdString() << " / " << button->text().toStdString());
        CHECK((!button->accessibleName().isEmpty() || !button->text().isEmpty()));
    }
    for (char const* name :
         {"counting.run", "counting.cite", "counting.help", "counting.layout", "search", "rooms", "inspector"})
        CHECK(window->findChild<QWidget*>(QString::fromLatin1(name)) != nullptr);
}
