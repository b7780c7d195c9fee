#include "renderers/protein/protein_model.h"

#include "renderers/protein/bonds.h"
#include "renderers/protein/cell_grid.h"
#include "renderers/protein/elements.h"
#include "renderers/protein/surface.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string_view>

namespace orrery::protein {

using view3d::Vector;

namespace {

Vector position_of(Atom const& atom) {
    return {double(atom.position[0]), double(atom.position[1]), double(atom.position[2])};
}

ResidueMesh finished(Cartoon cartoon, Openness const& openness) {
    ResidueMesh result;
    if (cartoon.mesh.triangles.empty()) return result;
    result.openness = openness.of_vertices(cartoon.mesh.positions, cartoon.mesh.normals);
    result.vertex_residue = std::move(cartoon.vertex_residue);
    result.parts = std::move(cartoon.parts);
    result.geometry = std::make_shared<view3d::Geometry const>(std::move(cartoon.mesh));
    return result;
}

// Openness below which an atom is taken to be out of sight while the camera moves.
std::uint8_t constexpr buried = 70;

// How much light is left: fully open points keep their colour, closed ones 52 % of it.
float light(std::uint8_t openness) {
    float const open = std::clamp((float(openness) / 255.0F - 0.05F) / 0.75F, 0.0F, 1.0F);
    return 0.52F + 0.48F * open * (2 - open);
}

std::uint8_t scaled(std::uint8_t color, float factor) { return std::uint8_t(std::lround(float(color) * factor)); }

}  // namespace

std::shared_ptr<ProteinModel const> ProteinModel::make(std::shared_ptr<Structure const> structure,
                                                       std::atomic<bool> const& stop) {
    auto model =
        std::shared_ptr<ProteinModel>(new ProteinModel{structure, {}, {}, {}, Openness(*structure), {}, {}, 0});
    Vector low{1e30, 1e30, 1e30}, high{-1e30, -1e30, -1e30};
    for (Atom const& atom : structure->atoms) {
        if (structure->residues[atom.residue].kind == ResidueKind::water) continue;
        Vector const p = position_of(atom);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(low[axis], p[axis]);
            high[axis] = std::max(high[axis], p[axis]);
        }
    }
    if (low[0] <= high[0]) {
        model->center = (low + high) * 0.5;
        double square = 0;
        for (Atom const& atom : structure->atoms) {
            if (structure->residues[atom.residue].kind == ResidueKind::water) continue;
            Vector const d = position_of(atom) - model->center;
            square = std::max(square, dot(d, d));
        }
        model->radius = std::sqrt(square) + 2;
    }
    if (stop) return model;
    model->backbone = find_backbone(*structure);
    std::size_t residues = 0;
    for (Trace const& trace : model->backbone.traces) residues += trace.residues.size();
    model->cartoon =
        finished(make_cartoon(*structure, model->backbone, CartoonDetail::for_size(residues)), model->openness);
    if (stop) return model;
    model->coarse =
        finished(make_cartoon(*structure, model->backbone, CartoonDetail::coarse(residues)), model->openness);
    if (stop) return model;
    model->atom_openness.reserve(structure->atoms.size());
    for (Atom const& atom : structure->atoms)
        model->atom_openness.push_back(
            model->openness.at_atom(atom.position.data(), van_der_waals_radius(atom.element)));
    return model;
}

view3d::Colors mesh_colors(ResidueMesh const& mesh, std::vector<Rgb> const& residues, bool shaded) {
    view3d::Colors colors(3 * mesh.vertex_residue.size());
    for (std::size_t i = 0; i < mesh.vertex_residue.size(); ++i) {
        float const factor = shaded ? light(mesh.openness[i]) : 1;
        for (std::size_t c = 0; c < 3; ++c) colors[3 * i + c] = scaled(residues[mesh.vertex_residue[i]][c], factor);
    }
    return colors;
}

