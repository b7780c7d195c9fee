#include "core/methods/quantum-control/environment.h"

#include <algorithm>
#include <cmath>

namespace orrery::methods::quantum_control {

Settings default_settings(QuantumSystem const& system) {
    Settings s;
    bool const rydberg = system.name == "rydberg1" || system.name == "rydberg2";
    if (rydberg) {
        s.shape.amplitude_deviation = s.shape.detuning_deviation = 1;
        s.shape.fixed_endpoints = false;
        s.reward.fidelity_weight = 4;
        s.reward.log_fidelity = false;
        s.reward.population_weight = 1;
    }
    if (system.name == "transmon") {
        s.shape.amplitude_window = s.shape.detuning_window = 8;
        s.shape.amplitude_deviation = s.shape.detuning_deviation = 2;
        s.shape.fixed_endpoints = false;
        s.shape.reset_pulse = s.reward.reset = true;
    }
    return s;
}

Settings official_settings(QuantumSystem const& system, Json const& config) {
    Settings s = default_settings(system);
    auto number = [&](char const* key, double& value) { value = config.value(key, value); };
    auto flag = [&](char const* key, bool& value) {
        if (config.contains(key) && config[key].is_number()) value = config[key].get<double>() != 0;
    };
    if (config.contains("gaussian_kernel_window_length")) {
        s.shape.amplitude_window = config["gaussian_kernel_window_length"][0].get<int>();
        s.shape.detuning_window = config["gaussian_kernel_window_length"][1].get<int>();
    }
    number("convolution_std_amp", s.shape.amplitude_deviation);
    number("convolution_std_freq", s.shape.detuning_deviation);
    number("gauss_std", s.shape.amplitude_deviation);
    number("gauss_std", s.shape.detuning_deviation);
    flag("fixed_endpoints", s.shape.fixed_endpoints);
    number("fid_factor", s.reward.fidelity_weight);
    number("fid_reward", s.reward.fidelity_weight);
    flag("log_fidelity", s.reward.log_fidelity);
    number("x_penalty", s.reward.population_weight);
    number("pulse_area_penalty", s.reward.area_weight);
    number("smoothness_penalty_env", s.reward.smooth_amplitude);
    number("smoothness_penalty_det", s.reward.smooth_detuning);
    number("mx_step_penalty", s.reward.limit_weight);
    number("smoothness_cutoff_freq", s.reward.cutoff);
    s.reward.lowpass_amplitude = config.value("smoothness_calc_amp", std::string()) == "lowpass_filter";
    s.reward.lowpass_detuning = config.value("smoothness_calc_det", std::string()) == "lowpass_filter";
    s.reward.separate_smoothness = s.reward.swapped_baselines = system.name == "rydberg2";
    number("transmon_reset_coeff", s.reward.reset_weight);
    number("smoothness_coeff", s.reward.reset_smooth);
    number("amp_pen_coeff", s.reward.reset_ends);
    number("deviation_coeff", s.reward.deviation_weight);
    number("steps_pen_coeff", s.reward.invalid_penalty);
    number("max_deviation", s.reward.most_deviation);
    s.most_steps = config.value("mxstep", config.value("max_steps", 4096));
    return s;
}

Result<Environment> Environment::make(QuantumSystem system, Settings settings) {
    Environment e;
    e.m_system = std::move(system);
    e.m_settings = settings;
    ORRERY_CHECK(check_window(settings.shape.amplitude_window, e.m_system.knots));
    ORRERY_CHECK(check_window(settings.shape.detuning_window, e.m_system.knots));
    if (settings.reward.limit_weight < 0) {
        return bad_input("the penalty for reaching the step limit is negative, which would reward reaching it", {},
                         "Give 0 or more", "limit_weight");
    }
    e.m_amplitude_kernel = gaussian_kernel(settings.shape.amplitude_window, settings.shape.amplitude_deviation);
    e.m_detuning_kernel = gaussian_kernel(settings.shape.detuning_window, settings.shape.detuning_deviation);
    if (settings.reward.reset) {
        ORRERY_CHECK(e.find_reference());
    } else {
        e.find_baselines();
    }
    return e;
}

std::vector<std::size_t> Environment::action_order() const {
    std::vector<std::size_t> order;
    auto take = [&](ControlKind kind) {
        for (std::size_t c = 0; c < m_system.controls.size(); ++c)
            if (m_system.controls[c].kind == kind) order.push_back(c);
    };
    if (m_settings.shape.reset_pulse) {
        take(ControlKind::amplitude);
        take(ControlKind::detuning);
    } else {
        take(ControlKind::detuning);
        take(ControlKind::amplitude);
    }
    return order;
}

std::size_t Environment::action_size() const {
    return m_system.controls.size() * static_cast<std::size_t>(m_system.knots);
}

Signal1 const& Environment::kernel(std::size_t control) const {
    return m_system.controls[control].kind == ControlKind::amplitude ? m_amplitude_kernel : m_detuning_kernel;
}

Shaped Environment::shape(std::span<double const> action, bool keep_invalid) const {
    if (m_settings.shape.reset_pulse) return shape_reset(action, keep_invalid);
    Shaped shaped;
    shaped.pulse = empty_pulse(m_system);
    auto const knots = static_cast<std::size_t>(m_system.knots);
    std::size_t part = 0;
    for (std::size_t c : action_order()) {
        Control const& control = m_system.controls[c];
        bool const amplitude = control.kind == ControlKind::amplitude;
        Signal1 y(action.begin() + static_cast<std::ptrdiff_t>(part * knots),
                  action.begin() + static_cast<std::ptrdiff_t>((part + 1) * knots));
        ++part;
        for (double& v : y)
            if (amplitude) v = std::clamp(0.5 * v + 0.5, 0.0, 1.0);
        y = smooth(y, kernel(c));
        if (amplitude && m_settings.shape.fixed_endpoints) y.front() = y.back() = 0;
        for (double& v : y) v *= control.scale;
        shaped.pulse.values[c] = std::move(y);
    }
    return shaped;
}

// v min(1, 1/|v|), which is v held in -1..1 (and 0 stays 0, where the official code gives nan); amplitude held in 0..1.
Shaped Environment::shape_reset(std::span<double const> action, bool keep_invalid) const {
    Shaped shaped;
    shaped.pulse = empty_pulse(m_system);
    auto const knots = static_cast<std::size_t>(m_system.knots);
    std::size_t part = 0;
    double difference = 0;
    for (std::size_t c : action_order()) {
        Control const& control = m_system.controls[c];
        bool const amplitude = control.kind == ControlKind::amplitude;
        Signal1 held(knots);
        for (std::size_t i = 0; i < knots; ++i) held[i] = std::clamp(action[part * knots + i], -1.0, 1.0);
        ++part;
        Signal1 clipped = held;
        for (double& v : clipped)
            if (amplitude) v = std::max(v, 0.0);
        Signal1 y = smooth(clipped, kernel(c));
        for (std::size_t i = 0; i < knots; ++i) difference += std::abs(held[i] - y[i]);
        if (amplitude) {
            for (std::size_t i = 0; i < knots; ++i) shaped.deviation += std::abs(y[i] - m_reference[i]);
            shaped.deviation /= static_cast<double>(knots);
            shaped.ends = std::abs(y.front()) + std::abs(y.back());
            shaped.invalid = shaped.deviation > m_settings.reward.most_deviation;
            if (shaped.invalid && !keep_invalid) y.assign(knots, 0.0);
        }
        for (double& v : y) v *= control.scale;
        shaped.pulse.values[c] = std::move(y);
    }
    shaped.smooth_difference = 0.5 * difference / m_system.duration;
    return shaped;
}

Shaped Environment::measured(Pulse pulse) const {
    Shaped shaped;
    shaped.pulse = std::move(pulse);
    if (!m_settings.shape.reset_pulse) return shaped;
    for (std::size_t c = 0; c < m_system.controls.size(); ++c) {
        if (m_system.controls[c].kind != ControlKind::amplitude) continue;
        auto const& y = shaped.pulse.values[c];
        double const scale = m_system.controls[c].scale;
        for (std::size_t i = 0; i < y.size() && i < m_reference.size(); ++i) {
            shaped.deviation += std::abs(y[i] / scale - m_reference[i]) / static_cast<double>(y.size());
        }
        shaped.ends = (std::abs(y.front()) + std::abs(y.back())) / scale;
    }
    return shaped;
}

double Environment::smoothness_of(std::size_t control, std::span<double const> y) const {
    RewardSettings const& r = m_settings.reward;
    bool const amplitude = m_system.controls[control].kind == ControlKind::amplitude;
    if (amplitude ? r.lowpass_amplitude : r.lowpass_detuning) {
        return lowpass_smoothness(y, m_system.knots, r.cutoff * two_pi);
    }
    return second_difference_smoothness(y, spacing());
}

// Blackman windows of full height; a detuning's has the height of the amplitude beside it, as released.
void Environment::find_baselines() {
    std::size_t const count = m_system.controls.size();
    std::vector<double> scales;
    for (Control const& control : m_system.controls) {
        if (control.kind == ControlKind::amplitude) scales.push_back(control.scale);
    }
    m_smoothness_baseline.assign(count, 1.0);
    m_area_baseline.assign(count, 1.0);
    std::size_t detunings = 0;
    for (std::size_t c = 0; c < count; ++c) {
        Control const& control = m_system.controls[c];
        double height = control.scale;
        if (control.kind == ControlKind::detuning && !scales.empty()) {
            height = scales[std::min(detunings++, scales.size() - 1)];
        }
        Signal1 window = blackman(m_system.knots);
        for (double& v : window) v *= height;
        m_area_baseline[c] = trapezoid(window, spacing());
        m_smoothness_baseline[c] = smoothness_of(c, smooth(window, kernel(c)));
    }
    if (m_settings.reward.swapped_baselines && count == 4) {
        std::swap(m_smoothness_baseline[0], m_smoothness_baseline[1]);
        std::swap(m_smoothness_baseline[2], m_smoothness_baseline[3]);
    }
}

// argmin of <n> on 301 points under a full drive of the whole duration without a Stark shift.
Result<void> Environment::find_reference() {
    QuantumSystem full = m_system;
    std::erase_if(full.terms, [](Term const& t) { return t.name.rfind("Stark", 0) == 0; });
    full.knots = 301;
    ORRERY_TRY(Program program, compile(full));
    Pulse pulse = empty_pulse(full);
    for (std::size_t c = 0; c < full.controls.size(); ++c) {
        if (full.controls[c].kind != ControlKind::amplitude) continue;
        std::fill(pulse.values[c].begin(), pulse.values[c].end(), full.controls[c].scale);
    }
    SimulationPlan plan;
    plan.interpolation = Interpolation::linear;
    plan.keep_knots = true;
    Trajectory t = Simulator(program).run_one(pulse, plan);
    double best = -1;
    for (std::size_t k = 0; k < 301; ++k) {
        double const f = program.fidelity.value(t.knots.data() + k * static_cast<std::size_t>(program.components));
        if (f > best) m_best_time = pulse.times[k];
        best = std::max(best, f);
    }
    for (int i = 0; i < m_system.knots; ++i) m_reference.push_back(spacing() * i < m_best_time ? 1.0 : 0.0);
    return {};
}

Outcome Environment::judge(Shaped const& shaped, Program const& program, Trajectory const& trajectory,
                           bool limit) const {
    if (m_settings.reward.reset) return judge_reset(shaped, trajectory, limit);
    RewardSettings const& r = m_settings.reward;
    Outcome out;
    out.fidelity = limit ? 0.0 : trajectory.fidelity;
    auto const n = static_cast<std::size_t>(program.components);
    std::size_t const points = n == 0 ? 0 : trajectory.knots.size() / n;
    double populations = 0;
    for (LevelGroup const& group : m_system.watched) {
        double sum = 0;
        for (auto [level, weight] : group.levels) {
            Form const& form = program.populations[static_cast<std::size_t>(level)];
            for (std::size_t k = 0; k < points && !limit; ++k)
                sum += weight * form.value(trajectory.knots.data() + k * n);
        }
        out.populations.push_back(points == 0 ? 0.0 : sum / static_cast<double>(points));
        populations += group.penalty * out.populations.back();
    }
    out.population_penalty = r.population_weight * populations;
    struct Sum {
        double value = 0, relative = 0, count = 0;
    } area, amplitude, detuning;
    for (std::size_t c = 0; c < m_system.controls.size(); ++c) {
        bool const is_amplitude = m_system.controls[c].kind == ControlKind::amplitude;
        std::span<double const> y = shaped.pulse.values[c];
        out.smoothness.push_back(smoothness_of(c, y));
        double const relative = out.smoothness.back() / m_smoothness_baseline[c];
        double const weight = is_amplitude ? r.smooth_amplitude : r.smooth_detuning;
        if (r.separate_smoothness) out.smoothness_penalty += weight * std::max(relative - 1, 0.0);
        Sum& sum = is_amplitude ? amplitude : detuning;
        sum.relative += relative;
        ++sum.count;
        if (!is_amplitude) continue;
        out.areas.push_back(trapezoid(y, spacing()));
        area.relative += out.areas.back() / m_area_baseline[c];
        ++area.count;
    }
    if (area.count > 0) out.area_penalty = r.area_weight * area.relative / area.count;
    for (auto [sum, weight] : {std::pair{amplitude, r.smooth_amplitude}, std::pair{detuning, r.smooth_detuning}}) {
        if (r.separate_smoothness || sum.count == 0) continue;
        out.smoothness_penalty += weight * std::max(sum.relative / sum.count - 1, 0.0);
    }
    out.limit_penalty = limit ? r.limit_weight : 0;
    double const gain = r.log_fidelity ? -std::log(std::max(1 - out.fidelity, 1e-12)) : out.fidelity;
    out.reward = r.fidelity_weight * gain - out.population_penalty - out.area_penalty - out.smoothness_penalty -
                 out.limit_penalty;
    return out;
}

Outcome Environment::judge_reset(Shaped const& shaped, Trajectory const& trajectory, bool limit) const {
    RewardSettings const& r = m_settings.reward;
    Outcome out;
    bool const invalid = shaped.invalid || limit;
    out.fidelity = invalid ? 0.0 : trajectory.fidelity;
    double const excitation = invalid ? 2.0 : std::max(2 * (1 - trajectory.fidelity), 1e-12);
    out.reset_reward = -r.reset_weight * std::log10(excitation);
    out.smoothness_penalty = r.reset_smooth * (invalid ? 100.0 : shaped.smooth_difference);
    out.ends_penalty = r.reset_ends * (invalid ? 2.0 : shaped.ends);
    out.deviation_penalty = r.deviation_weight * std::max(shaped.deviation - r.most_deviation, 0.0);
    out.limit_penalty = invalid ? r.invalid_penalty : 0;
    out.reward =
        out.reset_reward - out.smoothness_penalty - out.ends_penalty - out.deviation_penalty - out.limit_penalty;
    return out;
}

}  // namespace orrery::methods::quantum_control
