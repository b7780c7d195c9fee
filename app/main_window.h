// The window: puts session, rooms, docks, menus and commands together. What each does is in its own file.
#pragma once

#include "app/docks/log_dock.h"
#include "app/session.h"
#include "app/settings.h"
#include "panels/common/panel.h"
#include "panels/common/state_strip.h"

#include <QMainWindow>
#include <memory>
#include <string>
#include <vector>

namespace orrery {

class CommandPalette;
class Docks;
class Menus;
class Opener;
class Room;
class RoomHost;
class RoomsList;
class ShellServices;
class StatusLine;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    struct Setup {
        std::vector<PanelDescriptor> const* panels = nullptr;
        std::filesystem::path settings_file;
        std::vector<std::string> worker_command;
        QString screenshots = {};  // folder of the command `screenshot`
    };
    explicit MainWindow(Setup setup);
    ~MainWindow() override;

    [[nodiscard]] std::vector<PanelDescriptor> const& panels() const { return *m_setup.panels; }
    [[nodiscard]] CommandBus& commands() { return m_commands; }
    [[nodiscard]] Session& session() { return *m_session; }
    [[nodiscard]] Settings& settings() { return *m_settings; }
    [[nodiscard]] SelectionModel& selection() { return m_selection; }
    [[nodiscard]] RoomHost& rooms() { return *m_rooms; }
    [[nodiscard]] Docks& docks() { return *m_docks; }
    [[nodiscard]] Menus& menus() { return *m_menus; }
    [[nodiscard]] Opener& opener() { return *m_opener; }
    [[nodiscard]] LogBook& log() { return m_log; }
    [[nodiscard]] ShellServices& services() { return *m_services; }
    [[nodiscard]] QString const& screenshots_folder() const { return m_setup.screenshots; }

    // The selection as the last command left it, by kind: what differs from it was done by a view.
    [[nodiscard]] QHash<QString, QSet<QString>>& known_selection() { return m_known_selection; }

    // What waits until the window is there: session, warm workers, offers of recovery. `session_file` may be empty.
    void start(std::string const& session_file);
    void shut_down();  // after the window is gone: ends workers, writes, closes

    void apply_theme(QString const& name, double text_scale);
    void open_palette(QString const& typed);
    void report(Error const& error);  // strip and log
    void tell(QString const& text);   // log and status bar
    void show_message(StateStrip::Kind kind, QString const& word, QString const& text,
                      std::vector<StateStrip::Action> actions);

signals:
    void closed();

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void build();
    void build_docks();
    void build_search_button();
    void connect_session();
    void connect_selection();
    void offer_recovery();
    void session_opened();
    void job_ended(JobStatus const& status);
    void show_title();
    void save_window();

    Setup m_setup;
    CommandBus m_commands;
    SelectionModel m_selection;
    LogBook m_log;
    Settings* m_settings = nullptr;
    Session* m_session = nullptr;
    ShellServices* m_services = nullptr;
    RoomHost* m_rooms = nullptr;
    RoomsList* m_list = nullptr;
    Docks* m_docks = nullptr;
    Menus* m_menus = nullptr;
    Opener* m_opener = nullptr;
    StatusLine* m_status = nullptr;
    CommandPalette* m_palette = nullptr;
    QTimer m_save_window_later;
    std::map<std::string, JobState> m_job_states;  // as last told in the log
    QHash<QString, QSet<QString>> m_known_selection;
};

}  // namespace orrery
