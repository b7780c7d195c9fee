// Processor time of a Lambda trajectory by batch size and threads, with its error against the adaptive integration, and
// the ratio to another program's time where run.sh measured one. Usage: bench_quantum_control PULSE.csv [other_ms]
#include "core/methods/quantum-control/pulse_file.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>

using namespace orrery::methods::quantum_control;

namespace {

double processor_seconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Times {
    double processor = 1e300, wall = 1e300;  // ms a pulse, best of the repeats
};

Times measured(Simulator const& simulator, std::vector<Pulse> const& pulses, SimulationPlan const& plan, int threads) {
    Times best;
    std::vector<Trajectory> out;
    double const count = static_cast<double>(pulses.size());
    for (int repeat = 0; repeat < 4; ++repeat) {
        auto const wall = std::chrono::steady_clock::now();
        double const processor = processor_seconds();
        simulator.run(pulses, {}, plan, threads, out);
        double const took = std::chrono::duration<double>(std::chrono::steady_clock::now() - wall).count();
        best.processor = std::min(best.processor, 1e3 * (processor_seconds() - processor) / count);
        best.wall = std::min(best.wall, 1e3 * took / count);
    }
    return best;
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 2) return std::fprintf(stderr, "usage: bench_quantum_control PULSE.csv [other_ms]\n"), 2;
    auto system = preset("lambda5");
    auto pulse = read_pulse(arguments[1], *system);
    if (!pulse.ok()) return std::fprintf(stderr, "%s\n", pulse.error().message().c_str()), 2;
    auto program = compile(*system);
    Simulator const simulator(*program);
    SimulationPlan plan;
    plan.steps = system->steps;
    AdaptivePlan tight;
    tight.method = AdaptiveMethod::dopri8;
    tight.relative = tight.absolute = 1e-13;
    tight.most_steps = 100000000;
    tight.stop_at_knots = true;
    double const reference = run_adaptive(*program, *pulse, tight).trajectory.fidelity;
    double const error = std::abs(simulator.run_one(*pulse, plan).fidelity - reference);
    std::printf("lambda5, kernels %s, %d steps, F %.10f, error %.1e (allowed 1e-6)\n", simulator.kernels().name,
                plan.steps * (system->knots - 1), reference, error);
    std::printf("%8s %8s %16s %16s %16s\n", "batch", "threads", "CPU ms a pulse", "wall ms a pulse", "pulses/s (wall)");
    double best = 1e300;
    for (std::size_t batch : {1, 8, 64, 512, 4096}) {
        for (int threads : {1, 2}) {
            std::vector<Pulse> const pulses(batch, *pulse);
            Times const t = measured(simulator, pulses, plan, threads);
            std::printf("%8zu %8d %16.4f %16.4f %16.0f\n", batch, threads, t.processor, t.wall, 1e3 / t.wall);
            if (threads == 1) best = std::min(best, t.processor);
        }
    }
    std::printf("budget: 0.1 ms CPU a pulse at an error of 1e-6; measured %.4f ms\n", best);
    bool passed = best <= 0.1 && error <= 1e-6;
    if (count > 2) {
        double const other = std::atof(arguments[2]);
        std::printf("QuTiP in this run: %.2f ms; ratio %.0f (wanted 100)\n", other, other / best);
        passed = passed && other / best >= 100;
    }
    std::printf(passed ? "passed\n" : "FAILED\n");
    return passed ? 0 : 1;
}
