// The 3-D view of a structure. Free of VTK, which is loaded when the first structure is shown.
//
// Shapes are made on another thread; the view says so meanwhile and never blocks the window. Without OpenGL or without
// the module it shows a notice and keeps everything else working: structure, selection and state can still be set.
#pragma once

#include "core/base/structure.h"
#include "renderers/protein/protein_display.h"
#include "renderers/vtk/canvas.h"

#include <QWidget>
#include <memory>
#include <string>
#include <vector>

namespace orrery {

class SelectionModel;

struct PictureOptions {
    int width = 1600, height = 1200;  // pixels
    double dpi = 300;                 // sizes the legend and its lines, and is written into the file
    bool transparent = false;         // else white
    int supersample = 2;              // 1..4
    bool legend = true;
};

class ProteinView : public QWidget {
    Q_OBJECT
public:
    explicit ProteinView(QWidget* parent = nullptr);  // create_protein_view() is the way to get one
    ~ProteinView() override;

    // Null: the empty state. The camera is reset unless `keep_camera` (a new version of the same structure).
    void set_structure(std::shared_ptr<Structure const> structure, bool keep_camera = false);
    [[nodiscard]] std::shared_ptr<Structure const> const& structure() const;
    void set_sides(std::vector<int> side_of_chain);          // 1, 2 or 0 for neither, one a chain
    void set_values(protein::ResidueValues values);          // for ColorMode::value
    void set_stick_residues(std::vector<std::string> keys);  // "A:63"; keys of no residue are left aside
    void set_selection_model(SelectionModel* model);         // kind "residue"; not owned

    [[nodiscard]] ProteinDisplay const& display() const;
    void set_display(ProteinDisplay const& display);
    void set_clipping(std::optional<view3d::Plane> const& plane);
    // Cuts away what lies in front of the middle of the interface (atoms within 5 Å of the other side), seen from here.
    // False where the sides do not touch.
    bool slice_at_interface();
    [[nodiscard]] std::optional<view3d::Plane> const& clipping() const;

    void reset_camera();
    void fit_selection();  // the whole where nothing is selected
    void fit_residues(std::vector<std::string> const& keys);
    [[nodiscard]] Json state() const;               // display, camera, clipping
    Result<void> restore_state(Json const& state);  // changes nothing on error

    // The same scene as on screen at a size of its own. PNG carries the density; provenance is the caller's to add.
    Result<QImage> render_image(PictureOptions const& options);
    Result<std::string> render_png(PictureOptions const& options);

    // Residue drawn at a place of the view (logical pixels), "" for none; at most 2 ms with 100 k atoms.
    [[nodiscard]] QString residue_at(QPointF const& position) const;
    // Where a residue's CA (P, or first atom) is drawn; nothing when it is unknown or behind the eye.
    [[nodiscard]] std::optional<QPointF> position_of(std::string const& key) const;

    [[nodiscard]] bool busy() const;               // shapes are being made
    [[nodiscard]] view3d::Canvas* canvas() const;  // null before the first structure, and without OpenGL
    [[nodiscard]] QString empty_text() const;

signals:
    void hovered(QString const& key, QString const& label);  // "A:63", "A:63 GLU"; both empty: nothing
    void picked(QString const& key);                         // empty: background clicked
    void state_changed();                                    // display, camera or clipping, by the user or a call
    void shown();                                            // the first picture of a structure is on the screen
    void failed(QString const& message);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Impl;
    std::unique_ptr<Impl> m;
};

}  // namespace orrery
