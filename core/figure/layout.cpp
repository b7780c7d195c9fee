#include "core/figure/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace orrery::figure {
namespace {

Result<void> check(HeatMap const& map) {
    std::size_t const rows = map.rows.categories.size(), columns = map.columns.categories.size();
    auto wrong = [](std::string_view what, std::size_t have, std::size_t need) {
        return bad_input(fmt::format("the heat map has {} {}, but its axes ask for {}", have, what, need));
    };
    if (rows == 0 || columns == 0) return bad_input("the heat map has no rows or no columns");
    if (columns > std::size_t{1} << 24 || rows > (std::size_t{1} << 26) / columns)
        return bad_input("the heat map has more than 67 million cells");
    if (map.values.size() != rows * columns) return wrong("values", map.values.size(), rows * columns);
    if (!map.marks.empty() && map.marks.size() != rows * columns)
        return wrong("marks", map.marks.size(), rows * columns);
    if (!map.column_groups.empty() && map.column_groups.size() != columns)
        return wrong("column groups", map.column_groups.size(), columns);
    if (!map.row_groups.empty() && map.row_groups.size() != rows)
        return wrong("row groups", map.row_groups.size(), rows);
    for (Series const& strip : map.strips)
        if (strip.y.size() != columns) return wrong("values in strip " + strip.name, strip.y.size(), columns);
    return {};
}

Result<void> check(XyPlot const& plot) {
    for (Series const& series : plot.series) {
        if (!series.x.empty() && series.x.size() != series.y.size())
            return bad_input(
                fmt::format("series \"{}\" has {} x but {} y", series.name, series.x.size(), series.y.size()));
        if (!series.error.empty() && series.error.size() != series.y.size())
            return bad_input(
                fmt::format("series \"{}\" has {} errors but {} y", series.name, series.error.size(), series.y.size()));
    }
    return {};
}

}  // namespace

std::string titled(std::string const& title, std::string const& unit) {
    if (unit.empty()) return title;
    return title.empty() ? unit : title + " (" + unit + ")";
}

std::vector<std::vector<Point>> hatch(Box const& box, double spacing, bool up) {
    std::vector<std::vector<Point>> strokes;
    // Strokes lie where x + y (up) or x - y (down) is a whole multiple of the spacing, whatever the box.
    double const low = up ? box.x + box.y : box.x - box.bottom(),
                 high = up ? box.right() + box.bottom() : box.right() - box.y;
    for (double c = std::ceil(low / spacing) * spacing; c < high; c += spacing) {
        double const x0 = up ? std::max(box.x, c - box.bottom()) : std::max(box.x, c + box.y);
        double const x1 = up ? std::min(box.right(), c - box.y) : std::min(box.right(), c + box.bottom());
        if (x1 - x0 < 0.05) continue;
        strokes.push_back({{x0, up ? c - x0 : x0 - c}, {x1, up ? c - x1 : x1 - c}});
    }
    return strokes;
}

Result<DisplayList> lay_out(Figure const& figure, ExportOptions const& options) {
    ORRERY_CHECK(std::visit([](auto const& content) { return check(content); }, figure.content));
    Page page(options);
    Style const& style = page.style;
    double const inner = page.width - 2 * Page::margin;
    double top = Page::margin;
    for (std::string const& line : page.metrics.wrap(clean_text(figure.title), style.title, inner, true)) {
        top += style.title * TextMetrics::line_height;
        page.text({Page::margin, top - style.title * 0.35}, line, style.title, style.text, Anchor::start, 0, true);
    }
    if (top > Page::margin) top += style.font * 0.5;

    std::vector<std::string> const caption = page.metrics.wrap(clean_text(figure.caption), style.small, inner);
    double const caption_height = caption.empty() ? 0
                                                  : style.font * 0.5 + static_cast<double>(caption.size()) *
                                                                           style.small * TextMetrics::line_height;
    double content_height = 0;
    if (options.height_mm > 0) {
        content_height = points_of_mm(options.height_mm) - top - caption_height - Page::margin;
        double const least = 8 * style.font;
        if (content_height < least)
            return bad_input(
                fmt::format("a height of {:.0f} mm is too small for this figure", options.height_mm), {},
                fmt::format("Give at least {:.0f} mm, or 0 to let the content decide",
                            std::ceil((points_of_mm(options.height_mm) - content_height + least) * 25.4 / 72)));
    }
    double bottom = std::holds_alternative<HeatMap>(figure.content)
                        ? lay_out_heat_map(page, std::get<HeatMap>(figure.content), top, content_height)
                        : lay_out_plot(page, std::get<XyPlot>(figure.content), top, content_height);
    if (!caption.empty()) bottom += style.font * 0.5;
    for (std::string const& line : caption) {
        bottom += style.small * TextMetrics::line_height;
        page.text({Page::margin, bottom - style.small * 0.35}, line, style.small, style.secondary);
    }
    page.list.width = page.width;
    page.list.height = options.height_mm > 0 ? points_of_mm(options.height_mm) : bottom + Page::margin;
    page.list.title = clean_text(figure.title);
    return std::move(page.list);
}

}  // namespace orrery::figure
