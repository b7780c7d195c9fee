#include "renderers/protein/protein_view.h"
#include "renderers/protein/protein_view_loader.h"
#include "renderers/selection.h"
#include "renderers/theme.h"
#include "renderers/vtk/gl_probe.h"
#include "tests/catch.h"
#include "tests/renderers/protein/test_structures.h"
#include "tests/renderers/protein/view_fixture.h"
#include "tests/renderers/window_test.h"

#include <QSignalSpy>
#include <QTest>
#include <cmath>
#include <fstream>

using namespace orrery;
using tests::ViewFixture;

namespace {

bool vtk_mapped() {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);)
        if (line.find("libvtk") != std::string::npos || line.find("libtorch") != std::string::npos) return true;
    return false;
}

// Three chains of one helix each, side by side, far enough apart not to hide one another.
std::shared_ptr<Structure const> three_helices() {
    auto const helix = tests::ideal_helix(12);
    tests::StructureBuilder builder("three");
    for (int c = 0; c < 3; ++c) {
        builder.chain(std::string(1, char('A' + c)));
        for (Residue const& residue : helix->residues) {
            builder.residue(residue.name, residue.number, residue.kind, residue.secondary);
            for (std::uint32_t a = residue.first_atom; a < residue.first_atom + residue.atom_count; ++a) {
                Atom const& atom = helix->atoms[a];
                builder.atom(atom.name.data(), atom.element,
                             {atom.position[0] + 11.0 * c, double(atom.position[1]), double(atom.position[2])});
            }
        }
    }
    return builder.build();
}

// Part of the pixels with the hue of `color` (within 12 degrees) and some colour in them: shading changes lightness.
double share_of_hue(QImage const& image, QColor const& color) {
    int found = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            QColor const c = image.pixelColor(x, y);
            if (c.saturation() < 60) continue;
            int const apart = std::abs(c.hue() - color.hue());
            if (std::min(apart, 360 - apart) <= 12) ++found;
        }
    return double(found) / (double(image.width()) * image.height());
}

void click(ProteinView& view, QPointF const& at, Qt::KeyboardModifiers modifiers = {}) {
    QTest::mouseClick(view.canvas()->widget(), Qt::LeftButton, modifiers, at.toPoint());
}

}  // namespace

// First in the file: later cases load the module.
TEST_CASE("VTK is not in the process before the first structure is shown") {
    ORRERY_NEED_WINDOW();
    CHECK_FALSE(vtk_mapped());
    ViewFixture fixture(400, 300);
    tests::wait_for(200);
    CHECK_FALSE(vtk_mapped());  // the empty view needs none
    fixture.show(three_helices());
    CHECK(vtk_mapped());
}

TEST_CASE("every chain is drawn in its colour on the theme's background, opaque") {
    ORRERY_NEED_WINDOW();
    ThemeNotifier::instance().set(*Theme::load("light"));
    ViewFixture fixture(640, 480);
    auto const structure = three_helices();
    fixture.show(structure);
    QImage const image = fixture.picture();
    auto const colors = protein::color_residues(*structure, protein::ColorMode::chain, {}, {}, false);
    for (auto const& entry : colors.legend.entries) {
        INFO(entry.text);
        CHECK(share_of_hue(image, QColor(entry.color[0], entry.color[1], entry.color[2])) > 0.005);
    }
    CHECK(tests::share_of(image, Qt::white, 3) > 0.4);
    for (int y = 0; y < image.height(); y += 16)
        for (int x = 0; x < image.width(); x += 16) REQUIRE(qAlpha(image.pixel(x, y)) == 255);

    ThemeNotifier::instance().set(*Theme::load("dark"));
    fixture.settle();
    CHECK(tests::share_of(fixture.picture(), Theme::load("dark")->surface, 3) > 0.4);
    ThemeNotifier::instance().set(*Theme::load("light"));
}

