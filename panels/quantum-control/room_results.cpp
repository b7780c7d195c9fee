// ControlRoom: what runs send, the table of runs and their comparison, session state and exports.
#include "core/base/number.h"
#include "core/methods/quantum-control/pulse_file.h"
#include "panels/common/background.h"
#include "panels/common/text.h"
#include "panels/quantum-control/compare_page.h"
#include "panels/quantum-control/editor_page.h"
#include "panels/quantum-control/optimize_page.h"
#include "panels/quantum-control/robust_page.h"
#include "panels/quantum-control/room.h"
#include "panels/quantum-control/state_page.h"
#include "renderers/plot/heat_map_view.h"
#include "renderers/plot/xy_view.h"
#include "renderers/scene/scene_view.h"
#include "renderers/table/table_view.h"

#include <QHeaderView>
#include <QTabWidget>
#include <QTableView>
#include <algorithm>
#include <cmath>

namespace orrery::panels::quantum_control {

namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_past = 6;      // earlier pulses shown in pale
constexpr double worth_keeping = 0.7;     // of the infidelity when the last one was kept
constexpr int live_milliseconds = 150;

std::string method_title(JobStatus const& status) {
    std::string name = status.spec.parameters.value("method", std::string("ppo"));
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
    return name;
}

double number(Json const& values, char const* key) {
    auto const found = values.find(key);
    return found != values.end() && found->is_number() ? found->get<double>() : nan_value;
}

}  // namespace

void ControlRoom::report(Result<void> const& result) {
    if (!result.ok()) services().report(result.error());
}

// --- the run shown ---------------------------------------------------------------------------------------------------

void ControlRoom::on_run_started(JobStatus const& status) {
    std::string const& verb = status.spec.verb;
    if (m_tabs == nullptr) return;
    if (verb == "robust") {
        m_robust->clear();
        if (!m_restoring) m_tabs->setCurrentWidget(m_robust);
        return;
    }
    if (verb == "simulate") {
        if (!m_restoring) m_tabs->setCurrentWidget(m_editor);
        return;
    }
    if (!m_restoring) m_tabs->setCurrentWidget(m_optimize);
    m_hand_stays_for.clear();
    m_curves.clear();
    m_past.clear();
    m_best.reset();
    m_best_fidelity = nan_value;
    m_kept_infidelity = 1;
    m_best_seed = -1;
    m_round = 0;
    m_run_layout = Json::object();
    m_run_system.reset();
    bool const ppo = status.spec.parameters.value("method", std::string("ppo")) == "ppo";
    double const smoothing = status.spec.parameters.value("smoothing", 4.0);
    with_system(status.spec.parameters, [this, id = status.id(), ppo, smoothing](Result<SystemPointer> system) {
        if (id != shown_run()) return;
        if (!system.ok()) {
            services().report(system.error());
            return;
        }
        m_run_system = *system;
        m_optimize->clear(m_run_system, ppo, m_run_system->name == "transmon" ? 0 : smoothing);
        auto const now = services().job(id);
        if (now && !is_final(now->state)) {
            m_optimize->set_live(now->state == JobState::running);
            read_history(*now);
        }
    });
}

// The curves so far of a run that was going before this room looked at it (another run was shown, or a session with a
// paused run was opened). Its live messages are gone, its series are not.
void ControlRoom::read_history(JobStatus const& status) {
    Json const& parameters = status.spec.parameters;
    bool const ppo = parameters.value("method", std::string("ppo")) == "ppo";
    std::int64_t const first = parameters.value("seed", std::int64_t{10});
    std::int64_t const count = parameters.value("seeds", std::int64_t{ppo ? 1 : 5});
    auto history = std::make_shared<std::vector<SeedCurve>>(static_cast<std::size_t>(count));
    auto left = std::make_shared<std::int64_t>(ppo ? 3 * count : count);
    std::string const id = status.id();
    auto const one_read = [this, id, history, left] {
        if (--*left > 0 || id != shown_run()) return;
        for (SeedCurve& curve : *history) {
            curve.reward.resize(curve.evaluations.size(), nan_value);
            curve.mean.resize(curve.evaluations.size(), nan_value);
        }
        m_curves.add_history(*history);
        m_live_dirty = true;
        refresh_live();
    };
    for (std::int64_t s = 0; s < count; ++s) {
        SeedCurve* curve = &(*history)[static_cast<std::size_t>(s)];
        curve->seed = first + s;
        std::string const number = std::to_string(first + s);
        services().read_series(id, "fidelity_best " + number, this,
                               [curve, history, one_read](std::vector<SeriesPoint> const& points) {
                                   for (SeriesPoint const& point : points) {
                                       curve->evaluations.push_back(point.x);
                                       curve->best.push_back(point.y);
                                   }
                                   one_read();
                               });
        if (!ppo) continue;
        for (auto const& [series, values] :
             {std::pair("fidelity ", &SeedCurve::mean), {"reward ", &SeedCurve::reward}})
            services().read_series(id, series + number, this,
                                   [curve, history, one_read, values](std::vector<SeriesPoint> const& points) {
                                       for (SeriesPoint const& point : points) (curve->*values).push_back(point.y);
                                       one_read();
                                   });
    }
}

