// A figure is data. ImPlot draws it on screen; core/figure draws it into PNG, SVG and PDF; CSV holds what is plotted at
// full resolution. A figure carries the recipe (provenance) that made it.
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace orrery {

struct Axis {
    std::string title;  // "ddG of binding"
    std::string unit;   // "kcal/mol"
    std::vector<std::string> categories;  // empty: a numeric axis
    bool logarithmic = false;
    double minimum = 0, maximum = 0;      // equal: automatic
};

struct Series {
    std::string name;
    std::vector<double> x, y;
    std::vector<double> error;        // half length of the error bar, same length as y or empty
    std::vector<std::string> labels;  // one a point, for hover, or empty
    std::vector<std::string> keys;    // selection keys of the points, or empty
    int color = -1;                   // Okabe-Ito index; -1 by order
    bool faint = false;               // context, such as an earlier state: drawn pale, without a legend entry
};

enum class ColorScale { sequential, diverging, cyclic };

struct HeatMap {
    Axis rows, columns;               // both with categories
    std::vector<double> values;       // row-major, rows x columns; NaN: not computed
    std::vector<double> errors;       // standard error, same size or empty
    std::vector<std::uint8_t> marks;  // bit 0: dot (wild type), bit 1: hatch (|mean| < 2 s.e.); same size or empty
    std::vector<std::string> column_keys, row_keys;  // selection keys, or empty
    std::vector<int> column_groups;   // a line is drawn where the group changes; empty: none
    std::vector<int> row_groups;
    std::string value_title, value_unit;
    ColorScale scale = ColorScale::diverging;
    double limit = 0;                 // diverging: colours span -limit..limit; 0: 98th percentile of |value|
    std::vector<Series> strips;       // one-line strips above the map, one value a column (y; x unused)
};

enum class XyKind { scatter, line, bars };

struct XyPlot {
    XyKind kind = XyKind::scatter;
    Axis x, y;
    std::vector<Series> series;
    bool identity_line = false;       // predicted against measured
    std::vector<double> horizontal_lines;
    std::vector<std::string> notes;   // "Pearson 0.49, n = 16"
};

struct Figure {
    std::string title;
    std::string caption;
    std::variant<HeatMap, XyPlot> content;
    Json provenance = Json::object();

    [[nodiscard]] Json to_json() const;
    static Result<Figure> from_json(Json const& value);
    [[nodiscard]] std::string to_csv() const;  // what is plotted, full resolution
};

}  // namespace orrery
