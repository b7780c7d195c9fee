// Files that are no structures, cut short, damaged or hostile: each gets a message that names the place.
#include "core/io/structure_reader.h"

#include "core/base/files.h"
#include "tests/catch.h"
#include "tests/fixtures.h"
#include "tests/io/pdb_text.h"

using namespace orrery;
using namespace orrery::tests;

namespace {

std::string message(std::string const& bytes, std::string const& name = "t.pdb") {
    auto text = io::structure_text(bytes, name);
    if (!text.ok()) return text.error().message();
    auto const raw = io::parse_raw_structure(*text, name);
    if (!raw.ok()) return raw.error().message();
    auto const file = io::build_structure(*raw, "t", name);
    return file.ok() ? "read" : file.error().message();
}

bool contains(std::string const& text, std::string const& part) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
    return text.find(part) != std::string::npos;
}

std::string const good = pdb_residue({.number = 1}) + pdb_residue({.number = 2, .x = 3.3});

}  // namespace

TEST_CASE("Files that are no structure text") {
    contains(message(""), "the file is empty (t.pdb)");
    contains(message(std::string("\xff\xfe"
                                 "A\0T\0",
                                 6)),
             "the file is UTF-16 text (t.pdb). Save it as plain text");
    contains(message(std::string("\xfe\xff\0A\0T", 6)), "UTF-16");
    contains(message("version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 3\n"),
             "this is a Git LFS pointer");
    contains(message(std::string("ATOM\0\1\2", 7)), "this is a binary file, not PDB or mmCIF text");
    contains(message("hello\nworld\n"), "this is not a PDB or mmCIF file (t.pdb)");
    contains(message("{\"data_1AO7\": {}}"), "this is JSON");
    contains(message("\x89PNG\r\n\x1a\n"), "this is not a PDB or mmCIF file");
    contains(message("ATOM", "t.pdb.gz"), "the name ends in .gz, but this is no gzip file");
    CHECK(message("\xef\xbb\xbf" + good) == "read");
}

TEST_CASE("PDB files cut short or damaged name the line") {
    contains(message(good.substr(0, good.size() - 40)),
             "the atom record ends in column 39, before its coordinates do (column 54) (t.pdb line 8). The file is cut "
             "short");
    contains(message(good.substr(0, good.size() - 20)),
             "the last atom record ends in column 59 while the others are longer (t.pdb line 8)");
    auto const with = [](std::string const& coordinate) {
        std::string text = good;
        text.replace(79 + 30, 8, coordinate);  // line 2, x
        return message(text);
    };
    contains(with("     nan"), "the x coordinate \"nan\" is not a number (columns 31-38) (t.pdb line 2)");
    contains(with("     inf"), "the x coordinate \"inf\" is not a number");
    contains(with("********"), "the x coordinate \"********\" is not a number");
    contains(with("1.2  3.4"), "is not a number");
    contains(with("        "), "the x coordinate \"\" is not a number");
    contains(with("1e300   "), "the x coordinate \"1e300\" is not a number");
    // A coordinate with nine columns shifts the rest.
    std::string shifted = good;
    shifted.replace(79 + 30, 8, "12345.6789");
    contains(message(shifted), "is not a number (columns");
    std::string unnumbered = good;
    unnumbered.replace(79 + 22, 4, "    ");
    contains(message(unnumbered), "the atom record has no residue number (columns 23-26) (t.pdb line 2)");
    // Windows line ends and a last line without one are fine.
    std::string crlf;
    for (char const c : good) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
    CHECK(message(crlf) == "read");
    CHECK(message(good.substr(0, good.size() - 1)) == "read");
    CHECK(message(good + "END\nATOM garbage\n") == "read");
}

TEST_CASE("mmCIF files cut short, damaged or hostile name the line or the atom") {
    std::string const cif =
        cif_start() + cif_line({.name = "CA"}, "A", 1, 1) + cif_line({.name = "CA", .number = 2, .x = 3.8}, "A", 2, 2);
    CHECK(message(cif, "t.cif") == "read");
    contains(message(cif.substr(0, cif.size() - 20), "t.cif"), "(t.cif line ");
    std::string bad = cif;
    bad.replace(bad.find("3.800"), 5, "?");
    contains(message(bad, "t.cif"), "atom 2 (CA of residue ALA A:2) has no usable coordinates (t.cif)");
    bad = cif;
    bad.replace(bad.find("3.800"), 5, "1e999");
    contains(message(bad, "t.cif"), "has no usable coordinates");
    bad = cif;
    bad.replace(bad.find("_atom_site.auth_seq_id"), 22, "_atom_site.xuth_seq_id");
    contains(message(bad, "t.cif"), "the mmCIF file lacks the column _atom_site.auth_seq_id (t.cif)");
    contains(message("data_X\n_cell.length_a 1\n", "t.cif"), "the mmCIF file has no atoms: _atom_site is absent");
    contains(message("data_X\nloop_\n_a.b\n_a.b\n1 2\n", "t.cif"), "t.cif");
    contains(message("data_X\n_a.b 'open\n", "t.cif"), "(t.cif line ");
    contains(message("data_X\n_a.b\n;never closed\n", "t.cif"), "(t.cif line ");
    contains(message("data_\n", "t.cif"), "t.cif");
    std::string huge = cif;
    huge.replace(huge.find(" 2 A 1\n"), 7, " 99999999999999 A 1\n");
    CHECK(message(huge, "t.cif") != "");
}

TEST_CASE("read_structure_text names files that can't be read") {
    auto const folder = scratch_directory("io-bad");
    auto const missing = io::read_structure(folder / "nothing.pdb");
    REQUIRE_FALSE(missing.ok());
    CHECK(missing.error().message().find("nothing.pdb") != std::string::npos);
    CHECK_FALSE(io::read_structure(folder).ok());
    REQUIRE(write_file(folder / "x.pdb", good).ok());
    CHECK(io::read_structure(folder / "x.pdb").ok());
}
