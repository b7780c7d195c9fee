#include "core/figure/text_metrics.h"

#include "core/figure/cairo_handles.h"

#include <algorithm>
#include <map>

namespace orrery::figure {

// Measured at 100 points without hinting: widths then scale exactly, and paper does not depend on any screen.
struct TextMetrics::State {
    Surface surface{cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1)};
    Context context{cairo_create(surface.get())};
    std::map<std::pair<std::string, bool>, double> widths;
};

TextMetrics::TextMetrics() : m_state(std::make_unique<State>()) {}
TextMetrics::~TextMetrics() = default;

double TextMetrics::width(std::string_view text, double size, bool bold) const {
    auto const [found, added] = m_state->widths.try_emplace({std::string(text), bold}, 0.0);
    if (added) {
        select_font(m_state->context.get(), 100, bold);
        cairo_text_extents_t extents;
        cairo_text_extents(m_state->context.get(), found->first.first.c_str(), &extents);
        found->second = extents.x_advance / 100;
    }
    return found->second * size;
}

double TextMetrics::width(std::vector<std::string> const& texts, double size) const {
    double widest = 0;
    for (std::string const& text : texts) widest = std::max(widest, width(text, size));
    return widest;
}

std::vector<std::string> TextMetrics::wrap(std::string_view text, double size, double limit, bool bold) const {
    constexpr std::size_t most_lines = 12;
    std::vector<std::string> lines;
    std::string line;
    std::size_t position = 0;
    while (position < text.size()) {
        std::size_t end = text.find_first_of(" \n", position);
        if (end == std::string_view::npos) end = text.size();
        std::string const word(text.substr(position, end - position));
        std::string const longer = line.empty() ? word : line + " " + word;
        if (!line.empty() && width(longer, size, bold) > limit) {
            lines.push_back(line);
            line = word;
        } else {
            line = longer;
        }
        if (end < text.size() && text[end] == '\n') {
            lines.push_back(line);
            line.clear();
        }
        position = end + 1;
        if (lines.size() == most_lines) return lines;
    }
    if (!line.empty()) lines.push_back(line);
    return lines;
}

std::string TextMetrics::fit(std::string const& text, double size, double limit, bool bold) const {
    if (width(text, size, bold) <= limit) return text;
    constexpr std::size_t longest = 400;  // bytes; no label on paper holds more
    std::string shorter = text.substr(0, longest);
    while (!shorter.empty()) {
        // Takes away one whole character of UTF-8.
        while (!shorter.empty() && (static_cast<unsigned char>(shorter.back()) & 0xC0) == 0x80) shorter.pop_back();
        if (!shorter.empty()) shorter.pop_back();
        if (width(shorter + "…", size, bold) <= limit) break;
    }
    return shorter + "…";
}

std::string clean_text(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        auto const byte = static_cast<unsigned char>(text[i]);
        std::size_t const length = byte < 0x80                   ? 1
                                   : byte >= 0xC2 && byte < 0xE0 ? 2
                                   : byte >= 0xE0 && byte < 0xF0 ? 3
                                   : byte >= 0xF0 && byte < 0xF5 ? 4
                                                                 : 0;
        bool valid = length > 0 && i + length <= text.size();
        for (std::size_t k = 1; valid && k < length; ++k)
            valid = (static_cast<unsigned char>(text[i + k]) & 0xC0) == 0x80;
        if (valid && length == 3) {
            auto const second = static_cast<unsigned char>(text[i + 1]);
            auto const third = static_cast<unsigned char>(text[i + 2]);
            // Overlong forms, surrogates, and the two code points that XML forbids.
            valid = !(byte == 0xE0 && second < 0xA0) && !(byte == 0xED && second >= 0xA0) &&
                    !(byte == 0xEF && second == 0xBF && third >= 0xBE);
        }
        if (valid && length == 4) {
            auto const second = static_cast<unsigned char>(text[i + 1]);
            valid = !(byte == 0xF0 && second < 0x90) && !(byte == 0xF4 && second >= 0x90);
        }
        if (!valid) {
            out += "\xEF\xBF\xBD";
            ++i;
            continue;
        }
        if (length == 1 && (byte < 0x20 || byte == 0x7F))
            out += ' ';
        else
            out += text.substr(i, length);
        i += length;
    }
    return out;
}

}  // namespace orrery::figure
