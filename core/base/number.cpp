#include "core/base/number.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace orrery {

namespace {

template <class T, class... Format>
std::string shortest(T value, Format... format) {
    char buffer[64];
    auto const [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value, format...);
    return error == std::errc() ? std::string(buffer, end) : std::string();
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    std::size_t const first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// A double that is a whole number within the range of std::int64_t.
std::optional<std::int64_t> whole(double value) {
    constexpr double bound = 9223372036854775808.0;  // 2^63
    if (!(value >= -bound && value < bound) || value != std::floor(value)) return std::nullopt;
    return static_cast<std::int64_t>(value);
}

}  // namespace

std::string number_text(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    bool const fits_float = std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max());
    auto const narrow = fits_float ? static_cast<float>(value) : 0.0f;
    if (value == std::floor(value)) {
        // 100000 rather than 1e+05, as people write it; beyond 2^53 the digits would pretend an exactness.
        constexpr double exact_whole = 9007199254740992.0;
        return std::abs(value) < exact_whole ? shortest(value, std::chars_format::fixed) : shortest(value);
    }
    return static_cast<double>(narrow) == value ? shortest(narrow) : shortest(value);
}

std::optional<double> parse_real(std::string_view text) {
    text = trimmed(text);
    if (text.starts_with('+') && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
    double value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
    text = trimmed(text);
    if (text.starts_with('+') && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
    std::int64_t value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (!text.empty() && error == std::errc() && end == text.data() + text.size()) return value;
    std::optional<double> const real = parse_real(text);
    return real ? whole(*real) : std::nullopt;
}

Json json_real(double value) {
    if (std::isnan(value)) return nullptr;
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    return value;
}

std::optional<double> real_from(Json const& value) {
    if (value.is_number()) return value.get<double>();
    if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
    if (value == "inf") return std::numeric_limits<double>::infinity();
    if (value == "-inf") return -std::numeric_limits<double>::infinity();
    return std::nullopt;
}

}  // namespace orrery
