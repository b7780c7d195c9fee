#include "renderers/imgui/imgui_widget.h"

#include "renderers/imgui/font_data.h"
#include "renderers/imgui/imgui_keys.h"
#include "renderers/imgui/imgui_style.h"
#include "renderers/imgui/opengl_backend.h"
#include "renderers/theme.h"

#include <imgui_internal.h>
#include <implot.h>

#include <QApplication>
#include <QClipboard>
#include <QElapsedTimer>
#include <QEnterEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QOpenGLContext>
#include <QTimer>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>

namespace orrery {
namespace {

// Dear ImGui answers a click two frames later; one more settles what the answer changed.
constexpr int frames_after_input = 3;

// Of this thread alone: what a frame costs, however busy the machine is.
double thread_cpu_ms() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

GlFunction look_up(char const* name) {
    QOpenGLContext* const context = QOpenGLContext::currentContext();
    return context == nullptr ? nullptr : context->getProcAddress(name);
}

// Font files are shared by all widgets and kept: every atlas reads them whenever a new glyph is needed.
FontData const& shared_font(QFont const& font) {
    static std::map<QString, FontData> fonts;
    QString const key = font.families().join(',');
    auto found = fonts.find(key);
    if (found == fonts.end()) found = fonts.emplace(key, font_data(font)).first;
    return found->second;
}

void add_font_source(FontData const& font, bool merge) {
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    config.MergeMode = merge;
    ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<char*>(font.file.constData()),
                                               static_cast<int>(font.file.size()), 0.0f, &config);
}

ImFont* add_font(QFont const& font) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    FontData const& face = shared_font(font);
    if (face.file.isEmpty()) return atlas.AddFontDefault();
    add_font_source(face, false);
    // For what the face lacks: arrows, Greek, subscripts.
    QFont fallback("DejaVu Sans");
    FontData const& wide = shared_font(fallback);
    if (!wide.file.isEmpty() && wide.file != face.file) add_font_source(wide, true);
    return atlas.Fonts.back();
}

int to_imgui_button(Qt::MouseButton button) {
    switch (button) {
        case Qt::LeftButton:
            return ImGuiMouseButton_Left;
        case Qt::RightButton:
            return ImGuiMouseButton_Right;
        case Qt::MiddleButton:
            return ImGuiMouseButton_Middle;
        default:
            return -1;
    }
}

}  // namespace

struct ImGuiWidget::Impl {
    ImGuiContext* imgui = nullptr;
    ImPlotContext* implot = nullptr;
    QOpenGLContext* gl = nullptr;
    QMetaObject::Connection gl_going;
    ImFont* monospaced = nullptr;
    QElapsedTimer clock;
    QPoint right_press;
    QLabel* message = nullptr;
    int frames_left = 0;
    int frames_drawn = 0;
    int vertices = 0;
    double frame_ms = 0;
    bool started = false;

    void make_current() const {
        ImGui::SetCurrentContext(imgui);
        ImPlot::SetCurrentContext(implot);
    }
};

ImGuiWidget::ImGuiWidget(QWidget* parent) : QOpenGLWidget(parent), m_impl(std::make_unique<Impl>()) {
    QSurfaceFormat format = QSurfaceFormat::defaultFormat();
    format.setRenderableType(QSurfaceFormat::OpenGL);
    format.setVersion(3, 2);
    format.setProfile(QSurfaceFormat::CoreProfile);
    setFormat(format);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setContextMenuPolicy(Qt::PreventContextMenu);  // the right button pans
    setMinimumSize(80, 60);

    m_impl->imgui = ImGui::CreateContext();
    m_impl->implot = ImPlot::CreateContext();
    m_impl->make_current();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;  // layouts live in the session, not beside the program
    io.LogFilename = nullptr;
    io.BackendPlatformName = "orrery_qt";
    io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
    io.ConfigFlags |= ImGuiConfigFlags_DockingEnable;
    ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
    platform.Platform_SetClipboardTextFn = [](ImGuiContext*, char const* text) {
        QGuiApplication::clipboard()->setText(QString::fromUtf8(text));
    };
    platform.Platform_GetClipboardTextFn = [](ImGuiContext*) -> char const* {
        static QByteArray text;
        text = QGuiApplication::clipboard()->text().toUtf8();
        return text.constData();
    };
    m_impl->clock.start();
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, [this] {
        apply_theme_now();
        request_frames(2);
    });
}

ImGuiWidget::~ImGuiWidget() {
    QObject::disconnect(m_impl->gl_going);
    // Subclasses are gone by now: their textures went with aboutToBeDestroyed or go with the context's share group.
    if (m_impl->started && context() != nullptr) {
        makeCurrent();
        m_impl->make_current();
        load_opengl(&look_up);
        stop_opengl_backend();
        doneCurrent();
    }
    m_impl->make_current();
    ImPlot::DestroyContext(m_impl->implot);
    ImGui::DestroyContext(m_impl->imgui);
}

