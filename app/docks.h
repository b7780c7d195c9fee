// The docks around the rooms, each filled when it is first seen, and their layouts by name.
#pragma once

#include <QHash>
#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>

class QDockWidget;
class QMainWindow;
class QWidget;

namespace orrery {

class Settings;

class Docks : public QObject {
    Q_OBJECT
public:
    static constexpr int state_version =
        1;  // of QMainWindow::saveState: a change of the docks makes old states unknown

    Docks(QMainWindow& window, Settings& settings);
    void add(QString const& name, QString const& title, Qt::DockWidgetArea area,
             std::function<QWidget*(QWidget*)> make);

    [[nodiscard]] QStringList names() const { return m_names; }
    [[nodiscard]] QDockWidget* dock(QString const& name) const { return m_docks.value(name); }
    [[nodiscard]] QWidget* content(QString const& name) const;  // null until it was seen
    [[nodiscard]] bool visible(QString const& name) const;
    void set_visible(QString const& name, bool visible);

    // "Standard", "Focus", "Review", then the user's own.
    [[nodiscard]] QStringList layouts() const;
    [[nodiscard]] bool is_standard_layout(QString const& name) const;
    bool apply(QString const& name);  // false: no such layout
    void save(QString const& name);
    void restore(QByteArray const& state);
    [[nodiscard]] QByteArray state() const;

signals:
    void visibility_changed(QString const& name, bool visible);

private:
    void fill(QString const& name);
    QMainWindow& m_window;
    Settings& m_settings;
    QStringList m_names;
    QHash<QString, QDockWidget*> m_docks;
    QHash<QString, std::function<QWidget*(QWidget*)>> m_makers;
};

}  // namespace orrery
