#include "renderers/vtk/vtk_layers.h"

#include <vtkCellArray.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkOpenGLActor.h>
#include <vtkOpenGLPolyDataMapper.h>
#include <vtkOpenGLRenderWindow.h>
#include <vtkOpenGLRenderer.h>
#include <vtkOpenGLSphereMapper.h>
#include <vtkOpenGLState.h>
#include <vtkOpenGLStickMapper.h>
#include <vtkPlane.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkProperty.h>
#include <vtkShaderProperty.h>
#include <vtkTypeInt32Array.h>
#include <vtkUniforms.h>
#include <vtkUnsignedCharArray.h>

#include <vtk_glew.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace orrery::view3d {

namespace {

// A translucent surface shows its nearest sheet only: first the depth alone, then the colours at that depth. Cheaper
// than depth peeling and easier to read, since the inside of a molecular surface is not drawn through itself.
class NearestSheetActor : public vtkOpenGLActor {
public:
    static NearestSheetActor* New();
    vtkTypeMacro(NearestSheetActor, vtkOpenGLActor) void Render(vtkRenderer* renderer, vtkMapper* mapper) override {
        if (GetProperty()->GetOpacity() >= 1) {
            Superclass::Render(renderer, mapper);
            return;
        }
        vtkOpenGLState* const state = static_cast<vtkOpenGLRenderer*>(renderer)->GetState();
        vtkOpenGLState::ScopedglDepthMask const depth(state);
        vtkOpenGLState::ScopedglColorMask const color(state);
        vtkOpenGLState::ScopedglDepthFunc const compare(state);
        state->vtkglDepthMask(GL_TRUE);
        state->vtkglDepthFunc(GL_LEQUAL);
        state->vtkglColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
        mapper->Render(renderer, this);
        state->vtkglColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
        mapper->Render(renderer, this);
    }

protected:
    NearestSheetActor() = default;
};
vtkStandardNewMacro(NearestSheetActor)

    vtkSmartPointer<vtkFloatArray> borrowed(std::vector<float> const& values, int components) {
    auto array = vtkSmartPointer<vtkFloatArray>::New();
    array->SetNumberOfComponents(components);
    array->SetArray(const_cast<float*>(values.data()), vtkIdType(values.size()), 1);  // 1: VTK neither frees nor writes
    return array;
}

vtkSmartPointer<vtkPoints> points_of(std::vector<float> const& values) {
    auto points = vtkSmartPointer<vtkPoints>::New();
    points->SetData(borrowed(values, 3));
    return points;
}

// `count` cells of `corners` points each; connectivity is copied unless the caller's array is handed in.
vtkSmartPointer<vtkCellArray> cells(vtkIdType count, int corners, std::uint32_t const* connectivity = nullptr) {
    vtkNew<vtkTypeInt32Array> offsets, points;
    offsets->SetNumberOfValues(count + 1);
    for (vtkIdType i = 0; i <= count; ++i) offsets->SetValue(i, int(i * corners));
    if (connectivity) {
        points->SetArray(reinterpret_cast<vtkTypeInt32*>(const_cast<std::uint32_t*>(connectivity)), count * corners, 1);
    } else {
        points->SetNumberOfValues(count * corners);
        std::iota(points->GetPointer(0), points->GetPointer(0) + count * corners, 0);
    }
    auto array = vtkSmartPointer<vtkCellArray>::New();
    array->SetData(offsets, points);
    return array;
}

}  // namespace

void Bounds::add(float const* point, double margin) {
    for (std::size_t i = 0; i < 3; ++i) {
        low[i] = std::min(low[i], point[i] - margin);
        high[i] = std::max(high[i], point[i] + margin);
    }
}

void Bounds::add(Bounds const& other) {
    for (std::size_t i = 0; i < 3; ++i) {
        low[i] = std::min(low[i], other.low[i]);
        high[i] = std::max(high[i], other.high[i]);
    }
}

