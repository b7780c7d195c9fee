// Molecular surfaces as level sets of a sum of Gaussians (Grant and Pickup, J. Phys. Chem. 99:3503, 1995), one for each
// side of a complex, so that the interface shows when one side is hidden.
#pragma once

#include "core/base/structure.h"
#include "renderers/vtk/canvas.h"

#include <atomic>
#include <cstdint>
#include <vector>

namespace orrery::protein {

struct SurfaceField {
    std::vector<float> values;  // x fastest; the surface is where they cross 1
    std::array<int, 3> size{};
    view3d::Vector origin{};
    double spacing = 1;  // Å
};

// Spacing grows with the number of atoms (0.6 Å for small complexes), so that the grid stays below 12 M cells. The
// field of an atom is exp(-2.6 (d^2 / r^2 - 1)) with r the van der Waals radius + 0.4 Å, which fills clefts that water
// can't enter. Empty when `stop` turns true or no atom is given.
[[nodiscard]] SurfaceField surface_field(Structure const& structure, std::vector<std::uint32_t> const& atoms,
                                         std::atomic<bool> const& stop);

// The residue whose atom lies nearest to each vertex.
[[nodiscard]] std::vector<std::uint32_t> nearest_residues(Structure const& structure,
                                                          std::vector<std::uint32_t> const& atoms,
                                                          std::vector<float> const& positions);

// Removes closed pieces of fewer than `least` triangles: cavities that can't be seen and specks of stray atoms.
void drop_small_pieces(view3d::Mesh& mesh, std::size_t least);

}  // namespace orrery::protein
