#include "core/base/schema.h"

#include "core/base/files.h"
#include "core/base/nearest.h"
#include "core/base/number.h"

#include <fmt/format.h>
#include <cmath>

namespace orrery {

namespace {

std::string shown(Json const& value) {
    std::string text =
        value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text.size() > 80) text = text.substr(0, 77) + "...";
    return text;
}

std::string kind_of_value(ParameterType type) {
    switch (type) {
        case ParameterType::boolean:
            return "true or false";
        case ParameterType::integer:
            return "a whole number";
        case ParameterType::real:
            return "a number";
        case ParameterType::text:
            return "a text";
        case ParameterType::choice:
            return "one of its choices";
        case ParameterType::file:
            return "a file";
        case ParameterType::directory:
            return "a folder";
        case ParameterType::file_list:
            return "a list of files";
        case ParameterType::text_list:
            return "a list of texts";
    }
    return "a value";
}

Error wrong_type(Parameter const& parameter, Json const& given) {
    return bad_input(parameter.name + " is \"" + shown(given) + "\", but must be " + kind_of_value(parameter.type), {},
                     parameter.help, parameter.name);
}

Result<Json> boolean_from(Parameter const& parameter, Json const& given) {
    if (given.is_boolean()) return given;
    std::string const text = shown(given);
    if (text == "true" || text == "yes" || text == "on" || text == "1") return Json(true);
    if (text == "false" || text == "no" || text == "off" || text == "0") return Json(false);
    return wrong_type(parameter, given);
}

Result<Json> number_from(Parameter const& parameter, Json const& given) {
    bool const whole = parameter.type == ParameterType::integer;
    Json value;
    if (given.is_number_integer() && (!given.is_number_unsigned() || given.get<std::uint64_t>() <= INT64_MAX)) {
        value = whole ? Json(given.get<std::int64_t>()) : Json(given.get<double>());
    } else if (given.is_number() || given.is_string()) {
        std::string const text = given.is_string() ? given.get<std::string>() : given.dump();
        if (whole) {
            std::optional<std::int64_t> const number = parse_integer(text);
            if (!number) return wrong_type(parameter, given);
            value = *number;
        } else {
            std::optional<double> const number = parse_real(text);
            if (!number) return wrong_type(parameter, given);
            value = *number;
        }
    } else {
        return wrong_type(parameter, given);
    }
    double const number = value.get<double>();
    if (!std::isfinite(number)) return wrong_type(parameter, given);
    if (number < parameter.minimum || number > parameter.maximum)
        return bad_input(parameter.name + " is " + shown(given) + ", but must be " + range_text(parameter), {}, {},
                         parameter.name);
    return value;
}

Result<Json> choice_from(Parameter const& parameter, Json const& given) {
    std::vector<std::string> values;
    for (Choice const& choice : parameter.choices) values.push_back(choice.value);
    std::string const text = shown(given);
    for (std::string const& value : values)
        if (value == text) return Json(value);
    return bad_input(parameter.name + " is \"" + text + "\", but must be " + range_text(parameter), {},
                     did_you_mean(text, values), parameter.name);
}

Result<Json> text_from(Parameter const& parameter, Json const& given) {
    if (given.is_string()) return given;
    if (given.is_number() || given.is_boolean()) return Json(given.dump());
    return wrong_type(parameter, given);
}

Result<Json> list_from(Parameter const& parameter, Json const& given) {
    Json list = Json::array();
    if (!given.is_array()) {
        ORRERY_TRY(Json item, text_from(parameter, given));
        list.push_back(std::move(item));
        return list;
    }
    for (Json const& entry : given) {
        ORRERY_TRY(Json item, text_from(parameter, entry));
        list.push_back(std::move(item));
    }
    return list;
}

Result<Json> converted(Parameter const& parameter, Json const& given) {
    switch (parameter.type) {
        case ParameterType::boolean:
            return boolean_from(parameter, given);
        case ParameterType::integer:
        case ParameterType::real:
            return number_from(parameter, given);
        case ParameterType::choice:
            return choice_from(parameter, given);
        case ParameterType::text:
        case ParameterType::file:
        case ParameterType::directory:
            return text_from(parameter, given);
        case ParameterType::file_list:
        case ParameterType::text_list:
            return list_from(parameter, given);
    }
    return wrong_type(parameter, given);
}

Result<void> check_path(Parameter const& parameter, std::string const& path) {
    Result<void> found = parameter.type == ParameterType::directory ? check_directory(path) : check_file(path);
    if (!found) found.error().field = parameter.name;
    return found;
}

Result<void> check_paths(Parameter const& parameter, Json const& value) {
    if (parameter.type == ParameterType::file || parameter.type == ParameterType::directory)
        return check_path(parameter, value.get<std::string>());
    if (parameter.type == ParameterType::file_list)
        for (Json const& path : value) ORRERY_CHECK(check_path(parameter, path.get<std::string>()));
    return {};
}

bool not_given(Json const& value) {
    return value.is_null() || (value.is_string() && value.get_ref<std::string const&>().empty()) ||
           (value.is_array() && value.empty());
}

Result<void> refuse_unknown_names(VerbSchema const& verb, Json const& given) {
    std::vector<std::string> names;
    for (Parameter const& parameter : verb.parameters) names.push_back(parameter.name);
    for (auto const& [name, value] : given.items()) {
        bool known = false;
        for (std::string const& candidate : names) known = known || candidate == name;
        if (known) continue;
        std::string remedy = did_you_mean(name, names);
        if (remedy.empty() && !names.empty()) remedy = "Its parameters are " + or_list(names);
        return bad_input(verb.name + " has no parameter \"" + name + "\"", {}, remedy, name);
    }
    return {};
}

}  // namespace