Bounds bounds_of(Geometry const& geometry) {
    Bounds bounds;
    if (auto const* spheres = std::get_if<Spheres>(&geometry)) {
        for (std::size_t i = 0; i < spheres->radii.size(); ++i)
            bounds.add(&spheres->centers[3 * i], double(spheres->radii[i]));
    } else if (auto const* cylinders = std::get_if<Cylinders>(&geometry)) {
        for (std::size_t i = 0; i < cylinders->radii.size(); ++i) {
            bounds.add(&cylinders->starts[3 * i], double(cylinders->radii[i]));
            bounds.add(&cylinders->ends[3 * i], double(cylinders->radii[i]));
        }
    } else {
        auto const& mesh = std::get<Mesh>(geometry);
        for (std::size_t i = 0; i + 2 < mesh.positions.size(); i += 3) bounds.add(&mesh.positions[i], 0);
    }
    return bounds;
}

LayerActor::LayerActor(std::shared_ptr<Geometry const> geometry, std::shared_ptr<Colors const> colors, Style style,
                       Layer const& look)
    : m_geometry(std::move(geometry)),
      m_actor(vtkSmartPointer<NearestSheetActor>::New()),
      m_data(vtkSmartPointer<vtkPolyData>::New()) {
    if (auto const* spheres = std::get_if<Spheres>(m_geometry.get()))
        make_spheres(*spheres, style);
    else if (auto const* cylinders = std::get_if<Cylinders>(m_geometry.get()))
        make_cylinders(*cylinders, style);
    else
        make_mesh(std::get<Mesh>(*m_geometry));
    set_colors(std::move(colors));
    m_mapper->SetInputData(m_data);
    m_mapper->SetScalarModeToUsePointData();
    m_mapper->SetColorModeToDirectScalars();
    m_mapper->StaticOn();  // no pipeline behind it: nothing to ask for updates
    m_actor->SetMapper(m_mapper);
    m_actor->PickableOff();
    if (m_own_depth) add_own_depth();
    if (m_points) add_point_light();
    set_look(look);
}

void LayerActor::make_spheres(Spheres const& spheres, Style style) {
    m_data->SetPoints(points_of(spheres.centers));
    m_data->SetVerts(
        cells(vtkIdType(spheres.radii.size()), 1));  // without cells the sphere mapper draws nothing, silently
    auto radii = borrowed(spheres.radii, 1);
    radii->SetName("radius");
    m_data->GetPointData()->AddArray(radii);
    if (style == Style::full) {
        auto mapper = vtkSmartPointer<vtkOpenGLSphereMapper>::New();
        mapper->SetScaleArray("radius");
        m_mapper = mapper;
    } else {
        auto mapper = vtkSmartPointer<vtkOpenGLPolyDataMapper>::New();
        mapper->MapDataArrayToVertexAttribute("radiusMC", "radius", vtkDataObject::FIELD_ASSOCIATION_POINTS, -1);
        m_mapper = mapper;
        m_points = m_own_depth = true;
    }
}

