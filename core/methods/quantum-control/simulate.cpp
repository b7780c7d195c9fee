#include "core/methods/quantum-control/simulate.h"

#include "core/base/parallel.h"


#include <algorithm>

namespace orrery::methods::quantum_control {

Pulse empty_pulse(QuantumSystem const& system) {
    Pulse pulse;
    for (int i = 0; i < system.knots; ++i) pulse.times.push_back(system.duration * i / (system.knots - 1));
    pulse.values.assign(system.controls.size(), std::vector<double>(static_cast<std::size_t>(system.knots), 0.0));
    return pulse;
}

double evaluate(std::array<double, 4> const& c, double u) { return c[0] + u * (c[1] + u * (c[2] + u * c[3])); }

std::vector<std::array<double, 4>> interval_polynomials(std::vector<double> const& times,
                                                        std::vector<double> const& values,
                                                        Interpolation interpolation) {
    std::size_t const n = times.size() - 1;
    auto slope = [&](std::size_t i) {  // backward, at knot i
        std::size_t k = std::max<std::size_t>(i, 1);
        return (values[k] - values[k - 1]) / (times[k] - times[k - 1]);
    };
    std::vector<std::array<double, 4>> out(n);
    for (std::size_t i = 0; i < n; ++i) {
        double const h = times[i + 1] - times[i];
        double const first = interpolation == Interpolation::linear ? slope(i + 1) : slope(i), e = slope(i + 1) - first;
        out[i] = {values[i], first, 2 * e / h, -e / (h * h)};
    }
    return out;
}

void add_knot_gradient(std::vector<double> const& times, std::vector<std::array<double, 4>> const& by_coefficient,
                       Interpolation interpolation, std::span<double> gradient) {
    auto add_slope = [&](std::size_t i, double g) {
        std::size_t k = std::max<std::size_t>(i, 1);
        double const share = g / (times[k] - times[k - 1]);
        gradient[k] += share;
        gradient[k - 1] -= share;
    };
    for (std::size_t i = 0; i < by_coefficient.size(); ++i) {
        auto const& g = by_coefficient[i];
        double const h = times[i + 1] - times[i];
        gradient[i] += g[0];
        if (interpolation == Interpolation::linear) {
            add_slope(i + 1, g[1]);
            continue;
        }
        double const e = 2 * g[2] / h - g[3] / (h * h);
        add_slope(i, g[1] - e);
        add_slope(i + 1, e);
    }
}

// One group of eight: the buffers a KernelRun points to.
struct Simulator::Batch {
    LaneBuffer coefficients, scales, state, knots, path, scratch, adjoint, gradient;
    std::vector<double> lengths;
    std::vector<int> steps;
    std::size_t each = 1, intervals = 0;
    KernelRun run;
};

Simulator::Simulator(Program const& program, Kernels const& kernels)
    : m_program(program), m_packed(m_program), m_kernels(&kernels) {}

namespace {

// The polynomial of part `part` of `each` of an interval of length h, seen from the part's start, with the noise added.
std::array<double, 4> shifted(std::array<double, 4> const& c, double start, double length, double const* noise) {
    std::array<double, 4> out = {evaluate(c, start), c[1] + start * (2 * c[2] + 3 * start * c[3]),
                                 c[2] + 3 * start * c[3], c[3]};
    if (noise != nullptr) {
        out[0] += noise[0];
        out[1] += (noise[1] - noise[0]) / length;
    }
    return out;
}

}  // namespace

namespace {

std::vector<double> powers(std::vector<double> values, int power) {
    for (double& v : values) v = power == 2 ? v * v : v;
    return values;
}

// At the samples: n, or for a square (v + n)^2 - v^2.
std::vector<double> channel_noise(std::vector<double> const& times, std::vector<double> const& knots,
                                  NoisePath const& noise, std::size_t control, int power, SimulationPlan const& plan) {
    std::vector<double> out = noise.values[control];
    if (power == 1) return out;
    auto const polynomials = interval_polynomials(times, knots, plan.interpolation);
    auto const each = static_cast<std::size_t>(noise.each);
    for (std::size_t s = 0; s < out.size(); ++s) {
        std::size_t const interval = std::min(s / each, polynomials.size() - 1);
        double const share = static_cast<double>(s - interval * each) / static_cast<double>(each);
        double const v = evaluate(polynomials[interval], share * (times[interval + 1] - times[interval]));
        out[s] *= 2 * v + out[s];
    }
    return out;
}

}  // namespace

void Simulator::prepare(Batch& b, std::span<Pulse const> pulses, std::span<Variation const> variations,
                        SimulationPlan const& plan) const {
    std::vector<double> const& times = pulses[0].times;
    b.intervals = times.size() - 1;
    b.each = 1;
    for (Variation const& v : variations) {
        if (!v.noise.values.empty()) b.each = std::max<std::size_t>(b.each, static_cast<std::size_t>(v.noise.each));
    }
    std::size_t const segments = b.intervals * b.each, channels = m_packed.channels, n = m_packed.components;
    int const steps = std::max(1, (plan.steps + static_cast<int>(b.each) - 1) / static_cast<int>(b.each));
    b.lengths.resize(segments);
    b.steps.assign(segments, steps);
    b.coefficients.resize(segments * channels * 4);
    b.scales.resize(2);
    b.state.resize(n);
    b.scratch.resize(scratch_groups(m_packed));
    for (std::size_t s = 0; s < segments; ++s) {
        b.lengths[s] = (times[s / b.each + 1] - times[s / b.each]) / static_cast<double>(b.each);
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        std::size_t const from = std::min(lane, pulses.size() - 1);  // lanes to spare repeat the last pulse
        Variation const none, &v = variations.empty() ? none : variations[from];
        b.scales.at(0)[lane] = v.time_scale;
        b.scales.at(1)[lane] = v.rate_scale;
        for (std::size_t c = 0; c < channels; ++c) {
            Feature const& feature = m_program.features[first_control_feature + c];
            auto const control = static_cast<std::size_t>(feature.control);
            std::vector<double> const& knots = pulses[from].values[control];
            auto const polynomials = interval_polynomials(times, powers(knots, feature.power), plan.interpolation);
            std::vector<double> noise;
            if (!v.noise.values.empty()) noise = channel_noise(times, knots, v.noise, control, feature.power, plan);
            for (std::size_t s = 0; s < segments; ++s) {
                double const start = static_cast<double>(s % b.each) * b.lengths[s];
                auto p = shifted(polynomials[s / b.each], start, b.lengths[s], noise.empty() ? nullptr : &noise[s]);
                for (std::size_t k = 0; k < 4; ++k) b.coefficients.at((s * channels + c) * 4 + k)[lane] = p[k];
            }
        }
        for (std::size_t i = 0; i < n; ++i) b.state.at(i)[lane] = m_program.initial[i];
    }
    b.run = {};
    b.run.packed = &m_packed;
    b.run.segments = segments;
    b.run.coefficients = b.coefficients.data();
    b.run.lengths = b.lengths.data();
    b.run.steps = b.steps.data();
    b.run.time_scale = b.scales.at(0);
    b.run.rate_scale = b.scales.at(1);
    b.run.state = b.state.data();
    b.run.scratch = b.scratch.data();
    if (plan.keep_knots) {
        b.knots.resize((segments + 1) * n);
        b.run.at_segments = b.knots.data();
    }
}

namespace {

void listen(KernelRun& run, Stopper& stopper) {
    run.asked = &stopper;
    run.go_on = [](void* asked) { return static_cast<Stopper*>(asked)->go_on(); };
}

}  // namespace

bool Simulator::run(std::span<Pulse const> pulses, std::span<Variation const> variations, SimulationPlan const& plan,
                    int threads, std::vector<Trajectory>& out, std::function<bool()> const& tick) const {
    out.assign(pulses.size(), {});
    std::size_t const n = m_packed.components;
    Stopper stopper(tick);
    auto body = [&](std::size_t group, int) {
        std::size_t const first = group * lanes, count = std::min(lanes, pulses.size() - first);
        thread_local Batch b;
        prepare(b, pulses.subspan(first, count),
                variations.empty() ? std::span<Variation const>() : variations.subspan(first, count), plan);
        listen(b.run, stopper);
        m_kernels->forward(b.run);
        for (std::size_t lane = 0; lane < count; ++lane) {
            Trajectory& t = out[first + lane];
            t.fidelity = m_program.fidelity.value(b.state.data() + lane, lanes);
            for (std::size_t i = 0; i < n; ++i) t.state.push_back(b.state.at(i)[lane]);
            for (std::size_t k = 0; plan.keep_knots && k <= b.intervals; ++k) {
                for (std::size_t i = 0; i < n; ++i) t.knots.push_back(b.knots.at(k * b.each * n + i)[lane]);
            }
        }
    };
    auto const go_on = [&stopper] { return stopper.go_on(); };
    return parallel_for((pulses.size() + lanes - 1) / lanes, threads, body, go_on) && !stopper.stopped();
}

Trajectory Simulator::run_one(Pulse const& pulse, SimulationPlan const& plan, Variation const& v) const {
    std::vector<Trajectory> out;
    run({&pulse, 1}, {&v, 1}, plan, 1, out);
    return std::move(out.front());
}

std::vector<Simulator::Gradient> Simulator::gradient(std::span<Pulse const> pulses, SimulationPlan plan,
                                                     std::function<bool()> const& tick) const {
    thread_local Batch b;
    Stopper stopper(tick);
    plan.keep_knots = true;
    prepare(b, pulses, {}, plan);
    listen(b.run, stopper);
    std::size_t const n = m_packed.components, channels = m_packed.channels;
    b.path.resize(static_cast<std::size_t>(b.steps[0]) * n);
    b.adjoint.resize(n);
    b.gradient.resize(b.run.segments * channels * 4);
    b.run.path = b.path.data();
    b.run.adjoint = b.adjoint.data();
    b.run.gradient = b.gradient.data();
    m_kernels->forward(b.run);
    if (stopper.stopped()) return {};
    std::vector<Gradient> out(pulses.size());
    for (std::size_t lane = 0; lane < pulses.size(); ++lane) {
        out[lane].fidelity = m_program.fidelity.value(b.state.data() + lane, lanes);
        m_program.fidelity.add_gradient(b.state.data() + lane, 1.0, b.adjoint.data() + lane, lanes);
    }
    m_kernels->backward(b.run);
    if (stopper.stopped()) return {};
    for (std::size_t lane = 0; lane < pulses.size(); ++lane) {
        std::size_t const knots = pulses[lane].times.size();
        out[lane].by_knot.assign(pulses[lane].values.size(), std::vector<double>(knots, 0.0));
        for (std::size_t c = 0; c < channels; ++c) {
            std::vector<std::array<double, 4>> g(b.intervals);
            for (std::size_t s = 0; s < b.intervals; ++s)
                for (std::size_t k = 0; k < 4; ++k) g[s][k] = b.gradient.at((s * channels + c) * 4 + k)[lane];
            std::vector<double> by_channel(knots, 0.0);
            add_knot_gradient(pulses[lane].times, g, plan.interpolation, by_channel);
            Feature const& feature = m_program.features[first_control_feature + c];
            auto const control = static_cast<std::size_t>(feature.control);
            for (std::size_t k = 0; k < knots; ++k) {
                double const inner = feature.power == 2 ? 2 * pulses[lane].values[control][k] : 1.0;
                out[lane].by_knot[control][k] += inner * by_channel[k];
            }
        }
    }
    return out;
}

}  // namespace orrery::methods::quantum_control
