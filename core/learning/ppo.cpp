#include "core/learning/ppo.h"

#include "core/learning/ppo_math.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace orrery::learning {
namespace {

constexpr double half_log_two_pi = 0.91893853320467274178;
enum PartIndex : std::size_t { kernel0, bias0, kernel1, bias1, kernel2, bias2, kernel3, bias3, log_std };

// rows x columns with orthonormal rows or columns (whichever are fewer), times `scale`: Gram-Schmidt, twice over.
void orthogonal(double* out, std::size_t rows, std::size_t columns, double scale, Random& random) {
    std::size_t const many = std::max(rows, columns), few = std::min(rows, columns);
    std::vector<double> basis(few * many);
    for (std::size_t k = 0; k < few; ++k) {
        double* v = basis.data() + k * many;
        for (std::size_t i = 0; i < many; ++i) v[i] = random.normal();
        for (int pass = 0; pass < 2; ++pass) {
            for (std::size_t j = 0; j < k; ++j)
                add_scaled(v, basis.data() + j * many, -dot(v, basis.data() + j * many, many), many);
            double const norm = std::sqrt(dot(v, v, many));
            for (std::size_t i = 0; i < many; ++i) v[i] /= norm;
        }
    }
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j)
            out[i * columns + j] = scale * (rows <= columns ? basis[i * many + j] : basis[j * many + i]);
}

void dense_layer(double const* x, std::size_t inputs, double const* kernel, double const* bias, std::size_t outputs,
                 double* y) {
    std::copy(bias, bias + outputs, y);
    for (std::size_t i = 0; i < inputs; ++i)
        if (x[i] != 0) add_scaled(y, kernel + i * outputs, x[i], outputs);
}

// Adds to the gradients of kernel and bias, and to by_input where it is not null.
void dense_back(double const* x, std::size_t inputs, double const* kernel, double const* by_output, std::size_t outputs,
                double* kernel_gradient, double* bias_gradient, double* by_input) {
    add_scaled(bias_gradient, by_output, 1, outputs);
    for (std::size_t i = 0; i < inputs; ++i) {
        if (x[i] != 0) add_scaled(kernel_gradient + i * outputs, by_output, x[i], outputs);
        if (by_input != nullptr) by_input[i] += dot(kernel + i * outputs, by_output, outputs);
    }
}

}  // namespace

PolicyNetwork::PolicyNetwork(std::size_t observations, std::size_t hidden, std::size_t actions)
    : m_observations(observations), m_hidden(hidden), m_actions(actions) {
    std::size_t offset = 0;
    auto add = [&](std::string name, std::size_t rows, std::size_t columns) {
        m_parts.push_back({"params/" + std::move(name), offset, rows, columns});
        offset += m_parts.back().size();
    };
    std::size_t const in[4] = {observations, hidden, hidden, hidden}, out[4] = {hidden, hidden, actions, 1};
    for (std::size_t k = 0; k < 4; ++k) {
        add("Dense_" + std::to_string(k) + "/kernel", in[k], out[k]);
        add("Dense_" + std::to_string(k) + "/bias", 0, out[k]);
    }
    add("log_std", 0, actions);
    m_values.assign(offset, 0.0);
}

void PolicyNetwork::initialise(Random& random) {
    std::fill(m_values.begin(), m_values.end(), 0.0);
    for (auto [part, scale] : {std::pair<std::size_t, double>{kernel0, std::sqrt(2.0)},
                               {kernel1, std::sqrt(2.0)},
                               {kernel2, 0.01},
                               {kernel3, 1.0}}) {
        orthogonal(m_values.data() + m_parts[part].offset, m_parts[part].rows, m_parts[part].columns, scale, random);
    }
}

