// ControlRoom: the system, the form's words, commands, and the making of the views.
#include "panels/quantum-control/room.h"

#include "panels/common/background.h"
#include "panels/common/text.h"
#include "panels/quantum-control/compare_page.h"
#include "panels/quantum-control/editor_page.h"
#include "panels/quantum-control/optimize_page.h"
#include "panels/quantum-control/robust_page.h"
#include "panels/quantum-control/state_page.h"
#include "panels/quantum-control/sweep_editor.h"
#include "panels/quantum-control/system_editor.h"
#include "renderers/plot/heat_map_view.h"
#include "renderers/plot/xy_view.h"
#include "renderers/table/table_view.h"

#include <QHeaderView>
#include <QPointer>
#include <QTabWidget>
#include <QTableView>
#include <algorithm>
#include <array>

namespace orrery::panels::quantum_control {

namespace {

// Parameters that say which system is meant, so that a change of one reads it anew.
constexpr std::array<std::string_view, 8> system_names{"system",   "system_file", "omega",             "gamma",
                                                       "duration", "delta_max",   "diagonal_detuning", "knots"};

// Knots, of the paper's settings; the transmon's window is another.
double default_smoothing(method::QuantumSystem const* system) {
    return system != nullptr && system->name != "transmon" ? 4 : 0;
}

bool text_in(Json const& value) { return value.is_string() && !value.get<std::string>().empty(); }

}  // namespace

ControlRoom::ControlRoom(PanelDescriptor const& panel, RoomServices& services, QWidget* parent)
    : Room(panel, services, {.verbs = {"optimize", "simulate", "robust"}, .inputs = {"system_file"}}, parent) {
    m_live_timer.setSingleShot(true);
    connect(&m_live_timer, &QTimer::timeout, this, &ControlRoom::refresh_live);
    connect(&services.selection(), &SelectionModel::selection_changed, this, [this](QString const& kind) {
        if (kind == "pulse-run") selection_changed();
    });
    connect(&services, &RoomServices::job_changed, this, [this](JobStatus const& status) {
        if (status.spec.method == slug() && !status.helper && is_final(status.state)) collect_runs();
    });
    add_commands();
    read_system();
}

ControlRoom::~ControlRoom() = default;

void ControlRoom::add_commands() {
    CommandBus& bus = services().commands();
    QPointer<ControlRoom> const room(this);
    auto const gone = [] { return bad_input("the room of quantum control is closed"); };
    bus.add({"pulse-knot", "pulse-knot <control> <knot> <MHz> [brush]",
             "Quantum control: move a knot of the pulse in hand; a brush moves its neighbours along", ""},
            [room, gone](std::vector<std::string> const& arguments) -> Result<Done> {
                if (!room) return gone();
                return room->move_knot(arguments);
            });
    bus.add({"pulse-revert", "pulse-revert", "Quantum control: the pulse in hand as it came", ""},
            [room, gone](std::vector<std::string> const&) -> Result<Done> {
                if (!room) return gone();
                return room->revert_pulse();
            });
    bus.add({"pulse-compare", "pulse-compare [run] [run]",
             "Quantum control: two runs beside each other, the last two when none are named", ""},
            [room, gone](std::vector<std::string> const& arguments) -> Result<Done> {
                if (!room) return gone();
                return room->compare_runs(arguments);
            });
    bus.add({"pulse-view", "pulse-view optimize|pulse|state|robustness|compare", "Quantum control: show a page", ""},
            [room, gone](std::vector<std::string> const& arguments) -> Result<Done> {
                if (!room) return gone();
                if (arguments.size() != 1) return bad_input("pulse-view needs the name of a page");
                return room->show_page(arguments[0]);
            });
}

Result<Done> ControlRoom::show_page(std::string const& name) {
    show_views();
    for (int k = 0; k < m_tabs->count(); ++k)
        if (m_tabs->tabText(k).compare(qt(name), Qt::CaseInsensitive) == 0) {
            m_tabs->setCurrentIndex(k);
            return Done{};
        }
    return bad_input("there is no page \"" + name + "\"", {},
                     "Pages are optimize, pulse, state, robustness and compare");
}

ParameterEditor* ControlRoom::create_editor(Parameter const& parameter, QWidget* parent) {
    if (parameter.name == "x" || parameter.name == "y") return new SweepEditor(parent);
    if (parameter.name != "system") return nullptr;
    auto* editor = new SystemEditor(parameter, parent);
    m_system_editors.push_back(editor);
    connect(editor, &QObject::destroyed, this, [this, editor] { std::erase(m_system_editors, editor); });
    connect(editor, &SystemEditor::preset_chosen, this, [this] {
        if (text_in(value("system_file")))
            (void)services().commands().execute(CommandCall{"reset", {slug() + ".system_file"}});
    });
    QMetaObject::invokeMethod(this, [this] { tell_editors(); }, Qt::QueuedConnection);
    return editor;
}

void ControlRoom::tell_editors() {
    Json const file = value("system_file");
    QString const own = text_in(file) ? file_name(file.get<std::string>()) : QString();
    for (SystemEditor* editor : m_system_editors) editor->show_system(m_system, own);
}

bool ControlRoom::has_input() const { return !values().empty() || m_hand.system != nullptr; }

QWidget* ControlRoom::create_views(QWidget* parent) {
    m_tabs = new QTabWidget(parent);
    m_tabs->setObjectName("quantum-control.tabs");
    m_tabs->setDocumentMode(true);
    m_optimize = new OptimizePage(m_tabs);
    m_editor = new EditorPage(m_tabs);
    m_state_page = new StatePage(m_tabs);
    m_robust = new RobustPage(m_tabs);
    m_compare = new ComparePage(m_tabs);
    m_tabs->addTab(m_optimize, "Optimize");
    m_tabs->addTab(m_editor, "Pulse");
    m_tabs->addTab(m_state_page, "State");
    m_tabs->addTab(m_robust, "Robustness");
    m_tabs->addTab(m_compare, "Compare");
    clear_optimize();
    connect(m_tabs, &QTabWidget::currentChanged, this, [this] { Q_EMIT state_changed(); });
    connect(m_editor, &EditorPage::knot_moved, this, &ControlRoom::knot_dragged);
    connect(m_editor, &EditorPage::revert_wanted, this,
            [this] { (void)services().commands().execute(CommandCall{"pulse-revert", {}}); });
    connect(m_editor, &EditorPage::robustness_wanted, this, &ControlRoom::map_hand);
    connect(m_editor, &EditorPage::export_wanted, this, [this] { services().export_dialog(slug(), "pulse"); });
    connect(m_state_page, &StatePage::changed, this, [this] { Q_EMIT state_changed(); });
    auto const tell = [this](QString const& text) {
        if (!text.isEmpty()) services().status(text);
    };
    for (XyView* view : m_tabs->findChildren<XyView*>()) connect(view, &XyView::hovered, this, tell);
    for (HeatMapView* view : m_tabs->findChildren<HeatMapView*>()) connect(view, &HeatMapView::hovered, this, tell);
    show_hand();
    return m_tabs;
}

QWidget* ControlRoom::create_results(QWidget* parent) {
    m_table = new TableView(parent);
    m_table->setObjectName("quantum-control.table");
    m_table->setAccessibleName("Runs");
    m_table->set_selection(&services().selection(), "pulse-run", "key");
    m_table->set_empty_text("No runs yet", "Each seed of an optimization is a row; two selected rows are compared");
    connect(m_table, &TableView::export_requested, this, [this] { services().export_dialog(slug(), "table"); });
    connect(m_table, &TableView::row_activated, this, [this](QString const& key) {
        (void)services().commands().execute(CommandCall{"show-run", {key.section(':', 0, 0).toStdString()}});
    });
    collect_runs();
    fill_table();
    return m_table;
}

void ControlRoom::clear_optimize() {
    if (m_optimize == nullptr) return;
    Json const smoothing = value("smoothing");
    m_optimize->clear(m_system, value("method") == "ppo",
                      smoothing.is_number() ? smoothing.get<double>() : default_smoothing(m_system.get()));
}

// --- the system ------------------------------------------------------------------------------------------------------

void ControlRoom::on_value_changed(std::string const& parameter) {
    if (std::find(system_names.begin(), system_names.end(), parameter) != system_names.end()) read_system();
    else if (parameter == "pulse") read_pulse_file();
    if ((parameter == "method" || parameter == "smoothing") && m_curves.empty()) clear_optimize();
    update_run_bar();
}

// Presets are made at once; a file is read on another thread.
void ControlRoom::with_system(Json const& parameters, WithSystem then) {
    auto const make = [parameters]() -> Result<SystemPointer> {
        ORRERY_TRY(method::QuantumSystem system, system_of(parameters));
        return SystemPointer(std::make_shared<method::QuantumSystem const>(std::move(system)));
    };
    if (!text_in(parameters.value("system_file", Json()))) {
        then(make());
        return;
    }
    in_background(this, make, [then = std::move(then)](Result<SystemPointer> made) { then(std::move(made)); });
}

void ControlRoom::read_system() {
    int const reading = ++m_system_reading;
    Json now = Json::object();
    for (std::string_view name : system_names)
        if (Json const one = value(name); !one.is_null()) now[std::string(name)] = one;
    with_system(now, [this, reading](Result<SystemPointer> made) {
        if (reading != m_system_reading) return;
        if (!made.ok()) {
            Error error = made.error();
            error.field = text_in(value("system_file")) ? "system_file" : "system";
            m_system_error = qt(error.message());
            m_system.reset();
            show_input({}, {});
            show_error(error);
            services().report(error);
        } else {
            m_system = *made;
            m_system_error.clear();
            describe_input();
        }
        tell_editors();
        if (m_curves.empty()) clear_optimize();
        update_run_bar();
    });
}

void ControlRoom::describe_input() {
    Json const file = value("system_file");
    bool const own = text_in(file);
    int detunings = 0;
    for (method::Control const& control : m_system->controls)
        detunings += control.kind == method::ControlKind::detuning ? 1 : 0;
    int const amplitudes = static_cast<int>(m_system->controls.size()) - detunings;
    auto const counted = [](int n, char const* one) { return QString("%1 %2%3").arg(n).arg(one, n == 1 ? "" : "s"); };
    QString const facts = QStringList{own ? file_name(file.get<std::string>()) : QString("preset"),
                                      counted(m_system->levels, "level"), counted(amplitudes, "amplitude"),
                                      counted(detunings, "detuning"),
                                      QString("%1 µs").arg(m_system->duration, 0, 'g', 4),
                                      counted(m_system->knots, "knot")}
                              .join(QStringLiteral(" · "));
    show_input(qt(m_system->title.empty() ? m_system->name : m_system->title), facts);
}

// --- words of the run button -----------------------------------------------------------------------------------------

QString ControlRoom::run_text(std::string const& verb) const {
    if (verb == "optimize") {
        Json const method_value = value("method"), seeds_value = value("seeds");
        std::string const name = method_value.is_string() ? method_value.get<std::string>() : "ppo";
        int const seeds = seeds_value.is_number_integer() ? seeds_value.get<int>() : (name == "ppo" ? 1 : 5);
        QString const title = name == "ppo" ? "PPO" : name == "grape" ? "GRAPE" : "CRAB";
        char const* what = name == "ppo" ? "seed" : "start";
        return QString("%1, %2 %3%4").arg(title).arg(seeds).arg(what).arg(seeds == 1 ? "" : "s");
    }
    if (verb == "robust") return "Map robustness";
    return Room::run_text(verb);
}

// By the pulses a second of the last run of the same method on the same system; the usual time of any run says little,
// since runs differ by a factor of thousands.
double ControlRoom::estimated_seconds(std::string const& verb) const {
    if (verb != "optimize") return Room::estimated_seconds(verb);
    Json const wanted = parameters(verb);
    auto const work = [](Json const& of) {
        bool const ppo = of.value("method", std::string("ppo")) == "ppo";
        double const seeds = of.value("seeds", ppo ? 1.0 : 5.0);
        return seeds * (ppo ? of.value("updates", 600.0) * of.value("environments", 16.0) : of.value("iterations", 3000.0));
    };
    std::vector<JobStatus> const runs = services().jobs(slug());
    for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
        if (run->spec.verb != verb || run->state != JobState::done) continue;
        Json const& had = run->spec.parameters;
        if (had.value("method", Json("ppo")) != wanted.value("method", Json("ppo"))) continue;
        Json one = system_parameters(had), other = system_parameters(wanted);
        for (Json* each : {&one, &other}) each->erase("threads");
        if (one == other && work(had) > 0) return run->elapsed_seconds * work(wanted) / work(had);
    }
    return -1;
}

QString ControlRoom::run_obstacle(std::string const& verb) const {
    if (!m_system_error.isEmpty()) return m_system_error;
    if (verb != "optimize" && !text_in(value("pulse")))
        return "Choose a pulse file, or press Map robustness beside the pulse in hand";
    return Room::run_obstacle(verb);
}

std::string ControlRoom::run_title(std::string const& verb) const {
    std::string const name = m_system != nullptr ? m_system->name : "";
    if (verb == "optimize") {
        Json const method_value = value("method");
        std::string title = method_value.is_string() ? method_value.get<std::string>() : "ppo";
        std::transform(title.begin(), title.end(), title.begin(), [](unsigned char c) { return std::toupper(c); });
        return title + " " + name;
    }
    Json const pulse = value("pulse");
    std::string const file = pulse.is_string() ? file_name(pulse.get<std::string>()).toStdString() : "";
    return (verb == "robust" ? "Robustness of " : "Simulate ") + file;
}

}  // namespace orrery::panels::quantum_control
