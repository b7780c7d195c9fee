#include "renderers/vtk/vtk_widget.h"

#include <vtkCallbackCommand.h>
#include <vtkCamera.h>
#include <vtkCommand.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkGenericRenderWindowInteractor.h>
#include <vtkInteractorStyleTrackballCamera.h>
#include <vtkNew.h>
#include <vtkOpenGLFramebufferObject.h>
#include <vtkOpenGLState.h>
#include <vtkRenderer.h>

#include <QBuffer>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QOpenGLContext>
#include <QOpenGLExtraFunctions>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <new>
#include <numbers>

namespace orrery {

struct VtkWidget::Impl {
    vtkNew<vtkGenericOpenGLRenderWindow> window;
    vtkNew<vtkRenderer> renderer;
    vtkNew<vtkGenericRenderWindowInteractor> interactor;
    bool ready = false;  // a context is there and VTK has taken it up
    bool dirty = true;   // the scene must be drawn again
    double scale = 1;
    QSize drawn_size;  // size of the picture in VTK's framebuffer
    int export_height = 0;
    std::uint64_t frames = 0;

    [[nodiscard]] QSize wanted_size(QSize device) const {
        return {std::max(1, int(std::lround(device.width() * scale))),
                std::max(1, int(std::lround(device.height() * scale)))};
    }

    // Draws into VTK's own framebuffers; what Qt and others set in the context is recorded and put back.
    void draw(QSize size) {
        vtkOpenGLState* const state = window->GetState();
        state->Reset();
        state->Push();
        state->ResetGLScissorState();
        state->ResetGLViewportState();
        window->SetSize(size.width(), size.height());
        window->Render();
        drawn_size = size;
        state->Pop();
    }

