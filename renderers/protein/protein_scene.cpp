#include "renderers/protein/protein_scene.h"

#include "renderers/protein/bonds.h"
#include "renderers/protein/elements.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

namespace orrery::protein {

using view3d::Camera;
using view3d::Colors;
using view3d::Layer;
using view3d::Vector;

namespace {

float constexpr stick_radius = 0.2F;
double constexpr contact_cutoff = 4.0;            // Å
std::size_t constexpr most_selected_sticks = 60;  // a larger selection is shown by its rim alone
std::size_t constexpr most_outlined = 2'000;      // residues

Vector position_of(Atom const& atom) {
    return {double(atom.position[0]), double(atom.position[1]), double(atom.position[2])};
}

bool polymer(Residue const& residue) {
    return residue.kind == ResidueKind::amino_acid || residue.kind == ResidueKind::nucleic_acid;
}

std::shared_ptr<Colors const> shared(Colors colors) { return std::make_shared<Colors const>(std::move(colors)); }

bool hidden_by_cartoon(Residue const& residue, Atom const& atom) {
    if (residue.kind != ResidueKind::amino_acid) return false;
    std::string_view const name(atom.name.data());
    return name == "C" || name == "O" || name == "OXT" || (name == "N" && residue.name != "PRO");
}

}  // namespace

void ProteinScene::set_canvas(view3d::Canvas* canvas) {
    m_canvas = canvas;
    if (!canvas) return;
    canvas->set_clipping(m_clip);
    for (auto const& [name, layer] : m_layers) canvas->set_layer(name, layer);
}

void ProteinScene::show(std::string const& name, Layer layer) {
    if (m_canvas) m_canvas->set_layer(name, layer);
    m_layers[name] = std::move(layer);
}

void ProteinScene::hide(std::string const& name) {
    if (m_layers.erase(name) > 0 && m_canvas) m_canvas->remove_layer(name);
}

void ProteinScene::set_model(std::shared_ptr<ProteinModel const> model) {
    m_model = std::move(model);
    m_selection.clear();
    m_contacts.clear();
    drop_surfaces();
    std::size_t const residues = m_model ? m_model->structure->residues.size() : 0;
    if (m_stick_residues.size() != residues) m_stick_residues.assign(residues, false);
    if (m_colors.size() != residues) m_colors.assign(residues, Rgb{160, 160, 160});
    rebuild_shapes();
}

void ProteinScene::set_surfaces(std::array<ResidueMesh, 3> surfaces) {
    m_surfaces = std::move(surfaces);
    m_has_surfaces = true;
    rebuild_surfaces();
}

void ProteinScene::drop_surfaces() {
    m_surfaces = {};
    m_has_surfaces = false;
    rebuild_surfaces();
}

void ProteinScene::set_display(ProteinDisplay const& display) {
    if (display == m_display) return;
    m_display = display;
    if (m_canvas) m_canvas->set_depth_cue(display.depth_cue);
    rebuild_shapes();
}

void ProteinScene::set_stick_residues(std::vector<bool> residues) {
    if (residues == m_stick_residues) return;
    m_stick_residues = std::move(residues);
    rebuild_atoms();
    rebuild_selection();
}

void ProteinScene::set_selection(std::vector<std::uint32_t> residues) {
    if (residues == m_selection) return;
    m_selection = std::move(residues);
    m_contacts.clear();
    if (m_model && m_display.contacts && m_selection.size() == 1)
        m_contacts = contacts_of(*m_model->structure, m_selection[0], contact_cutoff);
    rebuild_atoms();
    rebuild_selection();
}

void ProteinScene::set_coloring(std::vector<Rgb> residues) {
    m_colors = std::move(residues);
    if (!m_model) return;
    m_colors.resize(m_model->structure->residues.size(), Rgb{160, 160, 160});
    rebuild_cartoon();
    show_atoms("spheres", m_spheres);
    show_atoms("sticks", m_sticks);
    rebuild_surfaces();
}

void ProteinScene::set_accent(Rgb accent, Rgb mark) {
    m_accent = accent;
    m_mark = mark;
    rebuild_selection();
}

void ProteinScene::set_clipping(std::optional<view3d::Plane> const& plane) {
    bool const inside_shown = plane.has_value() != m_clip.has_value();
    m_clip = plane;
    if (m_canvas) m_canvas->set_clipping(plane);
    if (inside_shown && m_model && m_outer_spheres) show_atoms("spheres", m_spheres);
}

void ProteinScene::rebuild_shapes() {
    rebuild_cartoon();
    rebuild_atoms();
    rebuild_surfaces();
    rebuild_selection();
}

void ProteinScene::rebuild_cartoon() {
    if (!m_model || !m_display.cartoon || !m_model->cartoon.geometry) {
        hide("cartoon");
        hide("gaps");
        return;
    }
    Layer layer;
    layer.geometry = m_model->cartoon.geometry;
    layer.colors = shared(mesh_colors(m_model->cartoon, m_colors, m_display.ambient_occlusion));
    layer.moving = m_model->coarse.geometry;
    layer.moving_colors = shared(mesh_colors(m_model->coarse, m_colors, m_display.ambient_occlusion));
    show("cartoon", layer);

    view3d::Cylinders dashes;
    Colors colors;
    for (Gap const& gap : m_model->backbone.gaps) {
        std::size_t const before = dashes.radii.size();
        add_dashes(dashes, gap.from, gap.to, 0.12F);
        Rgb const color = m_colors[gap.before];
        for (std::size_t i = before; i < dashes.radii.size(); ++i)
            colors.insert(colors.end(), color.begin(), color.end());
    }
    if (dashes.radii.empty()) return hide("gaps");
    Layer gaps;
    // The same gaps keep their geometry, so that a change of colour sends colours only.
    auto const old = m_layers.find("gaps");
    bool const same =
        old != m_layers.end() && std::get<view3d::Cylinders>(*old->second.geometry).starts == dashes.starts;
    gaps.geometry = same ? old->second.geometry : std::make_shared<view3d::Geometry const>(std::move(dashes));
    gaps.colors = shared(std::move(colors));
    show("gaps", gaps);
}

std::vector<bool> ProteinScene::stick_atoms() const {
    Structure const& structure = *m_model->structure;
    std::vector<bool> residues = m_stick_residues;
    if (!m_display.sticks) residues.assign(structure.residues.size(), false);
    if (m_display.sticks && m_selection.size() <= most_selected_sticks) {
        for (std::uint32_t const residue : m_selection) residues[residue] = true;
        for (Contact const& contact : m_contacts) residues[structure.atoms[contact.second].residue] = true;
    }
    for (std::size_t i = 0; i < structure.residues.size(); ++i) {
        Residue const& residue = structure.residues[i];
        if (residue.kind == ResidueKind::water) residues[i] = m_display.waters;
        if (residue.kind == ResidueKind::ligand) residues[i] = m_display.ligands && !m_display.spheres;
        if (residue.kind == ResidueKind::ion) residues[i] = false;  // drawn as spheres
    }
    // What no ribbon reaches must not be invisible.
    if (m_display.cartoon && !m_display.spheres) {
        std::vector<bool> reached(structure.residues.size(), false);
        for (Trace const& trace : m_model->backbone.traces)
            for (std::uint32_t const residue : trace.residues) reached[residue] = true;
        for (std::size_t i = 0; i < structure.residues.size(); ++i)
            if (polymer(structure.residues[i]) && !reached[i]) residues[i] = true;
    }
    std::vector<bool> atoms(structure.atoms.size(), false);
    bool const cartoon = m_display.cartoon && m_model->cartoon.geometry;
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        Atom const& atom = structure.atoms[i];
        Residue const& residue = structure.residues[atom.residue];
        atoms[i] = residues[atom.residue] && !(cartoon && hidden_by_cartoon(residue, atom));
    }
    return atoms;
}

