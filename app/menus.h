// The menu bar. Every entry is a command; its words, place and keys are in one table here, which the command palette
// and the shortcut settings read too.
#pragma once

#include "app/palette_entries.h"

#include <QHash>
#include <QObject>
#include <functional>
#include <vector>

class QAction;
class QMenu;

namespace orrery {

class MainWindow;

class Menus : public QObject {
    Q_OBJECT
public:
    explicit Menus(MainWindow& window);
    [[nodiscard]] std::vector<StandingCommand> standing() const;
    [[nodiscard]] QAction* action(QString const& command_text) const { return m_actions.value(command_text); }
    [[nodiscard]] QHash<QString, QAction*> const& actions() const { return m_actions; }
    [[nodiscard]] QKeySequence standard_keys(QString const& command_text) const {
        return m_standard_keys.value(command_text);
    }

private:
    struct Item {
        char const* title;  // null: a line
        char const* command;
        char const* keys;
    };
    QMenu* add_menu(char const* title, std::vector<Item> const& items);
    QAction* add_item(QMenu* menu, QString const& title, QString const& command, QString const& keys);
    void add_checked(QMenu* menu, QString const& title, QString const& on_command, QString const& off_command,
                     QString const& keys, std::function<bool()> is_on);
    void add_recent(QMenu* file_menu, QAction* before);
    void add_layouts(QMenu* view_menu);
    void add_rooms(QMenu* window_menu);
    void add_samples(QMenu* data_menu);
    void update_undo();
    void apply_shortcuts();

    MainWindow& m_window;
    QHash<QString, QAction*> m_actions;
    QHash<QString, QKeySequence> m_standard_keys;
};

}  // namespace orrery
