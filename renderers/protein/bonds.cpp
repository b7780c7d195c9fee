#include "renderers/protein/bonds.h"

#include "renderers/protein/cell_grid.h"
#include "renderers/protein/elements.h"

namespace orrery::protein {

namespace {

bool metal_or_ion(Structure const& structure, Atom const& atom) {
    return structure.residues[atom.residue].kind == ResidueKind::ion;
}

float squared_distance(Atom const& a, Atom const& b) {
    float sum = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        float const d = a.position[axis] - b.position[axis];
        sum += d * d;
    }
    return sum;
}

}  // namespace

std::vector<Bond> find_bonds(Structure const& structure, std::vector<bool> const& chosen) {
    std::vector<std::uint32_t> atoms;
    for (std::uint32_t i = 0; i < structure.atoms.size(); ++i)
        if (chosen.empty() || chosen[structure.atoms[i].residue]) atoms.push_back(i);
    float constexpr tolerance = 0.45F;
    CellGrid const grid(structure, atoms, 2.6F);
    std::vector<Bond> bonds;
    for (std::uint32_t const first : atoms) {
        Atom const& a = structure.atoms[first];
        if (metal_or_ion(structure, a)) continue;
        grid.near(a.position, [&](std::uint32_t second) {
            if (second <= first) return;
            Atom const& b = structure.atoms[second];
            if (metal_or_ion(structure, b) || (a.element == 1 && b.element == 1)) return;
            if (a.altloc != 0 && b.altloc != 0 && a.altloc != b.altloc) return;
            // Across residues only what chemistry joins; crowded models have many close contacts that are no bonds.
            if (a.residue != b.residue && (a.element == 1 || b.element == 1)) return;
            float const reach =
                covalent_radius(a.element) + covalent_radius(b.element) + (a.residue == b.residue ? tolerance : 0.3F);
            float const d2 = squared_distance(a, b);
            if (d2 < reach * reach && d2 > 0.16F) bonds.emplace_back(first, second);
        });
    }
    return bonds;
}

}  // namespace orrery::protein
