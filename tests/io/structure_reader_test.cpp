#include "core/io/structure_reader.h"

#include "tests/catch.h"
#include "tests/fixtures.h"
#include "tests/io/pdb_text.h"

#include <algorithm>

using namespace orrery;
using namespace orrery::tests;

namespace {

io::StructureFile read_text(std::string const& text, io::StructureOptions const& options = {}) {
    auto raw = io::parse_raw_structure(text, "t.pdb", options.assembly);
    REQUIRE(raw.ok());
    auto file = io::build_structure(*raw, "t", "t.pdb", options);
    REQUIRE(file.ok());
    return std::move(file).value();
}

bool has_note(io::StructureFile const& file, std::string const& part) {
    return std::any_of(file.notes.begin(), file.notes.end(),
                       [&](std::string const& note) { return note.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("A PDB file is read whole, with kinds of residues") {
    ORRERY_NEED_SHARED(path, "data/stab-ddg/1C1Y.pdb");
    auto const file = io::read_structure(path);
    REQUIRE(file.ok());
    Structure const& s = file->structure;
    CHECK(s.name == "1C1Y");
    CHECK(file->format == "PDB");
    REQUIRE(s.chains.size() == 2);
    CHECK(s.chains[0].name == "A");
    auto const count = [&](ResidueKind kind) {
        return std::count_if(s.residues.begin(), s.residues.end(), [&](Residue const& r) { return r.kind == kind; });
    };
    CHECK(count(ResidueKind::amino_acid) == 244);
    CHECK(count(ResidueKind::water) == 83);
    CHECK(count(ResidueKind::ion) == 2);     // CA, MG
    CHECK(count(ResidueKind::ligand) == 1);  // GTP
    CHECK(s.residue_key(0) == "A:1");
    for (std::size_t i = 0; i < s.atoms.size(); ++i) {
        Residue const& residue = s.residues[s.atoms[i].residue];
        REQUIRE(i >= residue.first_atom);
        REQUIRE(i < residue.first_atom + residue.atom_count);
    }
    for (std::size_t r = 0; r < s.residues.size(); ++r) {
        Chain const& chain = s.chains[s.residues[r].chain];
        REQUIRE(r >= chain.first_residue);
        REQUIRE(r < chain.first_residue + chain.residue_count);
    }
    // Ten residues have alternatives; the kept locations carry no double atom.
    CHECK(has_note(*file, "10 residues have alternative locations"));
    CHECK_FALSE(file->alternatives.empty());
}

TEST_CASE("Of alternative locations the best occupied is kept, the first of equal ones") {
    std::string const text = pdb_line({.name = "N", .altloc = 'A', .occupancy = 0.4, .element = "N"}) +
                             pdb_line({.name = "N", .x = 5, .altloc = 'B', .occupancy = 0.6, .element = "N"}) +
                             pdb_line({.name = "CA", .altloc = 'A', .occupancy = 0.4}) +
                             pdb_line({.name = "CA", .x = 6, .altloc = 'B', .occupancy = 0.6}) +
                             pdb_line({.name = "C", .x = 7}) +
                             pdb_line({.name = "CA", .number = 2, .x = 1, .altloc = 'A', .occupancy = 0.5}) +
                             pdb_line({.name = "CA", .number = 2, .x = 2, .altloc = 'B', .occupancy = 0.5});
    auto const file = read_text(text);
    REQUIRE(file.structure.atoms.size() == 4);
    CHECK(file.structure.atoms[0].position[0] == 5);
    CHECK(file.structure.atoms[1].position[0] == 6);
    CHECK(file.structure.atoms[2].position[0] == 7);
    CHECK(file.structure.atoms[3].position[0] == 1);
    CHECK(file.alternatives.size() == 3);
}

TEST_CASE("Two residues at one place: alternatives and repeats") {
    std::string const alternatives = pdb_line({.residue = "SER", .altloc = 'A', .occupancy = 0.3}) +
                                     pdb_line({.residue = "THR", .altloc = 'B', .occupancy = 0.7});
    auto const chosen = read_text(alternatives);
    REQUIRE(chosen.structure.residues.size() == 1);
    CHECK(chosen.structure.residues[0].name == "THR");
    CHECK(has_note(chosen, "residue A:1 is SER or THR; THR is used"));

    std::string const twice =
        pdb_residue({.number = 1}) + pdb_residue({.number = 2, .x = 3.3}) + pdb_residue({.number = 1, .x = 6.6});
    auto const repeated = read_text(twice);
    REQUIRE(repeated.structure.residues.size() == 2);
    CHECK(repeated.structure.residues[0].atom_count == 4);
    CHECK(repeated.structure.atoms[0].position[0] == 0);
    CHECK(has_note(repeated, "warning: residue A:1 ALA is in the file twice; the first is used"));

    auto const renamed = read_text(pdb_residue({.residue = "GLY"}) + pdb_residue({.residue = "VAL", .x = 9}));
    REQUIRE(renamed.structure.residues.size() == 1);
    CHECK(has_note(renamed, "warning: residue A:1 is in the file twice, as GLY and VAL; the first is used"));
}

TEST_CASE("Residue names mean their parents") {
    struct {
        char const* name;
        ResidueKind kind;
        char letter;
    } const cases[] = {{"ALA", ResidueKind::amino_acid, 'A'},  {"MSE", ResidueKind::amino_acid, 'M'},
                       {"SEP", ResidueKind::amino_acid, 'S'},  {"TPO", ResidueKind::amino_acid, 'T'},
                       {"PTR", ResidueKind::amino_acid, 'Y'},  {"CSO", ResidueKind::amino_acid, 'C'},
                       {"HYP", ResidueKind::amino_acid, 'P'},  {"KCX", ResidueKind::amino_acid, 'K'},
                       {"MLY", ResidueKind::amino_acid, 'K'},  {"PCA", ResidueKind::amino_acid, 'E'},
                       {"HID", ResidueKind::amino_acid, 'H'},  {"HIE", ResidueKind::amino_acid, 'H'},
                       {"HIP", ResidueKind::amino_acid, 'H'},  {"HSD", ResidueKind::amino_acid, 'H'},
                       {"HSE", ResidueKind::amino_acid, 'H'},  {"HSP", ResidueKind::amino_acid, 'H'},
                       {"CYX", ResidueKind::amino_acid, 'C'},  {"CYM", ResidueKind::amino_acid, 'C'},
                       {"GLH", ResidueKind::amino_acid, 'E'},  {"ASH", ResidueKind::amino_acid, 'D'},
                       {"LYN", ResidueKind::amino_acid, 'K'},  {"DAL", ResidueKind::amino_acid, 'X'},
                       {"DPN", ResidueKind::amino_acid, 'X'},  {"UNK", ResidueKind::amino_acid, 'X'},
                       {"SEC", ResidueKind::amino_acid, 'X'},  {"ASX", ResidueKind::amino_acid, 'X'},
                       {"HOH", ResidueKind::water, 'X'},       {"TIP3", ResidueKind::water, 'X'},
                       {"DA", ResidueKind::nucleic_acid, 'X'}, {"GTP", ResidueKind::ligand, 'X'}};
    for (auto const& c : cases) {
        INFO(c.name);
        auto const facts = io::residue_facts(c.name);
        CHECK(facts.kind == c.kind);
        CHECK(facts.letter == c.letter);
    }
}

TEST_CASE("HETATM amino acids count where they are bonded into the chain") {
    std::string const text = pdb_residue({.number = 1}) +
                             pdb_residue({.residue = "SEP", .number = 2, .x = 3.3, .hetero = true}) +
                             pdb_residue({.number = 3, .x = 6.6}) + "TER\n" +
                             pdb_residue({.residue = "GLU", .number = 401, .x = 60, .hetero = true});
    auto const file = read_text(text);
    REQUIRE(file.structure.residues.size() == 4);
    CHECK(file.structure.residues[1].kind == ResidueKind::amino_acid);
    CHECK(file.structure.residues[1].letter == 'S');
    CHECK(file.structure.residues[3].kind == ResidueKind::ligand);
}

TEST_CASE("mmCIF: author and label names, insertion codes, alternatives") {
    std::string text = cif_start();
    text += cif_line({.name = "N", .residue = "ALA", .chain = "AB", .number = 52, .element = "N"}, "C", 1);
    text += cif_line({.name = "CA", .residue = "ALA", .chain = "AB", .number = 52, .x = 1.4}, "C", 1);
    text += cif_line({.name = "CA",
                      .residue = "GLY",
                      .chain = "AB",
                      .number = 52,
                      .x = 5,
                      .altloc = 'A',
                      .insertion = 'A',
                      .occupancy = 0.2},
                     "C", 2);
    text += cif_line({.name = "CA",
                      .residue = "GLY",
                      .chain = "AB",
                      .number = 52,
                      .x = 6,
                      .altloc = 'B',
                      .insertion = 'A',
                      .occupancy = 0.8},
                     "C", 2);
    text += cif_line(
        {.name = "O", .residue = "HOH", .chain = "AB", .number = 301, .x = 9, .hetero = true, .element = "O"}, "F", 0);
    auto raw = io::parse_raw_structure(text, "t.cif");
    REQUIRE(raw.ok());
    auto const file = io::build_structure(*raw, "t", "t.cif");
    REQUIRE(file.ok());
    CHECK(file->format == "mmCIF");
    REQUIRE(file->structure.chains.size() == 1);
    CHECK(file->structure.chains[0].name == "AB");
    CHECK(file->structure.chains[0].label_name == "C");
    REQUIRE(file->structure.residues.size() == 3);
    CHECK(file->structure.residue_key(1) == "AB:52A");
    CHECK(file->structure.atoms[file->structure.residues[1].first_atom].position[0] == 6);
}

TEST_CASE("Models: one is chosen, others are counted, a missing one is an error") {
    ORRERY_NEED_SHARED(path, "data/stab-ddg/parser_two_models.pdb");
    auto const second = io::read_structure(path, {.model = 2});
    REQUIRE(second.ok());
    CHECK(second->model_count == 2);
    CHECK(second->structure.atoms[0].position[0] == 9);
    CHECK(has_note(*second, "model 2 of 2 is used"));
    auto const third = io::read_structure(path, {.model = 3});
    REQUIRE_FALSE(third.ok());
    CHECK(third.error().message() == "there is no model 3 (parser_two_models.pdb). The file has models 1 to 2");
    CHECK(third.error().field == "model");
}

TEST_CASE("The biological assembly of REMARK 350 is built on request") {
    std::string const remark =
        "REMARK 350 BIOMOLECULE: 1                                                       \n"
        "REMARK 350 AUTHOR DETERMINED BIOLOGICAL UNIT: DIMERIC                           \n"
        "REMARK 350 APPLY THE FOLLOWING TO CHAINS: A                                     \n"
        "REMARK 350   BIOMT1   1  1.000000  0.000000  0.000000        0.00000            \n"
        "REMARK 350   BIOMT2   1  0.000000  1.000000  0.000000        0.00000            \n"
        "REMARK 350   BIOMT3   1  0.000000  0.000000  1.000000        0.00000            \n"
        "REMARK 350   BIOMT1   2 -1.000000  0.000000  0.000000       20.00000            \n"
        "REMARK 350   BIOMT2   2  0.000000 -1.000000  0.000000        0.00000            \n"
        "REMARK 350   BIOMT3   2  0.000000  0.000000  1.000000        0.00000            \n";
    std::string const text = remark + pdb_residue({.number = 1}) + pdb_residue({.number = 2, .x = 3.3});
    auto const plain = read_text(text);
    CHECK(plain.has_assembly);
    CHECK(plain.structure.chains.size() == 1);
    auto const assembly = read_text(text, {.assembly = true});
    REQUIRE(assembly.structure.chains.size() == 2);
    CHECK(assembly.structure.chains[0].name == "A1");
    CHECK(assembly.structure.chains[1].name == "A2");
    CHECK(assembly.structure.atoms[8].position[0] == Approx(20));
    auto const none = io::parse_raw_structure(pdb_residue({}), "t.pdb", true);
    REQUIRE_FALSE(none.ok());
    CHECK(none.error().what == "the file describes no biological assembly");
    CHECK(none.error().field == "assembly");
}

TEST_CASE("Names of structures") {
    CHECK(io::structure_name("/data/1AO7.pdb") == "1AO7");
    CHECK(io::structure_name("1ao7.cif.gz") == "1ao7");
    CHECK(io::structure_name("a.b.pdb") == "a.b");
    CHECK(io::structure_name("pdb1ao7.ent.gz") == "pdb1ao7");
    CHECK(io::structure_name("model") == "model");
}
