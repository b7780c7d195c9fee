#include "core/figure/png.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace orrery::figure {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view signature = "\x89PNG\r\n\x1a\n"sv;
constexpr std::size_t text_limit = std::size_t{64} << 20;

void add_number(std::string& out, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xff);
}

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
    return value;
}

std::uint32_t checksum(std::string_view type_and_data) {
    return static_cast<std::uint32_t>(
        crc32_z(0, reinterpret_cast<Bytef const*>(type_and_data.data()), type_and_data.size()));
}

std::string chunk(std::string_view type, std::string_view data) {
    std::string out;
    add_number(out, static_cast<std::uint32_t>(data.size()));
    std::string body(type);
    body += data;
    out += body;
    add_number(out, checksum(body));
    return out;
}

std::string text_chunk(std::string_view keyword, std::string_view text) {
    std::string data(keyword);
    data += "\0\0\0\0\0"sv;  // end of keyword, not packed, method, no language, no translated keyword
    data += text;
    return chunk("iTXt", data);
}

std::string density_chunk(double dpi) {
    std::string data;
    auto const per_metre = static_cast<std::uint32_t>(std::lround(dpi / 0.0254));
    add_number(data, per_metre);
    add_number(data, per_metre);
    data += '\1';
    return chunk("pHYs", data);
}

struct Chunk {
    std::string_view type, data, whole;
    bool sound = false;  // its checksum is right
};

// Calls `visit` for each chunk up to IEND; false when a chunk reaches beyond the file or none ends it.
template <class Visit>
bool each_chunk(std::string_view bytes, Visit visit) {
    std::size_t position = signature.size();
    while (position + 12 <= bytes.size()) {
        std::size_t const length = number_at(bytes, position);
        if (length > bytes.size() - position - 12) return false;
        Chunk one;
        one.whole = bytes.substr(position, length + 12);
        one.type = one.whole.substr(4, 4);
        one.data = one.whole.substr(8, length);
        one.sound = checksum(one.whole.substr(4, length + 4)) == number_at(bytes, position + 8 + length);
        if (!visit(one) || one.type == "IEND") return true;
        position += length + 12;
    }
    return false;
}

std::optional<std::string> unpack(std::string_view packed) {
    std::string out;
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) return std::nullopt;
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    std::array<char, 65536> buffer{};
    int code = Z_OK;
    while (code == Z_OK && out.size() <= text_limit) {
        stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
        stream.avail_out = static_cast<uInt>(buffer.size());
        code = inflate(&stream, Z_NO_FLUSH);
        out.append(buffer.data(), buffer.size() - stream.avail_out);
        if (stream.avail_in == 0 && stream.avail_out != 0) break;
    }
    inflateEnd(&stream);
    if (code != Z_STREAM_END || out.size() > text_limit) return std::nullopt;
    return out;
}

// The text of an iTXt or tEXt chunk's data if it has this keyword.
enum class Found { no, yes, damaged };
Found text_of(Chunk const& one, std::string_view keyword, std::string& text) {
    std::size_t const end = one.data.find('\0');
    if ((one.type != "iTXt" && one.type != "tEXt") || end == std::string_view::npos ||
        one.data.substr(0, end) != keyword)
        return Found::no;
    if (!one.sound) return Found::damaged;
    if (one.type == "tEXt") {
        text = one.data.substr(end + 1);
        return Found::yes;
    }
    if (one.data.size() < end + 5) return Found::damaged;
    bool const packed = one.data[end + 1] != 0;
    std::size_t const language_end = one.data.find('\0', end + 3);
    std::size_t const translated_end =
        language_end == std::string_view::npos ? language_end : one.data.find('\0', language_end + 1);
    if (translated_end == std::string_view::npos) return Found::damaged;
    std::string_view const body = one.data.substr(translated_end + 1);
    if (!packed) {
        text = body;
        return Found::yes;
    }
    auto plain = unpack(body);
    if (!plain) return Found::damaged;
    text = std::move(*plain);
    return Found::yes;
}

}  // namespace

struct PngWriter::State {
    std::string file, packed;
    std::size_t row_bytes = 0, pixel_bytes = 0;
    std::vector<std::uint8_t> before, filtered, best;
    z_stream stream{};

