#include "core/io/npy.h"
#include "core/base/files.h"
#include "core/io/zip_archive.h"
#include "tests/catch.h"

#include <cstring>
#include <filesystem>
#include <random>

using namespace orrery;
using namespace orrery::io;

namespace {

// A file of version 1 with this header and data.
std::string npy(std::string const& header, std::string const& data) {
    std::string out = "\x93NUMPY";
    out += std::string("\x01\x00", 2);
    out += static_cast<char>(header.size() & 0xff);
    out += static_cast<char>(header.size() >> 8);
    return out + header + data;
}

std::string described(std::string const& type, std::string const& shape, bool fortran = false) {
    return "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape +
           ", }\n";
}

template <class T>
std::string bytes_of(std::vector<T> const& values) {
    std::string out(values.size() * sizeof(T), '\0');
    std::memcpy(out.data(), values.data(), out.size());
    return out;
}

std::string refused(std::string const& bytes) {
    auto result = parse_npy(bytes, "a.npy");
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().kind == ErrorKind::bad_input);
    CHECK(result.error().where == "a.npy");
    return result.error().what;
}

std::filesystem::path written(std::string const& name, std::string const& bytes) {
    std::filesystem::path const path = std::filesystem::temp_directory_path() / ("orrery-npy-test-" + name);
    REQUIRE(write_file(path, bytes).ok());
    return path;
}

}  // namespace

TEST_CASE("arrays of NumPy's types are read in C order") {
    auto real = parse_npy(npy(described("<f4", "(2, 3)"), bytes_of<float>({1, 2, 3, 4, 5, 6.5F})), "a.npy");
    REQUIRE(real.ok());
    CHECK(real->shape == std::vector<std::size_t>{2, 3});
    CHECK(real->real == std::vector<double>{1, 2, 3, 4, 5, 6.5});
    CHECK(real->imaginary.empty());
    auto turned = parse_npy(npy(described("<f8", "(2, 3)", true), bytes_of<double>({1, 4, 2, 5, 3, 6})), "a.npy");
    REQUIRE(turned.ok());
    CHECK(turned->real == std::vector<double>{1, 2, 3, 4, 5, 6});
    auto complex = parse_npy(npy(described("<c16", "(2,)"), bytes_of<double>({1, -2, 3, -4})), "a.npy");
    REQUIRE(complex.ok());
    CHECK(complex->real == std::vector<double>{1, 3});
    CHECK(complex->imaginary == std::vector<double>{-2, -4});
    auto whole = parse_npy(npy(described("<i4", "()"), bytes_of<std::int32_t>({-7})), "a.npy");
    REQUIRE(whole.ok());
    CHECK(whole->shape.empty());
    CHECK(whole->real == std::vector<double>{-7});
    auto truth = parse_npy(npy(described("|b1", "(2,)"), std::string("\x01\x00", 2)), "a.npy");
    REQUIRE(truth.ok());
    CHECK(truth->real == std::vector<double>{1, 0});
    auto text = parse_npy(npy(described("<U3", "()"), bytes_of<std::uint32_t>({'a', 0x3a9, 0x1f600})), "a.npy");
    REQUIRE(text.ok());
    CHECK(text->is_text);
    CHECK(text->text == "a\xce\xa9\xf0\x9f\x98\x80");
    CHECK(parse_npy(npy(described("<f8", "(0, 3)"), ""), "a.npy").ok());
}

TEST_CASE("wrong, cut and hostile arrays are refused, saying why") {
    std::string const data = bytes_of<double>({1, 2, 3, 4, 5, 6});
    std::string const good = npy(described("<f8", "(2, 3)"), data);
    REQUIRE(parse_npy(good, "a.npy").ok());
    for (std::size_t cut = 0; cut < good.size(); ++cut) CHECK_FALSE(parse_npy(good.substr(0, cut), "a.npy").ok());
    CHECK(refused(good + "x") == "the .npy file is longer than its shape says");
    CHECK(refused("t_us,omega_p_MHz\n0,1\n") == "this is not a .npy file");
    CHECK(refused("") == "this is not a .npy file");
    CHECK(refused(npy(described("|O", "(1,)"), data)) == "the array holds Python objects");
    CHECK(refused(npy(described(">f8", "(2, 3)"), data)) == "the array is big-endian");
    CHECK(refused(npy(described("<f2", "(2, 3)"), data.substr(0, 12))) ==
          "the type \"<f2\" of the array is not read here");
    CHECK(refused(npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (6,), }\n", data)) ==
          "the array has named fields");
    CHECK(refused(npy(described("<f8", "(4294967296, 4294967296)"), data)) ==
          "the .npy file is shorter than its shape says");
    CHECK(refused(npy(described("<f8", "(18446744073709551615,)"), data)) ==
          "the .npy file is shorter than its shape says");
    CHECK(refused(npy(described("<f8", "(18446744073709551616,)"), data)) ==
          "the shape of the .npy file is not numbers");
    CHECK(refused(npy(described("<f8", "(-6,)"), data)) == "the shape of the .npy file is not numbers");
    CHECK(refused(npy(described("<f8", "(1,1,1,1,1,1,1,1,6)"), data)) == "the array has more than 8 dimensions");
    CHECK(refused(npy(described("<U1", "()"), bytes_of<std::uint32_t>({0xd800}))) ==
          "the text of the array is not Unicode");
    CHECK(refused(npy(described("<U99999999", "()"), data)) == "the .npy file is shorter than its shape says");
    std::mt19937 random(1);
    for (int k = 0; k < 20000; ++k) {  // must end, with any result
        std::string changed = good;
        for (int n = 0; n < 3; ++n) changed[random() % changed.size()] = static_cast<char>(random());
        if (auto result = parse_npy(changed, "a.npy"); result.ok()) CHECK(result->real.size() <= data.size());
    }
}

TEST_CASE("archives are read back as written, and equal arrays give equal bytes") {
    NumpyArray matrix, vector;
    matrix.shape = {2, 2};
    matrix.real = {1, 2, 3, 4};
    matrix.imaginary = {0, -1, 1, 0};
    vector.shape = {3};
    vector.real = {0.1, 0.2, 0.3};
    auto bytes = npz_bytes({{"H", matrix}, {"t_us", vector}});
    if (!bytes.ok()) FAIL(bytes.error().message());
    auto again = npz_bytes({{"H", matrix}, {"t_us", vector}});
    REQUIRE(again.ok());
    CHECK(*bytes == *again);
    auto arrays = read_npz(written("good.npz", *bytes));
    if (!arrays.ok()) FAIL(arrays.error().message());
    REQUIRE(arrays->size() == 2);
    CHECK(arrays->at("H").real == matrix.real);
    CHECK(arrays->at("H").imaginary == matrix.imaginary);
    CHECK(arrays->at("H").shape == matrix.shape);
    CHECK(arrays->at("t_us").real == vector.real);

    for (std::size_t cut = 0; cut < bytes->size(); cut += 13) {
        CHECK_FALSE(read_npz(written("cut.npz", bytes->substr(0, cut))).ok());
    }
    std::string flipped = *bytes;
    flipped[flipped.find("\x93NUMPY") + 130] ^= 1;  // in the data: the sum of the entry no longer agrees
    CHECK_FALSE(read_npz(written("flipped.npz", flipped)).ok());
    auto small = read_npz(written("good.npz", *bytes), 64);
    REQUIRE_FALSE(small.ok());
    CHECK(small.error().what == "the arrays of the archive are too large to be read");
    CHECK_FALSE(read_npz("/nonexistent/a.npz").ok());
}
