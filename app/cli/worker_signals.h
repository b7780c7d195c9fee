// A crash leaves a stack in the job's log.
#pragma once

namespace orrery {

// From now on a fatal signal prints the stack to standard error before it ends the process as it would have.
void print_stack_on_crash();

}  // namespace orrery
