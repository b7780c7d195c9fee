#include "core/figure/export.h"

#include "core/figure/page.h"
#include "core/figure/writers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace orrery {
namespace {

Result<void> check(ExportOptions const& options) {
    auto within = [](double value, double low, double high) {
        return std::isfinite(value) && value >= low && value <= high;
    };
    if (!within(options.width_mm, 20, 2000))
        return bad_input(fmt::format("the width {} mm is outside 20 to 2000 mm", options.width_mm), {}, {}, "width_mm");
    if (options.height_mm != 0 && !within(options.height_mm, 20, 2000))
        return bad_input(fmt::format("the height {} mm is outside 20 to 2000 mm", options.height_mm), {},
                         "0 lets the content decide", "height_mm");
    if (!within(options.dpi, 30, 2400))
        return bad_input(fmt::format("{} dots per inch are outside 30 to 2400", options.dpi), {}, {}, "dpi");
    if (!within(options.font_pt, 4, 40))
        return bad_input(fmt::format("the font size {} pt is outside 4 to 40 pt", options.font_pt), {}, {}, "font_pt");
    return {};
}

}  // namespace

std::string_view to_string(ExportFormat format) {
    switch (format) {
        case ExportFormat::png:
            return "png";
        case ExportFormat::svg:
            return "svg";
        case ExportFormat::pdf:
            return "pdf";
        case ExportFormat::csv:
            break;
    }
    return "csv";
}

std::string_view media_type(ExportFormat format) {
    switch (format) {
        case ExportFormat::png:
            return "image/png";
        case ExportFormat::svg:
            return "image/svg+xml";
        case ExportFormat::pdf:
            return "application/pdf";
        case ExportFormat::csv:
            break;
    }
    return "text/csv";
}

std::optional<ExportFormat> export_format_from(std::string_view name) {
    if (!name.empty() && name[0] == '.') name.remove_prefix(1);
    std::string lower(name);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (ExportFormat format : {ExportFormat::png, ExportFormat::svg, ExportFormat::pdf, ExportFormat::csv})
        if (lower == to_string(format)) return format;
    return std::nullopt;
}

Result<std::string> export_figure(Figure const& figure, ExportFormat format, ExportOptions const& options) {
    // ASCII alone, so that the record survives every encoding a file passes through.
    std::string const provenance = figure.provenance.dump(-1, ' ', true, Json::error_handler_t::replace);
    if (format == ExportFormat::csv) return "# provenance: " + provenance + "\n" + figure.to_csv();
    ORRERY_CHECK(check(options));
    ORRERY_TRY(figure::DisplayList list, figure::lay_out(figure, options));
    if (!options.transparent) {
        figure::Style const style(options);
        // A little beyond the page, so that a last row of pixels that the page fills in part is not grey.
        list.items.insert(list.items.begin(),
                          figure::FilledBox{{-1, -1, list.width + 2, list.height + 2}, style.background});
    }
    switch (format) {
        case ExportFormat::png:
            return figure::write_png(list, options, provenance);
        case ExportFormat::pdf:
            return figure::write_pdf(list, provenance);
        case ExportFormat::svg:
            return figure::write_svg(list, provenance);
        case ExportFormat::csv:
            break;
    }
    return internal_error("unknown export format");
}

}  // namespace orrery
