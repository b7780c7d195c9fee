// Colours and measures of exported figures, after the program's light and dark themes.
#pragma once

#include "core/figure/display_list.h"
#include "core/figure/export.h"

namespace orrery::figure {

struct Style {
    Color background, text, secondary, axis, grid, accent;
    double font = 8;    // points: axis titles and legends
    double small = 7;   // tick labels
    double title = 10;  // bold
    double axis_width = 0.6, line_width = 1.1, grid_width = 0.4;

    explicit Style(ExportOptions const& options)
        : font(options.font_pt), small(options.font_pt * 0.875), title(options.font_pt * 1.2) {
        if (options.dark) {
            background = {{0x1E, 0x21, 0x28}};
            text = {{0xE7, 0xEA, 0xF0}};
            secondary = {{0x9A, 0xA3, 0xB2}};
            axis = {{0x9A, 0xA3, 0xB2}};
            grid = {{0x32, 0x37, 0x42}};
            accent = {{0x7F, 0xA3, 0xFF}};
        } else {
            background = {{0xFF, 0xFF, 0xFF}};
            text = {{0x1B, 0x1F, 0x27}};
            secondary = {{0x5A, 0x63, 0x72}};
            axis = {{0x5A, 0x63, 0x72}};
            grid = {{0xE6, 0xE9, 0xEE}};
            accent = {{0x2F, 0x5F, 0xD0}};
        }
    }
};

constexpr double points_of_mm(double mm) { return mm * 72 / 25.4; }

}  // namespace orrery::figure
