// Pictures to look at, of real complexes, with assertions that hold for any right picture.
#include "renderers/protein/protein_view.h"
#include "renderers/protein/protein_view_loader.h"
#include "renderers/selection.h"
#include "renderers/theme.h"
#include "tests/catch.h"
#include "tests/renderers/protein/test_structures.h"
#include "tests/renderers/protein/view_fixture.h"
#include "tests/renderers/window_test.h"

#include <QDir>
#include <cmath>
#include <fstream>

using namespace orrery;
using tests::ViewFixture;

namespace {

void save_bytes(std::string const& bytes, char const* name) {
    QString const folder = qEnvironmentVariable("ORRERY_SCREENSHOTS");
    if (folder.isEmpty()) return;
    QDir().mkpath(folder);
    std::ofstream((folder + "/" + name).toStdString(), std::ios::binary) << bytes;
}

// Residues within 5 Å of the other side, by brute force.
std::vector<std::string> interface_keys(Structure const& structure, std::vector<int> const& sides) {
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < structure.residues.size(); ++i) {
        Residue const& residue = structure.residues[i];
        if (residue.kind != ResidueKind::amino_acid || sides[residue.chain] == 0) continue;
        bool near = false;
        for (std::uint32_t a = residue.first_atom; a < residue.first_atom + residue.atom_count && !near; ++a)
            for (Atom const& other : structure.atoms) {
                int const side = sides[structure.residues[other.residue].chain];
                if (side == 0 || side == sides[residue.chain]) continue;
                double square = 0;
                for (std::size_t axis = 0; axis < 3; ++axis)
                    square += std::pow(double(other.position[axis] - structure.atoms[a].position[axis]), 2);
                if (square < 25) near = true;
            }
        if (near) keys.push_back(structure.residue_key(i));
    }
    return keys;
}

}  // namespace

TEST_CASE("pictures: a complex of five chains in both themes") {
    ORRERY_NEED_WINDOW();
    auto const structure = tests::shared_structure("1AO7.pdb");
    if (!structure) return;
    for (char const* name : {"light", "dark"}) {
        auto theme = Theme::load(name);
        REQUIRE(theme);
        ThemeNotifier::instance().set(*theme);
        ViewFixture fixture(900, 700);
        fixture.show(structure);
        QImage const image = fixture.picture();
        tests::save_screenshot(*fixture.view, QString("protein_1ao7_cartoon_%1").arg(name));
        CHECK(tests::share_of(image, theme->surface, 6) > 0.4);   // background of the theme
        CHECK(tests::share_of(image, theme->surface, 6) < 0.95);  // and something on it
        for (int x : {0, image.width() - 1}) CHECK(qAlpha(image.pixel(x, 2)) == 255);
        auto display = fixture.view->display();
        display.cartoon = false;
        display.spheres = true;
        fixture.set(display);
        tests::save_screenshot(*fixture.view, QString("protein_1ao7_spheres_%1").arg(name));
        display.spheres = false;
        display.surface = true;
        fixture.set(display);
        tests::save_screenshot(*fixture.view, QString("protein_1ao7_surface_%1").arg(name));
        display.surface_opacity = 0.4;
        display.cartoon = true;
        fixture.set(display);
        tests::save_screenshot(*fixture.view, QString("protein_1ao7_translucent_%1").arg(name));
        // No chain is of this green: it shows where the window behind is added to a picture of alpha below 1.
        CHECK(tests::share_of(fixture.picture(), QColor(110, 220, 0), 30) == 0);
    }
    ThemeNotifier::instance().set(*Theme::load("light"));
}

TEST_CASE("pictures: values at an interface, sticks, a selected residue with its contacts") {
    ORRERY_NEED_WINDOW();
    auto const structure = tests::shared_structure("1C1Y.pdb");
    if (!structure) return;
    ThemeNotifier::instance().set(*Theme::load("light"));
    ViewFixture fixture(900, 700);
    std::vector<int> const sides{1, 2};
    auto const keys = interface_keys(*structure, sides);
    REQUIRE(keys.size() > 15);
    protein::ResidueValues values;
    values.title = "Mean ddG of binding";
    values.unit = "kcal/mol";
    values.values.assign(structure->residues.size(), std::nan(""));
    int n = 0;
    for (std::size_t i = 0; i < structure->residues.size(); ++i)
        if (std::find(keys.begin(), keys.end(), structure->residue_key(i)) != keys.end())
            values.values[i] = 2.5 * std::sin(1.7 * n++);
    SelectionModel selection;
    fixture.view->set_selection_model(&selection);
    fixture.view->set_sides(sides);
    fixture.view->set_values(values);
    fixture.view->set_stick_residues(keys);
    auto display = fixture.view->display();
    display.color = protein::ColorMode::value;
    display.animated = false;
    fixture.view->set_display(display);
    fixture.show(structure);
    tests::save_screenshot(*fixture.view, "protein_1c1y_values");
    fixture.view->fit_residues(keys);
    fixture.settle();
    tests::save_screenshot(*fixture.view, "protein_1c1y_interface");
    selection.select("residue", {QString::fromStdString(keys[keys.size() / 2])});
    fixture.view->fit_selection();
    fixture.settle();
    tests::save_screenshot(*fixture.view, "protein_1c1y_selected");
    display.color = protein::ColorMode::side;
    fixture.set(display);
    fixture.view->reset_camera();
    CHECK(fixture.view->slice_at_interface());
    fixture.settle();
    tests::save_screenshot(*fixture.view, "protein_1c1y_sliced");
    fixture.view->set_clipping({});
    for (auto const& [mode, name] : {std::pair{protein::ColorMode::b_factor, "b_factor"},
                                     {protein::ColorMode::secondary_structure, "secondary"}}) {
        display.color = mode;
        fixture.set(display);
        tests::save_screenshot(*fixture.view, QString("protein_1c1y_%1").arg(name));
    }
    auto const png = fixture.view->render_png({1500, 1200, 150, true, 2, true});
    REQUIRE(png);
    save_bytes(*png, "protein_1c1y_export_transparent.png");
    auto const white = fixture.view->render_png({1500, 1200, 150, false, 2, true});
    REQUIRE(white);
    save_bytes(*white, "protein_1c1y_export_white.png");
}

TEST_CASE("pictures: gaps, nucleic acid, empty state and notice") {
    ORRERY_NEED_WINDOW();
    ThemeNotifier::instance().set(*Theme::load("light"));
    auto const antibody = tests::shared_structure("8ek5.pdb");
    ViewFixture fixture(900, 700);
    tests::wait_for(50);
    tests::save_screenshot(*fixture.view, "protein_empty");
    CHECK(fixture.view->empty_text().contains("Drop a PDB or mmCIF file here"));
    if (antibody) {
        fixture.show(antibody);
        tests::save_screenshot(*fixture.view, "protein_8ek5_cartoon");
    }
    tests::StructureBuilder duplex("duplex");
    for (int strand = 0; strand < 2; ++strand) {
        duplex.chain(strand == 0 ? "C" : "D");
        for (int i = 0; i < 14; ++i) {
            double const angle = 0.6 * i + (strand == 0 ? 0 : 2.4);
            duplex.residue("DA", i + 1, ResidueKind::nucleic_acid)
                .atom("P", 15, {9 * std::cos(angle), 9 * std::sin(angle), 3.4 * i});
        }
    }
    fixture.show(duplex.build());
    tests::save_screenshot(*fixture.view, "protein_duplex");
}
