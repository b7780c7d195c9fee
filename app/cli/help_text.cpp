#include "app/cli/help_text.h"

#include "app/cli/arguments.h"
#include "core/base/number.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <sstream>

namespace orrery::cli {

namespace {

constexpr int page_width = 100;  // columns
constexpr int help_column = 28;  // where the help of a flag begins

std::size_t columns_of(std::string const& text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }));
}

// "  left" padded to the help column (or a line of its own where it is longer) and `text` wrapped beside it.
std::string entry(std::string const& left, std::string const& text) {
    std::string line = "  " + left;
    std::size_t const used = columns_of(line);
    auto const column = static_cast<std::size_t>(help_column);
    if (text.empty()) return line + '\n';
    line += used + 2 > column ? "\n" + std::string(column, ' ') : std::string(column - used, ' ');
    return line + wrapped(text, help_column, page_width) + '\n';
}

std::vector<VerbSchema> verbs_of(MethodSchema const& method) {
    std::vector<VerbSchema> verbs = method.verbs;
    bool const listed = std::any_of(verbs.begin(), verbs.end(), [](VerbSchema const& v) { return v.name == "verify"; });
    if (!listed) verbs.push_back(verify_verb());
    return verbs;
}

std::string value_name(Parameter const& parameter) {
    switch (parameter.type) {
        case ParameterType::boolean:
            return "";
        case ParameterType::integer:
            return " N";
        case ParameterType::real:
            return " X";
        case ParameterType::text:
            return " TEXT";
        case ParameterType::choice:
            return " CHOICE";
        case ParameterType::file:
            return " FILE";
        case ParameterType::directory:
            return " DIR";
        case ParameterType::file_list:
            return " FILE...";
        case ParameterType::text_list:
            return " TEXT...";
    }
    return "";
}

std::string default_text(Json const& value) {
    if (value.is_null() || value == "" || value == Json::array()) return {};
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_float()) return number_text(value.get<double>());
    if (value.is_array()) {
        std::string text;
        for (Json const& item : value) text += (text.empty() ? "" : " ") + default_text(item);
        return text;
    }
    return value.dump();
}

// "[1 to 1000; default 20]"
std::string limits_text(Parameter const& parameter) {
    std::vector<std::string> parts;
    if (parameter.required) parts.emplace_back("required");
    std::string const range = range_text(parameter);
    if (!range.empty() && parameter.type != ParameterType::choice)
        parts.push_back(range);
    else if (!parameter.unit.empty())
        parts.push_back("in " + parameter.unit);
    std::string const fallback = default_text(parameter.default_value);
    if (!fallback.empty()) parts.push_back("default " + fallback);
    std::string text;
    for (std::string const& part : parts) text += (text.empty() ? "" : "; ") + part;
    return text.empty() ? text : "[" + text + "]";
}

std::string parameter_text(Parameter const& parameter) {
    std::string text = parameter.help.empty() ? parameter.label : parameter.help;
    if (!parameter.citation.empty()) text += " (" + parameter.citation + ")";
    std::string const limits = limits_text(parameter);
    if (!limits.empty()) text += " " + limits;
    return text;
}

// "  plain    as it is", one a line below the flag's help.
std::string choices_text(std::vector<Choice> const& choices) {
    std::size_t longest = 0;
    for (Choice const& choice : choices) longest = std::max(longest, columns_of(choice.value));
    std::string text;
    for (Choice const& choice : choices) {
        std::string const start = std::string(help_column + 2, ' ') + choice.value;
        std::size_t const gap = longest - columns_of(choice.value) + 2;
        int const column = help_column + 4 + static_cast<int>(longest);
        text += start +
                (choice.label.empty() ? "" : std::string(gap, ' ') + wrapped(choice.label, column, page_width)) + '\n';
    }
    return text;
}

std::string parameter_entry(Parameter const& parameter) {
    std::string flag = flag_of(parameter.name);
    if (parameter.type == ParameterType::boolean && parameter.default_value == true) flag = "--no-" + flag.substr(2);
    std::string text = entry(flag + value_name(parameter), parameter_text(parameter));
    return text + choices_text(parameter.choices);
}

