// The verb optimize: PPO, GRAPE or CRAB, several seeds or starts.
//
// Live messages (JobContext::update):
//   "layout"  {method, system, title, controls, levels, seeds: [...], rounds}   once.
//   "round"   {round, evaluations, seeds: [{seed, fidelity_best, and with PPO reward, reward_best, fidelity,
//   population,
//             area, smoothness, limit, ends, deviation}, ...]}   at most 20 a second. reward and fidelity are means of
//             the round's pulses, *_best the best so far, the others mean penalties (ends, deviation: transmon).
//   "best"    {seed, leader, fidelity, pulse: {t_us, values}, populations: {level: [...]}}   of each seed whose best
//             has changed, at most twice a second; leader: no other seed's is better.
// The live series "<field> <seed>" ("reward 10") hold the fields of "round", over the number of pulses tried.
#include "core/base/hash.h"
#include "core/base/number.h"
#include "core/base/parallel.h"
#include "core/methods/quantum-control/learner.h"
#include "core/methods/quantum-control/pulse_file.h"
#include "core/methods/quantum-control/search.h"
#include "core/methods/quantum-control/setup.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

namespace orrery::methods::quantum_control {
namespace {

using Clock = std::chrono::steady_clock;

// Raw safetensors of a policy under the official keys, float64.
std::string policy_bytes(PolicyNetwork const& network, std::map<std::string, std::string> const& metadata) {
    Json header = {{"__metadata__", metadata}};
    std::string data;
    std::map<std::string, PolicyNetwork::Part> sorted;
    for (auto const& part : network.parts()) sorted.emplace(part.name, part);
    for (auto const& [name, part] : sorted) {
        std::size_t const begin = data.size(), bytes = part.size() * sizeof(double);
        data.append(reinterpret_cast<char const*>(network.values().data() + part.offset), bytes);
        Json shape = Json::array();
        if (part.rows > 0) shape.push_back(part.rows);
        shape.push_back(part.columns);
        header[name] = {{"dtype", "F64"}, {"shape", shape}, {"data_offsets", {begin, begin + bytes}}};
    }
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');
    std::string out(8, '\0');
    std::uint64_t const size = text.size();
    std::memcpy(out.data(), &size, 8);
    return out + text + data;
}

class OptimizeJob {
public:
    OptimizeJob(Json const& parameters, JobContext& context, Setup setup)
        : m_parameters(parameters), m_context(context), m_setup(std::move(setup)), m_simulator(m_setup.program) {}

    Result<JobResult> run() {
        m_method = m_parameters.value("method", std::string("ppo"));
        m_seed = m_parameters.value("seed", std::uint64_t{10});
        m_count = m_parameters.value("seeds", m_method == "ppo" ? 1 : 5);
        ORRERY_CHECK(prepare());
        Json keyed = m_parameters;
        keyed.erase("threads");
        m_key = sha256(keyed.dump());
        ORRERY_CHECK(restore());
        announce();
        Signal signal = Signal::go_on;
        while (!done()) {
            signal = m_context.progress(fraction(), stage());
            if (signal != Signal::go_on) break;
            if (!advance()) {
                signal = Signal::cancel;
                break;
            }
            ++m_round;
            record();
            live(false);
            ORRERY_CHECK(keep_now_and_then());
        }
        if (signal == Signal::pause) {
            ORRERY_CHECK(keep());
            return paused_error();
        }
        if (signal != Signal::cancel) live(true);
        ORRERY_CHECK(write(signal == Signal::cancel));
        if (signal == Signal::cancel) return cancelled_error();
        return m_result;
    }

private:
    Result<void> prepare() {
        double const bound =
            m_parameters.contains("detuning_bound") ? two_pi * m_parameters["detuning_bound"].get<double>() : -1.0;
        if (m_method == "ppo") return prepare_ppo(bound);
        m_rounds = static_cast<std::size_t>(m_parameters.value("iterations", 3000));
        SearchSettings search;
        search.detuning_bound = bound >= 0 ? bound : own_bound();
        search.starts = m_count;
        search.seed = m_seed;
        if (m_method == "grape") m_grape = std::make_unique<Grape>(m_setup.environment, search);
        if (m_method == "crab") m_crab = std::make_unique<Crab>(m_setup.environment, search);
        return {};
    }

