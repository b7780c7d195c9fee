// The network's tensors under their official state_dict names (section 4), checked by name and shape.
#pragma once

#include "core/base/result.h"
#include "core/compute/checkpoint.h"
#include "core/compute/torch.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace orrery::methods::stab_ddg {

struct Parameters {
    std::map<std::string, torch::Tensor> tensors;  // float32, contiguous, CPU
    std::int64_t hidden = 0;                       // 128 in every published file
    std::int64_t encoder_layers = 0, decoder_layers = 0;
    std::int64_t neighbours = 48;  // K asked
    std::string sha256, file_name;

    [[nodiscard]] torch::Tensor const& operator[](std::string const& name) const { return tensors.at(name); }
    [[nodiscard]] std::int64_t count() const;  // 1,660,485 in the published files
    // Deep copies, for training.
    [[nodiscard]] Parameters clone() const;
};

// Name and shape of every tensor of a network of this size, in the order of the module.
std::vector<std::pair<std::string, std::vector<std::int64_t>>> expected_tensors(std::int64_t hidden,
                                                                                std::int64_t encoder_layers,
                                                                                std::int64_t decoder_layers);

// Takes tensors of any hidden size (told by W_e.weight). Errors name the first tensor that is unexpected (ligand and
// membrane variants), absent, or of another shape (CA-only variant: features.edge_embedding.weight 128x167).
Result<Parameters> check_parameters(std::map<std::string, torch::Tensor> tensors, std::string const& where);

// A .pt (bare state_dict or under model_state_dict) or .safetensors file; hidden must be 128.
Result<Parameters> load_parameters(std::filesystem::path const& path);

// `path` empty: the default file; where that is absent, an error of kind unavailable that names packaging/setup.sh.
Result<Parameters> load_parameters_or_default(std::string const& path);

// True for the published ProteinMPNN files, whose results are nats and not calibrated to kcal/mol.
bool is_zero_shot(Parameters const& parameters);

}  // namespace orrery::methods::stab_ddg
