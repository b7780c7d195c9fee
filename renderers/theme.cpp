#include "renderers/theme.h"

#include "core/base/json.h"

#include <QFile>
#include <QFontDatabase>
#include <QStringList>
#include <cmath>

// Resources of a static library are registered by name, which has to be done outside any namespace.
static void register_theme_resources() { Q_INIT_RESOURCE(themes); }

namespace orrery {
namespace {

Result<QColor> read_color(Json const& colors, char const* role, std::string const& file) {
    auto const entry = colors.find(role);
    if (entry == colors.end() || !entry->is_string()) return bad_input(std::string("no colour \"") + role + "\"", file);
    QColor const color(QString::fromStdString(entry->get<std::string>()));
    if (!color.isValid()) {
        return bad_input("\"" + entry->get<std::string>() + "\" is not a colour", file + ", " + role,
                         "write it as \"#RRGGBB\"");
    }
    return color;
}

}  // namespace

Result<Theme> Theme::load(QString const& name) {
    register_theme_resources();
    std::string const path = ":/themes/" + name.toStdString() + ".json";
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadOnly)) {
        return bad_input("there is no theme \"" + name.toStdString() + "\"", path, "themes are: light, dark");
    }
    Json const record = Json::parse(file.readAll().toStdString(), nullptr, false);
    if (!record.is_object() || !record.contains("colors") || !record["colors"].is_object()) {
        return bad_input("the theme file has no object \"colors\"", path);
    }
    Theme theme;
    theme.name = name;
    theme.dark = record.value("dark", false);
    struct Role {
        char const* name;
        QColor Theme::*member;
    };
    static constexpr std::array<Role, 9> roles{{{"window", &Theme::window},
                                                {"surface", &Theme::surface},
                                                {"border", &Theme::border},
                                                {"text", &Theme::text},
                                                {"secondary_text", &Theme::secondary_text},
                                                {"accent", &Theme::accent},
                                                {"good", &Theme::good},
                                                {"warn", &Theme::warn},
                                                {"bad", &Theme::bad}}};
    for (Role const& role : roles) {
        ORRERY_TRY(theme.*role.member, read_color(record["colors"], role.name, path));
    }
    return theme;
}

QFont Theme::sized(int pixels) const {
    QFont font;
    font.setFamilies({"Inter", QFontDatabase::systemFont(QFontDatabase::GeneralFont).family(), "DejaVu Sans"});
    font.setPixelSize(static_cast<int>(std::lround(pixels * scale)));
    return font;
}

QFont Theme::body() const { return sized(13); }

QFont Theme::monospaced() const {
    QFont font;
    font.setFamilies({"JetBrains Mono", "DejaVu Sans Mono", "monospace"});
    font.setStyleHint(QFont::Monospace);
    font.setPixelSize(static_cast<int>(std::lround(12 * scale)));  // its x-height is taller than Inter's
    return font;
}

ThemeNotifier::ThemeNotifier() {
    Result<Theme> light = Theme::load("light");
    if (light.ok()) m_theme = std::move(light).value();
}

ThemeNotifier& ThemeNotifier::instance() {
    static ThemeNotifier notifier;
    return notifier;
}

void ThemeNotifier::set(Theme theme) {
    m_theme = std::move(theme);
    emit changed();
}

QColor category_color(int index, bool dark) {
    static constexpr std::array<QRgb, 8> okabe_ito{0xFFE69F00, 0xFF56B4E9, 0xFF009E73, 0xFFF0E442,
                                                   0xFF0072B2, 0xFFD55E00, 0xFFCC79A7, 0xFF000000};
    int const count = static_cast<int>(okabe_ito.size());
    int const wrapped = ((index % count) + count) % count;
    if (wrapped == count - 1 && dark) return QColor(Qt::white);
    return QColor::fromRgb(okabe_ito[static_cast<std::size_t>(wrapped)]);
}

}  // namespace orrery
