// The verb eval: benchmark metrics of every predictor of a table. Spec: "Evaluation".
#include "core/base/figure.h"
#include "core/base/nearest.h"
#include "core/base/number.h"
#include "core/base/table.h"
#include "core/methods/stab-ddg/metrics.h"
#include "core/methods/stab-ddg/tables.h"
#include "core/methods/stab-ddg/verbs_common.h"
#include "core/methods/stab-ddg/verbs_tables.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

namespace orrery::methods::stab_ddg {
namespace {

struct Line {
    std::string name;  // "flexddg", "flexddg without 1OGA_ABC_DE SE95A"
    std::string predictor;
    Metrics metrics;
};

std::string row_name(MutantRow const& row) { return row.complex + " " + row.mutation; }

class Evaluation {
public:
    Evaluation(MutantTable table, Json const& parameters, JobContext& context)
        : m_table(std::move(table)), m_parameters(parameters), m_context(context) {
        m_options.least_mutants = parameters.value("least_mutants", 10);
        m_options.bootstraps = parameters.value("bootstraps", 300);
        m_options.seed = parameters.value("seed", std::uint64_t{0});
    }

    Result<JobResult> run() {
        ORRERY_CHECK(choose_rows());
        ORRERY_CHECK(choose_predictors());
        ORRERY_CHECK(choose_excluded());
        std::string const sign = text_of(m_parameters, "prediction_sign");
        m_turn = sign == "weaker-positive" || (sign != "weaker-negative" && m_table.predictions_weaker_positive);
        for (std::size_t i = 0; i < m_predictors.size(); ++i) {
            double const fraction = static_cast<double>(i) / static_cast<double>(m_predictors.size());
            if (m_context.progress(fraction, "Evaluate " + m_table.predictors[m_predictors[i]]) == Signal::cancel)
                return cancelled_error();
            evaluate_predictor(m_predictors[i]);
        }
        return write();
    }

private:
    Result<void> choose_rows() {
        std::string const split = text_of(m_parameters, "split");
        bool const without_censored = m_parameters.value("without_censored", false);
        std::set<std::string> splits;
        int measured = 0, censored = 0;
        for (std::size_t i = 0; i < m_table.rows.size(); ++i) {
            MutantRow const& row = m_table.rows[i];
            if (!row.split.empty()) splits.insert(row.split);
            if (!row.ddg) continue;
            ++measured;
            if (!split.empty() && row.split != split) continue;
            if (without_censored && row.censored) {
                ++censored;
                continue;
            }
            m_rows.push_back(i);
        }
        if (measured == 0)
            return bad_input("the table has no measured ddG", m_table.file_name,
                             "Add a column ddG (kcal/mol, negative = weaker) or two of affinities", "table");
        if (m_rows.empty()) {
            std::vector<std::string> const known(splits.begin(), splits.end());
            return bad_input(
                "no row is left to evaluate", m_table.file_name,
                splits.empty() ? "The table has no column split" : "The column split has " + or_list(known), "split");
        }
        if (censored > 0) m_context.log(LogLevel::info, std::to_string(censored) + " limits left out");
        for (std::string const& note : m_table.notes) m_context.log(LogLevel::info, note);
        return {};
    }

    Result<void> choose_predictors() {
        auto const wanted = texts_of(m_parameters, "predictors");
        for (std::string const& name : wanted) {
            auto const at = std::find(m_table.predictors.begin(), m_table.predictors.end(), name);
            if (at == m_table.predictors.end())
                return bad_input("the table has no column of numbers \"" + name + "\"", m_table.file_name,
                                 m_table.predictors.empty() ? "It has none besides the measured ddG"
                                                            : "It has " + or_list(m_table.predictors),
                                 "predictors");
            m_predictors.push_back(static_cast<std::size_t>(at - m_table.predictors.begin()));
        }
        if (wanted.empty())
            for (std::size_t i = 0; i < m_table.predictors.size(); ++i) m_predictors.push_back(i);
        if (m_predictors.empty())
            return bad_input("the table has no column of predictions", m_table.file_name,
                             "Add one of numbers in kcal/mol, or run predict with this table as list", "table");
        return {};
    }

    Result<void> choose_excluded() {
        for (std::string const& wanted : texts_of(m_parameters, "exclude")) {
            bool found = false;
            for (std::size_t const row : m_rows)
                if (row_name(m_table.rows[row]) == wanted) {
                    m_excluded.insert(row);
                    found = true;
                }
            if (!found)
                return bad_input("no row is \"" + wanted + "\"", m_table.file_name,
                                 "Write complex, a blank, mutation: \"1OGA_ABC_DE SE95A\"", "exclude");
        }
        return {};
    }

    // Rows of `predictor`; those in `without` are left out.
    Measured collect(std::size_t predictor, std::set<std::size_t> const& without) const {
        Measured data;
        for (std::size_t const i : m_rows) {
            MutantRow const& row = m_table.rows[i];
            auto const value = row.predictions[predictor];
            if (value && !without.contains(i)) data.add(row.complex, *row.ddg, m_turn ? -*value : *value);
        }
        return data;
    }