ResidueMesh make_surface(ProteinModel const& model, std::vector<std::uint32_t> const& atoms,
                         view3d::CanvasFactory const& factory, std::atomic<bool> const& stop) {
    ResidueMesh result;
    SurfaceField const field = surface_field(*model.structure, atoms, stop);
    if (field.values.empty() || stop) return result;
    view3d::Mesh mesh = factory.isosurface(field.values, field.size, field.origin, field.spacing, 1.0);
    drop_small_pieces(mesh, 200);
    if (mesh.triangles.empty() || stop) return result;
    result.vertex_residue = nearest_residues(*model.structure, atoms, mesh.positions);
    result.openness = model.openness.of_vertices(mesh.positions, mesh.normals);
    result.geometry = std::make_shared<view3d::Geometry const>(std::move(mesh));
    return result;
}

std::shared_ptr<view3d::Geometry const> outer_spheres(ProteinModel const& model, AtomShapes const& shapes,
                                                      std::vector<std::uint32_t>& atoms) {
    atoms.clear();
    if (!shapes.spheres || shapes.sphere_atoms.size() < 20'000) return nullptr;
    auto const& all = std::get<view3d::Spheres>(*shapes.spheres);
    view3d::Spheres outer;
    for (std::size_t i = 0; i < shapes.sphere_atoms.size(); ++i) {
        if (model.atom_openness[shapes.sphere_atoms[i]] < buried) continue;
        outer.centers.insert(outer.centers.end(), &all.centers[3 * i], &all.centers[3 * i] + 3);
        outer.radii.push_back(all.radii[i]);
        atoms.push_back(shapes.sphere_atoms[i]);
    }
    if (outer.radii.empty() || outer.radii.size() * 10 > all.radii.size() * 9) return nullptr;
    return std::make_shared<view3d::Geometry const>(std::move(outer));
}

AtomShapes make_spheres(Structure const& structure, std::vector<float> const& radii) {
    AtomShapes shapes;
    view3d::Spheres spheres;
    for (std::uint32_t i = 0; i < structure.atoms.size(); ++i) {
        if (radii[i] <= 0) continue;
        auto const& p = structure.atoms[i].position;
        spheres.centers.insert(spheres.centers.end(), p.begin(), p.end());
        spheres.radii.push_back(radii[i]);
        shapes.sphere_atoms.push_back(i);
    }
    if (!spheres.radii.empty()) shapes.spheres = std::make_shared<view3d::Geometry const>(std::move(spheres));
    return shapes;
}

AtomShapes make_sticks(Structure const& structure, std::vector<bool> const& atoms, float radius,
                       std::vector<Tether> const& tethers) {
    AtomShapes shapes;
    std::vector<bool> residues(structure.residues.size(), false);
    for (std::size_t i = 0; i < atoms.size(); ++i)
        if (atoms[i]) residues[structure.atoms[i].residue] = true;
    view3d::Spheres balls;
    view3d::Cylinders sticks;
    std::vector<bool> bonded(structure.atoms.size(), false);
    for (Bond const& bond : find_bonds(structure, residues)) {
        if (!atoms[bond.first] || !atoms[bond.second]) continue;
        auto const &a = structure.atoms[bond.first].position, &b = structure.atoms[bond.second].position;
        std::array<float, 3> const middle{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2};
        for (std::uint32_t const atom : {bond.first, bond.second}) {
            auto const& p = structure.atoms[atom].position;
            sticks.starts.insert(sticks.starts.end(), p.begin(), p.end());
            sticks.ends.insert(sticks.ends.end(), middle.begin(), middle.end());
            sticks.radii.push_back(radius);
            shapes.cylinder_atoms.push_back(atom);
            bonded[atom] = true;
        }
    }
    for (auto const& [atom, place] : tethers) {
        auto const& p = structure.atoms[atom].position;
        sticks.starts.insert(sticks.starts.end(), p.begin(), p.end());
        for (double const v : place) sticks.ends.push_back(float(v));
        sticks.radii.push_back(radius);
        shapes.cylinder_atoms.push_back(atom);
    }
    for (std::uint32_t i = 0; i < structure.atoms.size(); ++i) {
        if (!atoms[i]) continue;
        auto const& p = structure.atoms[i].position;
        balls.centers.insert(balls.centers.end(), p.begin(), p.end());
        balls.radii.push_back(bonded[i] ? radius : 0.35F);
        shapes.sphere_atoms.push_back(i);
    }
    if (!balls.radii.empty()) shapes.spheres = std::make_shared<view3d::Geometry const>(std::move(balls));
    if (!sticks.radii.empty()) shapes.cylinders = std::make_shared<view3d::Geometry const>(std::move(sticks));
    return shapes;
}

view3d::Colors atom_colors(ProteinModel const& model, std::vector<std::uint32_t> const& atoms,
                           std::vector<Rgb> const& residues, bool by_element, bool shaded) {
    view3d::Colors colors;
    colors.reserve(3 * atoms.size());
    for (std::uint32_t const index : atoms) {
        Atom const& atom = model.structure->atoms[index];
        Rgb const color = by_element && atom.element != 6 ? element_color(atom.element) : residues[atom.residue];
        float const factor = shaded ? light(model.atom_openness[index]) : 1;
        for (std::uint8_t const c : color) colors.push_back(scaled(c, factor));
    }
    return colors;
}

void add_dashes(view3d::Cylinders& cylinders, Vector const& from, Vector const& to, float radius) {
    double constexpr dash = 0.45, period = 0.8;
    double const total = length(to - from);
    if (total <= 0) return;
    int const count = std::clamp(int(std::floor(total / period)), 1, 400);
    Vector const step = (to - from) * (1.0 / count);
    for (int i = 0; i < count; ++i) {
        Vector const start = from + step * (i + (1 - dash / period) / 2), end = start + step * (dash / period);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            cylinders.starts.push_back(float(start[axis]));
            cylinders.ends.push_back(float(end[axis]));
        }
        cylinders.radii.push_back(radius);
    }
}

