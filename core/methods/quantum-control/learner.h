// One learner of a quantum environment: PPO on whole pulses, or section by section with feedback. No LibTorch.
#pragma once

#include "core/learning/ppo.h"
#include "core/methods/quantum-control/feedback.h"
#include "core/methods/quantum-control/noise.h"

namespace orrery::methods::quantum_control {

using learning::PolicyNetwork;
using learning::Ppo;
using learning::PpoSettings;

struct LearnSettings {
    PpoSettings ppo;
    FeedbackSettings feedback;
    NoiseSettings noise;
    double detuning_bound = -1;  // rad/us; negative: free
    AdaptivePlan limit;          // most_steps 0: no step limit
};
// The paper's settings for a system; actions and observations filled in.
[[nodiscard]] LearnSettings learn_settings(Environment const& environment, FeedbackSettings const& feedback);

class Learner {
public:
    Learner(Environment const& environment, Program const& program, LearnSettings const& settings, std::uint64_t seed);

    struct Round {
        double reward_mean = 0, reward_best = 0, fidelity_mean = 0, fidelity_best = 0;
        double population_penalty = 0, area_penalty = 0, smoothness_penalty = 0, limit_penalty = 0;  // means
        double ends_penalty = 0, deviation_penalty = 0;                                              // transmon
    };
    // One update: pulses, rewards, learning. False when `tick` asked to stop: then nothing was learned of it, and the
    // learner is only to be read.
    bool update(Simulator const& simulator, SimulationPlan const& plan, int threads, std::function<bool()> const& tick);
    [[nodiscard]] Round const& last() const { return m_last; }
    [[nodiscard]] std::size_t updates() const { return m_ppo.updates_done(); }
    // The pulse of the largest reward so far, without its noise, and that reward.
    [[nodiscard]] Shaped const& best() const { return m_best; }
    [[nodiscard]] double best_reward() const { return m_best_reward; }
    [[nodiscard]] double best_fidelity() const { return m_best_fidelity; }
    // What the mean of the policy would do now (with feedback: for mu = 0).
    [[nodiscard]] Shaped mean_pulse() const;
    [[nodiscard]] PolicyNetwork const& network() const { return m_ppo.network(); }

    [[nodiscard]] Json save() const;
    void restore(Json const& state);

private:
    [[nodiscard]] Shaped shape(std::vector<double> action) const;

    Environment const& m_environment;
    Program const& m_program;
    LearnSettings m_settings;
    Ppo m_ppo;
    Round m_last;
    Shaped m_best;
    double m_best_reward = -1e300, m_best_fidelity = 0;
};

}  // namespace orrery::methods::quantum_control
