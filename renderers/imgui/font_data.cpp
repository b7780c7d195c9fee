#include "renderers/imgui/font_data.h"

#include <QRawFont>
#include <QtEndian>
#include <vector>

namespace orrery {
namespace {

struct FontTable {
    char const* tag;
    QByteArray bytes;
};

template <class T>
void append_big_endian(QByteArray& out, T value) {
    T const swapped = qToBigEndian(value);
    out.append(reinterpret_cast<char const*>(&swapped), sizeof swapped);
}

}  // namespace

// Layout of an OpenType file: offset table, table records in the order of their tags, tables at multiples of four
// bytes.
FontData font_data(QFont const& font) {
    QRawFont const raw = QRawFont::fromFont(font);
    if (!raw.isValid()) return {};
    // In the order of their tags. Layout tables (GPOS, GSUB) are left out: Dear ImGui does not shape text.
    std::vector<FontTable> tables;
    bool has_outlines = false;
    for (char const* tag : {"CFF ", "OS/2", "cmap", "cvt ", "fpgm", "glyf", "head", "hhea", "hmtx", "kern", "loca",
                            "maxp", "name", "post", "prep"}) {
        QByteArray bytes = raw.fontTable(tag);
        if (bytes.isEmpty()) continue;
        has_outlines = has_outlines || qstrcmp(tag, "CFF ") == 0 || qstrcmp(tag, "glyf") == 0;
        tables.push_back({tag, std::move(bytes)});
    }
    if (!has_outlines) return {};

    bool const compact = tables.front().tag[0] == 'C';
    auto const count = static_cast<quint16>(tables.size());
    quint16 power = 1, exponent = 0;
    while (power * 2 <= count) {
        power = static_cast<quint16>(power * 2);
        ++exponent;
    }
    FontData result;
    append_big_endian<quint32>(result.file, compact ? 0x4F54544F /* OTTO */ : 0x00010000);
    append_big_endian<quint16>(result.file, count);
    append_big_endian<quint16>(result.file, static_cast<quint16>(power * 16));
    append_big_endian<quint16>(result.file, exponent);
    append_big_endian<quint16>(result.file, static_cast<quint16>((count - power) * 16));
    auto offset = static_cast<quint32>(12 + 16 * tables.size());
    for (FontTable const& table : tables) {
        auto const length = static_cast<quint32>(table.bytes.size());
        result.file.append(table.tag, 4);
        append_big_endian<quint32>(result.file, 0);  // checksum: not read by anyone here
        append_big_endian<quint32>(result.file, offset);
        append_big_endian<quint32>(result.file, length);
        offset += (length + 3) / 4 * 4;
    }
    for (FontTable const& table : tables) {
        result.file.append(table.bytes);
        result.file.append(QByteArray(static_cast<int>((4 - table.bytes.size() % 4) % 4), '\0'));
    }
    // From hhea, as stb_truetype scales by it.
    QByteArray const hhea = raw.fontTable("hhea");
    QByteArray const head = raw.fontTable("head");
    if (hhea.size() >= 8 && head.size() >= 20) {
        auto const ascent = qFromBigEndian<qint16>(hhea.constData() + 4);
        auto const descent = qFromBigEndian<qint16>(hhea.constData() + 6);
        auto const em = qFromBigEndian<quint16>(head.constData() + 18);
        if (em > 0 && ascent > descent) result.line_per_em = static_cast<double>(ascent - descent) / em;
    }
    return result;
}

}  // namespace orrery
