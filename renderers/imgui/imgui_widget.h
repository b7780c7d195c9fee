// The host of Dear ImGui and ImPlot in the Qt window. One context pair a widget; drawn only when data, size, theme or
// input changed: a few frames after input (Dear ImGui needs them to settle), then none.
//
//   class MyPlot : public ImGuiWidget {
//       void draw() override { ImPlot::BeginPlot("##plot", ImVec2(-1, -1)); ... }
//   };
//   plot->request_frames();   // after the data changed
//
// All calls on the window's thread. draw() and release_gl() run with the GL, ImGui and ImPlot contexts current.
#pragma once

#include <QImage>
#include <QOpenGLWidget>
#include <memory>

namespace orrery {

class ImGuiWidget : public QOpenGLWidget {
    Q_OBJECT
public:
    explicit ImGuiWidget(QWidget* parent = nullptr);
    ~ImGuiWidget() override;

    void request_frames(int count = 1);
    [[nodiscard]] int frames_drawn() const;
    // CPU time of the last frame: building it and handing it to GL, without what GL does later.
    [[nodiscard]] double last_frame_ms() const;
    [[nodiscard]] int last_frame_vertices() const;
    // The picture now, in device pixels (devicePixelRatio set).
    [[nodiscard]] QImage grab_frame();

signals:
    void frame_drawn();
    // The right button was released without a drag: the place for a menu.
    void context_menu_requested(QPoint const& global_position);

protected:
    virtual void draw() = 0;
    // Frees GL objects of the subclass. A subclass that has some also calls stop_gl() in its destructor.
    virtual void release_gl() {}
    void stop_gl();
    // The second font (code, sequences), for ImGui::PushFont; null before the first frame.
    [[nodiscard]] void* monospaced_font() const;

    void initializeGL() override;
    void resizeGL(int width, int height) override;
    void paintGL() override;
    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    struct Impl;
    void apply_theme_now();
    void send_key(QKeyEvent* event, bool down);
    std::unique_ptr<Impl> m_impl;
};

}  // namespace orrery
