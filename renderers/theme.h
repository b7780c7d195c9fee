// The colours and measures of resources/themes/{light,dark}.json, shared by Qt, ImGui and VTK so that no seam shows.
// theme_style.h makes the style sheet, the palette and the derived colours of them.
#pragma once

#include "core/base/result.h"

#include <QColor>
#include <QFont>
#include <QObject>
#include <QString>
#include <array>
#include <span>

namespace orrery {

struct Theme {
    QString name;  // "light", "dark"
    bool dark = false;
    QColor window, surface, border, text, secondary_text, accent, good, warn, bad;
    double scale = 1.0;  // the user's text scale

    static Result<Theme> load(QString const& name);  // from the program's resources
    [[nodiscard]] QFont body() const;                // Inter 13 px x scale, else the system's sans
    [[nodiscard]] QFont monospaced() const;          // JetBrains Mono, else DejaVu Sans Mono
    [[nodiscard]] QFont sized(int pixels) const;     // body's face at 11, 13, 16 or 20 px x scale
};

// The theme in force; the light one until set() is called. Views repaint on ThemeNotifier::changed.
class ThemeNotifier : public QObject {
    Q_OBJECT
public:
    static ThemeNotifier& instance();
    [[nodiscard]] Theme const& theme() const { return m_theme; }
    void set(Theme theme);
signals:
    void changed();

private:
    ThemeNotifier();
    Theme m_theme;
};

// Okabe-Ito order: orange, sky blue, bluish green, yellow, blue, vermillion, reddish purple, black (white on dark).
[[nodiscard]] QColor category_color(int index, bool dark);

}  // namespace orrery
