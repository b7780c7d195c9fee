// A heat map on screen: one texel a cell, labels, groups, strips, colour bar, hover, pins and brushing, linked to the
// selection of the room. From 20 x 33 to 8,000 x 8,000 cells.
//
//   auto* map = new HeatMapView;
//   map->set_selection(&selection);                       // columns are "residue", cells "mutant"
//   map->set_cell_key([](int row, int column) { return QString("EA63Q"); });
//   map->set_figure(figure);                              // content: HeatMap
//   map->set_column(4, means, errors);                    // while a job runs
//
// Mouse: the wheel zooms at the pointer, the right button pans, a double click resets, a click pins a cell and selects
// it and its column, a drag brushes columns. Keys: arrows move the cell, Enter pins, Escape clears, + - 0 zoom. All
// calls on the window's thread.
#pragma once

#include "core/base/figure.h"
#include "core/base/result.h"

#include <QImage>
#include <QRect>
#include <QWidget>
#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace orrery {

class HeatMapCanvas;
class SelectionModel;

struct HeatMapCell {
    int row = 0, column = 0;
    bool operator==(HeatMapCell const&) const = default;
};

class HeatMapView : public QWidget {
    Q_OBJECT
public:
    explicit HeatMapView(QWidget* parent = nullptr);
    ~HeatMapView() override;

    // Errors: no heat map in it; arrays that do not fit the axes. The figure shown before stays then.
    Result<void> set_figure(Figure figure);
    void clear();
    [[nodiscard]] Figure figure() const;  // what is shown, for export; empty when nothing is
    [[nodiscard]] bool empty() const;

    // Live updates; `values` and `errors` one a row (errors may be empty). Errors: no figure, no such column, wrong
    // length.
    Result<void> set_column(int column, std::span<double const> values, std::span<double const> errors = {});
    Result<void> set_cell(int row, int column, double value, double error);
    Result<void> set_marks(std::vector<std::uint8_t> marks);

    void set_selection(SelectionModel* selection, QString const& column_kind = "residue",
                       QString const& cell_kind = "mutant");
    // The selection key of a cell; an empty text means it has none (wild type).
    void set_cell_key(std::function<QString(int row, int column)> key);
    void set_empty_text(QString const& title, QString const& hint);

    void reset_view();
    [[nodiscard]] bool zoomed() const;
    [[nodiscard]] std::optional<HeatMapCell> pinned() const;
    void pin(std::optional<HeatMapCell> cell);

    // "A:63 E→Q 1.24 ± 0.11 kcal/mol"
    [[nodiscard]] QString read_out(int row, int column) const;
    [[nodiscard]] QRectF cell_rect(int row, int column) const;  // in this widget, as last drawn
    [[nodiscard]] QRectF map_rect() const;
    // The picture now, in device pixels. Exports use core/figure with figure() instead.
    [[nodiscard]] QImage grab_frame();
    [[nodiscard]] int frames_drawn() const;
    [[nodiscard]] double last_frame_ms() const;  // CPU time

signals:
    void hovered(QString const& read_out);  // empty: no cell
    void cell_pinned(int row, int column);  // -1, -1: none
    void columns_brushed(int first, int last);
    void context_menu_requested(QPoint const& global_position);

private:
    HeatMapCanvas* m_canvas;
};

}  // namespace orrery
