// Ribbons from the backbone: helices as flat bands, strands as arrows, coil as a tube, nucleic acids as a tube through
// the phosphates; one mesh for the whole structure.
//
// The curve is the natural cubic spline through CA (strands smoothed, which takes out their pleat); the band's width
// lies along the carbonyls, turned so that it never flips (Carson and Bugg, J. Mol. Graphics 4:121, 1986). Models
// without carbonyl oxygens take the direction from the curvature of the CA trace.
#pragma once

#include "core/base/structure.h"
#include "renderers/vtk/canvas.h"

#include <cstdint>
#include <vector>

namespace orrery::protein {

struct CartoonDetail {
    int steps = 8;   // rings a residue
    int sides = 16;  // vertices a ring
    // Detail that keeps the mesh of `residues` near `triangles`.
    [[nodiscard]] static CartoonDetail for_size(std::size_t residues, std::size_t triangles = 1'600'000);
    // For motion at reduced detail.
    [[nodiscard]] static CartoonDetail coarse(std::size_t residues) {
        return residues < 2'000 ? CartoonDetail{4, 6} : residues < 6'000 ? CartoonDetail{2, 5} : CartoonDetail{1, 4};
    }
};

// A stretch of the backbone without a break.
struct Trace {
    std::vector<std::uint32_t> residues;
    std::vector<view3d::Vector> points;  // CA or P, Å
    std::vector<view3d::Vector> sides;   // unit, across the curve
    std::vector<SecondaryStructure> secondary;
    bool nucleic = false;
};

struct Gap {                              // between two stretches of one chain: drawn dashed
    std::uint32_t before = 0, after = 0;  // residues
    view3d::Vector from{}, to{};
};

struct Backbone {
    std::vector<Trace> traces;  // two residues and more
    std::vector<Gap> gaps;
    std::vector<std::uint32_t> lone_residues;  // no neighbour to draw a curve to
};

// A break: C to N beyond 2.5 Å or, where those atoms are missing, CA to CA beyond 4.6 Å (P to P 8.5 Å); another chain.
[[nodiscard]] Backbone find_backbone(Structure const& structure);

struct Cartoon {
    view3d::Mesh mesh;
    std::vector<std::uint32_t> vertex_residue;
    struct Part {
        std::uint32_t residue = 0;
        std::uint32_t first_triangle = 0, triangle_count = 0;
        view3d::Vector center{};
        double radius = 0;  // of the sphere about the part, for picking
    };
    std::vector<Part> parts;  // one a drawn residue
};

[[nodiscard]] Cartoon make_cartoon(Structure const& structure, Backbone const& backbone, CartoonDetail const& detail);

}  // namespace orrery::protein
