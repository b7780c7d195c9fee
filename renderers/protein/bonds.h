// Bonds from distances, for sticks.
#pragma once

#include "core/base/structure.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace orrery::protein {

using Bond = std::pair<std::uint32_t, std::uint32_t>;  // atom indices, first < second

// Pairs closer than the sum of covalent radii plus 0.45 Å (and apart by more than 0.4 Å) within a residue, between
// residues that touch (peptide, disulfide, phosphodiester, glycosidic, metal ligands excluded), never between different
// alternative locations or two hydrogens. Only atoms of residues with `chosen` set count; empty: all. Cells of a grid
// keep it linear in the number of atoms.
[[nodiscard]] std::vector<Bond> find_bonds(Structure const& structure, std::vector<bool> const& chosen = {});

}  // namespace orrery::protein