    // Pixels of the last drawing, premultiplied by an alpha of 1, top row first.
    void read(QImage& target, QPoint at) {
        auto* const functions = QOpenGLContext::currentContext()->extraFunctions();
        vtkOpenGLState* const state = window->GetState();
        state->PushFramebufferBindings();
        functions->glBindFramebuffer(GL_READ_FRAMEBUFFER, window->GetDisplayFramebuffer()->GetFBOIndex());
        functions->glReadBuffer(GL_COLOR_ATTACHMENT0);
        functions->glPixelStorei(GL_PACK_ALIGNMENT, 4);
        QImage rows(drawn_size, QImage::Format_RGBA8888);
        functions->glReadPixels(0, 0, rows.width(), rows.height(), GL_RGBA, GL_UNSIGNED_BYTE, rows.bits());
        functions->glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
        state->PopFramebufferBindings();
        int const width = std::min(rows.width(), target.width() - at.x());
        int const height = std::min(rows.height(), target.height() - at.y());
        for (int y = 0; y < height; ++y) {
            uchar const* from = rows.constScanLine(rows.height() - 1 - y);
            std::copy_n(from, std::size_t(width) * 4, target.scanLine(at.y() + y) + std::ptrdiff_t(at.x()) * 4);
        }
    }
};

VtkWidget::VtkWidget(QWidget* parent) : QOpenGLWidget(parent), m(std::make_unique<Impl>()) {
    QSurfaceFormat format;
    format.setVersion(3, 2);
    format.setProfile(QSurfaceFormat::CoreProfile);
    format.setSamples(0);  // smoothing happens in VTK's framebuffers
    setFormat(format);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setUpdateBehavior(QOpenGLWidget::PartialUpdate);

    m->window->SetOwnContext(0);
    m->window->SetMultiSamples(0);
    m->window->SetAlphaBitPlanes(1);
    m->window->SetFrameBlitModeToNoBlit();  // the copy to the widget is ours, it also scales
    m->renderer->SetBackgroundAlpha(1);     // below 1 the window behind shows through and edges of impostors turn black
    m->window->AddRenderer(m->renderer);
    m->interactor->SetRenderWindow(m->window);
    m->interactor->EnableRenderOff();  // a style's Render() must not draw outside paintGL()
    vtkNew<vtkInteractorStyleTrackballCamera> style;
    m->interactor->SetInteractorStyle(style);
    vtkNew<vtkCallbackCommand> wants_render;
    wants_render->SetClientData(this);
    wants_render->SetCallback(
        [](vtkObject*, unsigned long, void* self, void*) { static_cast<VtkWidget*>(self)->request_render(); });
    m->interactor->AddObserver(vtkCommand::RenderEvent, wants_render);
    m->interactor->Initialize();
}

VtkWidget::~VtkWidget() {
    makeCurrent();
    if (m->ready) m->window->Finalize();
    m->interactor->SetRenderWindow(nullptr);
    m.reset();
    doneCurrent();
}

vtkRenderer* VtkWidget::renderer() const { return m->renderer; }
vtkGenericOpenGLRenderWindow* VtkWidget::render_window() const { return m->window; }
vtkRenderWindowInteractor* VtkWidget::interactor() const { return m->interactor; }
double VtkWidget::render_scale() const { return m->scale; }
std::uint64_t VtkWidget::frames() const { return m->frames; }
int VtkWidget::picture_height() const {
    if (m->export_height > 0) return m->export_height;
    return m->wanted_size((QSizeF(size()) * devicePixelRatioF()).toSize()).height();
}

void VtkWidget::request_render() {
    m->dirty = true;
    update();
}

void VtkWidget::set_render_scale(double scale) {
    scale = std::clamp(scale, 0.25, 2.0);
    if (scale == m->scale) return;
    // The interactor's positions are in VTK's pixels: a drag that goes on must not see a jump.
    double const ratio = scale / m->scale;
    int const* const last = m->interactor->GetEventPosition();
    m->interactor->SetEventPosition(int(last[0] * ratio), int(last[1] * ratio));
    m->scale = scale;
    request_render();
}

void VtkWidget::initializeGL() {
    // Called again when the widget moves to another top-level window and gets another context (a dock torn off).
    QOpenGLContext* const gl = context();
    if (!gl || gl->isOpenGLES() || gl->format().version() < qMakePair(3, 2)) {
        m->ready = false;
        if (on_failure) on_failure(unavailable("OpenGL 3.2 is not there", "3-D view", "install the graphics driver"));
        return;
    }
    connect(gl, &QOpenGLContext::aboutToBeDestroyed, this, [this] {
        if (!m || !m->ready) return;
        makeCurrent();
        m->window->Finalize();  // shaders, buffers and textures of this context
        m->ready = false;
        doneCurrent();
    });
    m->window->SetReadyForRendering(true);
    m->window->SetMapped(1);
    m->window->SetIsCurrent(true);
    m->window->SetSupportsOpenGL(1);
    m->window->SetIsDirect(1);
    m->window->SetForceMaximumHardwareLineWidth(1);
    m->window->OpenGLInit();
    m->ready = true;
    m->dirty = true;
}

void VtkWidget::resizeGL(int, int) { m->dirty = true; }

void VtkWidget::paintGL() {
    auto* const functions = QOpenGLContext::currentContext()->extraFunctions();
    QSize const device = (QSizeF(size()) * devicePixelRatioF()).toSize();
    if (!m->ready || device.isEmpty()) {
        functions->glClearColor(0, 0, 0, 1);
        functions->glClear(GL_COLOR_BUFFER_BIT);
        return;
    }
    QSize const size = m->wanted_size(device);
    bool const drawn = m->dirty || size != m->drawn_size;
    double milliseconds = 0;
    if (drawn) {
        m->dirty = false;
        m->interactor->UpdateSize(size.width(), size.height());
        if (before_render) before_render();
        QElapsedTimer timer;
        timer.start();
        m->draw(size);
        functions->glFinish();  // software drivers draw now or at the next read: count it here
        milliseconds = double(timer.nsecsElapsed()) * 1e-6;
        ++m->frames;
    }
    vtkOpenGLState* const state = m->window->GetState();
    state->Reset();
    state->Push();
    functions->glDisable(GL_SCISSOR_TEST);
    functions->glBindFramebuffer(GL_READ_FRAMEBUFFER, m->window->GetDisplayFramebuffer()->GetFBOIndex());
    functions->glReadBuffer(GL_COLOR_ATTACHMENT0);
    functions->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, defaultFramebufferObject());
    functions->glBlitFramebuffer(0, 0, size.width(), size.height(), 0, 0, device.width(), device.height(),
                                 GL_COLOR_BUFFER_BIT, size == device ? GL_NEAREST : GL_LINEAR);
    functions->glBindFramebuffer(GL_FRAMEBUFFER, defaultFramebufferObject());
    // Translucent shapes leave an alpha below 1, through which the window behind would show.
    functions->glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_TRUE);
    functions->glClearColor(0, 0, 0, 1);
    functions->glClear(GL_COLOR_BUFFER_BIT);
    functions->glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    state->Pop();
    functions->glBindFramebuffer(GL_FRAMEBUFFER, defaultFramebufferObject());
    if (drawn && after_render) after_render(milliseconds);
}

