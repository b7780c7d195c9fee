#include "core/methods/quantum-control/process.h"

#include <cmath>

namespace orrery::methods::quantum_control {
namespace {

Result<std::vector<Complex>> evolved(QuantumSystem system, std::vector<Complex> state, Pulse const& pulse) {
    system.initial = {{1, std::move(state)}};
    ORRERY_TRY(Program program, compile(system));
    SimulationPlan plan;
    plan.steps = system.steps;
    plan.interpolation = system.interpolation;
    Trajectory const t = Simulator(program).run_one(pulse, plan);
    return program.density(t.state.data());
}

}  // namespace

Result<ProcessFidelity> process_fidelity(QuantumSystem const& system, Pulse const& pulse) {
    std::size_t const d = system.qubit_levels.size(), n = static_cast<std::size_t>(system.levels);
    if (d != 4) return bad_input("only two-qubit gates have a process fidelity here", system.name);
    auto level = [&](std::size_t a) { return static_cast<std::size_t>(system.qubit_levels[a]); };
    auto run = [&](std::size_t a, std::size_t b, Complex second) {
        std::vector<Complex> state(n);
        double const root = a == b ? 1.0 : std::sqrt(0.5);
        if (a != b) state[level(b)] = root * second;
        state[level(a)] = root;
        return evolved(system, state, pulse);
    };
    std::vector<std::vector<Complex>> diagonal;
    for (std::size_t a = 0; a < d; ++a) {
        ORRERY_TRY(std::vector<Complex> rho, run(a, a, 0));
        diagonal.push_back(std::move(rho));
    }
    std::vector<Complex> m(d * d);  // <Ua|E(|a><b|)|Ub>
    for (std::size_t a = 0; a < d; ++a) {
        m[a * d + a] = diagonal[a][level(a) * n + level(a)];
        for (std::size_t b = a + 1; b < d; ++b) {
            ORRERY_TRY(std::vector<Complex> plus, run(a, b, 1));
            ORRERY_TRY(std::vector<Complex> turned, run(a, b, Complex(0, 1)));
            std::size_t const at = level(a) * n + level(b);
            Complex const e =
                plus[at] + Complex(0, 1) * turned[at] - Complex(0.5, 0.5) * (diagonal[a][at] + diagonal[b][at]);
            m[a * d + b] = std::conj(system.gate[a]) * e * system.gate[b];
            m[b * d + a] = std::conj(m[a * d + b]);
        }
    }
    auto value = [&](double first, double second) {
        double const phase[4] = {0, second, first, first + second};
        Complex sum = 0;
        for (std::size_t a = 0; a < d; ++a)
            for (std::size_t b = 0; b < d; ++b) sum += std::polar(1.0, phase[a] - phase[b]) * m[a * d + b];
        return sum.real() / static_cast<double>(d * d);
    };
    ProcessFidelity out;
    out.plain = out.phase_corrected = value(0, 0);
    double width = two_pi / 2;
    for (int round = 0; round < 12; ++round, width *= 0.25) {  // grids that close in on the best
        double const first = out.phase_first, second = out.phase_second;
        for (int i = -8; i <= 8; ++i) {
            for (int j = -8; j <= 8; ++j) {
                double const x = first + width * i / 8, y = second + width * j / 8, v = value(x, y);
                if (v <= out.phase_corrected) continue;
                out.phase_corrected = v;
                out.phase_first = x;
                out.phase_second = y;
            }
        }
    }
    return out;
}

}  // namespace orrery::methods::quantum_control
