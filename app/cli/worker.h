// `orrery-cli worker`: runs jobs that come as line-delimited JSON on standard input (protocol: core/base/protocol.h),
// one after the other, and ends when its input ends: it never outlives the window.
//   --gpu              for jobs of the GPU lane
//   --die-with-parent  also ends when the process that started it ends (used by the queue)
#pragma once

#include "core/base/job.h"

#include <functional>
#include <map>
#include <string>

namespace orrery {

// What a program adds to the plain worker. Empty functions are left out.
struct WorkerHooks {
    struct Warm {
        std::map<std::string, std::string> libraries;  // "LibTorch" -> "2.11.0", for provenance
        std::string device = "cpu";
    };
    // Once, before the worker says that it is ready: loads what is heavy and uses it once.
    std::function<Warm(bool gpu)> warm_up;
    // Before each job, e.g. sets the number of threads of a library.
    std::function<void(JobContext const&)> prepare;
};

// Returns the exit code of the process: 0 after quit or the end of the input, 2 for a wrong argument.
// While it runs, everything printed to standard output goes to standard error.
int run_worker_with(int argc, char** argv, WorkerHooks const& hooks);

// The worker of orrery-cli: with LibTorch loaded and warm. `argv[0]` is "worker" or the program's name.
int run_worker(int argc, char** argv);

}  // namespace orrery
