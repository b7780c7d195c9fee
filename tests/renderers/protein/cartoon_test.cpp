#include "renderers/protein/cartoon.h"
#include "tests/catch.h"
#include "tests/renderers/protein/test_structures.h"

#include <cmath>
#include <set>

using namespace orrery;
using namespace orrery::protein;
using view3d::Vector;

namespace {

Vector vertex(std::vector<float> const& values, std::uint32_t i) {
    return {double(values[3 * i]), double(values[3 * i + 1]), double(values[3 * i + 2])};
}

Cartoon cartoon_of(std::shared_ptr<Structure const> const& structure, CartoonDetail detail = {8, 16}) {
    return make_cartoon(*structure, find_backbone(*structure), detail);
}

// Share of the surface whose triangles face the way their normals say; and that all numbers are finite, all normals
// unit.
double facing_share(Cartoon const& cartoon) {
    double good = 0, all = 0;
    auto const& mesh = cartoon.mesh;
    for (std::size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
        Vector const a = vertex(mesh.positions, mesh.triangles[t]), b = vertex(mesh.positions, mesh.triangles[t + 1]),
                     c = vertex(mesh.positions, mesh.triangles[t + 2]);
        Vector const face = cross(b - a, c - a);
        Vector normal{0, 0, 0};
        for (std::size_t k = 0; k < 3; ++k) normal = normal + vertex(mesh.normals, mesh.triangles[t + k]);
        double const area = length(face);
        all += area;
        if (dot(face, normal) > 0) good += area;
    }
    for (std::uint32_t v = 0; v < cartoon.vertex_residue.size(); ++v) {
        REQUIRE(std::isfinite(mesh.positions[3 * v]));
        REQUIRE(length(vertex(mesh.normals, v)) == Approx(1).margin(1e-3));
    }
    return good / all;
}

}  // namespace

TEST_CASE("a helix becomes a band about its axis, facing outwards") {
    auto const helix = tests::ideal_helix(20);
    Cartoon const cartoon = cartoon_of(helix);
    CHECK(cartoon.parts.size() == 20);
    CHECK(facing_share(cartoon) > 0.995);
    // Half width 1.2 Å along the axis, half thickness 0.24 Å across: away from the ends no vertex leaves the shell
    // between 2.29 - 0.45 and 2.29 + 0.45 Å from the axis, which a band lying flat on a cylinder does not.
    for (std::uint32_t v = 0; v < cartoon.vertex_residue.size(); ++v) {
        std::uint32_t const residue = cartoon.vertex_residue[v];
        if (residue < 3 || residue > 16) continue;
        Vector const p = vertex(cartoon.mesh.positions, v);
        CHECK(std::hypot(p[0], p[1]) == Approx(2.29).margin(0.45));
    }
}

TEST_CASE("a helix of CA atoms alone has the same band") {
    Cartoon const cartoon = cartoon_of(tests::ideal_helix(20, true));
    CHECK(facing_share(cartoon) > 0.995);
    for (std::uint32_t v = 0; v < cartoon.vertex_residue.size(); ++v) {
        if (cartoon.vertex_residue[v] < 3 || cartoon.vertex_residue[v] > 16) continue;
        Vector const p = vertex(cartoon.mesh.positions, v);
        CHECK(std::hypot(p[0], p[1]) == Approx(2.29).margin(0.55));
    }
}

TEST_CASE("a strand becomes a flat arrow without twist") {
    auto const strand = tests::ideal_strand(10);
    Cartoon const cartoon = cartoon_of(strand);
    CHECK(facing_share(cartoon) > 0.995);
    double widest = 0, where = 0, thickest = 0, tip = 0;
    for (std::uint32_t v = 0; v < cartoon.vertex_residue.size(); ++v) {
        Vector const p = vertex(cartoon.mesh.positions, v);
        std::uint32_t const residue = cartoon.vertex_residue[v];
        if (std::abs(p[1]) > widest) widest = std::abs(p[1]), where = p[0];
        if (residue >= 2 && residue <= 6) thickest = std::max(thickest, std::abs(p[2]));
        if (p[0] > 3.4 * 9 - 0.2) tip = std::max(tip, std::abs(p[1]));
    }
    CHECK(widest == Approx(1.95).margin(0.1));  // the arrow's head, along the carbonyls
    CHECK(where == Approx(3.4 * 9 - 1.45 * 3.4).margin(0.5));
    CHECK(thickest < 0.45);  // the pleat is smoothed, the band does not turn on edge
    CHECK(tip < 0.6);
}

