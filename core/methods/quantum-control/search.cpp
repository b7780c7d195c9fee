#include "core/methods/quantum-control/search.h"

#include <algorithm>
#include <cmath>

namespace orrery::methods::quantum_control {

KnotVariables::KnotVariables(Environment const& environment, double detuning_bound) : m_environment(environment) {
    for (Control const& c : environment.system().controls) {
        bool const amplitude = c.kind == ControlKind::amplitude;
        m_unit.push_back(amplitude ? c.scale : 1.0);
        double const bound = std::min(detuning_bound, std::max(std::abs(c.lower), std::abs(c.upper)));
        for (int k = 0; k < environment.system().knots; ++k) {
            m_lower.push_back(amplitude ? 0 : -bound);
            m_upper.push_back(amplitude ? 1 : bound);
        }
    }
}

Shaped KnotVariables::shape(std::vector<double> const& variables, bool keep_invalid) const {
    QuantumSystem const& system = m_environment.system();
    bool const reset = m_environment.settings().shape.reset_pulse;
    auto const knots = static_cast<std::size_t>(system.knots);
    std::vector<double> action;
    for (std::size_t c : m_environment.action_order()) {
        Control const& control = system.controls[c];
        for (std::size_t k = 0; k < knots; ++k) {
            double const v = variables[c * knots + k];
            if (control.kind == ControlKind::amplitude) {
                action.push_back(reset ? v : 2 * v - 1);
            } else {
                action.push_back(v / control.scale);
            }
        }
    }
    return m_environment.shape(action, keep_invalid);
}

double KnotVariables::add_deviation_wall(Shaped const& shaped, std::vector<double>& gradient) const {
    constexpr double weight = 1000, from = 0.95;
    double const beyond = shaped.deviation - from * m_environment.settings().reward.most_deviation;
    if (!m_environment.settings().shape.reset_pulse || beyond <= 0) return 0;
    QuantumSystem const& system = m_environment.system();
    auto const knots = static_cast<std::size_t>(system.knots);
    for (std::size_t c = 0; c < system.controls.size(); ++c) {
        if (system.controls[c].kind != ControlKind::amplitude) continue;
        std::vector<double> by_amplitude;  // of the mean distance, times the slope of the wall
        for (std::size_t k = 0; k < knots; ++k) {
            double const distance = shaped.pulse.values[c][k] / system.controls[c].scale - m_environment.reference()[k];
            by_amplitude.push_back(2 * weight * beyond * (distance < 0 ? -1 : 1) / static_cast<double>(knots));
        }
        by_amplitude = smooth_transposed(by_amplitude, m_environment.kernel(c));
        for (std::size_t k = 0; k < knots; ++k) gradient[c * knots + k] += by_amplitude[k];
    }
    return weight * beyond * beyond;
}

std::vector<double> KnotVariables::pull_back(std::vector<std::vector<double>> const& by_knot) const {
    QuantumSystem const& system = m_environment.system();
    std::vector<double> out;
    for (std::size_t c = 0; c < by_knot.size(); ++c) {
        std::vector<double> g = by_knot[c];
        for (double& v : g) v *= m_unit[c];
        bool const amplitude = system.controls[c].kind == ControlKind::amplitude;
        if (amplitude && m_environment.settings().shape.fixed_endpoints) g.front() = g.back() = 0;
        g = smooth_transposed(g, m_environment.kernel(c));
        out.insert(out.end(), g.begin(), g.end());
    }
    return out;
}

std::vector<double> KnotVariables::random_start(Random& random) const {
    QuantumSystem const& system = m_environment.system();
    bool const reset = m_environment.settings().shape.reset_pulse;
    std::vector<double> out;
    for (Control const& control : system.controls) {
        std::array<double, 3> a{}, phase{};
        for (std::size_t k = 0; k < 3; ++k) {
            a[k] = 0.3 * random.normal();
            phase[k] = two_pi * random.uniform();
        }
        for (int i = 0; i < system.knots; ++i) {
            double const t = static_cast<double>(i) / (system.knots - 1);
            double v = 0;
            for (std::size_t k = 0; k < 3; ++k)
                v += a[k] * std::sin(0.5 * two_pi * static_cast<double>(k + 1) * t + phase[k]);
            std::size_t const at = out.size();
            if (control.kind == ControlKind::detuning) {
                v *= 0.2 * m_upper[at];
            } else if (reset) {
                v = m_environment.reference()[static_cast<std::size_t>(i)] -
                    0.004 * std::abs(v);  // 1 % of amplitude already detunes by its coupling
            } else {
                v += 0.5;
            }
            out.push_back(std::clamp(v, m_lower[at], m_upper[at]));
        }
    }
    return out;
}

Grape::Grape(Environment const& environment, SearchSettings const& settings)
    : m_variables(environment, settings.detuning_bound) {
    for (int s = 0; s < settings.starts; ++s) {
        Random random(settings.seed + static_cast<std::uint64_t>(s));
        m_searches.emplace_back(m_variables.random_start(random), m_variables.lower(), m_variables.upper());
    }
}

std::size_t Grape::advance(Simulator const& simulator, SimulationPlan const& plan, int threads, std::function<bool()> const& tick) {
    std::vector<std::size_t> active;
    for (std::size_t s = 0; s < m_searches.size(); ++s)
        if (!m_searches[s].finished()) active.push_back(s);
    Stopper stopper(tick);
    auto const go_on = [&stopper] { return stopper.go_on(); };
    auto group = [&](std::size_t g, int) {
        std::size_t const first = g * lanes, count = std::min(lanes, active.size() - first);
        std::vector<Shaped> shaped;
        std::vector<Pulse> pulses;
        for (std::size_t k = 0; k < count; ++k) {
            shaped.push_back(m_variables.shape(m_searches[active[first + k]].point(), true));
            pulses.push_back(shaped.back().pulse);
        }
        auto const gradients = simulator.gradient(pulses, plan, go_on);
        if (gradients.empty()) return;
        for (std::size_t k = 0; k < count; ++k) {
            std::vector<double> g = m_variables.pull_back(gradients[k].by_knot);
            for (double& v : g) v = -v;
            double const wall = m_variables.add_deviation_wall(shaped[k], g);
            m_searches[active[first + k]].tell(1 - gradients[k].fidelity + wall, g);
        }
    };
    parallel_for((active.size() + lanes - 1) / lanes, threads, group, go_on);
    return active.size();
}

Json Grape::save() const {
    Json list = Json::array();
    for (BoundedLbfgs const& s : m_searches) list.push_back(s.save());
    return list;
}
void Grape::restore(Json const& state) {
    for (std::size_t s = 0; s < m_searches.size(); ++s) m_searches[s].restore(state.at(s));
}

Crab::Crab(Environment const& environment, SearchSettings const& settings)
    : m_environment(environment), m_variables(environment, settings.detuning_bound), m_settings(settings) {
    std::size_t const controls = environment.system().controls.size();
    for (int s = 0; s < settings.starts; ++s) {
        Random random(settings.seed + static_cast<std::uint64_t>(s));
        std::vector<double> frequencies;
        for (std::size_t c = 0; c < controls; ++c)
            for (int k = 0; k < settings.terms; ++k)
                frequencies.push_back(two_pi * 0.5 * (k + 1 + random.uniform() - 0.5));
        m_frequencies.push_back(std::move(frequencies));
        std::vector<double> start(controls * static_cast<std::size_t>(2 * settings.terms));
        for (double& v : start) v = 0.2 * random.normal();
        m_searches.emplace_back(std::move(start), 0.25);
    }
}

Shaped Crab::shape(std::size_t start, std::vector<double> const& coefficients) const {
    QuantumSystem const& system = m_environment.system();
    auto const terms = static_cast<std::size_t>(m_settings.terms), knots = static_cast<std::size_t>(system.knots);
    bool const reset = m_environment.settings().shape.reset_pulse;
    std::vector<double> variables;
    for (std::size_t c = 0; c < system.controls.size(); ++c) {
        bool const amplitude = system.controls[c].kind == ControlKind::amplitude;
        for (std::size_t i = 0; i < knots; ++i) {
            double const t = static_cast<double>(i) / static_cast<double>(knots - 1);
            double sum = 0;
            for (std::size_t k = 0; k < terms; ++k) {
                double const phase = m_frequencies[start][c * terms + k] * t;
                std::size_t const at = 2 * (c * terms + k);
                sum += coefficients[at] * std::sin(phase) + coefficients[at + 1] * std::cos(phase);
            }
            std::size_t const at = c * knots + i;
            double v = amplitude ? 0.5 + sum : sum * m_variables.upper()[at];
            if (amplitude && reset) v = m_environment.reference()[i] * (1 - 0.1 * std::abs(sum));
            variables.push_back(std::clamp(v, m_variables.lower()[at], m_variables.upper()[at]));
        }
    }
    return m_variables.shape(variables);
}

std::size_t Crab::advance(Simulator const& simulator, SimulationPlan const& plan, int threads, std::function<bool()> const& tick) {
    std::vector<std::size_t> active;
    std::vector<Shaped> shaped;
    std::vector<Pulse> pulses;
    for (std::size_t s = 0; s < m_searches.size(); ++s) {
        if (m_searches[s].finished()) continue;
        active.push_back(s);
        shaped.push_back(shape(s, m_searches[s].point()));
        pulses.push_back(shaped.back().pulse);
    }
    if (active.empty()) return 0;
    std::vector<Trajectory> out;
    if (!simulator.run(pulses, {}, plan, threads, out, tick)) return active.size();
    for (std::size_t k = 0; k < active.size(); ++k) {
        m_searches[active[k]].tell(shaped[k].invalid ? 1.0 : 1 - out[k].fidelity);
    }
    return active.size();
}

Json Crab::save() const {
    Json list = Json::array();
    for (NelderMead const& s : m_searches) list.push_back(s.save());
    return list;
}
void Crab::restore(Json const& state) {
    for (std::size_t s = 0; s < m_searches.size(); ++s) m_searches[s].restore(state.at(s));
}

}  // namespace orrery::methods::quantum_control
