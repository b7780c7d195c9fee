#include "renderers/vtk/vtk_canvas.h"

#include "renderers/vtk/detail_control.h"
#include "renderers/vtk/gl_probe.h"
#include "renderers/vtk/vtk_layers.h"
#include "renderers/vtk/vtk_widget.h"

#include <vtkCamera.h>
#include <vtkCellArray.h>
#include <vtkFloatArray.h>
#include <vtkFlyingEdges3D.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkImageData.h>
#include <vtkLight.h>
#include <vtkLightCollection.h>
#include <vtkNew.h>
#include <vtkOpenGLState.h>
#include <vtkPlane.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkRenderer.h>

#include <QElapsedTimer>
#include <QMouseEvent>
#include <QOpenGLExtraFunctions>
#include <QPointer>
#include <QTimer>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <map>

namespace orrery::view3d {

namespace {

constexpr int settle_milliseconds = 120;  // after the last move, before the full picture
constexpr int refine_milliseconds = 150;  // after the full picture, before the supersampled one
constexpr double refine_budget = 350;     // milliseconds the supersampled picture may take

struct Shown {
    Layer layer;
    Bounds bounds;
    std::unique_ptr<LayerActor> full;
    std::unique_ptr<LayerActor> fast;  // made when the camera first moves at reduced detail
};

void add_light(vtkRenderer* renderer, double x, double y, double z, double intensity) {
    vtkNew<vtkLight> light;
    light->SetLightTypeToCameraLight();  // position in the camera's frame: the eye at (0, 0, 1), looking at the origin
    light->SetPosition(x, y, z);
    light->SetFocalPoint(0, 0, 0);
    light->SetIntensity(intensity);
    renderer->AddLight(light);
}

}  // namespace

class CanvasWidget final : public VtkWidget {
public:
    explicit CanvasWidget(QWidget* parent);
    ~CanvasWidget() override;

    void set_layer(std::string const& name, Layer layer);
    void remove_layer(std::string const& name);
    void set_clipping(std::optional<Plane> const& plane);
    void set_camera(Camera const& camera, int animation_milliseconds);
    void begin_motion();
    void end_motion();
    void scene_changed();
    [[nodiscard]] int detail() const { return m_level; }
    Result<QImage> picture(ImageRequest const& request);

    Events events;
    Camera camera;
    bool reduced_allowed = true;
    bool depth_cue = true;
    bool in_motion = false;
    FrameInfo last;

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override { QOpenGLWidget::keyReleaseEvent(event); }
    void leaveEvent(QEvent* event) override;

private:
    void moved();
    void prepare_frame();
    void finish_frame(double milliseconds);
    void choose_detail();
    void settle();
    void refine();
    void animate_step();
    void show_actors(bool fast);
    [[nodiscard]] Bounds scene_bounds() const;

