#include "app/docks.h"

#include <QDockWidget>
#include <QMainWindow>

#include "app/settings.h"

namespace orrery {

Docks::Docks(QMainWindow& window, Settings& settings) : QObject(&window), m_window(window), m_settings(settings) {
    window.setDockNestingEnabled(true);
    window.setDockOptions(QMainWindow::AllowTabbedDocks | QMainWindow::AllowNestedDocks);
    // The columns at the sides go from top to bottom; what is at the foot is as wide as the rooms.
    window.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
}

void Docks::add(QString const& name, QString const& title, Qt::DockWidgetArea area,
                std::function<QWidget*(QWidget*)> make) {
    auto* dock = new QDockWidget(title, &m_window);
    dock->setObjectName(QStringLiteral("dock.") + name);
    dock->setAccessibleName(title);
    m_names << name;
    m_docks.insert(name, dock);
    m_makers.insert(name, std::move(make));
    m_window.addDockWidget(area, dock);
    connect(dock, &QDockWidget::visibilityChanged, this, [this, name](bool visible) {
        if (visible) fill(name);
    });
    connect(dock->toggleViewAction(), &QAction::toggled, this,
            [this, name](bool on) { Q_EMIT visibility_changed(name, on); });
}

void Docks::fill(QString const& name) {
    QDockWidget* dock = m_docks.value(name);
    if (auto make = m_makers.take(name)) dock->setWidget(make(dock));
}

QWidget* Docks::content(QString const& name) const {
    QDockWidget* dock = m_docks.value(name);
    return dock != nullptr ? dock->widget() : nullptr;
}

bool Docks::visible(QString const& name) const {
    QDockWidget* dock = m_docks.value(name);
    return dock != nullptr && !dock->isHidden();
}

void Docks::set_visible(QString const& name, bool visible) {
    QDockWidget* dock = m_docks.value(name);
    if (dock == nullptr) return;
    if (visible) fill(name);
    dock->setVisible(visible);
    if (visible) dock->raise();
}

QStringList Docks::layouts() const {
    QStringList names{QStringLiteral("Standard"), QStringLiteral("Focus"), QStringLiteral("Review")};
    names << m_settings.layouts();
    return names;
}

bool Docks::is_standard_layout(QString const& name) const {
    return name == QLatin1String("Standard") || name == QLatin1String("Focus") || name == QLatin1String("Review");
}

bool Docks::apply(QString const& name) {
    if (!is_standard_layout(name)) {
        if (!m_settings.layouts().contains(name)) return false;
        restore(m_settings.layout(name).state);
        return true;
    }
    QStringList shown;
    if (name == QLatin1String("Standard")) shown = QStringList{"rooms", "inspector", "jobs"};
    if (name == QLatin1String("Review")) shown = QStringList{"rooms", "inspector", "jobs", "runs", "data", "log"};
    struct Place {
        char const* name;
        Qt::DockWidgetArea area;
    };
    for (Place const& place : {Place{"rooms", Qt::LeftDockWidgetArea}, Place{"inspector", Qt::RightDockWidgetArea},
                               Place{"jobs", Qt::RightDockWidgetArea}, Place{"runs", Qt::BottomDockWidgetArea},
                               Place{"data", Qt::BottomDockWidgetArea}, Place{"log", Qt::BottomDockWidgetArea}}) {
        QDockWidget* dock = m_docks.value(QLatin1String(place.name));
        if (dock == nullptr) continue;
        dock->setFloating(false);
        m_window.addDockWidget(place.area, dock);
    }
    m_window.splitDockWidget(m_docks["inspector"], m_docks["jobs"], Qt::Vertical);
    m_window.tabifyDockWidget(m_docks["runs"], m_docks["data"]);
    m_window.tabifyDockWidget(m_docks["runs"], m_docks["log"]);
    for (QString const& dock : m_names) {
        if (shown.contains(dock)) fill(dock);
        m_docks[dock]->setVisible(shown.contains(dock));
    }
    m_docks["runs"]->raise();
    m_window.resizeDocks({m_docks["rooms"]}, {176}, Qt::Horizontal);
    m_window.resizeDocks({m_docks["inspector"]}, {264}, Qt::Horizontal);
    m_window.resizeDocks({m_docks["inspector"], m_docks["jobs"]}, {600, 300}, Qt::Vertical);
    m_window.resizeDocks({m_docks["runs"]}, {220}, Qt::Vertical);
    return true;
}

void Docks::save(QString const& name) { m_settings.set_layout(name, {state(), {}}); }

void Docks::restore(QByteArray const& state) {
    m_window.restoreState(state, state_version);
    for (QString const& name : m_names)
        if (visible(name)) fill(name);
}

QByteArray Docks::state() const { return m_window.saveState(state_version); }

}  // namespace orrery
