#include "renderers/scene/scene_view.h"

#include "renderers/theme.h"
#include "renderers/vtk/gl_probe.h"
#include "renderers/vtk/notice.h"
#include "renderers/vtk/view_module.h"

#include <QCoreApplication>
#include <QLabel>
#include <QPainter>
#include <QPointer>
#include <QResizeEvent>
#include <QStackedLayout>
#include <QThreadPool>
#include <algorithm>
#include <cmath>
#include <map>

namespace orrery {

using view3d::Camera;

namespace {

constexpr char const* module_name = "orrery_views3d";

void paint_labels(QPainter& painter, QSizeF const& size, Camera const& camera, std::vector<SceneLabel> const& labels,
                  Theme const& theme, double scale) {
    for (SceneLabel const& label : labels) {
        auto const at = camera.project(label.at, size);
        if (!at) continue;
        QFont font = theme.body();
        font.setPixelSize(std::max(1, static_cast<int>(std::lround((label.quiet ? 11 : 13) * scale * theme.scale))));
        painter.setFont(font);
        QFontMetricsF const metrics(font);
        QRectF box(QPointF(), QSizeF(metrics.horizontalAdvance(label.text) + 6 * scale, metrics.height()));
        box.moveCenter(*at);
        painter.setPen(Qt::NoPen);
        QColor card = theme.surface;
        card.setAlpha(190);
        painter.setBrush(card);
        painter.drawRoundedRect(box, 3 * scale, 3 * scale);
        painter.setPen(label.quiet ? theme.secondary_text : theme.text);
        painter.drawText(box, Qt::AlignCenter, label.text);
    }
}

// A widget above the canvas, so that labels are as sharp as the window's text and cost no 3-D drawing.
class Overlay : public QWidget {
public:
    explicit Overlay(QWidget* parent) : QWidget(parent) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setAttribute(Qt::WA_NoSystemBackground);
        setFocusPolicy(Qt::NoFocus);
    }
    std::vector<SceneLabel> labels;
    QString caption;
    Camera camera;

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        Theme const& theme = ThemeNotifier::instance().theme();
        paint_labels(painter, size(), camera, labels, theme, 1);
        if (caption.isEmpty()) return;
        painter.setFont(theme.sized(11));
        painter.setPen(theme.secondary_text);
        painter.drawText(QRectF(rect()).adjusted(12, 8, -12, -8), Qt::AlignLeft | Qt::AlignBottom | Qt::TextWordWrap,
                         caption);
    }
};

}  // namespace

struct SceneView::Impl {
    SceneView& view;
    QStackedLayout* pages = nullptr;
    QWidget* canvas_page = nullptr;
    QLabel* waiting = nullptr;
    Overlay* overlay = nullptr;
    std::unique_ptr<view3d::Canvas> canvas;
    std::map<std::string, view3d::Layer> layers;
    Camera home;
    double radius = 1;
    std::optional<Camera> wanted;  // restored before the canvas was there
    bool at_home = true;           // nobody moved the camera: a new size fits it again
    bool loading = false, given_up = false;
    std::shared_ptr<char> alive = std::make_shared<char>();

    explicit Impl(SceneView& owner) : view(owner) {
        pages = new QStackedLayout(&view);
        pages->setContentsMargins(0, 0, 0, 0);
        waiting = new QLabel(SceneView::tr("Preparing the 3-D view"), &view);
        waiting->setAlignment(Qt::AlignCenter);
        waiting->setProperty("role", "secondary");
        pages->addWidget(waiting);
        canvas_page = new QWidget(&view);
        pages->addWidget(canvas_page);
        overlay = new Overlay(canvas_page);
    }

    void load() {
        if (canvas || loading || given_up || layers.empty() || !view.isVisible()) return;
        loading = true;
        preload_view_module(module_name);
        std::weak_ptr<char> const guard = alive;
        auto* const self = this;
        QThreadPool::globalInstance()->start([guard, self] {
            auto loaded = load_view_module<view3d::CanvasFactory>(module_name, "orrery::view3d::CanvasFactory");
            QMetaObject::invokeMethod(
                QCoreApplication::instance(),
                [guard, self, loaded = std::move(loaded)] {
                    if (!guard.expired()) self->adopt(loaded);
                },
                Qt::QueuedConnection);
        });
    }

