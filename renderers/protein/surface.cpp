#include "renderers/protein/surface.h"

#include "renderers/protein/cell_grid.h"
#include "renderers/protein/elements.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace orrery::protein {

SurfaceField surface_field(Structure const& structure, std::vector<std::uint32_t> const& atoms,
                           std::atomic<bool> const& stop) {
    SurfaceField field;
    if (atoms.empty()) return field;
    std::array<double, 3> low{1e30, 1e30, 1e30}, high{-1e30, -1e30, -1e30};
    for (std::uint32_t const atom : atoms)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(low[axis], double(structure.atoms[atom].position[axis]));
            high[axis] = std::max(high[axis], double(structure.atoms[atom].position[axis]));
        }
    double constexpr margin = 5;
    field.spacing = atoms.size() < 12'000 ? 0.6 : atoms.size() < 40'000 ? 0.9 : 1.3;
    for (;; field.spacing *= 1.25) {
        double cells = 1;
        for (std::size_t axis = 0; axis < 3; ++axis) cells *= (high[axis] - low[axis] + 2 * margin) / field.spacing + 2;
        if (cells <= 12e6) break;
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        field.origin[axis] = low[axis] - margin;
        field.size[axis] = int((high[axis] - low[axis] + 2 * margin) / field.spacing) + 2;
    }
    field.values.assign(std::size_t(field.size[0]) * std::size_t(field.size[1]) * std::size_t(field.size[2]), 0);
    double constexpr steepness = 2.6, reach_factor = 1.75;  // beyond 1.75 r an atom adds less than 0.005
    std::size_t done = 0;
    for (std::uint32_t const atom : atoms) {
        if ((++done & 1023) == 0 && stop) return {};
        auto const& position = structure.atoms[atom].position;
        double const radius = double(van_der_waals_radius(structure.atoms[atom].element)) + 0.4;
        double const reach = radius * reach_factor;
        std::array<int, 3> first{}, last{};
        std::array<std::vector<float>, 3> factor;  // the Gaussian of each axis: their product is the atom's field
        for (std::size_t axis = 0; axis < 3; ++axis) {
            double const at = (double(position[axis]) - field.origin[axis]) / field.spacing;
            first[axis] = std::max(0, int(std::ceil(at - reach / field.spacing)));
            last[axis] = std::min(field.size[axis] - 1, int(std::floor(at + reach / field.spacing)));
            for (int i = first[axis]; i <= last[axis]; ++i) {
                double const d = (double(i) - at) * field.spacing / radius;
                factor[axis].push_back(float(std::exp(-steepness * d * d + (axis == 0 ? steepness : 0))));
            }
        }
        for (int z = first[2]; z <= last[2]; ++z)
            for (int y = first[1]; y <= last[1]; ++y) {
                float const share = factor[2][std::size_t(z - first[2])] * factor[1][std::size_t(y - first[1])];
                float* row = field.values.data() + (std::size_t(z) * std::size_t(field.size[1]) + std::size_t(y)) *
                                                       std::size_t(field.size[0]);
                for (int x = first[0]; x <= last[0]; ++x) row[x] += share * factor[0][std::size_t(x - first[0])];
            }
    }
    return field;
}

std::vector<std::uint32_t> nearest_residues(Structure const& structure, std::vector<std::uint32_t> const& atoms,
                                            std::vector<float> const& positions) {
    std::vector<std::uint32_t> result(positions.size() / 3, 0);
    CellGrid const grid(structure, atoms, 3.5F);
    for (std::size_t i = 0; i < result.size(); ++i) {
        std::array<float, 3> const point{positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]};
        float best = std::numeric_limits<float>::max();
        grid.near(point, [&](std::uint32_t atom) {
            float sum = 0;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                float const d = structure.atoms[atom].position[axis] - point[axis];
                sum += d * d;
            }
            float const distance = std::sqrt(sum) - van_der_waals_radius(structure.atoms[atom].element);
            if (distance < best) {
                best = distance;
                result[i] = structure.atoms[atom].residue;
            }
        });
    }
    return result;
}

void drop_small_pieces(view3d::Mesh& mesh, std::size_t least) {
    std::size_t const vertices = mesh.positions.size() / 3;
    std::vector<std::uint32_t> parent(vertices);
    std::iota(parent.begin(), parent.end(), 0U);
    auto const root = [&](std::uint32_t v) {
        while (parent[v] != v) v = parent[v] = parent[parent[v]];
        return v;
    };
    for (std::size_t i = 0; i + 2 < mesh.triangles.size(); i += 3) {
        parent[root(mesh.triangles[i + 1])] = root(mesh.triangles[i]);
        parent[root(mesh.triangles[i + 2])] = root(mesh.triangles[i]);
    }
    std::vector<std::uint32_t> count(vertices, 0);
    for (std::size_t i = 0; i < mesh.triangles.size(); i += 3) ++count[root(mesh.triangles[i])];
    std::vector<std::uint32_t> kept;
    kept.reserve(mesh.triangles.size());
    for (std::size_t i = 0; i + 2 < mesh.triangles.size(); i += 3)
        if (count[root(mesh.triangles[i])] >= least)
            kept.insert(kept.end(), mesh.triangles.begin() + std::ptrdiff_t(i),
                        mesh.triangles.begin() + std::ptrdiff_t(i + 3));
    mesh.triangles = std::move(kept);
}

}  // namespace orrery::protein
