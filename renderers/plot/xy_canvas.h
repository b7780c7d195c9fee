// The drawing and the mouse of XyView. State and input in xy_canvas.cpp, drawing in xy_draw.cpp.
#pragma once

#include "renderers/plot/plot_canvas.h"
#include "renderers/plot/xy_series.h"
#include "renderers/plot/xy_view.h"

#include <QElapsedTimer>
#include <QHash>
#include <QPointer>
#include <QTimer>
#include <optional>

struct ImDrawList;

namespace orrery {

struct XyPoint {
    int series = 0;
    std::size_t index = 0;
    bool operator==(XyPoint const&) const = default;
};

class XyCanvas : public PlotCanvas {
    Q_OBJECT
public:
    explicit XyCanvas(QWidget* parent);
    ~XyCanvas() override;

    Result<void> set_figure(Figure figure);
    void clear();
    [[nodiscard]] Figure figure() const;
    [[nodiscard]] bool empty() const;
    Result<void> append(int series, std::span<double const> x, std::span<double const> y,
                        std::span<double const> error);
    int add_series(Series const& series);
    Result<void> replace_series(int number, Series const& series);
    void set_movable(int number, bool movable);
    void set_live(bool live);
    [[nodiscard]] bool live() const { return m_live; }
    void set_selection(SelectionModel* selection, QString const& kind);
    void set_empty_text(QString const& title, QString const& hint);
    void reset() { reset_view(); }
    [[nodiscard]] std::string read_out(XyPoint point) const;
    [[nodiscard]] QPointF position(XyPoint point) const;

signals:
    void hovered(QString const& read_out);
    void points_selected(QStringList const& keys);
    void point_moved(int series, int index, double y, bool finished);

protected:
    void draw() override;
    void pointer_moved(std::optional<QPointF> position) override;
    void clicked(QPointF position, Qt::KeyboardModifiers held) override;
    void dragged(QPointF from, QPointF to, Qt::KeyboardModifiers held, bool finished) override;
    void drag_cancelled() override;
    [[nodiscard]] bool belongs_to_imgui(QPointF position) const override;

private:
    // What is drawn of a series, made anew when its points, the view or the width change.
    struct Drawn {
        std::vector<double> x, y, error;
        ReducedLine line;
        std::uint64_t version = 0;
        PlotLimits limits;
        int columns = 0;
        bool visible = true;
    };
    [[nodiscard]] XySeries const& series(int number) const { return m_series[static_cast<std::size_t>(number)]; }
    [[nodiscard]] bool categorical() const { return !m_plot.x.categories.empty(); }
    void find_home();
    void move_point(QPointF to, bool finished);
    void place_legend();
    void index_keys();
    void read_selection();
    void read_hover();
    [[nodiscard]] std::optional<XyPoint> point_at(QPointF position) const;
    [[nodiscard]] std::optional<XyPoint> bar_at(QPointF position) const;
    [[nodiscard]] double bar_width() const;
    [[nodiscard]] double bar_center(XyPoint point) const;
    void select(QSet<QString> const& keys);
    void describe();
    void tick();

    // xy_draw.cpp
    float draw_header(ImDrawList& list);
    float draw_legend_above(ImDrawList& list, float top, float right);
    [[nodiscard]] bool legend_belongs_above() const;
    void set_up_axes();
    void draw_lines_of_reference();
    void draw_series(int number);
    void draw_line(int number, Drawn& drawn);
    void draw_error_bars(int number, Drawn const& drawn);
    void draw_band(int number, Drawn const& drawn);
    void draw_points_on_top(ImDrawList& list);
    void refresh(int number, Drawn& drawn);
    [[nodiscard]] QColor color(int number) const;
    [[nodiscard]] std::string age_text() const;

    std::string m_title, m_caption;
    Json m_provenance = Json::object();
    XyPlot m_plot;  // without its series
    std::vector<XySeries> m_series;
    std::vector<Drawn> m_drawn;
    int m_decimals_x = 2, m_decimals_y = 2;
    std::optional<XyPoint> m_hover, m_linked;
    std::optional<QRectF> m_box;  // while dragging
    std::vector<int> m_movable;   // series whose points can be dragged
    std::optional<XyPoint> m_moving;
    double m_moved_to = 0;
    bool m_box_selects = false;
    QRectF m_legend;
    int m_legend_corner = 0;
    bool m_legend_above = false;

    QPointer<SelectionModel> m_selection;
    QString m_kind;
    QHash<QString, XyPoint> m_point_of_key;
    std::vector<XyPoint> m_selected;

    bool m_live = false;
    int m_live_series = 0;
    QElapsedTimer m_since_point;
    QTimer m_timer;
    std::string m_empty_title = "No data yet", m_empty_hint = "Points appear here while the calculation runs.";
};

}  // namespace orrery
