#include "core/figure/paint_cairo.h"

#include <cmath>
#include <cstring>
#include <numbers>

namespace orrery::figure {
namespace {

void set_color(cairo_t* context, Color const& color) {
    cairo_set_source_rgba(context, color.rgb[0] / 255.0, color.rgb[1] / 255.0, color.rgb[2] / 255.0, color.alpha);
}

void set_pen(cairo_t* context, Pen const& pen) {
    set_color(context, pen.color);
    cairo_set_line_width(context, pen.width);
    cairo_set_dash(context, pen.dash.data(), static_cast<int>(pen.dash.size()), 0);
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND);
}

void trace(cairo_t* context, std::vector<Point> const& points) {
    cairo_new_sub_path(context);
    for (Point const& p : points) cairo_line_to(context, p.x, p.y);
}

void fill_and_edge(cairo_t* context, Color const& fill, double edge_width, Color const& edge) {
    set_color(context, fill);
    if (edge_width <= 0) return cairo_fill(context);
    cairo_fill_preserve(context);
    set_pen(context, {edge, edge_width, {}});
    cairo_stroke(context);
}

void draw(cairo_t* context, FilledBox const& item) {
    cairo_rectangle(context, item.box.x, item.box.y, item.box.width, item.box.height);
    set_color(context, item.fill);
    cairo_fill(context);
}

void draw(cairo_t* context, Lines const& item) {
    set_pen(context, item.pen);
    // Strokes are made in batches: cairo's time for one path grows faster than its length.
    std::size_t points = 0;
    for (auto const& piece : item.pieces) {
        trace(context, piece);
        points += piece.size();
        if (points < 2000) continue;
        cairo_stroke(context);
        points = 0;
    }
    cairo_stroke(context);
}

void draw(cairo_t* context, Polygon const& item) {
    trace(context, item.points);
    cairo_close_path(context);
    fill_and_edge(context, item.fill, item.edge_width, item.edge_color);
}

void draw(cairo_t* context, Discs const& item) {
    for (Point const& center : item.centers) {
        cairo_new_sub_path(context);
        cairo_arc(context, center.x, center.y, item.radius, 0, 2 * std::numbers::pi);
        cairo_close_path(context);
        fill_and_edge(context, item.fill, item.edge_width, item.edge_color);
    }
}

void draw(cairo_t* context, Text const& item) {
    select_font(context, item.size, item.bold);
    set_color(context, item.color);
    cairo_text_extents_t extents;
    cairo_text_extents(context, item.text.c_str(), &extents);
    double const shift = item.anchor == Anchor::start    ? 0
                         : item.anchor == Anchor::middle ? -extents.x_advance / 2
                                                         : -extents.x_advance;
    cairo_save(context);
    cairo_translate(context, item.at.x, item.at.y);
    cairo_rotate(context, item.rotation * std::numbers::pi / 180);
    cairo_move_to(context, shift, 0);
    cairo_show_text(context, item.text.c_str());
    cairo_restore(context);
}

void draw(cairo_t* context, Cells const& item) {
    int const columns = static_cast<int>(item.columns), rows = static_cast<int>(item.rows);
    Surface const image(cairo_image_surface_create(CAIRO_FORMAT_RGB24, columns, rows));
    if (cairo_surface_status(image.get()) != CAIRO_STATUS_SUCCESS) return;
    cairo_surface_flush(image.get());
    unsigned char* data = cairo_image_surface_get_data(image.get());
    int const stride = cairo_image_surface_get_stride(image.get());
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c) {
            Rgb const& color = item.colors[static_cast<std::size_t>(r) * item.columns + static_cast<std::size_t>(c)];
            std::uint32_t const pixel = std::uint32_t{color[0]} << 16 | std::uint32_t{color[1]} << 8 | color[2];
            std::memcpy(data + static_cast<std::ptrdiff_t>(r) * stride + static_cast<std::ptrdiff_t>(c) * 4, &pixel, 4);
        }
    cairo_surface_mark_dirty(image.get());
    cairo_save(context);
    // Padded, so that the outermost cells do not fade into what lies behind; the clip keeps the padding off.
    cairo_rectangle(context, item.box.x, item.box.y, item.box.width, item.box.height);
    cairo_clip(context);
    cairo_translate(context, item.box.x, item.box.y);
    cairo_scale(context, item.box.width / columns, item.box.height / rows);
    cairo_set_source_surface(context, image.get(), 0, 0);
    cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_NEAREST);
    cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD);
    cairo_paint(context);
    cairo_restore(context);
}

void draw(cairo_t* context, BeginClip const& item) {
    cairo_save(context);
    cairo_rectangle(context, item.box.x, item.box.y, item.box.width, item.box.height);
    cairo_clip(context);
}

void draw(cairo_t* context, EndClip const&) { cairo_restore(context); }

}  // namespace

void paint(cairo_t* context, DisplayList const& list) {
    for (Item const& item : list.items) std::visit([&](auto const& one) { draw(context, one); }, item);
}

}  // namespace orrery::figure