// Strands are smoothed, so their ribbon passes up to 1 Å from the CA that a side chain hangs on.
std::vector<Tether> ProteinScene::tethers(std::vector<bool> const& stick) const {
    std::vector<Tether> result;
    if (!m_display.cartoon || !m_model->cartoon.geometry) return result;
    Structure const& structure = *m_model->structure;
    for (Trace const& trace : m_model->backbone.traces)
        for (std::size_t i = 0; i < trace.residues.size(); ++i) {
            Residue const& residue = structure.residues[trace.residues[i]];
            for (std::uint32_t a = residue.first_atom; a < residue.first_atom + residue.atom_count; ++a) {
                if (!stick[a] || std::string_view(structure.atoms[a].name.data()) != "CA") continue;
                if (length(position_of(structure.atoms[a]) - trace.points[i]) > 0.1)
                    result.emplace_back(a, trace.points[i]);
            }
        }
    return result;
}

void ProteinScene::rebuild_atoms() {
    if (!m_model) {
        m_spheres = m_sticks = {};
        m_outer_spheres = nullptr;
        m_drawn_radii.clear();
        for (char const* name : {"spheres.balls", "sticks.balls", "sticks.bonds", "tethers"}) hide(name);
        return;
    }
    Structure const& structure = *m_model->structure;
    std::vector<float> radii(structure.atoms.size(), 0);
    for (std::size_t i = 0; i < radii.size(); ++i) {
        Atom const& atom = structure.atoms[i];
        ResidueKind const kind = structure.residues[atom.residue].kind;
        float const radius = van_der_waals_radius(atom.element);
        if (kind == ResidueKind::ion && m_display.ligands) radii[i] = m_display.spheres ? radius : 0.5F * radius;
        if (m_display.spheres && kind != ResidueKind::ion && kind != ResidueKind::water) radii[i] = radius;
        if (m_display.spheres && kind == ResidueKind::ligand && !m_display.ligands) radii[i] = 0;
    }
    m_spheres = make_spheres(structure, radii);
    m_outer_spheres = outer_spheres(*m_model, m_spheres, m_outer_atoms);
    std::vector<bool> const stick = stick_atoms();
    m_sticks = make_sticks(structure, stick, stick_radius, tethers(stick));
    m_drawn_radii = std::move(radii);
    for (std::size_t i = 0; i < stick.size(); ++i)
        if (stick[i]) m_drawn_radii[i] = std::max(m_drawn_radii[i], 0.35F);
    show_atoms("spheres", m_spheres);
    show_atoms("sticks", m_sticks);
}

