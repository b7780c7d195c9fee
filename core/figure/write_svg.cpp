#include "core/figure/png.h"
#include "core/figure/text_metrics.h"
#include "core/figure/writers.h"

#include <fmt/format.h>

#include <cmath>

namespace orrery::figure {
namespace {

std::string number(double value) {
    // Hundredths of a point are finer than any printer; "-0" is "0".
    double const rounded = std::round(value * 100) / 100;
    return fmt::format("{}", rounded == 0 ? 0 : rounded);
}

std::string hex(Rgb rgb) { return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]); }

std::string paint_of(char const* what, Color const& color) {
    std::string text = fmt::format(" {}=\"{}\"", what, hex(color.rgb));
    if (color.alpha < 1) text += fmt::format(" {}-opacity=\"{}\"", what, number(color.alpha));
    return text;
}

std::string base64(std::string_view bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8 | (i + k < bytes.size() ? static_cast<std::uint8_t>(bytes[i + k]) : 0);
        for (std::size_t k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : digits[group >> (18 - 6 * k) & 63];
    }
    return out;
}

class SvgWriter {
public:
    std::string text;

    void operator()(FilledBox const& item) {
        text += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}/>\n", number(item.box.x),
                            number(item.box.y), number(item.box.width), number(item.box.height),
                            paint_of("fill", item.fill));
    }
    void operator()(Lines const& item) {
        std::string path;
        for (auto const& piece : item.pieces) path += trace(piece);
        std::string dash;
        for (double length : item.pen.dash) dash += (dash.empty() ? "" : " ") + number(length);
        text += fmt::format("<path d=\"{}\" fill=\"none\"{} stroke-width=\"{}\" stroke-linejoin=\"round\"{}/>\n", path,
                            paint_of("stroke", item.pen.color), number(item.pen.width),
                            dash.empty() ? "" : " stroke-dasharray=\"" + dash + "\"");
    }
    void operator()(Polygon const& item) {
        text += fmt::format("<path d=\"{}Z\"{}{}/>\n", trace(item.points), paint_of("fill", item.fill),
                            edge(item.edge_width, item.edge_color));
    }
    void operator()(Discs const& item) {
        text += fmt::format("<g{}{}>\n", paint_of("fill", item.fill), edge(item.edge_width, item.edge_color));
        for (Point const& center : item.centers)
            text += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n", number(center.x), number(center.y),
                                number(item.radius));
        text += "</g>\n";
    }
    void operator()(Text const& item) {
        char const* anchor = item.anchor == Anchor::start    ? ""
                             : item.anchor == Anchor::middle ? " text-anchor=\"middle\""
                                                             : " text-anchor=\"end\"";
        std::string const place = item.rotation == 0
                                      ? fmt::format("x=\"{}\" y=\"{}\"", number(item.at.x), number(item.at.y))
                                      : fmt::format("transform=\"translate({} {}) rotate({})\"", number(item.at.x),
                                                    number(item.at.y), number(item.rotation));
        text += fmt::format("<text {} font-size=\"{}\"{}{}{}>{}</text>\n", place, number(item.size),
                            item.bold ? " font-weight=\"bold\"" : "", anchor, paint_of("fill", item.color),
                            xml_escaped(item.text));
    }
    // Up to 20,000 cells are rectangles, which every program shows sharp; many smooth an enlarged image. Each reaches a
    // little under the next, so that no seam shows between them.
    void operator()(Cells const& item) {
        constexpr std::size_t most_rectangles = 20'000;
        if (item.columns * item.rows > most_rectangles) return add_image(item);
        double const width = item.box.width / static_cast<double>(item.columns),
                     height = item.box.height / static_cast<double>(item.rows);
        text += "<g shape-rendering=\"crispEdges\">\n";
        for (std::size_t r = 0; r < item.rows; ++r)
            for (std::size_t c = 0; c < item.columns;) {
                Rgb const color = item.colors[r * item.columns + c];
                std::size_t const first = c;
                while (c < item.columns && item.colors[r * item.columns + c] == color) ++c;
                double const under_right = c < item.columns ? 0.2 : 0, under_below = r + 1 < item.rows ? 0.2 : 0;
                text += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n",
                                    number(item.box.x + static_cast<double>(first) * width),
                                    number(item.box.y + static_cast<double>(r) * height),
                                    number(static_cast<double>(c - first) * width + under_right),
                                    number(height + under_below), hex(color));
            }
        text += "</g>\n";
    }
    void operator()(BeginClip const& item) {
        ++m_clips;
        text += fmt::format(
            "<clipPath id=\"clip{0}\"><rect x=\"{1}\" y=\"{2}\" width=\"{3}\" height=\"{4}\"/></clipPath>\n<g "
            "clip-path=\"url(#clip{0})\">\n",
            m_clips, number(item.box.x), number(item.box.y), number(item.box.width), number(item.box.height));
    }
    void operator()(EndClip const&) { text += "</g>\n"; }

private:
    void add_image(Cells const& item) {
        PngWriter png(static_cast<std::uint32_t>(item.columns), static_cast<std::uint32_t>(item.rows), false, 72, "",
                      "{}");
        std::vector<std::uint8_t> row(item.columns * 3);
        for (std::size_t r = 0; r < item.rows; ++r) {
            for (std::size_t c = 0; c < item.columns; ++c)
                for (std::size_t k = 0; k < 3; ++k) row[3 * c + k] = item.colors[r * item.columns + c][k];
            png.add_row(row.data());
        }
        text += fmt::format(
            "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" "
            "style=\"image-rendering:optimizeSpeed;image-rendering:pixelated\" "
            "xlink:href=\"data:image/png;base64,{}\"/>\n",
            number(item.box.x), number(item.box.y), number(item.box.width), number(item.box.height),
            base64(png.finish()));
    }
    static std::string trace(std::vector<Point> const& points) {
        std::string path;
        for (std::size_t i = 0; i < points.size(); ++i)
            path += (i == 0 ? "M" : "L") + number(points[i].x) + " " + number(points[i].y);
        return path;
    }
    static std::string edge(double width, Color const& color) {
        return width > 0 ? paint_of("stroke", color) + " stroke-width=\"" + number(width) + "\"" : "";
    }
    int m_clips = 0;
};

}  // namespace

std::string xml_escaped(std::string_view text) {
    std::string out;
    for (char c : text) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else
            out += c;
    }
    return out;
}

std::string svg_metadata(std::string const& provenance) {
    return "<metadata id=\"orrery-provenance\">" + xml_escaped(provenance) + "</metadata>";
}

std::string write_svg(DisplayList const& list, std::string const& provenance) {
    SvgWriter writer;
    // Weight 500: the one that cairo takes for "normal", so that texts are as wide here as they were measured.
    writer.text = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
        "xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
        "version=\"1.1\" width=\"{}mm\" height=\"{}mm\" viewBox=\"0 0 {} {}\" font-family=\"{}, sans-serif\" "
        "font-weight=\"500\">\n",
        number(list.width * 25.4 / 72), number(list.height * 25.4 / 72), number(list.width), number(list.height),
        font_family);
    if (!list.title.empty()) writer.text += "<title>" + xml_escaped(list.title) + "</title>\n";
    writer.text += svg_metadata(provenance) + "\n";
    for (Item const& item : list.items) std::visit(writer, item);
    return writer.text + "</svg>\n";
}

}  // namespace orrery::figure