    std::map<std::string, Shown> m_layers;
    vtkSmartPointer<vtkPlane> m_plane;
    DetailControl m_detail;
    int m_level = 0;  // of the next frame
    bool m_supersampled = false;
    bool m_exporting = false;
    QTimer m_settle, m_refine, m_animation;
    QElapsedTimer m_animation_clock;
    Camera m_animation_from, m_animation_to;
    int m_animation_length = 0;
    QPointF m_press, m_last;
    Qt::MouseButton m_button = Qt::NoButton;
    bool m_dragged = false;
};

CanvasWidget::CanvasWidget(QWidget* parent) : VtkWidget(parent) {
    vtkRenderer* const view = renderer();
    view->AutomaticLightCreationOff();
    view->LightFollowCameraOn();
    add_light(view, 0.45, 0.65, 1.0, 0.85);   // key: above, from the right
    add_light(view, -0.7, -0.15, 0.9, 0.28);  // fill: opposite, weak, so that shadows keep their shape
    before_render = [this] { prepare_frame(); };
    after_render = [this](double milliseconds) { finish_frame(milliseconds); };
    on_failure = [this](Error const& error) {
        if (events.failed) events.failed(error);
    };
    for (QTimer* timer : {&m_settle, &m_refine}) timer->setSingleShot(true);
    m_animation.setInterval(12);
    connect(&m_settle, &QTimer::timeout, this, [this] { settle(); });
    connect(&m_refine, &QTimer::timeout, this, [this] { refine(); });
    connect(&m_animation, &QTimer::timeout, this, [this] { animate_step(); });
}

CanvasWidget::~CanvasWidget() {
    before_render = nullptr;
    after_render = nullptr;
    on_failure = nullptr;
    makeCurrent();  // actors give back their buffers
    for (auto& [name, shown] : m_layers)
        for (LayerActor* one : {shown.full.get(), shown.fast.get()})
            if (one) renderer()->RemoveActor(one->actor());
    m_layers.clear();
    doneCurrent();
}

void CanvasWidget::set_layer(std::string const& name, Layer layer) {
    auto found = m_layers.find(name);
    if (found != m_layers.end() && found->second.layer.geometry == layer.geometry &&
        found->second.layer.moving == layer.moving) {
        Shown& shown = found->second;
        if (shown.layer.colors != layer.colors || shown.layer.moving_colors != layer.moving_colors) {
            shown.full->set_colors(layer.colors);
            if (shown.fast) shown.fast->set_colors(layer.moving ? layer.moving_colors : layer.colors);
        }
        shown.layer = layer;
        for (LayerActor* one : {shown.full.get(), shown.fast.get()})
            if (one) {
                one->set_look(layer);
                one->set_clipping(layer.clipped ? m_plane.Get() : nullptr);
            }
        scene_changed();
        return;
    }
    remove_layer(name);
    if (!layer.geometry) return;
    Shown shown;
    shown.bounds = bounds_of(*layer.geometry);
    if (shown.bounds.empty()) return;
    shown.full = std::make_unique<LayerActor>(layer.geometry, layer.colors, LayerActor::Style::full, layer);
    shown.full->set_clipping(layer.clipped ? m_plane.Get() : nullptr);
    shown.layer = std::move(layer);
    renderer()->AddActor(shown.full->actor());
    m_layers.emplace(name, std::move(shown));
    m_detail.forget();
    scene_changed();
}

void CanvasWidget::remove_layer(std::string const& name) {
    auto const found = m_layers.find(name);
    if (found == m_layers.end()) return;
    makeCurrent();
    for (LayerActor* one : {found->second.full.get(), found->second.fast.get()})
        if (one) renderer()->RemoveActor(one->actor());
    m_layers.erase(found);
    doneCurrent();
    m_detail.forget();
    scene_changed();
}

void CanvasWidget::set_clipping(std::optional<Plane> const& plane) {
    m_plane = nullptr;
    if (plane) {
        m_plane = vtkSmartPointer<vtkPlane>::New();
        m_plane->SetOrigin(plane->point.data());
        m_plane->SetNormal(plane->normal.data());
    }
    for (auto& [name, shown] : m_layers)
        for (LayerActor* one : {shown.full.get(), shown.fast.get()})
            if (one) one->set_clipping(shown.layer.clipped ? m_plane.Get() : nullptr);
    scene_changed();
}

Bounds CanvasWidget::scene_bounds() const {
    Bounds all;
    for (auto const& [name, shown] : m_layers) all.add(shown.bounds);
    return all;
}

// Something is to be drawn anew while the camera rests: the plain full picture now, the smooth one shortly after.
void CanvasWidget::scene_changed() {
    if (!in_motion) {
        m_refine.stop();
        m_supersampled = false;
        m_level = 0;
        set_render_scale(1);
    }
    request_render();
}

void CanvasWidget::set_camera(Camera const& to, int animation_milliseconds) {
    if (animation_milliseconds <= 0 || m_layers.empty() || !isVisible()) {
        m_animation.stop();
        camera = to;
        moved();
        return;
    }
    m_animation_from = camera;
    m_animation_to = to;
    m_animation_length = animation_milliseconds;
    m_animation_clock.start();
    begin_motion();
    m_animation.start();
}

void CanvasWidget::animate_step() {
    double const t = std::min(1.0, double(m_animation_clock.elapsed()) / m_animation_length);
    camera = Camera::between(m_animation_from, m_animation_to, t * t * (3 - 2 * t));
    moved();
    if (t >= 1) {
        m_animation.stop();
        end_motion();
    }
}

void CanvasWidget::moved() {
    if (in_motion)
        choose_detail();
    else
        scene_changed();
    request_render();
    if (events.camera_changed) events.camera_changed();
}

void CanvasWidget::begin_motion() {
    m_settle.stop();
    m_refine.stop();
    in_motion = true;
}

void CanvasWidget::end_motion() { m_settle.start(settle_milliseconds); }

void CanvasWidget::choose_detail() {
    m_level = reduced_allowed ? m_detail.choose() : 0;
    m_supersampled = false;
    set_render_scale(DetailControl::scale(m_level));
}

void CanvasWidget::settle() {
    in_motion = false;
    m_level = 0;
    m_supersampled = false;
    set_render_scale(1);
    request_render();
}

void CanvasWidget::refine() {
    if (in_motion || m_supersampled) return;
    m_supersampled = true;
    set_render_scale(2);
    request_render();
}

void CanvasWidget::show_actors(bool fast) {
    for (auto& [name, shown] : m_layers) {
        bool const has_stand_in = shown.layer.moving || !std::holds_alternative<Mesh>(*shown.layer.geometry);
        bool const use_fast = fast && has_stand_in;
        if (use_fast && !shown.fast) {
            shown.fast =
                std::make_unique<LayerActor>(shown.layer.moving ? shown.layer.moving : shown.layer.geometry,
                                             shown.layer.moving ? shown.layer.moving_colors : shown.layer.colors,
                                             LayerActor::Style::fast, shown.layer);
            shown.fast->set_clipping(shown.layer.clipped ? m_plane.Get() : nullptr);
            renderer()->AddActor(shown.fast->actor());
        }
        shown.full->actor()->SetVisibility(!use_fast);
        if (shown.fast) shown.fast->actor()->SetVisibility(use_fast);
    }
}

void CanvasWidget::prepare_frame() {
    vtkCamera* const eye = renderer()->GetActiveCamera();
    eye->SetPosition(camera.position.data());
    eye->SetFocalPoint(camera.focal_point.data());
    eye->SetViewUp(camera.axes().up.data());
    eye->SetViewAngle(camera.view_angle);
    eye->SetParallelProjection(camera.orthographic);
    eye->SetParallelScale(camera.parallel_scale);

    Bounds const all = scene_bounds();
    Vector center{0, 0, 0};
    double radius = 1;
    if (!all.empty()) {
        center = (all.low + all.high) * 0.5;
        radius = std::max(length(all.high - all.low) / 2, 1.0);
    }
    double const depth = dot(camera.position - center, camera.axes().back);
    double const far = std::max(depth + radius, 1e-2), near = std::max(depth - radius, far * 1e-3);
    eye->SetClippingRange(camera.orthographic ? depth - radius : near, far);

    show_actors(!m_exporting && DetailControl::stand_ins(m_level));
    renderer()->SetUseFXAA(!m_exporting && !in_motion && !m_supersampled);
    // Points take their size in pixels of VTK's framebuffer.
    double const height = picture_height();
    double const point_scale = camera.orthographic
                                   ? height / (2 * camera.parallel_scale)
                                   : height / (2 * std::tan(camera.view_angle * 3.14159265358979 / 360));
    double background[3];
    renderer()->GetBackground(background);
    // The cue starts in the middle of the scene: what is in front keeps its full colour.
    double const cue_near = std::max(depth - 0.15 * radius, 1e-3), cue_far = depth + 1.05 * radius;
    for (auto& [name, shown] : m_layers)
        for (LayerActor* one : {shown.full.get(), shown.fast.get()})
            if (one)
                one->prepare(cue_near, cue_far, depth_cue ? 0.45 : 0, background, point_scale, camera.orthographic);
    render_window()->GetState()->vtkglEnable(GL_PROGRAM_POINT_SIZE);
}

void CanvasWidget::finish_frame(double milliseconds) {
    if (!m_supersampled) m_detail.record(m_level, milliseconds);
    last = {milliseconds, m_level, in_motion, m_supersampled};
    if (events.drawn) events.drawn(last);
    // The first frame also compiles shaders and sends arrays: its time says little about the next.
    bool const cheap = m_detail.cost(0) > 0 && 4 * m_detail.cost(0) < refine_budget;
    if (!in_motion && m_level == 0 && !m_supersampled && cheap) m_refine.start(refine_milliseconds);
}

Result<QImage> CanvasWidget::picture(ImageRequest const& request) {
    m_exporting = true;
    Camera const present = camera;
    if (request.camera) camera = *request.camera;
    auto image = render_image({request.width, request.height, request.transparent, request.supersample});
    camera = present;
    m_exporting = false;
    return image;
}

void CanvasWidget::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    if (m_button != Qt::NoButton) return;
    m_animation.stop();
    m_button = event->button();
    m_press = m_last = event->position();
    m_dragged = false;
    event->accept();
}

