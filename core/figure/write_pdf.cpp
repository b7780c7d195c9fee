#include "core/figure/paint_cairo.h"
#include "core/figure/writers.h"

#include <cairo-pdf.h>

namespace orrery::figure {
namespace {

cairo_status_t append(void* target, unsigned char const* data, unsigned int length) {
    static_cast<std::string*>(target)->append(reinterpret_cast<char const*>(data), length);
    return CAIRO_STATUS_SUCCESS;
}

// Comment lines before the last startxref: no object's place changes, and the end of the file stays where readers look
// for it. Short lines, as the format asks for.
void add_comment(std::string& pdf, std::string const& provenance) {
    std::size_t const at = pdf.rfind("startxref");
    if (at == std::string::npos) return;
    std::string comment;
    constexpr std::size_t line = 200;
    for (std::size_t i = 0; i < provenance.size(); i += line)
        comment += "%orrery-provenance " + provenance.substr(i, line) + "\n";
    pdf.insert(at, comment);
}

}  // namespace

Result<std::string> write_pdf(DisplayList const& list, std::string const& provenance) {
    std::string bytes;
    Surface const surface(cairo_pdf_surface_create_for_stream(&append, &bytes, list.width, list.height));
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE,
                                   list.title.empty() ? "Figure" : list.title.c_str());
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATOR, "Orrery");
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_KEYWORDS,
                                   ("orrery-provenance " + provenance).c_str());
    // A fixed date: the time of an export is no part of the figure, and equal exports give equal bytes.
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_MOD_DATE, "2000-01-01T00:00:00Z");
    {
        Context const context(cairo_create(surface.get()));
        paint(context.get(), list);
        cairo_show_page(context.get());
        if (cairo_status_t const status = cairo_status(context.get()); status != CAIRO_STATUS_SUCCESS)
            return internal_error(std::string("the PDF can't be drawn: ") + cairo_status_to_string(status));
    }
    cairo_surface_finish(surface.get());
    if (cairo_status_t const status = cairo_surface_status(surface.get()); status != CAIRO_STATUS_SUCCESS)
        return internal_error(std::string("the PDF can't be written: ") + cairo_status_to_string(status));
    add_comment(bytes, provenance);
    return bytes;
}

}  // namespace orrery::figure
