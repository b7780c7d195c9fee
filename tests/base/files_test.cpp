#include "core/base/files.h"

#include "core/base/hash.h"
#include "tests/catch.h"
#include "tests/fixtures.h"

#include <sys/stat.h>
#include <unistd.h>
#include <cstdlib>
#include <fstream>
#include <thread>
#include <vector>

using namespace orrery;
namespace fs = std::filesystem;

namespace {

std::string refused(Result<std::string> const& result) {
    REQUIRE_FALSE(result.ok());
    return result.error().message();
}
bool contains(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("SHA-256 gives the vectors of FIPS 180-4") {
    CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    Sha256 million;
    for (int i = 0; i < 1000; ++i) million.add(std::string(1000, 'a'));
    CHECK(million.hex() == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("A file's hash is that of its bytes, also beyond one block") {
    auto const folder = tests::scratch_directory("hash");
    std::string bytes((std::size_t{1} << 20) * 2 + 17, 'x');
    bytes[5] = 0;
    REQUIRE(write_file(folder / "big", bytes).ok());
    CHECK(*sha256_file(folder / "big") == sha256(bytes));
    REQUIRE(write_file(folder / "empty", "").ok());
    CHECK(*sha256_file(folder / "empty") == sha256(""));
    CHECK_FALSE(sha256_file(folder / "absent").ok());
    CHECK_FALSE(sha256_file(folder).ok());
}

TEST_CASE("What is written is read, whole and in place of the old") {
    auto const folder = tests::scratch_directory("files");
    auto const path = folder / "deep" / "er" / "a.bin";
    std::string const bytes("a\0b\nc", 5);
    REQUIRE(write_file(path, bytes).ok());
    CHECK(*read_file(path) == bytes);
    ::chmod(path.c_str(), 0640);
    REQUIRE(write_file(path, "new").ok());
    CHECK(*read_file(path) == "new");
    struct stat status {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0640);
    // Nothing is left beside it.
    CHECK(std::distance(fs::directory_iterator(path.parent_path()), fs::directory_iterator()) == 1);
    REQUIRE(write_file(folder / "empty", "").ok());
    CHECK(read_file(folder / "empty")->empty());
}

TEST_CASE("Many writers of one file leave one whole file") {
    auto const folder = tests::scratch_directory("writers");
    auto const path = folder / "a";
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 50; ++i)
                static_cast<void>(write_file(path, std::string(20000, static_cast<char>('a' + t))));
        });
    for (std::thread& thread : threads) thread.join();
    std::string const bytes = *read_file(path);
    CHECK(bytes == std::string(20000, bytes[0]));
    CHECK(std::distance(fs::directory_iterator(folder), fs::directory_iterator()) == 1);
}

TEST_CASE("A file that cannot be read says why and what is near") {
    auto const folder = tests::scratch_directory("unreadable");
    REQUIRE(write_file(folder / "mutations.csv", "a\n").ok());
    CHECK(contains(refused(read_file(folder / "mutation.csv")), "Did you mean \"mutations.csv\"?"));
    CHECK(contains(refused(read_file(folder / "zzz")), "The folder " + folder.string() + " exists"));
    CHECK(contains(refused(read_file(folder / "no" / "such" / "x.pdb")),
                   "file x.pdb is not there (" + (folder / "no/such/x.pdb").string() +
                       "). The nearest folder that exists is " + folder.string()));
    CHECK(contains(refused(read_file(folder / "mutations.csv" / "x")), "is not there"));
    CHECK(contains(refused(read_file(folder)), "is a folder, not a file"));
    CHECK(contains(refused(read_file("")), "no file is named"));
    REQUIRE(write_file(folder / "large", std::string(2000, 'x')).ok());
    CHECK(contains(refused(read_file(folder / "large", 1000)), "is 2.0 kB larger than the 1.0 kB"));
    CHECK(read_file(folder / "large", 2000).ok());
    if (::geteuid() != 0) {  // root reads everything
        ::chmod((folder / "large").c_str(), 0);
        CHECK(contains(refused(read_file(folder / "large")), "may not be read"));
    }
}

TEST_CASE("A pipe that never ends is cut at the limit") {
    CHECK(contains(refused(read_file("/dev/zero", 100000)), "larger than the 100 kB"));
}

TEST_CASE("A Git LFS pointer is named as what it is") {
    auto const folder = tests::scratch_directory("lfs");
    std::string const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 6664219\n";
    REQUIRE(write_file(folder / "weights.pt", pointer).ok());
    std::string const message = refused(read_file(folder / "weights.pt"));
    CHECK(contains(message, "file weights.pt is a Git LFS pointer, not the file itself"));
    CHECK(contains(message, "git lfs pull"));
}

TEST_CASE("A file that cannot be written says why and leaves nothing") {
    auto const folder = tests::scratch_directory("unwritable");
    REQUIRE(write_file(folder / "file", "x").ok());
    Result<void> const below_file = write_file(folder / "file" / "x", "y");
    REQUIRE_FALSE(below_file.ok());
    CHECK(*read_file(folder / "file") == "x");
    Result<void> const on_folder = write_file(folder, "y");
    REQUIRE_FALSE(on_folder.ok());
    CHECK(contains(on_folder.error().message(), "is a folder; a file cannot take its place"));
    CHECK_FALSE(write_file("/proc/no-such-folder/x", "y").ok());
    CHECK(std::distance(fs::directory_iterator(folder), fs::directory_iterator()) == 1);
}

TEST_CASE("Places follow the environment") {
    ::setenv("ORRERY_CACHE", "/somewhere/cache", 1);
    CHECK(cache_directory() == "/somewhere/cache");
    ::unsetenv("ORRERY_CACHE");
    ::setenv("XDG_CACHE_HOME", "/xdg", 1);
    CHECK(cache_directory() == "/xdg/orrery");
    ::unsetenv("XDG_CACHE_HOME");
    ::setenv("HOME", "/home/ada", 1);
    CHECK(cache_directory() == "/home/ada/.cache/orrery");
    ::unsetenv("ORRERY_STATE");
    ::unsetenv("XDG_STATE_HOME");
    CHECK(state_directory() == "/home/ada/.local/state/orrery");
}

TEST_CASE("Sizes for people") {
    CHECK(byte_text(0) == "0 B");
    CHECK(byte_text(999) == "999 B");
    CHECK(byte_text(1000) == "1.0 kB");
    CHECK(byte_text(999'499) == "999 kB");
    CHECK(byte_text(999'501) == "1.0 MB");
    CHECK(byte_text(6'664'219) == "6.7 MB");
    CHECK(byte_text(UINT64_MAX) == "18447 PB");
}