    // Without a bound given: amplitudes alone in the Lambda systems, what the generator can do elsewhere.
    [[nodiscard]] double own_bound() const {
        double bound = 0;
        if (m_setup.system().name.rfind("lambda", 0) == 0) return bound;
        for (Control const& c : m_setup.system().controls)
            if (c.kind == ControlKind::detuning) bound = std::max({bound, std::abs(c.lower), std::abs(c.upper)});
        return bound;
    }

    Result<void> prepare_ppo(double bound) {
        m_rounds = static_cast<std::size_t>(m_parameters.value("updates", 600));
        FeedbackSettings feedback;
        feedback.sections = m_parameters.value("sections", 1);
        if (m_parameters.value("feedback_mode", std::string("paper")) == "official") {
            feedback.mode = SectionMode::official;
        }
        feedback.spread = m_parameters.value("offset", 0.1);
        feedback.beta = m_parameters.value("offset_law", std::string("uniform")) == "beta";
        if (feedback.sections < 1 || m_setup.system().knots % feedback.sections != 0) {
            return bad_input("a pulse of " + std::to_string(m_setup.system().knots) + " knots has no " +
                                 std::to_string(feedback.sections) + " equal sections",
                             {}, "Choose a number of knots that the number of sections divides", "sections");
        }
        LearnSettings settings = learn_settings(m_setup.environment, feedback);
        settings.noise = noise_of(m_parameters);
        settings.detuning_bound = bound;
        settings.ppo.updates = m_rounds;
        PpoSettings& ppo = settings.ppo;
        if (m_parameters.contains("environments")) ppo.environments = m_parameters["environments"].get<std::size_t>();
        if (m_parameters.contains("learning_rate")) ppo.learning_rate = m_parameters["learning_rate"].get<double>();
        if (m_parameters.contains("hidden")) ppo.hidden = m_parameters["hidden"].get<std::size_t>();
        if (ppo.environments * ppo.steps % ppo.minibatches != 0) {
            return bad_input("the pulses of an update cannot be divided into 4 minibatches", {}, "Give a multiple of 4",
                             "environments");
        }
        for (int s = 0; s < m_count; ++s) {
            m_learners.push_back(std::make_unique<Learner>(m_setup.environment, m_setup.program, settings,
                                                           m_seed + static_cast<std::uint64_t>(s)));
        }
        m_pulses_a_round = ppo.environments;
        return {};
    }

    [[nodiscard]] char const* stage() const { return m_method == "ppo" ? "learn" : "search"; }
    [[nodiscard]] std::function<bool()> asking() {
        return [this] { return m_context.progress(fraction(), stage()) != Signal::cancel; };
    }
    [[nodiscard]] bool done() const { return m_round >= m_rounds || m_exhausted; }
    [[nodiscard]] double fraction() const { return static_cast<double>(m_round) / static_cast<double>(m_rounds); }

    // False: stopped by a cancel in the middle.
    bool advance() {
        int const threads = m_context.threads();
        std::function<bool()> const ask = asking();
        Stopper stopper(ask);
        auto const go_on = [&stopper] { return stopper.go_on(); };
        if (m_learners.empty()) {
            std::size_t const evaluated = m_grape ? m_grape->advance(m_simulator, m_setup.plan(), threads, go_on)
                                                  : m_crab->advance(m_simulator, m_setup.plan(), threads, go_on);
            m_evaluations += evaluated;
            m_exhausted = evaluated == 0;
            return !stopper.stopped();
        }
        if (m_learners.size() == 1) {
            m_learners[0]->update(m_simulator, m_setup.plan(), threads, go_on);
        } else {
            parallel_for(
                m_learners.size(), threads,
                [&](std::size_t s, int) { m_learners[s]->update(m_simulator, m_setup.plan(), 1, go_on); }, go_on);
        }
        m_evaluations += m_pulses_a_round * m_learners.size();
        return !stopper.stopped();
    }

    [[nodiscard]] std::size_t seeds() const {
        return !m_learners.empty() ? m_learners.size() : m_grape ? m_grape->starts() : m_crab->starts();
    }
    [[nodiscard]] double best_fidelity(std::size_t s) const {
        if (!m_learners.empty()) return m_learners[s]->best_fidelity();
        return m_grape ? m_grape->fidelity(s) : m_crab->fidelity(s);
    }
    [[nodiscard]] Shaped best(std::size_t s) const {
        if (!m_learners.empty()) return m_learners[s]->best();
        return m_grape ? m_grape->best(s) : m_crab->best(s);
    }
    [[nodiscard]] std::size_t leader() const {
        std::size_t first = 0;
        for (std::size_t s = 1; s < seeds(); ++s)
            if (best_fidelity(s) > best_fidelity(first)) first = s;
        return first;
    }

