// Exported files: equal bytes, sizes, texts, transparency, and what can't be drawn.
#include "core/figure/export.h"
#include "tests/catch.h"
#include "tests/figure/samples.h"
#include "tests/figure/xml.h"
#include "tests/fixtures.h"

#include <cairo.h>

#include <cmath>
#include <fstream>
#include <memory>

using namespace orrery;
using namespace orrery::tests;

namespace {

std::string exported(Figure const& figure, ExportFormat format, ExportOptions const& options = {}) {
    auto bytes = export_figure(figure, format, options);
    INFO((bytes.ok() ? "" : bytes.error().message()));
    REQUIRE(bytes.ok());
    return *bytes;
}

std::string message(Figure const& figure, ExportFormat format, ExportOptions const& options = {}) {
    auto bytes = export_figure(figure, format, options);
    REQUIRE_FALSE(bytes.ok());
    return bytes.error().message();
}

std::uint32_t number(std::string const& bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
    return value;
}

// The picture as cairo's own PNG reader sees it.
struct Picture {
    explicit Picture(std::string const& bytes) {
        struct Source {
            std::string const* bytes;
            std::size_t at;
        } source{&bytes, 0};
        surface = std::shared_ptr<cairo_surface_t>(cairo_image_surface_create_from_png_stream(
                                                       [](void* data, unsigned char* target, unsigned int length) {
                                                           auto& s = *static_cast<Source*>(data);
                                                           if (s.bytes->size() - s.at < length)
                                                               return CAIRO_STATUS_READ_ERROR;
                                                           std::copy_n(s.bytes->data() + s.at, length,
                                                                       reinterpret_cast<char*>(target));
                                                           s.at += length;
                                                           return CAIRO_STATUS_SUCCESS;
                                                       },
                                                       &source),
                                                   cairo_surface_destroy);
        REQUIRE(cairo_surface_status(surface.get()) == CAIRO_STATUS_SUCCESS);
    }
    std::uint32_t pixel(int x, int y) const {
        auto const* row =
            cairo_image_surface_get_data(surface.get()) + y * cairo_image_surface_get_stride(surface.get());
        return reinterpret_cast<std::uint32_t const*>(row)[x];
    }
    int width() const { return cairo_image_surface_get_width(surface.get()); }
    int height() const { return cairo_image_surface_get_height(surface.get()); }
    bool has_color(std::uint32_t rgb) const {
        for (int y = 0; y < height(); ++y)
            for (int x = 0; x < width(); ++x)
                if ((pixel(x, y) & 0xFFFFFF) == rgb) return true;
        return false;
    }
    std::shared_ptr<cairo_surface_t> surface;
};

}  // namespace

TEST_CASE("the same figure gives the same bytes in every format") {
    for (auto const& [name, figure] : all_samples())
        for (ExportFormat format : {ExportFormat::png, ExportFormat::svg, ExportFormat::pdf, ExportFormat::csv}) {
            ExportOptions options;
            options.dpi = 100;
            INFO(name << " " << to_string(format));
            CHECK(exported(figure, format, options) == exported(figure, format, options));
        }
}

