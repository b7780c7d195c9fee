// Atoms sorted into cubes, for neighbours within a distance.
#pragma once

#include "core/base/structure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace orrery::protein {

class CellGrid {
public:
    // `atoms`: indices into structure.atoms. `cell`: edge of a cube in Å, at least the distance asked for later.
    CellGrid(Structure const& structure, std::vector<std::uint32_t> const& atoms, float cell)
        : m_structure(structure), m_cell(cell) {
        std::array<float, 3> high{-1e30F, -1e30F, -1e30F};
        m_low = {1e30F, 1e30F, 1e30F};
        for (std::uint32_t const atom : atoms)
            for (std::size_t axis = 0; axis < 3; ++axis) {
                m_low[axis] = std::min(m_low[axis], structure.atoms[atom].position[axis]);
                high[axis] = std::max(high[axis], structure.atoms[atom].position[axis]);
            }
        // A stray atom far away must not ask for gigabytes of empty cubes.
        auto const cubes_along = [&](std::size_t axis) {
            return double(high[axis] - m_low[axis]) / double(m_cell) + 1;
        };
        if (!atoms.empty())
            while (cubes_along(0) * cubes_along(1) * cubes_along(2) > 2e7) m_cell *= 2;
        for (std::size_t axis = 0; axis < 3; ++axis)
            m_size[axis] = atoms.empty() ? 1 : int((high[axis] - m_low[axis]) / m_cell) + 1;
        m_starts.assign(std::size_t(m_size[0]) * std::size_t(m_size[1]) * std::size_t(m_size[2]) + 1, 0);
        for (std::uint32_t const atom : atoms) ++m_starts[cube(structure.atoms[atom].position) + 1];
        for (std::size_t i = 1; i < m_starts.size(); ++i) m_starts[i] += m_starts[i - 1];
        m_atoms.resize(atoms.size());
        std::vector<std::uint32_t> next(m_starts.begin(), m_starts.end() - 1);
        for (std::uint32_t const atom : atoms) m_atoms[next[cube(structure.atoms[atom].position)]++] = atom;
    }

    // Calls visit(atom) for every atom in the 27 cubes about `point`.
    template <class Visit>
    void near(std::array<float, 3> const& point, Visit&& visit) const {
        std::array<int, 3> at{};
        for (std::size_t axis = 0; axis < 3; ++axis) at[axis] = int(std::floor((point[axis] - m_low[axis]) / m_cell));
        for (int z = std::max(0, at[2] - 1); z <= std::min(m_size[2] - 1, at[2] + 1); ++z)
            for (int y = std::max(0, at[1] - 1); y <= std::min(m_size[1] - 1, at[1] + 1); ++y)
                for (int x = std::max(0, at[0] - 1); x <= std::min(m_size[0] - 1, at[0] + 1); ++x) {
                    std::size_t const cell = index(x, y, z);
                    for (std::uint32_t i = m_starts[cell]; i < m_starts[cell + 1]; ++i) visit(m_atoms[i]);
                }
    }

private:
    [[nodiscard]] std::size_t index(int x, int y, int z) const {
        return (std::size_t(z) * std::size_t(m_size[1]) + std::size_t(y)) * std::size_t(m_size[0]) + std::size_t(x);
    }
    [[nodiscard]] std::size_t cube(std::array<float, 3> const& p) const {
        std::array<int, 3> at{};
        for (std::size_t axis = 0; axis < 3; ++axis)
            at[axis] = std::clamp(int((p[axis] - m_low[axis]) / m_cell), 0, m_size[axis] - 1);
        return index(at[0], at[1], at[2]);
    }

    Structure const& m_structure;
    float m_cell;
    std::array<float, 3> m_low{};
    std::array<int, 3> m_size{1, 1, 1};
    std::vector<std::uint32_t> m_starts, m_atoms;
};

}  // namespace orrery::protein
