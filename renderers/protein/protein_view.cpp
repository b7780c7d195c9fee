#include "renderers/protein/protein_view.h"

#include "renderers/protein/protein_overlay.h"
#include "renderers/protein/protein_scene.h"
#include "renderers/protein/protein_view_loader.h"
#include "renderers/selection.h"
#include "renderers/theme.h"
#include "renderers/vtk/gl_probe.h"
#include "renderers/vtk/notice.h"
#include "renderers/vtk/view_module.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QHash>
#include <QLabel>
#include <QPainter>
#include <QPointer>
#include <QResizeEvent>
#include <QStackedLayout>
#include <QThreadPool>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace orrery {

using protein::ProteinModel;
using protein::ProteinScene;
using protein::ResidueMesh;
using view3d::Camera;

namespace {

int constexpr animation_milliseconds = 200;
QString const residue_kind = QStringLiteral("residue");

Theme theme_in_force() {
    Theme theme = ThemeNotifier::instance().theme();
    if (!theme.surface.isValid())
        if (auto light = Theme::load("light")) theme = *light;
    return theme;
}

Rgb rgb_of(QColor const& color) {
    return {std::uint8_t(color.red()), std::uint8_t(color.green()), std::uint8_t(color.blue())};
}

Json plane_to_json(std::optional<view3d::Plane> const& plane) {
    return plane ? Json{{"point", plane->point}, {"normal", plane->normal}} : Json();
}

Result<std::optional<view3d::Plane>> plane_from_json(Json const& value) {
    if (value.is_null()) return std::optional<view3d::Plane>();
    auto const numbers = [&](char const* name, view3d::Vector& out) {
        auto const found = value.find(name);
        if (found == value.end() || !found->is_array() || found->size() != 3) return false;
        for (std::size_t i = 0; i < 3; ++i) {
            if (!(*found)[i].is_number()) return false;
            out[i] = (*found)[i].get<double>();
        }
        return true;
    };
    view3d::Plane plane{};
    if (!value.is_object() || !numbers("point", plane.point) || !numbers("normal", plane.normal) ||
        length(plane.normal) < 1e-9)
        return bad_input("clipping plane: point and normal must be three numbers each");
    plane.normal = normalized(plane.normal);
    return std::optional<view3d::Plane>(plane);
}

}  // namespace

struct ProteinView::Impl {
    explicit Impl(ProteinView& owner) : view(owner) {}

    ProteinView& view;
    QStackedLayout* pages = nullptr;
    QWidget *empty_page = nullptr, *canvas_page = nullptr;
    QLabel* empty_label = nullptr;
    QPointer<QWidget> notice;
    protein::Overlay* overlay = nullptr;
    std::unique_ptr<view3d::Canvas> canvas;
    view3d::CanvasFactory* factory = nullptr;
    ProteinScene scene;

    std::shared_ptr<Structure const> structure;
    QHash<QString, std::uint32_t> residue_of_key;
    std::vector<int> sides;
    protein::ResidueValues values;
    std::vector<std::string> stick_keys;
    ProteinDisplay display;
    std::optional<view3d::Plane> clip;
    std::optional<Camera> wanted_camera;  // restored before the model was there
    bool keep_camera = false;
    bool whole_in_view = false;  // nobody moved the camera since the whole was fitted: resizing fits it again
    bool first_picture = false;  // the next drawn frame is the structure's first
    QPointer<SelectionModel> selection;
    QString hovered_key;
    bool hovering = false;  // the hover in the model came from here

    // A worker looks at `stop`; its result counts only while `alive` is the one it was started with.
    struct Work {
        std::atomic<bool> stop{false};
    };
    std::shared_ptr<Work> model_work, surface_work;
    std::shared_ptr<char> alive = std::make_shared<char>();

