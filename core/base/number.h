// Numbers as text and back: the shortest text that reads back to the same value, whatever the locale.
#pragma once

#include "core/base/json.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace orrery {

// Shortest text that reads back to the same double; values that a float32 holds exactly get the float32's text, so that
// a network's 0.1f is "0.1" and not "0.10000000149011612". Whole numbers below 2^53 are written out. "nan", "inf", "-inf".
[[nodiscard]] std::string number_text(double value);

// The whole of `text` as a number, with or without a leading +, surrounding blanks ignored; no hexadecimal form.
[[nodiscard]] std::optional<double> parse_real(std::string_view text);
// Also "20.0" and "2e3": any text whose value is a whole number of 64 bits.
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text);

// JSON has no NaN and no infinity: null and the texts "inf", "-inf" stand for them.
[[nodiscard]] Json json_real(double value);
[[nodiscard]] std::optional<double> real_from(Json const& value);

}  // namespace orrery
