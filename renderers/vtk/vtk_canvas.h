// The canvas in VTK: layers, camera, controls and the choice of detail while moving.
#pragma once

#include "renderers/vtk/canvas.h"

namespace orrery::view3d {

[[nodiscard]] std::unique_ptr<Canvas> make_vtk_canvas(QWidget* parent);
[[nodiscard]] Mesh contour_grid(std::vector<float> const& values, std::array<int, 3> size, Vector origin,
                                double spacing, double level);

}  // namespace orrery::view3d
