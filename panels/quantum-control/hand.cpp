// ControlRoom: the pulse in hand, its edits as commands, and its evaluation by helper jobs.
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/number.h"
#include "core/methods/quantum-control/pulse_file.h"
#include "panels/common/background.h"
#include "panels/common/text.h"
#include "panels/quantum-control/editor_page.h"
#include "panels/quantum-control/room.h"
#include "panels/quantum-control/state_page.h"

#include <QPointer>
#include <QTabWidget>
#include <algorithm>
#include <cmath>

namespace orrery::panels::quantum_control {

using method::two_pi;

namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

// By content, so that the same pulse is one file, which stays for the runs that read it.
Result<std::string> keep_pulse(std::string const& csv, std::string const& system) {
    std::filesystem::path const path =
        state_directory() / "quantum-control" / "pulses" / (system + "-" + sha256(csv).substr(0, 12) + ".csv");
    if (!check_file(path).ok()) ORRERY_CHECK(write_file(path, csv));
    return path.string();
}

std::string plain_name(method::QuantumSystem const& system) {
    std::string name = system.name.empty() ? "pulse" : system.name;
    for (char& c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '-';
    return name;
}

}  // namespace

void ControlRoom::read_pulse_file() {
    Json const path_value = value("pulse");
    std::string const path = path_value.is_string() ? path_value.get<std::string>() : std::string();
    m_pulse_reading = path;
    if (path.empty() || path == m_hand.path) return;
    Json const parameters = system_parameters(this->parameters("simulate"));
    with_system(parameters, [this, path, parameters](Result<SystemPointer> system) {
        if (!system.ok() || path != m_pulse_reading) return;  // a wrong system is told where it is read
        in_background(
            this, [path, system = *system] { return method::read_pulse(path, *system); },
            [this, path, parameters, system = *system](Result<method::Pulse> pulse) {
                if (path != m_pulse_reading) return;
                if (!pulse.ok()) {
                    Error error = pulse.error();
                    error.field = "pulse";
                    show_error(error);
                    services().report(error);
                    return;
                }
                take_pulse(system, parameters, std::move(*pulse), file_name(path), {}, path);
                if (m_tabs != nullptr && !m_restoring) m_tabs->setCurrentWidget(m_editor);
            });
    });
}

void ControlRoom::take_pulse(SystemPointer system, Json parameters, method::Pulse pulse, QString source,
                             std::string run, std::string path) {
    int const generation = m_hand.generation + 1;
    m_hand = Hand();
    m_hand.generation = generation;
    m_hand.system = std::move(system);
    m_hand.parameters = std::move(parameters);
    m_hand.pulse = m_hand.original = std::move(pulse);
    m_hand.source = std::move(source);
    m_hand.run = std::move(run);
    m_hand.path = std::move(path);
    show_views();
    show_hand();
    evaluate(m_hand.pulse);
    Q_EMIT state_changed();
}

// --- edits -----------------------------------------------------------------------------------------------------------

// The knot to its new place, its neighbours along with it by a bell of the brush's width. Amplitudes stay within what
// the generator can do.
method::Pulse ControlRoom::moved(std::size_t control, std::size_t knot, double megahertz, int brush) const {
    method::Pulse pulse = m_hand.pulse;
    std::vector<double>& values = pulse.values[control];
    double const change = two_pi * megahertz - values[knot];
    method::Control const& limits = m_hand.system->controls[control];
    int const reach = brush > 0 ? 2 * brush : 0;
    for (int offset = -reach; offset <= reach; ++offset) {
        int const at = static_cast<int>(knot) + offset;
        if (at < 0 || at >= static_cast<int>(values.size())) continue;
        double const weight = brush > 0 ? std::exp(-0.5 * offset * offset / (0.64 * brush * brush)) : 1;
        double& value = values[static_cast<std::size_t>(at)];
        value += change * weight;
        if (limits.kind == method::ControlKind::amplitude && limits.upper > limits.lower)
            value = std::clamp(value, limits.lower, limits.upper);
    }
    return pulse;
}

Result<Done> ControlRoom::move_knot(std::vector<std::string> const& arguments) {
    if (m_hand.system == nullptr) return bad_input("no pulse is in hand", {}, "Optimize one or open a pulse file");
    if (arguments.size() < 3 || arguments.size() > 4)
        return bad_input("pulse-knot needs a control, a knot, a value in MHz, and may have a brush");
    auto const& controls = m_hand.system->controls;
    auto const found = std::find_if(controls.begin(), controls.end(),
                                    [&](method::Control const& control) { return control.name == arguments[0]; });
    if (found == controls.end()) {
        std::string known;
        for (method::Control const& control : controls) known += (known.empty() ? "" : ", ") + control.name;
        return bad_input("the pulse has no control \"" + arguments[0] + "\"", {}, "Known are " + known);
    }
    auto const knot = parse_integer(arguments[1]);
    auto const count = static_cast<std::int64_t>(m_hand.pulse.times.size());
    if (!knot || *knot < 0 || *knot >= count)
        return bad_input("the pulse has no knot " + arguments[1], {}, "Knots are 0 to " + std::to_string(count - 1));
    auto const megahertz = parse_real(arguments[2]);
    if (!megahertz || !std::isfinite(*megahertz)) return bad_input("\"" + arguments[2] + "\" is not a number of MHz");
    auto const brush = arguments.size() > 3 ? parse_integer(arguments[3]) : std::optional<std::int64_t>(0);
    if (!brush || *brush < 0 || *brush > 1000) return bad_input("the brush is a number of knots from 0 to 1000");
    method::Pulse before = m_hand.pulse;
    int const generation = m_hand.generation, edits = m_hand.edits;
    auto const control = static_cast<std::size_t>(found - controls.begin());
    m_change_clock.start();
    put_pulse(generation, moved(control, static_cast<std::size_t>(*knot), *megahertz, static_cast<int>(*brush)),
              edits + 1);
    QPointer<ControlRoom> const room(this);
    return Done{[room, before = std::move(before), generation, edits] {
                    if (room) room->put_pulse(generation, before, edits);
                },
                "Move knot " + arguments[1] + " of " + arguments[0]};
}

Result<Done> ControlRoom::revert_pulse() {
    if (m_hand.system == nullptr) return bad_input("no pulse is in hand", {}, "Optimize one or open a pulse file");
    if (m_hand.edits == 0) return bad_input("the pulse in hand is as it came");
    method::Pulse before = m_hand.pulse;
    int const generation = m_hand.generation, edits = m_hand.edits;
    put_pulse(generation, m_hand.original, 0);
    QPointer<ControlRoom> const room(this);
    return Done{[room, before = std::move(before), generation, edits] {
                    if (room) room->put_pulse(generation, before, edits);
                },
                "Revert the pulse"};
}

void ControlRoom::put_pulse(int generation, method::Pulse pulse, int edits) {
    if (generation != m_hand.generation) {
        services().status("That edit was of another pulse, which is no longer in hand");
        return;
    }
    if (!m_change_clock.isValid()) m_change_clock.start();
    m_hand.pulse = std::move(pulse);
    m_hand.edits = edits;
    m_hand.path.clear();
    show_hand();
    evaluate(m_hand.pulse);
    Q_EMIT state_changed();
}

// While a knot is dragged the form under the pointer is simulated; the release is the command.
void ControlRoom::knot_dragged(int control, int knot, double megahertz, bool finished) {
    if (m_hand.system == nullptr) return;
    auto const c = static_cast<std::size_t>(control), k = static_cast<std::size_t>(knot);
    if (!finished) {
        if (!m_change_clock.isValid()) m_change_clock.start();
        evaluate(moved(c, k, megahertz, m_editor->brush()));
        return;
    }
    double const rounded = std::round(megahertz * 1e4) / 1e4;
    CommandCall call{"pulse-knot", {m_hand.system->controls[c].name, std::to_string(knot), number_text(rounded)}};
    if (m_editor->brush() > 0) call.arguments.push_back(std::to_string(m_editor->brush()));
    (void)services().commands().execute(call);
}

// --- evaluation ------------------------------------------------------------------------------------------------------

void ControlRoom::evaluate(method::Pulse pulse) {
    m_to_evaluate = std::move(pulse);
    show_facts();
    if (!m_writing && m_evaluation.empty()) start_evaluation();
}

void ControlRoom::start_evaluation() {
    if (!m_to_evaluate || m_hand.system == nullptr) return;
    method::Pulse const pulse = std::move(*m_to_evaluate);
    m_to_evaluate.reset();
    m_writing = true;
    m_evaluated_generation = m_hand.generation;
    m_evaluation_is_hand = pulse.values == m_hand.pulse.values;
    std::string const csv = method::pulse_csv(pulse, *m_hand.system, {});
    std::string const name = plain_name(*m_hand.system);
    in_background(
        this, [csv, name] { return keep_pulse(csv, name); },
        [this, generation = m_hand.generation](Result<std::string> path) {
            m_writing = false;
            if (generation != m_hand.generation) return start_evaluation();
            if (!path.ok()) {
                services().report(path.error());
                return;
            }
            if (m_evaluation_is_hand && m_hand.path.empty()) m_hand.path = *path;
            Json parameters = m_hand.parameters;
            parameters["pulse"] = *path;
            auto const id = services().submit(slug(), "simulate", parameters, "Simulate the pulse in hand", true);
            if (!id.ok()) {
                services().report(id.error());
                return;
            }
            m_evaluation = *id;
        });
}

void ControlRoom::on_helper_changed(JobStatus const& status) {
    if (status.id() != m_evaluation || !is_final(status.state)) return;
    m_evaluation.clear();
    if (m_evaluated_generation == m_hand.generation) evaluation_ended(status);
    if (m_to_evaluate) start_evaluation();
    show_facts();
}

void ControlRoom::evaluation_ended(JobStatus const& status) {
    if (status.error) {
        services().report(*status.error);
        return;
    }
    auto const number = [&](char const* key) {
        auto const found = status.result.values.find(key);
        return found != status.result.values.end() && found->is_number() ? found->get<double>() : nan_value;
    };
    m_hand.fidelity = number("fidelity");
    m_hand.process = number("process_fidelity");
    if (m_hand.edits == 0 && m_evaluation_is_hand) m_hand.before = m_hand.fidelity;
    if (m_change_clock.isValid()) {
        m_latency = static_cast<double>(m_change_clock.elapsed());
        if (m_to_evaluate) m_change_clock.restart();
        else m_change_clock.invalidate();
    }
    int const generation = m_hand.generation;
    if (Artifact const* populations = status.artifact("populations.csv"))
        services().read_artifact(*populations, this, [this, generation](Result<std::string> bytes) {
            if (generation != m_hand.generation || m_editor == nullptr || !bytes.ok()) return;
            auto const read = populations_from_csv(*bytes, "populations.csv");
            if (read.ok()) m_editor->show_populations(*read);
            else services().report(read.error());
        });
    if (Artifact const* density = status.artifact("density.json"))
        services().read_artifact(*density, this, [this, generation](Result<std::string> bytes) {
            if (generation != m_hand.generation || m_state_page == nullptr || !bytes.ok()) return;
            auto states = read_states(*bytes, "density.json");
            if (states.ok()) m_state_page->show_states(std::move(*states));
            else services().report(states.error());
        });
    Q_EMIT state_changed();
}

void ControlRoom::show_hand() {
    if (m_editor == nullptr) return;
    QString source = m_hand.source;
    if (m_hand.system != nullptr) {
        source = "In hand: " + source;
        if (m_hand.edits > 0) source += QString(", %1 edit%2").arg(m_hand.edits).arg(m_hand.edits == 1 ? "" : "s");
    }
    m_editor->show_pulse(m_hand.system, m_hand.pulse, m_hand.original, source);
    show_facts();
}

void ControlRoom::show_facts() {
    if (m_editor == nullptr) return;
    bool const waiting = m_to_evaluate.has_value() || m_writing || !m_evaluation.empty();
    m_editor->show_facts({m_hand.fidelity, m_hand.before, m_hand.process, m_latency, m_hand.edits, waiting});
}

// --- robustness, export, session -------------------------------------------------------------------------------------

// The pulse in hand becomes the input of "robust", in the system it was made for; then that runs.
void ControlRoom::map_hand() {
    if (m_hand.system == nullptr) return;
    std::string const csv = method::pulse_csv(m_hand.pulse, *m_hand.system, {m_hand.source.toStdString()});
    in_background(
        this, [csv, name = plain_name(*m_hand.system)] { return keep_pulse(csv, name); },
        [this, generation = m_hand.generation](Result<std::string> path) {
            if (generation != m_hand.generation) return;
            if (!path.ok()) {
                services().report(path.error());
                return;
            }
            m_hand.path = *path;
            CommandBus& bus = services().commands();
            auto const set = [&](std::string const& name, Json const& wanted) {
                if (value(name) == wanted) return;
                CommandCall call{wanted.is_null() ? "reset" : "set", {slug() + "." + name}};
                for (std::string const& argument : value_to_arguments(wanted)) call.arguments.push_back(argument);
                (void)bus.execute(call);
            };
            Json const wanted = system_parameters(m_hand.parameters);
            for (char const* name : {"system", "system_file", "omega", "gamma", "duration", "delta_max",
                                     "diagonal_detuning", "knots"}) {
                Parameter const* declared = parameter(name);
                Json const otherwise = declared != nullptr ? declared->default_value : Json();
                set(name, wanted.value(name, otherwise));
            }
            set("pulse", *path);
            if (verb() != "robust") (void)bus.execute(CommandCall{"verb", {slug(), "robust"}});
            (void)bus.execute(CommandCall{"run", {slug(), "robust"}});
        });
}

Table ControlRoom::hand_table() const {
    std::vector<Column> columns{{"t_us", "time", "us", ColumnType::real, 6, ""}};
    if (m_hand.system == nullptr) return Table(columns);
    for (method::Control const& control : m_hand.system->controls)
        columns.push_back({control.name + "_MHz", control.name, "MHz", ColumnType::real, 6, ""});
    Table table(columns);
    for (std::size_t k = 0; k < m_hand.pulse.times.size(); ++k) {
        std::vector<Cell> row{m_hand.pulse.times[k]};
        for (auto const& values : m_hand.pulse.values) row.emplace_back(values[k] / two_pi);
        table.add_row(std::move(row));
    }
    return table;
}

Json ControlRoom::hand_state() const {
    if (m_hand.system == nullptr) return {};
    return {{"parameters", m_hand.parameters},
            {"pulse", pulse_to_json(m_hand.pulse, *m_hand.system)},
            {"original", pulse_to_json(m_hand.original, *m_hand.system)},
            {"source", m_hand.source.toStdString()},
            {"run", m_hand.run},
            {"path", m_hand.path},
            {"edits", m_hand.edits},
            {"before", json_real(m_hand.before)}};
}

void ControlRoom::restore_hand(Json const& state) {
    if (!state.is_object() || !state.contains("pulse")) return;
    // What the replay of the shown run and the value of "pulse" are reading now must not take its place.
    m_hand_stays_for = shown_run();
    m_pulse_reading.clear();
    m_hand.run = state.value("run", std::string());
    m_hand.path = state.value("path", std::string());
    Json const parameters = state.value("parameters", Json::object());
    with_system(parameters, [this, state, parameters](Result<SystemPointer> system) {
        if (!system.ok()) {
            services().report(system.error());
            return;
        }
        auto pulse = pulse_from_json(state["pulse"], **system);
        auto original = pulse_from_json(state.value("original", state["pulse"]), **system);
        if (!pulse.ok() || !original.ok()) {
            services().report(!pulse.ok() ? pulse.error() : original.error());
            return;
        }
        int const generation = m_hand.generation + 1;
        m_hand = Hand();
        m_hand.generation = generation;
        m_hand.system = *system;
        m_hand.parameters = parameters;
        m_hand.pulse = std::move(*pulse);
        m_hand.original = std::move(*original);
        m_hand.source = qt(state.value("source", std::string()));
        m_hand.run = state.value("run", std::string());
        m_hand.path = state.value("path", std::string());
        m_hand.edits = state.value("edits", 0);
        m_hand.before = real_from(state.value("before", Json())).value_or(nan_value);
        show_hand();
        evaluate(m_hand.pulse);
    });
}

}  // namespace orrery::panels::quantum_control
