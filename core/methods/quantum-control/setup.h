// What the verbs have in common: system, environment and program from their parameters, figures of a pulse and of its
// populations. No LibTorch.
#pragma once

#include "core/base/figure.h"
#include "core/base/job.h"
#include "core/io/npy.h"
#include "core/methods/quantum-control/environment.h"
#include "core/methods/quantum-control/noise.h"

#include <filesystem>

namespace orrery::methods::quantum_control {

struct Setup {
    Environment environment;
    Program program;
    [[nodiscard]] QuantumSystem const& system() const { return environment.system(); }
    [[nodiscard]] SimulationPlan plan() const;
    // Steps in time as on the system's own grid, for a pulse with knots of its own.
    [[nodiscard]] SimulationPlan plan_for(Pulse const& pulse) const;
};
Result<Setup> read_setup(Json const& parameters, JobContext& context);
// The pulse in a file parameter; recorded for provenance.
Result<Pulse> read_pulse_parameter(Json const& parameters, char const* name, QuantumSystem const& system,
                                   JobContext& context);
[[nodiscard]] NoiseSettings noise_of(Json const& parameters);

// F by the adaptive method of order 8 at a tolerance of 1e-11, and the trajectory at the knots.
[[nodiscard]] Trajectory refined(Setup const& setup, Pulse const& pulse);

// Populations over time: one row a point, one column a level.
[[nodiscard]] std::string populations_csv(Setup const& setup, Pulse const& pulse, Trajectory const& trajectory);
[[nodiscard]] Figure populations_figure(Setup const& setup, Pulse const& pulse, Trajectory const& trajectory);
// rho at the knots, complex [knot, level, level].
[[nodiscard]] io::NumpyArray density_array(Setup const& setup, Trajectory const& trajectory);
[[nodiscard]] Figure pulse_figure(QuantumSystem const& system, Pulse const& pulse);
// Of a few kB, for live messages: {t_us, values: {control: [...]}} in MHz.
[[nodiscard]] Json pulse_json(QuantumSystem const& system, Pulse const& pulse);
[[nodiscard]] Json populations_json(Setup const& setup, Trajectory const& trajectory);

// Emits into the result.
Result<void> emit_text(JobContext& context, JobResult& result, std::string const& name, char const* kind,
                       char const* type, std::string const& bytes, bool partial = false);
Result<void> emit_figure(JobContext& context, JobResult& result, std::string const& name, Figure figure,
                         bool partial = false);

// simulate_verb.cpp, optimize_verb.cpp, robust_verb.cpp
Result<JobResult> run_simulate(Json const& parameters, JobContext& context);
Result<JobResult> run_optimize(Json const& parameters, JobContext& context);
Result<JobResult> run_robust(Json const& parameters, JobContext& context);

}  // namespace orrery::methods::quantum_control
