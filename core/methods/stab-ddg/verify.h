// The reference cases of the method: kinds forward, binding-ddg, train-step, real-forward, zero-shot, and the JSON
// cases of verify_tables.h.
#pragma once

#include "core/compute/verify.h"

namespace orrery::methods::stab_ddg {

// Each network case runs on the plain network and on the fast path; both must agree with the file.
std::map<std::string, std::function<Result<void>(VerifyCase&)>> verify_kinds(int threads);

}  // namespace orrery::methods::stab_ddg
