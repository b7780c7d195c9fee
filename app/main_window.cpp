#include "app/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDropEvent>
#include <QLabel>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QStatusBar>
#include <QUrl>
#include <QVBoxLayout>

#include "app/command_palette.h"
#include "app/commands/commands.h"
#include "app/docks.h"
#include "app/docks/data_dock.h"
#include "app/docks/inspector_dock.h"
#include "app/docks/jobs_dock.h"
#include "app/docks/runs_dock.h"
#include "app/menus.h"
#include "app/opener.h"
#include "app/recovery.h"
#include "app/room_host.h"
#include "app/rooms_list.h"
#include "app/shell_services.h"
#include "app/status_line.h"
#include "app/welcome_page.h"
#include "panels/common/background.h"
#include "panels/common/icons.h"
#include "panels/common/labels.h"
#include "panels/common/text.h"
#include "renderers/theme_style.h"

namespace orrery {

namespace {

constexpr double notify_after_seconds = 60;

}  // namespace

MainWindow::MainWindow(Setup setup) : m_setup(std::move(setup)) {
    setObjectName(QStringLiteral("window"));
    setAcceptDrops(true);
    m_settings = new Settings(m_setup.settings_file, this);
    apply_theme(m_settings->theme(), m_settings->text_scale());
    m_session = new Session({m_setup.panels, m_setup.worker_command}, this);
    m_services = new ShellServices(*m_setup.panels, *m_session, m_commands, m_selection, this);
    build();
    add_commands(*this);
    m_menus = new Menus(*this);
    build_search_button();
    connect_session();
    connect_selection();
    show_title();
}

MainWindow::~MainWindow() = default;

void MainWindow::build() {
    resize(1400, 900);
    setWindowIcon(QIcon(icon_pixmap(QStringLiteral("orrery"), 64, Qt::black, 1)));
    m_rooms = new RoomHost(*m_setup.panels, *m_services, *m_session, this);
    setCentralWidget(m_rooms);
    m_docks = new Docks(*this, *m_settings);
    build_docks();
    m_opener = new Opener(*this);
    m_status = new StatusLine(*statusBar(), *m_session, m_commands);
    m_status->set_threads(m_settings->threads());
    m_rooms->welcome().show_recent(m_settings->recent_files());
    Settings::Layout const window = m_settings->window();
    if (!window.geometry.isEmpty()) restoreGeometry(window.geometry);
    if (!window.state.isEmpty())
        m_docks->restore(window.state);
    else
        m_docks->apply(QStringLiteral("Standard"));
    m_palette = new CommandPalette(
        m_commands,
        [this] { return palette_entries(panels(), m_commands, m_menus->standing(), m_settings->recent_files()); },
        this);
    m_save_window_later.setSingleShot(true);
    m_save_window_later.setInterval(500);
    connect(&m_save_window_later, &QTimer::timeout, this, &MainWindow::save_window);
    connect(m_docks, &Docks::visibility_changed, this, [this] { m_save_window_later.start(); });
    connect(m_settings, &Settings::changed, this, [this](QString const& key) {
        if (key == QLatin1String("recent_files")) m_rooms->welcome().show_recent(m_settings->recent_files());
        if (key == QLatin1String("threads")) m_status->set_threads(m_settings->threads());
    });
    m_commands.on_executed = [this](CommandBus::Entry const& entry) {
        m_log.add(entry.ok ? LogLine::Kind::command : LogLine::Kind::refused,
                  entry.ok ? qt(entry.text) : qt(entry.text + "\n  " + entry.message));
        m_session->add_command(entry);
    };
}

void MainWindow::build_docks() {
    m_docks->add(QStringLiteral("rooms"), QStringLiteral("Rooms"), Qt::LeftDockWidgetArea, [this](QWidget* parent) {
        m_list = new RoomsList(panels(), parent);
        m_list->set_current(m_rooms->current_slug());
        connect(m_list, &RoomsList::room_wanted, this, [this](std::string const& slug) {
            (void)m_commands.execute(CommandCall{"room", {slug.empty() ? "start" : slug}});
        });
        return m_list;
    });
    m_docks->add(QStringLiteral("inspector"), QStringLiteral("Inspector"), Qt::RightDockWidgetArea,
                 [this](QWidget* parent) {
                     auto* inspector = new InspectorDock(*m_session, m_selection, parent);
                     inspector->show_room(m_rooms->current_room());
                     connect(m_rooms, &RoomHost::current_changed, inspector, &InspectorDock::show_room);
                     return inspector;
                 });
    m_docks->add(QStringLiteral("jobs"), QStringLiteral("Jobs"), Qt::RightDockWidgetArea,
                 [this](QWidget* parent) { return new JobsDock(*m_session, m_commands, parent); });
    m_docks->add(QStringLiteral("runs"), QStringLiteral("Runs"), Qt::BottomDockWidgetArea,
                 [this](QWidget* parent) { return new RunsDock(*m_session, m_commands, parent); });
    m_docks->add(QStringLiteral("data"), QStringLiteral("Data"), Qt::BottomDockWidgetArea,
                 [this](QWidget* parent) { return new DataDock(*m_session, m_commands, parent); });
    m_docks->add(QStringLiteral("log"), QStringLiteral("Log"), Qt::BottomDockWidgetArea,
                 [this](QWidget* parent) { return new LogDock(m_log, m_commands, parent); });
}

void MainWindow::build_search_button() {
    auto* button =
        make_button(QStringLiteral("Search commands, methods, help      Ctrl+K"), QStringLiteral("search"), this);
    button->setIcon(icon(QStringLiteral("search")));
    button->setFocusPolicy(Qt::TabFocus);
    // As high as the menus beside it, whatever the text size.
    button->setStyleSheet(QStringLiteral("min-height: 0; padding: 2px 12px;"));
    connect(button, &QPushButton::clicked, this, [this] { (void)m_commands.execute("palette"); });
    auto* corner = new QWidget(this);
    auto* layout = new QHBoxLayout(corner);
    layout->setContentsMargins(0, 1, 8, 1);
    layout->addWidget(button);
    menuBar()->setCornerWidget(corner, Qt::TopRightCorner);
}

void MainWindow::connect_session() {
    connect(m_services, &ShellServices::reported, this, &MainWindow::report);
    connect(m_services, &ShellServices::status_given, this, [this](QString const& text) { m_status->say(text); });
    connect(m_services, &ShellServices::export_wanted, this, [this](std::string const& slug, QString const& name) {
        (void)m_commands.execute(CommandCall{"export-dialog", {slug + "." + name.toStdString()}});
    });
    connect(m_session, &Session::failed, this, &MainWindow::report);
    connect(m_session, &Session::opened_now, this, &MainWindow::session_opened);
    connect(m_session, &Session::renamed, this, &MainWindow::show_title);
    connect(m_session, &Session::notice_given, this, &MainWindow::tell);
    connect(m_session, &Session::saved, this, [this](QString const& path) {
        tell(QStringLiteral("Saved %1").arg(path));
        m_settings->add_recent_file(path);
        show_title();
    });
    connect(m_session, &Session::job_log, this, [this](QString const& id, LogLevel level, QString const& text) {
        if (level == LogLevel::debug) return;
        LogLine::Kind const kind = level == LogLevel::error     ? LogLine::Kind::error
                                   : level == LogLevel::warning ? LogLine::Kind::warning
                                                                : LogLine::Kind::info;
        m_log.add(kind, QStringLiteral("%1: %2").arg(id, text));
    });
    connect(m_session, &Session::job_changed, this, &MainWindow::job_ended);
    connect(m_session, &Session::workers_changed, this, [this] {
        if (m_session->worker_problem().isEmpty()) return;
        show_message(StateStrip::Kind::error, QStringLiteral("No worker"), m_session->worker_problem(), {});
    });
    connect(m_rooms, &RoomHost::current_changed, this, [this](Room* room) {
        if (m_list != nullptr) m_list->set_current(room != nullptr ? room->slug() : std::string());
    });
}

// Views change the selection by themselves; what they did is logged as the command that does the same.
void MainWindow::connect_selection() {
    connect(&m_selection, &SelectionModel::selection_changed, this, [this](QString const& kind) {
        if (m_session->ready()) save_selection(*this);
        note_selection(*this, kind);
    });
}

void MainWindow::start(std::string const& session_file) {
    if (session_file.empty()) {
        m_session->start_new();
        offer_recovery();
    } else {
        m_session->open(session_file, true);
    }
}

void MainWindow::offer_recovery() {
    find_unfinished_sessions(this, [this](std::vector<SessionFile> const& sessions) {
        if (sessions.empty()) return;
        SessionFile const newest = sessions.front();
        QString const when =
            QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(newest.changed * 1000)).toString("yyyy-MM-dd HH:mm");
        show_message(StateStrip::Kind::info, QStringLiteral("Not closed properly"),
                     QStringLiteral("A session of %1 with %2 runs was not closed and was not saved under a name.")
                         .arg(when)
                         .arg(newest.runs),
                     {{QStringLiteral("Open it"), QStringLiteral("recovery.open"),
                       [this, newest] {
                           m_rooms->strip().clear();
                           (void)m_commands.execute(CommandCall{"open", {newest.path.string()}});
                       }},
                      {QStringLiteral("Leave it"), QStringLiteral("recovery.leave"), [this, sessions] {
                           m_rooms->strip().clear();
                           mark_left(sessions);
                       }}});
    });
}

