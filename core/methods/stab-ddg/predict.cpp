#include "core/methods/stab-ddg/predict.h"

#include "core/methods/stab-ddg/checkpoint_state.h"
#include "core/methods/stab-ddg/inputs.h"
#include "core/methods/stab-ddg/mutant_list.h"
#include "core/methods/stab-ddg/predict_output.h"
#include "core/methods/stab-ddg/sampling.h"

#include <algorithm>
#include <cmath>

namespace orrery::methods::stab_ddg {
namespace {

constexpr std::size_t names_a_message = 50;
constexpr std::size_t values_a_message = 100;

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }

class PredictJob {
public:
    PredictJob(Json const& parameters, JobContext& context)
        : m_parameters(parameters), m_context(context), m_report(report_of(parameters)) {}

    Result<JobResult> run() {
        ORRERY_TRY(m_weights, read_weights(m_context, m_parameters));
        m_report.zero_shot = m_weights.zero_shot;
        m_report.weights_name = m_weights.file_name;
        m_report.weights_sha256 = m_weights.sha256;
        ORRERY_TRY(m_complexes, read_mutant_list(m_parameters, m_context));
        for (ListedComplex const& complex : m_complexes) {
            ORRERY_CHECK(check_memory_for(complex.input, m_weights.neighbours, complex.name));
        }
        std::vector<std::string> hashes = {m_weights.sha256};
        for (ListedComplex const& complex : m_complexes) hashes.push_back(complex.identity);
        m_key = job_key("predict", m_parameters, hashes);
        for (ListedComplex const& complex : m_complexes) m_total_cost += cost(complex);
        std::optional<Json> saved = load_state(m_context, m_key);
        for (std::size_t c = 0; c < m_complexes.size(); ++c) {
            ORRERY_TRY(Sampler::Outcome outcome, run_complex(c, saved));
            if (outcome == Sampler::Outcome::finished) continue;
            ORRERY_CHECK(write(true));
            if (outcome == Sampler::Outcome::cancelled) return cancelled_error();
            return paused_error();
        }
        warn_if_all_equal();
        ORRERY_CHECK(write(false));
        m_result.values["mutants"] = static_cast<std::int64_t>(m_rows.size());
        m_result.values["complexes"] = static_cast<std::int64_t>(m_complexes.size());
        m_result.values["unit"] = m_report.unit();
        return m_result;
    }

private:
    static double cost(ListedComplex const& complex) {
        return static_cast<double>(complex.input.structures[0].length()) / 40 +
               static_cast<double>(complex.mutants.size());
    }

    Result<Sampler::Outcome> run_complex(std::size_t index, std::optional<Json> const& saved) {
        ListedComplex const& complex = m_complexes[index];
        DdgEngine engine(m_weights.network, complex.input, complex.changes, m_weights.neighbours, m_context.threads());
        SamplingPlan plan;
        plan.draws = m_report.draws;
        plan.adaptive = m_report.adaptive;
        plan.noise = m_report.noise;
        plan.seed = m_report.seed;
        plan.self_check = m_parameters.value("self_check", true);
        Sampler sampler(engine, complex.input, plan, {complex.mutants.size()}, m_context);
        double share = cost(complex) / m_total_cost;
        sampler.set_stage(m_complexes.size() > 1 ? complex.name : "", m_progress, m_progress + share);
        m_progress += share;
        if (saved && index < (*saved)["complexes"].size()) ORRERY_CHECK(sampler.restore((*saved)["complexes"][index]));
        announce(complex);
        std::size_t first_row = m_rows.size();
        auto gather = [&] {
            m_rows.resize(first_row);
            for (std::size_t m = 0; m < complex.mutants.size(); ++m) {
                m_rows.push_back({&complex, m, sampler.samples().estimate(m)});
            }
        };
        Sampler::Hooks hooks;
        hooks.draw_done = [&](int draw) {
            gather();
            live(complex, draw, first_row);
        };
        hooks.keep = [&] { keep(sampler); };
        ORRERY_TRY(Sampler::Outcome outcome, sampler.run(hooks));
        gather();
        if (outcome != Sampler::Outcome::finished) keep(sampler);
        m_finished.push_back(sampler.save());
        if (outcome == Sampler::Outcome::finished && m_parameters.value("profile", false)) {
            ORRERY_CHECK(profile(complex, engine));
        }
        return outcome;
    }

    void keep(Sampler const& sampler) {
        Json state = {{"complexes", m_finished}};
        state["complexes"].push_back(sampler.save());
        auto saved = save_state(m_context, m_key, state);
        if (!saved.ok()) m_context.warn(saved.error());
    }