VerbSchema const* MethodSchema::verb(std::string_view name) const {
    for (VerbSchema const& candidate : verbs)
        if (candidate.name == name) return &candidate;
    static VerbSchema const verify = verify_verb();
    return name == verify.name ? &verify : nullptr;
}

std::string_view to_string(ParameterType type) {
    switch (type) {
        case ParameterType::boolean:
            return "boolean";
        case ParameterType::integer:
            return "integer";
        case ParameterType::real:
            return "real";
        case ParameterType::text:
            return "text";
        case ParameterType::choice:
            return "choice";
        case ParameterType::file:
            return "file";
        case ParameterType::directory:
            return "directory";
        case ParameterType::file_list:
            return "file_list";
        case ParameterType::text_list:
            return "text_list";
    }
    return "text";
}

std::string range_text(Parameter const& parameter) {
    if (parameter.type == ParameterType::choice) {
        std::vector<std::string> values;
        for (Choice const& choice : parameter.choices) values.push_back(choice.value);
        return or_list(values);
    }
    std::string const unit = parameter.unit.empty() ? "" : " " + parameter.unit;
    bool const below = std::isfinite(parameter.minimum), above = std::isfinite(parameter.maximum);
    if (below && above) return number_text(parameter.minimum) + " to " + number_text(parameter.maximum) + unit;
    if (below) return "at least " + number_text(parameter.minimum) + unit;
    if (above) return "at most " + number_text(parameter.maximum) + unit;
    return {};
}

Result<Json> validate(VerbSchema const& verb, Json const& given, bool check_files) {
    if (!given.is_object() && !given.is_null())
        return bad_input("the parameters of " + verb.name + " must be an object by name");
    Json const none = Json::object();
    Json const& values = given.is_null() ? none : given;
    ORRERY_CHECK(refuse_unknown_names(verb, values));
    Json result = Json::object();
    for (Parameter const& parameter : verb.parameters) {
        auto const found = values.find(parameter.name);
        if (found == values.end() || not_given(*found)) {
            if (!parameter.default_value.is_null()) {
                result[parameter.name] = parameter.default_value;
            } else if (parameter.required) {
                return bad_input(parameter.name + " is missing", {}, parameter.help, parameter.name);
            }
            continue;
        }
        ORRERY_TRY(Json value, converted(parameter, *found));
        if (check_files && value != parameter.default_value) ORRERY_CHECK(check_paths(parameter, value));
        result[parameter.name] = std::move(value);
    }
    return result;
}

VerbSchema verify_verb() {
    Parameter files;
    files.name = "files";
    files.label = "Reference cases";
    files.type = ParameterType::file_list;
    files.help = "Reference cases: safetensors or JSON files that hold inputs and the official code's numbers.";
    files.required = true;
    files.patterns = {"*.safetensors", "*.json"};

    Parameter data;
    data.name = "data";
    data.label = "Data folder";
    data.type = ParameterType::directory;
    data.help = "Where the input files lie that a case names. Without it they are looked for beside the case.";

    Parameter threads;
    threads.name = "threads";
    threads.label = "Threads";
    threads.type = ParameterType::integer;
    threads.default_value = 0;
    threads.minimum = 0;
    threads.maximum = 1024;
    threads.help = "Threads to compute with; 0 uses all cores.";
    threads.advanced = true;

    VerbSchema verb;
    verb.name = "verify";
    verb.label = "Verify";
    verb.summary = "Run reference cases and compare this build's numbers with those of the official code.";
    verb.parameters = {files, data, threads};
    verb.positional_files = true;
    return verb;
}

}  // namespace orrery
