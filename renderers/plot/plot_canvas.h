// What all plots do with the mouse: the wheel zooms at the pointer, the right button pans, a double click resets; the
// left button is the plot's own (click and drag).
#pragma once

#include "renderers/imgui/imgui_widget.h"
#include "renderers/plot/plot_navigator.h"

#include <QPointF>
#include <optional>

namespace orrery {

class PlotCanvas : public ImGuiWidget {
    Q_OBJECT
public:
    explicit PlotCanvas(QWidget* parent);
    [[nodiscard]] PlotNavigator& navigator() { return m_navigator; }
    [[nodiscard]] PlotNavigator const& navigator() const { return m_navigator; }

protected:
    virtual void pointer_moved(std::optional<QPointF> position) = 0;  // nullopt: left the plot
    virtual void clicked(QPointF position, Qt::KeyboardModifiers held) = 0;
    virtual void dragged(QPointF from, QPointF to, Qt::KeyboardModifiers held, bool finished) = 0;
    virtual void drag_cancelled() {}
    virtual void key(QKeyEvent* event);
    // Whether the left button there is Dear ImGui's (a legend's entries).
    [[nodiscard]] virtual bool belongs_to_imgui(QPointF) const { return false; }
    void reset_view();

    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    PlotNavigator m_navigator;
    std::optional<QPointF> m_left_press, m_pan_from;
    bool m_dragging = false;
};

}  // namespace orrery
