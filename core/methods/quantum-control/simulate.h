// Pulses through a Program: many at once by the batched RK4, one by an adaptive method with a step budget. No LibTorch.
#pragma once

#include "core/base/result.h"
#include "core/methods/quantum-control/kernels.h"

#include <array>
#include <functional>
#include <span>

namespace orrery::methods::quantum_control {

// Control values at the knots, rad/us.
struct Pulse {
    std::vector<double> times;                // us, rising
    std::vector<std::vector<double>> values;  // [control][knot]
};
// A pulse of a system on its own even grid, zero.
[[nodiscard]] Pulse empty_pulse(QuantumSystem const& system);

// What is added to the interpolated controls: linear between samples, `each` samples a knot interval.
struct NoisePath {
    int each = 1;
    std::vector<std::vector<double>> values;  // [control][intervals * each + 1], rad/us; empty: none
};

struct Variation {
    double time_scale = 1;  // the whole evolution slower (> 1) or faster
    double rate_scale = 1;  // all rates
    NoisePath noise;
};

struct SimulationPlan {
    int steps = 20;  // RK4 steps a knot interval
    Interpolation interpolation = Interpolation::hermite;
    bool keep_knots = false;
};

struct Trajectory {
    double fidelity = 0;
    std::vector<double> state;  // components at the end
    std::vector<double> knots;  // [knot][component], with keep_knots
};

// The cubic (or linear) of each knot interval: c0 + c1 u + c2 u^2 + c3 u^3 of one control, [interval][4].
// Backward Hermite: slopes m_i = (y_i - y_{i-1})/h, m_0 = m_1.
[[nodiscard]] std::vector<std::array<double, 4>> interval_polynomials(std::vector<double> const& times,
                                                                      std::vector<double> const& values,
                                                                      Interpolation interpolation);
// The transpose: of a gradient by the coefficients, that by the knot values, added to `gradient`.
void add_knot_gradient(std::vector<double> const& times, std::vector<std::array<double, 4>> const& by_coefficient,
                       Interpolation interpolation, std::span<double> gradient);
[[nodiscard]] double evaluate(std::array<double, 4> const& c, double u);

class Simulator {
public:
    Simulator(Program const& program, Kernels const& kernels = best_kernels());
    [[nodiscard]] Program const& program() const { return m_program; }
    [[nodiscard]] Kernels const& kernels() const { return *m_kernels; }

    // Any number of pulses with the same knots; variations empty, or one a pulse. Groups of eight in order, on
    // `threads` threads: results do not depend on their number. Returns false when `tick` asked to stop (results
    // incomplete).
    bool run(std::span<Pulse const> pulses, std::span<Variation const> variations, SimulationPlan const& plan,
             int threads, std::vector<Trajectory>& out, std::function<bool()> const& tick = {}) const;
    [[nodiscard]] Trajectory run_one(Pulse const& pulse, SimulationPlan const& plan, Variation const& v = {}) const;

    // F of each pulse and dF/d knot values [pulse][control][knot] by the discrete adjoint of the same steps; at most
    // eight pulses. Empty when `tick` asked to stop. Memory: the states at the knots and those of one knot interval.
    struct Gradient {
        double fidelity = 0;
        std::vector<std::vector<double>> by_knot;
    };
    [[nodiscard]] std::vector<Gradient> gradient(std::span<Pulse const> pulses, SimulationPlan plan,
                                                 std::function<bool()> const& tick = {}) const;

private:
    struct Batch;
    void prepare(Batch& batch, std::span<Pulse const> pulses, std::span<Variation const> variations,
                 SimulationPlan const& plan) const;

    Program m_program;
    Packed m_packed;
    Kernels const* m_kernels;
};

// Adaptive Dormand-Prince pairs with an I (or PI) controller; the error of a step is judged by the root mean square
// over components. Steps that would cross a knot are cut there when `stop_at_knots`.
enum class AdaptiveMethod { dopri5, dopri8 };
struct AdaptivePlan {
    AdaptiveMethod method = AdaptiveMethod::dopri5;
    double relative = 1e-8, absolute = 1e-6;
    double p = 0, i = 1;    // exponents of the controller, divided by the order
    int most_steps = 4096;  // with rejected ones: the speed limit of the paper
    bool stop_at_knots = false;
    Interpolation interpolation = Interpolation::hermite;
};
struct AdaptiveRun {
    int steps = 0;  // accepted and rejected
    bool reached_limit = false;
    Trajectory trajectory;  // with all knots; where the limit was reached only what came before
};
[[nodiscard]] AdaptiveRun run_adaptive(Program const& program, Pulse const& pulse, AdaptivePlan const& plan);

}  // namespace orrery::methods::quantum_control
