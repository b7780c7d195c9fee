// What the layouts of all kinds of figures share: style, metrics, the list being made, and helpers that add to it.
#pragma once

#include "core/figure/display_list.h"
#include "core/figure/export.h"
#include "core/figure/style.h"
#include "core/figure/text_metrics.h"

namespace orrery::figure {

class Page {
public:
    explicit Page(ExportOptions const& options) : style(options), width(points_of_mm(options.width_mm)) {}

    Style style;
    TextMetrics metrics;
    DisplayList list;
    double width;
    static constexpr double margin = 4;

    void add(Item item) { list.items.push_back(std::move(item)); }
    void text(Point at, std::string const& text, double size, Color color, Anchor anchor = Anchor::start,
              double rotation = 0, bool bold = false) {
        if (!text.empty()) add(Text{at, clean_text(text), size, color, anchor, rotation, bold});
    }
    void line(Point a, Point b, Pen const& pen) { add(Lines{{{a, b}}, pen}); }
    void frame(Box const& box, Pen const& pen) {
        add(Lines{{{{box.x, box.y},
                    {box.right(), box.y},
                    {box.right(), box.bottom()},
                    {box.x, box.bottom()},
                    {box.x, box.y}}},
                  pen});
    }
};

// "ddG of binding (kcal/mol)"
[[nodiscard]] std::string titled(std::string const& title, std::string const& unit);

// Parallel strokes that fill the box, at 45 degrees up (true) or down. Neighbouring boxes continue each other's
// strokes.
[[nodiscard]] std::vector<std::vector<Point>> hatch(Box const& box, double spacing, bool up);

// The whole figure: title, content, caption. Errors: arrays that do not fit the axes, a height too small for the
// content.
Result<DisplayList> lay_out(Figure const& figure, ExportOptions const& options);

// The content alone, below `top`. `height` is what it may take, 0: what it needs. Gives the y where it ends.
double lay_out_heat_map(Page& page, HeatMap const& map, double top, double height);
double lay_out_plot(Page& page, XyPlot const& plot, double top, double height);

}  // namespace orrery::figure
