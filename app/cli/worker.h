// `orrery-cli worker`: runs jobs that come as line-delimited JSON on standard input (protocol: core/base/protocol.h).
#pragma once

namespace orrery {

// Returns the exit code of the process.
int run_worker(int argc, char** argv);

}  // namespace orrery
