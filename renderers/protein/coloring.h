// The colour of each residue under each scheme, and the legend that says what the colours mean.
#pragma once

#include "core/base/color_maps.h"
#include "core/base/json.h"
#include "core/base/structure.h"

#include <string>
#include <vector>

namespace orrery::protein {

enum class ColorMode { chain, side, secondary_structure, b_factor, value };

[[nodiscard]] char const* to_string(ColorMode mode);  // "chain", "side", "secondary", "b-factor", "value"
[[nodiscard]] Result<ColorMode> color_mode_from(std::string_view text);

// One number a residue, shown on a two-sided map whose zero is white.
struct ResidueValues {
    std::vector<double> values;  // one a residue of the structure; NaN: none
    std::string title;           // "mean ddG of binding"
    std::string unit;            // "kcal/mol"
    double limit = 0;            // colours span -limit..limit; 0: the 98th percentile of |value|
};

struct Legend {
    struct Entry {
        Rgb color{};
        std::string text;
    };
    std::vector<Entry> entries;  // categories; empty: a bar
    std::string title, unit;
    ColorScale scale = ColorScale::diverging;
    double minimum = 0, maximum = 0;  // of the bar
    bool missing = false;             // some residues have no value
    [[nodiscard]] bool empty() const { return entries.empty() && minimum == maximum; }
};

struct Coloring {
    std::vector<Rgb> residues;
    Legend legend;
};

// `sides`: one a chain; 1, 2 or 0 for neither. `dark`: chosen for a dark background.
[[nodiscard]] Coloring color_residues(Structure const& structure, ColorMode mode, ResidueValues const& values,
                                      std::vector<int> const& sides, bool dark);

}  // namespace orrery::protein