void CanvasWidget::mouseMoveEvent(QMouseEvent* event) {
    QPointF const now = event->position();
    if (m_button == Qt::NoButton) {
        if (events.hovered) events.hovered(now);
        return;
    }
    if (!m_dragged) {
        if ((now - m_press).manhattanLength() < 4) return;  // a shaking hand is not a drag
        m_dragged = true;
        if (events.left) events.left();
        begin_motion();
    }
    QPointF const by = now - m_last;
    m_last = now;
    QSizeF const view = size();
    bool const shift = event->modifiers().testFlag(Qt::ShiftModifier);
    bool const control = event->modifiers().testFlag(Qt::ControlModifier);
    if (m_button == Qt::LeftButton && control)
        camera.roll(-by.x() * 0.4);
    else if (m_button == Qt::MiddleButton || (m_button == Qt::LeftButton && shift))
        camera.pan(by, view);
    else if (m_button == Qt::RightButton)
        camera.zoom_at(QPointF(view.width() / 2, view.height() / 2), view, std::exp(by.y() * 0.006));
    else
        camera.orbit(by, view);
    if (events.user_moved) events.user_moved();
    moved();
}

void CanvasWidget::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != m_button) return;
    m_button = Qt::NoButton;
    if (m_dragged)
        end_motion();
    else if (event->button() == Qt::LeftButton && events.clicked)
        events.clicked(event->position(), event->modifiers());
    event->accept();
}