Result<QImage> VtkWidget::render_image(PictureRequest const& request) {
    if (request.width < 1 || request.height < 1 || request.width > 32768 || request.height > 32768)
        return bad_input("a picture of " + std::to_string(request.width) + " x " + std::to_string(request.height) +
                             " pixels can't be drawn",
                         {}, "choose between 1 and 32768 a side", "size");
    // A widget that was never shown has no context yet; grabbing makes one.
    if (!m->ready) grabFramebuffer();
    if (!m->ready) return unavailable("no graphics to draw the picture with", "3-D view", "open the view once");
    makeCurrent();
    auto* const functions = QOpenGLContext::currentContext()->extraFunctions();
    int limit = 2048;
    functions->glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &limit);
    limit = std::min(limit, 4096);
    int factor = std::clamp(request.supersample, 1, 4);
    while (factor > 1 && std::int64_t(request.width) * factor * request.height * factor > 200'000'000) --factor;
    QSize const full(request.width * factor, request.height * factor);
    int const columns = (full.width() + limit - 1) / limit, rows = (full.height() + limit - 1) / limit;
    // Equal tiles: VTK divides the view evenly. What sticks out at the right and bottom is cut off below.
    int const tiles = std::max(columns, rows);
    QSize const tile((full.width() + tiles - 1) / tiles, (full.height() + tiles - 1) / tiles);

    double background[3];
    m->renderer->GetBackground(background);
    vtkCamera* const camera = m->renderer->GetActiveCamera();
    // A tile is the whole view through a narrower angle, off its centre.
    auto draw_all = [&](QImage& image) {
        double const angle = camera->GetViewAngle(), height = camera->GetParallelScale();
        for (int row = 0; row < tiles; ++row)
            for (int column = 0; column < tiles; ++column) {
                camera->SetViewAngle(std::atan(std::tan(angle * std::numbers::pi / 360) / tiles) * 360 /
                                     std::numbers::pi);
                camera->SetParallelScale(height / tiles);
                camera->SetWindowCenter(2 * column + 1 - tiles, 2 * row + 1 - tiles);
                m->draw(tile);
                m->read(image, QPoint(column * tile.width(), (tiles - 1 - row) * tile.height()));
            }
        camera->SetViewAngle(angle);
        camera->SetParallelScale(height);
        camera->SetWindowCenter(0, 0);
    };
    auto restore = [&] {
        m->renderer->SetBackground(background);
        m->drawn_size = {};
        m->export_height = 0;
        m->dirty = true;
        doneCurrent();
        update();
    };
    try {
        m->export_height = full.height();
        if (before_render) before_render();
        QSize const canvas(tile.width() * tiles, tile.height() * tiles);
        QImage image(canvas, QImage::Format_RGBA8888);
        QImage on_white;
        if (request.transparent) on_white = QImage(canvas, QImage::Format_RGBA8888);
        if (image.isNull() || (request.transparent && on_white.isNull())) throw std::bad_alloc();
        if (request.transparent) m->renderer->SetBackground(0, 0, 0);
        draw_all(image);
        if (request.transparent) {
            m->renderer->SetBackground(1, 1, 1);
            draw_all(on_white);
            for (int y = 0; y < image.height(); ++y) {
                uchar* black = image.scanLine(y);
                uchar const* white = on_white.constScanLine(y);
                for (int x = 0; x < image.width(); ++x, black += 4, white += 4) {
                    int const difference = (white[0] - black[0] + white[1] - black[1] + white[2] - black[2] + 1) / 3;
                    black[3] = uchar(std::clamp(255 - difference, 0, 255));
                    for (int c = 0; c < 3; ++c) black[c] = std::min(black[c], black[3]);
                }
            }
            image.reinterpretAsFormat(QImage::Format_RGBA8888_Premultiplied);
        } else {
            image.reinterpretAsFormat(QImage::Format_RGBX8888);
        }
        restore();
        // Above and to the left of the cut: the bottom row of tiles carries the surplus.
        QImage cut = canvas == full ? image : image.copy(0, 0, full.width(), full.height());
        if (factor > 1)
            cut = cut.scaled(request.width, request.height, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
        return cut.convertToFormat(request.transparent ? QImage::Format_RGBA8888 : QImage::Format_RGB888);
    } catch (std::bad_alloc const&) {
        restore();
        return unavailable("not enough memory for the picture", {}, "choose a smaller size or less supersampling",
                           "size");
    }
}

