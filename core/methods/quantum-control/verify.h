// The reference cases of the method: kinds pulse, signal-tools, ppo-step, multistep.
#pragma once

#include "core/compute/verify.h"

namespace orrery::methods::quantum_control {

std::map<std::string, std::function<Result<void>(VerifyCase&)>> verify_kinds();

// verify_tools.cpp
Result<void> verify_signal_tools(VerifyCase& c);
Result<void> verify_ppo_step(VerifyCase& c);

// A tensor of the case in double precision, row-major.
Result<std::vector<double>> numbers(VerifyCase& c, std::string const& name);
// Each number against the case's, relative to the latter's size or to `floor` where that is larger.
void compare_relative(VerifyCase& c, std::string const& name, std::vector<double> const& got, double tolerance,
                      double floor = 0);
// The same absolutely.
void compare_numbers(VerifyCase& c, std::string const& name, std::vector<double> const& got, double tolerance);

}  // namespace orrery::methods::quantum_control
