#include "core/io/gunzip.h"

#include "core/base/files.h"
#include "core/io/structure_reader.h"
#include "tests/catch.h"
#include "tests/fixtures.h"
#include "tests/io/pdb_text.h"

#include <zlib.h>

using namespace orrery;

namespace {

std::string gzip(std::string const& text) {
    z_stream stream{};
    REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    std::string result(deflateBound(&stream, text.size()) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(result.data());
    stream.avail_out = static_cast<uInt>(result.size());
    REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    result.resize(result.size() - stream.avail_out);
    deflateEnd(&stream);
    return result;
}

}  // namespace

TEST_CASE("Gzip: whole files, several members, damage and bombs") {
    std::string const text(100000, 'x');
    auto const back = io::gunzip(gzip(text), "t.gz", 1 << 20);
    REQUIRE(back.ok());
    CHECK(*back == text);
    auto const two = io::gunzip(gzip("ab") + gzip("cd"), "t.gz", 1 << 20);
    REQUIRE(two.ok());
    CHECK(*two == "abcd");

    std::string cut = gzip(text);
    cut.resize(cut.size() / 2);
    auto const damaged = io::gunzip(cut, "t.pdb.gz", 1 << 20);
    REQUIRE_FALSE(damaged.ok());
    CHECK(damaged.error().message() ==
          "the gzip file is damaged or cut short (t.pdb.gz). Take it again from its source, or test it with gzip -t");
    std::string flipped = gzip(text);
    flipped[flipped.size() - 6] ^= 0x55;  // in the checksum
    CHECK_FALSE(io::gunzip(flipped, "t.gz", 1 << 20).ok());
    auto const large = io::gunzip(gzip(std::string(3 << 20, 'x')), "t.gz", 2 << 20);
    REQUIRE_FALSE(large.ok());
    CHECK(large.error().what == "the gzip file holds more than 2 MiB");
}

TEST_CASE("A structure reads the same from gzip") {
    auto const folder = tests::scratch_directory("io-gzip");
    std::string const text = tests::pdb_residue({.number = 1}) + tests::pdb_residue({.number = 2, .x = 3.3});
    REQUIRE(write_file(folder / "x.pdb.gz", gzip(text)).ok());
    auto const file = io::read_structure(folder / "x.pdb.gz");
    REQUIRE(file.ok());
    CHECK(file->structure.name == "x");
    CHECK(file->structure.residues.size() == 2);
}
