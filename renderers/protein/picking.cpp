#include "renderers/protein/picking.h"

#include <cmath>

namespace orrery::protein {

using view3d::Plane;
using view3d::Ray;
using view3d::Vector;

namespace {

bool cut_away(std::optional<Plane> const& clip, Vector const& point) {
    return clip && dot(point - clip->point, clip->normal) < 0;
}

// Distance along the ray, negative for a miss (Möller and Trumbore 1997).
double hit_triangle(Ray const& ray, Vector const& a, Vector const& b, Vector const& c) {
    Vector const ab = b - a, ac = c - a, p = cross(ray.direction, ac);
    double const determinant = dot(ab, p);
    if (std::abs(determinant) < 1e-12) return -1;
    Vector const s = ray.origin - a;
    double const u = dot(s, p) / determinant;
    if (u < 0 || u > 1) return -1;
    Vector const q = cross(s, ab);
    double const v = dot(ray.direction, q) / determinant;
    if (v < 0 || u + v > 1) return -1;
    return dot(ac, q) / determinant;
}

}  // namespace

std::optional<Hit> hit_atoms(Structure const& structure, std::vector<float> const& radii, Ray const& ray,
                             std::optional<Plane> const& clip) {
    std::optional<Hit> best;
    for (std::size_t i = 0; i < structure.atoms.size(); ++i) {
        double const radius = double(radii[i]);
        if (radius <= 0) continue;
        auto const& p = structure.atoms[i].position;
        Vector const center{double(p[0]), double(p[1]), double(p[2])};
        Vector const offset = center - ray.origin;
        double const along = dot(offset, ray.direction);
        double const miss = dot(offset, offset) - along * along, square = radius * radius;
        if (miss > square) continue;
        double const distance = along - std::sqrt(square - miss);
        if (distance <= 0 || (best && distance >= best->distance)) continue;
        if (cut_away(clip, center)) continue;  // atoms are cut away whole
        best = Hit{structure.atoms[i].residue, std::uint32_t(i), distance, ray.origin + ray.direction * distance};
    }
    return best;
}

std::optional<Hit> hit_cartoon(view3d::Mesh const& mesh, std::vector<Cartoon::Part> const& parts, Ray const& ray,
                               std::optional<Plane> const& clip) {
    std::optional<Hit> best;
    auto const& positions = mesh.positions;
    auto const corner = [&](std::uint32_t v) {
        return Vector{double(positions[3 * v]), double(positions[3 * v + 1]), double(positions[3 * v + 2])};
    };
    for (Cartoon::Part const& part : parts) {
        Vector const offset = part.center - ray.origin;
        double const along = dot(offset, ray.direction);
        if (dot(offset, offset) - along * along > part.radius * part.radius || along + part.radius <= 0) continue;
        if (best && along - part.radius > best->distance) continue;
        for (std::uint32_t t = part.first_triangle; t < part.first_triangle + part.triangle_count; ++t) {
            auto const* const c = &mesh.triangles[3 * std::size_t(t)];
            double const distance = hit_triangle(ray, corner(c[0]), corner(c[1]), corner(c[2]));
            if (distance <= 0 || (best && distance >= best->distance)) continue;
            Vector const point = ray.origin + ray.direction * distance;
            if (cut_away(clip, point)) continue;
            best = Hit{part.residue, Hit::no_atom, distance, point};
        }
    }
    return best;
}

}  // namespace orrery::protein
