// Keeps the canvas's layers in step with model, display and selection. Window's thread.
#pragma once

#include "renderers/protein/picking.h"
#include "renderers/protein/protein_display.h"
#include "renderers/protein/protein_model.h"

#include <map>
#include <optional>

namespace orrery::protein {

class ProteinScene {
public:
    void set_canvas(view3d::Canvas* canvas);  // null: it has gone; not owned
    void set_model(std::shared_ptr<ProteinModel const> model);
    [[nodiscard]] std::shared_ptr<ProteinModel const> const& model() const { return m_model; }
    void set_surfaces(std::array<ResidueMesh, 3> surfaces);  // by side
    void drop_surfaces();
    [[nodiscard]] bool has_surfaces() const { return m_has_surfaces; }

    void set_display(ProteinDisplay const& display);
    void set_stick_residues(std::vector<bool> residues);
    void set_selection(std::vector<std::uint32_t> residues);
    void set_coloring(std::vector<Rgb> residues);
    void set_accent(Rgb accent, Rgb mark);  // of the selection's rim; of contact lines
    void set_clipping(std::optional<view3d::Plane> const& plane);

    [[nodiscard]] std::optional<Hit> hit(view3d::Ray const& ray) const;
    // Spheres that outline a residue as it is drawn now: center and radius in Å.
    [[nodiscard]] std::vector<std::pair<view3d::Vector, double>> outline_of(std::uint32_t residue) const;
    // Shows the camera's whole model, or these residues.
    [[nodiscard]] view3d::Camera fitted(view3d::Camera camera, std::vector<std::uint32_t> const& residues,
                                        QSizeF const& size) const;
    // For a picture of another shape: what is in sight in a view of `size` fills `picture` and stays whole in it.
    [[nodiscard]] view3d::Camera framed(view3d::Camera camera, QSizeF const& size, QSizeF const& picture) const;
    // Looking along the thinnest direction of the model, its longest one level.
    [[nodiscard]] view3d::Camera facing(view3d::Camera camera) const;

private:
    void rebuild_shapes();
    void rebuild_cartoon();
    void rebuild_atoms();
    void rebuild_surfaces();
    void rebuild_selection();
    void show(std::string const& name, view3d::Layer layer);
    void hide(std::string const& name);
    [[nodiscard]] std::vector<bool> stick_atoms() const;
    [[nodiscard]] std::vector<Tether> tethers(std::vector<bool> const& stick) const;
    void show_atoms(std::string const& name, AtomShapes const& shapes);

    view3d::Canvas* m_canvas = nullptr;
    std::shared_ptr<ProteinModel const> m_model;
    std::array<ResidueMesh, 3> m_surfaces;
    bool m_has_surfaces = false;
    ProteinDisplay m_display;
    std::vector<bool> m_stick_residues;
    std::vector<std::uint32_t> m_selection;
    std::vector<Contact> m_contacts;
    std::vector<Rgb> m_colors;
    std::optional<view3d::Plane> m_clip;
    Rgb m_accent{47, 95, 208}, m_mark{90, 99, 114};
    AtomShapes m_spheres, m_sticks;
    std::shared_ptr<view3d::Geometry const> m_outer_spheres;
    std::vector<std::uint32_t> m_outer_atoms;
    std::vector<float> m_drawn_radii;  // of atoms as drawn by spheres, balls or sticks; 0: not drawn
    std::map<std::string, view3d::Layer> m_layers;
};

}  // namespace orrery::protein