    [[nodiscard]] Json seed_json(std::size_t s) const {
        Json one = {{"seed", m_seed + s}, {"fidelity_best", best_fidelity(s)}};
        if (m_learners.empty()) return one;
        Learner::Round const& r = m_learners[s]->last();
        one.update({{"reward", r.reward_mean},
                    {"reward_best", m_learners[s]->best_reward()},
                    {"fidelity", r.fidelity_mean},
                    {"population", r.population_penalty},
                    {"area", r.area_penalty},
                    {"smoothness", r.smoothness_penalty},
                    {"limit", r.limit_penalty}});
        if (m_setup.environment.settings().reward.reset) {
            one.update({{"ends", r.ends_penalty}, {"deviation", r.deviation_penalty}});
        }
        return one;
    }

    // At most 1000 rounds are kept for the curves.
    void record() {
        std::size_t const every = std::max<std::size_t>(1, m_rounds / 1000);
        if (m_round % every != 0 && !done()) return;
        for (std::size_t s = 0; s < seeds(); ++s) {
            double const best = best_fidelity(s);
            if (m_learners.empty()) {
                m_curve.push_back({m_round, m_evaluations, m_seed + s, Json(), Json(), best});
            } else {
                Learner::Round const& r = m_learners[s]->last();
                m_curve.push_back({m_round, m_evaluations, m_seed + s, r.reward_mean, r.fidelity_mean, best});
            }
        }
    }

    void announce() {
        Json controls = Json::array(), list = Json::array();
        for (Control const& c : m_setup.system().controls) controls.push_back(c.name);
        for (std::size_t s = 0; s < seeds(); ++s) list.push_back(m_seed + s);
        m_context.update("layout", {{"method", m_method},
                                    {"system", m_setup.system().name},
                                    {"title", m_setup.system().title},
                                    {"controls", controls},
                                    {"levels", m_setup.system().level_names},
                                    {"seeds", list},
                                    {"rounds", m_rounds}});
    }

    void live(bool last) {
        auto const now = Clock::now();
        if (last || now - m_last_round >= std::chrono::milliseconds(50)) {
            m_last_round = now;
            Json list = Json::array();
            for (std::size_t s = 0; s < seeds(); ++s) {
                list.push_back(seed_json(s));
                for (auto const& [field, value] : list.back().items()) {
                    if (field == "seed") continue;
                    m_context.series(field + " " + std::to_string(m_seed + s), static_cast<double>(m_evaluations),
                                     value.get<double>());
                }
            }
            m_context.update("round", {{"round", m_round}, {"evaluations", m_evaluations}, {"seeds", list}});
        }
        if (last || now - m_last_best >= std::chrono::milliseconds(500)) {
            m_last_best = now;
            show_best();
        }
    }

    // Those of all seeds whose best has changed, integrated together.
    void show_best() {
        m_shown.resize(seeds(), std::numeric_limits<double>::quiet_NaN());
        std::vector<std::size_t> changed;
        std::vector<Pulse> pulses;
        for (std::size_t s = 0; s < seeds(); ++s) {
            double const measure = m_learners.empty() ? best_fidelity(s) : m_learners[s]->best_reward();
            if (m_shown[s] == measure) continue;
            Pulse pulse = best(s).pulse;
            if (pulse.times.empty()) continue;  // before the first pulse
            m_shown[s] = measure;
            changed.push_back(s);
            pulses.push_back(std::move(pulse));
        }
        SimulationPlan plan = m_setup.plan();
        plan.keep_knots = true;
        std::vector<Trajectory> out;
        if (!m_simulator.run(pulses, {}, plan, m_context.threads(), out, asking())) return;
        std::size_t const first = leader();
        for (std::size_t k = 0; k < changed.size(); ++k) {
            m_context.update("best", {{"seed", m_seed + changed[k]},
                                      {"leader", changed[k] == first},
                                      {"fidelity", out[k].fidelity},
                                      {"pulse", pulse_json(m_setup.system(), pulses[k])},
                                      {"populations", populations_json(m_setup, out[k])}});
        }
    }