    void build_pages();
    void apply_theme();
    void start_model();
    void adopt(Result<view3d::CanvasFactory*> const& loaded, std::shared_ptr<ProteinModel const> model);
    bool make_canvas();
    void show_notice(QString const& title, Error const& error);
    void update_surfaces();
    void update_colors();
    void update_sticks();
    void update_selection();
    void update_marks();
    void update_progress();
    void pointer_moved(QPointF const& at);
    void pointer_left();
    void clicked(QPointF const& at, Qt::KeyboardModifiers modifiers);
    void show_hover(QString const& key, QPointF const& at);
    [[nodiscard]] std::vector<std::uint32_t> selected_residues() const;
    [[nodiscard]] QString label_of(std::uint32_t residue) const;
    void fit_whole(bool animated);
    void move_camera(Camera const& camera, bool animated);
    [[nodiscard]] std::vector<std::uint32_t> indices_of(std::vector<std::string> const& keys) const;
};

void ProteinView::Impl::build_pages() {
    pages = new QStackedLayout(&view);
    pages->setContentsMargins(0, 0, 0, 0);
    empty_page = new QWidget;
    auto* const layout = new QVBoxLayout(empty_page);
    empty_label = new QLabel;
    empty_label->setAlignment(Qt::AlignCenter);
    empty_label->setWordWrap(true);
    layout->addWidget(empty_label);
    pages->addWidget(empty_page);
    canvas_page = new QWidget;
    pages->addWidget(canvas_page);
    overlay = new protein::Overlay(canvas_page);
    empty_label->setText(ProteinView::tr("Drop a PDB or mmCIF file here"));
}

void ProteinView::Impl::apply_theme() {
    Theme const theme = theme_in_force();
    empty_label->setStyleSheet(
        QString("color: %1; font-size: %2px").arg(theme.secondary_text.name()).arg(std::lround(16 * theme.scale)));
    for (QWidget* page : {empty_page, canvas_page}) {
        page->setAutoFillBackground(true);
        QPalette palette = page->palette();
        palette.setColor(QPalette::Window, theme.surface);
        page->setPalette(palette);
    }
    overlay->set_theme(theme);
    if (canvas) canvas->set_background(theme.surface);
    scene.set_accent(rgb_of(theme.accent), rgb_of(theme.secondary_text));
    update_colors();
}

void ProteinView::Impl::start_model() {
    if (model_work) model_work->stop = true;
    if (surface_work) surface_work->stop = true;
    model_work.reset();
    surface_work.reset();
    if (!structure) return;
    auto work = model_work = std::make_shared<Work>();
    preload_view_module(view3d_module);
    // The view may die while the worker runs: the answer then finds `alive` gone and is dropped.
    std::weak_ptr<char> const guard = alive;
    auto* const self = this;
    QThreadPool::globalInstance()->start([work, guard, self, structure = structure] {
        auto model = ProteinModel::make(structure, work->stop);
        auto loaded = load_view_module<view3d::CanvasFactory>(view3d_module, "orrery::view3d::CanvasFactory");
        if (work->stop) return;
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [work, guard, self, model = std::move(model), loaded = std::move(loaded)] {
                if (guard.expired() || self->model_work != work) return;
                self->model_work.reset();
                self->adopt(loaded, model);
            },
            Qt::QueuedConnection);
    });
    update_progress();
}

bool ProteinView::Impl::make_canvas() {
    if (canvas) return true;
    canvas = factory->create(canvas_page);
    QWidget* const widget = canvas->widget();
    // The page has no size of its own before it is shown.
    widget->setGeometry(view.rect());
    overlay->setGeometry(view.rect());
    widget->setAccessibleName(ProteinView::tr("3-D structure"));
    widget->show();
    overlay->raise();
    view.setFocusProxy(widget);
    view3d::Events events;
    events.hovered = [this](QPointF at) { pointer_moved(at); };
    events.left = [this] { pointer_left(); };
    events.clicked = [this](QPointF at, Qt::KeyboardModifiers modifiers) { clicked(at, modifiers); };
    events.double_clicked = [this](QPointF at, Qt::KeyboardModifiers) {
        QString const key = view.residue_at(at);
        key.isEmpty() ? view.reset_camera() : view.fit_residues({key.toStdString()});
    };
    events.user_moved = [this] { whole_in_view = false; };
    events.camera_changed = [this] {
        overlay->clear_hover();
        update_marks();
        emit view.state_changed();
    };
    events.drawn = [this](view3d::FrameInfo const&) {
        if (!first_picture) return;
        first_picture = false;
        emit view.shown();
    };
    events.failed = [this](Error const& error) { show_notice(ProteinView::tr("The 3-D view can't be shown"), error); };
    canvas->set_events(std::move(events));
    canvas->set_depth_cue(display.depth_cue);
    canvas->set_background(theme_in_force().surface);
    scene.set_canvas(canvas.get());
    return true;
}

