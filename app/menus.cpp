#include "app/menus.h"

#include <QAction>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <algorithm>

#include "app/docks.h"
#include "app/main_window.h"
#include "app/settings.h"
#include "panels/common/text.h"
#include "renderers/theme.h"

namespace orrery {

Menus::Menus(MainWindow& window) : QObject(&window), m_window(window) {
    QMenu* file = add_menu("&File", {{"New session", "new", "Ctrl+N"},
                                     {"Open\xe2\x80\xa6", "open-dialog", "Ctrl+O"},
                                     {nullptr, nullptr, nullptr},
                                     {"Save session", "save", "Ctrl+S"},
                                     {"Save session as\xe2\x80\xa6", "save-as-dialog", "Ctrl+Shift+S"},
                                     {"Export figure or table\xe2\x80\xa6", "export-dialog", "Ctrl+E"},
                                     {nullptr, nullptr, nullptr},
                                     {"Quit", "quit", "Ctrl+Q"}});
    add_recent(file, file->actions().at(2));
    add_menu("&Edit", {{"Undo", "undo", "Ctrl+Z"},
                       {"Redo", "redo", "Ctrl+Shift+Z"},
                       {nullptr, nullptr, nullptr},
                       {"Clear selection", "select residue", "Ctrl+Shift+A"},
                       {nullptr, nullptr, nullptr},
                       {"Settings\xe2\x80\xa6", "settings", "Ctrl+,"}});
    QMenu* view = add_menu("&View", {});
    Docks& docks = window.docks();
    for (QString const& name : docks.names())
        add_checked(view, docks.dock(name)->windowTitle(), QStringLiteral("show ") + name,
                    QStringLiteral("hide ") + name, name == QLatin1String("log") ? QStringLiteral("Ctrl+L") : QString(),
                    [&docks, name] { return docks.visible(name); });
    view->addSeparator();
    add_layouts(view);
    view->addSeparator();
    add_checked(view, QStringLiteral("Dark theme"), QStringLiteral("theme dark"), QStringLiteral("theme light"),
                QStringLiteral("Ctrl+D"), [] { return ThemeNotifier::instance().theme().dark; });
    add_item(view, QStringLiteral("Larger text"), QStringLiteral("scale larger"), QStringLiteral("Ctrl+="));
    add_item(view, QStringLiteral("Smaller text"), QStringLiteral("scale smaller"), QStringLiteral("Ctrl+-"));
    add_item(view, QStringLiteral("Normal text"), QStringLiteral("scale 1"), QStringLiteral("Ctrl+0"));
    view->addSeparator();
    add_checked(view, QStringLiteral("Full screen"), QStringLiteral("full-screen on"),
                QStringLiteral("full-screen off"), QStringLiteral("F11"), [&window] { return window.isFullScreen(); });
    QMenu* data =
        add_menu("&Data", {{"Open\xe2\x80\xa6", "open-dialog", ""}, {"Data of the session", "show data", ""}});
    add_samples(data);
    add_menu("&Run", {{"Run", "run", "Ctrl+Return"},
                      {"Pause", "pause", ""},
                      {"Resume", "resume", ""},
                      {"Cancel", "cancel", "Ctrl+."},
                      {nullptr, nullptr, nullptr},
                      {"Repeat the run shown and compare", "repeat-run", "Ctrl+Shift+R"},
                      {"Use the settings of the run shown", "use-settings", ""},
                      {"Runs of the session", "show runs", ""}});
    QMenu* rooms = add_menu("&Window", {{"Start", "room start", "Ctrl+Home"}});
    add_rooms(rooms);
    add_menu("&Help", {{"Help on this room", "help", "F1"},
                       {"Cite this room", "cite", ""},
                       {"Search everything", "palette", "Ctrl+K"},
                       {nullptr, nullptr, nullptr},
                       {"About Orrery", "about", ""}});
    apply_shortcuts();
    connect(&window.settings(), &Settings::changed, this, [this](QString const& key) {
        if (key == QLatin1String("shortcuts")) apply_shortcuts();
    });
    window.commands().on_undo_changed = [this] { update_undo(); };
    update_undo();
}

QMenu* Menus::add_menu(char const* title, std::vector<Item> const& items) {
    QMenu* menu = m_window.menuBar()->addMenu(QString::fromUtf8(title));
    for (Item const& item : items) {
        if (item.title == nullptr)
            menu->addSeparator();
        else
            add_item(menu, QString::fromUtf8(item.title), QString::fromUtf8(item.command),
                     QString::fromUtf8(item.keys));
    }
    return menu;
}

QAction* Menus::add_item(QMenu* menu, QString const& title, QString const& command, QString const& keys) {
    QAction* action = menu->addAction(title);
    action->setObjectName(QStringLiteral("action.") + command);
    connect(action, &QAction::triggered, this,
            [this, command] { (void)m_window.commands().execute(command.toStdString()); });
    if (!m_actions.contains(command)) {
        m_actions.insert(command, action);
        m_standard_keys.insert(command, QKeySequence(keys));
    }
    return action;
}

void Menus::add_checked(QMenu* menu, QString const& title, QString const& on_command, QString const& off_command,
                        QString const& keys, std::function<bool()> is_on) {
    QAction* action = menu->addAction(title);
    action->setObjectName(QStringLiteral("action.") + on_command);
    action->setCheckable(true);
    connect(action, &QAction::triggered, this, [this, action, on_command, off_command, is_on] {
        bool const on = is_on();
        (void)m_window.commands().execute((on ? off_command : on_command).toStdString());
        action->setChecked(is_on());
    });
    connect(menu, &QMenu::aboutToShow, action, [action, is_on] { action->setChecked(is_on()); });
    m_actions.insert(on_command, action);
    m_standard_keys.insert(on_command, QKeySequence(keys));
}

void Menus::add_recent(QMenu* file_menu, QAction* before) {
    auto* recent = new QMenu(QStringLiteral("Open recent"), file_menu);
    file_menu->insertMenu(before, recent);
    connect(recent, &QMenu::aboutToShow, this, [this, recent] {
        recent->clear();
        QStringList const files = m_window.settings().recent_files();
        for (QString const& file : files) {
            QAction* action =
                recent->addAction(QStringLiteral("%1    %2").arg(QFileInfo(file).fileName(), QFileInfo(file).path()));
            connect(action, &QAction::triggered, this, [this, file] {
                (void)m_window.commands().execute(CommandCall{"open", {file.toStdString()}});
            });
        }
        if (files.isEmpty()) recent->addAction(QStringLiteral("No files yet"))->setEnabled(false);
        recent->addSeparator();
        QAction* clear = recent->addAction(QStringLiteral("Clear this list"));
        clear->setEnabled(!files.isEmpty());
        connect(clear, &QAction::triggered, this, [this] { (void)m_window.commands().execute("clear-recent"); });
    });
}

void Menus::add_layouts(QMenu* view_menu) {
    QMenu* layouts = view_menu->addMenu(QStringLiteral("Layout"));
    connect(layouts, &QMenu::aboutToShow, this, [this, layouts] {
        layouts->clear();
        Docks& docks = m_window.docks();
        for (QString const& name : docks.layouts()) {
            QAction* action = layouts->addAction(name);
            connect(action, &QAction::triggered, this, [this, name] {
                (void)m_window.commands().execute(CommandCall{"layout", {name.toStdString()}});
            });
        }
        layouts->addSeparator();
        QAction* save = layouts->addAction(QStringLiteral("Save this layout…"));
        connect(save, &QAction::triggered, this,
                [this] { (void)m_window.commands().execute("palette \"save-layout \""); });
    });
}

void Menus::add_rooms(QMenu* window_menu) {
    window_menu->addSeparator();
    int number = 0;
    for (PanelDescriptor const& panel : m_window.panels()) {
        ++number;
        add_item(window_menu, qt(panel.schema->title), QStringLiteral("room ") + qt(panel.schema->slug),
                 number <= 9 ? QStringLiteral("Ctrl+%1").arg(number) : QString());
    }
}

void Menus::add_samples(QMenu* data_menu) {
    QMenu* samples = data_menu->addMenu(QStringLiteral("Samples"));
    for (PanelDescriptor const& panel : m_window.panels())
        for (Sample const& sample : panel.samples)
            add_item(samples, QStringLiteral("%1: %2").arg(qt(panel.schema->title), qt(sample.title)),
                     qt(CommandCall{"sample", {panel.schema->slug, sample.name}}.text()), {});
    samples->setEnabled(!samples->isEmpty());
}

void Menus::update_undo() {
    CommandBus& bus = m_window.commands();
    QAction* undo = m_actions.value(QStringLiteral("undo"));
    QAction* redo = m_actions.value(QStringLiteral("redo"));
    undo->setEnabled(bus.can_undo());
    redo->setEnabled(bus.can_redo());
    undo->setText(bus.can_undo() ? QStringLiteral("Undo: %1").arg(qt(bus.undo_text())) : QStringLiteral("Undo"));
    redo->setText(bus.can_redo() ? QStringLiteral("Redo: %1").arg(qt(bus.redo_text())) : QStringLiteral("Redo"));
}

void Menus::apply_shortcuts() {
    for (auto action = m_actions.begin(); action != m_actions.end(); ++action)
        action.value()->setShortcut(m_window.settings().shortcut(action.key(), m_standard_keys.value(action.key())));
}

std::vector<StandingCommand> Menus::standing() const {
    std::vector<StandingCommand> result;
    for (auto action = m_actions.begin(); action != m_actions.end(); ++action) {
        QString const command = action.key();
        if (command.startsWith(QLatin1String("room ")) && command != QLatin1String("room start")) continue;
        if (command.startsWith(QLatin1String("sample "))) continue;
        QString title = action.value()->text().remove('&');
        if (command.startsWith(QLatin1String("show ")) && !title.startsWith(QLatin1String("Data of")) &&
            !title.startsWith(QLatin1String("Runs of")))
            title = QStringLiteral("Show: %1").arg(title);
        result.push_back({title, command.toStdString(), action.value()->shortcut().toString(QKeySequence::NativeText)});
    }
    result.push_back({QStringLiteral("Light theme"), "theme light", {}});
    for (QString const& name : m_window.docks().layouts())
        result.push_back(
            {QStringLiteral("Layout: %1").arg(name), CommandCall{"layout", {name.toStdString()}}.text(), {}});
    for (QString const& name : m_window.docks().names())
        result.push_back({QStringLiteral("Hide: %1").arg(m_window.docks().dock(name)->windowTitle()),
                          "hide " + name.toStdString(),
                          {}});
    std::sort(result.begin(), result.end(), [](auto const& a, auto const& b) { return a.title < b.title; });
    return result;
}

}  // namespace orrery
