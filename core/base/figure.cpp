#include "core/base/figure.h"

#include "core/base/number.h"
#include "core/base/table.h"

#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace orrery {

namespace {

// Name of an enumerator in JSON, and back.
template <class Enum, std::size_t count>
struct Names {
    std::array<std::pair<Enum, std::string_view>, count> entries;
    [[nodiscard]] std::string_view name(Enum value) const {
        for (auto const& [known, text] : entries)
            if (known == value) return text;
        return entries[0].second;
    }
    [[nodiscard]] std::optional<Enum> value(std::string_view name) const {
        for (auto const& [known, text] : entries)
            if (text == name) return known;
        return std::nullopt;
    }
};
constexpr Names<ColorScale, 3> scale_names{
    {{{ColorScale::sequential, "sequential"}, {ColorScale::diverging, "diverging"}, {ColorScale::cyclic, "cyclic"}}}};
constexpr Names<XyKind, 3> xy_names{{{{XyKind::scatter, "scatter"}, {XyKind::line, "line"}, {XyKind::bars, "bars"}}}};

Json reals_to_json(std::vector<double> const& values) {
    Json list = Json::array();
    for (double const value : values) list.push_back(json_real(value));
    return list;
}

Json axis_to_json(Axis const& axis) {
    return {{"title", axis.title},
            {"unit", axis.unit},
            {"categories", axis.categories},
            {"logarithmic", axis.logarithmic},
            {"minimum", json_real(axis.minimum)},
            {"maximum", json_real(axis.maximum)}};
}

Json series_to_json(Series const& series) {
    Json value = {{"name", series.name},          {"x", reals_to_json(series.x)},
                  {"y", reals_to_json(series.y)}, {"error", reals_to_json(series.error)},
                  {"labels", series.labels},      {"keys", series.keys},
                  {"color", series.color}};
    if (series.faint) value["faint"] = true;
    return value;
}

Json all_series_to_json(std::vector<Series> const& all) {
    Json list = Json::array();
    for (Series const& series : all) list.push_back(series_to_json(series));
    return list;
}

Json heat_map_to_json(HeatMap const& map) {
    return {{"rows", axis_to_json(map.rows)},
            {"columns", axis_to_json(map.columns)},
            {"values", reals_to_json(map.values)},
            {"errors", reals_to_json(map.errors)},
            {"marks", map.marks},
            {"column_keys", map.column_keys},
            {"row_keys", map.row_keys},
            {"column_groups", map.column_groups},
            {"row_groups", map.row_groups},
            {"value_title", map.value_title},
            {"value_unit", map.value_unit},
            {"scale", scale_names.name(map.scale)},
            {"limit", json_real(map.limit)},
            {"strips", all_series_to_json(map.strips)}};
}

Json xy_plot_to_json(XyPlot const& plot) {
    return {{"kind", xy_names.name(plot.kind)},
            {"x", axis_to_json(plot.x)},
            {"y", axis_to_json(plot.y)},
            {"series", all_series_to_json(plot.series)},
            {"identity_line", plot.identity_line},
            {"horizontal_lines", reals_to_json(plot.horizontal_lines)},
            {"notes", plot.notes}};
}

// Reads the fields of one object of a figure; absent fields keep their defaults, and the first of a wrong type is the
// error. `place` is the path to the object: "heat_map.rows".
class FieldReader {
public:
    FieldReader(Json const& value, std::string place, std::optional<Error>& error)
        : m_value(value), m_place(std::move(place)), m_error(error) {
        if (!value.is_object()) fail("", "is not an object");
    }

