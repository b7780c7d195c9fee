// Files that want to do harm or are broken: each gets its own message, and none runs, crashes or fills the memory.
#include "core/compute/checkpoint.h"
#include "core/compute/device.h"
#include "tests/catch.h"
#include "tests/compute/craft.h"
#include "tests/fixtures.h"

#include <fstream>

using namespace orrery;
using namespace orrery::tests;
namespace fs = std::filesystem;

namespace {

fs::path const& folder() {
    static fs::path const made = scratch_directory("pickle");
    return made;
}

Error error_of_file(fs::path const& path) {
    auto weights = load_weights(path);
    REQUIRE_FALSE(weights.ok());
    CHECK(weights.error().kind == ErrorKind::bad_input);
    CHECK(weights.error().message().find(path.filename().string()) != std::string::npos);
    return weights.error();
}
std::string message_of_file(fs::path const& path) { return error_of_file(path).message(); }
std::string message_of_bytes(std::string_view bytes, std::string const& name = "bytes.pt") {
    write_bytes(folder() / name, bytes);
    return message_of_file(folder() / name);
}
std::string message_of_pickle(std::string const& pickle, std::string const& storage = std::string(24, '\0')) {
    write_checkpoint(folder() / "crafted.pt", pickle, storage);
    return message_of_file(folder() / "crafted.pt");
}
std::string message_of_tensor(std::int64_t elements, std::int64_t offset, std::vector<std::int64_t> const& sizes,
                              std::vector<std::int64_t> const& strides) {
    return message_of_pickle(
        Pickler().raw("}").text("w").tensor("FloatStorage", "0", elements, offset, sizes, strides).raw("s").stop());
}

bool has(std::string const& text, std::string const& part) {
    UNSCOPED_INFO("\"" << text << "\" should contain \"" << part << "\"");
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a pickle that would run a command is refused by name and runs nothing") {
    fs::path const witness = folder() / "witness";
    std::string const command = "touch " + witness.string();
    std::string const wanted =
        "refused: the file would run a command: its pickle calls \"posix.system\". Nothing was executed";
    CHECK(has(message_of_pickle(Pickler().global("posix", "system").text(command).raw("\x85R").stop()), wanted));
    // Hidden inside a dict of tensors, by STACK_GLOBAL, by INST, and with no zip around it.
    Pickler hidden;
    hidden.raw("}(")
        .text("w")
        .tensor("FloatStorage", "0", 6, 0, {6}, {1})
        .text("x")
        .global("posix", "system")
        .text(command)
        .raw("\x85Ru");
    CHECK(has(message_of_pickle(hidden.stop()), wanted));
    CHECK(has(message_of_pickle(Pickler(4).raw("\x8c\x05posix\x8c\x06system\x93").text(command).raw("\x85R").stop()),
              wanted));
    CHECK(has(message_of_pickle(Pickler().raw("(").text(command).raw("iposix\nsystem\n").stop()), wanted));
    CHECK(has(message_of_bytes(Pickler().global("posix", "system").text(command).raw("\x85R").stop()), wanted));
    CHECK(has(message_of_bytes("cposix\nsystem\n(S'" + command + "'\ntR."), wanted));
    std::string const legacy("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19\x2e", 15);
    CHECK(has(message_of_bytes(legacy + "\x80\x02\x8a\x02\xe9\x03." +
                               Pickler().global("posix", "system").text(command).raw("\x85R").stop()),
              wanted));
    CHECK_FALSE(fs::exists(witness));
}

TEST_CASE("other ways to run code are refused by name") {
    for (auto const& [module, name] : std::vector<std::pair<std::string, std::string>>{{"builtins", "eval"},
                                                                                       {"__builtin__", "exec"},
                                                                                       {"os", "popen"},
                                                                                       {"subprocess", "Popen"},
                                                                                       {"runpy", "run_path"},
                                                                                       {"os.path", "expanduser"},
                                                                                       {"importlib", "import_module"},
                                                                                       {"nt", "system"}}) {
        std::string const message = message_of_pickle(Pickler().global(module, name).text("1").raw("\x85R").stop());
        CHECK(has(message, "would run a command: its pickle calls \"" + module + "." + name + "\""));
        CHECK(has(message, "Nothing was executed"));
    }
    std::string const other = message_of_pickle(Pickler().global("mymodel.net", "Encoder").raw(")R").stop());
    CHECK(has(other, "needs the Python object \"mymodel.net.Encoder\""));
    CHECK(has(other, "Nothing was executed"));
    CHECK(has(other, "torch.save(model.state_dict()"));
    CHECK(has(message_of_pickle(Pickler().global("torch", "FloatStorage").raw(")R").stop()), "which is a type"));
    CHECK(has(message_of_pickle(Pickler().raw("}").text("a").raw("\x81").stop()), "the instruction 0x81"));
}

TEST_CASE("files that are no checkpoint are named for what they are") {
    CHECK(has(message_of_bytes(""), "the file is empty (0 bytes)"));
    std::string const pointer = message_of_bytes(
        "version https://git-lfs.github.com/spec/v1\noid "
        "sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n");
    CHECK(has(pointer, "a Git LFS pointer, not the weights themselves"));
    CHECK(has(pointer, "git lfs pull"));
    CHECK(has(message_of_bytes("These are my weights.\n"),
              "a text file, not a PyTorch checkpoint or safetensors file: it begins \"These are my weights.\""));
    CHECK(has(message_of_bytes("chapter one\nsystem of the world\n"), "a text file"));
    CHECK(has(message_of_bytes("<!DOCTYPE html>\n<html><body>404</body></html>"), "a web page"));
    std::string const legacy("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19\x2e", 15);
    CHECK(has(message_of_bytes(legacy + Pickler().integer(1001).stop()), "PyTorch before 1.6"));
    CHECK(has(message_of_bytes(Pickler().raw("}").stop()), "a bare Python pickle"));
    CHECK(has(message_of_bytes(std::string(257, 'x') + "ustar" + std::string(300, '\0')), "a tar archive"));
    CHECK(has(message_of_bytes("\x89HDF\r\n\x1a\n rest"), "an HDF5 file"));
    CHECK(has(message_of_bytes(std::string("\x01\x02\xff\x03\x04\x05\x06\x07\x08\x09\x0a", 11)),
              "it begins with the bytes 01 02 ff 03"));
    CHECK(has(message_of_bytes(std::string("\x01\x02\xff", 3)), "too short to hold weights (3 bytes)"));
    auto missing = load_weights(folder() / "absent.pt");
    REQUIRE_FALSE(missing.ok());
    CHECK(has(missing.error().message(), "there is no such file"));
    auto directory = load_weights(folder());
    REQUIRE_FALSE(directory.ok());
    CHECK(has(directory.error().message(), "this is a folder"));
}

TEST_CASE("a truncated zip is said to be one, wherever it is cut") {
    fs::path const whole = folder() / "whole.pt";
    write_small_checkpoint(whole);
    std::string const bytes = read_bytes(whole);
    for (std::size_t size : {std::size_t{4}, std::size_t{30}, bytes.size() / 2, bytes.size() - 30, bytes.size() - 1})
        CHECK(has(message_of_bytes(bytes.substr(0, size)), "cut off or damaged"));
    std::string changed = bytes;
    changed[changed.find("small/data/0") + 12 + 3] ^= 1;  // inside the data of storage 0, or its header
    CHECK(has(message_of_bytes(changed), "damaged"));
}

TEST_CASE("zip archives of something else are named") {
    write_zip(folder() / "other.pt", {{"weights.npy", "x"}});
    CHECK(has(message_of_file(folder() / "other.pt"), "without a data.pkl"));
    write_zip(folder() / "script.pt", {{"m/data.pkl", "x"}, {"m/constants.pkl", "x"}});
    CHECK(has(message_of_file(folder() / "script.pt"), "a TorchScript program"));
    write_zip(folder() / "two.pt", {{"a/data.pkl", "x"}, {"b/data.pkl", "x"}});
    CHECK(has(message_of_file(folder() / "two.pt"), "has 2 data.pkl"));
    write_zip(folder() / "big.pt", {{"a/data.pkl", Pickler().raw("}").stop()}, {"a/byteorder", "big"}});
    CHECK(has(message_of_file(folder() / "big.pt"), "byte order \"big\""));
}

TEST_CASE("tensors that reach outside their storage are refused with their shape") {
    CHECK(has(message_of_tensor(6, 0, {2, 4}, {4, 1}),
              "a tensor of shape [2, 4], strides [4, 1], offset 0 reaches outside storage 0, which has 6 elements"));
    CHECK(has(message_of_tensor(6, 5, {2}, {1}), "reaches outside storage 0"));
    CHECK(has(message_of_tensor(6, 7, {0}, {1}), "reaches outside storage 0"));
    CHECK(has(message_of_tensor(6, 0, {2}, {-1}), "the negative stride -1"));
    CHECK(has(message_of_tensor(6, -1, {2}, {1}), "begins at element -1"));
    CHECK(has(message_of_tensor(6, 0, {-2}, {1}), "has the shape [-2]"));
    CHECK(has(message_of_tensor(6, 0, {2, 3}, {1}), "has 2 sizes but 1 strides"));
    CHECK(has(message_of_tensor(6, 0, {2}, {INT64_MAX}), "reaches outside storage 0"));
    CHECK(has(message_of_tensor(6, 0, {INT64_MAX, INT64_MAX}, {0, 0}), "reaches outside storage 0"));
    CHECK(has(message_of_tensor(6, INT64_MAX, {2}, {1}), "reaches outside storage 0"));
    CHECK(has(message_of_tensor(6, 0, {1'000'000, 1'000'000}, {0, 0}), "repeats the 6 elements"));
    CHECK(has(message_of_tensor(6, 0, std::vector<std::int64_t>(33, 1), std::vector<std::int64_t>(33, 1)),
              "33 dimensions"));
    CHECK(has(message_of_tensor(7, 0, {7}, {1}), "has 24 bytes, but its pickle says 28"));
    CHECK(has(message_of_tensor(-1, 0, {1}, {1}), "says it has -1 elements"));
    CHECK(has(message_of_tensor(INT64_MAX, 0, {1}, {1}), "says it has"));
    CHECK(
        has(message_of_pickle(Pickler().raw("}").text("w").tensor("FloatStorage", "1", 6, 0, {6}, {1}).raw("s").stop()),
            "the data of tensor w (archive/data/1) is not in the file"));
    CHECK(has(message_of_pickle(
                  Pickler().raw("}").text("w").tensor("FloatStorage", "../../etc", 6, 0, {6}, {1}).raw("s").stop()),
              "is not a plain one"));
    CHECK(has(message_of_pickle(Pickler().raw("}").text("w").tensor("BoolStorage", "0", 2, 0, {2}, {1}).raw("s").stop(),
                                "\x01\x02"),
              "values other than 0 and 1"));
}

TEST_CASE("pickles that break the machine's rules are refused") {
    auto plain = [](std::string const& bytes) { return message_of_pickle(bytes); };
    CHECK(has(plain(Pickler().raw("s").stop()), "takes a value that is not there"));
    CHECK(has(plain(Pickler().raw("t").stop()), "closes a group that it did not open"));
    CHECK(has(plain(Pickler().raw("}(").stop()), "takes a value that is not there"));
    CHECK(has(plain(Pickler().raw("}}").stop()), "ends with values left over"));
    CHECK(has(plain(Pickler().raw("h\x07").stop()), "refers to its value 7"));
    CHECK(has(plain(Pickler().raw("j\xff\xff\xff\xff").stop()), "refers to its value 4294967295"));
    CHECK(has(plain(Pickler().raw("}(").text("a").raw("u").stop()), "a key without a value"));
    CHECK(has(plain(Pickler().raw("]").text("a").integer(1).raw("s").stop()), "of something that is no dict"));
    CHECK(has(plain(Pickler().raw("}").integer(1).raw("a").stop()), "appends to something that is no list"));
    CHECK(has(plain(Pickler().raw("X\xff\xff\xff\x7f").stop()), "longer than the file"));
    CHECK(has(plain("\x80\x02X\x05"), "cut off"));
    CHECK(has(plain("\x80\x02}"), "cut off"));
    CHECK(has(plain("\x80\x09}."), "protocol 9"));
    CHECK(has(plain(Pickler().raw("\x8a\x09").raw(std::string(9, '\x01')).stop()), "a whole number of 9 bytes"));
    CHECK(has(plain("\x80\x02"
                    "cno end of line"),
              "has no end"));
    CHECK(has(plain(Pickler().integer(1).raw(")R").stop()), "no known function"));
    CHECK(has(plain(Pickler().raw("}}b").stop()), "gives a state to something"));
    CHECK(has(plain(Pickler().integer(5).raw("Q").stop()), "no torch storage"));
    CHECK(has(plain(Pickler().integer(5).stop()), "no dict of named tensors"));
    CHECK(has(plain(Pickler().raw("}").text("a").integer(5).raw("s").stop()), "its keys are: a"));
}

TEST_CASE("deep nesting, cycles, repeated keys and exploding references end in messages") {
    std::string deep;
    for (int i = 0; i < 300'000; ++i) deep += "]";
    for (int i = 0; i < 299'999; ++i) deep += "a";
    CHECK(has(message_of_pickle(Pickler().raw(deep).stop()), "nested more than 64 deep"));
    CHECK(has(message_of_pickle(Pickler().raw(std::string(1'000'000, '(')).stop()), "takes a value"));
    CHECK(has(message_of_pickle(
                  Pickler().raw("]q").raw(std::string("\0", 1)).raw("h").raw(std::string("\0", 1)).raw("a").stop()),
              "contains itself"));
    CHECK(has(message_of_pickle(Pickler().raw("}(").text("a").integer(1).text("a").integer(2).raw("u").stop()),
              "has the key \"a\" twice"));
    CHECK(has(message_of_pickle(Pickler().raw("}").integer(1).integer(2).raw("\x86").integer(1).raw("s").stop()),
              "no text or number"));
    // Sixty lists of two references each to the one before: 2^60 elements if it were unfolded.
    Pickler bomb;
    bomb.raw("]q").raw(std::string("\0", 1));
    for (char i = 1; i < 60; ++i) {
        std::string const before{'h', static_cast<char>(i - 1)};
        bomb.raw("](").raw(before).raw(before).raw("eq").raw(std::string{i});
    }
    std::uint64_t const peak = peak_memory();
    std::string const message = message_of_pickle(bomb.stop());
    CHECK(has(message, "ends with values left over"));
    CHECK(peak_memory() - peak < 100'000'000);
}

TEST_CASE("references shared 2^60-fold are kept shared") {
    Pickler bomb;
    bomb.raw("](").integer(1).raw("eq").raw(std::string("\0", 1));
    // Each level wraps the former twice: TUPLE2 of (top, the same from the memo).
    for (char i = 1; i < 60; ++i) bomb.raw(std::string{'h', static_cast<char>(i - 1)}).raw("\x86q").raw(std::string{i});
    write_checkpoint(folder() / "shared.pt", bomb.stop());
    auto root = read_checkpoint(folder() / "shared.pt");
    REQUIRE(root.ok());
    auto const* outer = std::get_if<std::shared_ptr<PickleList>>(&root->value);
    REQUIRE(outer != nullptr);
    CHECK((*outer)->size() == 2);
}

TEST_CASE("zip bombs are refused before they are unpacked") {
    {
        std::string const zeros(std::size_t{100} << 20, '\0');
        Pickler pickle;
        pickle.raw("}")
            .text("w")
            .tensor("FloatStorage", "0", std::int64_t{25} << 20, 0, {std::int64_t{25} << 20}, {1})
            .raw("s");
        write_zip(folder() / "bomb.pt", {{"a/data.pkl", pickle.stop()}, {"a/data/0", zeros, true}});
    }
    std::string const message = message_of_file(folder() / "bomb.pt");
    CHECK(has(message, "would unpack"));
    CHECK(has(message, "a zip bomb"));
    write_zip(folder() / "pickle-bomb.pt", {{"a/data.pkl", std::string(std::size_t{65} << 20, '\0'), true}});
    CHECK(has(message_of_file(folder() / "pickle-bomb.pt"), "at most 67108864 are read"));
}

TEST_CASE("a deflated checkpoint is read like a stored one") {
    std::string const data("\0\0\x80\x3f\0\0\0\x40", 8);
    write_zip(
        folder() / "deflated.pt",
        {{"a/data.pkl", Pickler().raw("}").text("w").tensor("FloatStorage", "0", 2, 0, {2}, {1}).raw("s").stop(), true},
         {"a/data/0", data, true}});
    auto weights = load_weights(folder() / "deflated.pt");
    REQUIRE(weights.ok());
    CHECK(torch::equal(weights->tensors.at("w"), torch::tensor({1.f, 2.f})));
}