Result<std::string> VtkWidget::render_png(int width_px, int height_px, double dpi, bool transparent, int supersample) {
    if (!(dpi >= 1 && dpi <= 2400))
        return bad_input("dpi must lie between 1 and 2400", {}, "300 is usual in print", "dpi");
    ORRERY_TRY(QImage image, render_image({width_px, height_px, transparent, supersample}));
    image.setDotsPerMeterX(int(std::lround(dpi / 0.0254)));
    image.setDotsPerMeterY(int(std::lround(dpi / 0.0254)));
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!image.save(&buffer, "PNG")) return internal_error("the picture could not be written as PNG");
    return bytes.toStdString();
}

namespace {

void tell_position(VtkWidget* widget, vtkRenderWindowInteractor* interactor, QPointF position,
                   Qt::KeyboardModifiers modifiers, int repeat = 0) {
    double const factor = widget->devicePixelRatioF() * widget->render_scale();
    interactor->SetEventInformationFlipY(int(position.x() * factor), int(position.y() * factor),
                                         modifiers.testFlag(Qt::ControlModifier), modifiers.testFlag(Qt::ShiftModifier),
                                         0, repeat, nullptr);
    interactor->SetAltKey(modifiers.testFlag(Qt::AltModifier));
}

unsigned long button_event(Qt::MouseButton button, bool press) {
    switch (button) {
        case Qt::LeftButton:
            return press ? vtkCommand::LeftButtonPressEvent : vtkCommand::LeftButtonReleaseEvent;
        case Qt::MiddleButton:
            return press ? vtkCommand::MiddleButtonPressEvent : vtkCommand::MiddleButtonReleaseEvent;
        case Qt::RightButton:
            return press ? vtkCommand::RightButtonPressEvent : vtkCommand::RightButtonReleaseEvent;
        default:
            return vtkCommand::NoEvent;
    }
}

void tell_button(VtkWidget* widget, vtkRenderWindowInteractor* interactor, QMouseEvent* event, bool press, int repeat) {
    unsigned long const id = button_event(event->button(), press);
    if (id == vtkCommand::NoEvent) return event->ignore();
    tell_position(widget, interactor, event->position(), event->modifiers(), repeat);
    interactor->InvokeEvent(id, nullptr);
    event->accept();
}

void tell_key(vtkRenderWindowInteractor* interactor, QKeyEvent* event, unsigned long id) {
    QByteArray const text = event->text().toLatin1();
    QByteArray const name = text.isEmpty() ? QKeySequence(event->key()).toString().toLatin1() : text;
    interactor->SetKeyEventInformation(event->modifiers().testFlag(Qt::ControlModifier),
                                       event->modifiers().testFlag(Qt::ShiftModifier), text.isEmpty() ? 0 : text.at(0),
                                       event->count(), name.constData());
    interactor->InvokeEvent(id, nullptr);
}

}  // namespace

void VtkWidget::mousePressEvent(QMouseEvent* event) { tell_button(this, m->interactor, event, true, 0); }
void VtkWidget::mouseReleaseEvent(QMouseEvent* event) { tell_button(this, m->interactor, event, false, 0); }
void VtkWidget::mouseDoubleClickEvent(QMouseEvent* event) { tell_button(this, m->interactor, event, true, 1); }
void VtkWidget::mouseMoveEvent(QMouseEvent* event) {
    tell_position(this, m->interactor, event->position(), event->modifiers());
    m->interactor->InvokeEvent(vtkCommand::MouseMoveEvent, nullptr);
}
void VtkWidget::wheelEvent(QWheelEvent* event) {
    tell_position(this, m->interactor, event->position(), event->modifiers());
    if (event->angleDelta().y() != 0)
        m->interactor->InvokeEvent(
            event->angleDelta().y() > 0 ? vtkCommand::MouseWheelForwardEvent : vtkCommand::MouseWheelBackwardEvent,
            nullptr);
    event->accept();
}
void VtkWidget::keyPressEvent(QKeyEvent* event) {
    tell_key(m->interactor, event, vtkCommand::KeyPressEvent);
    // VTK's CharEvent carries its single-letter commands ("q" ends the program, "w" wire frame): not in our windows.
    QOpenGLWidget::keyPressEvent(event);
}
void VtkWidget::keyReleaseEvent(QKeyEvent* event) {
    tell_key(m->interactor, event, vtkCommand::KeyReleaseEvent);
    QOpenGLWidget::keyReleaseEvent(event);
}
void VtkWidget::enterEvent(QEnterEvent* event) {
    m->interactor->InvokeEvent(vtkCommand::EnterEvent, nullptr);
    QOpenGLWidget::enterEvent(event);
}
void VtkWidget::leaveEvent(QEvent* event) {
    m->interactor->InvokeEvent(vtkCommand::LeaveEvent, nullptr);
    QOpenGLWidget::leaveEvent(event);
}

}  // namespace orrery
