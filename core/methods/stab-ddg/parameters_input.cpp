#include "core/methods/stab-ddg/parameters_input.h"

#include "core/methods/stab-ddg/inputs.h"

namespace orrery::methods::stab_ddg {

Result<Parameters> read_parameters(JobContext& context, Json const& parameters) {
    std::string path = parameters.value("weights", std::string());
    ORRERY_TRY(Parameters weights, load_parameters_or_default(path));
    std::filesystem::path file = path.empty() ? default_weights() : std::filesystem::path(path);
    std::error_code ignored;
    context.used_input({"weights", file.string(), weights.sha256, std::filesystem::file_size(file, ignored)});
    context.log(LogLevel::info, "weights " + weights.file_name + ": " + std::to_string(weights.tensors.size()) +
                                    " tensors, " + std::to_string(weights.count()) + " parameters, sha256 " +
                                    weights.sha256 + (is_zero_shot(weights) ? " (zero-shot, nats)" : ""));
    return weights;
}

Result<FastWeights> read_weights(JobContext& context, Json const& parameters) {
    ORRERY_TRY(Parameters weights, read_parameters(context, parameters));
    FastWeights fast;
    fast.network = FastNetwork::pack(weights);
    fast.neighbours = static_cast<std::size_t>(weights.neighbours);
    fast.file_name = weights.file_name;
    fast.sha256 = weights.sha256;
    fast.zero_shot = is_zero_shot(weights);
    return fast;
}

}  // namespace orrery::methods::stab_ddg
