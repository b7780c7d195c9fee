#include "renderers/plot/plot_text.h"

#include "renderers/imgui/imgui_style.h"
#include "renderers/theme.h"
#include "renderers/theme_style.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace orrery {

std::string fixed_text(double value, int decimals) {
    if (std::isnan(value)) return "not computed";
    char text[64];
    bool const plain = value == 0 || (std::abs(value) < 1e7 && std::abs(value) >= 0.5 * std::pow(10.0, -decimals));
    std::snprintf(text, sizeof text, plain ? "%.*f" : "%.*e", decimals, value);
    return text;
}

std::string exact_text(double value) {
    char text[64];
    std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

std::string tick_text(double value, double step) {
    if (std::abs(value) < step * 1e-9) value = 0;
    char text[64];
    if (std::abs(value) >= 1e6 || (step < 1e-5 && value != 0)) {
        std::snprintf(text, sizeof text, "%.3g", value);
    } else {
        int const decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 9);
        std::snprintf(text, sizeof text, "%.*f", decimals, value);
    }
    return text;
}

int decimals_for(double spread) {
    if (!(spread > 0) || !std::isfinite(spread)) return 2;
    return std::clamp(static_cast<int>(std::ceil(2 - std::log10(spread))), 0, 6);
}

std::string axis_title(std::string const& title, std::string const& unit) {
    if (unit.empty()) return title;
    return title.empty() ? unit : title + " (" + unit + ")";
}

std::vector<double> nice_ticks(double low, double high, int count) {
    if (!(high > low) || count < 1) return {low};
    double const rough = (high - low) / count;
    double const power = std::pow(10.0, std::floor(std::log10(rough)));
    double step = power * 10;
    for (double const factor : {1.0, 2.0, 5.0}) {
        if (power * factor >= rough * (1 - 1e-9)) {
            step = power * factor;
            break;
        }
    }
    std::vector<double> ticks;
    for (double index = std::ceil(low / step - 1e-9); index * step <= high + step * 1e-9; ++index) {
        ticks.push_back(index * step);
    }
    return ticks;
}

int label_step(double spacing, double size) {
    double const needed = size / std::max(spacing, 1e-9);
    for (int power = 1; power < 1000000000; power *= 10) {
        for (int const factor : {1, 2, 5}) {
            if (factor * power >= needed) return factor * power;
        }
    }
    return 1000000000;
}

std::string fitted(std::string const& text, float width) {
    if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
    std::string cut = text;
    while (!cut.empty()) {
        do cut.pop_back();
        while (!cut.empty() && (static_cast<unsigned char>(cut.back()) & 0xC0) == 0x80);
        if (!cut.empty() && (static_cast<unsigned char>(cut.back()) & 0xC0) == 0xC0) cut.pop_back();
        std::string const candidate = cut + "…";
        if (ImGui::CalcTextSize(candidate.c_str()).x <= width) return candidate;
    }
    return "…";
}

void draw_read_out(ImDrawList& list, std::vector<std::string> const& lines, ImVec2 anchor, ImVec2 bounds) {
    if (lines.empty()) return;
    Theme const& theme = ThemeNotifier::instance().theme();
    float const line = ImGui::GetTextLineHeight(), pad = 8;
    float width = 0;
    for (std::string const& text : lines) width = std::max(width, ImGui::CalcTextSize(text.c_str()).x);
    ImVec2 const size(width + 2 * pad, line * static_cast<float>(lines.size()) + 2 * pad - 4);
    // Right of and below the pointer; on its other side where that would leave the widget.
    ImVec2 position(anchor.x + 16, anchor.y + 16);
    if (position.x + size.x > bounds.x - 4) position.x = std::max(4.0f, anchor.x - size.x - 12);
    if (position.y + size.y > bounds.y - 4) position.y = std::max(4.0f, anchor.y - size.y - 12);
    position = ImVec2(std::round(position.x), std::round(position.y));
    ImVec2 const end(position.x + size.x, position.y + size.y);
    list.AddRectFilled(position, end, to_u32(theme.dark ? mix(theme.surface, theme.text, 0.06) : theme.surface), 4);
    list.AddRect(position, end, to_u32(edge(theme)), 4);
    ImVec2 text(position.x + pad, position.y + pad - 2);
    for (std::size_t index = 0; index < lines.size(); ++index) {
        list.AddText(text, to_u32(index == 0 ? theme.text : theme.secondary_text), lines[index].c_str());
        text.y += line;
    }
}

void draw_empty(ImDrawList& list, ImVec2 minimum, ImVec2 maximum, std::string const& title, std::string const& hint) {
    Theme const& theme = ThemeNotifier::instance().theme();
    ImVec2 const middle((minimum.x + maximum.x) / 2, (minimum.y + maximum.y) / 2);
    float const line = ImGui::GetTextLineHeight();
    // Three faint bars: the outline of a plot that is to come.
    float const bar = 10, gap = 6, base = std::round(middle.y - line * 1.2f);
    float left = std::round(middle.x - (3 * bar + 2 * gap) / 2);
    for (float const height : {14.0f, 26.0f, 20.0f}) {
        list.AddRectFilled(ImVec2(left, base - height), ImVec2(left + bar, base), to_u32(theme.border), 2);
        left += bar + gap;
    }
    ImVec2 const title_size = ImGui::CalcTextSize(title.c_str());
    list.AddText(ImVec2(std::round(middle.x - title_size.x / 2), std::round(middle.y - line * 0.6f)),
                 to_u32(theme.text), title.c_str());
    std::string const fitting = fitted(hint, maximum.x - minimum.x - 32);
    ImVec2 const hint_size = ImGui::CalcTextSize(fitting.c_str());
    list.AddText(ImVec2(std::round(middle.x - hint_size.x / 2), std::round(middle.y + line * 0.7f)),
                 to_u32(theme.secondary_text), fitting.c_str());
}

}  // namespace orrery