void ControlRoom::on_run_update(JobStatus const& status, std::string const& name, Json const& value) {
    if (m_optimize == nullptr || status.spec.verb != "optimize") return;
    if (name == "layout") m_run_layout = value;
    else if (name == "best") best_found(value);
    else if (name == "round") {
        m_curves.add_round(value);
        m_round = value.value("round", std::int64_t{0});
        m_live_dirty = true;
        if (!m_live_timer.isActive()) m_live_timer.start(live_milliseconds);
    }
}

void ControlRoom::best_found(Json const& value) {
    if (m_run_system == nullptr) return;
    auto pulse = pulse_from_json(value.value("pulse", Json::object()), *m_run_system);
    if (!pulse.ok()) {
        services().report(pulse.error());
        return;
    }
    double const fidelity = number(value, "fidelity");
    // The past grows by what was shown when the infidelity has fallen by a fair part since.
    if (m_best && 1 - fidelity < worth_keeping * m_kept_infidelity) {
        m_past.push_back(*m_best);
        if (m_past.size() > most_past) m_past.erase(m_past.begin());
        m_kept_infidelity = 1 - fidelity;
    }
    m_best = std::move(*pulse);
    m_best_fidelity = fidelity;
    m_best_seed = value.value("seed", std::int64_t{-1});
    m_optimize->show_pulse(*m_best, m_past);
    m_optimize->show_populations(populations_from_json(value.value("populations", Json::object()), m_best->times,
                                                       m_run_system->level_names));
}

void ControlRoom::refresh_live() {
    if (!m_live_dirty || m_optimize == nullptr) return;
    m_live_dirty = false;
    m_optimize->show_curves(m_curves);
    if (auto const status = services().job(shown_run()); status && status->spec.verb == "optimize")
        show_read_out(*status);
}

void ControlRoom::show_read_out(JobStatus const& status) {
    ReadOut read_out;
    Json const& values = status.result.values;
    bool const ended = is_final(status.state) && values.contains("fidelity");
    read_out.fidelity = ended ? number(values, "fidelity") : m_curves.best();
    std::int64_t const seed = ended ? values.value("best_seed", m_best_seed) : m_best_seed;
    if (seed >= 0) read_out.seed = QString::number(seed);
    read_out.evaluations = ended ? number(values, "evaluations") : m_curves.evaluations();
    if (status.elapsed_seconds > 0.2) read_out.per_second = read_out.evaluations / status.elapsed_seconds;
    std::int64_t const round = ended ? values.value("rounds", m_round) : m_round;
    std::int64_t const rounds = m_run_layout.value("rounds", std::int64_t{0});
    if (round > 0) read_out.round = rounds > 0 ? QString("%1 of %2").arg(round).arg(rounds) : QString::number(round);
    m_optimize->show_read_out(read_out);
}

void ControlRoom::on_run_artifact(JobStatus const& status, Artifact const& artifact) {
    if (m_tabs == nullptr) return;
    if (status.spec.verb == "optimize") read_optimize_artifact(status, artifact);
    if (status.spec.verb == "robust") read_robust_artifact(status, artifact);
}