void ImGuiWidget::request_frames(int count) {
    m_impl->frames_left = std::max(m_impl->frames_left, count);
    update();
}

int ImGuiWidget::frames_drawn() const { return m_impl->frames_drawn; }
double ImGuiWidget::last_frame_ms() const { return m_impl->frame_ms; }
int ImGuiWidget::last_frame_vertices() const { return m_impl->vertices; }
void* ImGuiWidget::monospaced_font() const { return m_impl->monospaced; }

QImage ImGuiWidget::grab_frame() {
    QImage image = grabFramebuffer();
    image.setDevicePixelRatio(devicePixelRatioF());
    return image;
}

void ImGuiWidget::apply_theme_now() {
    m_impl->make_current();
    Theme const& theme = ThemeNotifier::instance().theme();
    FontData const& face = shared_font(theme.body());
    ImGui::GetStyle().FontSizeBase = static_cast<float>(theme.body().pixelSize() * face.line_per_em);
    apply_theme(theme);
}

void ImGuiWidget::initializeGL() {
    m_impl->make_current();
    m_impl->gl = context();
    m_impl->gl_going = connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, &ImGuiWidget::stop_gl);
    m_impl->started = start_opengl_backend(&look_up);
    if (ImGui::GetIO().Fonts->Fonts.empty()) {
        Theme const& theme = ThemeNotifier::instance().theme();
        add_font(theme.body());
        m_impl->monospaced = add_font(theme.monospaced());
    }
    ImPlot::GetInputMap().Pan = ImGuiMouseButton_Right;
    ImPlot::GetInputMap().Select = ImGuiMouseButton_Left;
    ImPlot::GetInputMap().SelectCancel = ImGuiMouseButton_Right;
    apply_theme_now();
}

// Also when the widget moves to another window (a dock that floats): a new context follows with initializeGL.
void ImGuiWidget::stop_gl() {
    if (!m_impl->started) return;
    makeCurrent();
    m_impl->make_current();
    load_opengl(&look_up);
    release_gl();
    stop_opengl_backend();
    m_impl->started = false;
    doneCurrent();
    QObject::disconnect(m_impl->gl_going);
}

void ImGuiWidget::resizeGL(int, int) { m_impl->frames_left = std::max(m_impl->frames_left, 2); }

void ImGuiWidget::paintGL() {
    if (!m_impl->started || width() <= 0 || height() <= 0) return;
    double const start = thread_cpu_ms();
    m_impl->make_current();
    ImGuiIO& io = ImGui::GetIO();
    double const ratio = devicePixelRatioF();
    io.DisplaySize = ImVec2(static_cast<float>(width()), static_cast<float>(height()));
    io.DisplayFramebufferScale = ImVec2(static_cast<float>(ratio), static_cast<float>(ratio));
    io.DeltaTime = std::max(1e-4f, static_cast<float>(m_impl->clock.nsecsElapsed() * 1e-9));
    io.MouseDoubleClickTime = static_cast<float>(QApplication::doubleClickInterval()) / 1000.0f;
    m_impl->clock.restart();
    begin_opengl_frame(&look_up);
    ImGui::NewFrame();
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(io.DisplaySize);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::Begin("##host", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoNav);
    ImGui::PopStyleVar();
    draw();
    ImGui::End();
    ImGui::Render();
    QColor const ground = ThemeNotifier::instance().theme().surface;
    float const clear[3] = {static_cast<float>(ground.redF()), static_cast<float>(ground.greenF()),
                            static_cast<float>(ground.blueF())};
    draw_with_opengl_backend(static_cast<int>(std::lround(width() * ratio)),
                             static_cast<int>(std::lround(height() * ratio)), clear);
    m_impl->vertices = ImGui::GetDrawData()->TotalVtxCount;
    ++m_impl->frames_drawn;
    setCursor(to_cursor(ImGui::GetMouseCursor()));
    // Dear ImGui spreads events that came together (press and release) over frames: none may stay behind.
    if (ImGui::GetCurrentContext()->InputEventsQueue.Size > 0) m_impl->frames_left = std::max(m_impl->frames_left, 2);
    m_impl->frame_ms = thread_cpu_ms() - start;
    if (--m_impl->frames_left > 0) update();
    emit frame_drawn();
}

