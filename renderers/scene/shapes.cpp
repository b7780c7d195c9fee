#include "renderers/scene/shapes.h"

#include <array>
#include <cmath>
#include <numbers>

namespace orrery::view3d {
namespace {

void push(std::vector<float>& to, Vector const& v) {
    for (double const x : v) to.push_back(static_cast<float>(x));
}
void push(Colors& to, QColor const& color) {
    to.push_back(static_cast<std::uint8_t>(color.red()));
    to.push_back(static_cast<std::uint8_t>(color.green()));
    to.push_back(static_cast<std::uint8_t>(color.blue()));
}
Layer layer_of(Geometry geometry, Colors colors) {
    Layer layer;
    layer.geometry = std::make_shared<Geometry const>(std::move(geometry));
    layer.colors = std::make_shared<Colors const>(std::move(colors));
    layer.clipped = false;
    return layer;
}

}  // namespace

void BoxMesh::add(Vector const& a, Vector const& b, QColor const& color) {
    Vector low, high;
    for (std::size_t i = 0; i < 3; ++i) {
        low[i] = std::min(a[i], b[i]);
        high[i] = std::max(a[i], b[i]);
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::size_t const u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (int const side : {0, 1}) {
            Vector normal{};
            normal[axis] = side == 0 ? -1 : 1;
            auto const first = static_cast<std::uint32_t>(m_mesh.positions.size() / 3);
            for (auto const& [s, t] : std::array<std::array<int, 2>, 4>{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}}) {
                Vector corner{};
                corner[axis] = side == 0 ? low[axis] : high[axis];
                corner[u] = s == 0 ? low[u] : high[u];
                corner[v] = t == 0 ? low[v] : high[v];
                push(m_mesh.positions, corner);
                push(m_mesh.normals, normal);
                push(m_colors, color);
            }
            std::array<std::uint32_t, 6> order{0, 1, 2, 0, 2, 3};
            if (side == 0) order = {0, 2, 1, 0, 3, 2};  // counterclockwise from outside
            for (std::uint32_t const k : order) m_mesh.triangles.push_back(first + k);
        }
    }
}

Layer BoxMesh::layer() const { return layer_of(m_mesh, m_colors); }

void Tubes::add(Vector const& from, Vector const& to, double radius, QColor const& color) {
    push(m_cylinders.starts, from);
    push(m_cylinders.ends, to);
    m_cylinders.radii.push_back(static_cast<float>(radius));
    push(m_cylinder_colors, color);
    add_ball(from, radius, color);
    add_ball(to, radius, color);
}

void Tubes::add_ball(Vector const& at, double radius, QColor const& color) {
    push(m_spheres.centers, at);
    m_spheres.radii.push_back(static_cast<float>(radius));
    push(m_sphere_colors, color);
}

void Tubes::add_circle(Vector const& center, Vector const& u, Vector const& v, double radius, double thickness,
                       QColor const& color, int pieces) {
    auto const at = [&](int k) {
        double const angle = 2 * std::numbers::pi * k / pieces;
        return center + u * (radius * std::cos(angle)) + v * (radius * std::sin(angle));
    };
    for (int k = 0; k < pieces; ++k) add(at(k), at(k + 1), thickness, color);
}

Layer Tubes::cylinders() const { return layer_of(m_cylinders, m_cylinder_colors); }
Layer Tubes::balls() const { return layer_of(m_spheres, m_sphere_colors); }

Layer globe(Vector const& center, double radius, QColor const& color, float opacity) {
    constexpr int rings = 32, sectors = 64;
    Mesh mesh;
    Colors colors;
    for (int r = 0; r <= rings; ++r) {
        double const theta = std::numbers::pi * r / rings;
        for (int s = 0; s <= sectors; ++s) {
            double const phi = 2 * std::numbers::pi * s / sectors;
            Vector const normal{std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)};
            push(mesh.positions, center + normal * radius);
            push(mesh.normals, normal);
            push(colors, color);
        }
    }
    auto const vertex = [](int r, int s) { return static_cast<std::uint32_t>(r * (sectors + 1) + s); };
    for (int r = 0; r < rings; ++r)
        for (int s = 0; s < sectors; ++s)
            for (std::uint32_t const k : {vertex(r, s), vertex(r + 1, s), vertex(r + 1, s + 1), vertex(r, s),
                                          vertex(r + 1, s + 1), vertex(r, s + 1)})
                mesh.triangles.push_back(k);
    Layer layer = layer_of(std::move(mesh), std::move(colors));
    layer.opacity = opacity;
    return layer;
}

}  // namespace orrery::view3d
