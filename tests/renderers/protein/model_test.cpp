#include "renderers/protein/bonds.h"
#include "renderers/protein/coloring.h"
#include "renderers/protein/protein_display.h"
#include "renderers/protein/protein_model.h"
#include "renderers/protein/surface.h"
#include "tests/catch.h"
#include "tests/renderers/protein/test_structures.h"

#include <algorithm>
#include <cmath>

using namespace orrery;
using namespace orrery::protein;

TEST_CASE("bonds of a peptide: within residues and between neighbours, none else") {
    auto const helix = tests::ideal_helix(5);
    auto const bonds = find_bonds(*helix);
    // N-CA, CA-C, C-O of each residue and C-N between neighbours.
    CHECK(bonds.size() == 5 * 3 + 4);
    for (Bond const& bond : bonds) CHECK(bond.first < bond.second);
    std::vector<bool> chosen(5, false);
    chosen[2] = true;
    CHECK(find_bonds(*helix, chosen).size() == 3);
}

TEST_CASE("no bonds to ions, between hydrogens or between alternative locations") {
    tests::StructureBuilder builder;
    builder.chain("A").residue("LIG", 1, ResidueKind::ligand).atom("H1", 1, {0, 0, 0}).atom("H2", 1, {0.7, 0, 0});
    builder.residue("MG", 2, ResidueKind::ion).atom("MG", 12, {5, 0, 0});
    builder.residue("HOH", 3, ResidueKind::water).atom("O", 8, {6.9, 0, 0});
    CHECK(find_bonds(*builder.build()).empty());
}

TEST_CASE("the atoms of a real complex have the bonds of their chemistry") {
    auto const structure = tests::shared_structure("1C1Y.pdb");
    if (!structure) return;
    std::vector<int> degree(structure->atoms.size(), 0);
    for (Bond const& bond : find_bonds(*structure)) ++degree[bond.first], ++degree[bond.second];
    int lonely = 0, crowded = 0;
    for (std::size_t i = 0; i < degree.size(); ++i) {
        ResidueKind const kind = structure->residues[structure->atoms[i].residue].kind;
        if (kind != ResidueKind::amino_acid || structure->atoms[i].element == 1) continue;
        lonely += degree[i] == 0;
        crowded += degree[i] > 4;
    }
    CHECK(lonely == 0);
    CHECK(crowded == 0);
}

TEST_CASE("values are coloured about a white zero, missing ones grey") {
    auto const helix = tests::ideal_helix(5);
    ResidueValues values{{-2, 0, 2, std::nan(""), 1}, "mean ddG", "kcal/mol", 2};
    auto const coloring = color_residues(*helix, ColorMode::value, values, {}, false);
    CHECK(coloring.residues[0] == color_of(ColorScale::diverging, 0));
    CHECK(coloring.residues[1] == Rgb{255, 255, 255});
    CHECK(coloring.residues[2] == color_of(ColorScale::diverging, 1));
    CHECK(coloring.residues[3][0] == coloring.residues[3][2] - 12);  // the neutral grey, on no map
    CHECK(coloring.legend.minimum == -2);
    CHECK(coloring.legend.maximum == 2);
    CHECK(coloring.legend.missing);
    CHECK(coloring.legend.unit == "kcal/mol");
    SECTION("limits are symmetric when found from the values") {
        values.limit = 0;
        auto const found = color_residues(*helix, ColorMode::value, values, {}, false).legend;
        CHECK(found.minimum == -found.maximum);
        CHECK(found.maximum == 2);
    }
}

TEST_CASE("chains and sides have colours that differ, and a legend") {
    tests::StructureBuilder builder;
    for (char const* name : {"A", "B", "C"}) builder.chain(name).residue("GLY", 1).atom("CA", 6, {0, 0, 0});
    auto const structure = builder.build();
    auto const chains = color_residues(*structure, ColorMode::chain, {}, {}, false);
    CHECK(chains.residues[0] != chains.residues[1]);
    CHECK(chains.residues[1] != chains.residues[2]);
    REQUIRE(chains.legend.entries.size() == 3);
    CHECK(chains.legend.entries[1].text == "B");
    auto const sides = color_residues(*structure, ColorMode::side, {}, {1, 2, 1}, false);
    CHECK(sides.residues[0] == sides.residues[2]);
    CHECK(sides.residues[0] != sides.residues[1]);
    CHECK(sides.legend.entries[0].text == "1: A C");
}

