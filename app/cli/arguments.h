// The command line's words, read with flags made from the schema of the verb.
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/base/schema.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace orrery::cli {

struct GlobalOptions {
    bool json = false;   // one JSON object on standard output
    bool quiet = false;  // no progress, no log lines, no summary
    bool gpu = false;
    bool help = false;
    std::optional<std::filesystem::path> out;  // folder of the artifacts
    std::optional<int> threads;
};

// The words up to the method's name and from there on: global options may stand anywhere.
struct SplitWords {
    std::vector<std::string> options;  // global options before and between the names
    std::vector<std::string> names;    // at most two: method and verb
    std::vector<std::string> rest;     // after the verb
    bool version = false;
};
SplitWords split_words(std::vector<std::string> const& words);

// "--draws" for the parameter "draws"; "--cut-off" for "cut_off".
std::string flag_of(std::string const& parameter);

// Reads the global options alone, e.g. of `orrery-cli list --json`. Words that are none are an error.
Result<GlobalOptions> read_globals(std::vector<std::string> const& words);

struct VerbArguments {
    GlobalOptions globals;
    Json parameters = Json::object();  // as typed: texts and lists of texts, not yet validated
};
// Errors: unknown flags (naming the nearest), a flag without its value, words too many.
// `command` is what messages call it: "stab-ddg scan".
Result<VerbArguments> read_verb_arguments(VerbSchema const& verb, std::string const& command,
                                          std::vector<std::string> const& words);

}  // namespace orrery::cli
