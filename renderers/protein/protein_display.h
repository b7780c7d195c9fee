// How a structure is shown: what a session saves of a protein view beside the camera.
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "renderers/protein/coloring.h"
#include "renderers/vtk/camera.h"

#include <array>
#include <optional>

namespace orrery {

struct ProteinDisplay {
    bool cartoon = true;
    bool sticks = true;  // of the residues chosen for it, of ligands and of a small selection
    bool spheres = false;
    bool surface = false;
    double surface_opacity = 1;                             // 0.1..1
    std::array<bool, 3> surface_of_side{true, true, true};  // chains of neither side, side 1, side 2
    bool ligands = true, waters = false;
    protein::ColorMode color = protein::ColorMode::chain;
    bool element_colors = true;     // atoms other than carbon in the colours of their elements
    bool ambient_occlusion = true;  // pockets darker; costs nothing a frame
    bool depth_cue = true;          // far parts fade
    bool contacts = true;           // within 4 Å of a single selected residue
    bool orthographic = false;
    bool legend = true;
    bool animated = true;  // camera changes take 200 ms

    [[nodiscard]] Json to_json() const;
    // Unknown members are left aside (a newer version's); wrong types and ranges are errors.
    static Result<ProteinDisplay> from_json(Json const& value);
    friend bool operator==(ProteinDisplay const&, ProteinDisplay const&) = default;
};

}  // namespace orrery
