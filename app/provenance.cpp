#include "app/provenance.h"

namespace orrery {

namespace {

// What makes two runs the same: not the machine, its threads or the libraries.
Json identity(Json const& provenance) {
    Json result = Json::object();
    for (char const* key : {"method", "verb", "parameters", "inputs"})
        if (auto const found = provenance.find(key); found != provenance.end()) result[key] = *found;
    return result;
}

std::string path_of(Session const& session, Json const& described) {
    std::string const hash = described.value("sha256", std::string());
    for (StoredDataset const& dataset : session.datasets())
        if (!hash.empty() && dataset.sha256 == hash) return dataset.path;
    return {};
}

}  // namespace

std::string run_of(Session const& session, Json const& provenance) {
    if (!provenance.is_object()) return {};
    Json const wanted = identity(provenance);
    std::string found;
    for (std::string const& id : session.order()) {
        auto const status = session.job(id);
        if (status && !status->helper && status->provenance.is_object() && identity(status->provenance) == wanted)
            found = id;
    }
    return found;
}

Json form_values(Session const& session, MethodSchema const& schema, Json const& provenance,
                 std::vector<std::string>& missing) {
    Json values = Json::object();
    Json const parameters = provenance.value("parameters", Json::object());
    VerbSchema const* verb = schema.verb(provenance.value("verb", std::string()));
    if (verb == nullptr) return values;
    for (Parameter const& parameter : verb->parameters) {
        auto const found = parameters.find(parameter.name);
        if (found == parameters.end() || *found == parameter.default_value) continue;
        if (!found->is_object()) {
            values[parameter.name] = *found;
            continue;
        }
        std::string const path = path_of(session, *found);
        if (path.empty())
            missing.push_back(found->value("name", parameter.label));
        else
            values[parameter.name] = path;
    }
    return values;
}

}  // namespace orrery
