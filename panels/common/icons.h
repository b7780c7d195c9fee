// Icons of the program: SVGs in resources drawn in the colour of the theme, at the screen's scale, made when first
// used.
#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QString>

namespace orrery {

// `name`: "pause", or a full resource path ":/panels/stab-ddg/icon.svg". Black in the file becomes the theme's text
// colour (or `color`). An icon made here follows a change of theme by itself.
[[nodiscard]] QIcon icon(QString const& name);
[[nodiscard]] QPixmap icon_pixmap(QString const& name, int size, QColor const& color, double device_pixel_ratio);

}  // namespace orrery