std::vector<Contact> contacts_of(Structure const& structure, std::uint32_t residue, double cutoff) {
    Residue const& center = structure.residues[residue];
    std::map<std::uint32_t, Contact> nearest;  // by the other residue
    for (std::uint32_t a = center.first_atom; a < center.first_atom + center.atom_count; ++a) {
        if (structure.atoms[a].element == 1) continue;
        Vector const from = position_of(structure.atoms[a]);
        for (std::uint32_t b = 0; b < structure.atoms.size(); ++b) {
            Atom const& other = structure.atoms[b];
            if (other.residue == residue || other.element == 1) continue;
            Residue const& there = structure.residues[other.residue];
            if (there.kind == ResidueKind::water) continue;
            auto const apart = std::int64_t(other.residue) - std::int64_t(residue);
            if (there.chain == center.chain && std::abs(apart) <= 1) continue;
            Vector const d = position_of(other) - from;
            double const square = dot(d, d);
            if (square > cutoff * cutoff) continue;
            auto const [found, is_new] = nearest.try_emplace(other.residue, Contact{a, b, std::sqrt(square)});
            if (!is_new && std::sqrt(square) < found->second.distance) found->second = {a, b, std::sqrt(square)};
        }
    }
    std::vector<Contact> contacts;
    for (auto const& [other, contact] : nearest) contacts.push_back(contact);
    std::stable_sort(contacts.begin(), contacts.end(),
                     [](Contact const& x, Contact const& y) { return x.distance < y.distance; });
    return contacts;
}

Vector center_of(Structure const& structure, std::uint32_t index) {
    Residue const& residue = structure.residues[index];
    for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
        std::string_view const name(structure.atoms[i].name.data());
        if (name == "CA" || name == "P") return position_of(structure.atoms[i]);
    }
    return residue.atom_count > 0 ? position_of(structure.atoms[residue.first_atom]) : Vector{0, 0, 0};
}

std::optional<Vector> interface_center(Structure const& structure, std::vector<int> const& sides, double cutoff) {
    auto const side_of = [&](Atom const& atom) {
        std::uint32_t const chain = structure.residues[atom.residue].chain;
        return chain < sides.size() ? sides[chain] : 0;
    };
    std::vector<std::uint32_t> second;
    for (std::uint32_t i = 0; i < structure.atoms.size(); ++i)
        if (side_of(structure.atoms[i]) == 2 && structure.atoms[i].element != 1) second.push_back(i);
    CellGrid const grid(structure, second, float(cutoff));
    Vector sum{0, 0, 0};
    double count = 0;
    for (Atom const& atom : structure.atoms) {
        if (side_of(atom) != 1 || atom.element == 1) continue;
        grid.near(atom.position, [&](std::uint32_t other) {
            Vector const there = position_of(structure.atoms[other]), here = position_of(atom);
            if (length(there - here) > cutoff) return;
            sum = sum + (there + here) * 0.5;
            ++count;
        });
    }
    if (count == 0) return std::nullopt;
    return sum * (1 / count);
}

