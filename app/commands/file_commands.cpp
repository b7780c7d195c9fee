#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>

#include "app/commands/commands.h"
#include "app/main_window.h"
#include "app/opener.h"
#include "app/room_host.h"
#include "core/base/files.h"
#include "panels/common/text.h"

namespace orrery {

namespace {

using Arguments = std::vector<std::string>;

std::string absolute(std::string const& path) { return QFileInfo(qt(path)).absoluteFilePath().toStdString(); }

QString session_filter() { return QStringLiteral("Orrery session (*.orrery)"); }

// A room's state before and after, so that opening a file can be taken back whole.
Done undo_room(MainWindow& window, std::string const& slug, Json before, std::string text) {
    return {[&window, slug, before = std::move(before)] {
                if (Room* room = window.rooms().room(slug)) room->restore(before);
            },
            std::move(text)};
}

Result<Done> open_in(MainWindow& window, Arguments const& arguments) {
    if (arguments.size() < 2)
        return bad_input("open-in needs a room and a file", {}, "for example: open-in stab-ddg 1AO7.pdb");
    Room* room = window.rooms().room(arguments[0]);
    if (room == nullptr) return bad_input("there is no room \"" + arguments[0] + "\"");
    std::vector<std::string> paths;
    for (std::size_t i = 1; i < arguments.size(); ++i) paths.push_back(absolute(arguments[i]));
    Json const before = room->state();
    window.rooms().show_room(room->slug());
    if (auto opened = room->open_files(paths); !opened.ok()) {
        room->show_error(opened.error());
        return opened.error();
    }
    for (std::string const& path : paths) {
        window.session().add_dataset(path, room->slug());
        window.settings().add_recent_file(qt(path));
    }
    return undo_room(window, room->slug(), before, "Open " + file_name(paths.front()).toStdString());
}

void ask_open(MainWindow& window) {
    auto* dialog = new QFileDialog(&window, QStringLiteral("Open"));
    dialog->setObjectName(QStringLiteral("open.dialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    QStringList patterns{QStringLiteral("*.orrery"), QStringLiteral("*.png"), QStringLiteral("*.svg"),
                         QStringLiteral("*.pdf")};
    for (PanelDescriptor const& panel : window.panels())
        for (std::string const& pattern : panel.schema->file_patterns) patterns << qt(pattern);
    patterns.removeDuplicates();
    dialog->setNameFilters(
        {QStringLiteral("What Orrery can use (%1)").arg(patterns.join(' ')), QStringLiteral("All files (*)")});
    QObject::connect(dialog, &QFileDialog::filesSelected, &window, [&window](QStringList const& files) {
        CommandCall call{"open", {}};
        for (QString const& file : files) call.arguments.push_back(file.toStdString());
        (void)window.commands().execute(call);
    });
    dialog->open();
}

void ask_save_as(MainWindow& window) {
    auto* dialog = new QFileDialog(&window, QStringLiteral("Save session as"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilter(session_filter());
    dialog->setDefaultSuffix(QStringLiteral("orrery"));
    QObject::connect(dialog, &QFileDialog::fileSelected, &window, [&window](QString const& file) {
        (void)window.commands().execute(CommandCall{"save-as", {file.toStdString()}});
    });
    dialog->open();
}

}  // namespace

void add_file_commands(MainWindow& window) {
    CommandBus& bus = window.commands();
    bus.add({"new", "new", "Start a new session", "Ctrl+N"}, [&window](Arguments const&) -> Result<Done> {
        window.rooms().save_states();
        window.session().start_new();
        return Done{};
    });
    bus.add({"open", "open <file> ...", "Open files", ""}, [&window](Arguments const& arguments) -> Result<Done> {
        if (arguments.empty()) return bad_input("open needs a file", {}, "for example: open 1AO7.pdb");
        std::vector<std::string> paths;
        for (std::string const& argument : arguments) paths.push_back(absolute(argument));
        window.rooms().save_states();
        window.opener().open(paths);
        return Done{};
    });
    bus.add({"open-in", "open-in <room> <file> ...", "Open files in a room", ""},
            [&window](Arguments const& arguments) { return open_in(window, arguments); });
    bus.add({"open-dialog", "open-dialog", "Open files", "Ctrl+O", false}, [&window](Arguments const&) -> Result<Done> {
        ask_open(window);
        return Done{};
    });
    bus.add({"clear-recent", "clear-recent", "Clear the list of recent files", ""},
            [&window](Arguments const&) -> Result<Done> {
                window.settings().clear_recent_files();
                return Done{};
            });
    bus.add({"save", "save", "Save the session", "Ctrl+S"}, [&window](Arguments const&) -> Result<Done> {
        if (!window.session().ready())
            return unavailable("the session is still being opened", {}, "try again in a moment");
        window.rooms().save_states();
        if (window.session().is_autosave())
            ask_save_as(window);
        else
            window.session().save();
        return Done{};
    });
    bus.add({"save-as", "save-as <file.orrery>", "Save the session under a name", ""},
            [&window](Arguments const& arguments) -> Result<Done> {
                if (arguments.size() != 1)
                    return bad_input("save-as needs one file", {}, "for example: save-as work.orrery");
                if (!window.session().ready())
                    return unavailable("the session is still being opened", {}, "try again in a moment");
                std::string path = absolute(arguments[0]);
                if (!path.ends_with(".orrery")) path += ".orrery";
                window.rooms().save_states();
                window.session().save_as(path);
                return Done{};
            });
    bus.add({"save-as-dialog", "save-as-dialog", "Save the session under a name", "", false},
            [&window](Arguments const&) -> Result<Done> {
                ask_save_as(window);
                return Done{};
            });
    bus.add({"quit", "quit", "Quit", "Ctrl+Q"}, [&window](Arguments const&) -> Result<Done> {
        window.close();
        return Done{};
    });
}

}  // namespace orrery
