#include "core/base/figure.h"
#include "tests/catch.h"

#include <cmath>
#include <limits>

using namespace orrery;

namespace {

Figure heat_map() {
    HeatMap map;
    map.rows = {"amino acid", "", {"A", "C"}, false, 0, 0};
    map.columns = {"position", "", {"A:62", "A:63", "B:1"}, false, 0, 0};
    map.values = {0.5, std::nan(""), -1.25, 0, std::numeric_limits<double>::infinity(), 2};
    map.errors = {0.1, std::nan(""), 0.2, 0.1, 0.1, 0.1};
    map.marks = {0, 1, 2, 3, 0, 0};
    map.column_keys = map.columns.categories;
    map.column_groups = {0, 0, 1};
    map.value_title = "ddG";
    map.value_unit = "kcal/mol";
    map.limit = 2.5;
    map.strips = {{"mean", {}, {0.25, std::nan(""), 0.375}, {}, {}, {}, 3}};
    Figure figure;
    figure.title = "Interface of 1AO7";
    figure.caption = "Dots: wild type";
    figure.content = map;
    figure.provenance = {{"method", "stab-ddg"}};
    return figure;
}

Figure scatter() {
    XyPlot plot;
    plot.kind = XyKind::scatter;
    plot.x = {"measured", "kcal/mol", {}, false, -2, 4};
    plot.y = {"predicted", "kcal/mol", {}, true, 0, 0};
    plot.series = {{"1AO7", {1, 2}, {1.5, std::nan("")}, {0.1, 0.2}, {"EA63Q", "a,b"}, {"k1", "k2"}, 2},
                   {"1C1Y", {3}, {4}, {}, {}, {}, -1}};
    plot.identity_line = true;
    plot.horizontal_lines = {0};
    plot.notes = {"Pearson 0.49, n = 16"};
    Figure figure;
    figure.title = "Against measurements";
    figure.content = plot;
    return figure;
}

std::string refused(Json const& value) {
    Result<Figure> const figure = Figure::from_json(value);
    REQUIRE_FALSE(figure.ok());
    return figure.error().message();
}

}  // namespace

TEST_CASE("A figure survives JSON with its gaps") {
    for (Figure const& figure : {heat_map(), scatter()}) {
        std::string const text = figure.to_json().dump();
        Result<Figure> const back = Figure::from_json(Json::parse(text));
        REQUIRE(back.ok());
        CHECK(back->to_json().dump() == text);
        CHECK(back->to_csv() == figure.to_csv());
        CHECK(back->title == figure.title);
    }
    Result<Figure> const back = Figure::from_json(heat_map().to_json());
    auto const& map = std::get<HeatMap>(back->content);
    CHECK(std::isnan(map.values[1]));
    CHECK(std::isinf(map.values[4]));
    CHECK(map.marks == std::vector<std::uint8_t>{0, 1, 2, 3, 0, 0});
    CHECK(map.column_groups == std::vector<int>{0, 0, 1});
    CHECK(map.scale == ColorScale::diverging);
    CHECK(map.strips.at(0).color == 3);
    CHECK(back->provenance["method"] == "stab-ddg");
    Result<Figure> const plot = Figure::from_json(scatter().to_json());
    CHECK(std::get<XyPlot>(plot->content).y.logarithmic);
    CHECK(std::get<XyPlot>(plot->content).x.minimum == -2);
    CHECK(std::get<XyPlot>(plot->content).identity_line);
    CHECK(std::get<XyPlot>(plot->content).series[0].labels[1] == "a,b");
}

TEST_CASE("A heat map's CSV has one line a cell, gaps empty, strips after it") {
    CHECK(heat_map().to_csv() ==
          "amino acid,position,ddG (kcal/mol),standard_error,mark\n"
          "A,A:62,0.5,0.1,0\nA,A:63,,,1\nA,B:1,-1.25,0.2,2\n"
          "C,A:62,0,0.1,3\nC,A:63,inf,0.1,0\nC,B:1,2,0.1,0\n"
          "mean,A:62,0.25,,\nmean,A:63,,,\nmean,B:1,0.375,,\n");
}

TEST_CASE("A plot's CSV has one line a point") {
    CHECK(scatter().to_csv() ==
          "series,measured (kcal/mol),predicted (kcal/mol),error,label,key\n"
          "1AO7,1,1.5,0.1,EA63Q,k1\n1AO7,2,,0.2,\"a,b\",k2\n1C1Y,3,4,,,\n");
    Figure bars;
    XyPlot plot;
    plot.kind = XyKind::bars;
    plot.x.categories = {"complex", "side 1"};
    plot.series = {{"", {0, 1}, {2, 3}, {}, {}, {}, -1}};
    bars.content = plot;
    CHECK(bars.to_csv() == "series,x,y\n,complex,2\n,side 1,3\n");
}

TEST_CASE("A figure with arrays that are too short still gives CSV") {
    HeatMap map;
    map.rows.categories = {"A"};
    map.columns.categories = {"x", "y"};
    map.values = {1};
    map.errors = {1};
    map.marks = {1};
    Figure figure;
    figure.content = map;
    CHECK(figure.to_csv() == "row,column,value,standard_error,mark\nA,x,1,1,1\nA,y,,,\n");
}

TEST_CASE("JSON that is no figure is refused with its place") {
    CHECK(refused(Json::array()) == "a figure must be a JSON object");
    CHECK(refused({{"title", "x"}}) == "a figure must have either \"heat_map\" or \"xy_plot\"");
    Json value = heat_map().to_json();
    value["heat_map"]["values"].push_back(1);
    CHECK(refused(value) == "the figure's heat_map.values has 7 entries, but there are 6 cells");
    value = heat_map().to_json();
    value["heat_map"]["values"][0] = "much";
    CHECK(refused(value) == "the figure's heat_map.values holds something that is no number");
    value = heat_map().to_json();
    value["heat_map"]["marks"][0] = 256;
    CHECK(refused(value) == "the figure's heat_map.marks holds a number outside 0 to 255");
    value = heat_map().to_json();
    value["heat_map"]["scale"] = "rainbow";
    CHECK(refused(value) == "the figure's heat_map.scale is \"rainbow\", which is unknown");
    value = heat_map().to_json();
    value["heat_map"]["strips"][0]["y"] = {1};
    CHECK(refused(value) == "the figure's heat_map.strips has 1 entries, but there are 3 columns");
    value = heat_map().to_json();
    value["heat_map"]["rows"]["categories"] = 3;
    CHECK(refused(value) == "the figure's heat_map.rows.categories is no list");
    value = heat_map().to_json();
    value["title"] = 3;
    CHECK(refused(value) == "the figure's title is no text");
    value = scatter().to_json();
    value["xy_plot"]["series"][0]["x"] = {1};
    CHECK(refused(value) == "the figure's xy_plot.series has 1 entries, but there are 2 values of y");
    value = scatter().to_json();
    value["xy_plot"]["series"][0] = "line";
    CHECK(refused(value) == "the figure's xy_plot.series is not an object");
    value = scatter().to_json();
    value["xy_plot"]["identity_line"] = 1;
    CHECK(refused(value) == "the figure's xy_plot.identity_line is not true or false");
    value["xy_plot"] = nullptr;
    CHECK(refused(value) == "the figure's xy_plot is not an object");
}
