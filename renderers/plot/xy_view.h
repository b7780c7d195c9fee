// Points, lines and bars on screen: hover with exact values, linked selection, zoom; lines of ten million points with
// every extreme, and live series that say how old their last point is.
//
//   auto* plot = new XyView;
//   plot->set_selection(&selection, "mutant");   // Series::keys
//   plot->set_figure(figure);                    // content: XyPlot
//   plot->append(0, {&step, 1}, {&loss, 1});     // while a job runs
//
// Mouse: a drag zooms into a box, with Shift it selects the points in it; a click selects a point (Ctrl adds it); the
// wheel zooms at the pointer, the right button pans, a double click resets. All calls on the window's thread.
//
// Points that a user may move up and down (knots of a curve): plot->set_movable(0, true), then answer point_moved.
//
// Lines with x that never falls are reduced to the smallest and largest value of each pixel column. Others are drawn in
// full, which is fine up to some 100,000 points.
#pragma once

#include "core/base/figure.h"
#include "core/base/result.h"

#include <QImage>
#include <QWidget>
#include <span>

namespace orrery {

class SelectionModel;
class XyCanvas;

class XyView : public QWidget {
    Q_OBJECT
public:
    explicit XyView(QWidget* parent = nullptr);
    ~XyView() override;

    // Errors: no such plot in it; x, y, errors, labels or keys of different lengths. What was shown stays then.
    Result<void> set_figure(Figure figure);
    void clear();
    [[nodiscard]] Figure figure() const;  // a copy of what is plotted, at full resolution
    [[nodiscard]] bool empty() const;     // no point

    // Adds points to a series; x may be empty (points follow each other by 1). Marks the plot live.
    // Errors: no such series, lengths differ.
    Result<void> append(int series, std::span<double const> x, std::span<double const> y,
                        std::span<double const> error = {});
    int add_series(Series const& series);  // its number
    // Other points for a series; what part of the plot is shown stays. Errors as set_figure, or no such series.
    Result<void> replace_series(int number, Series const& series);
    // A drag that begins on a point of this series moves it in y; the plot shows it while it is dragged, and
    // point_moved says where it is. The owner of the data answers the last one (with replace_series or set_figure).
    void set_movable(int number, bool movable);
    // Live: shows the age of the last point. Off when the job has ended.
    void set_live(bool live);
    [[nodiscard]] bool live() const;

    void set_selection(SelectionModel* selection, QString const& kind = "mutant");
    void set_empty_text(QString const& title, QString const& hint);

    void reset_view();
    [[nodiscard]] bool zoomed() const;
    [[nodiscard]] QString read_out(int series, std::size_t index) const;
    [[nodiscard]] QPointF point_position(int series, std::size_t index) const;  // in this widget, as last drawn
    [[nodiscard]] QRectF plot_rect() const;
    [[nodiscard]] QImage grab_frame();
    [[nodiscard]] int frames_drawn() const;
    [[nodiscard]] double last_frame_ms() const;  // CPU time
    [[nodiscard]] int last_frame_vertices() const;

signals:
    void hovered(QString const& read_out);  // empty: no point
    void points_selected(QStringList const& keys);
    void point_moved(int series, int index, double y, bool finished);
    void context_menu_requested(QPoint const& global_position);

private:
    XyCanvas* m_canvas;
};

}  // namespace orrery