TEST_CASE("openness falls from the surface to the core") {
    auto const structure = tests::shared_structure("1C1Y.pdb");
    if (!structure) return;
    std::atomic<bool> const stop{false};
    auto const model = ProteinModel::make(structure, stop);
    REQUIRE(model->atom_openness.size() == structure->atoms.size());
    double inner = 0, outer = 0, inner_count = 0, outer_count = 0;
    for (std::size_t i = 0; i < structure->atoms.size(); ++i) {
        int neighbours = 0;
        for (Atom const& other : structure->atoms) {
            double square = 0;
            for (std::size_t axis = 0; axis < 3; ++axis)
                square += std::pow(double(other.position[axis] - structure->atoms[i].position[axis]), 2);
            neighbours += square < 64;
        }
        if (neighbours > 110) inner += model->atom_openness[i], ++inner_count;
        if (neighbours < 50) outer += model->atom_openness[i], ++outer_count;
    }
    REQUIRE(inner_count > 50);
    REQUIRE(outer_count > 50);
    CHECK(outer / outer_count > inner / inner_count + 60);
}

TEST_CASE("contacts of a residue: nearest pairs within the cutoff, sorted, no neighbours in sequence") {
    auto const structure = tests::shared_structure("1C1Y.pdb");
    if (!structure) return;
    std::size_t found = 0;
    for (std::uint32_t residue = 0; residue < structure->residues.size(); residue += 7) {
        auto const contacts = contacts_of(*structure, residue, 4);
        for (std::size_t i = 0; i < contacts.size(); ++i) {
            CHECK(contacts[i].distance <= 4);
            CHECK(structure->atoms[contacts[i].first].residue == residue);
            if (i > 0) CHECK(contacts[i].distance >= contacts[i - 1].distance);
        }
        found += contacts.size();
    }
    CHECK(found > 50);
}

TEST_CASE("the surface's field crosses 1 outside the atom") {
    tests::StructureBuilder builder;
    builder.chain("A").residue("LIG", 1, ResidueKind::ligand).atom("C1", 6, {0, 0, 0});
    auto const structure = builder.build();
    std::atomic<bool> stop{false};
    SurfaceField const field = surface_field(*structure, {0}, stop);
    REQUIRE(!field.values.empty());
    double reach = 0;
    for (int x = 0; x < field.size[0]; ++x)
        for (int y = 0; y < field.size[1]; ++y)
            for (int z = 0; z < field.size[2]; ++z)
                if (field.values[(std::size_t(z) * std::size_t(field.size[1]) + std::size_t(y)) *
                                     std::size_t(field.size[0]) +
                                 std::size_t(x)] > 1)
                    reach = std::max(reach, std::sqrt(std::pow(field.origin[0] + x * field.spacing, 2) +
                                                      std::pow(field.origin[1] + y * field.spacing, 2) +
                                                      std::pow(field.origin[2] + z * field.spacing, 2)));
    CHECK(reach <= 2.1);
    CHECK(reach > 2.1 - 0.7);
    stop = true;
    std::vector<std::uint32_t> const many(2000, 0);
    CHECK(surface_field(*structure, many, stop).values.empty());
}

TEST_CASE("display settings go through JSON and back; wrong ones are named") {
    ProteinDisplay display;
    display.surface = true;
    display.surface_opacity = 0.5;
    display.color = ColorMode::b_factor;
    display.animated = false;
    auto const again = ProteinDisplay::from_json(display.to_json());
    REQUIRE(again);
    CHECK(*again == display);
    CHECK(ProteinDisplay::from_json(Json{{"cartoon", 3}}).error().what.find("cartoon") != std::string::npos);
    CHECK(ProteinDisplay::from_json(Json{{"color", "rainbow"}}).error().what.find("rainbow") != std::string::npos);
    CHECK(ProteinDisplay::from_json(Json{{"surface_opacity", 4}}).error().what.find("0.1") != std::string::npos);
    CHECK(ProteinDisplay::from_json(Json{{"of a newer version", 4}}));
    CHECK_FALSE(ProteinDisplay::from_json(Json("text")));
}
