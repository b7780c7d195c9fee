// What is made of a Theme: the program's style sheet and palette, and colours between the named ones.
//
//   qApp->setStyle("Fusion");  qApp->setPalette(palette(theme));  qApp->setFont(theme.body());
//   qApp->setStyleSheet(style_sheet(theme));  ThemeNotifier::instance().set(theme);
//
// Variants are chosen by dynamic property before the widget is shown:
//   QPushButton  primary, quiet, danger = true
//   QToolButton  quiet = true
//   QLabel       role = title (20 px) | heading (16 px) | secondary | good | warn | bad | error | mono
//   QFrame       role = card | strip | separator (give it a fixed height or width of 1)
//   inputs       invalid = true: border in the colour "bad"
//   QProgressBar state = failed | paused | done
// set_property() also repolishes, for changes after the widget is shown.
#pragma once

#include "renderers/theme.h"

#include <QPalette>

class QWidget;

namespace orrery {

[[nodiscard]] QString style_sheet(Theme const& theme);
[[nodiscard]] QPalette palette(Theme const& theme);

// Sets a dynamic property that the style sheet looks at, and has the widget styled anew.
void set_property(QWidget& widget, char const* name, QVariant const& value);

// a + (b - a) * t, by component in sRGB; t in 0..1.
[[nodiscard]] QColor mix(QColor const& a, QColor const& b, double t);
// WCAG 2.1 contrast ratio of two opaque colours, 1..21.
[[nodiscard]] double contrast(QColor const& a, QColor const& b);

[[nodiscard]] QColor on_accent(Theme const& theme);  // text and marks on the accent colour
[[nodiscard]] QColor selected(Theme const& theme);   // background of a selected row: accent over surface
[[nodiscard]] QColor hover(Theme const& theme);      // background under the pointer
[[nodiscard]] QColor disabled(Theme const& theme);   // text of what can't be used now
[[nodiscard]] QColor edge(Theme const& theme);       // border of buttons and inputs

}  // namespace orrery
