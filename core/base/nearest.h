// The names a person may have meant: for unknown parameters, verbs, methods, commands and files.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

// At most three of `names`, nearest first: by insertions, deletions, substitutions and swaps of neighbours, without
// regard to case and - against _; names that begin with `given` count as near. Empty when none is near.
[[nodiscard]] std::vector<std::string> nearest_names(std::string_view given, std::span<std::string const> names);
// `Did you mean "draws" or "draw"?`, or empty.
[[nodiscard]] std::string did_you_mean(std::string_view given, std::span<std::string const> names);
// "a, b or c"
[[nodiscard]] std::string or_list(std::span<std::string const> names);

}  // namespace orrery
