// The three pictures of a display list. `provenance` is JSON in ASCII. Same list and options, same bytes.
#pragma once

#include "core/figure/display_list.h"
#include "core/figure/export.h"

#include <string>

namespace orrery::figure {

Result<std::string> write_png(DisplayList const& list, ExportOptions const& options, std::string const& provenance);
Result<std::string> write_pdf(DisplayList const& list, std::string const& provenance);
[[nodiscard]] std::string write_svg(DisplayList const& list, std::string const& provenance);

// `&`, `<`, `>` and quotes for XML text and attributes.
[[nodiscard]] std::string xml_escaped(std::string_view text);
[[nodiscard]] std::string svg_metadata(std::string const& provenance);

}  // namespace orrery::figure