TEST_CASE("a break in the backbone stays open and is listed as a gap") {
    tests::StructureBuilder builder;
    builder.chain("A");
    for (int i = 0; i < 12; ++i) {
        double const x = 3.8 * i + (i >= 6 ? 14 : 0);
        builder.residue("GLY", i >= 6 ? i + 5 : i + 1).atom("CA", 6, {x, 0.3 * (i % 2), 0});
    }
    auto const structure = builder.build();
    Backbone const backbone = find_backbone(*structure);
    REQUIRE(backbone.traces.size() == 2);
    REQUIRE(backbone.gaps.size() == 1);
    CHECK(backbone.gaps[0].before == 5);
    CHECK(backbone.gaps[0].after == 6);
    Cartoon const cartoon = make_cartoon(*structure, backbone, {8, 16});
    // No triangle longer than a step of the curve: nothing is stretched over the gap.
    double longest = 0;
    for (std::size_t t = 0; t + 2 < cartoon.mesh.triangles.size(); t += 3)
        longest = std::max(longest, length(vertex(cartoon.mesh.positions, cartoon.mesh.triangles[t]) -
                                           vertex(cartoon.mesh.positions, cartoon.mesh.triangles[t + 2])));
    CHECK(longest < 2.0);
}

TEST_CASE("chains are never joined, lone residues are named") {
    tests::StructureBuilder builder;
    builder.chain("A").residue("GLY", 1).atom("CA", 6, {0, 0, 0}).residue("GLY", 2).atom("CA", 6, {3.8, 0, 0});
    builder.chain("B").residue("GLY", 1).atom("CA", 6, {7.6, 0, 0});
    auto const structure = builder.build();
    Backbone const backbone = find_backbone(*structure);
    CHECK(backbone.traces.size() == 1);
    CHECK(backbone.gaps.empty());
    REQUIRE(backbone.lone_residues.size() == 1);
    CHECK(backbone.lone_residues[0] == 2);
}

TEST_CASE("nucleic acids are tubes through the phosphates") {
    tests::StructureBuilder builder;
    builder.chain("D");
    for (int i = 0; i < 8; ++i)
        builder.residue("DA", i + 1, ResidueKind::nucleic_acid)
            .atom("P", 15, {9 * std::cos(0.6 * i), 9 * std::sin(0.6 * i), 3.4 * i});
    Cartoon const cartoon = cartoon_of(builder.build());
    CHECK(cartoon.parts.size() == 8);
    CHECK(facing_share(cartoon) > 0.995);
}

TEST_CASE("degenerate input gives finite meshes") {
    tests::StructureBuilder same;
    same.chain("A");
    for (int i = 0; i < 5; ++i) same.residue("GLY", i + 1).atom("CA", 6, {1, 1, 1});
    Cartoon const cartoon = cartoon_of(same.build());
    for (float const v : cartoon.mesh.positions) REQUIRE(std::isfinite(v));
    for (float const v : cartoon.mesh.normals) REQUIRE(std::isfinite(v));

    tests::StructureBuilder line;  // no curvature to take a direction from
    line.chain("A");
    for (int i = 0; i < 6; ++i)
        line.residue("GLY", i + 1, ResidueKind::amino_acid, SecondaryStructure::strand).atom("CA", 6, {3.8 * i, 0, 0});
    CHECK(facing_share(cartoon_of(line.build())) > 0.99);
    CHECK(cartoon_of(tests::StructureBuilder().build()).mesh.triangles.empty());
}

TEST_CASE("real complexes: every residue with a neighbour is drawn, all sides face outwards") {
    for (char const* name : {"1AO7.pdb", "1C1Y.pdb", "8ek5.pdb"}) {
        auto const structure = tests::shared_structure(name);
        if (!structure) return;
        Backbone const backbone = find_backbone(*structure);
        Cartoon const cartoon = make_cartoon(*structure, backbone, {8, 16});
        std::set<std::uint32_t> drawn;
        for (auto const& part : cartoon.parts) drawn.insert(part.residue);
        std::size_t with_ca = 0;
        for (std::size_t i = 0; i < structure->residues.size(); ++i)
            for (std::uint32_t a = structure->residues[i].first_atom;
                 a < structure->residues[i].first_atom + structure->residues[i].atom_count; ++a)
                if (structure->residues[i].kind == ResidueKind::amino_acid &&
                    std::string(structure->atoms[a].name.data()) == "CA")
                    ++with_ca;
        INFO(name);
        CHECK(drawn.size() + backbone.lone_residues.size() == with_ca);
        // Where a band bends tightly its inner side folds over itself a little.
        CHECK(facing_share(cartoon) > 0.98);
    }
}
