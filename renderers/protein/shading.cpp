#include "renderers/protein/shading.h"

#include <algorithm>
#include <cmath>

namespace orrery::protein {

namespace {

// Mean over 2 * reach + 1 cells along one axis, by a running sum.
void box_blur(std::vector<float>& values, std::array<int, 3> const& size, int axis, int reach) {
    std::array<std::ptrdiff_t, 3> const stride{1, size[0], std::ptrdiff_t(size[0]) * size[1]};
    int const length = size[std::size_t(axis)], u = (axis + 1) % 3, v = (axis + 2) % 3;
    std::vector<float> line(static_cast<std::size_t>(length));
    float const share = 1.0F / float(2 * reach + 1);
    for (int b = 0; b < size[std::size_t(v)]; ++b)
        for (int a = 0; a < size[std::size_t(u)]; ++a) {
            float* const start = values.data() + a * stride[std::size_t(u)] + b * stride[std::size_t(v)];
            std::ptrdiff_t const step = stride[std::size_t(axis)];
            for (int i = 0; i < length; ++i) line[std::size_t(i)] = start[i * step];
            float sum = 0;
            for (int i = 0; i < std::min(reach, length); ++i) sum += line[std::size_t(i)];
            for (int i = 0; i < length; ++i) {
                if (i + reach < length) sum += line[std::size_t(i + reach)];
                if (i - reach - 1 >= 0) sum -= line[std::size_t(i - reach - 1)];
                start[i * step] = sum * share;
            }
        }
}

}  // namespace

Openness::Openness(Structure const& structure) {
    std::array<float, 3> high{-1e30F, -1e30F, -1e30F};
    m_low = {1e30F, 1e30F, 1e30F};
    auto const counts = [&](Atom const& atom) {
        return atom.element != 1 && structure.residues[atom.residue].kind != ResidueKind::water;
    };
    bool any = false;
    for (Atom const& atom : structure.atoms) {
        if (!counts(atom)) continue;
        any = true;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            m_low[axis] = std::min(m_low[axis], atom.position[axis]);
            high[axis] = std::max(high[axis], atom.position[axis]);
        }
    }
    if (!any) return;
    double constexpr margin = 8;
    double cells = 0;
    do {
        cells = 1;
        for (std::size_t axis = 0; axis < 3; ++axis)
            cells *= (double(high[axis] - m_low[axis]) + 2 * margin) / double(m_spacing) + 2;
        if (cells > 8e6) m_spacing *= 1.5F;
    } while (cells > 8e6);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        m_size[axis] = int((double(high[axis] - m_low[axis]) + 2 * margin) / double(m_spacing)) + 2;
        m_low[axis] -= float(margin);
    }
    auto& fine = m_levels[0];
    fine.assign(std::size_t(m_size[0]) * std::size_t(m_size[1]) * std::size_t(m_size[2]), 0);
    float const share = 1 / (m_spacing * m_spacing * m_spacing);
    for (Atom const& atom : structure.atoms) {
        if (!counts(atom)) continue;
        std::array<int, 3> cell{};
        std::array<float, 3> part{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            float const at = (atom.position[axis] - m_low[axis]) / m_spacing;
            cell[axis] = int(at);
            part[axis] = at - float(cell[axis]);
        }
        for (int corner = 0; corner < 8; ++corner) {
            std::size_t index = 0, stride = 1;
            float weight = share;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                bool const upper = (corner >> axis & 1) != 0;
                index += std::size_t(cell[axis] + (upper ? 1 : 0)) * stride;
                stride *= std::size_t(m_size[axis]);
                weight *= upper ? part[axis] : 1 - part[axis];
            }
            fine[index] += weight;
        }
    }
    for (std::size_t level = 1; level < 3; ++level) {
        m_levels[level] = fine;
        for (int axis = 0; axis < 3; ++axis) box_blur(m_levels[level], m_size, axis, int(level));
    }
}

float Openness::sample(std::size_t level, float x, float y, float z) const {
    auto const& values = m_levels[level];
    std::array<float, 3> const point{x, y, z};
    std::array<int, 3> cell{};
    std::array<float, 3> part{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        float const at = (point[axis] - m_low[axis]) / m_spacing;
        if (!(at >= 0) || at >= float(m_size[axis] - 1)) return 0;
        cell[axis] = int(at);
        part[axis] = at - float(cell[axis]);
    }
    std::size_t const sx = 1, sy = std::size_t(m_size[0]), sz = sy * std::size_t(m_size[1]);
    float const* const v =
        values.data() + std::size_t(cell[0]) * sx + std::size_t(cell[1]) * sy + std::size_t(cell[2]) * sz;
    auto const mix = [](float a, float b, float t) { return a + (b - a) * t; };
    float const low = mix(mix(v[0], v[sx], part[0]), mix(v[sy], v[sy + sx], part[0]), part[1]);
    float const high = mix(mix(v[sz], v[sz + sx], part[0]), mix(v[sz + sy], v[sz + sy + sx], part[0]), part[1]);
    return mix(low, high, part[2]);
}

std::uint8_t Openness::at(float const* point, float const* normal) const {
    if (m_levels[0].empty()) return 255;
    struct Step {
        float distance;
        std::size_t level;
        float weight;
    };
    static constexpr std::array<Step, 4> steps{
        {{2.5F, 0, 0.20F}, {4.5F, 1, 0.30F}, {7.5F, 1, 0.28F}, {11.5F, 2, 0.22F}}};
    float constexpr packed = 0.055F;  // heavy atoms per Å^3 inside a protein
    float met = 0;
    for (Step const& step : steps)
        met += step.weight *
               std::min(1.0F, sample(step.level, point[0] + normal[0] * step.distance,
                                     point[1] + normal[1] * step.distance, point[2] + normal[2] * step.distance) /
                                  packed);
    return std::uint8_t(std::lround(255 * std::clamp(1 - met, 0.0F, 1.0F)));
}

std::uint8_t Openness::at_atom(float const* center, float radius) const {
    if (m_levels[0].empty()) return 255;
    float constexpr h = 3;
    std::array<float, 3> outside{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::array<float, 3> low{center[0], center[1], center[2]}, high = low;
        low[axis] -= h;
        high[axis] += h;
        outside[axis] = sample(1, low[0], low[1], low[2]) - sample(1, high[0], high[1], high[2]);
    }
    float const size = std::sqrt(outside[0] * outside[0] + outside[1] * outside[1] + outside[2] * outside[2]);
    if (size < 1e-6F) return 90;
    std::array<float, 3> surface{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        outside[axis] /= size;
        surface[axis] = center[axis] + outside[axis] * radius * 0.5F;
    }
    return at(surface.data(), outside.data());
}

std::vector<std::uint8_t> Openness::of_vertices(std::vector<float> const& positions,
                                                std::vector<float> const& normals) const {
    std::vector<std::uint8_t> result(positions.size() / 3);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = at(&positions[3 * i], &normals[3 * i]);
    return result;
}

}  // namespace orrery::protein
