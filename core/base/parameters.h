// Words in which a schema is written down: make("draws", "Draws", ParameterType::integer, 20, help, group), wrapped in
// what else there is to say: advanced(ranged(make(...), 1, 1000)).
#pragma once

#include "core/base/schema.h"

#include <string>
#include <utility>
#include <vector>

namespace orrery::parameters {

// A null default value: none.
inline Parameter make(std::string name, std::string label, ParameterType type, Json default_value, std::string help,
                      std::string group = {}) {
    Parameter parameter;
    parameter.name = std::move(name);
    parameter.label = std::move(label);
    parameter.type = type;
    parameter.default_value = std::move(default_value);
    parameter.help = std::move(help);
    parameter.group = std::move(group);
    return parameter;
}

inline Parameter ranged(Parameter parameter, double minimum, double maximum, std::string unit = {}, double step = 0) {
    parameter.minimum = minimum;
    parameter.maximum = maximum;
    parameter.unit = std::move(unit);
    parameter.step = step;
    return parameter;
}

// Folded under "More" in the form.
inline Parameter advanced(Parameter parameter) {
    parameter.advanced = true;
    return parameter;
}

// The place in the paper: "section 3.2", "eq. 5".
inline Parameter cited(Parameter parameter, std::string citation) {
    parameter.citation = std::move(citation);
    return parameter;
}

inline Parameter choice(Parameter parameter, std::vector<Choice> choices) {
    parameter.choices = std::move(choices);
    return parameter;
}

// A file to read: required ones have no default, others the empty path.
inline Parameter file(std::string name, std::string label, std::string help, std::string group, bool required,
                      std::vector<std::string> patterns) {
    Parameter parameter = make(std::move(name), std::move(label), ParameterType::file, required ? Json() : Json(""),
                               std::move(help), std::move(group));
    parameter.required = required;
    parameter.patterns = std::move(patterns);
    return parameter;
}

}  // namespace orrery::parameters
