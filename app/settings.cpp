#include "app/settings.h"

#include <algorithm>

#include "core/base/files.h"
#include "panels/common/background.h"
#include "panels/common/text.h"

namespace orrery {

namespace {

constexpr int most_recent_files = 12;

Json to_json(Settings::Layout const& layout) {
    return {{"state", layout.state.toBase64().toStdString()}, {"geometry", layout.geometry.toBase64().toStdString()}};
}

Settings::Layout layout_from(Json const& value) {
    if (!value.is_object()) return {};
    auto const bytes = [&](char const* key) {
        return QByteArray::fromBase64(QByteArray::fromStdString(value.value(key, std::string())));
    };
    return {bytes("state"), bytes("geometry")};
}

}  // namespace

Settings::Settings(std::filesystem::path file, QObject* parent) : QObject(parent), m_file(std::move(file)) {
    std::error_code none;
    if (std::filesystem::exists(m_file, none)) {
        auto const bytes = read_file(m_file, 1 << 20);
        Json values = bytes.ok() ? Json::parse(bytes.value(), nullptr, false) : Json();
        // A broken settings file costs the settings, not the start; it is kept beside for whoever wants to look.
        if (values.is_object())
            m_values = std::move(values);
        else
            std::filesystem::rename(m_file, m_file.string() + ".broken", none);
    }
    m_later.setSingleShot(true);
    m_later.setInterval(300);
    connect(&m_later, &QTimer::timeout, this, [this] {
        m_pending = false;
        background_pool().start([file = m_file, text = m_values.dump(1)] { (void)write_file(file, text); });
    });
}

Settings::~Settings() {
    if (m_pending) write();
}

void Settings::write() {
    m_pending = false;
    (void)write_file(m_file, m_values.dump(1));
}

void Settings::put(char const* key, Json value) {
    if (auto const found = m_values.find(key); found != m_values.end() && *found == value) return;
    m_values[key] = std::move(value);
    m_pending = true;
    m_later.start();
    Q_EMIT changed(QString::fromLatin1(key));
}

namespace {

template <class T>
T value_or(Json const& values, char const* key, T fallback) {
    auto const found = values.find(key);
    if (found == values.end()) return fallback;
    try {
        return found->template get<T>();
    } catch (Json::exception const&) {  // a hand-edited file with another type there
        return fallback;
    }
}

}  // namespace

QString Settings::theme() const {
    return value_or<std::string>(m_values, "theme", "light") == "dark" ? "dark" : "light";
}
void Settings::set_theme(QString const& name) { put("theme", name.toStdString()); }
double Settings::text_scale() const { return std::clamp(value_or(m_values, "text_scale", 1.0), 0.8, 2.0); }
void Settings::set_text_scale(double scale) { put("text_scale", std::clamp(scale, 0.8, 2.0)); }
int Settings::threads() const { return std::max(0, value_or(m_values, "threads", 0)); }
void Settings::set_threads(int threads) { put("threads", threads); }
bool Settings::animations() const { return value_or(m_values, "animations", true); }
void Settings::set_animations(bool on) { put("animations", on); }

QStringList Settings::recent_files() const {
    QStringList files;
    for (std::string const& file : value_or(m_values, "recent_files", std::vector<std::string>())) files << qt(file);
    return files;
}

void Settings::add_recent_file(QString const& path) {
    QStringList files = recent_files();
    files.removeAll(path);
    files.prepend(path);
    std::vector<std::string> kept;
    for (QString const& file : files.mid(0, most_recent_files)) kept.push_back(file.toStdString());
    put("recent_files", kept);
}

void Settings::clear_recent_files() { put("recent_files", Json::array()); }

QStringList Settings::layouts() const {
    QStringList names;
    Json const layouts = value_or(m_values, "layouts", Json::object());
    for (auto const& [name, layout] : layouts.items()) names << qt(name);
    return names;
}

Settings::Layout Settings::layout(QString const& name) const {
    Json const layouts = value_or(m_values, "layouts", Json::object());
    auto const found = layouts.find(name.toStdString());
    return found != layouts.end() ? layout_from(*found) : Layout{};
}

void Settings::set_layout(QString const& name, Layout const& layout) {
    Json layouts = value_or(m_values, "layouts", Json::object());
    layouts[name.toStdString()] = to_json(layout);
    put("layouts", std::move(layouts));
}

void Settings::remove_layout(QString const& name) {
    Json layouts = value_or(m_values, "layouts", Json::object());
    layouts.erase(name.toStdString());
    put("layouts", std::move(layouts));
}

Settings::Layout Settings::window() const { return layout_from(value_or(m_values, "window", Json::object())); }
void Settings::set_window(Layout const& layout) { put("window", to_json(layout)); }

QKeySequence Settings::shortcut(QString const& command_text, QKeySequence const& standard) const {
    Json const shortcuts = value_or(m_values, "shortcuts", Json::object());
    auto const found = shortcuts.find(command_text.toStdString());
    return found != shortcuts.end() && found->is_string() ? QKeySequence(qt(found->get<std::string>())) : standard;
}

void Settings::set_shortcut(QString const& command_text, QKeySequence const& keys, QKeySequence const& standard) {
    Json shortcuts = value_or(m_values, "shortcuts", Json::object());
    if (keys == standard)
        shortcuts.erase(command_text.toStdString());
    else
        shortcuts[command_text.toStdString()] = keys.toString(QKeySequence::PortableText).toStdString();
    put("shortcuts", std::move(shortcuts));
}

}  // namespace orrery
