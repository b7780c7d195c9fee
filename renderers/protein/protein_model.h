// The shapes of one structure, made off the window's thread and never changed afterwards, and the layers made from
// them.
#pragma once

#include "core/base/color_maps.h"
#include "core/base/structure.h"
#include "renderers/protein/cartoon.h"
#include "renderers/protein/shading.h"
#include "renderers/vtk/canvas.h"

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

namespace orrery::protein {

// A mesh whose vertices belong to residues.
struct ResidueMesh {
    std::shared_ptr<view3d::Geometry const> geometry;  // a Mesh; null: nothing to draw
    std::vector<std::uint32_t> vertex_residue;
    std::vector<std::uint8_t> openness;  // 0..255 a vertex
    std::vector<Cartoon::Part> parts;    // of a cartoon
    [[nodiscard]] view3d::Mesh const& mesh() const { return std::get<view3d::Mesh>(*geometry); }
};

struct ProteinModel {
    std::shared_ptr<Structure const> structure;
    Backbone backbone;
    ResidueMesh cartoon, coarse;  // at rest, and in motion at reduced detail
    Openness openness;
    std::vector<std::uint8_t> atom_openness;
    view3d::Vector center{};
    double radius = 1;  // of the sphere about everything but water, Å; 0: nothing to draw

    // `stop` ends the work early; the model is then useless.
    static std::shared_ptr<ProteinModel const> make(std::shared_ptr<Structure const> structure,
                                                    std::atomic<bool> const& stop);
};

// Colour of a residue darkened where the model is closed in; strength 0: not at all.
[[nodiscard]] view3d::Colors mesh_colors(ResidueMesh const& mesh, std::vector<Rgb> const& residues, bool shaded);

// Surface of the atoms of `chains` (indices), by the module's contour.
[[nodiscard]] ResidueMesh make_surface(ProteinModel const& model, std::vector<std::uint32_t> const& atoms,
                                       view3d::CanvasFactory const& factory, std::atomic<bool> const& stop);

// Spheres and cylinders with the atom each belongs to.
struct AtomShapes {
    std::shared_ptr<view3d::Geometry const> spheres, cylinders;
    std::vector<std::uint32_t> sphere_atoms, cylinder_atoms;
};
// `radii`: one an atom; zero or less: not drawn.
[[nodiscard]] AtomShapes make_spheres(Structure const& structure, std::vector<float> const& radii);
// Of many spheres those that can be seen from outside, for motion at reduced detail; `atoms`: which. Null where that is
// not worth while.
[[nodiscard]] std::shared_ptr<view3d::Geometry const> outer_spheres(ProteinModel const& model, AtomShapes const& shapes,
                                                                    std::vector<std::uint32_t>& atoms);
// Two-coloured bonds (two half cylinders each) with balls at the atoms; atoms without a bond get a ball of 0.35 Å.
// `atoms`: which take part, one a structure's atom.
// `tethers`: further cylinders from atoms to places, where a ribbon does not run through the CA it stands for.
using Tether = std::pair<std::uint32_t, view3d::Vector>;
[[nodiscard]] AtomShapes make_sticks(Structure const& structure, std::vector<bool> const& atoms, float radius,
                                     std::vector<Tether> const& tethers = {});
// Carbons take the residue's colour, other elements their own.
[[nodiscard]] view3d::Colors atom_colors(ProteinModel const& model, std::vector<std::uint32_t> const& atoms,
                                         std::vector<Rgb> const& residues, bool by_element, bool shaded);

// Dashes from one point to another: cylinders of 0.45 Å with gaps of 0.35 Å.
void add_dashes(view3d::Cylinders& cylinders, view3d::Vector const& from, view3d::Vector const& to, float radius);

struct Contact {
    std::uint32_t first = 0, second = 0;  // atoms
    double distance = 0;                  // Å
};
// Pairs of heavy atoms, one in `residue`, the other in a residue of another chain or more than one place away in the
// sequence, at most `cutoff` apart. The nearest pair of each residue pair comes first; sorted by distance.
[[nodiscard]] std::vector<Contact> contacts_of(Structure const& structure, std::uint32_t residue, double cutoff);

// The residue's CA, P or first atom.
[[nodiscard]] view3d::Vector center_of(Structure const& structure, std::uint32_t residue);
// Mean of the heavy atoms within `cutoff` Å of the other side; nothing where the sides do not touch. `sides`: 1, 2 or
// 0, one a chain.
[[nodiscard]] std::optional<view3d::Vector> interface_center(Structure const& structure, std::vector<int> const& sides,
                                                             double cutoff);

// A rim around residues: their part of the cartoon and their balls, blown up by `margin` Å.
[[nodiscard]] std::shared_ptr<view3d::Geometry const> make_outline(
    ProteinModel const& model, std::vector<bool> const& residues, bool cartoon, std::vector<float> const& atom_radii,
    std::vector<std::pair<std::uint32_t, std::uint32_t>> const& bonds, double margin);

}  // namespace orrery::protein
