// Small things that all plots draw: numbers, axis titles, ticks, thinned labels, the read-out box, the empty state.
#pragma once

#include "core/base/figure.h"

#include <imgui.h>
#include <QString>

#include <string>
#include <vector>

namespace orrery {

// With `decimals` digits after the point; "not computed" for NaN.
[[nodiscard]] std::string fixed_text(double value, int decimals = 2);
// Nine significant digits without trailing zeros.
[[nodiscard]] std::string exact_text(double value);
// As few digits as tell neighbours `step` apart.
[[nodiscard]] std::string tick_text(double value, double step);
// Decimals that show values of this spread with about three significant digits: 1.24, 0.0124.
[[nodiscard]] int decimals_for(double spread);
// "ddG of binding (kcal/mol)".
[[nodiscard]] std::string axis_title(std::string const& title, std::string const& unit);
// Round numbers (1, 2, 5 x 10^n) in low..high, at most `count`.
[[nodiscard]] std::vector<double> nice_ticks(double low, double high, int count);
// Show every n-th of labels that lie `spacing` pixels apart and take `size` pixels: 1, 2, 5, 10, 20, 50 ...
[[nodiscard]] int label_step(double spacing, double size);
// Cut with an ellipsis to at most `width` pixels. Needs the ImGui context.
[[nodiscard]] std::string fitted(std::string const& text, float width);

// Lines of text in a bordered box beside `anchor`, kept inside `bounds`. The first line stands out.
void draw_read_out(ImDrawList& list, std::vector<std::string> const& lines, ImVec2 anchor, ImVec2 bounds);
// What an empty plot says: a title and a hint, in the middle of the rectangle.
void draw_empty(ImDrawList& list, ImVec2 minimum, ImVec2 maximum, std::string const& title, std::string const& hint);

}  // namespace orrery