void ImGuiWidget::showEvent(QShowEvent* event) {
    QOpenGLWidget::showEvent(event);
    // Where the machine has no usable OpenGL, say so instead of showing an empty square.
    QTimer::singleShot(0, this, [this] {
        if (!isVisible() || (isValid() && m_impl->started) || m_impl->message != nullptr) return;
        if (isValid() && m_impl->gl == nullptr) return;  // not painted yet
        m_impl->message = new QLabel(tr("This plot needs OpenGL 3.2, which this display does not offer.\n"
                                        "Start Orrery with LIBGL_ALWAYS_SOFTWARE=1 to draw in software."),
                                     this);
        m_impl->message->setAlignment(Qt::AlignCenter);
        m_impl->message->setWordWrap(true);
        m_impl->message->setGeometry(rect());
        m_impl->message->show();
    });
}

bool ImGuiWidget::event(QEvent* event) {
    if (event->type() == QEvent::Leave) {
        m_impl->make_current();
        ImGui::GetIO().AddMousePosEvent(-FLT_MAX, -FLT_MAX);
        request_frames(2);
    } else if (event->type() == QEvent::Resize && m_impl->message != nullptr) {
        m_impl->message->setGeometry(rect());
    }
    return QOpenGLWidget::event(event);
}

void ImGuiWidget::mousePressEvent(QMouseEvent* event) {
    m_impl->make_current();
    if (event->button() == Qt::RightButton) m_impl->right_press = event->position().toPoint();
    ImGuiIO& io = ImGui::GetIO();
    io.AddMousePosEvent(static_cast<float>(event->position().x()), static_cast<float>(event->position().y()));
    int const button = to_imgui_button(event->button());
    if (button >= 0) io.AddMouseButtonEvent(button, true);
    request_frames(frames_after_input);
    event->accept();
}

void ImGuiWidget::mouseDoubleClickEvent(QMouseEvent* event) { ImGuiWidget::mousePressEvent(event); }

void ImGuiWidget::mouseReleaseEvent(QMouseEvent* event) {
    m_impl->make_current();
    int const button = to_imgui_button(event->button());
    if (button >= 0) ImGui::GetIO().AddMouseButtonEvent(button, false);
    request_frames(frames_after_input);
    event->accept();
    if (event->button() != Qt::RightButton) return;
    QPoint const moved = event->position().toPoint() - m_impl->right_press;
    if (moved.manhattanLength() < QApplication::startDragDistance()) {
        emit context_menu_requested(event->globalPosition().toPoint());
    }
}

void ImGuiWidget::mouseMoveEvent(QMouseEvent* event) {
    m_impl->make_current();
    ImGui::GetIO().AddMousePosEvent(static_cast<float>(event->position().x()),
                                    static_cast<float>(event->position().y()));
    request_frames(2);
    event->accept();
}

void ImGuiWidget::wheelEvent(QWheelEvent* event) {
    m_impl->make_current();
    ImGui::GetIO().AddMouseWheelEvent(static_cast<float>(event->angleDelta().x()) / 120.0f,
                                      static_cast<float>(event->angleDelta().y()) / 120.0f);
    request_frames(frames_after_input);
    event->accept();
}

void ImGuiWidget::send_key(QKeyEvent* event, bool down) {
    m_impl->make_current();
    ImGuiIO& io = ImGui::GetIO();
    Qt::KeyboardModifiers const held = event->modifiers();
    io.AddKeyEvent(ImGuiMod_Ctrl, held.testFlag(Qt::ControlModifier));
    io.AddKeyEvent(ImGuiMod_Shift, held.testFlag(Qt::ShiftModifier));
    io.AddKeyEvent(ImGuiMod_Alt, held.testFlag(Qt::AltModifier));
    io.AddKeyEvent(ImGuiMod_Super, held.testFlag(Qt::MetaModifier));
    ImGuiKey const key = to_imgui_key(event->key(), held.testFlag(Qt::KeypadModifier));
    if (key != ImGuiKey_None) io.AddKeyEvent(key, down);
    QString const text = event->text();
    bool const wanted = io.WantTextInput;
    if (down && wanted && !text.isEmpty() && text.at(0).isPrint()) io.AddInputCharactersUTF8(text.toUtf8().constData());
    request_frames(frames_after_input);
    event->setAccepted(wanted);  // else shortcuts of the window get it
}

void ImGuiWidget::keyPressEvent(QKeyEvent* event) { send_key(event, true); }
void ImGuiWidget::keyReleaseEvent(QKeyEvent* event) { send_key(event, false); }

void ImGuiWidget::focusInEvent(QFocusEvent* event) {
    m_impl->make_current();
    ImGui::GetIO().AddFocusEvent(true);
    request_frames();
    QOpenGLWidget::focusInEvent(event);
}

void ImGuiWidget::focusOutEvent(QFocusEvent* event) {
    m_impl->make_current();
    ImGui::GetIO().AddFocusEvent(false);
    request_frames();
    QOpenGLWidget::focusOutEvent(event);
}

}  // namespace orrery
