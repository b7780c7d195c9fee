// The module liborrery_views3d.so: everything that links VTK, behind the canvas's interface.
#include "renderers/vtk/view_module.h"
#include "renderers/vtk/vtk_canvas.h"

namespace orrery::view3d {

namespace {
class VtkCanvasFactory final : public CanvasFactory {
public:
    std::unique_ptr<Canvas> create(QWidget* parent) override { return make_vtk_canvas(parent); }
    Mesh isosurface(std::vector<float> const& values, std::array<int, 3> size, Vector origin, double spacing,
                    double level) const override {
        return contour_grid(values, size, origin, spacing, level);
    }
};
}  // namespace

}  // namespace orrery::view3d

ORRERY_VIEW_MODULE(orrery_views3d, orrery::view3d::CanvasFactory, orrery::view3d::VtkCanvasFactory)