void CanvasWidget::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && events.double_clicked)
        events.double_clicked(event->position(), event->modifiers());
    event->accept();
}

void CanvasWidget::wheelEvent(QWheelEvent* event) {
    double const turn = event->angleDelta().y() / 120.0;
    event->accept();
    if (turn == 0) return;
    m_animation.stop();
    begin_motion();
    camera.zoom_at(event->position(), size(), std::pow(1.15, turn));
    if (events.user_moved) events.user_moved();
    moved();
    end_motion();
}

void CanvasWidget::keyPressEvent(QKeyEvent* event) {
    QPointF step;
    switch (event->key()) {
        case Qt::Key_Left:
            step = {-1, 0};
            break;
        case Qt::Key_Right:
            step = {1, 0};
            break;
        case Qt::Key_Up:
            step = {0, -1};
            break;
        case Qt::Key_Down:
            step = {0, 1};
            break;
        default:
            break;
    }
    double zoom = 0;
    if (event->key() == Qt::Key_Plus || event->key() == Qt::Key_Equal) zoom = 1.15;
    if (event->key() == Qt::Key_Minus) zoom = 1 / 1.15;
    if (step.isNull() && zoom == 0) return QOpenGLWidget::keyPressEvent(event);  // others' shortcuts
    QSizeF const view = size();
    begin_motion();
    if (zoom > 0)
        camera.zoom_at(QPointF(view.width() / 2, view.height() / 2), view, zoom);
    else if (event->modifiers().testFlag(Qt::ShiftModifier))
        camera.pan(step * view.height() / 24, view);
    else
        camera.orbit(step * view.height() / 24, view);
    if (events.user_moved) events.user_moved();
    moved();
    end_motion();
    event->accept();
}

void CanvasWidget::leaveEvent(QEvent* event) {
    if (events.left) events.left();
    QOpenGLWidget::leaveEvent(event);
}