void ProteinView::Impl::show_notice(QString const& title, Error const& error) {
    if (notice) return;
    notice = make_notice(title, error);
    pages->addWidget(notice);
    pages->setCurrentWidget(notice);
    emit view.failed(QString::fromStdString(error.message()));
}

void ProteinView::Impl::adopt(Result<view3d::CanvasFactory*> const& loaded, std::shared_ptr<ProteinModel const> model) {
    update_progress();
    Error const* const error = !loaded ? &loaded.error() : !gl_facts() ? &gl_facts().error() : nullptr;
    if (error) return show_notice(ProteinView::tr("The 3-D view can't be shown"), *error);
    factory = *loaded;
    if (model->radius <= 0) {
        empty_label->setText(ProteinView::tr("%1 holds no atoms to show").arg(QString::fromStdString(structure->name)));
        pages->setCurrentWidget(empty_page);
        return;
    }
    make_canvas();
    scene.set_model(std::move(model));
    update_colors();
    update_sticks();
    update_selection();
    if (wanted_camera) {
        whole_in_view = false;
        canvas->set_camera(*wanted_camera, 0);
    } else if (!keep_camera) {
        fit_whole(false);
    }
    wanted_camera.reset();
    first_picture = true;
    pages->setCurrentWidget(canvas_page);
    update_surfaces();
}

void ProteinView::Impl::update_surfaces() {
    if (!display.surface || !scene.model() || scene.has_surfaces() || surface_work || !factory) return;
    auto work = surface_work = std::make_shared<Work>();
    std::array<std::vector<std::uint32_t>, 3> atoms;
    for (std::uint32_t i = 0; i < structure->atoms.size(); ++i) {
        Residue const& residue = structure->residues[structure->atoms[i].residue];
        if (residue.kind == ResidueKind::water || residue.kind == ResidueKind::ion || structure->atoms[i].element == 1)
            continue;
        int const side = residue.chain < sides.size() ? std::clamp(sides[residue.chain], 0, 2) : 0;
        atoms[std::size_t(side)].push_back(i);
    }
    std::weak_ptr<char> const guard = alive;
    auto* const self = this;
    QThreadPool::globalInstance()->start(
        [work, guard, self, factory = factory, model = scene.model(), atoms = std::move(atoms)] {
            auto surfaces = std::make_shared<std::array<ResidueMesh, 3>>();
            for (std::size_t side = 0; side < 3 && !work->stop; ++side)
                if (!atoms[side].empty()) (*surfaces)[side] = make_surface(*model, atoms[side], *factory, work->stop);
            QMetaObject::invokeMethod(
                QCoreApplication::instance(),
                [work, guard, self, surfaces] {
                    if (guard.expired() || self->surface_work != work) return;
                    self->surface_work.reset();
                    self->scene.set_surfaces(std::move(*surfaces));
                    self->update_progress();
                },
                Qt::QueuedConnection);
        });
    update_progress();
}

void ProteinView::Impl::update_progress() {
    QString text;
    if (model_work)
        text = ProteinView::tr("Preparing %1, %2 atoms")
                   .arg(QString::fromStdString(structure->name))
                   .arg(structure->atoms.size());
    else if (surface_work)
        text = ProteinView::tr("Computing the surface");
    overlay->set_progress(text);
    if (model_work && pages->currentWidget() == empty_page) empty_label->setText(text);
}

