#include "renderers/imgui/imgui_widget.h"

#include "renderers/imgui/font_data.h"
#include "renderers/theme.h"
#include "tests/catch.h"
#include "tests/renderers/window_test.h"

#include <imgui.h>
#include <QApplication>
#include <QMainWindow>
#include <QTest>

using namespace orrery;

namespace {

class Button : public ImGuiWidget {
public:
    using ImGuiWidget::ImGuiWidget;
    ~Button() override { stop_gl(); }
    int clicks = 0, releases = 0;
    float text_width = 0;

protected:
    void draw() override {
        ImGui::SetCursorPos(ImVec2(20, 20));
        if (ImGui::Button("Draw again", ImVec2(120, 30))) ++clicks;
        text_width = ImGui::CalcTextSize("A:63 E→Q 1.24 ± 0.11 kcal/mol").x;
    }
    void release_gl() override { ++releases; }
};

}  // namespace

TEST_CASE("the host draws after input and then stops") {
    ORRERY_NEED_WINDOW();
    Button button;
    button.resize(300, 120);
    button.show();
    REQUIRE(tests::wait_until([&] { return button.frames_drawn() > 0; }));
    tests::wait_for(200);
    int const before = button.frames_drawn();
    tests::wait_for(400);
    CHECK(button.frames_drawn() == before);
    QTest::mouseMove(&button, QPoint(60, 35));
    QTest::mouseClick(&button, Qt::LeftButton, {}, QPoint(60, 35));
    CHECK(tests::wait_until([&] { return button.clicks == 1; }));
    tests::wait_for(300);
    int const after = button.frames_drawn();
    CHECK(after > before);
    CHECK(after - before < 20);
    tests::wait_for(400);
    CHECK(button.frames_drawn() == after);
    CHECK(button.clicks == 1);
}

TEST_CASE("text of the plots has the width that the widgets' text has") {
    ORRERY_NEED_WINDOW();
    QFont const body = ThemeNotifier::instance().theme().body();
    FontData const data = font_data(body);
    REQUIRE(data.file.size() > 10'000);
    CHECK(data.line_per_em > 1.0);
    CHECK(data.line_per_em < 1.6);
    Button button;
    button.resize(300, 120);
    button.show();
    REQUIRE(tests::wait_until([&] { return button.frames_drawn() > 0; }));
    double const expected = QFontMetricsF(body).horizontalAdvance("A:63 E→Q 1.24 ± 0.11 kcal/mol");
    CHECK(static_cast<double>(button.text_width) == Approx(expected).epsilon(0.04));  // kerning is Qt's alone
}

TEST_CASE("the host survives moving to another window and frees what it made") {
    ORRERY_NEED_WINDOW();
    QMainWindow first, second;
    auto* button = new Button;
    first.setCentralWidget(button);
    first.show();
    REQUIRE(tests::wait_until([&] { return button->frames_drawn() > 0; }));
    int const before = button->frames_drawn();
    second.setCentralWidget(first.takeCentralWidget());
    second.show();
    REQUIRE(tests::wait_until([&] { return button->frames_drawn() > before; }));
    QImage const picture = button->grab_frame();
    CHECK(picture.pixelColor(picture.width() - 3, picture.height() - 3) == ThemeNotifier::instance().theme().surface);
    CHECK(button->releases >= 1);
}

TEST_CASE("two hosts do not disturb each other when one goes") {
    ORRERY_NEED_WINDOW();
    Button stays;
    stays.resize(200, 80);
    stays.show();
    {
        Button goes;
        goes.resize(200, 80);
        goes.show();
        REQUIRE(tests::wait_until([&] { return stays.frames_drawn() > 0 && goes.frames_drawn() > 0; }));
    }
    int const before = stays.frames_drawn();
    stays.request_frames();
    REQUIRE(tests::wait_until([&] { return stays.frames_drawn() > before; }));
    CHECK(stays.grab_frame().pixelColor(2, 2) == ThemeNotifier::instance().theme().surface);
}
