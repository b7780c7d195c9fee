// The font file behind a Qt font, rebuilt from the tables that Qt's font engine hands out: plots use the very face the
// widgets use, wherever the system keeps it, without a list of paths.
#pragma once

#include <QByteArray>
#include <QFont>

namespace orrery {

struct FontData {
    QByteArray file;           // a TrueType or OpenType file, empty if the face has no outlines
    double line_per_em = 1.2;  // (ascent + descent) / em: Dear ImGui's sizes are line heights, Qt's are ems
};

[[nodiscard]] FontData font_data(QFont const& font);

}  // namespace orrery