void ProteinView::Impl::update_colors() {
    if (!structure) return overlay->set_legend({});
    auto coloring = color_residues(*structure, display.color, values, sides, theme_in_force().dark);
    overlay->set_legend(display.legend ? coloring.legend : protein::Legend{});
    scene.set_coloring(std::move(coloring.residues));
}

void ProteinView::Impl::update_sticks() {
    if (!structure) return;
    std::vector<bool> residues(structure->residues.size(), false);
    for (std::uint32_t const residue : indices_of(stick_keys)) residues[residue] = true;
    scene.set_stick_residues(std::move(residues));
}

std::vector<std::uint32_t> ProteinView::Impl::indices_of(std::vector<std::string> const& keys) const {
    std::vector<std::uint32_t> residues;
    for (std::string const& key : keys)
        if (auto const found = residue_of_key.find(QString::fromStdString(key)); found != residue_of_key.end())
            residues.push_back(*found);
    std::sort(residues.begin(), residues.end());
    return residues;
}

std::vector<std::uint32_t> ProteinView::Impl::selected_residues() const {
    std::vector<std::string> keys;
    if (selection)
        for (QString const& key : selection->selected(residue_kind)) keys.push_back(key.toStdString());
    return indices_of(keys);
}

void ProteinView::Impl::update_selection() {
    scene.set_selection(selected_residues());
    update_marks();
}

// Seen from afar the outline of a residue is thinner than a pixel: then a ring says where it is.
void ProteinView::Impl::update_marks() {
    constexpr double outline_width = 0.16, thinnest = 1.5;     // Å, pixels
    constexpr double residue_radius = 3.5, smallest_ring = 7;  // Å, pixels
    constexpr std::size_t most_rings = 24;
    QPainterPath rings;
    std::vector<std::uint32_t> const residues = selected_residues();
    if (canvas && structure && residues.size() <= most_rings) {
        Camera const camera = canvas->camera();
        for (std::uint32_t const residue : residues) {
            view3d::Vector const center = protein::center_of(*structure, residue);
            double const scale = camera.pixels_per_unit(center, view.size());
            auto const place = camera.project(center, view.size());
            if (!place || scale * outline_width >= thinnest) continue;
            double const radius = std::max(smallest_ring, residue_radius * scale);
            rings.addEllipse(*place, radius, radius);
        }
    }
    overlay->set_marks(std::move(rings));
}

QString ProteinView::Impl::label_of(std::uint32_t index) const {
    QString label = QString::fromStdString(structure->residue_key(index)) + " " +
                    QString::fromStdString(structure->residues[index].name);
    if (display.color == protein::ColorMode::value && index < values.values.size() &&
        std::isfinite(values.values[index])) {
        double const value = values.values[index];
        label += QString("  %1%2 %3")
                     .arg(value < 0 ? QString(QChar(0x2212)) : QStringLiteral("+"))
                     .arg(std::abs(value), 0, 'f', 2)
                     .arg(QString::fromStdString(values.unit));
    }
    return label;
}

void ProteinView::Impl::show_hover(QString const& key, QPointF const& at) {
    auto const found = residue_of_key.find(key);
    if (key.isEmpty() || found == residue_of_key.end() || !canvas) return overlay->clear_hover();
    Camera const camera = canvas->camera();
    QPainterPath rim;
    for (auto const& [center, radius] : scene.outline_of(*found)) {
        auto const place = camera.project(center, view.size());
        if (!place) continue;
        double const pixels = std::clamp(radius * camera.pixels_per_unit(center, view.size()), 3.0, 4000.0);
        QPainterPath ball;
        ball.addEllipse(*place, pixels, pixels);
        rim = rim.united(ball);
    }
    QPointF const anchor = at.isNull() ? rim.boundingRect().center() : at;
    overlay->set_hover(rim.simplified(), label_of(*found), anchor);
}