    // Rows to report without: those the user names, and predictions beyond the outlier limit.
    [[nodiscard]] std::set<std::size_t> left_out(std::size_t predictor) const {
        double const outlier = m_parameters.value("outlier", 50.0);
        std::set<std::size_t> rows;
        for (std::size_t const i : m_rows) {
            auto const value = m_table.rows[i].predictions[predictor];
            if (value && (m_excluded.contains(i) || (outlier > 0 && std::abs(*value) > outlier))) rows.insert(i);
        }
        return rows;
    }

    void evaluate_predictor(std::size_t predictor) {
        std::string const& name = m_table.predictors[predictor];
        Measured const all = collect(predictor, {});
        if (all.size() == 0) {
            m_context.warn(bad_input("column " + name + " has no value in these rows", m_table.file_name));
            return;
        }
        m_lines.push_back({name, name, evaluate(all, m_options)});
        if (m_lines.back().metrics.pearson.value < -0.2)
            m_context.warn(bad_input(name + " falls where the measured ddG rises", m_table.file_name,
                                     "Its sign may be the other way round: see prediction_sign", "prediction_sign"));
        std::set<std::size_t> const without = left_out(predictor);
        if (without.empty()) return;
        std::string label = name + " without ";
        label +=
            without.size() == 1 ? row_name(m_table.rows[*without.begin()]) : std::to_string(without.size()) + " rows";
        m_lines.push_back({label, name, evaluate(collect(predictor, without), m_options)});
    }

    [[nodiscard]] Table table() const {
        Table table({{"predictor", "predictor", "", ColumnType::text, 0, "Column of predictions"},
                     {"n", "n", "", ColumnType::integer, 0, "Mutants"},
                     {"pearson", "Pearson", "", ColumnType::real, 4, "Correlation with the measured ddG"},
                     {"pearson_se", "s.e.", "", ColumnType::real, 4, "By cluster bootstrap over complexes"},
                     {"spearman", "Spearman", "", ColumnType::real, 4, "Rank correlation, ties share their rank"},
                     {"spearman_se", "s.e.", "", ColumnType::real, 4, "By cluster bootstrap over complexes"},
                     {"rmse", "RMSE", "kcal/mol", ColumnType::real, 4, "Root of the mean squared error"},
                     {"rmse_se", "s.e.", "kcal/mol", ColumnType::real, 4, "By cluster bootstrap over complexes"},
                     {"mae", "MAE", "kcal/mol", ColumnType::real, 4, "Mean absolute error"},
                     {"roc_auc", "AUROC", "", ColumnType::real, 4, "Weaker against not weaker"},
                     {"pr_auc", "PR AUC", "", ColumnType::real, 4, "Average precision of weaker"},
                     {"precision", "precision", "", ColumnType::real, 4, "Of mutants predicted weaker"},
                     {"recall", "recall", "", ColumnType::real, 4, "Of mutants measured weaker"},
                     {"structure_pearson", "per-structure Pearson", "", ColumnType::real, 4, "Mean over structures"},
                     {"structure_pearson_se", "s.e.", "", ColumnType::real, 4, "sd / sqrt(n) over structures"},
                     {"structure_spearman", "per-structure Spearman", "", ColumnType::real, 4, "Mean over structures"},
                     {"structure_spearman_se", "s.e.", "", ColumnType::real, 4, "sd / sqrt(n) over structures"},
                     {"structure_rmse", "per-structure RMSE", "kcal/mol", ColumnType::real, 4, "Mean over structures"},
                     {"structure_rmse_se", "s.e.", "kcal/mol", ColumnType::real, 4, "sd / sqrt(n) over structures"},
                     {"structures", "structures", "", ColumnType::integer, 0, "Complexes with enough mutants"}});
        for (Line const& line : m_lines) {
            Metrics const& m = line.metrics;
            std::vector<Cell> row = {line.name, std::int64_t{m.mutants}};
            auto const put = [&](double value) { row.push_back(std::isnan(value) ? Cell() : Cell(value)); };
            for (Value const& value : {m.pearson, m.spearman, m.rmse}) put(value.value), put(value.standard_error);
            for (Value const& value : {m.mae, m.roc_auc, m.pr_auc, m.precision, m.recall}) put(value.value);
            for (Value const& value : {m.structure_pearson, m.structure_spearman, m.structure_rmse})
                put(value.value), put(value.standard_error);
            row.emplace_back(std::int64_t{m.structures});
            table.add_row(std::move(row));
        }
        return table;
    }

