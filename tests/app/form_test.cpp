// Forms made from schemas, on the real window: errors at fields, undo, values shared between verbs.
#include "tests/app/window_fixture.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QToolButton>

#include "panels/common/schema_form.h"
#include "panels/common/text.h"

using namespace orrery;
using namespace orrery::tests;

namespace {

void edit(QLineEdit& line, QString const& text) {
    line.setText(text);
    Q_EMIT line.editingFinished();
}

}  // namespace

TEST_CASE("a field out of range says so below itself and leaves the value alone") {
    ORRERY_NEED_DISPLAY();
    Window window("form-range");
    REQUIRE(window.run("room counting").ok());
    auto* steps = window.find<QLineEdit>("counting.form.steps");
    REQUIRE(steps != nullptr);
    CHECK(steps->text() == "10");
    edit(*steps, "20000");
    CHECK(window.state("widget.counting.form.steps.error.visible") == "true");
    CHECK(window.state("widget.counting.form.steps.error.text").find("must be 1 to 10000") != std::string::npos);
    CHECK(window.room().value("steps") == 10);
    edit(*steps, "many");
    CHECK(window.state("widget.counting.form.steps.error.text").find("whole number") != std::string::npos);
    edit(*steps, "25");
    CHECK(window.state("widget.counting.form.steps.error.visible") == "false");
    CHECK(window.room().value("steps") == 25);
}

TEST_CASE("each edit is a command in the log and can be undone and redone") {
    ORRERY_NEED_DISPLAY();
    Window window("form-undo");
    REQUIRE(window.run("room counting").ok());
    edit(*window.find<QLineEdit>("counting.form.steps"), "30");
    CHECK(window->commands().history().back().text == "set counting.steps 30");
    edit(*window.find<QLineEdit>("counting.form.growth"), "2.5");
    CHECK(window.state("undo") == "Set Growth");
    REQUIRE(window.run("undo").ok());
    CHECK(window.find<QLineEdit>("counting.form.growth")->text() == "1.5");
    REQUIRE(window.run("undo").ok());
    CHECK(window.find<QLineEdit>("counting.form.steps")->text() == "10");
    CHECK(window.state("undo").empty());
    REQUIRE(window.run("redo").ok());
    REQUIRE(window.run("redo").ok());
    CHECK(window.room().value("steps") == 30);
    CHECK(window.room().value("growth") == 2.5);
}

TEST_CASE("every type of parameter has an editor that issues what set understands") {
    ORRERY_NEED_DISPLAY();
    Window window("form-types");
    REQUIRE(window.run("room counting").ok());
    auto* more = window.find<QToolButton>("counting.more.count");
    REQUIRE(more != nullptr);
    CHECK_FALSE(window.find<QLineEdit>("counting.form.seed")->isVisible());
    more->click();
    CHECK(window.find<QLineEdit>("counting.form.seed")->isVisible());
    window.find<QCheckBox>("counting.form.noisy")->click();
    CHECK(window.room().value("noisy") == true);
    auto* shape = window.find<QComboBox>("counting.form.shape");
    shape->setCurrentIndex(1);
    Q_EMIT shape->activated(1);
    CHECK(window.room().value("shape") == "curve");
    REQUIRE(window.run("set counting.labels one \"two words\" three").ok());
    CHECK(window.room().value("labels") == Json::array({"one", "two words", "three"}));
    CHECK(window.find<QPlainTextEdit>("counting.form.labels")->toPlainText() == "one\ntwo words\nthree");
    REQUIRE(window.run("reset counting.shape").ok());
    CHECK(window.room().value("shape") == "line");
    // What no command names is refused, naming the room's settings as the place to look.
    auto const refused = window.run("set counting.colour red");
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().what.find("no setting \"colour\"") != std::string::npos);
    CHECK_FALSE(window.run("set steps 3").ok());
    CHECK_FALSE(window.run("set conting.steps 3").ok());
}

TEST_CASE("the run button says what it will do and what stands in its way") {
    ORRERY_NEED_DISPLAY();
    Window window("form-run");
    REQUIRE(window.run("room counting").ok());
    auto* run = window.find<QPushButton>("counting.run");
    CHECK(run->text() == "Count steps");
    CHECK(run->isEnabled());
    REQUIRE(window.run("verb counting fail").ok());
    CHECK_FALSE(run->isEnabled());
    CHECK(window.state("widget.counting.run.note.text") == "Choose first: numbers");
    auto const refused = window.run("run counting fail");
    REQUIRE_FALSE(refused.ok());
    CHECK(window.state("room.note").find("numbers") != std::string::npos);
    REQUIRE(window.run("undo").ok());
    CHECK(window.room().verb() == "count");
    CHECK(run->isEnabled());
}

TEST_CASE("labels tell unit, help, range, default and citation") {
    ORRERY_NEED_DISPLAY();
    Window window("form-tips");
    REQUIRE(window.run("room counting").ok());
    auto* steps = window.find<QLineEdit>("counting.form.steps");
    QString const tip = steps->parentWidget()->parentWidget()->toolTip();
    CHECK(tip.contains("How many steps."));
    CHECK(tip.contains("1 to 10000"));
    CHECK(tip.contains("default 10"));
    CHECK(tip.contains("section 2"));
    CHECK(tip.contains("--steps"));
    CHECK(steps->accessibleName() == "Steps");
    CHECK(window.find<QLineEdit>("counting.form.step_ms")->accessibleName() == "Pause, ms");
}