namespace {

void append_cartoon(view3d::Mesh& out, ProteinModel const& model, std::vector<bool> const& residues, double margin) {
    if (!model.cartoon.geometry) return;
    view3d::Mesh const& mesh = model.cartoon.mesh();
    std::map<std::uint32_t, std::uint32_t> copied;
    auto const copy = [&](std::uint32_t v) {
        auto const [found, is_new] = copied.try_emplace(v, std::uint32_t(out.positions.size() / 3));
        if (is_new)
            for (std::size_t axis = 0; axis < 3; ++axis) {
                out.positions.push_back(mesh.positions[3 * v + axis] + float(margin) * mesh.normals[3 * v + axis]);
                out.normals.push_back(mesh.normals[3 * v + axis]);
            }
        return found->second;
    };
    for (Cartoon::Part const& part : model.cartoon.parts) {
        if (!residues[part.residue]) continue;
        for (std::uint32_t t = 3 * part.first_triangle; t < 3 * (part.first_triangle + part.triangle_count); ++t)
            out.triangles.push_back(copy(mesh.triangles[t]));
    }
}

// A cylinder with round ends, or a ball where both ends are the same.
void append_capsule(view3d::Mesh& out, Vector const& from, Vector const& to, double radius) {
    int constexpr sides = 12, rings = 8;
    Vector axis = normalized(to - from);
    if (length(axis) == 0) axis = {0, 0, 1};
    Vector const across = normalized(cross(axis, std::abs(axis[0]) < 0.9 ? Vector{1, 0, 0} : Vector{0, 1, 0}));
    Vector const normal = cross(axis, across);
    auto const first = std::uint32_t(out.positions.size() / 3);
    for (int j = 0; j <= rings; ++j) {
        double const latitude = std::numbers::pi * (double(j) / rings - 0.5);
        Vector const center = j * 2 <= rings ? from : to;
        for (int k = 0; k < sides; ++k) {
            double const angle = 2 * std::numbers::pi * k / sides;
            Vector const n = across * (std::cos(latitude) * std::cos(angle)) +
                             normal * (std::cos(latitude) * std::sin(angle)) + axis * std::sin(latitude);
            Vector const p = center + n * radius;
            for (std::size_t c = 0; c < 3; ++c) {
                out.positions.push_back(float(p[c]));
                out.normals.push_back(float(n[c]));
            }
        }
    }
    for (int j = 0; j < rings; ++j)
        for (int k = 0; k < sides; ++k) {
            auto const at = [&](int ring, int side) { return first + std::uint32_t(ring * sides + side % sides); };
            for (std::uint32_t const v :
                 {at(j, k), at(j, k + 1), at(j + 1, k + 1), at(j, k), at(j + 1, k + 1), at(j + 1, k)})
                out.triangles.push_back(v);
        }
}

}  // namespace

std::shared_ptr<view3d::Geometry const> make_outline(ProteinModel const& model, std::vector<bool> const& residues,
                                                     bool cartoon, std::vector<float> const& atom_radii,
                                                     std::vector<std::pair<std::uint32_t, std::uint32_t>> const& bonds,
                                                     double margin) {
    view3d::Mesh mesh;
    if (cartoon) append_cartoon(mesh, model, residues, margin);
    auto const& atoms = model.structure->atoms;
    for (auto const& [a, b] : bonds)
        append_capsule(mesh, position_of(atoms[a]), position_of(atoms[b]),
                       double(std::min(atom_radii[a], atom_radii[b])) + margin);
    for (std::size_t i = 0; i < atoms.size(); ++i)
        if (residues[atoms[i].residue] && atom_radii[i] > 0)
            append_capsule(mesh, position_of(atoms[i]), position_of(atoms[i]), double(atom_radii[i]) + margin);
    if (mesh.triangles.empty()) return nullptr;
    return std::make_shared<view3d::Geometry const>(std::move(mesh));
}

}  // namespace orrery::protein
