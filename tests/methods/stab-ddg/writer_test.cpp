// Values in the B-factor column, and the scripts that colour by them.
#include "core/methods/stab-ddg/structure_writer.h"

#include "core/io/structure_reader.h"
#include "tests/catch.h"
#include "tests/fixtures.h"
#include "tests/io/pdb_text.h"

#include <cmath>
#include <limits>

using namespace orrery;
using namespace orrery::methods::stab_ddg;
using namespace orrery::tests;

namespace {

Structure reread(std::string const& text, std::string const& name) {
    auto const raw = io::parse_raw_structure(text, name);
    if (!raw.ok()) FAIL(raw.error().message());
    auto const file = io::build_structure(*raw, "t", name);
    REQUIRE(file.ok());
    return file->structure;
}

void check_same(Structure const& a, Structure const& b, std::vector<double> const& values) {
    REQUIRE(a.residues.size() == b.residues.size());
    REQUIRE(a.atoms.size() == b.atoms.size());
    for (std::size_t i = 0; i < a.residues.size(); ++i) {
        CHECK(a.residue_key(i) == b.residue_key(i));
        CHECK(a.residues[i].name == b.residues[i].name);
        CHECK(a.residues[i].kind == b.residues[i].kind);
        Atom const& first = b.atoms[b.residues[i].first_atom];
        double const want = std::isnan(values[i]) ? 0 : values[i];
        CHECK(static_cast<double>(first.b_factor) == Approx(want).margin(0.0051));
    }
    for (std::size_t i = 0; i < a.atoms.size(); ++i) {
        CHECK(std::string(a.atoms[i].name.data()) == b.atoms[i].name.data());
        CHECK(a.atoms[i].element == b.atoms[i].element);
        for (std::size_t k = 0; k < 3; ++k) CHECK(std::abs(a.atoms[i].position[k] - b.atoms[i].position[k]) < 6e-4F);
    }
}

}  // namespace

TEST_CASE("What is written reads back: chains, numbers, coordinates, values") {
    ORRERY_NEED_SHARED(path, "data/stab-ddg/1C1Y.pdb");
    auto const file = io::read_structure(path);
    REQUIRE(file.ok());
    std::vector<double> values(file->structure.residues.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<double>(i)) * 3;
    values[3] = std::numeric_limits<double>::quiet_NaN();
    auto const pdb = write_pdb(file->structure, values, {"mean ddG of binding, kcal/mol, positive = weaker"});
    REQUIRE(pdb.ok());
    CHECK(pdb->find("REMARK   3 mean ddG of binding, kcal/mol, positive = weaker\n") == 0);
    CHECK(pdb->ends_with("END\n"));
    check_same(file->structure, reread(*pdb, "t.pdb"), values);
    check_same(file->structure, reread(write_mmcif(file->structure, values, {"mean ddG"}), "t.cif"), values);
    for (std::size_t start = 0; start < pdb->size();) {
        auto const end = pdb->find('\n', start);
        REQUIRE(end - start <= 80);
        start = end + 1;
    }
}

TEST_CASE("Insertion codes and odd names survive") {
    std::string const text =
        pdb_residue({.number = -3}) + pdb_residue({.number = 52, .x = 3.3, .insertion = 'A'}) +
        pdb_line({.name = "CA", .residue = "CA", .number = 300, .x = 30, .hetero = true, .element = "CA"});
    Structure const s = reread(text, "t.pdb");
    std::vector<double> const values(s.residues.size(), 1.5);
    check_same(s, reread(*write_pdb(s, values, {}), "t.pdb"), values);
    check_same(s, reread(write_mmcif(s, values, {}), "t.cif"), values);
}

TEST_CASE("Values beyond the columns are set to the limit") {
    Structure const s = reread(pdb_residue({}) + pdb_residue({.number = 2, .x = 3.3}), "t.pdb");
    Structure const back = reread(*write_pdb(s, std::vector<double>{-5000.0, 5000.0}, {}), "t.pdb");
    CHECK(back.atoms[0].b_factor == Approx(-99.99));
    CHECK(back.atoms[4].b_factor == Approx(999.99));
    // No value for a residue is 0.
    CHECK(reread(*write_pdb(s, {}, {}), "t.pdb").atoms[0].b_factor == 0);
}

TEST_CASE("What PDB can't hold is refused with mmCIF as the remedy") {
    Structure s = reread(pdb_residue({}), "t.pdb");
    s.chains[0].name = "AB";
    auto const name = write_pdb(s, {}, {});
    REQUIRE_FALSE(name.ok());
    CHECK(name.error().message() == "the chain name \"AB\" does not fit the PDB format (t). Write mmCIF instead");
    s.chains[0].name = "A";
    s.residues[0].number = 10000;
    CHECK(write_pdb(s, {}, {}).error().what == "residue number 10000 does not fit the PDB format");
    s.residues[0].number = 1;
    s.atoms[0].position[0] = 12345.0F;
    CHECK(write_pdb(s, {}, {}).error().what == "a coordinate does not fit the PDB format");
    check_same(s, reread(write_mmcif(s, {}, {}), "t.cif"), std::vector<double>(1, 0.0));
}

TEST_CASE("Scripts name the file, the limits and the residues") {
    ColoringScript const script{"scan_bfactor.pdb", 2.5, "mean ddG, positive = weaker", {"A:63", "A:-2", "B:52A"}};
    std::string const pymol = pymol_script(script), chimerax = chimerax_script(script);
    CHECK(pymol.find("load scan_bfactor.pdb, scan") != std::string::npos);
    CHECK(pymol.find("spectrum b, blue_white_red, scan, minimum=-2.500, maximum=2.500") != std::string::npos);
    CHECK(pymol.find("(chain A and resi 63+\\-2) or (chain B and resi 52A)") != std::string::npos);
    CHECK(chimerax.find("open scan_bfactor.pdb") != std::string::npos);
    CHECK(chimerax.find("color bfactor palette blue:white:red range -2.500,2.500") != std::string::npos);
    CHECK(chimerax.find("show /A:63,-2/B:52A atoms") != std::string::npos);
    CHECK(pymol.find("# mean ddG, positive = weaker") == 0);
}

TEST_CASE("The colours' limit is the 98th percentile of the size") {
    std::vector<double> values;
    for (int i = 1; i <= 100; ++i) values.push_back(i % 2 == 0 ? i : -i);
    CHECK(symmetric_limit(values) == 98);
    CHECK(symmetric_limit(std::vector<double>{}) == Approx(0.1));
    CHECK(symmetric_limit(std::vector<double>{std::nan(""), 3.0}) == 3);
}
