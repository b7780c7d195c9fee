#include "renderers/theme_style.h"

#include <QFile>
#include <QStyle>
#include <QVariant>
#include <QWidget>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace orrery {
namespace {

// WCAG 2.1, "relative luminance".
double luminance(QColor const& color) {
    auto const linear = [](double value) {
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

QString pixels(double value) { return QString::number(static_cast<int>(std::lround(value))) + "px"; }

}  // namespace

QColor mix(QColor const& a, QColor const& b, double t) {
    auto const between = [t](int from, int to) { return static_cast<int>(std::lround(from + (to - from) * t)); };
    return QColor(between(a.red(), b.red()), between(a.green(), b.green()), between(a.blue(), b.blue()));
}

double contrast(QColor const& a, QColor const& b) {
    double const first = luminance(a), second = luminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

QColor on_accent(Theme const& theme) { return theme.dark ? theme.window : theme.surface; }
QColor selected(Theme const& theme) { return mix(theme.surface, theme.accent, theme.dark ? 0.18 : 0.14); }
QColor hover(Theme const& theme) { return mix(theme.surface, theme.text, theme.dark ? 0.08 : 0.05); }
QColor disabled(Theme const& theme) { return mix(theme.surface, theme.secondary_text, 0.65); }
QColor edge(Theme const& theme) { return mix(theme.border, theme.secondary_text, 0.35); }

QString style_sheet(Theme const& theme) {
    QFile file(":/themes/orrery.qss");
    if (!file.open(QIODevice::ReadOnly)) return {};
    QString sheet = QString::fromUtf8(file.readAll());
    double const scale = theme.scale;
    QColor const tip = theme.dark ? mix(theme.surface, theme.text, 0.12) : theme.text;
    // Longer words first, so that "@text" is not replaced inside "@text_...", whatever is added later.
    std::vector<std::pair<QString, QString>> words{
        {"@window", theme.window.name()},
        {"@surface", theme.surface.name()},
        {"@border", theme.border.name()},
        {"@edge", edge(theme).name()},
        {"@text", theme.text.name()},
        {"@secondary_text", theme.secondary_text.name()},
        {"@disabled", disabled(theme).name()},
        {"@mark", mix(theme.border, theme.secondary_text, 0.8).name()},
        {"@scroll", mix(theme.window, theme.secondary_text, 0.4).name()},
        {"@accent", theme.accent.name()},
        {"@accent_hover", mix(theme.accent, theme.text, 0.12).name()},
        {"@accent_pressed", mix(theme.accent, theme.text, 0.25).name()},
        {"@on_accent", on_accent(theme).name()},
        {"@good", theme.good.name()},
        {"@warn", theme.warn.name()},
        {"@bad", theme.bad.name()},
        {"@hover", hover(theme).name()},
        {"@pressed", mix(theme.surface, theme.text, theme.dark ? 0.14 : 0.1).name()},
        {"@selected", selected(theme).name()},
        {"@stripe", mix(theme.surface, theme.window, 0.6).name()},
        {"@tip", tip.name()},
        {"@tip_text", theme.dark ? theme.text.name() : theme.surface.name()},
        {"@mono", "\"JetBrains Mono\", \"DejaVu Sans Mono\", monospace"},
        {"@size16", pixels(16 * scale)},
        {"@size20", pixels(20 * scale)},
        {"@row26", pixels(26 * scale)},  // 28 with the two border pixels
        {"@row28", pixels(28 * scale)},
        {"@icons", ":/themes/icons/" + theme.name},
    };
    std::sort(words.begin(), words.end(), [](auto const& a, auto const& b) { return a.first.size() > b.first.size(); });
    for (auto const& [word, value] : words) sheet.replace(word, value);
    return sheet;
}

QPalette palette(Theme const& theme) {
    QPalette result;
    result.setColor(QPalette::Window, theme.window);
    result.setColor(QPalette::WindowText, theme.text);
    result.setColor(QPalette::Base, theme.surface);
    result.setColor(QPalette::AlternateBase, mix(theme.surface, theme.window, 0.6));
    result.setColor(QPalette::Text, theme.text);
    result.setColor(QPalette::Button, theme.surface);
    result.setColor(QPalette::ButtonText, theme.text);
    result.setColor(QPalette::BrightText, theme.bad);
    result.setColor(QPalette::Highlight, theme.accent);
    result.setColor(QPalette::HighlightedText, on_accent(theme));
    result.setColor(QPalette::Link, theme.accent);
    result.setColor(QPalette::LinkVisited, theme.accent);
    result.setColor(QPalette::ToolTipBase, theme.dark ? mix(theme.surface, theme.text, 0.12) : theme.text);
    result.setColor(QPalette::ToolTipText, theme.dark ? theme.text : theme.surface);
    result.setColor(QPalette::PlaceholderText, theme.secondary_text);
    result.setColor(QPalette::Light, theme.surface);
    result.setColor(QPalette::Midlight, theme.border);
    result.setColor(QPalette::Mid, theme.border);
    result.setColor(QPalette::Dark, edge(theme));
    result.setColor(QPalette::Shadow, edge(theme));
    for (auto const role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::PlaceholderText}) {
        result.setColor(QPalette::Disabled, role, disabled(theme));
    }
    result.setColor(QPalette::Disabled, QPalette::Highlight, theme.border);
    result.setColor(QPalette::Disabled, QPalette::HighlightedText, theme.text);
    return result;
}

void set_property(QWidget& widget, char const* name, QVariant const& value) {
    if (widget.property(name) == value) return;
    widget.setProperty(name, value);
    widget.style()->unpolish(&widget);
    widget.style()->polish(&widget);
    widget.update();
}

}  // namespace orrery
