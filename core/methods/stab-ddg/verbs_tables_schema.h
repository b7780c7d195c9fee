// Declarations of the verbs that need no network: read, interface, eval, skempi-filter. No LibTorch.
#pragma once

#include "core/base/schema.h"

#include <vector>

namespace orrery::methods::stab_ddg {

std::vector<VerbSchema> table_verbs();

}  // namespace orrery::methods::stab_ddg