void PolicyNetwork::forward(double const* observation, Activations& a) const {
    auto p = [&](std::size_t part) { return m_values.data() + m_parts[part].offset; };
    a.first.resize(m_hidden);
    a.second.resize(m_hidden);
    a.mean.resize(m_actions);
    dense_layer(observation, m_observations, p(kernel0), p(bias0), m_hidden, a.first.data());
    for (double& v : a.first) v = std::tanh(v);
    dense_layer(a.first.data(), m_hidden, p(kernel1), p(bias1), m_hidden, a.second.data());
    for (double& v : a.second) v = std::tanh(v);
    dense_layer(a.second.data(), m_hidden, p(kernel2), p(bias2), m_actions, a.mean.data());
    dense_layer(a.second.data(), m_hidden, p(kernel3), p(bias3), 1, &a.value);
}

void PolicyNetwork::backward(double const* observation, Activations const& a, double const* by_mean, double by_value,
                             std::vector<double>& gradient) const {
    auto p = [&](std::size_t part) { return m_values.data() + m_parts[part].offset; };
    auto g = [&](std::size_t part) { return gradient.data() + m_parts[part].offset; };
    std::vector<double> by_second(m_hidden, 0.0), by_first(m_hidden, 0.0);
    dense_back(a.second.data(), m_hidden, p(kernel2), by_mean, m_actions, g(kernel2), g(bias2), by_second.data());
    dense_back(a.second.data(), m_hidden, p(kernel3), &by_value, 1, g(kernel3), g(bias3), by_second.data());
    for (std::size_t i = 0; i < m_hidden; ++i) by_second[i] *= 1 - a.second[i] * a.second[i];
    dense_back(a.first.data(), m_hidden, p(kernel1), by_second.data(), m_hidden, g(kernel1), g(bias1), by_first.data());
    for (std::size_t i = 0; i < m_hidden; ++i) by_first[i] *= 1 - a.first[i] * a.first[i];
    dense_back(observation, m_observations, p(kernel0), by_first.data(), m_hidden, g(kernel0), g(bias0), nullptr);
}

namespace {

// Normal density of an action, factors independent.
double log_density(double const* action, double const* mean, double const* log_deviation, std::size_t count) {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        double const z = (action[i] - mean[i]) * std::exp(-log_deviation[i]);
        sum += -0.5 * z * z - log_deviation[i] - half_log_two_pi;
    }
    return sum;
}

// Rows with equal observations, evaluated once.
struct Shared {
    std::vector<std::size_t> group;  // by chosen row
    std::vector<std::size_t> row;    // a row of each group
    std::vector<PolicyNetwork::Activations> activations;
};

Shared evaluate_rows(PolicyNetwork const& network, std::vector<double> const& observations,
                     std::vector<std::size_t> const& chosen) {
    Shared shared;
    std::size_t const width = network.observations();
    auto same = [&](std::size_t a, std::size_t b) {
        return std::equal(observations.begin() + static_cast<std::ptrdiff_t>(a * width),
                          observations.begin() + static_cast<std::ptrdiff_t>((a + 1) * width),
                          observations.begin() + static_cast<std::ptrdiff_t>(b * width));
    };
    for (std::size_t row : chosen) {
        auto found = std::find_if(shared.row.begin(), shared.row.end(), [&](std::size_t r) { return same(r, row); });
        shared.group.push_back(static_cast<std::size_t>(found - shared.row.begin()));
        if (found == shared.row.end()) shared.row.push_back(row);
    }
    shared.activations.resize(shared.row.size());
    for (std::size_t k = 0; k < shared.row.size(); ++k) {
        network.forward(observations.data() + shared.row[k] * width, shared.activations[k]);
    }
    return shared;
}

}  // namespace