void ControlRoom::read_optimize_artifact(JobStatus const& status, Artifact const& artifact) {
    std::string const id = status.id(), name = artifact.name;
    if (name != "curves.csv" && name != "best_pulse.csv" && name != "populations.csv") return;
    services().read_artifact(artifact, this, [this, id, name](Result<std::string> bytes) {
        if (id != shown_run()) return;
        auto const job = services().job(id);
        if (!bytes.ok() || !job) {
            if (!bytes.ok()) services().report(bytes.error());
            return;
        }
        if (name == "curves.csv") {
            auto curves = Curves::from_csv(*bytes, name);
            if (!curves.ok()) return services().report(curves.error());
            m_curves = std::move(*curves);
            m_optimize->show_curves(m_curves);
            show_read_out(*job);
            return;
        }
        if (name == "populations.csv") {
            auto const populations = populations_from_csv(*bytes, name);
            if (populations.ok()) m_optimize->show_populations(*populations);
            else services().report(populations.error());
            return;
        }
        with_system(job->spec.parameters, [this, id, bytes = *bytes, status = *job](Result<SystemPointer> system) {
            if (id != shown_run() || !system.ok()) return;
            auto pulse = method::parse_pulse_csv(bytes, **system, "best_pulse.csv");
            if (!pulse.ok()) return services().report(pulse.error());
            m_optimize->show_pulse(*pulse, m_past);
            m_best = *pulse;
            if (m_hand.run == id || m_hand_stays_for == id) return;  // in hand already, perhaps edited
            QString const source = QString("best of %1 on %2")
                                       .arg(qt(method_title(status)), qt((*system)->title.empty() ? (*system)->name
                                                                                                  : (*system)->title));
            take_pulse(*system, system_parameters(status.spec.parameters), std::move(*pulse), source, id, {});
        });
    });
}

void ControlRoom::read_robust_artifact(JobStatus const& status, Artifact const& artifact) {
    std::string const id = status.id(), name = artifact.name;
    bool const second = name.find("_b.") != std::string::npos;
    bool const map = name.starts_with("robust") && name.ends_with(".figure.json");
    bool const noise = name.starts_with("noise") && name.ends_with(".figure.json");
    if (!map && !noise && name != "robust.json") return;
    services().read_artifact(artifact, this, [this, id, name, second, map](Result<std::string> bytes) {
        if (id != shown_run()) return;
        if (!bytes.ok()) return services().report(bytes.error());
        Json const value = Json::parse(*bytes, nullptr, false);
        if (name == "robust.json") {
            if (value.is_object()) m_robust->show_summary(value);
            return;
        }
        auto figure = Figure::from_json(value);
        if (!figure.ok()) return services().report(figure.error());
        if (map) m_robust->show_map(std::move(*figure), second);
        else m_robust->show_noise(std::move(*figure), second);
    });
}

void ControlRoom::on_run_ended(JobStatus const& status) {
    if (m_optimize != nullptr) {
        m_optimize->set_live(false);
        if (status.spec.verb == "optimize") show_read_out(status);
    }
    collect_runs();
}

// --- the table of runs -----------------------------------------------------------------------------------------------

void ControlRoom::collect_runs() {
    if (m_table == nullptr) return;
    for (JobStatus const& status : services().jobs(slug())) {
        if (status.helper || !is_final(status.state) || m_rows_read.count(status.id()) != 0) continue;
        if (status.spec.verb == "simulate" && status.result.values.contains("fidelity")) {
            m_rows_read.insert(status.id());
            std::string const file = status.spec.parameters.value("system_file", std::string());
            m_rows[status.id()] = {simulate_row(
                status.result.values, status.id(), status.spec.title,
                file.empty() ? status.spec.parameters.value("system", std::string("lambda5")) : file_name(file).toStdString(),
                status.started, status.elapsed_seconds)};
            fill_table();
            continue;
        }
        Artifact const* summary = status.spec.verb == "optimize" ? status.artifact("optimize.json") : nullptr;
        if (summary == nullptr) continue;
        m_rows_read.insert(status.id());
        services().read_artifact(*summary, this, [this, status](Result<std::string> bytes) {
            if (!bytes.ok()) return services().report(bytes.error());
            auto rows = optimize_rows(Json::parse(*bytes, nullptr, false), status.id(), status.started,
                                      status.elapsed_seconds);
            if (!rows.ok()) return services().report(rows.error());
            m_rows[status.id()] = std::move(*rows);
            fill_table();
        });
    }
}

void ControlRoom::fill_table() {
    if (m_table == nullptr) return;
    std::vector<RunRow> rows;
    for (JobStatus const& status : services().jobs(slug()))
        if (auto const found = m_rows.find(status.id()); found != m_rows.end())
            rows.insert(rows.end(), found->second.begin(), found->second.end());
    if (rows.empty()) m_table->clear();
    else m_table->set_table(runs_table(rows));
    // The key is for machines: it stands last.
    QHeaderView* header = m_table->view()->horizontalHeader();
    if (header->count() > 1 && header->visualIndex(0) != header->count() - 1)
        header->moveSection(header->visualIndex(0), header->count() - 1);
}