    void read(char const* name, std::string& target) {
        if (Json const* found = find(name))
            found->is_string() ? void(target = found->get<std::string>()) : fail(name, "is no text");
    }
    void read(char const* name, bool& target) {
        if (Json const* found = find(name))
            found->is_boolean() ? void(target = found->get<bool>()) : fail(name, "is not true or false");
    }
    void read(char const* name, int& target) {
        if (Json const* found = find(name)) read_int(name, *found, target);
    }
    void read(char const* name, double& target) {
        if (Json const* found = find(name)) read_real(name, *found, target);
    }
    void read(char const* name, std::uint8_t& target, Json const& item) {
        int value = 0;
        read_int(name, item, value);
        if (value < 0 || value > 255) fail(name, "holds a number outside 0 to 255");
        target = static_cast<std::uint8_t>(value);
    }
    void read(char const* name, std::vector<double>& target) {
        read_list(name, target, [&](Json const& item, double& value) { read_real(name, item, value); });
    }
    void read(char const* name, std::vector<int>& target) {
        read_list(name, target, [&](Json const& item, int& value) { read_int(name, item, value); });
    }
    void read(char const* name, std::vector<std::uint8_t>& target) {
        read_list(name, target, [&](Json const& item, std::uint8_t& value) { read(name, value, item); });
    }
    void read(char const* name, std::vector<std::string>& target) {
        read_list(name, target, [&](Json const& item, std::string& value) {
            item.is_string() ? void(value = item.get<std::string>()) : fail(name, "holds something that is no text");
        });
    }
    void read(char const* name, Axis& axis) {
        if (Json const* found = find(name)) {
            FieldReader reader(*found, place(name), m_error);
            reader.read("title", axis.title);
            reader.read("unit", axis.unit);
            reader.read("categories", axis.categories);
            reader.read("logarithmic", axis.logarithmic);
            reader.read("minimum", axis.minimum);
            reader.read("maximum", axis.maximum);
        }
    }
    void read(char const* name, std::vector<Series>& target) {
        read_list(name, target, [&](Json const& item, Series& series) { read_series(name, item, series); });
    }
    template <class Enum, std::size_t count>
    void read(char const* name, Enum& target, Names<Enum, count> const& names) {
        std::string text(names.name(target));
        read(name, text);
        if (auto const value = names.value(text))
            target = *value;
        else
            fail(name, "is \"" + text + "\", which is unknown");
    }
    // An array that may be left out has one entry for each of `expected`.
    void check_size(char const* name, std::size_t size, std::size_t expected, char const* what, bool optional = true) {
        if (size == expected || (optional && size == 0)) return;
        fail(name, "has " + std::to_string(size) + " entries, but there are " + std::to_string(expected) + " " + what);
    }
    void fail(char const* name, std::string const& how) {
        if (!m_error) m_error = bad_input("the figure's " + (place(name).empty() ? "record" : place(name)) + " " + how);
    }

private:
    [[nodiscard]] std::string place(char const* name) const {
        if (*name == 0 || m_place.empty()) return m_place + name;
        return m_place + "." + name;
    }

    Json const* find(char const* name) {
        if (m_error) return nullptr;
        auto const found = m_value.find(name);
        return found == m_value.end() ? nullptr : &*found;
    }
    void read_int(char const* name, Json const& item, int& target) {
        if (item.is_number_integer())
            target = item.get<int>();
        else
            fail(name, "holds something that is no whole number");
    }
    void read_real(char const* name, Json const& item, double& target) {
        if (std::optional<double> const value = real_from(item))
            target = *value;
        else
            fail(name, "holds something that is no number");
    }
    template <class T, class ReadItem>
    void read_list(char const* name, std::vector<T>& target, ReadItem read_item) {
        Json const* found = find(name);
        if (found == nullptr) return;
        if (!found->is_array()) return fail(name, "is no list");
        target.assign(found->size(), T{});
        for (std::size_t i = 0; i < found->size() && !m_error; ++i) read_item((*found)[i], target[i]);
    }
    void read_series(char const* name, Json const& item, Series& series) {
        FieldReader reader(item, place(name), m_error);
        reader.read("name", series.name);
        reader.read("x", series.x);
        reader.read("y", series.y);
        reader.read("error", series.error);
        reader.read("labels", series.labels);
        reader.read("keys", series.keys);
        reader.read("color", series.color);
        reader.read("faint", series.faint);
        reader.check_size("error", series.error.size(), series.y.size(), "values of y");
        reader.check_size("labels", series.labels.size(), series.y.size(), "values of y");
        reader.check_size("keys", series.keys.size(), series.y.size(), "values of y");
    }