TEST_CASE("a PNG has the asked size, density and background") {
    ExportOptions options;
    options.width_mm = 90;
    options.height_mm = 60;
    options.dpi = 254;
    std::string const bytes = exported(sample_bars(), ExportFormat::png, options);
    CHECK(number(bytes, 16) == 900);
    CHECK(number(bytes, 20) == 600);
    std::size_t const density = bytes.find("pHYs");
    REQUIRE(density != std::string::npos);
    CHECK(number(bytes, density + 4) == 10'000);
    CHECK(bytes[density + 12] == 1);
    Picture const picture(bytes);
    for (int x : {0, 899})
        for (int y : {0, 599}) CHECK(picture.pixel(x, y) == 0xFFFFFFFF);
    CHECK(picture.has_color(0x0072B2));  // the first series
    CHECK(picture.has_color(0xD55E00));  // the second
}

TEST_CASE("a transparent picture has clear corners, a dark one dark corners") {
    ExportOptions options;
    options.dpi = 100;
    options.transparent = true;
    Picture const clear(exported(sample_bars(), ExportFormat::png, options));
    CHECK(clear.pixel(0, 0) == 0);
    CHECK(clear.pixel(clear.width() - 1, clear.height() - 1) == 0);
    CHECK(clear.has_color(0x0072B2));
    options.transparent = false;
    options.dark = true;
    Picture const dark(exported(sample_bars(), ExportFormat::png, options));
    CHECK(dark.pixel(0, 0) == 0xFF1E2128);
    CHECK(dark.pixel(dark.width() - 1, dark.height() - 1) == 0xFF1E2128);
}

TEST_CASE("tall pictures are drawn in bands without a seam") {
    ExportOptions options;
    options.dpi = 400;  // 2,000 rows: two bands
    Picture const picture(exported(sample_heat_map(33), ExportFormat::png, options));
    REQUIRE(picture.height() > 1100);
    // The map's left frame runs through the border between the bands.
    int column = -1;
    for (int x = 0; x < picture.width() && column < 0; ++x)
        if ((picture.pixel(x, 1000) & 0xFFFFFF) == 0x5A6372) column = x;
    REQUIRE(column > 0);
    for (int y = 1000; y < 1050; ++y) CHECK((picture.pixel(column, y) & 0xFFFFFF) == 0x5A6372);
}

TEST_CASE("an SVG is sound XML with real texts and every axis title with its unit") {
    for (auto const& [name, figure] : all_samples()) {
        std::string const svg = exported(figure, ExportFormat::svg);
        INFO(name);
        CHECK(xml_fault(svg) == "");
        auto has = [&](std::string const& title, std::string const& unit) {
            std::string const text = unit.empty() ? title : title + " (" + unit + ")";
            CHECK(svg.find(">" + text + "</text>") != std::string::npos);
        };
        if (auto const* map = std::get_if<HeatMap>(&figure.content)) {
            has(map->rows.title, map->rows.unit);
            has(map->columns.title, map->columns.unit);
            has(map->value_title, map->value_unit);
            for (Series const& strip : map->strips) has(strip.name, "");
            for (std::string const& row : map->rows.categories) has(row, "");
        } else {
            auto const& plot = std::get<XyPlot>(figure.content);
            has(plot.x.title, plot.x.unit);
            has(plot.y.title, plot.y.unit);
            if (plot.series.size() > 1)
                for (Series const& series : plot.series) has(series.name, "");
        }
    }
}

TEST_CASE("heat maps show what is not computed, uncertain, and wild type; chains are named") {
    std::string const svg = exported(sample_heat_map(244), ExportFormat::svg);
    for (std::string const text : {"wild type", "|mean| &lt; 2 s.e.", "not computed", "chain A", "chain B"})
        CHECK(svg.find(">" + text + "</text>") != std::string::npos);
    std::string const plain = exported(sample_small_heat_map(), ExportFormat::svg);
    CHECK(plain.find("wild type") == std::string::npos);
    CHECK(plain.find("not computed") == std::string::npos);
    // Of 244 columns only those labels are drawn that do not touch.
    std::size_t labels = 0;
    for (std::size_t at = svg.find("rotate(-90)"); at != std::string::npos; at = svg.find("rotate(-90)", at + 1))
        ++labels;
    CHECK(labels > 30);
    CHECK(labels < 90);
}

TEST_CASE("a PDF begins and ends as one, with a fixed date") {
    std::string const pdf = exported(sample_scatter(), ExportFormat::pdf);
    CHECK(pdf.substr(0, 5) == "%PDF-");
    CHECK(pdf.substr(pdf.size() - 6).find("%%EOF") == 0);
    CHECK(pdf.find("20000101000000") != std::string::npos);
}

TEST_CASE("a CSV holds every value in full") {
    Figure figure = sample_small_heat_map();
    std::get<HeatMap>(figure.content).values[3] = 0.1234567890123456;
    std::string const csv = exported(figure, ExportFormat::csv);
    CHECK(csv.find(",0.1234567890123456\n") != std::string::npos);
    std::string const lines = exported(sample_lines(), ExportFormat::csv);
    CHECK(std::count(lines.begin(), lines.end(), '\n') == 802);  // record, header, 2 x 400
}

TEST_CASE("what can't be drawn is an error that says why") {
    Figure wrong = sample_small_heat_map();
    std::get<HeatMap>(wrong.content).values.pop_back();
    CHECK(message(wrong, ExportFormat::png) == "the heat map has 23 values, but its axes ask for 24");
    Figure empty;
    CHECK(message(empty, ExportFormat::svg) == "the heat map has no rows or no columns");
    Figure series = sample_bars();
    std::get<XyPlot>(series.content).series[0].error.pop_back();
    CHECK(message(series, ExportFormat::pdf) == "series \"measured\" has 4 errors but 5 y");
    ExportOptions options;
    options.width_mm = 5;
    CHECK(message(sample_bars(), ExportFormat::png, options).find("the width 5 mm is outside") == 0);
    options.width_mm = std::nan("");
    CHECK(message(sample_bars(), ExportFormat::png, options).find("the width") == 0);
    options = {};
    options.height_mm = 20;
    options.font_pt = 20;
    CHECK(message(sample_bars(), ExportFormat::png, options).find("a height of 20 mm is too small") == 0);
    options = {};
    options.width_mm = 2000;
    options.dpi = 2400;
    CHECK(message(sample_bars(), ExportFormat::png, options).find("pixels is too large") != std::string::npos);
    options = {};
    options.dpi = 1;
    CHECK(message(sample_bars(), ExportFormat::png, options).find("dots per inch") != std::string::npos);
}

TEST_CASE("odd data is drawn without harm") {
    Figure figure;
    XyPlot plot;
    plot.x.title = "bad \xff bytes & <tags>\x01";
    plot.series = {
        {"", {std::nan(""), INFINITY, 1e308, -1e308}, {1, 2, 3, std::nan("")}, {INFINITY, -1, 0, 1}, {}, {}, -5},
        {"empty", {}, {}, {}, {}, {}, 70}};
    plot.notes = {std::string(3000, 'x'), "", "\xed\xa0\x80"};
    plot.horizontal_lines = {std::nan(""), 1e300};
    for (XyKind kind : {XyKind::scatter, XyKind::line, XyKind::bars})
        for (bool logarithmic : {false, true}) {
            plot.kind = kind;
            plot.identity_line = logarithmic;
            plot.x.logarithmic = plot.y.logarithmic = logarithmic;
            figure.content = plot;
            CHECK(xml_fault(exported(figure, ExportFormat::svg)) == "");
            ExportOptions small;
            small.dpi = 40;
            small.width_mm = 20;
            CHECK_FALSE(exported(figure, ExportFormat::png, small).empty());
            CHECK_FALSE(exported(figure, ExportFormat::pdf).empty());
        }
    HeatMap map;
    map.rows.categories = {""};
    map.columns.categories = {std::string(5000, 'w')};
    map.values = {INFINITY};
    map.column_keys = {":"};
    map.column_groups = {3};
    figure.content = map;
    CHECK(xml_fault(exported(figure, ExportFormat::svg)) == "");
}

TEST_CASE("large figures stay drawable") {
    Figure figure;
    XyPlot plot;
    plot.kind = XyKind::line;
    Series series;
    for (int i = 0; i < 300'000; ++i) series.y.push_back(std::sin(i * 0.001) + (i == 123'456 ? 9 : 0));
    plot.series = {series};
    figure.content = plot;
    std::string const svg = exported(figure, ExportFormat::svg);
    CHECK(svg.size() < 200'000);
    // The single high value is still there: the line is reduced by extremes, so it reaches near the top of the plot.
    plot.series[0].y[123'456] = std::sin(123.456);
    figure.content = plot;
    CHECK(exported(figure, ExportFormat::svg) != svg);
    HeatMap map;
    for (int i = 0; i < 300; ++i) map.rows.categories.push_back("r" + std::to_string(i));
    map.columns.categories = map.rows.categories;
    for (int i = 0; i < 90'000; ++i) map.values.push_back(std::cos(i * 0.01));
    figure.content = map;
    std::string const image = exported(figure, ExportFormat::svg);
    CHECK(xml_fault(image) == "");
    CHECK(image.find("<image") != std::string::npos);
}

TEST_CASE("formats have names and media types") {
    CHECK(export_format_from(".PNG") == ExportFormat::png);
    CHECK(export_format_from("svg") == ExportFormat::svg);
    CHECK_FALSE(export_format_from("bmp").has_value());
    CHECK(media_type(ExportFormat::svg) == "image/svg+xml");
}
