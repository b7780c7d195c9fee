// The record of a run survives every format, and files of any other kind are refused without harm.
#include "core/figure/export.h"
#include "core/figure/png.h"
#include "tests/catch.h"
#include "tests/figure/samples.h"
#include "tests/fixtures.h"

#include <zlib.h>

#include <fstream>
#include <random>

using namespace orrery;
using namespace orrery::tests;

namespace {

std::string exported(Figure const& figure, ExportFormat format) {
    ExportOptions options;
    options.dpi = 60;
    auto bytes = export_figure(figure, format, options);
    REQUIRE(bytes.ok());
    return *bytes;
}

std::string message(std::string_view bytes) {
    auto record = read_provenance_of(bytes, "file.x");
    REQUIRE_FALSE(record.ok());
    CHECK(record.error().message().find("file.x") != std::string::npos);
    return record.error().message();
}

std::string chunk(std::string const& type, std::string const& data) {
    std::string out;
    auto add = [&](std::uint32_t value) {
        for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xff);
    };
    add(static_cast<std::uint32_t>(data.size()));
    out += type + data;
    std::string const body = type + data;
    add(static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<Bytef const*>(body.data()), static_cast<uInt>(body.size()))));
    return out;
}

std::string png_with(std::string const& chunks) {
    return "\x89PNG\r\n\x1a\n" + chunk("IHDR", std::string(13, '\1')) + chunks + chunk("IDAT", "x") + chunk("IEND", "");
}

bool has(std::string const& text, std::string const& part) {
    UNSCOPED_INFO("\"" << text << "\" should contain \"" << part << "\"");
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the record comes back from every format") {
    Figure figure = sample_bars();
    for (int i = 0; i < 200; ++i)
        figure.provenance["inputs"].push_back(
            {{"path", "a (b) \\ c/" + std::to_string(i)}, {"sha256", std::string(64, 'a')}});
    std::filesystem::path const folder = scratch_directory("provenance");
    for (ExportFormat format : {ExportFormat::png, ExportFormat::svg, ExportFormat::pdf, ExportFormat::csv}) {
        std::filesystem::path const path = folder / ("figure." + std::string(to_string(format)));
        std::string const bytes = exported(figure, format);
        std::ofstream(path, std::ios::binary) << bytes;
        auto record = read_provenance(path);
        INFO(to_string(format) << " " << (record.ok() ? "" : record.error().message()));
        REQUIRE(record.ok());
        CHECK(*record == figure.provenance);
    }
}

TEST_CASE("a record that is not UTF-8 does not stop the export") {
    Figure figure = sample_bars();
    figure.provenance["note"] = "bad \xff byte";
    for (ExportFormat format : {ExportFormat::png, ExportFormat::svg, ExportFormat::pdf, ExportFormat::csv})
        CHECK(read_provenance_of(exported(figure, format), "f").ok());
}

TEST_CASE("a record is put into pictures drawn elsewhere, and replaced") {
    Json const first{{"run", 1}}, second{{"run", "zwölf"}};
    std::string const plain = png_with(chunk("pHYs", std::string(9, '\0')));
    std::string const once = embed_png_provenance(plain, first, 300);
    CHECK(read_provenance_of(once, "f").value() == first);
    std::string const twice = embed_png_provenance(once, second);
    CHECK(read_provenance_of(twice, "f").value() == second);
    CHECK(twice.find("orrery-provenance") == twice.rfind("orrery-provenance"));
    CHECK(once.find("pHYs") == once.rfind("pHYs"));
    CHECK(embed_png_provenance("no png", first) == "no png");
    CHECK(embed_png_provenance(plain.substr(0, 40), first) == plain.substr(0, 40));

    std::string const svg =
        "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\">\n<g/>\n</svg>\n";
    std::string const drawn = embed_svg_provenance(svg, first);
    CHECK(read_provenance_of(drawn, "f").value() == first);
    std::string const again = embed_svg_provenance(drawn, second);
    CHECK(read_provenance_of(again, "f").value() == second);
    CHECK(embed_svg_provenance("nothing", first) == "nothing");
    CHECK(embed_svg_provenance("<svg/>", first) == "<svg/>");
}

TEST_CASE("packed and older text chunks are read") {
    std::string const text = "{\"run\": 3}";
    std::string packed(200, '\0');
    uLongf size = packed.size();
    compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<Bytef const*>(text.data()),
             static_cast<uLong>(text.size()));
    packed.resize(size);
    CHECK(read_provenance_of(png_with(chunk("iTXt", std::string("orrery-provenance\0\1\0en\0\0", 24) + packed)), "f")
              .value() == Json{{"run", 3}});
    CHECK(read_provenance_of(png_with(chunk("tEXt", std::string("orrery-provenance\0", 18) + text)), "f").value() ==
          Json{{"run", 3}});
}

