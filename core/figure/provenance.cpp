// From an exported file back to the record of the run that made it. The files come from anywhere: nothing in them is
// trusted.
#include "core/base/files.h"
#include "core/figure/export.h"
#include "core/figure/png.h"
#include "core/figure/writers.h"

#include <fmt/format.h>

#include <algorithm>

namespace orrery {
namespace {

constexpr std::size_t record_limit = std::size_t{64} << 20;
constexpr std::string_view pdf_mark = "%orrery-provenance ";
constexpr std::string_view csv_mark = "# provenance: ";
constexpr std::string_view svg_mark = "id=\"orrery-provenance\"";

Result<Json> parse_record(std::string_view text, std::string const& name) {
    if (text.size() > record_limit) return bad_input("the record of the run is larger than 64 MB", name);
    // Whoever copies or prints a JSON value recurses: a record deeper than any real one is refused here.
    bool deep = false;
    auto watch = [&](int depth, Json::parse_event_t, Json&) {
        deep = deep || depth > 100;
        return !deep;
    };
    Json record = Json::parse(text.begin(), text.end(), watch, false);
    if (deep || !record.is_object()) return bad_input("the record of the run in this file is damaged", name);
    return record;
}

Error no_record(std::string const& kind, std::string const& name) {
    return bad_input("this " + kind + " holds no record of a run", name,
                     "Only files that Orrery exported lead back to their run");
}

void add_utf8(std::string& out, unsigned long code) {
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xC0 | code >> 6);
        out += static_cast<char>(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        out += static_cast<char>(0xE0 | code >> 12);
        out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
        out += static_cast<char>(0x80 | (code & 0x3F));
    } else {
        out += static_cast<char>(0xF0 | (code >> 18 & 7));
        out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
        out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
        out += static_cast<char>(0x80 | (code & 0x3F));
    }
}

// The five names of XML and numbers; what is no entity stays as it is.
std::string xml_unescaped(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::size_t const end = text[i] == '&' ? text.substr(i, 12).find(';') : std::string_view::npos;
        if (end == std::string_view::npos) {
            out += text[i];
            continue;
        }
        std::string_view const name = text.substr(i + 1, end - 1);
        if (name == "amp")
            out += '&';
        else if (name == "lt")
            out += '<';
        else if (name == "gt")
            out += '>';
        else if (name == "quot")
            out += '"';
        else if (name == "apos")
            out += '\'';
        else if (name.size() > 1 && name[0] == '#') {
            bool const hexadecimal = name[1] == 'x';
            unsigned long code = 0;
            for (char c : name.substr(hexadecimal ? 2 : 1)) {
                int const digit = c >= '0' && c <= '9'   ? c - '0'
                                  : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                         : 0;
                code = std::min<unsigned long>(code * (hexadecimal ? 16 : 10) + static_cast<unsigned long>(digit),
                                               0x10FFFF);
            }
            add_utf8(out, code);
        } else {
            out += text.substr(i, end + 1);
        }
        i += end;
    }
    return out;
}

struct Span {
    std::size_t begin = 0, end = 0;
};

// The <metadata id="orrery-provenance"> element: all of it, and its text.
struct MetadataElement {
    Span whole, text;
};
std::optional<MetadataElement> find_metadata(std::string_view svg) {
    for (std::size_t from = 0;;) {
        std::size_t const begin = svg.find("<metadata", from);
        if (begin == std::string_view::npos) return std::nullopt;
        std::size_t const open_end = svg.find('>', begin);
        if (open_end == std::string_view::npos) return std::nullopt;
        from = open_end;
        if (svg.substr(begin, open_end - begin).find(svg_mark) == std::string_view::npos) continue;
        std::size_t const close = svg.find("</metadata>", open_end);
        if (close == std::string_view::npos) return std::nullopt;
        return MetadataElement{{begin, close + 11}, {open_end + 1, close}};
    }
}

