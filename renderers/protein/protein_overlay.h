// What is written over the 3-D picture: legend, name under the pointer, progress. A widget of its own above the canvas,
// so that hovering draws no 3-D; the same painting goes into exported pictures.
#pragma once

#include "renderers/protein/coloring.h"
#include "renderers/theme.h"

#include <QPainterPath>
#include <QWidget>

namespace orrery::protein {

// In the lower left corner of `area`. `scale`: pixels of the painter for one logical pixel.
void paint_legend(QPainter& painter, QRectF const& area, Legend const& legend, Theme const& theme, double scale);

class Overlay : public QWidget {
public:
    explicit Overlay(QWidget* parent);
    void set_legend(Legend legend);
    void set_theme(Theme theme);
    void set_progress(QString text);  // empty: none
    // `rim`: outline of what lies under the pointer, logical pixels; `label` beside `at`.
    void set_hover(QPainterPath rim, QString label, QPointF at);
    void clear_hover();
    void set_marks(QPainterPath rings);  // around what is selected and too small to be outlined

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Legend m_legend;
    Theme m_theme;
    QString m_progress, m_label;
    QPainterPath m_marks;
    QPainterPath m_rim;
    QPointF m_at;
};

}  // namespace orrery::protein
