#include "core/base/error_json.h"

#include <array>
#include <utility>

namespace orrery {

namespace {

constexpr std::array<std::pair<ErrorKind, std::string_view>, 6> kind_names{{
    {ErrorKind::bad_input, "bad_input"},
    {ErrorKind::check_failed, "check_failed"},
    {ErrorKind::unavailable, "unavailable"},
    {ErrorKind::cancelled, "cancelled"},
    {ErrorKind::paused, "paused"},
    {ErrorKind::internal, "internal"},
}};

std::string text_of(Json const& value, char const* key) {
    auto const found = value.find(key);
    return found != value.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

std::string_view to_string(ErrorKind kind) {
    for (auto const& [known, name] : kind_names)
        if (known == kind) return name;
    return "internal";
}

Json to_json(Error const& error) {
    Json value = {{"kind", to_string(error.kind)}, {"what", error.what}};
    if (!error.where.empty()) value["where"] = error.where;
    if (!error.remedy.empty()) value["remedy"] = error.remedy;
    if (!error.field.empty()) value["field"] = error.field;
    if (!error.chain.empty()) value["chain"] = error.chain;
    return value;
}

Error error_from_json(Json const& value) {
    if (!value.is_object() || !value.contains("what"))
        return internal_error("an error came that cannot be read: " +
                              value.dump(-1, ' ', false, Json::error_handler_t::replace).substr(0, 200));
    Error error;
    error.kind = ErrorKind::internal;
    std::string const kind = text_of(value, "kind");
    for (auto const& [known, name] : kind_names)
        if (name == kind) error.kind = known;
    error.what = text_of(value, "what");
    error.where = text_of(value, "where");
    error.remedy = text_of(value, "remedy");
    error.field = text_of(value, "field");
    if (auto const chain = value.find("chain"); chain != value.end() && chain->is_array())
        for (Json const& cause : *chain)
            if (cause.is_string()) error.chain.push_back(cause.get<std::string>());
    return error;
}

int exit_code(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::bad_input:
        case ErrorKind::unavailable:
            return 2;
        case ErrorKind::check_failed:
        case ErrorKind::internal:
            return 1;
        case ErrorKind::cancelled:
            return 130;
        case ErrorKind::paused:
            return 3;
    }
    return 1;
}

}  // namespace orrery
