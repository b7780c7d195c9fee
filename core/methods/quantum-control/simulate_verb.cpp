#include "core/base/number.h"
#include "core/methods/quantum-control/process.h"
#include "core/methods/quantum-control/pulse_file.h"
#include "core/methods/quantum-control/setup.h"

#include <algorithm>
#include <cmath>

namespace orrery::methods::quantum_control {
namespace {

// Of most pulses a few hundred kB; a pulse of very many knots on a large system is told that it has none.
Result<void> emit_density(Setup const& setup, Trajectory const& trajectory, std::size_t knots, JobContext& context,
                          JobResult& result) {
    constexpr std::size_t most = std::size_t{1} << 22;  // 64 MiB
    auto const levels = static_cast<std::size_t>(setup.system().levels);
    if (knots * levels * levels > most) {
        context.warn(bad_input("the density matrices at " + std::to_string(knots) + " knots are too many to be written",
                               "density.npy", "Resample the pulse to fewer knots to see them"));
        return {};
    }
    return emit_text(context, result, "density.npy", "array", "application/octet-stream",
                     io::npy_bytes(density_array(setup, trajectory)));
}

// The same for views, with names and times and thinned: {levels, t_us: [...], re: [[row-major n x n], ...], im: [...]},
// rounded to 1e-6, at most about 200 moments (the first and the last among them).
std::string density_json(Setup const& setup, Pulse const& pulse, Trajectory const& trajectory) {
    constexpr std::size_t most = 200;
    auto const components = static_cast<std::size_t>(setup.program.components);
    std::size_t const knots = trajectory.knots.size() / components;
    std::size_t const every = std::max<std::size_t>(1, (knots + most - 1) / most);
    Json times = Json::array(), real = Json::array(), imaginary = Json::array();
    for (std::size_t k = 0; k < knots; ++k) {
        if (k % every != 0 && k + 1 != knots) continue;
        Json re = Json::array(), im = Json::array();
        for (Complex const& value : setup.program.density(trajectory.knots.data() + k * components)) {
            re.push_back(std::round(value.real() * 1e6) / 1e6);
            im.push_back(std::round(value.imag() * 1e6) / 1e6);
        }
        times.push_back(pulse.times[k]);
        real.push_back(std::move(re));
        imaginary.push_back(std::move(im));
    }
    return Json{{"levels", setup.system().level_names}, {"t_us", times}, {"re", real}, {"im", imaginary}}.dump();
}

}  // namespace

Result<JobResult> run_simulate(Json const& parameters, JobContext& context) {
    JobResult result;
    ORRERY_TRY(Setup setup, read_setup(parameters, context));
    QuantumSystem const& system = setup.system();
    ORRERY_TRY(Pulse pulse, read_pulse_parameter(parameters, "pulse", system, context));
    if (context.progress(0, "simulate") == Signal::cancel) return cancelled_error();
    SimulationPlan plan = setup.plan_for(pulse);
    Simulator const simulator(setup.program);
    double const once = simulator.run_one(pulse, plan).fidelity;
    plan.steps *= 2;
    double const twice = simulator.run_one(pulse, plan).fidelity;
    Trajectory const trajectory = refined(setup, pulse);
    if (context.progress(0.5, "write") == Signal::cancel) return cancelled_error();
    AdaptivePlan counted;
    counted.interpolation = system.interpolation;
    AdaptiveRun const budget = run_adaptive(setup.program, pulse, counted);
    result.values = {{"fidelity", trajectory.fidelity},
                     {"fidelity_batched", once},
                     {"error_estimate", std::abs(once - twice) * 16 / 15},
                     {"adaptive_steps", budget.steps}};
    if (!system.qubit_levels.empty()) {
        ORRERY_TRY(ProcessFidelity process, process_fidelity(system, pulse));
        result.values["process_fidelity"] = process.plain;
        result.values["process_fidelity_with_phases"] = process.phase_corrected;
    }
    ORRERY_CHECK(
        emit_text(context, result, "populations.csv", "table", "text/csv", populations_csv(setup, pulse, trajectory)));
    ORRERY_CHECK(emit_density(setup, trajectory, pulse.times.size(), context, result));
    ORRERY_CHECK(emit_figure(context, result, "populations.figure.json", populations_figure(setup, pulse, trajectory)));
    ORRERY_CHECK(emit_figure(context, result, "pulse.figure.json", pulse_figure(system, pulse)));
    ORRERY_TRY(std::string const arrays, io::npz_bytes(pulse_arrays(pulse, system)));
    ORRERY_CHECK(emit_text(context, result, "pulse.npz", "array", "application/zip", arrays));
    ORRERY_CHECK(emit_text(context, result, "density.json", "json", "application/json",
                           density_json(setup, pulse, trajectory)));
    if (parameters.contains("rate")) {
        double const rate = parameters["rate"].get<double>();
        Pulse const samples = resampled(pulse, system.interpolation, rate);
        if (samples.times.size() > 10000000)
            return bad_input("the rate gives more than 10 million samples", {}, {}, "rate");
        result.values["fidelity_resampled"] = refined(setup, samples).fidelity;
        ORRERY_CHECK(emit_text(context, result, "pulse_resampled.csv", "table", "text/csv",
                               pulse_csv(samples, system, {"resampled at " + number_text(rate) + " MHz"})));
        ORRERY_CHECK(emit_text(context, result, "pulse_resampled.npy", "array", "application/octet-stream",
                               io::npy_bytes(pulse_array(samples))));
        ORRERY_CHECK(emit_text(context, result, "pulse_generator.json", "json", "application/json",
                               generator_json(samples, system, rate).dump(1) + "\n"));
    }
    ORRERY_CHECK(emit_text(context, result, "simulate.json", "json", "application/json", result.values.dump(2) + "\n"));
    context.progress(1, "done");
    return result;
}

}  // namespace orrery::methods::quantum_control