TEST_CASE("exports are the same scene at any size; transparent ones have alpha 0 around it") {
    ORRERY_NEED_WINDOW();
    ViewFixture fixture(640, 480);
    fixture.show(three_helices());
    auto const clear = fixture.view->render_image({800, 600, 96, true, 2, false});
    REQUIRE(clear);
    REQUIRE(clear->size() == QSize(800, 600));
    CHECK(qAlpha(clear->pixel(2, 2)) == 0);
    CHECK(qAlpha(clear->pixel(797, 597)) == 0);
    int opaque = 0, between = 0;
    for (int y = 0; y < 600; ++y)
        for (int x = 0; x < 800; ++x) {
            int const alpha = qAlpha(clear->pixel(x, y));
            opaque += alpha > 250;
            between += alpha > 5 && alpha <= 250;
        }
    CHECK(opaque > 800 * 600 / 40);
    CHECK(between > 100);         // smooth edges
    CHECK(between < opaque / 2);  // and nothing glassy

    // Shrunk to one size, an export four times as large (drawn in tiles) shows the same.
    auto const small = fixture.view->render_image({400, 300, 96, false, 2, false});
    auto const large = fixture.view->render_image({4800, 3600, 96, false, 1, false});
    REQUIRE(small);
    REQUIRE(large);
    REQUIRE(large->size() == QSize(4800, 3600));
    QImage const shrunk = large->scaled(400, 300, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    double difference = 0;
    for (int y = 0; y < 300; ++y)
        for (int x = 0; x < 400; ++x) difference += std::abs(qGray(small->pixel(x, y)) - qGray(shrunk.pixel(x, y)));
    CHECK(difference / (400 * 300) < 1.5);

    auto const png = fixture.view->render_png({300, 200, 300, false, 1, true});
    REQUIRE(png);
    QImage const read = QImage::fromData(QByteArray::fromStdString(*png));
    CHECK(read.size() == QSize(300, 200));
    CHECK(std::abs(read.dotsPerMeterX() - 11811) <= 1);
    // The picture on the screen is not touched.
    tests::wait_for(50);
    CHECK(tests::share_of(fixture.picture(), ThemeNotifier::instance().theme().surface, 3) > 0.4);

    CHECK(fixture.view->render_image({0, 100}).error().field == "size");
    CHECK(fixture.view->render_png({100, 100, 0}).error().field == "dpi");
}

TEST_CASE("a residue is found where it is drawn; clicking selects it, in both directions") {
    ORRERY_NEED_WINDOW();
    ViewFixture fixture(640, 480);
    SelectionModel selection;
    fixture.view->set_selection_model(&selection);
    fixture.show(three_helices());
    ProteinView& view = *fixture.view;
    QSignalSpy picked(&view, &ProteinView::picked);
    QSignalSpy hovered(&view, &ProteinView::hovered);

    // As spheres each CA's own place shows its residue, or one that lies in front of it.
    auto display = view.display();
    display.spheres = true;
    display.cartoon = false;
    fixture.set(display);
    int right = 0, asked = 0;
    for (char const chain : {'A', 'B', 'C'})
        for (int number = 1; number <= 12; ++number) {
            std::string const key = std::string(1, chain) + ":" + std::to_string(number);
            auto const at = view.position_of(key);
            REQUIRE(at);
            QString const found = view.residue_at(*at);
            CHECK(!found.isEmpty());
            CHECK(found.startsWith(QChar(chain)));
            right += found.toStdString() == key;
            ++asked;
        }
    CHECK(right * 3 > asked);

    display.spheres = false;
    display.cartoon = true;
    fixture.set(display);
    QString key;
    QPointF place;
    for (int number = 2; number <= 11 && key.isEmpty(); ++number) {
        std::string const wanted = "B:" + std::to_string(number);
        auto const at = view.position_of(wanted);
        if (at && view.residue_at(*at).toStdString() == wanted) key = QString::fromStdString(wanted), place = *at;
    }
    REQUIRE(!key.isEmpty());
    QTest::mouseMove(view.canvas()->widget(), place.toPoint());
    CHECK(tests::wait_until([&] { return selection.hovered("residue") == key; }));
    REQUIRE(!hovered.isEmpty());
    CHECK(hovered.last()[1].toString() == key + " ALA");
    click(view, place);
    CHECK(selection.selected("residue") == QSet<QString>{key});
    REQUIRE(picked.size() == 1);
    CHECK(picked.last()[0].toString() == key);
    QTest::mouseMove(view.canvas()->widget(), QPoint(3, 3));  // the pointer's own mark goes
    fixture.settle();
    QColor const accent = ThemeNotifier::instance().theme().accent;
    CHECK(tests::share_of(fixture.picture(), accent, 24) > 0.0005);  // the rim

    click(view, {3, 3});
    CHECK(selection.selected("residue").isEmpty());
    CHECK(picked.last()[0].toString().isEmpty());
    fixture.settle();
    CHECK(tests::share_of(fixture.picture(), accent, 24) < 0.0005);

    std::uint64_t const frames = view.canvas()->frames();
    selection.select("residue", {"A:3", "C:9"});  // as a table or a map would
    fixture.settle();
    CHECK(view.canvas()->frames() > frames);
    CHECK(tests::share_of(fixture.picture(), accent, 24) > 0.0005);
    selection.select("residue", {"Z:999"});  // of another structure
    fixture.settle();
}

TEST_CASE("a selected residue too small to be outlined has a ring around it, and none from near") {
    ORRERY_NEED_WINDOW();
    ViewFixture fixture(640, 480);
    SelectionModel selection;
    fixture.view->set_selection_model(&selection);
    fixture.show(three_helices());
    view3d::Camera camera = fixture.view->canvas()->camera();
    camera.zoom_at({320, 240}, fixture.view->size(), 0.2);
    fixture.view->canvas()->set_camera(camera);
    selection.select("residue", {"B:6"});
    fixture.settle();
    QColor const accent = ThemeNotifier::instance().theme().accent;
    auto const place = fixture.view->position_of("B:6");
    REQUIRE(place);
    // Accent at the four ends of a ring of the size that the view draws (3.5 Å, never below 7 pixels).
    auto const ends_in_accent = [&] {
        QImage const picture = fixture.picture();
        double const scale = double(picture.width()) / fixture.view->width();
        double const radius = std::max(
            7.0, 3.5 * fixture.view->canvas()->camera().pixels_per_unit(camera.focal_point, fixture.view->size()));
        int found = 0;
        for (auto const& [x, y] : {std::pair(radius, 0.0), {-radius, 0.0}, {0.0, radius}, {0.0, -radius}}) {
            QPointF const end = (*place + QPointF(x, y)) * scale;
            found += tests::share_of(picture.copy(int(end.x()) - 2, int(end.y()) - 2, 5, 5), accent, 24) > 0;
        }
        return found;
    };
    CHECK(ends_in_accent() == 4);
    camera.zoom_at({320, 240}, fixture.view->size(), 5);
    fixture.view->canvas()->set_camera(camera);
    fixture.settle();
    CHECK(ends_in_accent() < 4);

    camera.zoom_at({320, 240}, fixture.view->size(), 0.2);
    fixture.view->canvas()->set_camera(camera);
    selection.select("residue", {});
    fixture.settle();
    CHECK(tests::share_of(fixture.picture(), accent, 24) < 0.00005);
}

TEST_CASE("hovering and uncovering draw no 3-D") {
    ORRERY_NEED_WINDOW();
    ViewFixture fixture(640, 480);
    fixture.show(three_helices());
    std::uint64_t const frames = fixture.view->canvas()->frames();
    for (int x = 100; x < 500; x += 20) QTest::mouseMove(fixture.view->canvas()->widget(), QPoint(x, 240));
    fixture.view->canvas()->widget()->update();
    tests::wait_for(300);
    CHECK(fixture.view->canvas()->frames() == frames);
}

TEST_CASE("detail falls while the camera moves where frames are slow, and comes back") {
    ORRERY_NEED_WINDOW();
    // Spheres enough that software OpenGL can't draw them in time.
    tests::StructureBuilder builder("large");
    builder.chain("A");
    for (int i = 0; i < 60'000; ++i)
        builder.residue("GLY", i + 1).atom("CA", 6, {3.0 * (i % 40), 3.0 * (i / 40 % 40), 3.0 * (i / 1600)});
    ViewFixture fixture(800, 600);
    auto display = fixture.view->display();
    display.cartoon = false;
    display.spheres = true;
    display.animated = false;
    fixture.view->set_display(display);
    fixture.show(builder.build());
    view3d::Canvas& canvas = *fixture.view->canvas();
    QImage const before = fixture.picture();
    std::uint64_t const frames = canvas.frames();
    view3d::Camera const start = canvas.camera();
    canvas.begin_motion();
    CHECK(canvas.moving());
    view3d::Camera camera = start;
    for (int i = 0; i < 12; ++i) {
        camera.orbit({i < 6 ? 12.0 : -12.0, 0}, {800, 600});
        canvas.set_camera(camera);
        tests::wait_for(30);
    }
    int const level = canvas.detail();
    tests::save_screenshot(*fixture.view, "protein_moving");
    canvas.set_camera(start);
    canvas.end_motion();
    CHECK(tests::wait_until([&] { return !canvas.moving(); }));
    fixture.settle();
    CHECK(canvas.detail() == 0);
    CHECK(canvas.frames() > frames + 3);
    if (gl_facts()->software) CHECK(level > 0);
    // The same camera gives the same full picture again.
    QImage const after = fixture.picture();
    double difference = 0;
    for (int y = 0; y < after.height(); ++y)
        for (int x = 0; x < after.width(); ++x)
            difference += std::abs(qGray(after.pixel(x, y)) - qGray(before.pixel(x, y)));
    CHECK(difference / (after.width() * after.height()) < 0.5);
}

TEST_CASE("small and odd structures: a picture or a clear state, never a crash") {
    ORRERY_NEED_WINDOW();
    ViewFixture fixture(480, 360);
    ProteinView& view = *fixture.view;
    QColor const surface = ThemeNotifier::instance().theme().surface;

    SECTION("no atoms") {
        view.set_structure(tests::StructureBuilder("nothing").build());
        tests::wait_for(100);
        CHECK(view.empty_text() == "nothing holds no atoms to show");
        CHECK_FALSE(view.render_image({}));
    }
    SECTION("one atom") {
        fixture.show(tests::StructureBuilder().residue("GLY", 1).atom("CA", 6, {1, 2, 3}).build());
        CHECK(tests::share_of(fixture.picture(), surface, 3) < 0.99);
        CHECK(view.residue_at({240, 180}) == "A:1");
    }
    SECTION("CA only") {
        fixture.show(tests::ideal_helix(15, true));
        CHECK(tests::share_of(fixture.picture(), surface, 3) < 0.97);
    }
    SECTION("nucleic acid only") {
        tests::StructureBuilder builder;
        builder.chain("D");
        for (int i = 0; i < 10; ++i)
            builder.residue("DG", i + 1, ResidueKind::nucleic_acid)
                .atom("P", 15, {9 * std::cos(0.6 * i), 9 * std::sin(0.6 * i), 3.4 * i});
        fixture.show(builder.build());
        CHECK(tests::share_of(fixture.picture(), surface, 3) < 0.97);
    }
    SECTION("waters only are hidden until asked for") {
        tests::StructureBuilder builder("wet");
        for (int i = 0; i < 5; ++i) builder.residue("HOH", i + 1, ResidueKind::water).atom("O", 8, {3.0 * i, 0, 0});
        view.set_structure(builder.build());
        CHECK(tests::wait_until([&] { return !view.busy(); }));
        CHECK(view.empty_text().contains("wet"));
    }
    SECTION("a lone ligand is drawn as sticks") {
        fixture.show(tests::StructureBuilder()
                         .residue("LIG", 1, ResidueKind::ligand)
                         .atom("C1", 6, {0, 0, 0})
                         .atom("C2", 6, {1.5, 0, 0})
                         .atom("O1", 8, {2.2, 1.2, 0})
                         .build());
        CHECK(tests::share_of(fixture.picture(), surface, 3) < 0.98);
        CHECK(view.residue_at(*view.position_of("A:1")) == "A:1");
    }
    SECTION("surface of one atom, clipping, then another structure, then none") {
        auto display = view.display();
        display.surface = true;
        view.set_display(display);
        fixture.show(tests::StructureBuilder().residue("GLY", 1).atom("CA", 6, {0, 0, 0}).build());
        view.set_clipping(view3d::Plane{{0, 0, 0}, {0, 0, -1}});
        fixture.settle();
        fixture.show(three_helices());
        CHECK_FALSE(view.clipping());
        view.set_structure(nullptr);
        tests::wait_for(50);
        CHECK(view.empty_text().contains("Drop a PDB or mmCIF file here"));
        CHECK(view.residue_at({100, 100}).isEmpty());
    }
    SECTION("a structure replaced, or a view closed, while shapes are being made") {
        auto const one = three_helices();
        for (int i = 0; i < 5; ++i) view.set_structure(i % 2 == 0 ? one : tests::ideal_helix(200));
        fixture.show(one);
        view.set_structure(tests::ideal_helix(2000));
        fixture.view.reset();
        tests::wait_for(300);
    }
}

TEST_CASE("display, camera and clipping are saved and restored") {
    ORRERY_NEED_WINDOW();
    Json saved;
    QImage before;
    {
        ViewFixture fixture(640, 480);
        fixture.show(three_helices());
        auto display = fixture.view->display();
        display.orthographic = true;
        display.animated = false;
        display.color = protein::ColorMode::secondary_structure;
        fixture.view->set_display(display);
        fixture.view->fit_residues({"B:6"});
        fixture.view->set_clipping(view3d::Plane{{11, 0, 8}, {0.6, 0, -0.8}});
        fixture.settle();
        saved = fixture.view->state();
        before = fixture.picture();
    }
    ViewFixture fixture(640, 480);
    REQUIRE(fixture.view->restore_state(Json::parse(saved.dump())));  // before the structure comes
    fixture.view->set_structure(nullptr);
    fixture.show(three_helices());
    REQUIRE(fixture.view->restore_state(saved));
    fixture.settle();
    CHECK(fixture.view->state() == saved);
    QImage const after = fixture.picture();
    double difference = 0;
    for (int y = 0; y < after.height(); ++y)
        for (int x = 0; x < after.width(); ++x)
            difference += std::abs(qGray(after.pixel(x, y)) - qGray(before.pixel(x, y)));
    CHECK(difference / (after.width() * after.height()) < 0.2);

    Json bad = saved;
    bad["camera"]["position"] = "here";
    CHECK_FALSE(fixture.view->restore_state(bad));
    bad = saved;
    bad["clipping"] = Json{{"point", {1, 2}}};
    CHECK_FALSE(fixture.view->restore_state(bad));
    CHECK(fixture.view->state() == saved);
}

TEST_CASE("mouse and keys move the camera") {
    ORRERY_NEED_WINDOW();
    ViewFixture fixture(640, 480);
    fixture.show(three_helices());
    view3d::Canvas& canvas = *fixture.view->canvas();
    QWidget* const widget = canvas.widget();
    auto const start = canvas.camera();
    QTest::mousePress(widget, Qt::LeftButton, {}, {300, 200});
    QTest::mouseMove(widget, {340, 200});
    QTest::mouseMove(widget, {380, 220});
    QTest::mouseRelease(widget, Qt::LeftButton, {}, {380, 220});
    auto const turned = canvas.camera();
    CHECK(length(turned.position - start.position) > 1);
    CHECK(turned.distance() == Approx(start.distance()));
    QTest::keyClick(widget, Qt::Key_Plus);
    CHECK(canvas.camera().distance() < turned.distance());
    fixture.settle();
    auto display = fixture.view->display();
    display.animated = true;
    fixture.view->set_display(display);
    fixture.view->reset_camera();
    CHECK(tests::wait_until([&] { return length(canvas.camera().position - start.position) < 1e-3; }, 3000));
}
