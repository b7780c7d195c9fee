// Reader of PyTorch .pt/.pth/.ckpt files (zip + pickle) that executes nothing: an allow-list of opcodes and globals.
// LibTorch 2.11's own pickle_load silently returns None on the ProteinMPNN files.
#pragma once

#include "core/base/result.h"
#include "core/compute/torch.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace orrery {

// A value out of a pickle: None, bool, int, float, text, tensor, list/tuple, dict with text keys (others are turned to text).
struct PickleValue;
using PickleList = std::vector<PickleValue>;
using PickleDict = std::vector<std::pair<std::string, PickleValue>>;  // in the file's order
struct PickleValue {
    std::variant<std::monostate, bool, std::int64_t, double, std::string, torch::Tensor, std::shared_ptr<PickleList>,
                 std::shared_ptr<PickleDict>> value;
};

// Errors name the file and what was found: a global outside the allow-list ("posix.system": the file would run a command),
// truncated zip, Git LFS pointer, legacy tar or bare pickle, storage shorter than its tensor, negative or huge strides.
Result<PickleValue> read_checkpoint(std::filesystem::path const& path);

// Named tensors of a network, from .pt (bare state_dict, or under model_state_dict, state_dict, model) or .safetensors.
// `extras` receives other scalars beside the state_dict ("num_edges", "noise_level").
struct Weights {
    std::map<std::string, torch::Tensor> tensors;
    std::map<std::string, double> extras;
    std::string sha256;
    std::string file_name;
    [[nodiscard]] std::int64_t parameter_count() const;
};
Result<Weights> load_weights(std::filesystem::path const& path);

}  // namespace orrery