Result<Json> read_png(std::string_view bytes, std::string const& name) {
    ORRERY_TRY(auto const text, figure::png_text(bytes, figure::provenance_keyword, name));
    if (!text) return no_record("PNG", name);
    return parse_record(*text, name);
}

Result<Json> read_svg(std::string_view bytes, std::string const& name) {
    auto const element = find_metadata(bytes);
    if (!element) return no_record("SVG", name);
    return parse_record(xml_unescaped(bytes.substr(element->text.begin, element->text.end - element->text.begin)),
                        name);
}

Result<Json> read_pdf(std::string_view bytes, std::string const& name) {
    std::string text;
    for (std::size_t start = bytes.find(pdf_mark); start != std::string_view::npos;) {
        std::size_t const end = bytes.find_first_of("\r\n", start);
        if (end == std::string_view::npos) return bad_input("the PDF is cut off", name);
        text += bytes.substr(start + pdf_mark.size(), end - start - pdf_mark.size());
        if (text.size() > record_limit) return bad_input("the record of the run is larger than 64 MB", name);
        std::size_t const next = bytes.find_first_not_of("\r\n", end);
        start = next != std::string_view::npos && bytes.substr(next, pdf_mark.size()) == pdf_mark
                    ? next
                    : std::string_view::npos;
    }
    if (text.empty()) return no_record("PDF", name);
    return parse_record(text, name);
}

Result<Json> read_csv(std::string_view bytes, std::string const& name) {
    if (bytes.substr(0, 3) == "\xEF\xBB\xBF") bytes.remove_prefix(3);
    // Comment lines come first; another program may have put its own before ours.
    while (!bytes.empty() && bytes[0] == '#') {
        std::size_t end = bytes.find('\n');
        if (end == std::string_view::npos) end = bytes.size();
        std::string_view line = bytes.substr(0, end);
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        if (line.substr(0, csv_mark.size()) == csv_mark) return parse_record(line.substr(csv_mark.size()), name);
        bytes.remove_prefix(std::min(bytes.size(), end + 1));
    }
    return no_record("file", name);
}

}  // namespace

Result<Json> read_provenance_of(std::string_view bytes, std::string const& name) {
    if (bytes.empty()) return bad_input("the file is empty (0 bytes)", name);
    if (figure::is_png(bytes)) return read_png(bytes, name);
    if (bytes.substr(0, 5) == "%PDF-") return read_pdf(bytes, name);
    std::string_view const head = bytes.substr(0, 4096);
    if (head.find("<svg") != std::string_view::npos) return read_svg(bytes, name);
    if (head.find('\0') == std::string_view::npos) return read_csv(bytes, name);
    return bad_input("this is no PNG, SVG, PDF or CSV file", name);
}

Result<Json> read_provenance(std::filesystem::path const& path) {
    ORRERY_TRY(std::string const bytes, read_file(path, std::uint64_t{1} << 30));
    return read_provenance_of(bytes, path.filename().string());
}

std::string embed_png_provenance(std::string png_bytes, Json const& provenance, double dpi) {
    return figure::with_png_text(std::move(png_bytes), figure::provenance_keyword,
                                 provenance.dump(-1, ' ', true, Json::error_handler_t::replace), dpi);
}

std::string embed_svg_provenance(std::string svg_bytes, Json const& provenance) {
    std::string const element = figure::svg_metadata(provenance.dump(-1, ' ', true, Json::error_handler_t::replace));
    if (auto const found = find_metadata(svg_bytes))
        return svg_bytes.replace(found->whole.begin, found->whole.end - found->whole.begin, element);
    std::size_t const svg = svg_bytes.find("<svg");
    std::size_t const open_end = svg == std::string::npos ? svg : svg_bytes.find('>', svg);
    if (open_end == std::string::npos || svg_bytes[open_end - 1] == '/') return svg_bytes;
    return svg_bytes.insert(open_end + 1, "\n" + element);
}

}  // namespace orrery
