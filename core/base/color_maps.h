// The colour maps of the whole program: screen views and exported figures take their colours from here. All are safe
// for colour-blind readers; no rainbow.
#pragma once

#include "core/base/figure.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace orrery {

using Rgb = std::array<std::uint8_t, 3>;  // sRGB

// The colour at t in 0..1 (clamped; NaN gives color_of_missing): 256 entries a map.
//   sequential: viridis. diverging: blue-white-red, even in CIE L*, t = 0.5 is exactly white, both ends equally dark.
//   cyclic: twilight-like, t = 0 and 1 are the same colour.
[[nodiscard]] Rgb color_of(ColorScale scale, double t);
// The whole map, for textures.
[[nodiscard]] std::array<Rgb, 256> const& color_table(ColorScale scale);
// Cells that were not computed: a light grey, told from white by a hatch as well.
[[nodiscard]] Rgb color_of_missing();
// Okabe-Ito: orange, sky blue, bluish green, yellow, blue, vermillion, reddish purple, black; repeats after 8.
[[nodiscard]] Rgb category_color(std::size_t index);
// The category of the `order`-th series: its own color or, when that is -1, one by order that begins with those that
// stand out from white by 3:1 (blue, vermillion, bluish green), so that a lone series is blue.
[[nodiscard]] std::size_t series_category(Series const& series, std::size_t order);

// The values the colours span. Diverging: -limit..limit, with limit the map's own or, when it is 0, the 98th percentile
// of |value|. Otherwise smallest..largest finite value. Never empty: equal ends are moved apart.
struct ColorRange {
    double minimum = 0, maximum = 1;
    [[nodiscard]] double position(double value) const;  // 0..1, NaN stays NaN
};
[[nodiscard]] ColorRange color_range(HeatMap const& map);

// CIE L* (0..100) of an sRGB colour, and the WCAG contrast ratio (1..21) of two: what the tests of the maps measure.
[[nodiscard]] double lightness(Rgb color);
[[nodiscard]] double contrast_ratio(Rgb a, Rgb b);

}  // namespace orrery