void ProteinScene::show_atoms(std::string const& name, AtomShapes const& shapes) {
    // Red oxygens and blue nitrogens would read as numbers where the colours of residues mean numbers.
    bool const numbers = m_display.color == ColorMode::value || m_display.color == ColorMode::b_factor;
    bool const by_element = m_display.element_colors && !numbers;
    if (shapes.spheres) {
        Layer layer;
        layer.geometry = shapes.spheres;
        layer.colors =
            shared(atom_colors(*m_model, shapes.sphere_atoms, m_colors, by_element, m_display.ambient_occlusion));
        if (&shapes == &m_spheres && m_outer_spheres && !m_clip) {
            layer.moving = m_outer_spheres;
            layer.moving_colors =
                shared(atom_colors(*m_model, m_outer_atoms, m_colors, by_element, m_display.ambient_occlusion));
        }
        show(name + ".balls", layer);
    } else {
        hide(name + ".balls");
    }
    if (shapes.cylinders) {
        Layer layer;
        layer.geometry = shapes.cylinders;
        layer.colors =
            shared(atom_colors(*m_model, shapes.cylinder_atoms, m_colors, by_element, m_display.ambient_occlusion));
        show(name + ".bonds", layer);
    } else {
        hide(name + ".bonds");
    }
}

void ProteinScene::rebuild_surfaces() {
    for (std::size_t side = 0; side < 3; ++side) {
        std::string const name = "surface." + std::to_string(side);
        if (!m_model || !m_display.surface || !m_display.surface_of_side[side] || !m_surfaces[side].geometry) {
            hide(name);
            continue;
        }
        Layer layer;
        layer.geometry = m_surfaces[side].geometry;
        layer.colors = shared(mesh_colors(m_surfaces[side], m_colors, m_display.ambient_occlusion));
        layer.opacity = float(m_display.surface_opacity);
        show(name, layer);
    }
}

void ProteinScene::rebuild_selection() {
    if (!m_model || m_selection.empty() || m_selection.size() > most_outlined) {
        hide("selection");
        hide("contacts");
        return;
    }
    std::vector<bool> chosen(m_model->structure->residues.size(), false);
    for (std::uint32_t const residue : m_selection) chosen[residue] = true;
    std::vector<float> radii(m_drawn_radii.size(), 0);
    std::vector<Bond> bonds;
    if (m_display.spheres) {
        radii = m_drawn_radii;
    } else {
        std::vector<bool> const stick = stick_atoms();
        for (std::size_t i = 0; i < radii.size(); ++i) radii[i] = stick[i] ? stick_radius : 0;
        for (Bond const& bond : find_bonds(*m_model->structure, chosen))
            if (stick[bond.first] && stick[bond.second]) bonds.push_back(bond);
    }
    Layer rim;
    rim.geometry = make_outline(*m_model, chosen, m_display.cartoon, radii, bonds, 0.16);
    rim.outline = true;
    if (rim.geometry) {
        std::size_t const vertices = std::get<view3d::Mesh>(*rim.geometry).positions.size() / 3;
        Colors colors;
        for (std::size_t i = 0; i < vertices; ++i) colors.insert(colors.end(), m_accent.begin(), m_accent.end());
        rim.colors = shared(std::move(colors));
        show("selection", rim);
    } else {
        hide("selection");
    }
    view3d::Cylinders lines;
    for (Contact const& contact : m_contacts)
        add_dashes(lines, position_of(m_model->structure->atoms[contact.first]),
                   position_of(m_model->structure->atoms[contact.second]), 0.06F);
    if (lines.radii.empty()) return hide("contacts");
    Colors colors;
    for (std::size_t i = 0; i < lines.radii.size(); ++i) colors.insert(colors.end(), m_mark.begin(), m_mark.end());
    Layer contacts;
    contacts.geometry = std::make_shared<view3d::Geometry const>(std::move(lines));
    contacts.colors = shared(std::move(colors));
    show("contacts", contacts);
}

