#include "app/cli/command_line.h"

#include "app/cli/arguments.h"
#include "app/cli/help_text.h"
#include "app/cli/outcome.h"
#include "app/cli/run_verb.h"
#include "core/base/make_job.h"
#include "core/base/nearest.h"
#include "core/base/version.h"

#include <algorithm>
#include <cstdio>

namespace orrery::cli {

namespace {

void print(std::string const& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

Result<Method const*> require_method(Program const& program, std::string const& slug) {
    std::vector<std::string> names = {"list", "help", "worker"};
    for (Method const& method : program.methods) {
        if (method.schema->slug == slug) return &method;
        names.push_back(method.schema->slug);
    }
    std::string remedy = did_you_mean(slug, names);
    if (remedy.empty()) remedy = "orrery-cli list shows the methods";
    return bad_input("there is no method \"" + slug + "\"", {}, remedy);
}

Result<int> list(Program const& program, GlobalOptions const& globals) {
    if (!globals.json) {
        print(method_list(program.methods));
        return 0;
    }
    Json methods = Json::array();
    for (Method const& method : program.methods) methods.push_back(schema_to_json(*method.schema));
    print(Json{{"program", "Orrery"}, {"version", version}, {"methods", std::move(methods)}}.dump(2) + '\n');
    return 0;
}

Result<int> help(Program const& program, std::string const& method_name, std::string const& verb_name) {
    if (method_name.empty()) {
        print(general_help(program.methods));
        return 0;
    }
    ORRERY_TRY(Method const* method, require_method(program, method_name));
    if (verb_name.empty()) {
        print(method_help(*method->schema));
        return 0;
    }
    ORRERY_TRY(VerbSchema const* verb, require_verb(*method->schema, verb_name));
    print(verb_help(*method->schema, *verb));
    return 0;
}

Result<int> run_method_verb(Program const& program, SplitWords const& words) {
    ORRERY_TRY(Method const* method, require_method(program, words.names[0]));
    if (words.names.size() < 2) {
        ORRERY_TRY(GlobalOptions const globals, read_globals(words.options));
        if (globals.help) return help(program, words.names[0], "");
        std::vector<std::string> verbs;
        for (VerbSchema const& verb : method->schema->verbs) verbs.push_back(verb.name);
        return bad_input("no verb is given", words.names[0], "Its verbs are " + or_list(verbs));
    }
    ORRERY_TRY(VerbSchema const* verb, require_verb(*method->schema, words.names[1]));
    std::vector<std::string> all = words.options;
    all.insert(all.end(), words.rest.begin(), words.rest.end());
    ORRERY_TRY(VerbArguments const arguments, read_verb_arguments(*verb, method->schema->slug + " " + verb->name, all));
    if (arguments.globals.help) return help(program, words.names[0], words.names[1]);
    return run_verb(program, *method, *verb, arguments);
}

Result<int> dispatch(Program const& program, SplitWords const& words) {
    if (words.version) {
        print(std::string("orrery-cli ") + version + '\n');
        return 0;
    }
    std::string const first = words.names.empty() ? "" : words.names[0];
    std::string const second = words.names.size() > 1 ? words.names[1] : "";
    if (first.empty() || first == "list" || first == "help") {
        std::vector<std::string> globals_words = words.options;
        std::vector<std::string> names;
        for (std::string const& word : words.rest) (word.starts_with('-') ? globals_words : names).push_back(word);
        ORRERY_TRY(GlobalOptions const globals, read_globals(globals_words));
        if (first == "list" && !globals.help) return list(program, globals);
        if (first.empty() && !globals.help)
            return bad_input("no method is given", {}, "orrery-cli help shows what there is");
        return help(program, second, names.empty() ? "" : names.front());
    }
    return run_method_verb(program, words);
}

}  // namespace

int run_command_line(int argc, char** argv, Program const& program) {
    if (argc > 1 && std::string_view(argv[1]) == "worker" && program.worker) return program.worker(argc - 1, argv + 1);
    std::vector<std::string> const words(argv + 1, argv + std::max(argc, 1));
    bool const json = std::find(words.begin(), words.end(), "--json") != words.end();
    Result<int> const code = dispatch(program, split_words(words));
    return code ? *code : print_error(code.error(), json);
}

}  // namespace orrery::cli