PpoLoss ppo_loss(PolicyNetwork const& network, PpoSamples const& samples, std::vector<std::size_t> const& chosen,
                 PpoSettings const& s, std::vector<double>& gradient) {
    std::size_t const actions = network.actions();
    double const count = static_cast<double>(chosen.size());
    double const* log_deviation = network.log_deviation();
    gradient.assign(network.values().size(), 0.0);
    double* by_log_deviation = gradient.data() + network.parts().back().offset;
    Shared shared = evaluate_rows(network, samples.observations, chosen);
    std::vector<std::vector<double>> by_mean(shared.row.size(), std::vector<double>(actions, 0.0));
    std::vector<double> by_value(shared.row.size(), 0.0);
    double mean = 0, square = 0;
    for (std::size_t row : chosen) mean += samples.advantage[row] / count;
    for (std::size_t row : chosen) square += std::pow(samples.advantage[row] - mean, 2) / count;
    PpoLoss loss;
    double const entropy =
        std::accumulate(log_deviation, log_deviation + actions, static_cast<double>(actions) * (0.5 + half_log_two_pi));
    for (std::size_t k = 0; k < chosen.size(); ++k) {
        std::size_t const row = chosen[k], group = shared.group[k];
        PolicyNetwork::Activations const& a = shared.activations[group];
        double const* action = samples.actions.data() + row * actions;
        double const probability = log_density(action, a.mean.data(), log_deviation, actions);
        double const advantage = (samples.advantage[row] - mean) / (std::sqrt(square) + 1e-8);
        double const ratio = std::exp(probability - samples.log_probability[row]);
        double const clipped = std::clamp(ratio, 1 - s.clip, 1 + s.clip);
        bool const free = ratio * advantage <= clipped * advantage;
        loss.actor -= (free ? ratio : clipped) * advantage / count;
        double const by_probability = free ? -ratio * advantage / count : 0;
        for (std::size_t i = 0; i < actions; ++i) {
            double const inverse = std::exp(-log_deviation[i]), z = (action[i] - a.mean[i]) * inverse;
            by_mean[group][i] += by_probability * z * inverse;
            by_log_deviation[i] += by_probability * (z * z - 1);
        }
        double const old = samples.value[row], target = samples.target[row];
        double const held = old + std::clamp(a.value - old, -s.clip, s.clip);
        double const plain = std::pow(a.value - target, 2), kept = std::pow(held - target, 2);
        loss.value += 0.5 * std::max(plain, kept) / count;
        double by = 0;
        if (plain >= kept) {
            by = a.value - target;
        } else if (std::abs(a.value - old) < s.clip) {
            by = held - target;
        }
        by_value[group] += s.value_weight * by / count;
        loss.log_probability.push_back(probability);
        loss.values.push_back(a.value);
        loss.entropy.push_back(entropy);
        loss.means.insert(loss.means.end(), a.mean.begin(), a.mean.end());
    }
    for (std::size_t i = 0; i < actions; ++i) by_log_deviation[i] -= s.entropy_weight;
    for (std::size_t g = 0; g < shared.row.size(); ++g) {
        network.backward(samples.observations.data() + shared.row[g] * network.observations(), shared.activations[g],
                         by_mean[g].data(), by_value[g], gradient);
    }
    loss.total = loss.actor + s.value_weight * loss.value - s.entropy_weight * entropy;
    return loss;
}

void adam_step(std::vector<double>& values, std::vector<double>& gradient, AdamState& state, double learning_rate,
               double largest_norm) {
    state.first.resize(values.size(), 0.0);
    state.second.resize(values.size(), 0.0);
    double const norm = std::sqrt(dot(gradient.data(), gradient.data(), gradient.size()));
    double const scale = norm < largest_norm ? 1.0 : largest_norm / norm;
    ++state.step;
    double const step = static_cast<double>(state.step);
    adam_row(values.data(), gradient.data(), state.first.data(), state.second.data(), values.size(), scale,
             learning_rate, 1 - std::pow(0.9, step), 1 - std::pow(0.999, step));
}

Ppo::Ppo(PpoSettings settings, std::uint64_t seed)
    : m_settings(settings), m_random(seed), m_network(settings.observations, settings.hidden, settings.actions) {
    m_network.initialise(m_random);
}

