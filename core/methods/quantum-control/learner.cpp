#include "core/methods/quantum-control/learner.h"

#include "core/base/parallel.h"


#include <algorithm>

namespace orrery::methods::quantum_control {

LearnSettings learn_settings(Environment const& environment, FeedbackSettings const& feedback) {
    LearnSettings s;
    s.feedback = feedback;
    auto const sections = static_cast<std::size_t>(feedback.sections);
    s.ppo.observations = sections > 1 ? 2 : 1;
    s.ppo.actions = environment.action_size() / sections;
    s.ppo.steps = sections;
    if (environment.settings().reward.reset) {
        s.ppo.environments = 256;
        s.ppo.learning_rate = 1e-3;
        s.ppo.anneal = true;
        s.ppo.hidden = 128;
        s.ppo.gamma = 0.01;
        s.ppo.lambda = 1;
    }
    s.limit.most_steps = environment.settings().most_steps;
    s.limit.interpolation = environment.system().interpolation;
    return s;
}

Learner::Learner(Environment const& environment, Program const& program, LearnSettings const& settings,
                 std::uint64_t seed)
    : m_environment(environment), m_program(program), m_settings(settings), m_ppo(settings.ppo, seed) {}

Shaped Learner::shape(std::vector<double> action) const {
    if (m_settings.detuning_bound >= 0) {  // the same limits as for the gradient's search
        QuantumSystem const& system = m_environment.system();
        auto const knots = static_cast<std::size_t>(system.knots);
        std::size_t part = 0;
        for (std::size_t c : m_environment.action_order()) {
            Control const& control = system.controls[c];
            double const bound = std::abs(m_settings.detuning_bound / control.scale);
            for (std::size_t k = 0; control.kind == ControlKind::detuning && k < knots; ++k) {
                double& v = action[part * knots + k];
                v = std::clamp(v, -bound, bound);
            }
            ++part;
        }
    }
    return m_environment.shape(action);
}

bool Learner::update(Simulator const& simulator, SimulationPlan const& plan, int threads,
                     std::function<bool()> const& tick) {
    std::size_t const count = m_settings.ppo.environments, sections = m_settings.ppo.steps;
    std::size_t const controls = m_environment.system().controls.size();
    std::vector<std::vector<std::vector<double>>> parts(count);
    std::vector<double> offsets(count, 0.0), observations(count * m_settings.ppo.observations, 0.0);
    for (std::size_t s = 0; s < sections; ++s) {
        std::vector<double> const& actions = m_ppo.act(observations);
        for (std::size_t e = 0; e < count; ++e) {
            auto begin = actions.begin() + static_cast<std::ptrdiff_t>(e * m_settings.ppo.actions);
            parts[e].emplace_back(begin, begin + static_cast<std::ptrdiff_t>(m_settings.ppo.actions));
        }
        if (s + 1 < sections) m_ppo.reward(std::vector<double>(count, 0.0), false);
        for (std::size_t e = 0; sections > 1 && s == 0 && e < count; ++e) {
            offsets[e] = draw_offset(m_settings.feedback, m_ppo.random());
            observations[2 * e] = 1;
            observations[2 * e + 1] = offsets[e];
        }
    }
    std::vector<Shaped> shaped;
    std::vector<Pulse> pulses;
    std::vector<Variation> variations(count);
    for (std::size_t e = 0; e < count; ++e) {
        shaped.push_back(
            shape(sections > 1 ? assemble_sections(parts[e], controls, m_settings.feedback.mode) : parts[e].front()));
        pulses.push_back(shaped.back().pulse);
        // As released the offset is observed, but the dynamics never knows of it.
        if (sections > 1 && m_settings.feedback.mode == SectionMode::paper)
            apply_offset(m_environment.system(), pulses.back(), offsets[e]);
        draw_noise(m_environment.system(), m_settings.noise, m_ppo.random(), pulses.back(), variations[e].noise);
    }
    SimulationPlan with_knots = plan;
    with_knots.keep_knots = true;
    std::vector<Trajectory> out;
    if (!simulator.run(pulses, variations, with_knots, threads, out, tick)) return false;
    std::vector<char> limits(count, 0);
    if (m_settings.limit.most_steps > 0) {
        auto const ask = [&](std::size_t e, int) {
            limits[e] = run_adaptive(m_program, pulses[e], m_settings.limit).reached_limit ? 1 : 0;
        };
        if (!parallel_for(count, threads, ask, tick)) return false;
    }
    std::vector<double> rewards;
    m_last = {};
    m_last.reward_best = -1e300;
    double const share = 1 / static_cast<double>(count);
    for (std::size_t e = 0; e < count; ++e) {
        Outcome const o = m_environment.judge(shaped[e], m_program, out[e], limits[e] != 0);
        rewards.push_back(o.reward);
        m_last.reward_mean += share * o.reward;
        m_last.fidelity_mean += share * o.fidelity;
        m_last.reward_best = std::max(m_last.reward_best, o.reward);
        m_last.fidelity_best = std::max(m_last.fidelity_best, o.fidelity);
        m_last.population_penalty += share * o.population_penalty;
        m_last.area_penalty += share * o.area_penalty;
        m_last.smoothness_penalty += share * o.smoothness_penalty;
        m_last.ends_penalty += share * o.ends_penalty;
        m_last.deviation_penalty += share * o.deviation_penalty;
        m_last.limit_penalty += share * o.limit_penalty;
        if (o.reward > m_best_reward) {
            m_best_reward = o.reward;
            m_best_fidelity = o.fidelity;
            m_best = shaped[e];
        }
    }
    m_ppo.reward(rewards, true);
    return m_ppo.learn(observations, tick);
}

Shaped Learner::mean_pulse() const {
    std::vector<std::vector<double>> parts;
    for (std::size_t s = 0; s < m_settings.ppo.steps; ++s) {
        std::vector<double> observation(m_settings.ppo.observations, 0.0);
        if (s > 0) observation[0] = 1;
        PolicyNetwork::Activations a;
        m_ppo.network().forward(observation.data(), a);
        parts.push_back(a.mean);
    }
    return shape(parts.size() > 1
                     ? assemble_sections(parts, m_environment.system().controls.size(), m_settings.feedback.mode)
                     : parts.front());
}

Json Learner::save() const {
    Ppo::State const s = m_ppo.state();
    return {{"values", s.values},           {"first", s.adam.first},
            {"second", s.adam.second},      {"step", s.adam.step},
            {"random", s.random},           {"updates", s.updates},
            {"best", m_best.pulse.values},  {"times", m_best.pulse.times},
            {"invalid", m_best.invalid},    {"measures", {m_best.deviation, m_best.smooth_difference, m_best.ends}},
            {"best_reward", m_best_reward}, {"best_fidelity", m_best_fidelity}};
}

void Learner::restore(Json const& state) {
    Ppo::State s;
    state.at("values").get_to(s.values);
    state.at("first").get_to(s.adam.first);
    state.at("second").get_to(s.adam.second);
    state.at("step").get_to(s.adam.step);
    state.at("random").get_to(s.random);
    state.at("updates").get_to(s.updates);
    m_ppo.restore(s);
    state.at("best").get_to(m_best.pulse.values);
    state.at("times").get_to(m_best.pulse.times);
    state.at("invalid").get_to(m_best.invalid);
    m_best.deviation = state.at("measures").at(0);
    m_best.smooth_difference = state.at("measures").at(1);
    m_best.ends = state.at("measures").at(2);
    state.at("best_reward").get_to(m_best_reward);
    state.at("best_fidelity").get_to(m_best_fidelity);
}

}  // namespace orrery::methods::quantum_control
