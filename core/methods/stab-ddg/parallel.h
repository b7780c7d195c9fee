// What long computations of the method ask between their items.
#pragma once

#include "core/base/parallel.h"

namespace orrery::methods::stab_ddg {

// False asks to stop.
using Tick = std::function<bool()>;

}  // namespace orrery::methods::stab_ddg
