// Widths of texts in the figure's face (Inter where it is installed, else the system's sans), in points.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::figure {

inline constexpr char const* font_family = "Inter";

class TextMetrics {
public:
    TextMetrics();
    ~TextMetrics();
    TextMetrics(TextMetrics const&) = delete;
    TextMetrics& operator=(TextMetrics const&) = delete;

    [[nodiscard]] double width(std::string_view text, double size, bool bold = false) const;
    // The widest of several.
    [[nodiscard]] double width(std::vector<std::string> const& texts, double size) const;
    // `text` in lines of at most `limit` points, broken at blanks; a single longer word stays whole. At most 12 lines.
    [[nodiscard]] std::vector<std::string> wrap(std::string_view text, double size, double limit,
                                                bool bold = false) const;
    // `text` cut with "…" to fit `limit` points.
    [[nodiscard]] std::string fit(std::string const& text, double size, double limit, bool bold = false) const;

    // Fractions of the size, the same for every face so that layouts do not depend on it.
    static constexpr double cap_height = 0.73, descent = 0.24, line_height = 1.3;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

// `text` as valid UTF-8 without control characters: what a painter can draw whatever the data held.
[[nodiscard]] std::string clean_text(std::string_view text);

}  // namespace orrery::figure
