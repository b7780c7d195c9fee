// Averages over draws, with a live view of the groups (columns of a scan) as they are done, pause, cancel and resume.
#pragma once

#include "core/base/job.h"
#include "core/methods/stab-ddg/energies.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::methods::stab_ddg {

struct SamplingPlan {
    int draws = 20;
    bool adaptive = false;  // go on until every standard error is below 0.1, at most 100 draws
    double noise = 0.1;     // Å
    std::uint64_t seed = 0;
    bool self_check = true;
};

// Mean over draws, standard error sd / sqrt(n) (NaN for one draw), in nats; official sign until reported() turns it.
struct Estimate {
    double mean = 0, standard_error = 0;
    int n = 0;
    std::array<double, structure_count> parts{};  // means of the folding ddG of complex and sides
};

// Every draw's value of every mutant; nothing is lost in sums, so that a resumed run ends in the same bits.
class Samples {
public:
    explicit Samples(std::size_t mutants) : m_mutants(mutants), m_done(mutants, 0), m_current(mutants) {}
    [[nodiscard]] std::size_t mutants() const { return m_mutants; }
    [[nodiscard]] int complete_draws() const { return static_cast<int>(m_complete.size()); }
    // Over the complete draws, and the one under way where this mutant is done in it.
    [[nodiscard]] Estimate estimate(std::size_t mutant) const;
    [[nodiscard]] std::vector<double> binding_of_draws(std::size_t mutant) const;  // one a complete draw

private:
    friend class Sampler;
    std::size_t m_mutants;
    std::vector<std::vector<MutantParts>> m_complete;
    std::vector<std::uint8_t> m_done;
    std::vector<MutantParts> m_current;
};

class Sampler {
public:
    enum class Outcome { finished, paused, cancelled };
    struct Hooks {
        // All mutants of the group are done in this draw (0-based). In order of groups, on the calling thread.
        std::function<void(int draw, std::size_t group)> group_done;
        std::function<void(int draw)> draw_done;
        // Called now and then for safety, at a moment when save() is consistent.
        std::function<void()> keep;
    };

    // `group_ends`: increasing, the last one = number of mutants. `progress_from`..`progress_to` is this sampler's
    // share of the job's progress; `stage` is put before "draw 3 of 20".
    Sampler(DdgEngine& engine, ComplexInput const& complex, SamplingPlan const& plan,
            std::vector<std::size_t> group_ends, JobContext& context);
    void set_stage(std::string stage, double progress_from, double progress_to);

    // Goes on from where restore() or an earlier run() left off. An error of kind check_failed when a mutant computed
    // again from scratch differs by 1e-4 or more.
    Result<Outcome> run(Hooks const& hooks);

    [[nodiscard]] Samples const& samples() const { return m_samples; }
    [[nodiscard]] Json save() const;  // holds binary values
    Result<void> restore(Json const& saved);

private:
    bool tick(int draw, Hooks const& hooks);
    [[nodiscard]] bool precise_enough() const;
    [[nodiscard]] bool checked(int draw, std::size_t mutant) const;

    DdgEngine& m_engine;
    ComplexInput const& m_complex;
    SamplingPlan m_plan;
    std::vector<std::size_t> m_group_ends;
    JobContext& m_context;
    Samples m_samples;
    DrawGenerator m_generator;
    std::string m_state_at_draw;  // the generator's, before the draw under way
    std::string m_stage;
    double m_from = 0, m_to = 1;
    Signal m_signal = Signal::go_on;
    std::size_t m_next_group = 0;
    std::vector<std::size_t> m_group_of;
    struct Counters;
    Counters* m_counters = nullptr;  // of the draw under way
};

}  // namespace orrery::methods::stab_ddg
