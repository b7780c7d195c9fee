#include "core/methods/quantum-control/setup.h"

#include "core/base/hash.h"
#include "core/base/number.h"
#include "core/base/table.h"
#include "core/methods/quantum-control/pulse_file.h"
#include "core/methods/quantum-control/system_file.h"

#include <algorithm>
#include <cmath>

namespace orrery::methods::quantum_control {
namespace {

Result<void> record(JobContext& context, std::string const& parameter, std::filesystem::path const& path) {
    ORRERY_TRY(std::string hash, sha256_file(path));
    std::error_code ignored;
    context.used_input({parameter, path.string(), hash, std::filesystem::file_size(path, ignored)});
    return {};
}

void take(Json const& parameters, char const* key, double& value) {
    if (parameters.contains(key)) value = parameters[key].get<double>();
}
void take(Json const& parameters, char const* key, int& value) {
    if (parameters.contains(key)) value = parameters[key].get<int>();
}

Result<QuantumSystem> system_of(Json const& parameters, JobContext& context) {
    std::string const file = parameters.value("system_file", std::string());
    if (!file.empty()) {
        ORRERY_CHECK(record(context, "system_file", file));
        return read_system(file);
    }
    PresetOptions options;
    take(parameters, "omega", options.omega);
    take(parameters, "gamma", options.gamma);
    take(parameters, "duration", options.duration);
    take(parameters, "delta_max", options.delta_max);
    options.diagonal_detuning = parameters.value("diagonal_detuning", false);
    return preset(parameters.value("system", std::string("lambda5")), options);
}

// Anything that may need other steps than the preset's own.
bool altered(Json const& parameters) {
    for (char const* key : {"omega", "gamma", "duration", "delta_max"})
        if (parameters.contains(key)) return true;
    return !parameters.value("system_file", std::string()).empty();
}

// Doubles the steps until F of pulses at the generator's limits no longer depends on them. Errors: none are enough.
Result<void> settle_steps(Program const& program, QuantumSystem& system) {
    constexpr double wanted = 2e-7;                                      // below the 1e-6 that every result promises
    int const most = std::min(1 << 14, (1 << 21) / (system.knots - 1));  // a knot interval; seconds of work
    std::vector<Pulse> pulses;
    for (int kind = 0; kind < 3; ++kind) {  // flat, waves, and waves of the other sign
        Pulse pulse = empty_pulse(system);
        for (std::size_t c = 0; c < pulse.values.size(); ++c) {
            Control const& control = system.controls[c];
            for (std::size_t k = 0; k < pulse.times.size(); ++k) {
                double const phase = 3 * two_pi * static_cast<double>(k + c) / static_cast<double>(pulse.times.size());
                double const share = kind == 0 ? 1 : 0.5 + (kind == 1 ? 0.5 : -0.5) * std::sin(phase);
                pulse.values[c][k] = control.lower + share * (control.upper - control.lower);
            }
        }
        pulses.push_back(std::move(pulse));
    }
    Simulator const simulator(program);
    SimulationPlan plan;
    plan.interpolation = system.interpolation;
    std::vector<Trajectory> coarse, fine;
    plan.steps = system.steps;
    simulator.run(pulses, {}, plan, 1, coarse);
    for (; plan.steps <= most; system.steps = plan.steps, coarse = fine) {
        plan.steps *= 2;
        simulator.run(pulses, {}, plan, 1, fine);
        double worst = 0;
        for (std::size_t k = 0; k < pulses.size(); ++k) {
            double const difference = std::abs(fine[k].fidelity - coarse[k].fidelity);
            worst = std::isfinite(difference) ? std::max(worst, difference) : 1;
        }
        if (worst <= wanted) return {};
    }
    return bad_input("the dynamics are too fast to be integrated: " + std::to_string(most) +
                         " steps a knot interval do not settle the fidelity",
                     system.name, "Give smaller frequencies, a shorter duration or more knots", "system_file");
}

}  // namespace

SimulationPlan Setup::plan() const {
    SimulationPlan plan;
    plan.steps = system().steps;
    plan.interpolation = system().interpolation;
    return plan;
}

SimulationPlan Setup::plan_for(Pulse const& pulse) const {
    double longest = 0;
    for (std::size_t k = 1; k < pulse.times.size(); ++k) {
        longest = std::max(longest, pulse.times[k] - pulse.times[k - 1]);
    }
    SimulationPlan out = plan();
    double const own = system().duration / (system().knots - 1);
    out.steps = static_cast<int>(std::clamp(std::ceil(out.steps * longest / own - 1e-6), 1.0, 1e6));
    return out;
}

Result<Setup> read_setup(Json const& parameters, JobContext& context) {
    ORRERY_TRY(QuantumSystem system, system_of(parameters, context));
    int const own_knots = system.knots;
    take(parameters, "knots", system.knots);
    // Equal steps in time, whatever the number of knots.
    system.steps = std::max(4, (system.steps * (own_knots - 1) + system.knots - 2) / (system.knots - 1));
    Settings settings = default_settings(system);
    ShapeSettings& shape = settings.shape;
    bool const own_window = !parameters.contains("window");
    if (own_window && system.knots != own_knots) {  // scaled with the pulse
        shape.amplitude_window = std::max(1, shape.amplitude_window * system.knots / own_knots);
        shape.detuning_window = std::max(1, shape.detuning_window * system.knots / own_knots);
    }
    if (own_window && !parameters.value("system_file", std::string()).empty()) {
        shape.amplitude_window = system.knots;
        shape.detuning_window = std::max(1, system.knots / 2);
    }
    take(parameters, "window", shape.amplitude_window);
    take(parameters, "window", shape.detuning_window);
    take(parameters, "smoothing", shape.amplitude_deviation);
    take(parameters, "smoothing", shape.detuning_deviation);
    RewardSettings& reward = settings.reward;
    take(parameters, "fidelity_weight", reward.fidelity_weight);
    take(parameters, "population_weight", reward.population_weight);
    take(parameters, "area_weight", reward.area_weight);
    take(parameters, "smooth_weight", reward.smooth_amplitude);
    take(parameters, "smooth_weight", reward.smooth_detuning);
    take(parameters, "limit_weight", reward.limit_weight);
    take(parameters, "most_steps", settings.most_steps);
    bool const as_released = parameters.value("feedback_mode", std::string("paper")) == "official";
    if (as_released && parameters.value("sections", 1) > 1) reward.log_fidelity = false;
    if (parameters.value("log_fidelity", std::string("own")) != "own") {
        reward.log_fidelity = parameters["log_fidelity"] == "log";
    }
    ORRERY_TRY(Program program, compile(system));
    if (altered(parameters)) ORRERY_CHECK(settle_steps(program, system));
    ORRERY_TRY(Environment environment, Environment::make(std::move(system), settings));
    return Setup{std::move(environment), std::move(program)};
}

Result<Pulse> read_pulse_parameter(Json const& parameters, char const* name, QuantumSystem const& system,
                                   JobContext& context) {
    std::filesystem::path const path = parameters.value(name, std::string());
    auto pulse = read_pulse(path, system);
    if (!pulse.ok()) {
        pulse.error().field = name;
        return std::move(pulse).error();
    }
    ORRERY_CHECK(record(context, name, path));
    return pulse;
}

NoiseSettings noise_of(Json const& parameters) {
    NoiseSettings noise;
    std::string const kind = parameters.value("noise", std::string("none"));
    if (kind == "gauss") noise.kind = NoiseKind::gauss;
    if (kind == "offset") noise.kind = NoiseKind::offset;
    if (kind == "ou") noise.kind = NoiseKind::ou;
    if (kind == "telegraph") noise.kind = NoiseKind::telegraph;
    noise.amplitude = two_pi * parameters.value("noise_amplitude", 1.0);
    noise.detuning = two_pi * parameters.value("noise_detuning", 1.0);
    return noise;
}

Trajectory refined(Setup const& setup, Pulse const& pulse) {
    AdaptivePlan plan;
    plan.method = AdaptiveMethod::dopri8;
    plan.relative = plan.absolute = 1e-11;
    plan.most_steps = 100000000;
    plan.stop_at_knots = true;
    plan.interpolation = setup.system().interpolation;
    return run_adaptive(setup.program, pulse, plan).trajectory;
}

namespace {

std::vector<std::vector<double>> populations(Setup const& setup, Trajectory const& trajectory) {
    auto const n = static_cast<std::size_t>(setup.program.components);
    std::vector<std::vector<double>> out;
    for (Form const& form : setup.program.populations) {
        std::vector<double> column;
        for (std::size_t k = 0; k * n < trajectory.knots.size(); ++k) {
            column.push_back(form.value(trajectory.knots.data() + k * n));
        }
        out.push_back(std::move(column));
    }
    return out;
}

}  // namespace

std::string populations_csv(Setup const& setup, Pulse const& pulse, Trajectory const& trajectory) {
    auto const columns = populations(setup, trajectory);
    std::string text = "t_us";
    for (std::string const& name : setup.system().level_names) text += "," + csv_field("population " + name);
    text += "\n";
    for (std::size_t k = 0; k < pulse.times.size(); ++k) {
        text += number_text(pulse.times[k]);
        for (auto const& column : columns) text += "," + number_text(column[k]);
        text += "\n";
    }
    return text;
}

Figure populations_figure(Setup const& setup, Pulse const& pulse, Trajectory const& trajectory) {
    Figure figure;
    figure.title = "Populations, " + setup.system().title;
    XyPlot plot;
    plot.kind = XyKind::line;
    plot.x.title = "time";
    plot.x.unit = "us";
    plot.y.title = "population";
    auto const columns = populations(setup, trajectory);
    for (std::size_t level = 0; level < columns.size(); ++level) {
        double most = 0;
        for (double v : columns[level]) most = std::max(most, v);
        if (most < 1e-6) continue;  // never there
        Series series;
        series.name = setup.system().level_names[level];
        series.x = pulse.times;
        series.y = columns[level];
        plot.series.push_back(std::move(series));
    }
    plot.notes = {"F = " + number_text(trajectory.fidelity)};
    figure.content = std::move(plot);
    return figure;
}

io::NumpyArray density_array(Setup const& setup, Trajectory const& trajectory) {
    auto const n = static_cast<std::size_t>(setup.program.components);
    auto const levels = static_cast<std::size_t>(setup.system().levels);
    io::NumpyArray array;
    array.shape = {trajectory.knots.size() / n, levels, levels};
    for (std::size_t k = 0; k < array.shape[0]; ++k) {
        for (Complex v : setup.program.density(trajectory.knots.data() + k * n)) {
            array.real.push_back(v.real());
            array.imaginary.push_back(v.imag());
        }
    }
    return array;
}

Figure pulse_figure(QuantumSystem const& system, Pulse const& pulse) {
    Figure figure;
    figure.title = "Pulse, " + system.title;
    XyPlot plot;
    plot.kind = XyKind::line;
    plot.x.title = "time";
    plot.x.unit = "us";
    plot.y.title = "control";
    plot.y.unit = "MHz";
    for (std::size_t c = 0; c < system.controls.size(); ++c) {
        Series series;
        series.name = system.controls[c].name;
        series.x = pulse.times;
        for (double v : pulse.values[c]) series.y.push_back(v / two_pi);
        plot.series.push_back(std::move(series));
    }
    figure.content = std::move(plot);
    return figure;
}

Json pulse_json(QuantumSystem const& system, Pulse const& pulse) {
    auto rounded = [](double v) { return std::round(v * 1e4) / 1e4; };
    Json values = Json::object(), times = Json::array();
    for (double t : pulse.times) times.push_back(rounded(t));
    for (std::size_t c = 0; c < system.controls.size(); ++c) {
        Json list = Json::array();
        for (double v : pulse.values[c]) list.push_back(rounded(v / two_pi));
        values[system.controls[c].name] = std::move(list);
    }
    return {{"t_us", std::move(times)}, {"values", std::move(values)}};
}

Json populations_json(Setup const& setup, Trajectory const& trajectory) {
    Json out = Json::object();
    auto const columns = populations(setup, trajectory);
    for (std::size_t level = 0; level < columns.size(); ++level) {
        Json list = Json::array();
        for (double v : columns[level]) list.push_back(std::round(v * 1e4) / 1e4);
        out[setup.system().level_names[level]] = std::move(list);
    }
    return out;
}

Result<void> emit_text(JobContext& context, JobResult& result, std::string const& name, char const* kind,
                       char const* type, std::string const& bytes, bool partial) {
    ORRERY_TRY(Artifact artifact, context.emit(name, kind, type, bytes, partial));
    result.artifacts.push_back(std::move(artifact));
    return {};
}

Result<void> emit_figure(JobContext& context, JobResult& result, std::string const& name, Figure figure, bool partial) {
    figure.provenance = context.provenance();
    return emit_text(context, result, name, "figure", "application/json", figure.to_json().dump(), partial);
}

}  // namespace orrery::methods::quantum_control
