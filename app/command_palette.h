// Ctrl+K: everything that can be done or found, by a few letters: commands, rooms (also by paper title, the authors'
// name of the method and file type), runs of a room, samples, help, layouts, recent files. A text that is a command
// with its arguments is executed as it stands.
#pragma once

#include "core/base/command.h"

#include <QFrame>
#include <QString>
#include <functional>
#include <vector>

class QLineEdit;
class QListWidget;

namespace orrery {

struct PaletteEntry {
    QString title;     // "Open room: Binding ddG"
    QString detail;    // second line or right side: usage, shortcut, paper
    QString words;     // what else it is found by
    std::string text;  // the command; with `complete` false it is put into the line to be finished
    bool complete = true;
    QString shortcut = {};
};

class CommandPalette : public QFrame {
    Q_OBJECT
public:
    CommandPalette(CommandBus& commands, std::function<std::vector<PaletteEntry>()> entries, QWidget* window);
    void open(QString const& typed = {});
    [[nodiscard]] std::vector<PaletteEntry> found(QString const& typed) const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void show_found();
    void accept();
    CommandBus& m_commands;
    std::function<std::vector<PaletteEntry>()> m_make_entries;
    std::vector<PaletteEntry> m_entries, m_shown;
    QLineEdit* m_line = nullptr;
    QListWidget* m_list = nullptr;
};

}  // namespace orrery