namespace {

class VtkCanvas final : public Canvas {
public:
    explicit VtkCanvas(QWidget* parent) : m_widget(new CanvasWidget(parent)) {}
    ~VtkCanvas() override { delete m_widget; }

    QWidget* widget() override { return m_widget; }
    void set_events(Events events) override { m_widget->events = std::move(events); }
    void set_layer(std::string const& name, Layer layer) override { m_widget->set_layer(name, std::move(layer)); }
    void remove_layer(std::string const& name) override { m_widget->remove_layer(name); }
    void set_background(QColor const& color) override {
        m_widget->renderer()->SetBackground(color.redF(), color.greenF(), color.blueF());
        m_widget->scene_changed();
    }
    void set_clipping(std::optional<Plane> const& plane) override { m_widget->set_clipping(plane); }
    void set_depth_cue(bool on) override {
        m_widget->depth_cue = on;
        m_widget->scene_changed();
    }
    void set_reduced_detail(bool allowed) override { m_widget->reduced_allowed = allowed; }
    [[nodiscard]] Camera camera() const override { return m_widget->camera; }
    void set_camera(Camera const& camera, int animation_milliseconds) override {
        m_widget->set_camera(camera, animation_milliseconds);
    }
    void begin_motion() override { m_widget->begin_motion(); }
    void end_motion() override { m_widget->end_motion(); }
    [[nodiscard]] bool moving() const override { return m_widget->in_motion; }
    [[nodiscard]] FrameInfo last_frame() const override { return m_widget->last; }
    [[nodiscard]] int detail() const override { return m_widget->detail(); }
    [[nodiscard]] std::uint64_t frames() const override { return m_widget->frames(); }
    Result<QImage> render(ImageRequest const& request) override { return m_widget->picture(request); }

private:
    QPointer<CanvasWidget> m_widget;  // dies earlier when its Qt parent does
};

}  // namespace

Mesh contour_grid(std::vector<float> const& values, std::array<int, 3> size, Vector origin, double spacing,
                  double level) {
    vtkNew<vtkImageData> image;
    image->SetDimensions(size.data());
    image->SetOrigin(origin.data());
    image->SetSpacing(spacing, spacing, spacing);
    vtkNew<vtkFloatArray> array;
    array->SetArray(const_cast<float*>(values.data()), vtkIdType(values.size()), 1);
    image->GetPointData()->SetScalars(array);
    vtkNew<vtkFlyingEdges3D> contour;
    contour->SetInputData(image);
    contour->SetValue(0, level);
    contour->ComputeNormalsOn();
    contour->ComputeGradientsOff();
    contour->ComputeScalarsOff();
    contour->Update();
    vtkPolyData* const surface = contour->GetOutput();
    Mesh mesh;
    vtkIdType const points = surface->GetNumberOfPoints();
    vtkDataArray* const normals = surface->GetPointData()->GetNormals();
    mesh.positions.resize(std::size_t(3 * points));
    mesh.normals.resize(std::size_t(3 * points));
    for (vtkIdType i = 0; i < points; ++i) {
        double p[3], n[3] = {0, 0, 1};
        surface->GetPoint(i, p);
        if (normals) normals->GetTuple(i, n);
        for (int c = 0; c < 3; ++c) {
            mesh.positions[std::size_t(3 * i + c)] = float(p[c]);
            mesh.normals[std::size_t(3 * i + c)] = float(n[c]);
        }
    }
    vtkCellArray* const polygons = surface->GetPolys();
    mesh.triangles.reserve(std::size_t(3 * polygons->GetNumberOfCells()));
    vtkIdType count = 0;
    vtkIdType const* corners = nullptr;
    for (polygons->InitTraversal(); polygons->GetNextCell(count, corners);)
        if (count == 3)
            for (int c = 0; c < 3; ++c) mesh.triangles.push_back(std::uint32_t(corners[c]));
    return mesh;
}

std::unique_ptr<Canvas> make_vtk_canvas(QWidget* parent) { return std::make_unique<VtkCanvas>(parent); }

}  // namespace orrery::view3d
