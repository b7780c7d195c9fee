// How open each point of a model lies, computed once and multiplied into the colours: pockets and grooves darken as
// under a cloudy sky. It costs nothing a frame, so it works in software OpenGL too, where a screen-space pass does not.
#pragma once

#include "core/base/structure.h"
#include "renderers/vtk/camera.h"

#include <array>
#include <cstdint>
#include <vector>

namespace orrery::protein {

class Openness {
public:
    // Density of heavy atoms other than water on a 2 Å grid, averaged over boxes of growing size.
    explicit Openness(Structure const& structure);

    // 0 (buried) .. 255 (open) for a point whose outside lies along `normal`: the mean density met by a widening cone.
    [[nodiscard]] std::uint8_t at(float const* point, float const* normal) const;
    // The same for an atom, whose outside is where the density falls.
    [[nodiscard]] std::uint8_t at_atom(float const* center, float radius) const;
    [[nodiscard]] std::vector<std::uint8_t> of_vertices(std::vector<float> const& positions,
                                                        std::vector<float> const& normals) const;

private:
    [[nodiscard]] float sample(std::size_t level, float x, float y, float z) const;

    std::array<float, 3> m_low{};
    float m_spacing = 2;
    std::array<int, 3> m_size{};
    std::array<std::vector<float>, 3> m_levels;  // heavy atoms per Å^3, over 2, 6 and 10 Å
};

}  // namespace orrery::protein