std::vector<std::string> groups_of(VerbSchema const& verb) {
    std::vector<std::string> groups = {""};
    for (Parameter const& parameter : verb.parameters)
        if (std::find(groups.begin(), groups.end(), parameter.group) == groups.end()) groups.push_back(parameter.group);
    return groups;
}

std::string parameters_text(VerbSchema const& verb) {
    std::string text;
    for (std::string const& group : groups_of(verb)) {
        std::string entries;
        for (Parameter const& parameter : verb.parameters)
            if (parameter.group == group && !parameter.advanced) entries += parameter_entry(parameter);
        if (!entries.empty()) text += "\n" + (group.empty() ? std::string("Parameters") : group) + "\n" + entries;
    }
    std::string more;
    for (Parameter const& parameter : verb.parameters)
        if (parameter.advanced) more += parameter_entry(parameter);
    if (!more.empty()) text += "\nMore\n" + more;
    return text;
}

// The global options; of a verb, those that have a meaning for it and are not parameters of its own.
std::string global_options_text(VerbSchema const* verb = nullptr) {
    auto const declared = [&](std::string_view name) {
        return verb != nullptr && std::any_of(verb->parameters.begin(), verb->parameters.end(),
                                              [&](Parameter const& parameter) { return parameter.name == name; });
    };
    std::string text = "\nGeneral\n";
    if (!declared("out") && (verb == nullptr || !verb->outputs.empty()))
        text += entry("-o, --out DIR", "Folder the results are written to [default: this folder]");
    if (!declared("threads"))
        text += entry("--threads N", "Threads to compute with; 0 uses all cores [0 to 1024; default 0]");
    if (!declared("gpu")) text += entry("--gpu", "Compute on the GPU");
    return text +
           entry("--json", "One JSON object with values, artifacts, warnings and provenance on standard output") +
           entry("-q, --quiet", "No progress, no log, no summary") + entry("-h, --help", "This page");
}

// What bare words of a verb are: " FILE...", " FILE" or none.
std::string bare_words_text(VerbSchema const& verb) {
    if (!verb.positional_files) return "";
    bool one = false;
    for (Parameter const& parameter : verb.parameters) {
        if (parameter.type == ParameterType::file_list) return " FILE...";
        one = one || parameter.type == ParameterType::file;
    }
    return one ? " FILE" : "";
}

std::string exit_codes_text() {
    return "\nExit codes\n" + entry("0", "done") + entry("1", "a check failed, or a fault of Orrery") +
           entry("2", "bad input, or something is missing") +
           entry("130", "cancelled by Ctrl+C; what was done is kept");
}

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json parameter_to_json(Parameter const& parameter) {
    Json value = {{"name", parameter.name},
                  {"flag", flag_of(parameter.name)},
                  {"label", parameter.label},
                  {"type", to_string(parameter.type)},
                  {"default", parameter.default_value},
                  {"unit", parameter.unit},
                  {"help", parameter.help},
                  {"group", parameter.group},
                  {"citation", parameter.citation},
                  {"required", parameter.required},
                  {"advanced", parameter.advanced},
                  {"minimum", number_or_null(parameter.minimum)},
                  {"maximum", number_or_null(parameter.maximum)},
                  {"patterns", parameter.patterns}};
    Json choices = Json::array();
    for (Choice const& choice : parameter.choices)
        choices.push_back({{"value", choice.value}, {"label", choice.label}});
    value["choices"] = std::move(choices);
    return value;
}

Json verb_to_json(VerbSchema const& verb) {
    Json parameters = Json::array(), outputs = Json::array();
    for (Parameter const& parameter : verb.parameters) parameters.push_back(parameter_to_json(parameter));
    for (OutputDeclaration const& output : verb.outputs)
        outputs.push_back({{"name", output.name}, {"kind", output.kind}, {"help", output.help}});
    return {{"name", verb.name},
            {"label", verb.label},
            {"summary", verb.summary},
            {"parameters", std::move(parameters)},
            {"outputs", std::move(outputs)},
            {"resumable", verb.resumable},
            {"positional_files", verb.positional_files}};
}

}  // namespace

