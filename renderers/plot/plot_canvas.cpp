#include "renderers/plot/plot_canvas.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <cmath>

namespace orrery {

PlotCanvas::PlotCanvas(QWidget* parent) : ImGuiWidget(parent) {}

void PlotCanvas::reset_view() {
    m_navigator.reset();
    request_frames(2);
}

void PlotCanvas::mousePressEvent(QMouseEvent* event) {
    ImGuiWidget::mousePressEvent(event);
    QPointF const position = event->position();
    if (event->button() == Qt::LeftButton && !belongs_to_imgui(position)) {
        m_left_press = position;
        m_dragging = false;
    }
    if (event->button() == Qt::RightButton || event->button() == Qt::MiddleButton) m_pan_from = position;
}

void PlotCanvas::mouseMoveEvent(QMouseEvent* event) {
    ImGuiWidget::mouseMoveEvent(event);
    QPointF const position = event->position();
    if (m_pan_from) {
        m_navigator.pan(position - *m_pan_from);
        m_pan_from = position;
        return;
    }
    if (m_left_press) {
        bool const far = (position - *m_left_press).manhattanLength() >= QApplication::startDragDistance();
        m_dragging = m_dragging || far;
        if (m_dragging) dragged(*m_left_press, position, event->modifiers(), false);
        return;
    }
    if (m_navigator.area().contains(position)) {
        pointer_moved(position);
    } else {
        pointer_moved(std::nullopt);
    }
}

void PlotCanvas::mouseReleaseEvent(QMouseEvent* event) {
    ImGuiWidget::mouseReleaseEvent(event);
    if (event->button() == Qt::RightButton || event->button() == Qt::MiddleButton) m_pan_from.reset();
    if (event->button() != Qt::LeftButton || !m_left_press) return;
    QPointF const from = *m_left_press;
    m_left_press.reset();
    if (m_dragging) {
        m_dragging = false;
        dragged(from, event->position(), event->modifiers(), true);
    } else {
        clicked(event->position(), event->modifiers());
    }
}

void PlotCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    ImGuiWidget::mouseDoubleClickEvent(event);
    if (event->button() == Qt::LeftButton && !belongs_to_imgui(event->position())) {
        m_left_press.reset();
        reset_view();
    }
}

void PlotCanvas::wheelEvent(QWheelEvent* event) {
    if (!m_navigator.area().contains(event->position())) {
        event->ignore();  // the page under the plot scrolls
        return;
    }
    m_navigator.zoom_at(event->position(), std::pow(0.85, event->angleDelta().y() / 120.0));
    pointer_moved(event->position());
    request_frames(2);
    event->accept();
}

void PlotCanvas::key(QKeyEvent* event) { event->ignore(); }

void PlotCanvas::keyPressEvent(QKeyEvent* event) {
    QPointF const middle = m_navigator.area().center();
    event->accept();
    switch (event->key()) {
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            m_navigator.zoom_at(middle, 0.85);
            break;
        case Qt::Key_Minus:
            m_navigator.zoom_at(middle, 1 / 0.85);
            break;
        case Qt::Key_0:
            m_navigator.reset();
            break;
        case Qt::Key_Escape:
            if (m_dragging) {
                m_left_press.reset();
                m_dragging = false;
                drag_cancelled();
                break;
            }
            [[fallthrough]];
        default:
            key(event);
    }
    request_frames(2);
}

bool PlotCanvas::event(QEvent* event) {
    if (event->type() == QEvent::Leave && !m_left_press) pointer_moved(std::nullopt);
    return ImGuiWidget::event(event);
}

}  // namespace orrery