// --- comparison ------------------------------------------------------------------------------------------------------

void ControlRoom::selection_changed() {
    std::vector<std::string> runs;
    QSet<QString> const keys = services().selection().selected("pulse-run");
    for (JobStatus const& status : services().jobs(slug()))
        for (QString const& key : keys)
            if (key.section(':', 0, 0).toStdString() == status.id() &&
                std::find(runs.begin(), runs.end(), status.id()) == runs.end())
                runs.push_back(status.id());
    compare(!runs.empty() ? runs[0] : std::string(), runs.size() > 1 ? runs[1] : std::string());
    if (runs.size() > 1 && m_tabs != nullptr && !m_restoring) m_tabs->setCurrentWidget(m_compare);
    Q_EMIT state_changed();
}

// Selects the best row of each run: the selection is what is compared.
Result<Done> ControlRoom::compare_runs(std::vector<std::string> const& arguments) {
    if (arguments.size() == 1 || arguments.size() > 2) return bad_input("pulse-compare takes two runs or none");
    show_views();
    std::vector<std::string> runs = arguments;
    if (runs.empty()) {
        for (JobStatus const& status : services().jobs(slug()))
            if (m_rows.count(status.id()) != 0) runs.push_back(status.id());
        if (runs.size() < 2)
            return bad_input("there are fewer than two runs with a pulse", {}, "Optimize or simulate once more");
        runs.erase(runs.begin(), runs.end() - 2);
    }
    QSet<QString> keys;
    for (std::string const& run : runs) {
        auto const found = m_rows.find(run);
        if (found == m_rows.end()) return bad_input("run \"" + run + "\" has no pulse to compare");
        auto const best = std::max_element(found->second.begin(), found->second.end(),
                                           [](RunRow const& a, RunRow const& b) { return a.fidelity < b.fidelity; });
        keys.insert(qt(best->key));
    }
    services().selection().select("pulse-run", keys);
    m_tabs->setCurrentWidget(m_compare);
    return Done{};
}

void ControlRoom::compare(std::string const& a, std::string const& b) {
    m_compared_a = a;
    m_compared_b = b;
    auto const show = [this] {
        if (m_compare == nullptr) return;
        auto const one = [&](std::string const& run) -> std::optional<ComparedRun> {
            auto const found = m_compared.find(run);
            return found != m_compared.end() ? std::optional(found->second) : std::nullopt;
        };
        m_compare->show_runs(one(m_compared_a), one(m_compared_b));
    };
    show();
    for (std::string const& run : {a, b})
        if (!run.empty() && m_compared.count(run) == 0) load_compared(run, show);
}

void ControlRoom::load_compared(std::string const& run, std::function<void()> then) {
    auto const status = services().job(run);
    if (!status) return;
    with_system(status->spec.parameters, [this, run, then, status = *status](Result<SystemPointer> system) {
        if (!system.ok()) return services().report(system.error());
        ComparedRun base;
        base.system = *system;
        base.started = status.started;
        base.fidelity = number(status.result.values, "fidelity");
        if (status.spec.verb == "simulate") {
            std::string const path = status.spec.parameters.value("pulse", std::string());
            base.name = file_name(path).toStdString();
            in_background(
                this, [path, system = *system] { return method::read_pulse(path, *system); },
                [this, run, then, base](Result<method::Pulse> pulse) {
                    if (!pulse.ok()) return services().report(pulse.error());
                    m_compared[run] = base;
                    m_compared[run].pulse = std::move(*pulse);
                    then();
                });
            return;
        }
        base.name = method_title(status) + " " + (*system)->name;
        Artifact const *pulse = status.artifact("best_pulse.csv"), *curves = status.artifact("curves.csv");
        if (pulse == nullptr || curves == nullptr) return;
        services().read_artifact(*pulse, this, [this, run, then, base, curves = *curves](Result<std::string> bytes) {
            if (!bytes.ok()) return services().report(bytes.error());
            auto read = method::parse_pulse_csv(*bytes, *base.system, "best_pulse.csv");
            if (!read.ok()) return services().report(read.error());
            ComparedRun with_pulse = base;
            with_pulse.pulse = std::move(*read);
            services().read_artifact(curves, this, [this, run, then, with_pulse](Result<std::string> text) {
                if (!text.ok()) return services().report(text.error());
                auto parsed = Curves::from_csv(*text, "curves.csv");
                if (!parsed.ok()) return services().report(parsed.error());
                ComparedRun whole = with_pulse;
                whole.curves = std::move(*parsed);
                m_compared[run] = std::move(whole);
                then();
            });
        });
    });
}

