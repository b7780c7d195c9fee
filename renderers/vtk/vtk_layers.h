// Turns a layer's geometry into VTK actors: impostor spheres and cylinders, meshes, and the cheap shapes drawn while
// the camera moves. One actor a representation, arrays handed over without a copy, never an object per atom.
#pragma once

#include "renderers/vtk/canvas.h"

#include <vtkActor.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

class vtkPlane;
class vtkPolyDataMapper;

namespace orrery::view3d {

struct Bounds {
    Vector low{1e30, 1e30, 1e30}, high{-1e30, -1e30, -1e30};
    [[nodiscard]] bool empty() const { return low[0] > high[0]; }
    void add(float const* point, double margin);
    void add(Bounds const& other);
};
[[nodiscard]] Bounds bounds_of(Geometry const& geometry);

// One geometry as one actor. Keeps the arrays alive that VTK reads.
class LayerActor {
public:
    enum class Style { full, fast };  // fast: spheres as shaded points, cylinders as lines
    LayerActor(std::shared_ptr<Geometry const> geometry, std::shared_ptr<Colors const> colors, Style style,
               Layer const& look);

    [[nodiscard]] vtkActor* actor() const { return m_actor; }
    void set_colors(std::shared_ptr<Colors const> colors);
    void set_look(Layer const& look);
    void set_clipping(vtkPlane* plane);  // null: none
    // Before each drawing: fade from `near` to `far` (distance from the eye) towards `background`; strength 0: off.
    // `point_scale`: pixels of VTK's framebuffer that one unit spans at distance one (orthographic: everywhere).
    void prepare(double near, double far, double strength, double const background[3], double point_scale,
                 bool orthographic);

private:
    void make_spheres(Spheres const& spheres, Style style);
    void make_cylinders(Cylinders const& cylinders, Style style);
    void make_mesh(Mesh const& mesh);
    void set_depth_cue(bool on);
    void add_own_depth();
    void add_point_light();

    std::shared_ptr<Geometry const> m_geometry;
    std::shared_ptr<Colors const> m_colors;
    vtkSmartPointer<vtkActor> m_actor;
    vtkSmartPointer<vtkPolyDataMapper> m_mapper;
    vtkSmartPointer<vtkPolyData> m_data;
    bool m_own_depth = false;  // the shader carries a depth of its own
    bool m_depth_cue = false;
    bool m_points = false;   // drawn as shaded points
    int m_color_repeat = 1;  // points of the data a colour of the layer stands for
};

}  // namespace orrery::view3d
