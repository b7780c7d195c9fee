// GRAPE and CRAB: pulses from variables within the generator's bounds, through the same smoothing as the learner's.
// No LibTorch.
#pragma once

#include "core/base/parallel.h"
#include "core/base/random.h"
#include "core/methods/quantum-control/environment.h"
#include "core/methods/quantum-control/minimise.h"

namespace orrery::methods::quantum_control {

struct SearchSettings {
    double detuning_bound = 0;  // rad/us; 0: amplitudes alone
    int starts = 5;
    std::uint64_t seed = 10;
    int terms = 4;  // CRAB: random frequencies a control
};

// One variable a knot and control, in the order of the controls: amplitudes 0..1 of the largest, detunings in rad/us.
class KnotVariables {
public:
    KnotVariables(Environment const& environment, double detuning_bound);
    [[nodiscard]] std::size_t size() const { return m_lower.size(); }
    [[nodiscard]] std::vector<double> const& lower() const { return m_lower; }
    [[nodiscard]] std::vector<double> const& upper() const { return m_upper; }
    [[nodiscard]] Shaped shape(std::vector<double> const& variables, bool keep_invalid = false) const;
    // A transmon's deviation from its reference near and beyond the limit: 1000 (deviation - 0.95 limit)^2, its
    // gradient added. A wall that can be seen from afar, where "too far counts as nothing" ends every line search.
    double add_deviation_wall(Shaped const& shaped, std::vector<double>& gradient) const;
    // Of dF/d knot values, dF/d variables.
    [[nodiscard]] std::vector<double> pull_back(std::vector<std::vector<double>> const& by_knot) const;
    // Smooth random amplitudes and small detunings; for the transmon near its reference pulse.
    [[nodiscard]] std::vector<double> random_start(Random& random) const;

private:
    Environment const& m_environment;
    std::vector<double> m_lower, m_upper;
    std::vector<double> m_unit;  // by control: rad/us of a variable
};

// Several starts side by side; each advance() evaluates all that still search.
class Grape {
public:
    Grape(Environment const& environment, SearchSettings const& settings);
    // One evaluation of each start. Returns how many pulses were evaluated; 0: all have finished.
    // Where `tick` asks to stop, the searches not yet evaluated stay where they are.
    std::size_t advance(Simulator const& simulator, SimulationPlan const& plan, int threads, std::function<bool()> const& tick = {});
    [[nodiscard]] std::size_t starts() const { return m_searches.size(); }
    // Of the best pulse so far; a transmon's may be less by its wall.
    [[nodiscard]] double fidelity(std::size_t start) const { return 1 - m_searches[start].value(); }
    [[nodiscard]] int iterations(std::size_t start) const { return m_searches[start].iterations(); }
    [[nodiscard]] bool finished(std::size_t start) const { return m_searches[start].finished(); }
    [[nodiscard]] Shaped best(std::size_t start) const { return m_variables.shape(m_searches[start].best()); }
    [[nodiscard]] Json save() const;
    void restore(Json const& state);

private:
    KnotVariables m_variables;
    std::vector<BoundedLbfgs> m_searches;
};

// Chopped random basis: v(t) = guess + sum over random frequencies of a sin + b cos, by Nelder-Mead.
class Crab {
public:
    Crab(Environment const& environment, SearchSettings const& settings);
    std::size_t advance(Simulator const& simulator, SimulationPlan const& plan, int threads, std::function<bool()> const& tick = {});
    [[nodiscard]] std::size_t starts() const { return m_searches.size(); }
    [[nodiscard]] double fidelity(std::size_t start) const { return 1 - m_searches[start].value(); }
    [[nodiscard]] bool finished(std::size_t start) const { return m_searches[start].finished(); }
    [[nodiscard]] Shaped best(std::size_t start) const { return shape(start, m_searches[start].best()); }
    [[nodiscard]] Json save() const;
    void restore(Json const& state);

private:
    [[nodiscard]] Shaped shape(std::size_t start, std::vector<double> const& coefficients) const;

    Environment const& m_environment;
    KnotVariables m_variables;
    SearchSettings m_settings;
    std::vector<std::vector<double>> m_frequencies;  // by start: [control][term]
    std::vector<NelderMead> m_searches;
};

}  // namespace orrery::methods::quantum_control
