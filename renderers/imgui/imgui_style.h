// The theme in Dear ImGui's and ImPlot's terms. For files of renderers/ that draw; not for public headers.
#pragma once

#include "renderers/theme.h"

#include <imgui.h>

#include <array>
#include <cstdint>

namespace orrery {

// With both contexts set.
void apply_theme(Theme const& theme);

[[nodiscard]] inline ImVec4 to_vec4(QColor const& color, double alpha = 1.0) {
    return {static_cast<float>(color.redF()), static_cast<float>(color.greenF()), static_cast<float>(color.blueF()),
            static_cast<float>(color.alphaF() * alpha)};
}
[[nodiscard]] inline ImU32 to_u32(QColor const& color, double alpha = 1.0) {
    return IM_COL32(color.red(), color.green(), color.blue(), static_cast<int>(color.alpha() * alpha + 0.5));
}
[[nodiscard]] inline ImU32 to_u32(std::array<std::uint8_t, 3> const& rgb) {
    return IM_COL32(rgb[0], rgb[1], rgb[2], 255);
}

// Text turned by a quarter, read from below; `position` is the lower left corner of the column it takes.
void add_vertical_text(ImDrawList& list, ImVec2 position, ImU32 color, char const* text);

}  // namespace orrery