void ProteinView::Impl::pointer_moved(QPointF const& at) {
    QString const key = view.residue_at(at);
    show_hover(key, at);
    if (key == hovered_key) return;
    hovered_key = key;
    hovering = true;
    if (selection) selection->hover(residue_kind, key);
    hovering = false;
    emit view.hovered(key, key.isEmpty() ? QString() : label_of(residue_of_key.value(key)));
}

void ProteinView::Impl::pointer_left() {
    overlay->clear_hover();
    if (hovered_key.isEmpty()) return;
    hovered_key.clear();
    hovering = true;
    if (selection) selection->hover(residue_kind, {});
    hovering = false;
    emit view.hovered({}, {});
}

void ProteinView::Impl::clicked(QPointF const& at, Qt::KeyboardModifiers modifiers) {
    QString const key = view.residue_at(at);
    if (selection) {
        QSet<QString> keys = selection->selected(residue_kind);
        bool const adds = modifiers & (Qt::ControlModifier | Qt::ShiftModifier);
        if (!adds)
            keys = key.isEmpty() ? QSet<QString>{} : QSet<QString>{key};
        else if (!key.isEmpty() && !keys.remove(key))
            keys.insert(key);
        selection->select(residue_kind, keys);
    }
    emit view.picked(key);
}

void ProteinView::Impl::fit_whole(bool animated) {
    whole_in_view = true;
    move_camera(scene.fitted(scene.facing(canvas->camera()), {}, view.size()), animated);
}

void ProteinView::Impl::move_camera(Camera const& camera, bool animated) {
    if (!canvas) {
        wanted_camera = camera;
        return;
    }
    canvas->set_camera(camera, animated && display.animated ? animation_milliseconds : 0);
}

ProteinView::ProteinView(QWidget* parent) : QWidget(parent), m(std::make_unique<Impl>(*this)) {
    m->build_pages();
    setMinimumSize(160, 120);
    setAccessibleName(tr("Structure view"));
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, [this] { m->apply_theme(); });
    m->apply_theme();
}

ProteinView::~ProteinView() {
    m->alive.reset();
    for (auto const& work : {m->model_work, m->surface_work})
        if (work) work->stop = true;
    m->scene.set_canvas(nullptr);
    m->canvas.reset();
}

void ProteinView::set_structure(std::shared_ptr<Structure const> structure, bool keep_camera) {
    m->structure = std::move(structure);
    m->keep_camera = keep_camera && m->canvas != nullptr;
    m->residue_of_key.clear();
    m->clip.reset();
    m->scene.set_clipping({});
    if (m->notice) {
        m->pages->removeWidget(m->notice);
        m->notice->deleteLater();
        m->notice.clear();
    }
    m->overlay->clear_hover();
    if (m->structure) {
        Structure const& s = *m->structure;
        m->residue_of_key.reserve(qsizetype(s.residues.size()));
        // Backwards, polymers last: of equal keys (a water numbered like a residue) the polymer's first one is
        // found.
        for (bool const polymers : {false, true})
            for (std::size_t i = s.residues.size(); i-- > 0;) {
                bool const polymer =
                    s.residues[i].kind == ResidueKind::amino_acid || s.residues[i].kind == ResidueKind::nucleic_acid;
                if (polymer == polymers)
                    m->residue_of_key.insert(QString::fromStdString(s.residue_key(i)), std::uint32_t(i));
            }
    }
    if (!m->structure || m->structure->atoms.empty()) {
        m->start_model();
        if (m->structure && m->model_work) m->model_work->stop = true;
        m->model_work.reset();
        m->scene.set_model(nullptr);
        m->overlay->set_legend({});
        m->update_progress();
        m->empty_label->setText(m->structure
                                    ? tr("%1 holds no atoms to show").arg(QString::fromStdString(m->structure->name))
                                    : tr("Drop a PDB or mmCIF file here"));
        m->pages->setCurrentWidget(m->empty_page);
        return;
    }
    m->start_model();
}