    void announce(ListedComplex const& complex) {
        for (std::size_t first = 0; first < complex.mutants.size(); first += names_a_message) {
            Json message = {{"complex", complex.name},
                            {"first", first},
                            {"total", complex.mutants.size()},
                            {"author", Json::array()},
                            {"ordinal", Json::array()}};
            for (std::size_t m = first; m < std::min(first + names_a_message, complex.mutants.size()); ++m) {
                message["author"].push_back(complex.mutants[m].author);
                message["ordinal"].push_back(complex.mutants[m].ordinal);
            }
            m_context.update("mutants", message);
        }
    }

    void live(ListedComplex const& complex, int draw, std::size_t first_row) {
        for (std::size_t first = 0; first < complex.mutants.size(); first += values_a_message) {
            Json message = {{"complex", complex.name}, {"draw", draw},        {"first", first},
                            {"mean", Json::array()},   {"se", Json::array()}, {"n", Json::array()}};
            for (std::size_t m = first; m < std::min(first + values_a_message, complex.mutants.size()); ++m) {
                Estimate const& estimate = m_rows[first_row + m].estimate;
                message["mean"].push_back(number_or_null(m_report.reported(estimate.mean)));
                message["se"].push_back(number_or_null(rounded(estimate.standard_error)));
                message["n"].push_back(estimate.n);
            }
            m_context.update("estimates", message);
        }
        if (m_complexes.size() > 1 || complex.mutants.empty()) return;
        m_context.series("mean ddG of " + complex.mutants[0].author, draw + 1,
                         m_report.reported(m_rows[first_row].estimate.mean));
    }

    // The per-residue change of log-probability of every mutant, averaged over the draws, drawn again from the seed.
    Result<void> profile(ListedComplex const& complex, DdgEngine& engine) {
        DrawGenerator generator(m_report.seed);
        ProfileTable table(complex, m_report);
        for (int draw = 0; draw < m_report.draws; ++draw) {
            auto tick = [&] {
                return m_context.progress(m_progress, "profile, draw " + std::to_string(draw + 1)) != Signal::cancel;
            };
            if (!engine.prepare(generator.next(complex.input, m_report.noise), tick)) return cancelled_error();
            for (std::size_t m = 0; m < complex.mutants.size(); ++m) {
                table.add(m, engine);
                if (!tick()) return cancelled_error();
            }
        }
        m_profile += table.csv_rows(m_report.draws, m_profile.empty());
        return {};
    }

    void warn_if_all_equal() {
        bool equal = m_rows.size() > 1;
        for (PredictionRow const& row : m_rows) equal = equal && row.estimate.mean == m_rows[0].estimate.mean;
        if (!equal) return;
        m_context.warn(bad_input("all " + std::to_string(m_rows.size()) + " predictions are the same",
                                 "predictions.csv", "Check that the mutations are what you mean"));
    }

    Result<void> write(bool partial) {
        auto emit = [&](char const* name, char const* kind, char const* type,
                        std::string const& bytes) -> Result<void> {
            ORRERY_TRY(Artifact artifact, m_context.emit(name, kind, type, bytes, partial));
            m_result.artifacts.push_back(std::move(artifact));
            return {};
        };
        ORRERY_CHECK(emit("predictions.csv", "table", "text/csv", predictions_csv(m_rows, m_report)));
        Json summary = predictions_json(m_rows, m_report, m_result.values);
        ORRERY_CHECK(emit("predictions.json", "json", "application/json", summary.dump(2) + "\n"));
        std::optional<Figure> figure = measured_figure(m_rows, m_report);
        if (figure) {
            figure->provenance = m_context.provenance();
            ORRERY_CHECK(emit("measured.figure.json", "figure", "application/json", figure->to_json().dump()));
        }
        if (!m_profile.empty()) ORRERY_CHECK(emit("profile.csv", "table", "text/csv", m_profile));
        return {};
    }

    Json const& m_parameters;
    JobContext& m_context;
    Report m_report;
    FastWeights m_weights;
    std::vector<ListedComplex> m_complexes;
    std::string m_key;
    double m_total_cost = 0, m_progress = 0;
    Json m_finished = Json::array();
    std::vector<PredictionRow> m_rows;
    std::string m_profile;
    JobResult m_result;
};

}  // namespace

Result<JobResult> predict(Json const& parameters, JobContext& context) { return PredictJob(parameters, context).run(); }

}  // namespace orrery::methods::stab_ddg
