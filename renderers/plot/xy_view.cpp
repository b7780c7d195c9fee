#include "renderers/plot/xy_view.h"

#include "renderers/plot/xy_canvas.h"

#include <QVBoxLayout>

namespace orrery {

XyView::XyView(QWidget* parent) : QWidget(parent), m_canvas(new XyCanvas(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_canvas);
    setFocusProxy(m_canvas);
    setAccessibleName(tr("Plot"));
    connect(m_canvas, &XyCanvas::hovered, this, &XyView::hovered);
    connect(m_canvas, &XyCanvas::points_selected, this, &XyView::points_selected);
    connect(m_canvas, &XyCanvas::point_moved, this, &XyView::point_moved);
    connect(m_canvas, &XyCanvas::context_menu_requested, this, &XyView::context_menu_requested);
}

XyView::~XyView() = default;

Result<void> XyView::set_figure(Figure figure) { return m_canvas->set_figure(std::move(figure)); }
void XyView::clear() { m_canvas->clear(); }
Figure XyView::figure() const { return m_canvas->figure(); }
bool XyView::empty() const { return m_canvas->empty(); }
Result<void> XyView::append(int series, std::span<double const> x, std::span<double const> y,
                            std::span<double const> error) {
    return m_canvas->append(series, x, y, error);
}
int XyView::add_series(Series const& series) { return m_canvas->add_series(series); }
Result<void> XyView::replace_series(int number, Series const& series) {
    return m_canvas->replace_series(number, series);
}
void XyView::set_movable(int number, bool movable) { m_canvas->set_movable(number, movable); }
void XyView::set_live(bool live) { m_canvas->set_live(live); }
bool XyView::live() const { return m_canvas->live(); }
void XyView::set_selection(SelectionModel* selection, QString const& kind) { m_canvas->set_selection(selection, kind); }
void XyView::set_empty_text(QString const& title, QString const& hint) { m_canvas->set_empty_text(title, hint); }
void XyView::reset_view() { m_canvas->reset(); }
bool XyView::zoomed() const { return m_canvas->navigator().zoomed(); }
QString XyView::read_out(int series, std::size_t index) const {
    return QString::fromStdString(m_canvas->read_out({series, index}));
}
QPointF XyView::point_position(int series, std::size_t index) const {
    return m_canvas->position({series, index}) + m_canvas->pos();
}
QRectF XyView::plot_rect() const { return m_canvas->navigator().area().translated(m_canvas->pos()); }
QImage XyView::grab_frame() { return m_canvas->grab_frame(); }
int XyView::frames_drawn() const { return m_canvas->frames_drawn(); }
double XyView::last_frame_ms() const { return m_canvas->last_frame_ms(); }
int XyView::last_frame_vertices() const { return m_canvas->last_frame_vertices(); }

}  // namespace orrery
