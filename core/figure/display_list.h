// What a figure looks like, before it is known whether it becomes pixels, PDF or SVG. Lengths in points (1/72 inch), x
// to the right, y down. The painters draw the items in order.
#pragma once

#include "core/base/color_maps.h"

#include <string>
#include <variant>
#include <vector>

namespace orrery::figure {

struct Color {
    Rgb rgb{0, 0, 0};
    double alpha = 1;
};

struct Point {
    double x = 0, y = 0;
};

struct Box {
    double x = 0, y = 0, width = 0, height = 0;
    [[nodiscard]] double right() const { return x + width; }
    [[nodiscard]] double bottom() const { return y + height; }
    [[nodiscard]] bool contains(Point p) const { return p.x >= x && p.x <= right() && p.y >= y && p.y <= bottom(); }
};

struct Pen {
    Color color;
    double width = 0.5;
    std::vector<double> dash{};  // lengths on, off, ...; empty: a whole line
};

struct FilledBox {
    Box box;
    Color fill;
};

// One path of several pieces: each piece is drawn through its points.
struct Lines {
    std::vector<std::vector<Point>> pieces;
    Pen pen;
};

struct Polygon {
    std::vector<Point> points;
    Color fill;
    double edge_width = 0;  // above 0: an edge of edge_color
    Color edge_color{};
};

// Many discs of one look.
struct Discs {
    std::vector<Point> centers;
    double radius = 1;
    Color fill;
    double edge_width = 0;
    Color edge_color{};
};

enum class Anchor { start, middle, end };

// Text whose baseline begins, is centred or ends at `at`. Rotated about `at`: 0 or -90 degrees (reading upwards).
struct Text {
    Point at;
    std::string text;
    double size = 8;
    Color color;
    Anchor anchor = Anchor::start;
    double rotation = 0;
    bool bold = false;
};

// columns x rows colours filling the box, row by row from the top, each cell sharp.
struct Cells {
    Box box;
    std::size_t columns = 0, rows = 0;
    std::vector<Rgb> colors;
};

// Items until the matching EndClip are drawn only inside the box.
struct BeginClip {
    Box box;
};
struct EndClip {};

using Item = std::variant<FilledBox, Lines, Polygon, Discs, Text, Cells, BeginClip, EndClip>;

struct DisplayList {
    double width = 0, height = 0;  // points
    std::string title;             // of the file: its metadata
    std::vector<Item> items;
};

}  // namespace orrery::figure
