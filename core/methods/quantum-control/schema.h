// The method's declaration: verbs, parameters, outputs. No LibTorch; the window links this alone.
#pragma once

#include "core/base/schema.h"

namespace orrery::methods::quantum_control {

MethodSchema const& schema();

}  // namespace orrery::methods::quantum_control
