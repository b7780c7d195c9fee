#include "core/methods/stab-ddg/sampling.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>
#include <sstream>

namespace orrery::methods::stab_ddg {
namespace {

constexpr std::size_t check_every = 64;
constexpr double check_tolerance = 1e-4;
constexpr double adaptive_error = 0.1;
constexpr int adaptive_draws = 100;
constexpr auto keep_interval = std::chrono::seconds(20);

Json bytes_of(std::vector<MutantParts> const& values) {
    std::vector<std::uint8_t> bytes(values.size() * structure_count * sizeof(double));
    for (std::size_t m = 0; m < values.size(); ++m) {
        std::memcpy(bytes.data() + m * structure_count * sizeof(double), values[m].folding.data(),
                    structure_count * sizeof(double));
    }
    return Json::binary(std::move(bytes));
}

bool take(Json const& saved, std::vector<MutantParts>& values) {
    if (!saved.is_binary() || saved.get_binary().size() != values.size() * structure_count * sizeof(double))
        return false;
    for (std::size_t m = 0; m < values.size(); ++m) {
        std::memcpy(values[m].folding.data(), saved.get_binary().data() + m * structure_count * sizeof(double),
                    structure_count * sizeof(double));
    }
    return true;
}

}  // namespace

// What the threads of one draw count down: mutants left in each group, mutants done.
struct Sampler::Counters {
    explicit Counters(std::size_t groups) : left(groups) {}
    std::vector<std::atomic<std::size_t>> left;
    std::atomic<std::size_t> done{0};
};

Estimate Samples::estimate(std::size_t mutant) const {
    Estimate estimate;
    std::vector<MutantParts const*> values;
    for (auto const& draw : m_complete) values.push_back(&draw[mutant]);
    if (m_done[mutant] != 0) values.push_back(&m_current[mutant]);
    estimate.n = static_cast<int>(values.size());
    estimate.standard_error = std::numeric_limits<double>::quiet_NaN();
    if (values.empty()) {
        estimate.mean = std::numeric_limits<double>::quiet_NaN();
        estimate.parts.fill(estimate.mean);
        return estimate;
    }
    auto n = static_cast<double>(values.size());
    for (MutantParts const* value : values) {
        estimate.mean += value->binding() / n;
        for (std::size_t which = 0; which < structure_count; ++which)
            estimate.parts[which] += value->folding[which] / n;
    }
    if (values.size() > 1) {
        double squares = 0;
        for (MutantParts const* value : values)
            squares += (value->binding() - estimate.mean) * (value->binding() - estimate.mean);
        estimate.standard_error = std::sqrt(squares / (n - 1) / n);
    }
    return estimate;
}

std::vector<double> Samples::binding_of_draws(std::size_t mutant) const {
    std::vector<double> values;
    for (auto const& draw : m_complete) values.push_back(draw[mutant].binding());
    return values;
}

Sampler::Sampler(DdgEngine& engine, ComplexInput const& complex, SamplingPlan const& plan,
                 std::vector<std::size_t> group_ends, JobContext& context)
    : m_engine(engine),
      m_complex(complex),
      m_plan(plan),
      m_group_ends(std::move(group_ends)),
      m_context(context),
      m_samples(engine.mutants()),
      m_generator(plan.seed),
      m_state_at_draw(m_generator.state()) {
    for (std::size_t group = 0; group < m_group_ends.size(); ++group) m_group_of.resize(m_group_ends[group], group);
}

void Sampler::set_stage(std::string stage, double progress_from, double progress_to) {
    m_stage = std::move(stage);
    m_from = progress_from;
    m_to = progress_to;
}

bool Sampler::tick(int draw, Hooks const& hooks) {
    double draws = m_plan.adaptive ? std::max(m_plan.draws, adaptive_draws) : m_plan.draws;
    double within = 0;
    if (m_counters != nullptr) {
        within = static_cast<double>(m_counters->done.load(std::memory_order_relaxed)) /
                 static_cast<double>(std::max<std::size_t>(m_samples.mutants(), 1));
        while (m_next_group < m_group_ends.size() &&
               m_counters->left[m_next_group].load(std::memory_order_acquire) == 0) {
            if (hooks.group_done) hooks.group_done(draw, m_next_group);
            ++m_next_group;
        }
    }
    std::string stage = m_stage + (m_stage.empty() ? "" : ", ") + "draw " + std::to_string(draw + 1);
    if (!m_plan.adaptive) stage += " of " + std::to_string(m_plan.draws);
    double fraction = std::min(1.0, (draw + within) / draws);
    m_signal = m_context.progress(m_from + (m_to - m_from) * fraction, stage);
    return m_signal == Signal::go_on;
}

bool Sampler::precise_enough() const {
    for (std::size_t m = 0; m < m_samples.mutants(); ++m) {
        if (m_engine.changes(m).empty()) continue;
        Estimate estimate = m_samples.estimate(m);
        if (estimate.n < 2 || estimate.standard_error >= adaptive_error) return false;
    }
    return true;
}

// One mutant in 64, counted over all draws; from the second draw on at most one a draw, as a check costs as much as 6
// to 17 mutants (the whole graph over what a mutant reaches of it).
bool Sampler::checked(int draw, std::size_t mutant) const {
    if (!m_plan.self_check || m_engine.changes(mutant).empty()) return false;
    std::size_t before = static_cast<std::size_t>(draw) * m_samples.mutants();
    if ((before + mutant) % check_every != 0) return false;
    return draw == 0 || mutant < check_every;
}

Result<Sampler::Outcome> Sampler::run(Hooks const& hooks) {
    auto kept = std::chrono::steady_clock::now();
    auto stopped = [&] { return m_signal == Signal::pause ? Outcome::paused : Outcome::cancelled; };
    auto finished = [&] {
        int draws = m_samples.complete_draws();
        if (!m_plan.adaptive) return draws >= m_plan.draws;
        return draws >= std::max(m_plan.draws, adaptive_draws) || (draws >= m_plan.draws && precise_enough());
    };
    while (!finished()) {
        int draw = m_samples.complete_draws();
        m_counters = nullptr;
        ORRERY_CHECK(m_generator.restore(m_state_at_draw));
        ComplexDraw numbers = m_generator.next(m_complex, m_plan.noise);
        if (!m_engine.prepare(numbers, [&] { return tick(draw, hooks); })) return stopped();

        Counters counters(m_group_ends.size());
        m_counters = &counters;
        m_next_group = 0;
        std::vector<std::size_t> open;
        for (std::size_t m = 0; m < m_samples.mutants(); ++m) {
            if (m_samples.m_done[m] != 0)
                counters.done.fetch_add(1);
            else
                open.push_back(m);
        }
        for (std::size_t m : open) counters.left[m_group_of[m]].fetch_add(1);
        std::mutex failure_mutex;
        std::optional<Error> failure;
        auto body = [&](std::size_t item, int worker) {
            std::size_t m = open[item];
            MutantParts parts = m_engine.evaluate(m, worker);
            if (checked(draw, m)) {
                MutantParts again = m_engine.evaluate_from_scratch(m);
                for (std::size_t which = 0; which < structure_count; ++which) {
                    double difference = std::abs(again.folding[which] - parts.folding[which]);
                    if (difference < check_tolerance) continue;
                    std::ostringstream text;
                    text << "the incremental result of mutant " << m + 1 << " differs by " << difference
                         << " nats from full decoding";
                    std::lock_guard lock(failure_mutex);
                    failure = Error{ErrorKind::check_failed,
                                    text.str(),
                                    structure_names[which],
                                    "Please report this with the structure and weights",
                                    {},
                                    {}};
                }
            }
            m_samples.m_current[m] = parts;
            m_samples.m_done[m] = 1;
            counters.done.fetch_add(1, std::memory_order_relaxed);
            counters.left[m_group_of[m]].fetch_sub(1, std::memory_order_release);
        };
        auto failed = [&] {
            std::lock_guard lock(failure_mutex);
            return failure.has_value();
        };
        bool complete =
            parallel_for(open.size(), m_engine.threads(), body, [&] { return !failed() && tick(draw, hooks); });
        if (failure) {
            m_counters = nullptr;
            return *failure;
        }
        bool go_on = complete && tick(draw, hooks);  // announces the last groups
        m_counters = nullptr;
        if (!complete) return stopped();
        m_samples.m_complete.push_back(m_samples.m_current);
        std::fill(m_samples.m_done.begin(), m_samples.m_done.end(), std::uint8_t{0});
        m_state_at_draw = m_generator.state();
        if (hooks.draw_done) hooks.draw_done(draw);
        if (!go_on && !finished()) return stopped();
        if (hooks.keep && std::chrono::steady_clock::now() - kept > keep_interval) {
            hooks.keep();
            kept = std::chrono::steady_clock::now();
        }
    }
    return Outcome::finished;
}

Json Sampler::save() const {
    Json saved = Json::object();
    std::vector<std::uint8_t> state(m_state_at_draw.begin(), m_state_at_draw.end());
    saved["generator"] = Json::binary(std::move(state));
    saved["draws"] = Json::array();
    for (auto const& draw : m_samples.m_complete) saved["draws"].push_back(bytes_of(draw));
    saved["done"] = Json::binary(m_samples.m_done);
    saved["current"] = bytes_of(m_samples.m_current);
    return saved;
}

Result<void> Sampler::restore(Json const& saved) {
    Error damaged = bad_input("the checkpoint does not fit this job", {}, "Start the job anew");
    if (!saved.is_object() || !saved.contains("generator") || !saved.contains("draws") || !saved.contains("done") ||
        !saved.contains("current") || !saved["generator"].is_binary() || !saved["draws"].is_array() ||
        !saved["done"].is_binary()) {
        return damaged;
    }
    Samples samples(m_samples.mutants());
    for (Json const& draw : saved["draws"]) {
        std::vector<MutantParts> values(m_samples.mutants());
        if (!take(draw, values)) return damaged;
        samples.m_complete.push_back(std::move(values));
    }
    auto const& done = saved["done"].get_binary();
    if (done.size() != samples.m_done.size() || !take(saved["current"], samples.m_current)) return damaged;
    std::copy(done.begin(), done.end(), samples.m_done.begin());
    auto const& state = saved["generator"].get_binary();
    std::string text(state.begin(), state.end());
    ORRERY_CHECK(m_generator.restore(text));
    m_state_at_draw = text;
    m_samples = std::move(samples);
    return {};
}

}  // namespace orrery::methods::stab_ddg
