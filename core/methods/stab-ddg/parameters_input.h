// Reading the weights of a job as tensors, for training.
#pragma once

#include "core/base/job.h"
#include "core/methods/stab-ddg/parameters.h"

namespace orrery::methods::stab_ddg {

// The file of the parameter "weights", or the default; records it and logs tensors, numbers and SHA-256.
Result<Parameters> read_parameters(JobContext& context, Json const& parameters);

}  // namespace orrery::methods::stab_ddg