    void adopt(Result<view3d::CanvasFactory*> const& loaded) {
        loading = false;
        if (!loaded.ok()) return refuse(loaded.error());
        if (!gl_facts().ok()) return refuse(gl_facts().error());
        canvas = (*loaded)->create(canvas_page);
        QWidget* const widget = canvas->widget();
        widget->setGeometry(view.rect());
        widget->setAccessibleName(view.accessibleName());
        overlay->setGeometry(view.rect());
        widget->show();
        overlay->raise();
        view.setFocusProxy(widget);
        view3d::Events events;
        events.user_moved = [this] { at_home = false; };
        events.double_clicked = [this](QPointF, Qt::KeyboardModifiers) { view.reset_camera(); };
        events.camera_changed = [this] {
            overlay->camera = canvas->camera();
            overlay->update();
            Q_EMIT view.camera_changed();
        };
        events.failed = [this](Error const& error) { refuse(error); };
        canvas->set_events(std::move(events));
        canvas->set_depth_cue(false);
        canvas->set_background(ThemeNotifier::instance().theme().surface);
        for (auto const& [name, layer] : layers) canvas->set_layer(name, layer);
        at_home = !wanted;
        place(wanted ? *wanted : fitted(view.size()));
        wanted.reset();
        pages->setCurrentWidget(canvas_page);
        Q_EMIT view.shown();
    }

    void refuse(Error const& error) {
        if (given_up) return;
        given_up = true;
        QWidget* notice = make_notice(SceneView::tr("The 3-D view can't be shown"), error, &view);
        pages->addWidget(notice);
        pages->setCurrentWidget(notice);
        Q_EMIT view.failed(QString::fromStdString(error.message()));
    }

    [[nodiscard]] Camera fitted(QSizeF const& size) const {
        Camera camera = home;
        camera.fit(home.focal_point, radius, size);
        return camera;
    }

    void place(Camera const& camera) {
        canvas->set_camera(camera);
        overlay->camera = camera;
        overlay->update();
    }
};

SceneView::SceneView(QWidget* parent) : QWidget(parent), m(std::make_unique<Impl>(*this)) {
    setMinimumSize(160, 160);
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, [this] {
        if (m->canvas) m->canvas->set_background(ThemeNotifier::instance().theme().surface);
        m->overlay->update();
    });
}

SceneView::~SceneView() {
    if (m->canvas) m->canvas->set_events({});
}

void SceneView::set_home(Camera const& camera, double radius) {
    m->home = camera;
    m->radius = radius;
    if (m->canvas && m->at_home) m->place(m->fitted(size()));
}

void SceneView::set_layer(std::string const& name, view3d::Layer layer) {
    m->layers[name] = layer;
    if (m->canvas) m->canvas->set_layer(name, std::move(layer));
    else m->load();
}

void SceneView::remove_layer(std::string const& name) {
    m->layers.erase(name);
    if (m->canvas) m->canvas->remove_layer(name);
}

void SceneView::set_labels(std::vector<SceneLabel> labels) {
    m->overlay->labels = std::move(labels);
    m->overlay->update();
}

void SceneView::set_caption(QString const& text) {
    m->overlay->caption = text;
    m->overlay->update();
}

void SceneView::reset_camera() {
    m->at_home = true;
    m->wanted.reset();
    if (m->canvas) m->place(m->fitted(size()));
}

Json SceneView::state() const {
    if (m->wanted) return {{"camera", m->wanted->to_json()}};
    if (m->canvas && !m->at_home) return {{"camera", m->canvas->camera().to_json()}};
    return Json::object();
}

Result<void> SceneView::restore_state(Json const& state) {
    if (!state.is_object() || !state.contains("camera")) return {};
    ORRERY_TRY(Camera const camera, Camera::from_json(state["camera"]));
    m->at_home = false;
    if (m->canvas) m->place(camera);
    else m->wanted = camera;
    return {};
}

Result<QImage> SceneView::render_image(QSize pixels, bool transparent) {
    if (!m->canvas) return unavailable("the 3-D view has not been shown yet", {}, "Open its tab first");
    view3d::ImageRequest request;
    request.width = pixels.width();
    request.height = pixels.height();
    request.transparent = transparent;
    Camera const camera = m->at_home ? m->fitted(pixels) : m->canvas->camera();
    request.camera = camera;
    m->canvas->set_background(Qt::white);
    auto image = m->canvas->render(request);
    m->canvas->set_background(ThemeNotifier::instance().theme().surface);
    if (!image.ok()) return image;
    auto const light = Theme::load("light");
    QPainter painter(&*image);
    painter.setRenderHint(QPainter::Antialiasing);
    double const scale = std::max(0.5, pixels.height() / 480.0);
    paint_labels(painter, pixels, camera, m->overlay->labels,
                 light.ok() ? *light : ThemeNotifier::instance().theme(), scale);
    return image;
}

bool SceneView::ready() const { return m->canvas != nullptr; }

void SceneView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m->load();
}

void SceneView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m->overlay->setGeometry(rect());
    if (!m->canvas) return;
    m->canvas->widget()->setGeometry(rect());
    if (m->at_home) m->place(m->fitted(size()));
}

}  // namespace orrery
