// Runs one verb in this process, the same function that a worker runs, and draws its figures.
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/command_line.h"

namespace orrery::cli {

// The exit code; the outcome is printed. Errors are those before the verb began: parameters, device, output folder.
// Ctrl+C (or SIGTERM) asks the method to cancel; a second one ends the process.
Result<int> run_verb(Program const& program, Method const& method, VerbSchema const& verb,
                     VerbArguments const& arguments);

}  // namespace orrery::cli