void MainWindow::session_opened() {
    m_commands.forget_undo();
    m_job_states.clear();
    restore_selection(*this);
    show_title();
    m_session->check_inputs();
    if (!m_session->is_autosave()) tell(QStringLiteral("Opened %1").arg(qt(m_session->path().string())));
}

void MainWindow::job_ended(JobStatus const& status) {
    if (m_list != nullptr) {
        int running = 0;
        for (std::string const& id : m_session->order())
            if (JobStatus const* job = m_session->find(id);
                job->spec.method == status.spec.method && job->busy() && !job->helper)
                ++running;
        m_list->set_busy(status.spec.method, running);
    }
    auto const [known, first] = m_job_states.emplace(status.id(), status.state);
    if (!first && known->second == status.state) return;
    known->second = status.state;
    if (!is_final(status.state)) return;
    QString text = QStringLiteral("%1 (%2): %3")
                       .arg(qt(status.spec.title), qt(status.id()), qt(to_string(status.state)).replace('_', ' '));
    if (status.error && status.state == JobState::failed) text += QStringLiteral(": ") + qt(status.error->message());
    if (QString const verdict = m_session->repeat_verdict(status.id()); !verdict.isEmpty())
        text += QStringLiteral(" · ") + verdict;
    m_log.add(status.state == JobState::failed ? LogLine::Kind::error : LogLine::Kind::info, text);
    if (!status.helper) m_status->say(text);
    if (status.elapsed_seconds > notify_after_seconds && !isActiveWindow()) QApplication::alert(this);
}

