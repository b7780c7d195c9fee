#include "renderers/protein/coloring.h"

#include <algorithm>
#include <cmath>

namespace orrery::protein {

namespace {

Rgb constexpr neutral_on_light{190, 194, 202}, neutral_on_dark{166, 172, 184};

bool polymer(Residue const& residue) {
    return residue.kind == ResidueKind::amino_acid || residue.kind == ResidueKind::nucleic_acid;
}

// Black and white at the end of the Okabe-Ito order say nothing on a shaded surface: seven hues, then lighter ones.
Rgb chain_color(std::size_t index) {
    static constexpr std::array<Rgb, 7> hues{
        {{86, 180, 233}, {230, 159, 0}, {0, 158, 115}, {204, 121, 167}, {240, 228, 66}, {0, 114, 178}, {213, 94, 0}}};
    Rgb color = hues[index % hues.size()];
    if (index / hues.size() % 2 == 1)
        for (std::uint8_t& c : color) c = std::uint8_t(c + (255 - c) / 2);
    return color;
}

Coloring by_chain(Structure const& structure) {
    Coloring result;
    result.residues.resize(structure.residues.size());
    for (std::size_t i = 0; i < structure.residues.size(); ++i)
        result.residues[i] = chain_color(structure.residues[i].chain);
    result.legend.title = "Chain";
    for (std::size_t chain = 0; chain < structure.chains.size(); ++chain) {
        Chain const& c = structure.chains[chain];
        bool const drawn = std::any_of(structure.residues.begin() + c.first_residue,
                                       structure.residues.begin() + c.first_residue + c.residue_count,
                                       [](Residue const& r) { return r.kind != ResidueKind::water; });
        if (drawn) result.legend.entries.push_back({chain_color(chain), c.name.empty() ? "(no name)" : c.name});
    }
    return result;
}

Coloring by_side(Structure const& structure, std::vector<int> const& sides, Rgb neutral) {
    static constexpr Rgb first{86, 180, 233}, second{230, 159, 0};
    Coloring result;
    std::array<std::string, 3> names;
    result.residues.assign(structure.residues.size(), neutral);
    for (std::size_t chain = 0; chain < structure.chains.size(); ++chain) {
        int const side = chain < sides.size() ? sides[chain] : 0;
        Chain const& c = structure.chains[chain];
        std::string& list = names[std::size_t(std::clamp(side, 0, 2))];
        list += (list.empty() ? "" : " ") + c.name;
        if (side == 1 || side == 2)
            std::fill_n(result.residues.begin() + c.first_residue, c.residue_count, side == 1 ? first : second);
    }
    result.legend.title = "Side";
    if (!names[1].empty()) result.legend.entries.push_back({first, "1: " + names[1]});
    if (!names[2].empty()) result.legend.entries.push_back({second, "2: " + names[2]});
    if (!names[0].empty()) result.legend.entries.push_back({neutral, "neither: " + names[0]});
    return result;
}

Coloring by_secondary(Structure const& structure, Rgb neutral) {
    static constexpr Rgb helix{213, 94, 0}, strand{0, 114, 178};
    Coloring result;
    for (Residue const& residue : structure.residues)
        result.residues.push_back(residue.secondary == SecondaryStructure::helix    ? helix
                                  : residue.secondary == SecondaryStructure::strand ? strand
                                                                                    : neutral);
    result.legend.title = "Secondary structure";
    result.legend.entries = {{helix, "helix"}, {strand, "strand"}, {neutral, "coil"}};
    return result;
}

Coloring by_b_factor(Structure const& structure) {
    std::vector<double> means(structure.residues.size(), std::nan(""));
    std::vector<double> sorted;
    for (std::size_t i = 0; i < structure.residues.size(); ++i) {
        Residue const& residue = structure.residues[i];
        if (residue.atom_count == 0) continue;
        double sum = 0;
        for (std::uint32_t a = residue.first_atom; a < residue.first_atom + residue.atom_count; ++a)
            sum += double(structure.atoms[a].b_factor);
        means[i] = sum / residue.atom_count;
        if (polymer(residue) && std::isfinite(means[i])) sorted.push_back(means[i]);
    }
    Coloring result;
    result.legend.title = "B-factor, mean of the residue";
    result.legend.unit = "Å²";
    result.legend.scale = ColorScale::sequential;
    if (!sorted.empty()) {
        std::sort(sorted.begin(), sorted.end());
        result.legend.minimum =
            sorted[sorted.size() / 50];  // 2nd to 98th percentile: one loose end must not flatten the rest
        result.legend.maximum = sorted[sorted.size() - 1 - sorted.size() / 50];
    }
    if (!(result.legend.maximum > result.legend.minimum)) result.legend.maximum = result.legend.minimum + 1;
    double const span = result.legend.maximum - result.legend.minimum;
    for (double const mean : means)
        result.residues.push_back(color_of(ColorScale::sequential, (mean - result.legend.minimum) / span));
    return result;
}

Coloring by_value(Structure const& structure, ResidueValues const& values, Rgb neutral) {
    Coloring result;
    std::vector<double> sizes;
    for (double const v : values.values)
        if (std::isfinite(v)) sizes.push_back(std::abs(v));
    std::sort(sizes.begin(), sizes.end());
    double limit = values.limit;
    if (!(limit > 0)) limit = sizes.empty() ? 1 : sizes[(sizes.size() - 1) * 98 / 100];
    if (!(limit > 0)) limit = 1;
    result.legend.title = values.title;
    result.legend.unit = values.unit;
    result.legend.minimum = -limit;
    result.legend.maximum = limit;
    for (std::size_t i = 0; i < structure.residues.size(); ++i) {
        double const v = i < values.values.size() ? values.values[i] : std::nan("");
        bool const known = std::isfinite(v);
        if (!known && polymer(structure.residues[i])) result.legend.missing = true;
        result.residues.push_back(known ? color_of(ColorScale::diverging, 0.5 + 0.5 * v / limit) : neutral);
    }
    return result;
}

}  // namespace

char const* to_string(ColorMode mode) {
    switch (mode) {
        case ColorMode::side:
            return "side";
        case ColorMode::secondary_structure:
            return "secondary";
        case ColorMode::b_factor:
            return "b-factor";
        case ColorMode::value:
            return "value";
        default:
            return "chain";
    }
}

Result<ColorMode> color_mode_from(std::string_view text) {
    for (ColorMode const mode :
         {ColorMode::chain, ColorMode::side, ColorMode::secondary_structure, ColorMode::b_factor, ColorMode::value})
        if (text == to_string(mode)) return mode;
    return bad_input("there is no colouring \"" + std::string(text) + "\"", {},
                     "choose chain, side, secondary, b-factor or value", "color");
}

Coloring color_residues(Structure const& structure, ColorMode mode, ResidueValues const& values,
                        std::vector<int> const& sides, bool dark) {
    Rgb const neutral = dark ? neutral_on_dark : neutral_on_light;
    switch (mode) {
        case ColorMode::side:
            return by_side(structure, sides, neutral);
        case ColorMode::secondary_structure:
            return by_secondary(structure, neutral);
        case ColorMode::b_factor:
            return by_b_factor(structure);
        case ColorMode::value:
            return by_value(structure, values, neutral);
        default:
            return by_chain(structure);
    }
}

}  // namespace orrery::protein