std::shared_ptr<Structure const> const& ProteinView::structure() const { return m->structure; }

void ProteinView::set_sides(std::vector<int> side_of_chain) {
    if (side_of_chain == m->sides) return;
    m->sides = std::move(side_of_chain);
    if (m->surface_work) m->surface_work->stop = true;
    m->surface_work.reset();
    m->scene.drop_surfaces();
    m->update_surfaces();
    if (m->display.color == protein::ColorMode::side) m->update_colors();
}

void ProteinView::set_values(protein::ResidueValues values) {
    m->values = std::move(values);
    if (m->display.color == protein::ColorMode::value) m->update_colors();
}

void ProteinView::set_stick_residues(std::vector<std::string> keys) {
    m->stick_keys = std::move(keys);
    m->update_sticks();
}

void ProteinView::set_selection_model(SelectionModel* model) {
    if (m->selection) m->selection->disconnect(this);
    m->selection = model;
    if (model) {
        connect(model, &SelectionModel::selection_changed, this, [this](QString const& kind) {
            if (kind == residue_kind) m->update_selection();
        });
        connect(model, &SelectionModel::hover_changed, this, [this](QString const& kind) {
            if (kind == residue_kind && !m->hovering) m->show_hover(m->selection->hovered(residue_kind), {});
        });
    }
    m->update_selection();
}

ProteinDisplay const& ProteinView::display() const { return m->display; }

void ProteinView::set_display(ProteinDisplay const& display) {
    if (display == m->display) return;
    bool const projection = display.orthographic != m->display.orthographic;
    bool const colors = display.color != m->display.color || display.legend != m->display.legend;
    m->display = display;
    m->scene.set_display(display);
    if (colors) m->update_colors();
    if (projection && m->canvas) {
        Camera camera = m->canvas->camera();
        camera.set_orthographic(display.orthographic);
        m->canvas->set_camera(camera);
    }
    m->update_surfaces();
    emit state_changed();
}

void ProteinView::set_clipping(std::optional<view3d::Plane> const& plane) {
    m->clip = plane;
    m->scene.set_clipping(plane);
    emit state_changed();
}

std::optional<view3d::Plane> const& ProteinView::clipping() const { return m->clip; }

bool ProteinView::slice_at_interface() {
    if (!m->scene.model() || !m->canvas) return false;
    auto const middle = protein::interface_center(*m->structure, m->sides, 5.0);
    if (!middle) return false;
    set_clipping(view3d::Plane{*middle, m->canvas->camera().axes().back * -1});
    return true;
}

void ProteinView::reset_camera() {
    if (!m->canvas || !m->scene.model()) return;
    m->fit_whole(true);
}

void ProteinView::fit_selection() {
    if (!m->canvas || !m->scene.model()) return;
    auto const residues = m->selected_residues();
    m->whole_in_view = residues.empty();
    m->move_camera(m->scene.fitted(m->canvas->camera(), residues, size()), true);
}

void ProteinView::fit_residues(std::vector<std::string> const& keys) {
    auto const residues = m->indices_of(keys);
    if (!m->canvas || !m->scene.model() || residues.empty()) return;
    m->whole_in_view = false;
    m->move_camera(m->scene.fitted(m->canvas->camera(), residues, size()), true);
}

Json ProteinView::state() const {
    Json state{{"display", m->display.to_json()}, {"clipping", plane_to_json(m->clip)}};
    if (m->wanted_camera)
        state["camera"] = m->wanted_camera->to_json();
    else if (m->canvas)
        state["camera"] = m->canvas->camera().to_json();
    return state;
}