std::vector<double> const& Ppo::act(std::vector<double> const& observations) {
    std::size_t const width = m_settings.observations, first = m_samples.rows();
    m_samples.observations.insert(m_samples.observations.end(), observations.begin(), observations.end());
    std::vector<std::size_t> rows(observations.size() / width);
    std::iota(rows.begin(), rows.end(), first);
    Shared shared = evaluate_rows(m_network, m_samples.observations, rows);
    double const* log_deviation = m_network.log_deviation();
    m_actions.clear();
    for (std::size_t k = 0; k < rows.size(); ++k) {
        PolicyNetwork::Activations const& a = shared.activations[shared.group[k]];
        std::size_t const begin = m_actions.size();
        for (std::size_t i = 0; i < m_settings.actions; ++i) {
            m_actions.push_back(a.mean[i] + std::exp(log_deviation[i]) * m_random.normal());
        }
        m_samples.log_probability.push_back(
            log_density(m_actions.data() + begin, a.mean.data(), log_deviation, m_settings.actions));
        m_samples.value.push_back(a.value);
    }
    m_samples.actions.insert(m_samples.actions.end(), m_actions.begin(), m_actions.end());
    return m_actions;
}

void Ppo::reward(std::vector<double> const& rewards, bool done) {
    m_rewards.insert(m_rewards.end(), rewards.begin(), rewards.end());
    m_done.insert(m_done.end(), rewards.size(), done ? 1.0 : 0.0);
}

// Generalised advantages, backward over the steps; rows are [step][environment].
void Ppo::advantages(std::vector<double> const& last_values) {
    std::size_t const n = m_settings.environments, rows = m_samples.rows();
    m_samples.advantage.assign(rows, 0.0);
    m_samples.target.assign(rows, 0.0);
    std::vector<double> gathered(n, 0.0), next = last_values;
    for (std::size_t row = rows; row-- > 0;) {
        std::size_t const e = row % n;
        double const on = 1 - m_done[row];
        double const delta = m_rewards[row] + m_settings.gamma * next[e] * on - m_samples.value[row];
        gathered[e] = delta + m_settings.gamma * m_settings.lambda * on * gathered[e];
        m_samples.advantage[row] = gathered[e];
        m_samples.target[row] = gathered[e] + m_samples.value[row];
        next[e] = m_samples.value[row];
    }
}

bool Ppo::learn(std::vector<double> const& next, std::function<bool()> const& tick) {
    std::vector<double> last;
    for (std::size_t e = 0; e < m_settings.environments; ++e) {
        PolicyNetwork::Activations a;
        if (m_done.back() == 0) m_network.forward(next.data() + e * m_settings.observations, a);
        last.push_back(a.value);
    }
    advantages(last);
    std::size_t const rows = m_samples.rows(), size = rows / m_settings.minibatches;
    double rate = m_settings.learning_rate;
    if (m_settings.anneal) rate *= 1 - static_cast<double>(m_updates) / static_cast<double>(m_settings.updates);
    for (std::size_t epoch = 0; epoch < m_settings.epochs; ++epoch) {
        std::vector<std::size_t> order(rows);
        std::iota(order.begin(), order.end(), std::size_t{0});
        for (std::size_t i = rows; i > 1; --i) std::swap(order[i - 1], order[m_random.below(i)]);
        for (std::size_t b = 0; b < m_settings.minibatches; ++b) {
            std::vector<std::size_t> chosen(order.begin() + static_cast<std::ptrdiff_t>(b * size),
                                            order.begin() + static_cast<std::ptrdiff_t>((b + 1) * size));
            if (tick && !tick()) return false;
            m_loss = ppo_loss(m_network, m_samples, chosen, m_settings, m_gradient);
            adam_step(m_network.values(), m_gradient, m_adam, rate, m_settings.largest_norm);
        }
    }
    ++m_updates;
    m_samples = {};
    m_rewards.clear();
    m_done.clear();
    return true;
}

Ppo::State Ppo::state() const { return {m_network.values(), m_adam, m_random.state(), m_updates}; }

void Ppo::restore(State const& state) {
    m_network.values() = state.values;
    m_adam = state.adam;
    m_random.restore(state.random);
    m_updates = state.updates;
}

}  // namespace orrery::learning
