// orrery-cli without its methods: what the words mean, how a verb is run and what is printed. The tests run it with
// methods of theirs; main.cpp gives it the real ones.
#pragma once

#include "core/base/job.h"
#include "core/base/method.h"
#include "core/base/result.h"

#include <functional>
#include <map>
#include <span>
#include <string>

namespace orrery::cli {

// What a run computes with, as provenance records it.
struct Environment {
    std::map<std::string, std::string> libraries;  // "LibTorch" -> "2.11.0"
    std::string device = "cpu";
};

struct Program {
    std::span<Method const> methods;
    // Before a verb runs: sets the threads (at least 1) and finds the device. Empty: nothing to prepare.
    std::function<Result<Environment>(int threads, Lane lane)> prepare;
    std::function<int(int argc, char** argv)> worker;  // `orrery-cli worker ...`; argv[0] is "worker"
};

// Runs one command line and returns the exit code of the process.
int run_command_line(int argc, char** argv, Program const& program);

}  // namespace orrery::cli