std::vector<std::pair<QString, QString>> ControlRoom::selection_facts() const {
    std::vector<std::pair<QString, QString>> facts = Room::selection_facts();
    for (QString const& key : services().selection().selected("pulse-run"))
        for (auto const& [run, rows] : m_rows)
            for (RunRow const& row : rows)
                if (qt(row.key) == key) {
                    facts.emplace_back("run", key);
                    facts.emplace_back("fidelity", QString::number(row.fidelity, 'f', 7));
                }
    if (m_hand.system != nullptr) {
        facts.emplace_back("pulse in hand", m_hand.source);
        if (std::isfinite(m_hand.fidelity)) facts.emplace_back("its fidelity", QString::number(m_hand.fidelity, 'f', 7));
        facts.emplace_back("edits", QString::number(m_hand.edits));
    }
    return facts;
}

// --- session, journeys, exports --------------------------------------------------------------------------------------

Json ControlRoom::inspect(std::string_view path) const {
    auto const real = [](double v) { return std::isfinite(v) ? Json(v) : Json(); };
    if (path == "system") return m_system != nullptr ? Json(m_system->name) : Json();
    if (path == "levels") return m_system != nullptr ? Json(m_system->levels) : Json();
    if (path == "fidelity") return real(m_curves.best());
    if (path == "evaluations") return m_curves.evaluations();
    if (path == "seeds") return m_curves.seeds().size();
    if (path == "past") return m_past.size();
    if (path == "runs") return m_table != nullptr ? Json(m_table->table().rows()) : Json(0);
    if (path == "hand.source") return m_hand.source.toStdString();
    if (path == "hand.fidelity") return real(m_hand.fidelity);
    if (path == "hand.before") return real(m_hand.before);
    if (path == "hand.edits") return m_hand.edits;
    if (path == "hand.knots") return m_hand.pulse.times.size();
    if (path == "hand.latency") return real(m_latency);
    if (path == "hand.ready")
        return m_hand.system != nullptr && std::isfinite(m_hand.fidelity) && !m_to_evaluate && !m_writing &&
               m_evaluation.empty();
    if (path == "hand.path") return m_hand.path;
    if (path == "states") return m_state_page != nullptr ? Json(m_state_page->states().times.size()) : Json(0);
    if (path == "bloch.ready") return m_state_page != nullptr && m_state_page->bloch()->ready();
    if (path == "city.ready") return m_state_page != nullptr && m_state_page->city()->ready();
    if (path == "state.moment") return m_state_page != nullptr ? Json(m_state_page->moment()) : Json(0);
    if (path == "tab") return m_tabs != nullptr ? Json(m_tabs->tabText(m_tabs->currentIndex()).toStdString()) : Json();
    if (path == "compare") return m_compare != nullptr ? Json(m_compare->text().toStdString()) : Json();
    if (path == "robust.mean") return m_robust != nullptr ? m_robust->summary().value("mean", Json()) : Json();
    if (path == "robust.worst") return m_robust != nullptr ? m_robust->summary().value("worst", Json()) : Json();
    if (path == "robust.noise") return m_robust != nullptr ? m_robust->summary().value("noise_mean", Json()) : Json();
    if (path == "robust.cells") {
        if (m_robust == nullptr || m_robust->map()->empty()) return 0;
        Figure const figure = m_robust->map()->figure();
        auto const* map = std::get_if<HeatMap>(&figure.content);
        return map != nullptr ? Json(map->values.size()) : Json(0);
    }
    if (path.starts_with("hand.knot.")) {  // hand.knot.omega_p.12: MHz
        std::string const rest(path.substr(10));
        auto const dot = rest.rfind('.');
        auto const knot = dot != std::string::npos ? parse_integer(rest.substr(dot + 1)) : std::nullopt;
        if (m_hand.system == nullptr || !knot) return {};
        for (std::size_t c = 0; c < m_hand.system->controls.size(); ++c)
            if (m_hand.system->controls[c].name == rest.substr(0, dot) && *knot >= 0 &&
                *knot < static_cast<std::int64_t>(m_hand.pulse.times.size()))
                return m_hand.pulse.values[c][static_cast<std::size_t>(*knot)] / method::two_pi;
    }
    return {};
}