void MainWindow::apply_theme(QString const& name, double text_scale) {
    auto theme = Theme::load(name);
    if (!theme.ok()) {
        report(theme.error());
        return;
    }
    theme->scale = text_scale;
    qApp->setPalette(orrery::palette(*theme));
    qApp->setFont(theme->body());
    qApp->setStyleSheet(style_sheet(*theme));
    ThemeNotifier::instance().set(*theme);
}

void MainWindow::open_palette(QString const& typed) { m_palette->open(typed); }

void MainWindow::report(Error const& error) {
    m_log.add(LogLine::Kind::error, qt(error.message()));
    for (std::string const& cause : error.chain)
        m_log.add(LogLine::Kind::info, QStringLiteral("caused by: %1").arg(qt(cause)));
    if (m_session != nullptr) m_session->add_log(LogLevel::error, error.message());
    if (m_rooms != nullptr) show_message(StateStrip::Kind::error, QStringLiteral("Not done"), qt(error.message()), {});
}

void MainWindow::tell(QString const& text) {
    m_log.add(LogLine::Kind::info, text);
    m_status->say(text);
}

void MainWindow::show_message(StateStrip::Kind kind, QString const& word, QString const& text,
                              std::vector<StateStrip::Action> actions) {
    if (actions.empty())
        actions.push_back(
            {QStringLiteral("Dismiss"), QStringLiteral("message.dismiss"), [this] { m_rooms->strip().clear(); }});
    m_rooms->strip().show_message(kind, word, text, std::move(actions));
}

void MainWindow::show_title() { setWindowTitle(QStringLiteral("%1 · Orrery").arg(m_session->name())); }

void MainWindow::save_window() { m_settings->set_window({m_docks->state(), saveGeometry()}); }

void MainWindow::closeEvent(QCloseEvent* event) {
    save_window();
    m_rooms->save_states();
    event->accept();
    hide();
    Q_EMIT closed();
}

void MainWindow::shut_down() {
    m_rooms->save_states();
    m_session->close();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!event->mimeData()->hasUrls()) return;
    std::vector<std::string> paths;
    for (QUrl const& url : event->mimeData()->urls()) paths.push_back(url.toLocalFile().toStdString());
    QStringList names;
    for (PanelDescriptor const* panel : m_opener->rooms_for(paths)) names << qt(panel->schema->title);
    m_status->say(names.isEmpty() ? QStringLiteral("Drop to open")
                                  : QStringLiteral("Drop to open in: %1").arg(names.join(QStringLiteral(", "))));
    event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    CommandCall call{"open", {}};
    for (QUrl const& url : event->mimeData()->urls())
        if (url.isLocalFile()) call.arguments.push_back(url.toLocalFile().toStdString());
    if (call.arguments.empty()) return;
    event->acceptProposedAction();
    (void)m_commands.execute(call);
}

void MainWindow::changeEvent(QEvent* event) {
    // Back from another program: a file may have been edited there.
    if (event->type() == QEvent::ActivationChange && isActiveWindow() && m_session != nullptr && m_session->ready())
        m_session->check_inputs();
    QMainWindow::changeEvent(event);
}

}  // namespace orrery
