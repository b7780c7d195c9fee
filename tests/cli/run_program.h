// Starts a program as a person would and takes what it prints.
#pragma once

#include "core/base/json.h"

#include <filesystem>
#include <string>
#include <vector>

namespace orrery::tests {

struct Ran {
    int code = -1;  // exit code; 128 + signal when a signal ended it
    std::string output, errors;
    [[nodiscard]] Json json() const { return Json::parse(output, nullptr, false); }
};

struct RunOptions {
    std::filesystem::path folder;  // working folder; empty: this one
    bool terminal = false;         // standard error is a pseudo-terminal of 80 columns
    int signal = 0;                // sent when `signal_when` has been printed
    std::string signal_when;
};

Ran run_program(std::string const& program, std::vector<std::string> const& arguments, RunOptions const& options = {});

}  // namespace orrery::tests
