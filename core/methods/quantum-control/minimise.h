// Two minimisers that ask for a value and are told it, so that several can be evaluated side by side: limited-memory
// BFGS within bounds (projected line search on the free variables), and Nelder-Mead. No LibTorch.
#pragma once

#include "core/base/json.h"

#include <cstddef>
#include <deque>
#include <vector>

namespace orrery::methods::quantum_control {

class BoundedLbfgs {
public:
    BoundedLbfgs() = default;
    BoundedLbfgs(std::vector<double> start, std::vector<double> lower, std::vector<double> upper);
    // Where the function and its gradient are wanted next.
    [[nodiscard]] std::vector<double> const& point() const { return m_trial; }
    void tell(double value, std::vector<double> const& gradient);
    [[nodiscard]] bool finished() const { return m_finished; }
    [[nodiscard]] std::vector<double> const& best() const { return m_x; }
    [[nodiscard]] double value() const { return m_value; }
    [[nodiscard]] int iterations() const { return m_iterations; }
    [[nodiscard]] Json save() const;
    void restore(Json const& state);

private:
    struct Pair {
        std::vector<double> step, change;
    };
    void accept(double value, std::vector<double> const& gradient);
    void choose_direction();
    void try_step();
    [[nodiscard]] bool is_free(std::size_t i) const;

    std::vector<double> m_lower, m_upper, m_x, m_gradient, m_trial, m_direction;
    std::deque<Pair> m_memory;
    double m_value = 0, m_length = 1;
    int m_iterations = 0, m_tries = 0, m_stalled = 0;
    bool m_renewed = false;  // the memory was cleared since the last real progress
    bool m_started = false, m_finished = false;
};

class NelderMead {
public:
    NelderMead() = default;
    NelderMead(std::vector<double> start, double size);
    [[nodiscard]] std::vector<double> const& point() const { return m_trial; }
    void tell(double value);
    [[nodiscard]] bool finished() const { return m_finished; }
    [[nodiscard]] std::vector<double> const& best() const { return m_points[m_best]; }
    [[nodiscard]] double value() const { return m_values.empty() ? 1e300 : m_values[m_best]; }
    [[nodiscard]] Json save() const;
    void restore(Json const& state);

private:
    enum Stage { build, reflect, expand, contract, shrink };
    void begin_round();
    [[nodiscard]] std::vector<double> along(double factor) const;  // centroid + factor (centroid - worst)
    void replace_worst(std::vector<double> point, double value);

    std::vector<std::vector<double>> m_points;
    std::vector<double> m_values, m_trial, m_reflected, m_centroid;
    double m_reflected_value = 0;
    std::size_t m_best = 0, m_worst = 0, m_next = 0;
    int m_stage = build;
    bool m_finished = false;
};

}  // namespace orrery::methods::quantum_control
