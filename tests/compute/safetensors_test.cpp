// Round trips, real reference cases, and broken files with their messages.
#include "core/compute/safetensors.h"
#include "tests/catch.h"
#include "tests/fixtures.h"

#include <fstream>

using namespace orrery;
using namespace orrery::tests;
namespace fs = std::filesystem;

namespace {

fs::path write(std::string const& name, std::string_view bytes) {
    static fs::path const folder = scratch_directory("safetensors");
    std::ofstream(folder / name, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return folder / name;
}

// A file with this header and `data` zero bytes.
std::string with_header(std::string const& header, std::size_t data) {
    std::string bytes;
    for (int i = 0; i < 8; ++i) bytes += static_cast<char>(header.size() >> (8 * i) & 0xff);
    return bytes + header + std::string(data, '\0');
}

std::string message_of(std::string_view bytes) {
    auto file = SafetensorsFile::open(write("broken.safetensors", bytes));
    REQUIRE_FALSE(file.ok());
    CHECK(file.error().kind == ErrorKind::bad_input);
    CHECK(file.error().message().find("broken.safetensors") != std::string::npos);
    return file.error().message();
}

bool has(std::string const& text, std::string const& part) {
    UNSCOPED_INFO("\"" << text << "\" should contain \"" << part << "\"");
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("tensors of every dtype and metadata survive a round trip") {
    std::map<std::string, torch::Tensor> tensors;
    for (torch::ScalarType type : {torch::kFloat64, torch::kFloat32, torch::kFloat16, torch::kBFloat16, torch::kInt64,
                                   torch::kInt32, torch::kInt16, torch::kInt8, torch::kUInt8, torch::kBool})
        tensors[std::string("t.") + c10::toString(type)] = torch::arange(6).remainder(2).to(type).reshape({1, 2, 3});
    tensors["empty"] = torch::empty({0, 4}, torch::kFloat32);
    tensors["scalar"] = torch::tensor(2.5, torch::kFloat64);
    tensors["turned"] = torch::arange(6, torch::kFloat32).reshape({2, 3}).t();
    std::map<std::string, std::string> const metadata{{"kind", "test"}, {"config", "{\"Å\": \"ü\"}"}};

    auto bytes = write_safetensors(tensors, metadata);
    REQUIRE(bytes.ok());
    auto file = SafetensorsFile::open(write("round.safetensors", *bytes));
    INFO((file.ok() ? "" : file.error().message()));
    REQUIRE(file.ok());
    CHECK(file->metadata() == metadata);
    CHECK(file->names().size() == tensors.size());
    std::map<std::string, torch::Tensor> read;
    for (std::string const& name : file->names()) {
        auto tensor = file->tensor(name);
        REQUIRE(tensor.ok());
        INFO(name);
        CHECK(tensor->scalar_type() == tensors.at(name).scalar_type());
        CHECK(torch::equal(*tensor, tensors.at(name)));
        read[name] = *tensor;
    }
    auto again = write_safetensors(read, metadata);
    REQUIRE(again.ok());
    CHECK(*again == *bytes);
    CHECK_FALSE(file->contains("absent"));
    CHECK_FALSE(file->tensor("absent").ok());
}

TEST_CASE("a tensor owns its memory and outlives the file") {
    auto bytes = write_safetensors({{"a", torch::tensor({1.f, 2.f})}});
    REQUIRE(bytes.ok());
    torch::Tensor kept;
    {
        auto file = SafetensorsFile::open(write("kept.safetensors", *bytes));
        REQUIRE(file.ok());
        auto tensor = file->tensor("a");
        REQUIRE(tensor.ok());
        kept = *tensor;
    }
    kept[0] = 5;
    CHECK(kept[0].item<float>() == 5);
}

TEST_CASE("reference cases of binding ddG open") {
    ORRERY_NEED_SHARED(path, "fixtures/stab-ddg/forward_tiny.safetensors");
    auto file = SafetensorsFile::open(path);
    REQUIRE(file.ok());
    CHECK(file->metadata().at("kind") == "forward");
    auto tensor = file->tensor("in.X");
    REQUIRE(tensor.ok());
    CHECK(tensor->sizes() == torch::IntArrayRef({1, 25, 4, 3}));
    for (auto const& entry : fs::directory_iterator(path.parent_path()))
        if (entry.path().extension() == ".safetensors") CHECK(SafetensorsFile::open(entry.path()).ok());
}

TEST_CASE("broken safetensors files get their own messages") {
    CHECK(has(message_of(""), "the file is empty (0 bytes)"));
    CHECK(has(message_of("abc"), "a text file"));
    CHECK(has(message_of(std::string("\x10\0\0\0\0\0\0\0{", 9)), "too short (9 bytes)"));
    CHECK(has(message_of(std::string("\x10\0\0\0\0\0\0\0{}", 10)),
              "the header says it has 16 bytes, but the file has 10"));
    CHECK(has(message_of(std::string("\xff\xff\xff\xff\xff\xff\xff\x7f{}", 10)),
              "the header says it has 9223372036854775807 bytes"));
    CHECK(has(message_of(with_header("{\"a\": ", 0)), "the header is not a JSON object"));
    CHECK(has(message_of(with_header("{\"a\xff\": 1}", 0)), "the header is not a JSON object"));
    CHECK(has(message_of(with_header("{\"a\": 1}", 0)), "lacks dtype, shape or data_offsets"));
    CHECK(has(message_of(with_header("{\"a\":" + std::string(500'000, '['), 0)), "nested too deep"));
    CHECK(has(message_of("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n"), "Git LFS pointer"));
    CHECK(has(message_of("PK\x03\x04 and more bytes"), "a zip archive"));
    CHECK(has(message_of(with_header("{\"__metadata__\": {\"a\": 1}}", 0)), "__metadata__ field \"a\" is not a text"));
    CHECK(has(message_of(with_header("{\"__metadata__\": 3}", 0)), "__metadata__ is not an object"));
}

TEST_CASE("entries that do not fit the data are refused by name") {
    auto entry = [](std::string const& name, std::string const& dtype, std::string const& shape,
                    std::string const& offsets) {
        return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets +
               "}";
    };
    auto one = [&](std::string const& dtype, std::string const& shape, std::string const& offsets) {
        return message_of(with_header("{" + entry("w", dtype, shape, offsets) + "}", 16));
    };
    CHECK(has(one("F32", "[5]", "[0,20]"), "tensor \"w\" lies at bytes 0 to 20, but the data has 16"));
    CHECK(has(one("F32", "[5]", "[0,16]"), "tensor \"w\" of shape [5] and dtype F32 needs 20 bytes, but has 16"));
    CHECK(has(one("F99", "[4]", "[0,16]"), "the dtype \"F99\", which is not read"));
    CHECK(has(one("F32", "[-4]", "[0,16]"), "shape is not a list of sizes"));
    CHECK(has(one("F32", "[4.5]", "[0,16]"), "shape is not a list of sizes"));
    CHECK(has(one("F32", "[1125899906842624,1125899906842624,1125899906842624]", "[0,16]"), "needs"));
    CHECK(has(one("F32", "[4]", "[16,0]"), "lies at bytes 16 to 0"));
    CHECK(has(one("F32", "[4]", "[0]"), "not a pair of whole numbers"));
    CHECK(has(one("F32", "[3]", "[4,16]"), "4 bytes before tensor \"w\" belong to no tensor"));
    CHECK(has(one("F32", "[3]", "[0,12]"), "4 bytes at the end belong to no tensor"));
    CHECK(has(message_of(with_header(
                  "{" + entry("a", "F32", "[3]", "[0,12]") + "," + entry("b", "F32", "[2]", "[8,16]") + "}", 16)),
              "tensors \"a\" and \"b\" overlap"));
    CHECK(has(message_of(with_header(
                  "{" + entry("a", "F32", "[4]", "[0,16]") + "," + entry("a", "F32", "[4]", "[0,16]") + "}", 16)),
              "names tensor \"a\" twice"));
    std::string bytes = with_header("{" + entry("flag", "BOOL", "[2]", "[0,2]") + "}", 2);
    bytes.back() = 7;
    auto file = SafetensorsFile::open(write("flag.safetensors", bytes));
    REQUIRE(file.ok());
    auto flag = file->tensor("flag");
    REQUIRE_FALSE(flag.ok());
    CHECK(has(flag.error().message(), "BOOL with values other than 0 and 1"));
}
