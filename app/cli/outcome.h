// What a run of the command line gave, for people and for machines.
#pragma once

#include "core/base/job.h"
#include "core/base/json.h"
#include "core/base/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace orrery::cli {

struct Outcome {
    std::string method, verb;
    std::optional<Error> error;  // none: the verb came to its end
    Json values = Json::object();
    std::vector<Artifact> artifacts;
    std::vector<Error> warnings;
    Json provenance = Json::object();
    bool checks_failed = false;
    int interrupted_by = 0;  // the signal that cancelled the run
    std::filesystem::path folder;
    [[nodiscard]] int exit_code() const;
};

// Prints to standard output (errors of people's runs to standard error) and returns the exit code.
int print_outcome(Outcome const& outcome, bool json, bool quiet);
// An error before a verb ran.
int print_error(Error const& error, bool json);

}  // namespace orrery::cli