Result<void> ProteinView::restore_state(Json const& state) {
    if (!state.is_object()) return bad_input("state of the structure view: not an object");
    ProteinDisplay display = m->display;
    if (auto const found = state.find("display"); found != state.end()) {
        ORRERY_TRY(display, ProteinDisplay::from_json(*found));
    }
    std::optional<Camera> camera;
    if (auto const found = state.find("camera"); found != state.end() && !found->is_null()) {
        ORRERY_TRY(camera, Camera::from_json(*found));
    }
    std::optional<view3d::Plane> plane = m->clip;
    if (auto const found = state.find("clipping"); found != state.end()) {
        ORRERY_TRY(plane, plane_from_json(*found));
    }
    set_display(display);
    if (camera) {
        m->whole_in_view = false;
        if (m->canvas && !m->model_work)
            m->canvas->set_camera(*camera);
        else
            m->wanted_camera = camera;
    }
    if (state.contains("clipping")) set_clipping(plane);
    return {};
}

Result<QImage> ProteinView::render_image(PictureOptions const& options) {
    if (!m->canvas || !m->scene.model()) return unavailable("there is no structure to draw", {}, "open one first");
    view3d::ImageRequest request{options.width, options.height, options.transparent, options.supersample, {}};
    if (options.width > 0 && options.height > 0)
        request.camera = m->scene.framed(m->canvas->camera(), size(), QSizeF(options.width, options.height));
    m->canvas->set_background(Qt::white);
    bool const cue =
        m->display.depth_cue && !options.transparent;  // fading towards nothing would make far parts glassy
    m->canvas->set_depth_cue(cue);
    auto image = m->canvas->render(request);
    m->canvas->set_depth_cue(m->display.depth_cue);
    m->canvas->set_background(theme_in_force().surface);
    if (!image) return image;
    if (options.legend && m->display.legend) {
        auto theme = Theme::load("light");
        Theme const paper = theme ? *theme : theme_in_force();
        auto const coloring = color_residues(*m->structure, m->display.color, m->values, m->sides, false);
        QPainter painter(&*image);
        // In physical size, unless the picture is so small that the legend would fill it.
        double const scale = std::min({options.dpi / 96, options.width / 480.0, options.height / 320.0});
        protein::paint_legend(painter, image->rect(), coloring.legend, paper, scale);
    }
    return image;
}

Result<std::string> ProteinView::render_png(PictureOptions const& options) {
    if (!(options.dpi >= 1 && options.dpi <= 2400))
        return bad_input("dpi must lie between 1 and 2400", {}, "300 is usual in print", "dpi");
    ORRERY_TRY(QImage image, render_image(options));
    image.setDotsPerMeterX(int(std::lround(options.dpi / 0.0254)));
    image.setDotsPerMeterY(int(std::lround(options.dpi / 0.0254)));
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!image.save(&buffer, "PNG")) return internal_error("the picture could not be written as PNG");
    return bytes.toStdString();
}

QString ProteinView::residue_at(QPointF const& position) const {
    if (!m->canvas || !m->scene.model()) return {};
    auto const hit = m->scene.hit(m->canvas->camera().ray(position, size()));
    return hit ? QString::fromStdString(m->structure->residue_key(hit->residue)) : QString();
}

std::optional<QPointF> ProteinView::position_of(std::string const& key) const {
    auto const found = m->residue_of_key.find(QString::fromStdString(key));
    if (found == m->residue_of_key.end() || !m->canvas) return std::nullopt;
    return m->canvas->camera().project(protein::center_of(*m->structure, *found), size());
}

bool ProteinView::busy() const { return m->model_work || m->surface_work; }
view3d::Canvas* ProteinView::canvas() const { return m->canvas.get(); }
QString ProteinView::empty_text() const {
    return m->pages->currentWidget() == m->empty_page ? m->empty_label->text() : QString();
}

void ProteinView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m->overlay->setGeometry(rect());
    if (!m->canvas) return;
    m->canvas->widget()->setGeometry(rect());
    if (m->whole_in_view && m->scene.model()) m->canvas->set_camera(m->scene.fitted(m->canvas->camera(), {}, size()));
    m->update_marks();
}

void ProteinView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::EnabledChange && !isEnabled()) m->pointer_left();
}

}  // namespace orrery
