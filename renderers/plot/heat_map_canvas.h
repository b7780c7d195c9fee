// The drawing and the mouse of HeatMapView. State here and answers to input in heat_map_canvas.cpp, drawing in
// heat_map_draw.cpp.
#pragma once

#include "core/base/color_maps.h"
#include "renderers/plot/heat_map_levels.h"
#include "renderers/plot/heat_map_tiles.h"
#include "renderers/plot/heat_map_view.h"
#include "renderers/plot/plot_canvas.h"

#include <QHash>
#include <QPointer>
#include <QSet>
#include <set>

struct ImDrawList;

namespace orrery {

class HeatMapCanvas : public PlotCanvas {
    Q_OBJECT
public:
    explicit HeatMapCanvas(QWidget* parent);
    ~HeatMapCanvas() override;

    Result<void> set_figure(Figure figure);
    void clear();
    [[nodiscard]] Figure const& figure() const { return m_figure; }
    [[nodiscard]] bool empty() const { return m_rows == 0 || m_columns == 0; }
    Result<void> set_column(int column, std::span<double const> values, std::span<double const> errors);
    Result<void> set_cell(int row, int column, double value, double error);
    Result<void> set_marks(std::vector<std::uint8_t> marks);
    void set_selection(SelectionModel* selection, QString const& column_kind, QString const& cell_kind);
    void set_cell_key(std::function<QString(int, int)> key);
    void set_empty_text(QString const& title, QString const& hint);
    void reset() { reset_view(); }
    [[nodiscard]] std::optional<HeatMapCell> pinned() const { return m_pinned; }
    void pin(std::optional<HeatMapCell> cell);
    [[nodiscard]] std::string read_out(int row, int column) const;
    [[nodiscard]] QRectF cell_rect(int row, int column) const;

signals:
    void hovered(QString const& read_out);
    void cell_pinned(int row, int column);
    void columns_brushed(int first, int last);

protected:
    void draw() override;
    void release_gl() override { m_tiles.release(); }
    void pointer_moved(std::optional<QPointF> position) override;
    void clicked(QPointF position, Qt::KeyboardModifiers held) override;
    void dragged(QPointF from, QPointF to, Qt::KeyboardModifiers held, bool finished) override;
    void drag_cancelled() override;
    void key(QKeyEvent* event) override;

private:
    struct Layout;
    [[nodiscard]] HeatMap& map() { return std::get<HeatMap>(m_figure.content); }
    [[nodiscard]] HeatMap const& map() const { return std::get<HeatMap>(m_figure.content); }
    [[nodiscard]] std::size_t index(int row, int column) const;
    [[nodiscard]] std::uint8_t mark(int row, int column) const;
    [[nodiscard]] std::optional<HeatMapCell> cell_at(QPointF position) const;
    [[nodiscard]] QString column_key(int column) const;
    [[nodiscard]] QString cell_key(int row, int column) const;
    [[nodiscard]] int wild_type_row(int column) const;  // -1: no dot in the column
    void cells_changed(std::size_t row, std::size_t row_end, std::size_t column, std::size_t column_end);
    void find_range();
    void index_keys();
    void read_selection();
    void read_hover();
    void hover(std::optional<HeatMapCell> cell);
    void describe();

    // heat_map_draw.cpp
    [[nodiscard]] Layout lay_out();
    void draw_cells(Layout const& layout);
    void draw_missing(ImDrawList& list, Layout const& layout);
    void draw_marks(ImDrawList& list, Layout const& layout);
    void draw_groups(ImDrawList& list, Layout const& layout);
    void draw_selection(ImDrawList& list, Layout const& layout);
    void draw_titles(ImDrawList& list, Layout const& layout);
    void draw_row_labels(ImDrawList& list, Layout const& layout);
    void draw_column_labels(ImDrawList& list, Layout const& layout);
    void draw_strips(ImDrawList& list, Layout const& layout);
    void draw_color_bar(ImDrawList& list, Layout const& layout);
    void draw_hover(ImDrawList& list, Layout const& layout);
    float widest_label(Axis const& axis, float& cache);

    Figure m_figure;
    int m_rows = 0, m_columns = 0;
    int m_decimals = 2;
    HeatMapLevels m_levels;
    HeatMapTiles m_tiles;
    ColorRange m_range;
    std::optional<HeatMapCell> m_hover, m_pinned;
    bool m_pointer_inside = false;
    std::optional<std::pair<int, int>> m_brush;  // columns, while dragging

    QPointer<SelectionModel> m_selection;
    QString m_column_kind, m_cell_kind;
    std::function<QString(int, int)> m_cell_key;
    QHash<QString, int> m_column_of_key;
    QHash<QString, HeatMapCell> m_cell_of_key;
    std::set<int> m_selected_columns;
    std::vector<HeatMapCell> m_selected_cells;
    int m_linked_column = -1;  // under the pointer in another view
    std::optional<HeatMapCell> m_linked_cell;

    std::string m_empty_title = "No data yet", m_empty_hint = "The map fills in while the calculation runs.";
    float m_row_label_width = -1, m_column_label_width = -1, m_label_font_size = 0;
};

}  // namespace orrery