TEST_CASE("entities of other programs are understood in SVG") {
    std::string const svg =
        "<svg><metadata id=\"x\">no</metadata><metadata\n id=\"orrery-provenance\">{&#34;a&#x22;: "
        "&quot;&#228;&apos;&lt;&#x1F600;\"}</metadata></svg>";
    CHECK(read_provenance_of(svg, "f").value() == Json{{"a", "ä'<😀"}});
}

TEST_CASE("files without a record, and damaged ones, are told apart") {
    CHECK(has(message(""), "the file is empty"));
    CHECK(has(message(png_with("")), "this PNG holds no record of a run"));
    CHECK(has(message("<svg></svg>"), "this SVG holds no record"));
    CHECK(has(message("%PDF-1.5\n%%EOF\n"), "this PDF holds no record"));
    CHECK(has(message("a,b\n1,2\n"), "this file holds no record"));
    CHECK(has(message(std::string("\0\1\2", 3)), "no PNG, SVG, PDF or CSV"));
    std::string const png = exported(sample_bars(), ExportFormat::png);
    CHECK(has(message(png.substr(0, 30)), "the PNG is cut off"));
    std::string damaged = png;
    damaged[png.find("orrery-provenance") + 30] ^= 1;
    CHECK(has(message(damaged), "record of the run in this PNG is damaged"));
    CHECK(has(message(png_with(chunk("iTXt", std::string("orrery-provenance\0", 18)))), "damaged"));
    CHECK(has(message(png_with(chunk("iTXt", std::string("orrery-provenance\0\1\0\0\0zzz", 25)))), "damaged"));
    CHECK(has(message(png_with(chunk("tEXt", std::string("orrery-provenance\0[1]", 21)))), "damaged"));
    CHECK(
        has(message("\x89PNG\r\n\x1a\n" + std::string("\xff\xff\xff\xffIHDR", 8) + std::string(100, 'x')), "cut off"));
    CHECK(has(message("<svg><metadata id=\"orrery-provenance\">{</metadata></svg>"), "damaged"));
    CHECK(has(message("<svg><metadata id=\"orrery-provenance\">{"), "no record"));
    CHECK(has(message("%PDF-1.5\n%orrery-provenance {\"a\""), "cut off"));
    CHECK(has(message("# provenance: nonsense\n"), "damaged"));
    CHECK(has(message("# provenance: " + std::string(100'000, '[')), "damaged"));
    CHECK_FALSE(read_provenance("/nowhere/figure.png").ok());
}

TEST_CASE("a packed record can't fill the memory") {
    std::string const zeros(std::size_t{80} << 20, ' ');
    std::string packed(compressBound(static_cast<uLong>(zeros.size())), '\0');
    uLongf size = packed.size();
    compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<Bytef const*>(zeros.data()),
              static_cast<uLong>(zeros.size()), 1);
    packed.resize(size);
    CHECK(has(message(png_with(chunk("iTXt", std::string("orrery-provenance\0\1\0\0\0", 22) + packed))), "damaged"));
}

TEST_CASE("mutated files never crash the reader") {
    std::mt19937_64 random(20260104);
    for (ExportFormat format : {ExportFormat::png, ExportFormat::svg, ExportFormat::pdf, ExportFormat::csv}) {
        std::string const valid = exported(sample_small_heat_map(), format);
        int read = 0;
        for (int i = 0; i < 2000; ++i) {
            std::string bytes = valid;
            for (std::size_t k = 0; k < 1 + random() % 6 && !bytes.empty(); ++k) {
                std::size_t const at = random() % bytes.size();
                switch (random() % 4) {
                    case 0:
                        bytes[at] = static_cast<char>(random());
                        break;
                    case 1:
                        bytes.erase(at, random() % 50);
                        break;
                    case 2:
                        bytes.insert(at, bytes.substr(at, random() % 50));
                        break;
                    default:
                        bytes.resize(at + 1);
                        break;
                }
            }
            read += read_provenance_of(bytes, "f").ok() ? 1 : 0;
            if (format != ExportFormat::png) continue;
            std::string const embedded = embed_png_provenance(bytes, {{"run", i}});
            CHECK((embedded == bytes || read_provenance_of(embedded, "f").value() == Json{{"run", i}}));
        }
        CHECK(read > 0);
        CHECK(read < 2000);
    }
}
