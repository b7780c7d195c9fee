#include "core/methods/quantum-control/schema.h"

#include "core/base/parameters.h"

namespace orrery::methods::quantum_control {

std::vector<VerbSchema> run_verbs();

namespace {

using namespace orrery::parameters;

using Type = ParameterType;

std::vector<std::string> pulse_patterns() { return {"*.csv", "*.npy", "*.npz", "*.json", "*.txt", "*.tsv"}; }

std::vector<Parameter> system_parameters() {
    return {
        choice(make("system", "System", Type::choice, "lambda5", "The system of the paper.", "System"),
               {{"lambda5", "Lambda, 5 levels"},
                {"lambda4", "Lambda, 4 levels"},
                {"rydberg1", "Rydberg CZ gate, one photon"},
                {"rydberg2", "Rydberg CZ gate, two photons"},
                {"transmon", "transmon reset"}}),
        file("system_file", "System file",
             "A system of your own (JSON or .npz), in place of the preset. See the help page.", "System", false,
             {"*.json", "*.npz"}),
        advanced(ranged(make("omega", "Largest amplitude", Type::real, Json(), "Empty: the preset's own.", "System"),
                        1e-6, 1e6, "MHz")),
        advanced(ranged(make("gamma", "Decay rate", Type::real, Json(),
                             "Empty: the preset's own. For the transmon in 1/us, else in MHz.", "System"),
                        0, 1e6)),
        advanced(ranged(make("duration", "Duration", Type::real, Json(), "Empty: the preset's own.", "System"), 1e-6,
                        1e6, "us")),
        advanced(ranged(make("delta_max", "Detuning scale", Type::real, Json(),
                             "Scale of detunings (Rydberg, transmon). Empty: the preset's own.", "System"),
                        0, 1e6, "MHz")),
        advanced(make("diagonal_detuning", "Diagonal detuning", Type::boolean, false,
                      "One-photon gate: the physical form, without the released code's off-diagonal pair.", "System")),
        advanced(ranged(make("knots", "Knots", Type::integer, Json(), "Empty: the preset's own.", "Pulse"), 4, 4096)),
        advanced(ranged(make("window", "Smoothing window", Type::integer, Json(),
                             "Knots; not more than the pulse has. Empty: the preset's own.", "Pulse"),
                        1, 4096)),
        advanced(ranged(make("smoothing", "Smoothing", Type::real, Json(),
                             "Standard deviation of the Gaussian, in knots. Empty: the preset's own.", "Pulse"),
                        0.01, 1000)),
        advanced(ranged(make("threads", "Threads", Type::integer, 0, "0: all cores. Results do not depend on it.", ""),
                        0, 256)),
    };
}

std::vector<Parameter> reward_parameters() {
    auto weight = [](char const* name, char const* label, char const* help) {
        return advanced(ranged(make(name, label, Type::real, Json(), help, "Reward"), 0, 1e6));
    };
    return {
        weight("fidelity_weight", "Fidelity weight", "Empty: the paper's for the system."),
        choice(advanced(make("log_fidelity", "Fidelity enters", Type::choice, "own", "As ln 1/(1-F), or F itself.",
                             "Reward")),
               {{"own", "as in the paper"}, {"log", "as ln 1/(1-F)"}, {"linear", "as F"}}),
        weight("population_weight", "Excited population weight", "Penalty on the mean population of excited levels."),
        weight("area_weight", "Area weight", "Penalty on the pulse area."),
        weight("smooth_weight", "Smoothness weight", "Penalty on rough pulses."),
        advanced(
            ranged(make("most_steps", "Step limit", Type::integer, Json(),
                        "Adaptive steps that a pulse may cost: the paper's limit of speed. Empty: none.", "Reward"),
                   0, 1000000)),
        weight("limit_weight", "Step limit weight", "Penalty for reaching the step limit."),
    };
}

std::vector<Parameter> noise_parameters(char const* own) {
    return {
        choice(make("noise", "Noise", Type::choice, own, "On every control.", "Noise"),
               {{"none", "none"},
                {"ou", "Ornstein-Uhlenbeck"},
                {"offset", "constant offset"},
                {"gauss", "constant offset, absolute value (as released)"},
                {"telegraph", "random telegraph"}}),
        ranged(make("noise_amplitude", "Noise of amplitudes", Type::real, 1.0, "Standard deviation.", "Noise"), 0, 1e5,
               "MHz"),
        ranged(make("noise_detuning", "Noise of detunings", Type::real, 1.0, "Standard deviation.", "Noise"), 0, 1e5,
               "MHz"),
    };
}

void append(std::vector<Parameter>& to, std::vector<Parameter> const& from) {
    to.insert(to.end(), from.begin(), from.end());
}

Parameter seed_parameter() {
    return ranged(make("seed", "Seed", Type::integer, 10, "The first; further ones follow.", ""), 0,
                  9007199254740991.0);
}

VerbSchema simulate_verb() {
    VerbSchema verb;
    verb.name = "simulate";
    verb.label = "Simulate pulse";
    verb.summary = "Fidelity and populations of a pulse, with its error.";
    verb.positional_files = true;
    verb.parameters = {
        file("pulse", "Pulse",
             "CSV or .npz with t_us and <control>_MHz, .npy [controls, knots] in MHz, JSON of a generator.", "", true,
             pulse_patterns())};
    append(verb.parameters, system_parameters());
    verb.parameters.push_back(
        ranged(make("rate", "Sample rate", Type::real, Json(), "Also write the pulse at a generator's rate.", "Export"),
               1e-3, 1e6, "MHz"));
    verb.outputs = {{"simulate.json", "json", "Fidelity, its error, for gates the process fidelity"},
                    {"populations.csv", "table", "Population of each level over time"},
                    {"populations.figure.json", "figure", "The same as curves"},
                    {"density.npy", "array", "Density matrix at the knots: complex [knot, level, level]"},
                    {"pulse.figure.json", "figure", "The pulse"},
                    {"pulse.npz", "array", "The pulse as arrays: t_us and <control>_MHz"},
                    {"density.json", "json", "At most 200 of them with levels and times, for views"},
                    {"pulse_resampled.csv", "table", "At the generator's rate, on request"},
                    {"pulse_resampled.npy", "array", "The same, [controls, samples] in MHz"},
                    {"pulse_generator.json", "json", "The same for a generator, on request"}};
    return verb;
}

VerbSchema optimize_verb() {
    VerbSchema verb;
    verb.name = "optimize";
    verb.label = "Optimize pulse";
    verb.summary = "Find a pulse by PPO, GRAPE or CRAB, several seeds side by side.";
    verb.resumable = true;
    verb.parameters = {
        choice(make("method", "Method", Type::choice, "ppo", "How the pulse is found.", ""),
               {{"ppo", "PPO"}, {"grape", "GRAPE"}, {"crab", "CRAB"}}),
        seed_parameter(),
        ranged(make("seeds", "Seeds", Type::integer, Json(),
                    "How many learners, or starts of a search. Empty: 1 for PPO, 5 for a search.", ""),
               1, 256),
        ranged(make("updates", "Updates", Type::integer, 600, "PPO: updates of each seed (the paper: 5000).", ""), 1,
               1000000),
        ranged(make("iterations", "Iterations", Type::integer, 3000, "GRAPE and CRAB: evaluations of each start.", ""),
               1, 10000000),
        ranged(make("detuning_bound", "Detuning bound", Type::real, Json(),
                    "Detunings are held within +- this; 0: amplitudes alone. Empty: PPO free; GRAPE and CRAB 0 for "
                    "the Lambda systems, else the generator's limit.",
                    ""),
               0, 1e6, "MHz")};
    append(verb.parameters, system_parameters());
    append(verb.parameters, reward_parameters());
    append(verb.parameters, noise_parameters("none"));
    append(
        verb.parameters,
        {advanced(ranged(make("environments", "Pulses an update", Type::integer, Json(),
                              "Empty: the paper's, 16 or 256 (transmon).", "PPO"),
                         4, 65536)),
         advanced(
             ranged(make("learning_rate", "Learning rate", Type::real, Json(), "Empty: the paper's.", "PPO"), 0, 1)),
         advanced(ranged(make("hidden", "Layer width", Type::integer, Json(), "Empty: the paper's.", "PPO"), 1, 4096)),
         advanced(ranged(make("sections", "Feedback sections", Type::integer, 1,
                              "More than 1: the pulse is given section by section, after an observation.", "PPO"),
                         1, 64)),
         choice(advanced(make("feedback_mode", "Feedback mode", Type::choice, "paper",
                              "With sections. As released, a section's values are repeated, the observed offset never "
                              "reaches the dynamics, and F itself is the reward.",
                              "PPO")),
                {{"paper", "as in the paper"}, {"official", "as released"}}),
         advanced(ranged(make("offset", "Observed offset", Type::real, 0.1,
                              "Largest relative amplitude offset that the feedback tells.", "PPO"),
                         0, 1)),
         choice(advanced(make("offset_law", "Law of the offset", Type::choice, "uniform", "Of the offset.", "PPO")),
                {{"uniform", "uniform"}, {"beta", "+-Beta(4, 0.7)"}})});
    verb.outputs = {{"best_pulse.csv", "table", "The best pulse"},
                    {"optimize.json", "json", "Fidelity of each seed, batched and refined"},
                    {"curves.csv", "table", "Reward and fidelity by round and seed"},
                    {"curves.figure.json", "figure", "1 - F of the best by pulses tried"},
                    {"pulse.figure.json", "figure", "The best pulse"},
                    {"populations.csv", "table", "Its populations"},
                    {"populations.figure.json", "figure", "The same as curves"},
                    {"policy.safetensors", "weights", "PPO: the policy under the official keys"}};
    return verb;
}

VerbSchema robust_verb() {
    VerbSchema verb;
    verb.name = "robust";
    verb.label = "Map robustness";
    verb.summary = "Fidelity of a pulse over two errors, and under noise.";
    verb.positional_files = true;
    verb.parameters = {file("pulse", "Pulse", "CSV, .npz, .npy or a generator's JSON.", "", true, pulse_patterns()),
                       file("pulse_b", "Second pulse", "To compare.", "", false, pulse_patterns()),
                       make("x", "Horizontal", Type::text, "amp:-0.1:0.1:65",
                            "What, from, to, number. amp, T, gamma: relative errors; det: offset in MHz.", ""),
                       make("y", "Vertical", Type::text, "det:-5:5:65", "As the horizontal one.", "")};
    append(verb.parameters, system_parameters());
    append(verb.parameters, noise_parameters("ou"));
    verb.parameters.push_back(
        ranged(make("draws", "Draws", Type::integer, 1000, "Of the noise.", "Noise"), 1, 1000000));
    verb.parameters.push_back(seed_parameter());
    verb.outputs = {{"robust.csv", "table", "Fidelity by both errors"},
                    {"robust.figure.json", "figure", "The same as a map"},
                    {"robust.npz", "array", "The same as an array: fidelity [y, x], x, y"},
                    {"noise.csv", "table", "Fidelity of each draw of the noise"},
                    {"noise_histogram.csv", "table", "Their number by fidelity"},
                    {"noise.figure.json", "figure", "Their histogram"},
                    {"robust.json", "json", "Worst and mean fidelity"}};
    return verb;
}

}  // namespace

std::vector<VerbSchema> run_verbs() { return {simulate_verb(), optimize_verb(), robust_verb()}; }

}  // namespace orrery::methods::quantum_control
