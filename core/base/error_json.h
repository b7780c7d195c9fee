// Errors as JSON (job protocol, --json output, store) and as exit codes.
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <string_view>

namespace orrery {

[[nodiscard]] std::string_view to_string(ErrorKind kind);
[[nodiscard]] Json to_json(
    Error const& error);  // kind, what, and those of where, remedy, field, chain that are not empty
[[nodiscard]] Error error_from_json(Json const& value);  // what cannot be read is an internal error that holds the text
// 0 is success; 1 a failed check or a fault of Orrery; 2 bad input or something missing; 130 cancelled (as a shell
// reports SIGINT); 3 paused.
[[nodiscard]] int exit_code(ErrorKind kind);

}  // namespace orrery