std::optional<Hit> ProteinScene::hit(view3d::Ray const& ray) const {
    if (!m_model) return std::nullopt;
    std::optional<Hit> best;
    if (m_display.cartoon && m_model->cartoon.geometry)
        best = hit_cartoon(m_model->cartoon.mesh(), m_model->cartoon.parts, ray, m_clip);
    std::vector<float> const* radii = &m_drawn_radii;
    std::vector<float> surface_radii;
    if (m_display.surface && m_has_surfaces && m_display.surface_opacity > 0.7) {
        // The surface runs about 0.6 Å outside the atoms' spheres.
        surface_radii = m_drawn_radii;
        for (std::size_t side = 0; side < 3; ++side) {
            if (!m_display.surface_of_side[side] || !m_surfaces[side].geometry) continue;
            std::vector<bool> of_surface(m_model->structure->residues.size(), false);
            for (std::uint32_t const residue : m_surfaces[side].vertex_residue) of_surface[residue] = true;
            for (std::size_t i = 0; i < surface_radii.size(); ++i)
                if (of_surface[m_model->structure->atoms[i].residue])
                    surface_radii[i] =
                        std::max(surface_radii[i], van_der_waals_radius(m_model->structure->atoms[i].element) + 0.6F);
        }
        radii = &surface_radii;
    }
    return nearer(best, hit_atoms(*m_model->structure, *radii, ray, m_clip));
}

std::vector<std::pair<Vector, double>> ProteinScene::outline_of(std::uint32_t index) const {
    std::vector<std::pair<Vector, double>> balls;
    if (!m_model) return balls;
    Structure const& structure = *m_model->structure;
    Residue const& residue = structure.residues[index];
    std::optional<Vector> center;
    for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
        std::string_view const name(structure.atoms[i].name.data());
        if (name == "CA" || name == "P") center = position_of(structure.atoms[i]);
        if (i < m_drawn_radii.size() && m_drawn_radii[i] > 0)
            balls.emplace_back(position_of(structure.atoms[i]), double(m_drawn_radii[i]) + 0.3);
    }
    if (center && m_display.cartoon) balls.emplace_back(*center, 1.5);
    if (balls.empty() && residue.atom_count > 0)
        balls.emplace_back(position_of(structure.atoms[residue.first_atom]), 1.5);
    return balls;
}

Camera ProteinScene::fitted(Camera camera, std::vector<std::uint32_t> const& residues, QSizeF const& size) const {
    if (!m_model || size.isEmpty()) return camera;
    Structure const& structure = *m_model->structure;
    std::vector<Vector> points;
    if (residues.empty()) {
        for (Atom const& atom : structure.atoms)
            if (structure.residues[atom.residue].kind != ResidueKind::water) points.push_back(position_of(atom));
    } else {
        for (std::uint32_t const index : residues) {
            Residue const& residue = structure.residues[index];
            for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i)
                points.push_back(position_of(structure.atoms[i]));
        }
    }
    if (points.empty()) return camera;
    Camera::Axes const axes = camera.axes();
    // Middle of the box along the view's axes, then the smallest distance from which every point is inside.
    Vector low{1e30, 1e30, 1e30}, high{-1e30, -1e30, -1e30};
    auto const along_axes = [&](Vector const& p) {
        return Vector{dot(p, axes.right), dot(p, axes.up), dot(p, axes.back)};
    };
    for (Vector const& p : points) {
        Vector const q = along_axes(p);
        for (std::size_t i = 0; i < 3; ++i) low[i] = std::min(low[i], q[i]), high[i] = std::max(high[i], q[i]);
    }
    Vector const middle = (low + high) * 0.5;
    double const margin = residues.empty() ? 2.2 : 8.0;  // Å around the outermost atoms
    double const aspect = size.width() / size.height();
    double const slope_y = std::tan(camera.view_angle * std::numbers::pi / 360) * 0.96, slope_x = slope_y * aspect;
    double distance = 4, half_height = 2;
    for (Vector const& p : points) {
        Vector const q = along_axes(p) - middle;
        double const x = std::abs(q[0]) + margin, y = std::abs(q[1]) + margin;
        distance = std::max({distance, q[2] + x / slope_x, q[2] + y / slope_y});
        half_height = std::max({half_height, y, x / aspect});
    }
    camera.focal_point = axes.right * middle[0] + axes.up * middle[1] + axes.back * middle[2];
    camera.position = camera.focal_point + axes.back * distance;
    camera.up = axes.up;
    camera.parallel_scale = half_height;
    return camera;
}

