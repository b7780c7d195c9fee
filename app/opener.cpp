#include "app/opener.h"

#include <QCursor>
#include <QDir>
#include <QFileInfo>
#include <QMenu>
#include <algorithm>
#include <filesystem>
#include <optional>

#include "app/main_window.h"
#include "app/provenance.h"
#include "app/room_host.h"
#include "core/figure/export.h"
#include "panels/common/background.h"
#include "panels/common/icons.h"
#include "panels/common/text.h"

namespace orrery {

namespace fs = std::filesystem;

// One file as it was found on another thread.
struct Opener::Look {
    std::string path;
    std::optional<Error> problem;  // not there, a folder
    std::optional<Json> provenance;
    std::optional<Error> no_provenance;  // of a picture that no run made
};

namespace {

std::string ending(std::string const& path) {
    QString const suffix = QFileInfo(qt(path)).suffix().toLower();
    return suffix.toStdString();
}

bool may_be_exported(std::string const& path) {
    std::string const suffix = ending(path);
    return suffix == "png" || suffix == "svg" || suffix == "pdf" || suffix == "csv";
}

std::string nearest_folder(fs::path path) {
    std::error_code none;
    for (path = path.parent_path(); !path.empty() && !fs::exists(path, none);) {
        if (path == path.parent_path()) break;
        path = path.parent_path();
    }
    return path.string();
}

}  // namespace

Opener::Opener(MainWindow& window) : QObject(&window), m_window(window) {}

std::vector<PanelDescriptor const*> Opener::rooms_for(std::vector<std::string> const& paths) const {
    std::vector<PanelDescriptor const*> rooms;
    for (PanelDescriptor const& panel : m_window.panels()) {
        auto const& patterns = panel.schema->file_patterns;
        bool const all = std::all_of(paths.begin(), paths.end(), [&](std::string const& path) {
            return std::any_of(patterns.begin(), patterns.end(),
                               [&](std::string const& pattern) { return QDir::match(qt(pattern), file_name(path)); });
        });
        if (all && !paths.empty()) rooms.push_back(&panel);
    }
    return rooms;
}

void Opener::open(std::vector<std::string> const& paths) {
    in_background(
        this,
        [paths] {
            std::vector<Look> looks;
            for (std::string const& path : paths) {
                Look look;
                look.path = path;
                std::error_code none;
                if (!fs::exists(path, none))
                    look.problem = bad_input("there is no such file", path,
                                             "The nearest folder that is there is " + nearest_folder(path));
                else if (fs::is_directory(path, none))
                    look.problem = bad_input("this is a folder, not a file", path, "open a file in it");
                else if (may_be_exported(path)) {
                    auto provenance = read_provenance(path);
                    if (provenance.ok())
                        look.provenance = std::move(*provenance);
                    else
                        look.no_provenance = std::move(provenance).error();
                }
                looks.push_back(std::move(look));
            }
            return looks;
        },
        [this](std::vector<Look> const& looks) { looked(looks); });
}

void Opener::looked(std::vector<Look> const& looks) {
    std::vector<std::string> data;
    for (Look const& look : looks) {
        if (look.problem) {
            m_window.report(*look.problem);
        } else if (look.provenance) {
            lead_back(look.path, *look.provenance);
        } else if (ending(look.path) == "orrery") {
            m_window.settings().add_recent_file(qt(look.path));
            m_window.session().open(look.path);
        } else if (rooms_for({look.path}).empty()) {
            m_window.report(look.no_provenance ? *look.no_provenance
                                               : bad_input("no room can use this kind of file", look.path,
                                                           "Search \"" + ending(look.path) +
                                                               "\" in the command palette for what is accepted"));
        } else {
            data.push_back(look.path);
        }
    }
    if (data.empty()) return;
    for (std::string const& path : data) m_window.settings().add_recent_file(qt(path));
    auto const rooms = rooms_for(data);
    if (rooms.empty()) {
        m_window.report(bad_input("no room can use these files together", std::to_string(data.size()) + " files",
                                  "open them one at a time"));
    } else if (rooms.size() == 1) {
        CommandCall call{"open-in", {rooms.front()->schema->slug}};
        call.arguments.insert(call.arguments.end(), data.begin(), data.end());
        (void)m_window.commands().execute(call);
    } else {
        offer(rooms, data);
    }
}

void Opener::offer(std::vector<PanelDescriptor const*> const& rooms, std::vector<std::string> const& paths) {
    auto* menu = new QMenu(&m_window);
    menu->setObjectName(QStringLiteral("offer"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QString const what = paths.size() == 1 ? file_name(paths.front()) : QStringLiteral("%1 files").arg(paths.size());
    menu->addAction(QStringLiteral("Open %1 in").arg(what))->setEnabled(false);
    for (PanelDescriptor const* panel : rooms) {
        QAction* action = menu->addAction(icon(panel->icon.empty() ? QStringLiteral("room") : qt(panel->icon)),
                                          qt(panel->schema->title));
        connect(action, &QAction::triggered, this, [this, slug = panel->schema->slug, paths] {
            CommandCall call{"open-in", {slug}};
            call.arguments.insert(call.arguments.end(), paths.begin(), paths.end());
            (void)m_window.commands().execute(call);
        });
    }
    QPoint at = QCursor::pos();
    if (!m_window.frameGeometry().contains(at)) at = m_window.mapToGlobal(m_window.rect().center());
    menu->popup(at);
}

// The run of this session if it is here, else its settings in the form.
void Opener::lead_back(std::string const& path, Json const& provenance) {
    std::string const run = run_of(m_window.session(), provenance);
    if (!run.empty()) {
        (void)m_window.commands().execute(CommandCall{"show-run", {run}});
        m_window.tell(QStringLiteral("%1 was made by this run.").arg(file_name(path)));
        return;
    }
    std::string const slug = provenance.is_object() ? provenance.value("method", std::string()) : std::string();
    Room* room = m_window.rooms().room(slug);
    if (room == nullptr) {
        m_window.report(
            bad_input("this figure was made by the method \"" + slug + "\", which this Orrery does not have", path));
        return;
    }
    std::vector<std::string> missing;
    Json const values = form_values(m_window.session(), *room->panel().schema, provenance, missing);
    (void)m_window.commands().execute(CommandCall{"room", {slug}});
    (void)m_window.commands().execute(
        CommandCall{"fill", {slug, provenance.value("verb", std::string()), values.dump()}});
    QString text = QStringLiteral("The run that made %1 is not in this session; its settings are in the form.")
                       .arg(file_name(path));
    for (std::string const& name : missing) text += QStringLiteral(" Give %1 again.").arg(qt(name));
    m_window.show_message(StateStrip::Kind::info, QStringLiteral("From a figure"), text, {});
    m_window.tell(text);
}

}  // namespace orrery
