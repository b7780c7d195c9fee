// What an optimisation has done so far: one curve a seed, from live messages or from the run's curves.csv, and the figures
// made of them. No Qt.
#pragma once

#include "core/base/figure.h"
#include "core/base/result.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace orrery::panels::quantum_control {

// Points of one seed (PPO) or start (GRAPE, CRAB). `reward` and `mean` are NaN where the method has none.
struct SeedCurve {
    std::int64_t seed = 0;
    std::vector<double> evaluations;  // pulses tried by all seeds together
    std::vector<double> reward;       // mean over the pulses of the last update
    std::vector<double> mean;         // F, the same
    std::vector<double> best;         // F of the best pulse so far
};

class Curves {
public:
    void clear() { *this = Curves(); }
    // The message "round" of a running optimisation (core/methods/quantum-control/optimize_verb.cpp). Points are thinned
    // to about 2,000 a seed.
    void add_round(Json const& round);
    // What a run that is still going did before it was looked at (its stored series): goes before what came live.
    void add_history(std::vector<SeedCurve> const& history);
    static Result<Curves> from_csv(std::string_view csv, std::string const& file_name);

    [[nodiscard]] std::vector<SeedCurve> const& seeds() const { return m_seeds; }
    [[nodiscard]] bool empty() const { return m_seeds.empty() || m_seeds.front().evaluations.empty(); }
    [[nodiscard]] bool has_reward() const;
    [[nodiscard]] double evaluations() const;  // of the last point, 0 for none
    [[nodiscard]] double best() const;         // F, NaN for none

    // 1 - F, both axes logarithmic: each seed's best in pale, their mean, the best of all; for one seed the mean of the
    // update too.
    [[nodiscard]] Figure infidelity_figure() const;
    [[nodiscard]] Figure reward_figure() const;

private:
    std::vector<SeedCurve> m_seeds;
    std::size_t m_skip = 1, m_seen = 0;
    bool m_provisional = false;  // the last point is replaced by the next one
};

}  // namespace orrery::panels::quantum_control
