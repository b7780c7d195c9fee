#include "renderers/plot/heat_map_view.h"

#include "renderers/plot/heat_map_canvas.h"

#include <QVBoxLayout>

namespace orrery {

HeatMapView::HeatMapView(QWidget* parent) : QWidget(parent), m_canvas(new HeatMapCanvas(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_canvas);
    setFocusProxy(m_canvas);
    setAccessibleName(tr("Heat map"));
    connect(m_canvas, &HeatMapCanvas::hovered, this, &HeatMapView::hovered);
    connect(m_canvas, &HeatMapCanvas::cell_pinned, this, &HeatMapView::cell_pinned);
    connect(m_canvas, &HeatMapCanvas::columns_brushed, this, &HeatMapView::columns_brushed);
    connect(m_canvas, &HeatMapCanvas::context_menu_requested, this, &HeatMapView::context_menu_requested);
}

HeatMapView::~HeatMapView() = default;

Result<void> HeatMapView::set_figure(Figure figure) { return m_canvas->set_figure(std::move(figure)); }
void HeatMapView::clear() { m_canvas->clear(); }
Figure HeatMapView::figure() const { return m_canvas->figure(); }
bool HeatMapView::empty() const { return m_canvas->empty(); }

Result<void> HeatMapView::set_column(int column, std::span<double const> values, std::span<double const> errors) {
    return m_canvas->set_column(column, values, errors);
}
Result<void> HeatMapView::set_cell(int row, int column, double value, double error) {
    return m_canvas->set_cell(row, column, value, error);
}
Result<void> HeatMapView::set_marks(std::vector<std::uint8_t> marks) { return m_canvas->set_marks(std::move(marks)); }

void HeatMapView::set_selection(SelectionModel* selection, QString const& column_kind, QString const& cell_kind) {
    m_canvas->set_selection(selection, column_kind, cell_kind);
}
void HeatMapView::set_cell_key(std::function<QString(int, int)> key) { m_canvas->set_cell_key(std::move(key)); }
void HeatMapView::set_empty_text(QString const& title, QString const& hint) { m_canvas->set_empty_text(title, hint); }

void HeatMapView::reset_view() { m_canvas->reset(); }
bool HeatMapView::zoomed() const { return m_canvas->navigator().zoomed(); }
std::optional<HeatMapCell> HeatMapView::pinned() const { return m_canvas->pinned(); }
void HeatMapView::pin(std::optional<HeatMapCell> cell) { m_canvas->pin(cell); }

QString HeatMapView::read_out(int row, int column) const {
    return QString::fromStdString(m_canvas->read_out(row, column));
}
QRectF HeatMapView::cell_rect(int row, int column) const {
    return m_canvas->cell_rect(row, column).translated(m_canvas->pos());
}
QRectF HeatMapView::map_rect() const { return m_canvas->navigator().area().translated(m_canvas->pos()); }
QImage HeatMapView::grab_frame() { return m_canvas->grab_frame(); }
int HeatMapView::frames_drawn() const { return m_canvas->frames_drawn(); }
double HeatMapView::last_frame_ms() const { return m_canvas->last_frame_ms(); }

}  // namespace orrery
