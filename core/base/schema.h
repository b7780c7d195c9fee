// A method declares its parameters once. Form, command-line flags, messages, undo text, session record, help page and
// provenance are made from these values. No LibTorch here: the window links the schemas alone.
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

enum class ParameterType { boolean, integer, real, text, choice, file, directory, file_list, text_list };

struct Choice {
    std::string value;  // stored and typed: "weaker-positive"
    std::string label;  // shown: "weaker binding is positive"
};

struct Parameter {
    std::string name;   // snake_case, the record's key and (with - for _) the flag: "draws"
    std::string label;  // sentence case: "Draws"
    ParameterType type = ParameterType::text;
    Json default_value;    // null: no default
    std::string unit;      // "Å", "kcal/mol", empty
    std::string help;      // one or two sentences, for tool tip and --help
    std::string group;     // heading in the form; the group "" comes first
    std::string citation;  // "section 3.2", "eq. 5"; empty if none
    bool required = false;
    bool advanced = false;  // folded under "More" in the form
    double minimum = -std::numeric_limits<double>::infinity();
    double maximum = std::numeric_limits<double>::infinity();
    double step = 0;  // 0: chosen by the form
    std::vector<Choice> choices;
    std::vector<std::string> patterns;  // for files: "*.pdb"
};

struct OutputDeclaration {
    std::string name;  // artifact name: "scan.csv"
    std::string kind;  // table, figure, scene, structure, array, weights, json, text
    std::string help;
};

struct VerbSchema {
    std::string name;     // "scan"
    std::string label;    // verb on the button: "Scan interface"
    std::string summary;  // one sentence
    std::vector<Parameter> parameters;
    std::vector<OutputDeclaration> outputs;
    bool resumable = false;         // honours pause by a checkpoint
    bool positional_files = false;  // bare arguments of the command line go to the first file_list or file parameter
};

struct MethodSchema {
    std::string slug;     // "stab-ddg"
    std::string title;    // the room's name: "Binding ddG"
    std::string group;    // "Molecules and proteins"
    std::string summary;  // one sentence for the gallery
    std::string paper_title;
    std::string authors;
    std::string venue;  // "ICML 2025"
    std::string url;    // "arXiv:2507.05502"
    std::string bibtex;
    std::string method_name;                 // the authors' name: "StaB-ddG"
    std::vector<std::string> file_patterns;  // what may be dropped on the room
    std::vector<std::string> licences;       // of weights and data: "ProteinMPNN weights: MIT"
    std::string version;                     // of our implementation; a change makes old results stale
    std::vector<VerbSchema> verbs;

    [[nodiscard]] VerbSchema const* verb(std::string_view name) const;  // null if absent; "verify" never is
};

[[nodiscard]] std::string_view to_string(ParameterType type);
// The allowed values for a tool tip, --help and messages: "1 to 1000", "at least 0 Å", "a, b or c"; empty: any.
[[nodiscard]] std::string range_text(Parameter const& parameter);

// Checks `given` (an object by parameter name) against the verb: fills defaults, converts "20" to 20 where the type
// asks, refuses unknown names (naming the nearest), wrong types, values out of range, absent required ones. The error's
// `field` is the parameter's name. Files are not opened here, but must exist when `check_files` (defaults are left to
// the method: it knows the remedy). null and empty text stand for "not given". A parameter neither given nor with a
// default is absent from the result, so methods ask with Json::value(name, fallback) or contains(name).
Result<Json> validate(VerbSchema const& verb, Json const& given, bool check_files = true);

// The verb `verify FILE... [--data DIR] [--threads N]`, the same for every method (run by core/compute/verify.h). A
// schema may list it among its verbs; MethodSchema::verb finds it where it does not.
[[nodiscard]] VerbSchema verify_verb();

// All methods, in the order of the rooms. Made by CMake from the folders of core/methods/.
std::span<MethodSchema const* const> all_schemas();
MethodSchema const* find_schema(std::string_view slug);

}  // namespace orrery