    void deflate_some(std::uint8_t const* data, std::size_t size, int flush) {
        stream.next_in = const_cast<Bytef*>(data);
        stream.avail_in = static_cast<uInt>(size);
        std::array<char, 65536> buffer{};
        do {
            stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
            stream.avail_out = static_cast<uInt>(buffer.size());
            deflate(&stream, flush);
            packed.append(buffer.data(), buffer.size() - stream.avail_out);
        } while (stream.avail_out == 0);
        constexpr std::size_t chunk_size = std::size_t{1} << 20;
        while (packed.size() >= chunk_size || (flush == Z_FINISH && !packed.empty())) {
            std::size_t const size_now = std::min(chunk_size, packed.size());
            file += chunk("IDAT", std::string_view(packed).substr(0, size_now));
            packed.erase(0, size_now);
        }
    }
    // The row less its left neighbour (1) or the row above (2).
    long filter(std::uint8_t const* pixels, int type) {
        filtered[0] = static_cast<std::uint8_t>(type);
        long sum = 0;
        for (std::size_t i = 0; i < row_bytes; ++i) {
            std::uint8_t const from = type == 1   ? (i >= pixel_bytes ? pixels[i - pixel_bytes] : 0)
                                      : type == 2 ? before[i]
                                                  : 0;
            filtered[i + 1] = static_cast<std::uint8_t>(pixels[i] - from);
            sum += std::abs(static_cast<int>(static_cast<std::int8_t>(filtered[i + 1])));
        }
        return sum;
    }
};

PngWriter::PngWriter(std::uint32_t width, std::uint32_t height, bool alpha, double dpi, std::string_view title,
                     std::string_view provenance)
    : m_state(new State) {
    State& s = *m_state;
    s.pixel_bytes = alpha ? 4 : 3;
    s.row_bytes = s.pixel_bytes * width;
    s.before.assign(s.row_bytes, 0);
    s.filtered.assign(s.row_bytes + 1, 0);
    s.file = signature;
    std::string header;
    add_number(header, width);
    add_number(header, height);
    header += '\x08';
    header += alpha ? '\x06' : '\x02';
    header.append(3, '\0');
    s.file += chunk("IHDR", header);
    s.file += chunk("sRGB", "\0"sv);
    s.file += density_chunk(dpi);
    s.file += text_chunk("Software", "Orrery");
    if (!title.empty()) s.file += text_chunk("Title", title);
    s.file += text_chunk(provenance_keyword, provenance);
    deflateInit(&s.stream, 6);
}

PngWriter::~PngWriter() {
    deflateEnd(&m_state->stream);
    delete m_state;
}

void PngWriter::add_row(std::uint8_t const* pixels) {
    State& s = *m_state;
    // The filter with the smallest sum of differences usually packs best.
    long smallest = -1;
    for (int type : {0, 1, 2}) {
        long const sum = s.filter(pixels, type);
        if (smallest >= 0 && sum >= smallest) continue;
        smallest = sum;
        s.best = s.filtered;
    }
    s.deflate_some(s.best.data(), s.best.size(), Z_NO_FLUSH);
    s.before.assign(pixels, pixels + s.row_bytes);
}

std::string PngWriter::finish() {
    m_state->deflate_some(nullptr, 0, Z_FINISH);
    m_state->file += chunk("IEND", {});
    return std::move(m_state->file);
}

bool is_png(std::string_view bytes) { return bytes.substr(0, signature.size()) == signature; }

Result<std::optional<std::string>> png_text(std::string_view bytes, std::string_view keyword, std::string const& name) {
    std::string text;
    Found found = Found::no;
    bool const whole = each_chunk(bytes, [&](Chunk const& one) {
        found = text_of(one, keyword, text);
        return found == Found::no;
    });
    if (found == Found::damaged) return bad_input("the record of the run in this PNG is damaged", name);
    if (found == Found::yes) return std::optional(std::move(text));
    if (!whole) return bad_input("the PNG is cut off", name);
    return std::optional<std::string>();
}

std::string with_png_text(std::string bytes, std::string_view keyword, std::string_view text, double dpi) {
    if (!is_png(bytes)) return bytes;
    std::string out(signature);
    bool written = false;
    bool const whole = each_chunk(bytes, [&](Chunk const& one) {
        std::string ignored;
        if (text_of(one, keyword, ignored) != Found::no) return true;
        if (dpi > 0 && one.type == "pHYs") return true;
        if (one.type == "IDAT" && !written) {
            if (dpi > 0) out += density_chunk(dpi);
            out += text_chunk(keyword, text);
            written = true;
        }
        out += one.whole;
        return true;
    });
    return whole && written ? out : bytes;
}

}  // namespace orrery::figure