    [[nodiscard]] Json state() const {
        Json learners = Json::array();
        for (auto const& learner : m_learners) learners.push_back(learner->save());
        return {{"round", m_round},     {"evaluations", m_evaluations},
                {"curve", m_curve},     {"exhausted", m_exhausted},
                {"learners", learners}, {"search", m_grape ? m_grape->save() : m_crab ? m_crab->save() : Json()}};
    }

    Result<void> keep() {
        std::vector<std::uint8_t> bytes = Json::to_cbor(Json{{"key", m_key}, {"state", state()}});
        return m_context.save_checkpoint({reinterpret_cast<char const*>(bytes.data()), bytes.size()});
    }

    // A killed job loses at most a minute.
    Result<void> keep_now_and_then() {
        auto const now = Clock::now();
        if (now - m_last_kept < std::chrono::seconds(60)) return {};
        m_last_kept = now;
        return keep();
    }

    Result<void> restore() {
        std::optional<std::string> bytes = m_context.checkpoint();
        if (!bytes) return {};
        Json all = Json::from_cbor(*bytes, true, false);
        if (all.is_discarded() || !all.is_object() || !all.contains("key") || !all.contains("state")) {
            m_context.warn(bad_input("the checkpoint is damaged", {}, "The job starts anew"));
            return {};
        }
        if (all["key"] != m_key) {
            m_context.warn(
                bad_input("the checkpoint belongs to other inputs or parameters", {}, "The job starts anew"));
            return {};
        }
        try {
            take(all["state"]);
        } catch (Json::exception const& error) {
            m_context.warn(bad_input("the checkpoint is damaged", {}, "The job starts anew").caused_by(error.what()));
            m_learners.clear();
            m_curve.clear();
            m_round = m_evaluations = 0;
            m_exhausted = false;
            return prepare();
        }
        return {};
    }

    void take(Json const& s) {
        m_round = s.at("round");
        m_evaluations = s.at("evaluations");
        m_curve = s.at("curve").get<std::vector<Json>>();
        m_exhausted = s.at("exhausted");
        for (std::size_t k = 0; k < m_learners.size(); ++k) m_learners[k]->restore(s.at("learners").at(k));
        if (m_grape) m_grape->restore(s.at("search"));
        if (m_crab) m_crab->restore(s.at("search"));
    }

    // The policy's mean may be better than the best of its draws.
    [[nodiscard]] Shaped final_pulse(std::size_t s) const {
        Shaped shaped = best(s);
        if (m_learners.empty()) return shaped;
        Shaped mean = m_learners[s]->mean_pulse();
        if (shaped.pulse.times.empty()) return mean;
        SimulationPlan plan = m_setup.plan();
        plan.keep_knots = true;
        auto reward = [&](Shaped const& one) {
            return m_setup.environment.judge(one, m_setup.program, m_simulator.run_one(one.pulse, plan), false).reward;
        };
        return reward(mean) > reward(shaped) ? mean : shaped;
    }