Camera ProteinScene::framed(Camera camera, QSizeF const& size, QSizeF const& picture) const {
    double const aspect = picture.width() / picture.height();
    if (!m_model || size.isEmpty() || std::abs(aspect * size.height() / size.width() - 1) < 0.02) return camera;
    double x = 0, y = 0;  // half extent of what is in sight, in units of half the view's height
    for (Atom const& atom : m_model->structure->atoms) {
        if (m_model->structure->residues[atom.residue].kind == ResidueKind::water) continue;
        auto const at = camera.project(position_of(atom), size);
        if (!at || !QRectF(QPointF(0, 0), size).contains(*at)) continue;
        x = std::max(x, std::abs(at->x() - size.width() / 2) / (size.height() / 2));
        y = std::max(y, std::abs(at->y() - size.height() / 2) / (size.height() / 2));
    }
    if (x == 0 && y == 0) return camera;
    double const larger = std::clamp(0.94 * std::min(1 / std::max(y, 1e-3), aspect / std::max(x, 1e-3)), 0.05, 20.0);
    camera.view_angle =
        std::atan(std::tan(camera.view_angle * std::numbers::pi / 360) / larger) * 360 / std::numbers::pi;
    camera.parallel_scale /= larger;
    return camera;
}

Camera ProteinScene::facing(Camera camera) const {
    if (!m_model) return camera;
    Structure const& structure = *m_model->structure;
    Vector mean{0, 0, 0};
    double count = 0;
    for (Atom const& atom : structure.atoms)
        if (structure.residues[atom.residue].kind != ResidueKind::water) mean = mean + position_of(atom), ++count;
    if (count < 3) return camera;
    mean = mean * (1 / count);
    std::array<std::array<double, 3>, 3> a{};
    for (Atom const& atom : structure.atoms) {
        if (structure.residues[atom.residue].kind == ResidueKind::water) continue;
        Vector const d = position_of(atom) - mean;
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) a[i][j] += d[i] * d[j];
    }
    // Eigenvectors of the symmetric 3 x 3 matrix by Jacobi rotations.
    std::array<Vector, 3> v{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  // columns
    for (int sweep = 0; sweep < 30; ++sweep)
        for (auto const& [p, q] : {std::pair<std::size_t, std::size_t>{0, 1}, {0, 2}, {1, 2}}) {
            if (std::abs(a[p][q]) < 1e-12) continue;
            double const theta = 0.5 * std::atan2(2 * a[p][q], a[q][q] - a[p][p]), c = std::cos(theta),
                         s = std::sin(theta);
            for (std::size_t k = 0; k < 3; ++k) {
                double const x = a[k][p], y = a[k][q];
                a[k][p] = c * x - s * y;
                a[k][q] = s * x + c * y;
            }
            for (std::size_t k = 0; k < 3; ++k) {
                double const x = a[p][k], y = a[q][k];
                a[p][k] = c * x - s * y;
                a[q][k] = s * x + c * y;
                double const m = v[p][k], n = v[q][k];
                v[p][k] = c * m - s * n;
                v[q][k] = s * m + c * n;
            }
        }
    std::array<std::size_t, 3> order{0, 1, 2};
    std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return a[i][i] > a[j][j]; });
    // Signs by the largest component, so that the same file always faces the same way.
    auto const pointed = [](Vector const& axis) {
        std::size_t largest = 0;
        for (std::size_t i = 1; i < 3; ++i)
            if (std::abs(axis[i]) > std::abs(axis[largest])) largest = i;
        return axis[largest] < 0 ? axis * -1 : axis;
    };
    Vector const right = pointed(v[order[0]]), up = pointed(v[order[1]]);
    camera.focal_point = mean;
    camera.position = mean + cross(right, up) * std::max(camera.distance(), 10.0);
    camera.up = up;
    return camera;
}

}  // namespace orrery::protein
