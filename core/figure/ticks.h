// Where an axis has its marks: round numbers, few enough that their labels do not collide.
#pragma once

#include "core/base/figure.h"

#include <functional>
#include <string>
#include <vector>

namespace orrery::figure {

struct Range {
    double minimum = 0, maximum = 1;
};

struct Tick {
    double value = 0;
    std::string label;
};

// Steps of 1, 2, 2.5 or 5 times a power of ten; at most `most` ticks inside the range (at least 2 are tried for).
// Labels have the decimals of the step; large and small ones an exponent ("2e6", "1e-7"). The minus sign is "−".
[[nodiscard]] std::vector<Tick> linear_ticks(Range range, int most);
// Powers of ten, every k-th when there are many; where fewer than 2 decades are shown also 2 and 5.
[[nodiscard]] std::vector<Tick> logarithmic_ticks(Range range, int most);

// The range of an axis: its own where given, else that of the values, rounded outwards to ticks (linear) or widened by
// a twentieth (logarithmic). Values that are not finite, or not positive on a logarithmic axis, are ignored. Never
// empty.
[[nodiscard]] Range axis_range(Axis const& axis, std::vector<double> const& values, bool with_zero, bool room);

// 0..1 along the axis; not finite for what a logarithmic axis can't show.
[[nodiscard]] double position(Axis const& axis, Range range, double value);

// Which categories of `count` get a label when labels need `needed` points and a category has `pitch`: every k-th, k in
// 1, 2, 5, 10 ..., counted anew in each group, none so near to the next group that both would touch.
[[nodiscard]] std::vector<std::size_t> labelled_categories(std::size_t count, double pitch, double needed,
                                                           std::vector<int> const& groups);

}  // namespace orrery::figure
