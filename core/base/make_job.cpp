#include "core/base/make_job.h"

#include "core/base/hash.h"
#include "core/base/nearest.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace orrery {

namespace {

// Adds the hash of the file at `path`. What is no file (yet) has none; the method says so when it opens it.
Result<void> add_hash(Json& hashes, std::string const& path, std::string const& field) {
    std::error_code ignored;
    if (hashes.contains(path) || !std::filesystem::is_regular_file(path, ignored)) return {};
    Result<std::string> hash = sha256_file(path);
    if (!hash) {
        hash.error().field = field;
        return std::move(hash).error();
    }
    hashes[path] = *hash;
    return {};
}

}  // namespace

Result<VerbSchema const*> require_verb(MethodSchema const& method, std::string_view verb) {
    if (VerbSchema const* found = method.verb(verb)) return found;
    std::vector<std::string> names;
    for (VerbSchema const& known : method.verbs) names.push_back(known.name);
    if (std::find(names.begin(), names.end(), "verify") == names.end()) names.push_back("verify");
    std::string remedy = did_you_mean(verb, names);
    if (remedy.empty()) remedy = "Its verbs are " + or_list(names);
    return bad_input(method.slug + " has no verb \"" + std::string(verb) + "\"", {}, remedy);
}

Result<JobSpec> make_job(MethodSchema const& method, std::string_view verb_name, Json const& given) {
    ORRERY_TRY(VerbSchema const* verb, require_verb(method, verb_name));
    JobSpec spec;
    spec.method = method.slug;
    spec.verb = verb->name;
    spec.method_version = method.version;
    ORRERY_TRY(spec.parameters, validate(*verb, given));
    spec.title = verb->label;
    for (Parameter const& parameter : verb->parameters) {
        auto const found = spec.parameters.find(parameter.name);
        if (found == spec.parameters.end()) continue;
        if (parameter.name == "threads" && found->is_number_integer()) spec.threads = found->get<int>();
        std::string first_file;
        if (parameter.type == ParameterType::file && found->is_string()) first_file = found->get<std::string>();
        if (parameter.type == ParameterType::file_list && found->is_array())
            for (Json const& path : *found) {
                ORRERY_CHECK(add_hash(spec.inputs, path.get<std::string>(), parameter.name));
                if (first_file.empty()) first_file = path.get<std::string>();
            }
        else if (!first_file.empty())
            ORRERY_CHECK(add_hash(spec.inputs, first_file, parameter.name));
        // The title names the data: "Scan interface: 1AO7.pdb". The first file given is it.
        if (!first_file.empty() && spec.title == verb->label)
            spec.title += ": " + std::filesystem::path(first_file).filename().string();
    }
    return spec;
}

}  // namespace orrery