    Json const& m_value;
    std::string m_place;
    std::optional<Error>& m_error;
};

HeatMap heat_map_from(Json const& value, std::optional<Error>& error) {
    HeatMap map;
    FieldReader reader(value, "heat_map", error);
    reader.read("rows", map.rows);
    reader.read("columns", map.columns);
    reader.read("values", map.values);
    reader.read("errors", map.errors);
    reader.read("marks", map.marks);
    reader.read("column_keys", map.column_keys);
    reader.read("row_keys", map.row_keys);
    reader.read("column_groups", map.column_groups);
    reader.read("row_groups", map.row_groups);
    reader.read("value_title", map.value_title);
    reader.read("value_unit", map.value_unit);
    reader.read("scale", map.scale, scale_names);
    reader.read("limit", map.limit);
    reader.read("strips", map.strips);

    std::size_t const rows = map.rows.categories.size(), columns = map.columns.categories.size();
    reader.check_size("values", map.values.size(), rows * columns, "cells", false);
    reader.check_size("errors", map.errors.size(), rows * columns, "cells");
    reader.check_size("marks", map.marks.size(), rows * columns, "cells");
    reader.check_size("column_keys", map.column_keys.size(), columns, "columns");
    reader.check_size("row_keys", map.row_keys.size(), rows, "rows");
    reader.check_size("column_groups", map.column_groups.size(), columns, "columns");
    reader.check_size("row_groups", map.row_groups.size(), rows, "rows");
    for (Series const& strip : map.strips) reader.check_size("strips", strip.y.size(), columns, "columns", false);
    return map;
}

XyPlot xy_plot_from(Json const& value, std::optional<Error>& error) {
    XyPlot plot;
    FieldReader reader(value, "xy_plot", error);
    reader.read("kind", plot.kind, xy_names);
    reader.read("x", plot.x);
    reader.read("y", plot.y);
    reader.read("series", plot.series);
    reader.read("identity_line", plot.identity_line);
    reader.read("horizontal_lines", plot.horizontal_lines);
    reader.read("notes", plot.notes);
    for (Series const& series : plot.series)
        reader.check_size("series", series.x.size(), series.y.size(), "values of y");
    return plot;
}

// ---- CSV

std::string real_field(double value) { return std::isnan(value) ? std::string() : number_text(value); }

std::string titled(std::string const& title, std::string const& unit, char const* otherwise) {
    return csv_field((title.empty() ? otherwise : title) + (unit.empty() ? "" : " (" + unit + ")"));
}

std::string category_or_number(Axis const& axis, double value) {
    double const index = std::round(value);
    if (index == value && index >= 0 && index < static_cast<double>(axis.categories.size()))
        return csv_field(axis.categories[static_cast<std::size_t>(index)]);
    return real_field(value);
}

// Figures made in code may have arrays shorter than their axes; what is missing is an empty field.
std::string field_at(std::vector<double> const& values, std::size_t i) {
    return i < values.size() ? real_field(values[i]) : std::string();
}

std::string heat_map_to_csv(HeatMap const& map) {
    bool const errors = !map.errors.empty(), marks = !map.marks.empty();
    std::string text = titled(map.rows.title, map.rows.unit, "row") + ',' +
                       titled(map.columns.title, map.columns.unit, "column") + ',' +
                       titled(map.value_title, map.value_unit, "value");
    if (errors) text += ",standard_error";
    if (marks) text += ",mark";
    text += '\n';
    auto const& columns = map.columns.categories;
    for (std::size_t r = 0; r < map.rows.categories.size(); ++r)
        for (std::size_t c = 0; c < columns.size(); ++c) {
            std::size_t const cell = r * columns.size() + c;
            text += csv_field(map.rows.categories[r]) + ',' + csv_field(columns[c]) + ',' + field_at(map.values, cell);
            if (errors) text += ',' + field_at(map.errors, cell);
            if (marks) text += ',' + (cell < map.marks.size() ? std::to_string(map.marks[cell]) : std::string());
            text += '\n';
        }
    for (Series const& strip : map.strips)
        for (std::size_t c = 0; c < columns.size() && c < strip.y.size(); ++c)
            text += csv_field(strip.name) + ',' + csv_field(columns[c]) + ',' + real_field(strip.y[c]) +
                    (errors ? "," : "") + (marks ? "," : "") + '\n';
    return text;
}

std::string xy_plot_to_csv(XyPlot const& plot) {
    bool errors = false, labels = false, keys = false;
    for (Series const& series : plot.series) {
        errors = errors || !series.error.empty();
        labels = labels || !series.labels.empty();
        keys = keys || !series.keys.empty();
    }
    std::string text =
        "series," + titled(plot.x.title, plot.x.unit, "x") + ',' + titled(plot.y.title, plot.y.unit, "y");
    if (errors) text += ",error";
    if (labels) text += ",label";
    if (keys) text += ",key";
    text += '\n';
    for (Series const& series : plot.series)
        for (std::size_t i = 0; i < series.y.size(); ++i) {
            double const x = i < series.x.size() ? series.x[i] : static_cast<double>(i);
            text += csv_field(series.name) + ',' + category_or_number(plot.x, x) + ',' +
                    category_or_number(plot.y, series.y[i]);
            if (errors) text += ',' + field_at(series.error, i);
            if (labels) text += ',' + (i < series.labels.size() ? csv_field(series.labels[i]) : "");
            if (keys) text += ',' + (i < series.keys.size() ? csv_field(series.keys[i]) : "");
            text += '\n';
        }
    return text;
}

}  // namespace

Json Figure::to_json() const {
    Json value = {{"title", title}, {"caption", caption}, {"provenance", provenance}};
    if (auto const* map = std::get_if<HeatMap>(&content)) value["heat_map"] = heat_map_to_json(*map);
    if (auto const* plot = std::get_if<XyPlot>(&content)) value["xy_plot"] = xy_plot_to_json(*plot);
    return value;
}

Result<Figure> Figure::from_json(Json const& value) {
    if (!value.is_object()) return bad_input("a figure must be a JSON object");
    bool const map = value.contains("heat_map"), plot = value.contains("xy_plot");
    if (map == plot) return bad_input("a figure must have either \"heat_map\" or \"xy_plot\"");
    Figure figure;
    std::optional<Error> error;
    FieldReader reader(value, "", error);
    reader.read("title", figure.title);
    reader.read("caption", figure.caption);
    if (auto const found = value.find("provenance"); found != value.end()) figure.provenance = *found;
    if (map)
        figure.content = heat_map_from(value["heat_map"], error);
    else
        figure.content = xy_plot_from(value["xy_plot"], error);
    if (error) return *std::move(error);
    return figure;
}

std::string Figure::to_csv() const {
    if (auto const* map = std::get_if<HeatMap>(&content)) return heat_map_to_csv(*map);
    return xy_plot_to_csv(std::get<XyPlot>(content));
}

}  // namespace orrery
