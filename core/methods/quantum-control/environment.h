// From an action to a pulse, and from what the pulse did to a reward (spec, "From action to pulse" and "Reward").
// No LibTorch.
#pragma once

#include "core/methods/quantum-control/signal.h"
#include "core/methods/quantum-control/simulate.h"

#include <map>

namespace orrery::methods::quantum_control {

struct ShapeSettings {
    int amplitude_window = 50, detuning_window = 25;  // knots
    double amplitude_deviation = 4, detuning_deviation = 4;
    bool fixed_endpoints = true;  // first and last amplitude 0, after smoothing
    bool reset_pulse = false;     // the transmon's own rule
};

struct RewardSettings {
    bool reset = false;  // the transmon's reward
    double fidelity_weight = 3;
    bool log_fidelity = true;
    double population_weight = 0.5;
    double area_weight = 0;
    double smooth_amplitude = 0.001, smooth_detuning = 0.001;
    double limit_weight = 0;  // of reaching the step limit, a penalty
    bool lowpass_amplitude = false, lowpass_detuning = false;
    double cutoff = 5;                 // as in the official settings: times 2 pi, against the number of knots
    bool swapped_baselines = false;    // official two-photon
    bool separate_smoothness = false;  // each control over its own baseline, as there; else the mean of a kind
    // transmon
    double reset_weight = 1.5, reset_smooth = 0.01, reset_ends = 1, deviation_weight = 50, invalid_penalty = 20;
    double most_deviation = 0.2;
};

struct Settings {
    ShapeSettings shape;
    RewardSettings reward;
    int most_steps = 0;  // adaptive steps a pulse may take; 0: no limit, fixed steps alone
};

// The settings of the paper for a preset, or of any other system.
[[nodiscard]] Settings default_settings(QuantumSystem const& system);
// Those a reference case's config names, over the defaults.
[[nodiscard]] Settings official_settings(QuantumSystem const& system, Json const& config);

struct Shaped {
    Pulse pulse;
    bool invalid = false;  // transmon: too far from the reference pulse, the drive was taken away
    double deviation = 0;  // mean |amplitude - reference|
    double smooth_difference = 0, ends = 0;
};

struct Outcome {
    double reward = 0, fidelity = 0;
    std::vector<double> populations;  // mean over the knots, one a watched group
    std::vector<double> areas;        // us rad/us, one an amplitude
    std::vector<double> smoothness;   // one a control
    double population_penalty = 0, area_penalty = 0, smoothness_penalty = 0, limit_penalty = 0;
    double reset_reward = 0, deviation_penalty = 0, ends_penalty = 0;  // transmon
};

class Environment {
public:
    // Errors: a window longer than the pulse, a negative limit penalty (it would reward reaching the limit).
    static Result<Environment> make(QuantumSystem system, Settings settings);

    [[nodiscard]] QuantumSystem const& system() const { return m_system; }
    [[nodiscard]] Settings const& settings() const { return m_settings; }
    [[nodiscard]] std::size_t action_size() const;
    // Controls in the order of an action: detunings, then amplitudes; for the transmon the amplitude first.
    [[nodiscard]] std::vector<std::size_t> action_order() const;
    // With `keep_invalid` a transmon's drive is not taken away where it deviates too far (for searches that cross
    // there).
    [[nodiscard]] Shaped shape(std::span<double const> action, bool keep_invalid = false) const;
    // `knots` of Trajectory are needed. Where `limit` the pulse counts as having done nothing.
    [[nodiscard]] Outcome judge(Shaped const& shaped, Program const& program, Trajectory const& trajectory,
                                bool limit) const;
    // Same parts of the reward for a pulse that was not made from an action.
    [[nodiscard]] Shaped measured(Pulse pulse) const;

    // Transmon: the moment at which a full drive has emptied it most, and the pulse that ends there.
    [[nodiscard]] double best_time() const { return m_best_time; }
    [[nodiscard]] std::vector<double> const& reference() const { return m_reference; }
    [[nodiscard]] Signal1 const& kernel(std::size_t control) const;

private:
    [[nodiscard]] double smoothness_of(std::size_t control, std::span<double const> y) const;
    [[nodiscard]] Shaped shape_reset(std::span<double const> action, bool keep_invalid) const;
    [[nodiscard]] Outcome judge_reset(Shaped const& shaped, Trajectory const& trajectory, bool limit) const;
    void find_baselines();
    Result<void> find_reference();
    [[nodiscard]] double spacing() const { return m_system.duration / (m_system.knots - 1); }

    QuantumSystem m_system;
    Settings m_settings;
    Signal1 m_amplitude_kernel, m_detuning_kernel;
    std::vector<double> m_smoothness_baseline, m_area_baseline;  // one a control
    double m_best_time = 0;
    std::vector<double> m_reference;
};

}  // namespace orrery::methods::quantum_control
