// What a person chose for the program: theme, text size, layouts, recent files, shortcuts, threads. One JSON file,
// `state_directory()/settings.json`, read once at the start (a few kB) and written on another thread a moment after a
// change. Keys this version does not know are kept.
#pragma once

#include "core/base/json.h"

#include <QKeySequence>
#include <QObject>
#include <QStringList>
#include <QTimer>
#include <filesystem>

namespace orrery {

class Settings : public QObject {
    Q_OBJECT
public:
    explicit Settings(std::filesystem::path file, QObject* parent = nullptr);
    ~Settings() override;  // writes what is pending

    [[nodiscard]] QString theme() const;  // "light", "dark"
    void set_theme(QString const& name);
    [[nodiscard]] double text_scale() const;  // 0.8 to 2
    void set_text_scale(double scale);
    [[nodiscard]] int threads() const;  // of jobs; 0: all cores
    void set_threads(int threads);
    [[nodiscard]] bool animations() const;
    void set_animations(bool on);

    [[nodiscard]] QStringList recent_files() const;  // newest first
    void add_recent_file(QString const& path);
    void clear_recent_files();

    struct Layout {
        QByteArray state, geometry;
    };
    [[nodiscard]] QStringList layouts() const;  // the user's own names
    [[nodiscard]] Layout layout(QString const& name) const;
    void set_layout(QString const& name, Layout const& layout);
    void remove_layout(QString const& name);
    // How the window was when it was closed.
    [[nodiscard]] Layout window() const;
    void set_window(Layout const& layout);

    [[nodiscard]] QKeySequence shortcut(QString const& command_text, QKeySequence const& standard) const;
    void set_shortcut(QString const& command_text, QKeySequence const& keys, QKeySequence const& standard);

signals:
    void changed(QString const& key);  // "theme", "text_scale", "recent_files", "layouts", "shortcuts", ...

private:
    void put(char const* key, Json value);
    void write();

    std::filesystem::path m_file;
    Json m_values = Json::object();
    QTimer m_later;
    bool m_pending = false;
};

}  // namespace orrery
