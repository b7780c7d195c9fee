#include "renderers/vtk/vtk_widget.h"

#include "tests/catch.h"
#include "tests/renderers/window_test.h"

#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkCubeSource.h>
#include <vtkNew.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>

#include <QHBoxLayout>
#include <QMainWindow>
#include <QTest>
#include <memory>

using namespace orrery;

namespace {

void add_cube(VtkWidget& widget) {
    vtkNew<vtkCubeSource> cube;
    vtkNew<vtkPolyDataMapper> mapper;
    mapper->SetInputConnection(cube->GetOutputPort());
    vtkNew<vtkActor> actor;
    actor->SetMapper(mapper);
    actor->GetProperty()->SetColor(0.9, 0.1, 0.1);
    actor->GetProperty()->SetAmbient(0.6);
    widget.renderer()->AddActor(actor);
    widget.renderer()->SetBackground(1, 1, 1);
    widget.renderer()->ResetCamera();
    widget.request_render();
}

QString name(QColor const& c) { return c.name(QColor::HexArgb); }

bool reddish(QColor const& c) { return c.red() > 90 && c.red() > 2 * c.green(); }

}  // namespace

TEST_CASE("the adapter draws once, again only when asked, and follows size and scale") {
    ORRERY_NEED_WINDOW();
    QMainWindow window;
    auto* const widget = new VtkWidget;
    window.setCentralWidget(widget);
    window.resize(400, 300);
    add_cube(*widget);
    window.show();
    REQUIRE(tests::wait_until([&] { return widget->frames() > 0; }));
    tests::wait_for(100);
    QImage image = window.grab().toImage();
    CHECK(reddish(image.pixelColor(200, 150)));
    CHECK(name(image.pixelColor(3, 3)).toStdString() == "#ffffffff");
    CHECK(qAlpha(widget->grabFramebuffer().pixel(3, 3)) == 255);

    std::uint64_t const frames = widget->frames();
    widget->update();
    tests::wait_for(50);
    CHECK(widget->frames() == frames);  // a copy, no drawing
    widget->request_render();
    CHECK(tests::wait_until([&] { return widget->frames() == frames + 1; }));
    window.resize(500, 300);
    CHECK(tests::wait_until([&] { return widget->frames() > frames + 1; }));
    widget->set_render_scale(0.5);
    tests::wait_for(100);
    image = window.grab().toImage();
    CHECK(reddish(image.pixelColor(image.width() / 2, image.height() / 2)));
    CHECK(name(image.pixelColor(image.width() - 3, image.height() - 3)).toStdString() == "#ffffffff");
}

TEST_CASE("mouse events reach the interactor's style") {
    ORRERY_NEED_WINDOW();
    VtkWidget widget;
    widget.resize(400, 300);
    add_cube(widget);
    widget.show();
    REQUIRE(tests::wait_until([&] { return widget.frames() > 0; }));
    double before[3], after[3];
    widget.renderer()->GetActiveCamera()->GetPosition(before);
    std::uint64_t const frames = widget.frames();
    QTest::mousePress(&widget, Qt::LeftButton, {}, {200, 150});
    QTest::mouseMove(&widget, {240, 160});
    QTest::mouseMove(&widget, {280, 170});
    QTest::mouseRelease(&widget, Qt::LeftButton, {}, {280, 170});
    widget.renderer()->GetActiveCamera()->GetPosition(after);
    CHECK(std::abs(after[0] - before[0]) > 0.1);
    CHECK(tests::wait_until([&] { return widget.frames() > frames; }));
}

TEST_CASE("pictures: any size, transparent, in tiles, and of a widget never shown") {
    ORRERY_NEED_WINDOW();
    VtkWidget widget;
    widget.resize(200, 150);
    add_cube(widget);
    auto const clear = widget.render_image({320, 240, true, 2});
    REQUIRE(clear);
    CHECK(clear->size() == QSize(320, 240));
    CHECK(qAlpha(clear->pixel(1, 1)) == 0);
    CHECK(qAlpha(clear->pixel(160, 120)) == 255);
    CHECK(reddish(clear->pixelColor(160, 120)));
    auto const large = widget.render_image({5000, 3000, false, 1});
    REQUIRE(large);
    tests::save_screenshot(*large, "vtk_widget_tiles");
    CHECK(large->size() == QSize(5000, 3000));
    CHECK(reddish(large->pixelColor(2500, 1500)));
    CHECK(name(large->pixelColor(4, 4)).toStdString() == "#ffffffff");
    CHECK(name(large->pixelColor(4995, 2995)).toStdString() == "#ffffffff");
    // Left and right, above and below are symmetric in one whole picture; so must tiles be.
    auto const shrunk = large->scaled(250, 150, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    auto const whole = widget.render_image({250, 150, false, 4});
    REQUIRE(whole);
    double difference = 0;
    for (int y = 0; y < 150; ++y)
        for (int x = 0; x < 250; ++x) difference += std::abs(qGray(shrunk.pixel(x, y)) - qGray(whole->pixel(x, y)));
    CHECK(difference / (250 * 150) < 1.5);
    CHECK(widget.render_image({0, 10, false, 1}).error().field == "size");
    CHECK(widget.render_image({40'000, 10, false, 1}).error().field == "size");
    auto const png = widget.render_png(120, 90, 150, true, 1);
    REQUIRE(png);
    CHECK(QImage::fromData(QByteArray::fromStdString(*png)).size() == QSize(120, 90));
    CHECK(widget.render_png(120, 90, 0, true, 1).error().field == "dpi");
}

TEST_CASE("a widget moved to another window draws on with a context of its own") {
    ORRERY_NEED_WINDOW();
    QMainWindow first, second;
    auto* const widget = new VtkWidget;
    first.setCentralWidget(widget);
    first.resize(300, 200);
    second.resize(300, 200);
    add_cube(*widget);
    first.show();
    REQUIRE(tests::wait_until([&] { return widget->frames() > 0; }));
    second.show();
    second.setCentralWidget(first.takeCentralWidget());
    widget->show();
    tests::wait_for(300);
    QImage const image = second.grab().toImage();
    CHECK(reddish(image.pixelColor(150, 100)));
}

TEST_CASE("two views in one window keep out of each other's state") {
    ORRERY_NEED_WINDOW();
    QWidget window;
    auto* const layout = new QHBoxLayout(&window);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto *const left = new VtkWidget, *const right = new VtkWidget;
    layout->addWidget(left);
    layout->addWidget(right);
    add_cube(*left);
    add_cube(*right);
    right->renderer()->SetBackground(0, 0, 1);
    window.resize(600, 200);
    window.show();
    REQUIRE(tests::wait_until([&] { return left->frames() > 0 && right->frames() > 0; }));
    for (int i = 0; i < 3; ++i) {
        left->request_render();
        right->request_render();
        tests::wait_for(60);
    }
    QImage const image = window.grab().toImage();
    CHECK(name(image.pixelColor(4, 4)).toStdString() == "#ffffffff");
    CHECK(name(image.pixelColor(596, 4)).toStdString() == "#ff0000ff");
    CHECK(reddish(image.pixelColor(150, 100)));
    CHECK(reddish(image.pixelColor(450, 100)));
}
