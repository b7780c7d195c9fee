#include "core/figure/paint_cairo.h"
#include "core/figure/png.h"
#include "core/figure/writers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace orrery::figure {
namespace {

// cairo keeps colours multiplied by alpha; PNG does not.
void unpack_row(std::uint32_t const* source, int width, bool alpha, std::uint8_t* target) {
    for (int x = 0; x < width; ++x) {
        std::uint32_t const pixel = source[x], a = pixel >> 24;
        for (int shift : {16, 8, 0}) {
            std::uint32_t const value = pixel >> shift & 0xff;
            *target++ = static_cast<std::uint8_t>(!alpha || a == 255 ? value
                                                  : a == 0           ? 0
                                                                     : std::min(255u, (value * 255 + a / 2) / a));
        }
        if (alpha) *target++ = static_cast<std::uint8_t>(a);
    }
}

}  // namespace

Result<std::string> write_png(DisplayList const& list, ExportOptions const& options, std::string const& provenance) {
    double const scale = options.dpi / 72;
    double const exact_width = std::round(list.width * scale), exact_height = std::round(list.height * scale);
    constexpr double widest = 32'000, most_pixels = 4e8;  // cairo's pictures end at 32,767 pixels a side
    if (exact_width > widest || exact_width * exact_height > most_pixels)
        return bad_input(
            fmt::format("a picture of {:.0f} x {:.0f} pixels is too large", exact_width, exact_height), {},
            "Use a smaller width or fewer dots per inch (at most 32,000 pixels wide and 400 million in all), or PDF");
    int const width = std::max(1, static_cast<int>(exact_width)), height = std::max(1, static_cast<int>(exact_height));
    PngWriter writer(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), options.transparent,
                     options.dpi, list.title, provenance);
    // Drawn in bands, so that a poster needs no more memory than a column figure.
    constexpr int band = 1024;
    std::vector<std::uint8_t> row(static_cast<std::size_t>(width) * (options.transparent ? 4 : 3));
    for (int top = 0; top < height; top += band) {
        int const rows = std::min(band, height - top);
        Surface const surface(
            cairo_image_surface_create(options.transparent ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24, width, rows));
        if (cairo_status_t const status = cairo_surface_status(surface.get()); status != CAIRO_STATUS_SUCCESS)
            return unavailable(fmt::format("no memory for a picture {} pixels wide", width))
                .caused_by(cairo_status_to_string(status));
        {
            Context const context(cairo_create(surface.get()));
            cairo_translate(context.get(), 0, -top);
            cairo_scale(context.get(), scale, scale);
            paint(context.get(), list);
            if (cairo_status_t const status = cairo_status(context.get()); status != CAIRO_STATUS_SUCCESS)
                return internal_error(std::string("the picture can't be drawn: ") + cairo_status_to_string(status));
        }
        cairo_surface_flush(surface.get());
        unsigned char const* data = cairo_image_surface_get_data(surface.get());
        std::ptrdiff_t const stride = cairo_image_surface_get_stride(surface.get());
        std::vector<std::uint32_t> pixels(static_cast<std::size_t>(width));
        for (int y = 0; y < rows; ++y) {
            std::memcpy(pixels.data(), data + y * stride, pixels.size() * 4);
            unpack_row(pixels.data(), width, options.transparent, row.data());
            writer.add_row(row.data());
        }
    }
    return writer.finish();
}

}  // namespace orrery::figure