    Result<void> write(bool partial) {
        Json runs = Json::array();
        std::size_t first = 0;
        std::vector<Shaped> pulses;
        std::vector<double> fidelities;
        for (std::size_t s = 0; s < seeds(); ++s) {
            // A cancel is answered at once: with what is known, and one trajectory.
            pulses.push_back(partial ? best(s) : final_pulse(s));
            if (pulses.back().pulse.times.empty()) return {};  // stopped before the first pulse
            double const batched =
                partial ? best_fidelity(s) : m_simulator.run_one(pulses.back().pulse, m_setup.plan()).fidelity;
            fidelities.push_back(partial ? batched : refined(m_setup, pulses.back().pulse).fidelity);
            if (fidelities[s] > fidelities[first]) first = s;
            constexpr double promised = 1e-6;
            if (double const miss = std::abs(fidelities[s] - batched); miss >= promised) {
                m_context.warn(bad_input("the fixed steps of the search miss F of seed " + std::to_string(m_seed + s) +
                                             " by " + number_text(miss),
                                         m_setup.system().name,
                                         "The fidelity reported is the refined one; use more knots, or more \"steps\" "
                                         "in a system file"));
            }
            Json one = {{"seed", m_seed + s},
                        {"fidelity", fidelities[s]},
                        {"fidelity_batched", batched},
                        {"difference", std::abs(fidelities[s] - batched)}};
            if (m_setup.environment.settings().shape.reset_pulse) one["deviation"] = pulses[s].deviation;
            runs.push_back(std::move(one));
        }
        m_result.values = {{"fidelity", fidelities[first]},
                           {"best_seed", m_seed + first},
                           {"rounds", m_round},
                           {"evaluations", m_evaluations}};
        Pulse const& pulse = pulses[first].pulse;
        std::vector<std::string> const comments = {
            m_setup.system().title + ", " + m_method + ", seed " + std::to_string(m_seed + first),
            "F = " + number_text(fidelities[first])};
        ORRERY_CHECK(emit_text(m_context, m_result, "best_pulse.csv", "table", "text/csv",
                               pulse_csv(pulse, m_setup.system(), comments), partial));
        ORRERY_CHECK(emit_text(m_context, m_result, "curves.csv", "table", "text/csv", curves_csv(), partial));
        ORRERY_CHECK(emit_figure(m_context, m_result, "curves.figure.json", curves_figure(), partial));
        ORRERY_CHECK(
            emit_figure(m_context, m_result, "pulse.figure.json", pulse_figure(m_setup.system(), pulse), partial));
        SimulationPlan plan = m_setup.plan();
        plan.keep_knots = true;
        Trajectory const t = m_simulator.run_one(pulse, plan);
        ORRERY_CHECK(emit_text(m_context, m_result, "populations.csv", "table", "text/csv",
                               populations_csv(m_setup, pulse, t), partial));
        ORRERY_CHECK(emit_figure(m_context, m_result, "populations.figure.json", populations_figure(m_setup, pulse, t),
                                 partial));
        if (!m_learners.empty()) {
            ORRERY_CHECK(emit_text(m_context, m_result, "policy.safetensors", "weights", "application/octet-stream",
                                   policy_bytes(m_learners[first]->network(), {{"system", m_setup.system().name}}),
                                   partial));
        }
        Json summary = m_result.values;
        summary["method"] = m_method;
        summary["system"] = m_setup.system().name;
        summary["runs"] = runs;
        return emit_text(m_context, m_result, "optimize.json", "json", "application/json", summary.dump(2) + "\n",
                         partial);
    }

    [[nodiscard]] std::string curves_csv() const {
        std::string text = "round,evaluations,seed,reward,fidelity,fidelity_best\n";
        for (Json const& row : m_curve) {
            for (std::size_t k = 0; k < row.size(); ++k) {
                text += k > 0 ? "," : "";
                if (!row[k].is_null()) text += number_text(row[k].get<double>());
            }
            text += "\n";
        }
        return text;
    }

    [[nodiscard]] Figure curves_figure() const {
        XyPlot plot;
        plot.kind = XyKind::line;
        plot.x.title = "pulses";
        plot.y.title = "1 - F of the best";
        plot.y.logarithmic = true;
        for (std::size_t s = 0; s < seeds(); ++s) {
            Series series;
            series.name = "seed " + std::to_string(m_seed + s);
            for (Json const& row : m_curve) {
                if (row[2] != m_seed + s) continue;
                series.x.push_back(row[1].get<double>());
                series.y.push_back(std::max(1 - row[5].get<double>(), 1e-12));
            }
            plot.series.push_back(std::move(series));
        }
        Figure figure;
        figure.title = m_method + ", " + m_setup.system().title;
        figure.content = std::move(plot);
        return figure;
    }

    Json const& m_parameters;
    JobContext& m_context;
    Setup m_setup;
    Simulator m_simulator;
    std::string m_method, m_key;
    std::uint64_t m_seed = 10, m_evaluations = 0;
    int m_count = 1;
    std::size_t m_rounds = 0, m_round = 0, m_pulses_a_round = 0;
    bool m_exhausted = false;
    std::vector<std::unique_ptr<Learner>> m_learners;
    std::unique_ptr<Grape> m_grape;
    std::unique_ptr<Crab> m_crab;
    std::vector<Json> m_curve;
    Clock::time_point m_last_round{}, m_last_best{}, m_last_kept = Clock::now();
    std::vector<double> m_shown;  // by seed: of the best pulse last told
    JobResult m_result;
};

}  // namespace

Result<JobResult> run_optimize(Json const& parameters, JobContext& context) {
    ORRERY_TRY(Setup setup, read_setup(parameters, context));
    return OptimizeJob(parameters, context, std::move(setup)).run();
}

}  // namespace orrery::methods::quantum_control
