#include "app/cli/arguments.h"

#include "core/base/nearest.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

namespace orrery::cli {

namespace {

struct GlobalTexts {
    std::string out;
    int threads = 0;
    CLI::Option* out_option = nullptr;
    CLI::Option* threads_option = nullptr;
};

bool declares(VerbSchema const* verb, std::string_view name) {
    if (verb == nullptr) return false;
    return std::any_of(verb->parameters.begin(), verb->parameters.end(),
                       [&](Parameter const& parameter) { return parameter.name == name; });
}

// A parameter of the verb with a global option's name takes its place.
void add_globals(CLI::App& app, VerbSchema const* verb, GlobalOptions& globals, GlobalTexts& texts) {
    if (!declares(verb, "json")) app.add_flag("--json", globals.json);
    if (!declares(verb, "quiet")) app.add_flag("-q,--quiet", globals.quiet);
    if (!declares(verb, "gpu")) app.add_flag("--gpu", globals.gpu);
    if (!declares(verb, "out")) texts.out_option = app.add_option("-o,--out", texts.out);
    if (!declares(verb, "threads"))
        texts.threads_option = app.add_option("--threads", texts.threads)->check(CLI::Range(0, 1024));
    app.add_flag("-h,--help", globals.help);
}

void take_globals(GlobalTexts const& texts, GlobalOptions& globals) {
    if (texts.out_option != nullptr && texts.out_option->count() > 0) globals.out = texts.out;
    if (texts.threads_option != nullptr && texts.threads_option->count() > 0) globals.threads = texts.threads;
}

bool is_list(Parameter const& parameter) {
    return parameter.type == ParameterType::file_list || parameter.type == ParameterType::text_list;
}

// Bare words go to the first file_list, or else the first file.
Parameter const* positional_parameter(VerbSchema const& verb) {
    if (!verb.positional_files) return nullptr;
    for (ParameterType const type : {ParameterType::file_list, ParameterType::file})
        for (Parameter const& parameter : verb.parameters)
            if (parameter.type == type) return &parameter;
    return nullptr;
}

struct TypedParameter {
    Parameter const* parameter = nullptr;
    CLI::Option* option = nullptr;
    CLI::Option* bare = nullptr;  // the bare words, for the positional one
};

TypedParameter add_parameter(CLI::App& app, Parameter const& parameter, bool positional, bool bare_words) {
    TypedParameter typed{&parameter, nullptr, nullptr};
    std::string const flag = flag_of(parameter.name);
    if (parameter.type == ParameterType::boolean) {
        typed.option = app.add_flag(flag + ",!--no-" + flag.substr(2));
        return typed;
    }
    typed.option = app.add_option(flag);
    if (is_list(parameter)) {
        // With bare words about, a list's flag takes one value each time, or it would swallow them.
        typed.option->expected(1, bare_words ? 1 : CLI::detail::expected_max_vector_size);
        typed.option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    } else {
        typed.option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    }
    if (positional) {
        typed.bare = app.add_option(parameter.name + "-bare")->expected(1);
        typed.bare->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
        if (is_list(parameter)) typed.bare->expected(1, CLI::detail::expected_max_vector_size)->allow_extra_args();
    }
    return typed;
}

void take_parameter(TypedParameter const& typed, Json& parameters) {
    std::vector<std::string> values = typed.option->results();
    if (typed.bare != nullptr)
        for (std::string const& word : typed.bare->results()) values.push_back(word);
    if (values.empty()) return;
    if (is_list(*typed.parameter))
        parameters[typed.parameter->name] = values;
    else
        parameters[typed.parameter->name] = values.back();
}

std::vector<std::string> known_flags(CLI::App const& app) {
    std::vector<std::string> flags;
    for (CLI::Option const* option : app.get_options())
        for (std::string const& name : option->get_lnames()) flags.push_back("--" + name);
    return flags;
}

std::string see_help(std::string const& command) {
    return "See orrery-cli help" + (command.empty() ? "" : " " + command);
}

Error unknown_word(std::string const& word, std::string const& command, std::vector<std::string> const& flags) {
    if (!word.starts_with('-')) return bad_input("\"" + word + "\" is one word too many", command, see_help(command));
    std::string const flag = word.substr(0, word.find('='));
    std::string remedy = did_you_mean(flag, flags);
    if (remedy.empty()) remedy = see_help(command);
    return bad_input("there is no flag " + flag, command, remedy);
}

// Parses; what CLI11 throws becomes an error of ours.
Result<void> parse(CLI::App& app, std::vector<std::string> words, std::string const& command) {
    app.allow_extras();
    std::reverse(words.begin(), words.end());  // CLI11 takes the words from the back
    try {
        app.parse(words);
    } catch (CLI::ParseError const& fault) {
        return bad_input(fault.what(), command, see_help(command));
    }
    std::vector<std::string> extras = app.remaining();
    std::erase(extras, "--");  // CLI11 lists the mark itself; what stands after it was taken as bare words
    if (!extras.empty()) return unknown_word(extras.front(), command, known_flags(app));
    return {};
}

bool takes_value(std::string const& word) { return word == "--out" || word == "-o" || word == "--threads"; }

}  // namespace

std::string flag_of(std::string const& parameter) {
    std::string flag = "--" + parameter;
    std::replace(flag.begin(), flag.end(), '_', '-');
    return flag;
}

SplitWords split_words(std::vector<std::string> const& words) {
    SplitWords split;
    std::size_t at = 0;
    for (; at < words.size() && split.names.size() < 2; ++at) {
        std::string const& word = words[at];
        if (word == "--version")
            split.version = true;
        else if (!word.starts_with('-'))
            split.names.push_back(word);
        else {
            split.options.push_back(word);
            if (takes_value(word) && at + 1 < words.size()) split.options.push_back(words[++at]);
        }
    }
    split.rest.assign(words.begin() + static_cast<std::ptrdiff_t>(at), words.end());
    return split;
}

Result<GlobalOptions> read_globals(std::vector<std::string> const& words) {
    CLI::App app;
    app.set_help_flag();
    GlobalOptions globals;
    GlobalTexts texts;
    add_globals(app, nullptr, globals, texts);
    ORRERY_CHECK(parse(app, words, ""));
    take_globals(texts, globals);
    return globals;
}

Result<VerbArguments> read_verb_arguments(VerbSchema const& verb, std::string const& command,
                                          std::vector<std::string> const& words) {
    CLI::App app;
    app.set_help_flag();
    VerbArguments arguments;
    GlobalTexts texts;
    Parameter const* const positional = positional_parameter(verb);
    std::vector<TypedParameter> typed;
    for (Parameter const& parameter : verb.parameters)
        typed.push_back(add_parameter(app, parameter, &parameter == positional, positional != nullptr));
    add_globals(app, &verb, arguments.globals, texts);
    ORRERY_CHECK(parse(app, words, command));
    take_globals(texts, arguments.globals);
    for (TypedParameter const& parameter : typed) take_parameter(parameter, arguments.parameters);
    return arguments;
}

}  // namespace orrery::cli
