// LibTorch set up for a run of the command line.
#pragma once

#include "app/cli/command_line.h"

namespace orrery::cli {

// Sets LibTorch's threads and finds the device of the lane. Error: no GPU that LibTorch can use.
Result<Environment> prepare_torch(int threads, Lane lane);

}  // namespace orrery::cli
