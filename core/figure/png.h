// PNG files as chunks: the writer of exported pictures, and what reads and sets the record of a run in any PNG.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace orrery::figure {

inline constexpr std::string_view provenance_keyword = "orrery-provenance";

// Collects rows of 8-bit RGB or RGBA pixels into a file, a row at a time. Same rows, same bytes.
class PngWriter {
public:
    PngWriter(std::uint32_t width, std::uint32_t height, bool alpha, double dpi, std::string_view title,
              std::string_view provenance);
    ~PngWriter();
    PngWriter(PngWriter const&) = delete;
    PngWriter& operator=(PngWriter const&) = delete;
    void add_row(std::uint8_t const* pixels);  // width * (alpha ? 4 : 3) bytes
    [[nodiscard]] std::string finish();

private:
    struct State;
    State* m_state;
};

[[nodiscard]] bool is_png(std::string_view bytes);
// The text of the iTXt (or tEXt) chunk of that keyword; nullopt if there is none. Errors: chunks that reach beyond the
// file, a wrong checksum of that chunk, packed text above 64 MiB.
Result<std::optional<std::string>> png_text(std::string_view bytes, std::string_view keyword, std::string const& name);
// The file with this text under the keyword, before the first IDAT; bytes that are no sound PNG come back unchanged.
[[nodiscard]] std::string with_png_text(std::string bytes, std::string_view keyword, std::string_view text, double dpi);

}  // namespace orrery::figure
