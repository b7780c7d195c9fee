// Figures into PNG, SVG, PDF and CSV for papers, and back from an exported file to the run that made it. The command
// line and the window's export call the same functions, so both give the same bytes. No Qt.
#pragma once

#include "core/base/figure.h"
#include "core/base/json.h"
#include "core/base/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace orrery {

enum class ExportFormat { png, svg, pdf, csv };
[[nodiscard]] std::string_view to_string(ExportFormat format);   // "png": also the file name's ending
[[nodiscard]] std::string_view media_type(ExportFormat format);  // "image/png"
[[nodiscard]] std::optional<ExportFormat> export_format_from(std::string_view name_or_extension);  // "png", ".PNG"

struct ExportOptions {
    double width_mm = 180;     // two columns of most journals
    double height_mm = 0;      // 0: by content
    double dpi = 300;          // PNG alone
    bool transparent = false;  // no background: alpha 0 in the corner
    bool dark = false;         // colours of the dark theme, for slides
    double font_pt = 8;        // body text; titles and tick labels follow
};

// The file's bytes. Same figure and options, same bytes. The provenance of the figure is written into the file: PNG
// iTXt chunk "orrery-provenance", SVG <metadata>, PDF keywords and a comment after the last line, CSV "# provenance:"
// line. Errors: sizes outside 20..2000 mm, dpi outside 30..2400, more than 400 million pixels, a figure whose arrays do
// not fit its axes.
Result<std::string> export_figure(Figure const& figure, ExportFormat format, ExportOptions const& options = {});

// The provenance of a PNG, SVG, PDF or CSV that Orrery exported. Errors: not such a file, no provenance in it, damaged.
Result<Json> read_provenance(std::filesystem::path const& path);
Result<Json> read_provenance_of(std::string_view bytes, std::string const& name);

// The same file with the provenance put in, replacing one that is there: for pictures drawn elsewhere (3-D views).
// Bytes that are no PNG or SVG come back unchanged. With `dpi` above 0 the PNG's pHYs chunk is set too.
[[nodiscard]] std::string embed_png_provenance(std::string png_bytes, Json const& provenance, double dpi = 0);
[[nodiscard]] std::string embed_svg_provenance(std::string svg_bytes, Json const& provenance);

}  // namespace orrery
