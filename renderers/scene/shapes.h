// Building blocks of scenes: spheres, tubes and boxes gathered into one layer with their colours.
#pragma once

#include "renderers/vtk/canvas.h"

#include <QColor>
#include <vector>

namespace orrery::view3d {

// Many boxes as one mesh with flat faces.
class BoxMesh {
public:
    // Axis-aligned, between two opposite corners (in any order of the coordinates).
    void add(Vector const& a, Vector const& b, QColor const& color);
    [[nodiscard]] Layer layer() const;

private:
    Mesh m_mesh;
    Colors m_colors;
};

// Straight pieces with round joints: two layers, since cylinders have open ends.
class Tubes {
public:
    void add(Vector const& from, Vector const& to, double radius, QColor const& color);
    void add_ball(Vector const& at, double radius, QColor const& color);
    // A circle about `center` in the plane of two orthogonal unit vectors times `radius`.
    void add_circle(Vector const& center, Vector const& u, Vector const& v, double radius, double thickness,
                    QColor const& color, int pieces = 96);
    [[nodiscard]] Layer cylinders() const;
    [[nodiscard]] Layer balls() const;

private:
    Cylinders m_cylinders;
    Spheres m_spheres;
    Colors m_cylinder_colors, m_sphere_colors;
};

// A smooth sphere as a mesh (spheres of a layer can't be translucent in all drivers).
[[nodiscard]] Layer globe(Vector const& center, double radius, QColor const& color, float opacity);

}  // namespace orrery::view3d
