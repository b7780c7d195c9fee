// Help pages for people and the list of methods for machines, made from the schemas.
#pragma once

#include "core/base/json.h"
#include "core/base/method.h"
#include "core/base/schema.h"

#include <span>
#include <string>

namespace orrery::cli {

[[nodiscard]] std::string general_help(std::span<Method const> methods);
[[nodiscard]] std::string method_list(std::span<Method const> methods);
[[nodiscard]] std::string method_help(MethodSchema const& method);
[[nodiscard]] std::string verb_help(MethodSchema const& method, VerbSchema const& verb);
[[nodiscard]] Json schema_to_json(MethodSchema const& method);

// `text` broken at blanks into lines of `width` columns, each but the first after `indent` blanks.
[[nodiscard]] std::string wrapped(std::string const& text, int indent, int width);

}  // namespace orrery::cli