void LayerActor::make_cylinders(Cylinders const& cylinders, Style style) {
    auto const count = vtkIdType(cylinders.radii.size());
    if (style == Style::fast) {
        vtkNew<vtkPoints> points;
        points->SetDataTypeToFloat();
        points->SetNumberOfPoints(2 * count);
        for (vtkIdType i = 0; i < count; ++i) {
            float const *a = &cylinders.starts[std::size_t(3 * i)], *b = &cylinders.ends[std::size_t(3 * i)];
            points->SetPoint(2 * i, a[0], a[1], a[2]);
            points->SetPoint(2 * i + 1, b[0], b[1], b[2]);
        }
        m_data->SetPoints(points);
        m_data->SetLines(cells(count, 2));
        m_mapper = vtkSmartPointer<vtkOpenGLPolyDataMapper>::New();
        m_color_repeat = 2;
        m_actor->GetProperty()->SetLineWidth(1);  // wider ones go through a geometry shader
        m_own_depth = true;
        return;
    }
    vtkNew<vtkPoints> centers;
    centers->SetDataTypeToFloat();
    centers->SetNumberOfPoints(count);
    vtkNew<vtkFloatArray> scale, axis;
    scale->SetName("scale");
    scale->SetNumberOfComponents(3);
    scale->SetNumberOfTuples(count);
    axis->SetName("axis");
    axis->SetNumberOfComponents(3);
    axis->SetNumberOfTuples(count);
    vtkNew<vtkTypeInt32Array> ids;
    ids->SetName("id");
    ids->SetNumberOfValues(count);
    for (vtkIdType i = 0; i < count; ++i) {
        float const *a = &cylinders.starts[std::size_t(3 * i)], *b = &cylinders.ends[std::size_t(3 * i)];
        float const d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
        float const size = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        float const radius = cylinders.radii[std::size_t(i)];
        centers->SetPoint(i, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2);
        scale->SetTuple3(i, size, radius, radius);
        axis->SetTuple3(i, size > 0 ? d[0] / size : 1, size > 0 ? d[1] / size : 0, size > 0 ? d[2] / size : 0);
        ids->SetValue(i, int(i));
    }
    m_data->SetPoints(centers);
    m_data->SetVerts(cells(count, 1));
    m_data->GetPointData()->AddArray(scale);
    m_data->GetPointData()->AddArray(axis);
    m_data->GetPointData()->AddArray(ids);
    auto mapper = vtkSmartPointer<vtkOpenGLStickMapper>::New();
    mapper->SetScaleArray("scale");
    mapper->SetOrientationArray("axis");
    mapper->SetSelectionIdArray("id");
    m_mapper = mapper;
}

void LayerActor::make_mesh(Mesh const& mesh) {
    m_data->SetPoints(points_of(mesh.positions));
    m_data->GetPointData()->SetNormals(borrowed(mesh.normals, 3));
    m_data->SetPolys(cells(vtkIdType(mesh.triangles.size() / 3), 3, mesh.triangles.data()));
    m_mapper = vtkSmartPointer<vtkOpenGLPolyDataMapper>::New();
}

void LayerActor::set_colors(std::shared_ptr<Colors const> colors) {
    m_colors = std::move(colors);
    vtkIdType const points = m_data->GetNumberOfPoints();
    vtkNew<vtkUnsignedCharArray> array;
    array->SetNumberOfComponents(3);
    array->SetName("color");
    if (m_colors && vtkIdType(m_colors->size()) == 3 * points && m_color_repeat == 1) {
        array->SetArray(const_cast<std::uint8_t*>(m_colors->data()), 3 * points, 1);
    } else {
        array->SetNumberOfTuples(points);
        for (vtkIdType i = 0; i < points; ++i)
            for (int c = 0; c < 3; ++c) {
                auto const at = std::size_t(3 * (i / m_color_repeat) + c);
                array->SetValue(3 * i + c, m_colors && at < m_colors->size() ? (*m_colors)[at] : 160);
            }
    }
    m_data->GetPointData()->SetScalars(array);
    m_data->Modified();
}

void LayerActor::set_look(Layer const& look) {
    vtkProperty* const property = m_actor->GetProperty();
    property->SetInterpolationToPhong();
    property->SetAmbient(0.30);
    property->SetDiffuse(0.80);
    property->SetSpecular(look.outline ? 0 : 0.16);
    property->SetSpecularPower(28);
    property->SetOpacity(double(look.opacity));
    property->SetLighting(!look.outline);
    set_depth_cue(!look.outline);  // an unlit shader has no position in view coordinates
    property->SetFrontfaceCulling(look.outline);
}

void LayerActor::set_clipping(vtkPlane* plane) {
    m_mapper->RemoveAllClippingPlanes();
    if (plane) m_mapper->AddClippingPlane(plane);
}

