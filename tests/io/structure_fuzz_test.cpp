// Thousands of damaged copies of small files, from a seeded generator: each is read or refused with a message, never a
// crash. Run under the sanitizers too.
#include "core/io/structure_reader.h"

#include "tests/catch.h"
#include "tests/io/pdb_text.h"

#include <random>

using namespace orrery;
using namespace orrery::tests;

namespace {

std::string small_pdb() {
    std::string text =
        "HEADER    TEST\nHELIX    1   1 ALA A    1  ALA A    3  1                                   3\n"
        "SHEET    1   A 1 ALA A   1  ALA A   2  0\n"
        "SSBOND   1 CYS A    1    CYS A    2                          1555   1555  2.03\n"
        "CRYST1   10.000   10.000   10.000  90.00  90.00  90.00 P 1           1\n"
        "REMARK 350 BIOMOLECULE: 1\nREMARK 350 APPLY THE FOLLOWING TO CHAINS: A\n"
        "REMARK 350   BIOMT1   1  1.000000  0.000000  0.000000        0.00000\n"
        "REMARK 350   BIOMT2   1  0.000000  1.000000  0.000000        0.00000\n"
        "REMARK 350   BIOMT3   1  0.000000  0.000000  1.000000        0.00000\nMODEL        1\n";
    for (int i = 0; i < 5; ++i)
        text += pdb_residue({.residue = i == 2 ? "MSE" : "ALA", .number = i + 1, .x = 3.3 * i, .hetero = i == 2});
    text += "TER\n" + pdb_residue({.residue = "GLY", .chain = "B", .number = 1, .y = 6}) + "ENDMDL\nEND\n";
    return text;
}

std::string small_cif() {
    std::string text = cif_start();
    for (int i = 0; i < 6; ++i)
        for (char const* name : {"N", "CA", "C", "O"})
            text +=
                cif_line({.name = name, .chain = i < 3 ? "A" : "BB", .number = i + 1, .x = 3.3 * i}, "A", i + 1, i + 1);
    return text + "#\nloop_\n_struct_conf.id\n_struct_conf.conf_type_id\n1 HELX_P\n";
}

std::string damaged(std::string text, std::mt19937& random) {
    auto const below = [&](std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random() % n); };
    static std::string const pieces[] = {
        "\n",    "nan", "-", "99999999999", "'",     "\"", "\n;",   "ATOM",  "HETATM", "loop_",
        "data_", "?",   ".", "\xff",        "1e308", "  ", "END\n", "MODEL", "\r",     "_atom_site.id"};
    for (std::size_t edits = 1 + below(4); edits > 0 && !text.empty(); --edits) {
        std::size_t const at = below(text.size());
        switch (below(5)) {
            case 0:
                text[at] = static_cast<char>(random() % 256);
                break;
            case 1:
                text.erase(at, 1 + below(20));
                break;
            case 2:
                text.insert(at, pieces[below(std::size(pieces))]);
                break;
            case 3:
                text.resize(at);
                break;
            default:
                text.insert(at, text.substr(below(text.size()), below(100)));
                break;
        }
    }
    return text;
}

void read_all(std::string const& bytes, std::string const& name, int& read, int& refused) {
    auto text = io::structure_text(bytes, name);
    for (bool const assembly : {false, true}) {
        auto const raw =
            text.ok() ? io::parse_raw_structure(*text, name, assembly) : Result<io::RawStructure>(text.error());
        if (!raw.ok()) {
            ++refused;
            REQUIRE_FALSE(raw.error().what.empty());
            continue;
        }
        if (auto const file = io::build_structure(*raw, "t", name); file.ok())
            ++read;
        else
            REQUIRE_FALSE(file.error().what.empty());
    }
}

}  // namespace

TEST_CASE("Damaged structure files never crash the reader") {
    std::mt19937 random(20250731);
    int read = 0, refused = 0;
    std::string const pdb = small_pdb(), cif = small_cif();
    for (int i = 0; i < 4000; ++i) read_all(damaged(pdb, random), "t.pdb", read, refused);
    for (int i = 0; i < 4000; ++i) read_all(damaged(cif, random), "t.cif", read, refused);
    CHECK(read > 1000);
    CHECK(refused > 1000);
}