Json ControlRoom::extra_state() const {
    Json state = Json::object();
    if (m_tabs != nullptr) state["tab"] = m_tabs->currentIndex();
    if (Json hand = hand_state(); !hand.is_null()) state["hand"] = std::move(hand);
    if (m_state_page != nullptr) state["state"] = m_state_page->state();
    std::vector<std::string> keys;
    for (QString const& key : services().selection().selected("pulse-run")) keys.push_back(key.toStdString());
    std::sort(keys.begin(), keys.end());
    state["selected"] = keys;
    return state;
}

void ControlRoom::restore_extra(Json const& state) {
    if (!state.is_object()) return;
    m_restoring = true;
    if (state.contains("hand")) restore_hand(state["hand"]);
    if (m_hand.system != nullptr || !m_hand.run.empty()) show_views();
    if (m_state_page != nullptr && state.contains("state")) m_state_page->restore_state(state["state"]);
    collect_runs();
    QSet<QString> keys;
    for (Json const& key : state.value("selected", Json::array()))
        if (key.is_string()) keys.insert(qt(key.get<std::string>()));
    services().selection().select("pulse-run", keys);
    if (m_tabs != nullptr) m_tabs->setCurrentIndex(std::clamp(state.value("tab", 0), 0, m_tabs->count() - 1));
    m_restoring = false;
}

std::vector<Exportable> ControlRoom::exportables() {
    std::vector<Exportable> list;
    if (m_tabs == nullptr) return list;
    auto const plot = [&](char const* name, char const* title, XyView* view) {
        if (!view->empty()) list.push_back({.name = name, .title = title, .figure = [view] { return view->figure(); }});
    };
    plot("infidelity", "Infidelity", m_optimize->infidelity());
    plot("reward", "Reward", m_optimize->reward());
    plot("amplitudes", "Amplitudes of the best pulse", m_optimize->amplitudes());
    plot("detunings", "Detunings of the best pulse", m_optimize->detunings());
    plot("populations", "Populations under the best pulse", m_optimize->populations());
    plot("spectrum", "Spectrum of the amplitudes", m_optimize->spectrum());
    if (m_hand.system != nullptr)
        list.push_back({.name = "pulse", .title = "Pulse in hand", .table = [this] { return hand_table(); }});
    plot("edited-amplitudes", "Amplitudes of the pulse in hand", m_editor->amplitudes());
    plot("edited-detunings", "Detunings of the pulse in hand", m_editor->detunings());
    plot("edited-populations", "Populations under the pulse in hand", m_editor->populations());
    if (!m_state_page->states().empty()) {
        list.push_back({.name = "density", .title = "Density matrix", .figure = [this] {
                            return density_figure(m_state_page->states(), m_state_page->moment());
                        }});
        list.push_back({.name = "bloch-vector", .title = "Bloch vector over time", .figure = [this] {
                            auto const [a, b] = m_state_page->pair();
                            return bloch_figure(m_state_page->states(), a, b);
                        }});
        auto const scene = [&](char const* name, char const* title, SceneView* view) {
            if (!view->ready()) return;
            list.push_back({.name = name, .title = title, .image = [this, view](QSize pixels, bool transparent) {
                                auto image = view->render_image(pixels, transparent);
                                if (image.ok()) return std::move(*image);
                                services().report(image.error());
                                return QImage();
                            }});
        };
        scene("bloch", "Bloch sphere", m_state_page->bloch());
        scene("city", "Density matrix as a city", m_state_page->city());
    }
    auto const map = [&](char const* name, char const* title, HeatMapView* view) {
        if (!view->empty()) list.push_back({.name = name, .title = title, .figure = [view] { return view->figure(); }});
    };
    map("robust", "Fidelity over two errors", m_robust->map());
    map("robust-second", "Fidelity over two errors, second pulse", m_robust->second_map());
    plot("noise", "Fidelity under noise", m_robust->noise());
    plot("compared-amplitudes", "Amplitudes of two runs", m_compare->amplitudes());
    plot("compared-detunings", "Detunings of two runs", m_compare->detunings());
    plot("compared-curves", "Infidelity of two runs", m_compare->curves());
    if (m_table != nullptr && m_table->table().rows() > 0)
        list.push_back({.name = "table", .title = "Runs", .table = [this] { return m_table->visible_table(); }});
    return list;
}

}  // namespace orrery::panels::quantum_control