    void log_table() const {
        char text[256];
        std::snprintf(text, sizeof text, "%-34s %5s %8s %8s %8s %8s %10s %10s %8s", "predictor", "n", "Pearson",
                      "Spearman", "RMSE", "AUROC", "s.Pearson", "s.Spearman", "s.RMSE");
        m_context.log(LogLevel::info, text);
        for (Line const& line : m_lines) {
            Metrics const& m = line.metrics;
            std::snprintf(text, sizeof text, "%-34s %5d %8.4f %8.4f %8.4f %8.4f %10.4f %10.4f %8.4f", line.name.c_str(),
                          m.mutants, m.pearson.value, m.spearman.value, m.rmse.value, m.roc_auc.value,
                          m.structure_pearson.value, m.structure_spearman.value, m.structure_rmse.value);
            m_context.log(LogLevel::info, text);
        }
        m_context.log(LogLevel::info,
                      "ddG in kcal/mol, negative = weaker binding; s. = mean over structures with at least " +
                          std::to_string(m_options.least_mutants) + " mutants");
    }

    [[nodiscard]] Json comparisons() const {
        Json list = Json::array();
        auto const test = [](TTest const& t) { return Json{{"t", json_real(t.t)}, {"p", json_real(t.p)}, {"n", t.n}}; };
        for (std::size_t a = 0; a < m_lines.size(); ++a)
            for (std::size_t b = a + 1; b < m_lines.size(); ++b) {
                if (m_lines[a].predictor == m_lines[b].predictor) continue;
                Comparison const c = compare(m_lines[a].metrics, m_lines[b].metrics);
                list.push_back({{"a", m_lines[a].name},
                                {"b", m_lines[b].name},
                                {"Per Structure Pearson", test(c.pearson)},
                                {"Per Structure Spearman", test(c.spearman)},
                                {"Per Structure RMSE", test(c.rmse)}});
            }
        return list;
    }

    [[nodiscard]] Figure figure() const {
        Figure figure;
        figure.title = "Predicted against measured";
        figure.caption = "ddG of binding, kcal/mol; negative = the mutant binds weaker.";
        XyPlot plot;
        plot.x = {.title = "measured ddG (negative = weaker)", .unit = "kcal/mol", .categories = {}};
        plot.y = {.title = "predicted ddG (negative = weaker)", .unit = "kcal/mol", .categories = {}};
        plot.identity_line = true;
        for (std::size_t const predictor : m_predictors) {
            Series series;
            series.name = m_table.predictors[predictor];
            // One point far off would press all others into a corner: it is told, not drawn.
            std::set<std::size_t> const without = left_out(predictor);
            for (std::size_t const i : m_rows) {
                MutantRow const& row = m_table.rows[i];
                auto const value = row.predictions[predictor];
                if (!value) continue;
                if (without.contains(i)) {
                    if (without.size() <= 3)
                        plot.notes.push_back("not drawn: " + series.name + " " + row_name(row) + ", " +
                                             number_text(std::round(*value * 10) / 10));
                    continue;
                }
                series.x.push_back(*row.ddg);
                series.y.push_back(m_turn ? -*value : *value);
                series.labels.push_back(row_name(row));
            }
            plot.series.push_back(std::move(series));
        }
        for (Line const& line : m_lines) {
            char text[160];
            std::snprintf(text, sizeof text, "%s: Pearson %.3f, Spearman %.3f, RMSE %.3f, n = %d", line.name.c_str(),
                          line.metrics.pearson.value, line.metrics.spearman.value, line.metrics.rmse.value,
                          line.metrics.mutants);
            plot.notes.emplace_back(text);
        }
        figure.content = std::move(plot);
        figure.provenance = m_context.provenance();
        return figure;
    }

    Result<JobResult> write() {
        JobResult result;
        log_table();
        Json json = {{"sign", "ddG in kcal/mol, negative = weaker binding"},
                     {"least_mutants_per_structure", m_options.least_mutants},
                     {"predictors", Json::object()},
                     {"paired_t_tests", comparisons()}};
        for (Line const& line : m_lines) {
            json["predictors"][line.name] = to_json(line.metrics);
            result.values[line.name + " Pearson"] = json_real(line.metrics.pearson.value);
            result.values[line.name + " RMSE"] = json_real(line.metrics.rmse.value);
        }
        ORRERY_CHECK(emit_json(m_context, result, "metrics.json", std::move(json)));
        ORRERY_CHECK(emit(m_context, result, "metrics.csv", "table", "text/csv",
                          table().to_csv({"ddG in kcal/mol, negative = weaker binding"})));
        ORRERY_CHECK(emit(m_context, result, "eval.figure.json", "figure", "application/json",
                          figure().to_json().dump() + "\n"));
        return result;
    }

    MutantTable m_table;
    Json const& m_parameters;
    JobContext& m_context;
    MetricsOptions m_options;
    bool m_turn = false;
    std::vector<std::size_t> m_rows, m_predictors;
    std::set<std::size_t> m_excluded;
    std::vector<Line> m_lines;
};

}  // namespace

Result<JobResult> run_eval(Json const& parameters, JobContext& context) {
    std::filesystem::path const path = text_of(parameters, "table");
    ORRERY_TRY(MutantTable table, read_mutant_table(path));
    ORRERY_CHECK(record_input(context, "table", path));
    return Evaluation(std::move(table), parameters, context).run();
}

}  // namespace orrery::methods::stab_ddg
