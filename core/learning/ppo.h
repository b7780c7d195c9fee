// Proximal policy optimisation for any environment with real observations and actions: a small network of two tanh
// layers with a mean and a value on top, a free log standard deviation, clipped losses, generalised advantages, Adam.
// Knows no method, and includes no LibTorch. Formulas: Schulman et al., arXiv 1707.06347 (clipped loss, value clipped
// alike) and 1506.02438 (advantages, normalised a minibatch).
#pragma once

#include "core/base/random.h"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace orrery::learning {

struct PpoSettings {
    std::size_t observations = 1, actions = 1, hidden = 256;
    std::size_t environments = 16, steps = 1;  // of one update
    std::size_t epochs = 4, minibatches = 4;
    double learning_rate = 5e-4;
    bool anneal = false;  // linearly to 0 over `updates`
    std::size_t updates = 5000;
    double clip = 0.2, value_weight = 0.5, entropy_weight = 0, largest_norm = 0.5;
    double gamma = 0.99, lambda = 0.95;
};

// Parameters in one row, by the keys of the official checkpoints: params/Dense_0..3/kernel [in,out], bias,
// params/log_std. Dense_0 and Dense_1 are the body, Dense_2 the mean, Dense_3 the value.
class PolicyNetwork {
public:
    struct Part {
        std::string name;
        std::size_t offset = 0, rows = 0, columns = 0;  // rows 0: a vector
        [[nodiscard]] std::size_t size() const { return (rows == 0 ? 1 : rows) * columns; }
    };

    PolicyNetwork(std::size_t observations, std::size_t hidden, std::size_t actions);
    // Orthogonal kernels (body sqrt 2, mean 0.01, value 1), biases and log_std 0.
    void initialise(Random& random);

    [[nodiscard]] std::vector<Part> const& parts() const { return m_parts; }
    [[nodiscard]] std::vector<double>& values() { return m_values; }
    [[nodiscard]] std::vector<double> const& values() const { return m_values; }
    [[nodiscard]] std::size_t observations() const { return m_observations; }
    [[nodiscard]] std::size_t hidden() const { return m_hidden; }
    [[nodiscard]] std::size_t actions() const { return m_actions; }
    [[nodiscard]] double const* log_deviation() const { return m_values.data() + m_parts.back().offset; }

    struct Activations {
        std::vector<double> first, second, mean;
        double value = 0;
    };
    void forward(double const* observation, Activations& out) const;
    // Adds to `gradient` (as values()) what by_mean [actions] and by_value give.
    void backward(double const* observation, Activations const& a, double const* by_mean, double by_value,
                  std::vector<double>& gradient) const;

private:
    std::size_t m_observations, m_hidden, m_actions;
    std::vector<Part> m_parts;
    std::vector<double> m_values;
};

struct PpoSamples {                              // rows of equal length
    std::vector<double> observations, actions;   // [row][observation], [row][action]
    std::vector<double> log_probability, value;  // when acted
    std::vector<double> advantage, target;
    [[nodiscard]] std::size_t rows() const { return value.size(); }
};

struct PpoLoss {
    double total = 0, actor = 0, value = 0;
    std::vector<double> log_probability, values, entropy;  // by row
    std::vector<double> means;                             // [row][action]
};
// The loss of the rows `chosen` and its gradient (overwritten). Advantages are normalised over these rows. Equal
// observations go through the network once.
PpoLoss ppo_loss(PolicyNetwork const& network, PpoSamples const& samples, std::vector<std::size_t> const& chosen,
                 PpoSettings const& settings, std::vector<double>& gradient);

struct AdamState {
    std::vector<double> first, second;
    std::uint64_t step = 0;
};
// Clips the gradient to the norm, then one step of Adam (0.9, 0.999, eps 1e-5).
void adam_step(std::vector<double>& values, std::vector<double>& gradient, AdamState& state, double learning_rate,
               double largest_norm);

// One learner. act() gives the actions of a step for all environments; after settings.steps calls of act() and
// reward(), learn() makes an update.
class Ppo {
public:
    Ppo(PpoSettings settings, std::uint64_t seed);
    // observations [environment][observation] -> actions [environment][action].
    std::vector<double> const& act(std::vector<double> const& observations);
    // Of the actions just given; done ends an episode.
    void reward(std::vector<double> const& rewards, bool done);
    // `next` observations follow the last step (they matter where it was not the end of an episode). False when `tick`,
    // asked before each minibatch, wanted to stop: then the learner is half updated and only to be read.
    bool learn(std::vector<double> const& next, std::function<bool()> const& tick = {});

    [[nodiscard]] PolicyNetwork const& network() const { return m_network; }
    [[nodiscard]] std::size_t updates_done() const { return m_updates; }
    [[nodiscard]] PpoSettings const& settings() const { return m_settings; }
    [[nodiscard]] Random& random() { return m_random; }
    [[nodiscard]] PpoLoss const& last_loss() const { return m_loss; }

    // All that the next update depends on, between updates.
    struct State {
        std::vector<double> values;
        AdamState adam;
        std::array<std::uint64_t, 4> random{};
        std::uint64_t updates = 0;
    };
    [[nodiscard]] State state() const;
    void restore(State const& state);

private:
    void advantages(std::vector<double> const& last_values);

    PpoSettings m_settings;
    Random m_random;
    PolicyNetwork m_network;
    AdamState m_adam;
    std::size_t m_updates = 0;
    PpoSamples m_samples;
    std::vector<double> m_rewards, m_done, m_actions, m_gradient;
    PpoLoss m_loss;
};

}  // namespace orrery::learning