std::string wrapped(std::string const& text, int indent, int width) {
    std::istringstream words(text);
    std::string result, word;
    std::size_t column = static_cast<std::size_t>(indent);
    bool first = true;
    while (words >> word) {
        std::size_t const length = columns_of(word);
        if (!first && column + 1 + length > static_cast<std::size_t>(width)) {
            result += '\n' + std::string(static_cast<std::size_t>(indent), ' ');
            column = static_cast<std::size_t>(indent);
        } else if (!first) {
            result += ' ';
            ++column;
        }
        result += word;
        column += length;
        first = false;
    }
    return result;
}

std::string method_list(std::span<Method const> methods) {
    std::string text;
    for (Method const& method : methods) {
        MethodSchema const& schema = *method.schema;
        std::string source = schema.method_name;
        if (!schema.venue.empty()) source += (source.empty() ? "" : ", ") + schema.venue;
        text += fmt::format("{:<20}{}{}\n", schema.slug, schema.title, source.empty() ? "" : " (" + source + ")");
        for (VerbSchema const& verb : verbs_of(schema)) text += entry("  " + verb.name, verb.summary);
    }
    return text.empty() ? "No method is built into this program.\n" : text;
}

std::string general_help(std::span<Method const> methods) {
    std::string text =
        "Usage\n"
        "  orrery-cli list [--json]                  the methods and their verbs\n"
        "  orrery-cli help METHOD [VERB]             what a method does; the flags of a verb\n"
        "  orrery-cli METHOD VERB [flags] [FILE...]  run it\n"
        "  orrery-cli METHOD verify FILE...          compare this build with the official code's numbers\n"
        "  orrery-cli worker                         run jobs that come as JSON lines on standard input\n"
        "  orrery-cli --version\n";
    text += global_options_text() + "\nMethods\n";
    for (Method const& method : methods) text += entry(method.schema->slug, method.schema->title);
    return text + exit_codes_text();
}

std::string method_help(MethodSchema const& method) {
    std::string text =
        method.slug + ": " + method.title + "\n" + wrapped(method.summary, 0, page_width) + "\n\nPaper\n";
    std::string const paper = method.authors + ": " + method.paper_title + ". " + method.venue +
                              (method.url.empty() ? "" : ". " + method.url);
    text += "  " + wrapped(paper, 2, page_width) + "\n\nVerbs\n";
    for (VerbSchema const& verb : verbs_of(method)) text += entry(verb.name, verb.summary);
    if (!method.licences.empty()) text += "\nLicences of weights and data\n";
    for (std::string const& licence : method.licences) text += "  " + wrapped(licence, 2, page_width) + "\n";
    return text + "\nThe flags of a verb: orrery-cli help " + method.slug + " VERB\n";
}

std::string verb_help(MethodSchema const& method, VerbSchema const& verb) {
    std::string text = "Usage\n  orrery-cli " + method.slug + " " + verb.name + " [flags]" + bare_words_text(verb) +
                       "\n\n" + wrapped(verb.summary, 0, page_width) + "\n";
    text += parameters_text(verb);
    if (!verb.outputs.empty()) text += "\nWrites\n";
    for (OutputDeclaration const& output : verb.outputs) text += entry(output.name, output.help);
    return text + global_options_text(&verb) + exit_codes_text();
}

Json schema_to_json(MethodSchema const& method) {
    Json verbs = Json::array();
    for (VerbSchema const& verb : verbs_of(method)) verbs.push_back(verb_to_json(verb));
    return {{"slug", method.slug},
            {"title", method.title},
            {"group", method.group},
            {"summary", method.summary},
            {"version", method.version},
            {"paper",
             {{"title", method.paper_title},
              {"authors", method.authors},
              {"venue", method.venue},
              {"url", method.url},
              {"bibtex", method.bibtex},
              {"method_name", method.method_name}}},
            {"file_patterns", method.file_patterns},
            {"licences", method.licences},
            {"verbs", std::move(verbs)}};
}

}  // namespace orrery::cli