void LayerActor::set_depth_cue(bool on) {
    if (on == m_depth_cue) return;
    m_depth_cue = on;
    vtkShaderProperty* const shader = m_actor->GetShaderProperty();
    shader->ClearFragmentShaderReplacement("//VTK::TCoord::Impl", true);
    if (!on) return;
    // VTK declares custom uniforms by itself, of those that have a value when the shader is built.
    float const color[4] = {0, 0, 0, 0}, range[2] = {0, 1};
    shader->GetFragmentCustomUniforms()->SetUniform4f("cueColor", color);
    shader->GetFragmentCustomUniforms()->SetUniform2f("cueRange", range);
    std::string const depth = m_own_depth ? "shapeDepth" : "-vertexVC.z";
    shader->AddFragmentShaderReplacement("//VTK::TCoord::Impl", true,
                                         "//VTK::TCoord::Impl\n"
                                         "  gl_FragData[0].rgb = mix(gl_FragData[0].rgb, cueColor.rgb,\n"
                                         "    cueColor.a * clamp((" +
                                             depth + " - cueRange.x) / (cueRange.y - cueRange.x), 0.0, 1.0));\n",
                                         false);
}

// Points and lines without normals are not lit by VTK and have no position in view coordinates: they carry their depth
// themselves. The clip coordinate w is the distance in perspective, 1 in orthographic views.
void LayerActor::add_own_depth() {
    vtkShaderProperty* const shader = m_actor->GetShaderProperty();
    shader->AddVertexShaderReplacement(
        "//VTK::PositionVC::Dec", true,
        std::string("//VTK::PositionVC::Dec\nout float shapeDepth;\n") + (m_points ? "in float radiusMC;\n" : ""),
        false);
    std::string body = "//VTK::PositionVC::Impl\n  shapeDepth = gl_Position.w;\n";
    if (m_points) {
        shader->GetVertexCustomUniforms()->SetUniformf("pointScale", 1);
        body += "  gl_PointSize = max(1.0, 2.0 * radiusMC * pointScale / gl_Position.w);\n";
    }
    shader->AddVertexShaderReplacement("//VTK::PositionVC::Impl", true, body, false);
    shader->AddFragmentShaderReplacement("//VTK::Normal::Dec", true, "//VTK::Normal::Dec\nin float shapeDepth;\n",
                                         false);
}

// A ball's normal from the place within the point, under the lights of the canvas (vtk_canvas.cpp).
void LayerActor::add_point_light() {
    m_actor->GetShaderProperty()->AddFragmentShaderReplacement(
        "//VTK::Light::Impl", true,
        "//VTK::Light::Impl\n"
        "  vec2 disc = 2.0 * gl_PointCoord - 1.0;\n"
        "  float square = dot(disc, disc);\n"
        "  if (square > 1.0) discard;\n"
        "  vec3 ballNormal = vec3(disc.x, -disc.y, sqrt(1.0 - square));\n"
        "  float ballLight = 0.85 * max(0.0, dot(ballNormal, vec3(0.353, 0.510, 0.784)))\n"
        "    + 0.28 * max(0.0, dot(ballNormal, vec3(-0.609, -0.130, 0.782)));\n"
        "  gl_FragData[0] = vec4(ambientColor + ballLight * diffuseColor, opacity);\n",
        false);
}

void LayerActor::prepare(double near, double far, double strength, double const background[3], double point_scale,
                         bool orthographic) {
    vtkUniforms* const uniforms = m_actor->GetShaderProperty()->GetFragmentCustomUniforms();
    if (m_own_depth && orthographic) strength = 0;  // no depth is known then
    float const color[4] = {float(background[0]), float(background[1]), float(background[2]), float(strength)};
    float const range[2] = {float(near), float(std::max(far, near + 1e-3))};
    uniforms->SetUniform4f("cueColor", color);
    uniforms->SetUniform2f("cueRange", range);
    if (m_points)
        m_actor->GetShaderProperty()->GetVertexCustomUniforms()->SetUniformf("pointScale", float(point_scale));
}

}  // namespace orrery::view3d
