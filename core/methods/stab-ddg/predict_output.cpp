#include "core/methods/stab-ddg/predict_output.h"

#include "core/base/table.h"
#include "core/methods/stab-ddg/metrics.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace orrery::methods::stab_ddg {
namespace {

Cell cell_of(double value) {
    if (!std::isfinite(value)) return std::monostate{};
    return rounded(value);
}

Column real_column(std::string name, std::string label, std::string unit, std::string help) {
    return {std::move(name), std::move(label), std::move(unit), ColumnType::real, 3, std::move(help)};
}

bool any_measured(std::vector<PredictionRow> const& rows) {
    return std::any_of(rows.begin(), rows.end(),
                       [](PredictionRow const& row) { return row.complex->measured[row.mutant].has_value(); });
}

// Measured and predicted in the tables' sign; without the limits when `exact_only`.
Measured measured_of(std::vector<PredictionRow> const& rows, bool exact_only) {
    Measured data;
    for (PredictionRow const& row : rows) {
        std::optional<double> value = row.complex->measured[row.mutant];
        if (!value || row.estimate.n == 0 || (exact_only && row.complex->censored[row.mutant])) continue;
        data.add(row.complex->name, *value, row.estimate.mean);
    }
    return data;
}

std::string note(Metrics const& metrics) {
    auto text = [](double value) {
        char buffer[32];
        std::snprintf(buffer, sizeof buffer, "%.3f", value);
        return std::string(buffer);
    };
    return "Pearson " + text(metrics.pearson.value) + ", Spearman " + text(metrics.spearman.value) + ", RMSE " +
           text(metrics.rmse.value) + ", n = " + std::to_string(metrics.mutants);
}

}  // namespace

std::string predictions_csv(std::vector<PredictionRow> const& rows, Report const& report) {
    std::string unit = report.unit();
    std::vector<Column> columns = {
        {"complex", "complex", "", ColumnType::text, 0, ""},
        {"mutation", "mutation", "", ColumnType::text, 0, "positions counted from 1 in each chain"},
        {"mutation_author", "mutation (author)", "", ColumnType::text, 0, "the file's residue numbers"},
        real_column("ddg_mean", "mean ddG", unit, report.value_title()),
        real_column("ddg_se", "s.e.", unit, "standard error of the mean over draws"),
        {"n", "draws", "", ColumnType::integer, 0, ""},
        real_column("ddg_complex", "complex", unit, "part of the complex"),
        real_column("ddg_side1", "side 1", unit, "part of side 1 alone"),
        real_column("ddg_side2", "side 2", unit, "part of side 2 alone")};
    bool measured = any_measured(rows);
    if (report.calibrated())
        columns.push_back(real_column("ddg_calibrated", "calibrated", "kcal/mol", "slope x mean + intercept"));
    if (measured) {
        columns.push_back(real_column("ddg_measured", "measured", "kcal/mol", "turned to the sign of the predictions"));
        columns.push_back(
            {"measured_limit", "limit", "", ColumnType::integer, 0, "1: the measurement is only a limit"});
    }
    Table table(columns);
    for (PredictionRow const& row : rows) {
        Mutant const& mutant = row.complex->mutants[row.mutant];
        double mean = report.reported(row.estimate.mean);
        std::vector<Cell> cells = {row.complex->name,
                                   mutant.ordinal,
                                   mutant.author,
                                   cell_of(mean),
                                   cell_of(row.estimate.standard_error),
                                   std::int64_t{row.estimate.n}};
        for (double part : row.estimate.parts) cells.push_back(cell_of(report.reported(part)));
        if (report.calibrated()) cells.push_back(cell_of(report.calibrated_value(mean)));
        if (measured) {
            std::optional<double> value = row.complex->measured[row.mutant];
            Cell kcal, limit;
            if (value) {
                kcal = cell_of(report.reported(*value));
                limit = std::int64_t{row.complex->censored[row.mutant] ? 1 : 0};
            }
            cells.push_back(kcal);
            cells.push_back(limit);
        }
        table.add_row(std::move(cells));
    }
    return table.to_csv(report.comments());
}

Json predictions_json(std::vector<PredictionRow> const& rows, Report const& report, Json& values) {
    Json summary = {{"settings", report.to_json()}, {"mutants", rows.size()}};
    Measured exact = measured_of(rows, true);
    Measured all = measured_of(rows, false);
    if (exact.size() > 1) {
        Metrics metrics = evaluate(exact);
        summary["metrics"] = to_json(metrics);
        summary["metrics_note"] = "measurements that are only limits are left out";
        auto put = [&](char const* name, double value) {
            if (std::isfinite(value)) values[name] = value;
        };
        put("pearson", metrics.pearson.value);
        put("spearman", metrics.spearman.value);
        put("rmse", metrics.rmse.value);
    }
    if (all.size() > exact.size()) summary["metrics_with_limits"] = to_json(evaluate(all));
    return summary;
}

std::optional<Figure> measured_figure(std::vector<PredictionRow> const& rows, Report const& report) {
    Measured exact = measured_of(rows, true);
    if (!any_measured(rows)) return std::nullopt;
    XyPlot plot;
    plot.kind = XyKind::scatter;
    plot.identity_line = true;
    plot.x = {"measured ddG of binding (" + report.sign_text() + ")", "kcal/mol", {}, false, 0, 0};
    plot.y = {"predicted ddG of binding (" + report.sign_text() + ")", report.unit(), {}, false, 0, 0};
    std::map<std::string, Series> by_complex;
    for (PredictionRow const& row : rows) {
        std::optional<double> value = row.complex->measured[row.mutant];
        if (!value || row.estimate.n == 0) continue;
        bool limit = row.complex->censored[row.mutant];
        Series& series = by_complex[row.complex->name + (limit ? " (limits)" : "")];
        series.name = row.complex->name + (limit ? " (limits)" : "");
        series.x.push_back(report.reported(*value));
        series.y.push_back(report.reported(row.estimate.mean));
        series.error.push_back(std::isfinite(row.estimate.standard_error) ? rounded(row.estimate.standard_error) : 0.0);
        series.labels.push_back(row.complex->mutants[row.mutant].author);
        series.keys.push_back(row.complex->first_residue[row.mutant]);
    }
    for (auto& [name, series] : by_complex) plot.series.push_back(std::move(series));
    if (exact.size() > 1) plot.notes.push_back(note(evaluate(exact, {10, 0, 0})));
    if (report.zero_shot) plot.notes.push_back("zero-shot, nats: not calibrated to kcal/mol");
    Figure figure;
    figure.title = "Predicted against measured ddG of binding";
    figure.caption =
        "StaB-ddG, mean of " + count_of_draws(report.draws) + " with standard errors. " + report.sign_text() + ".";
    figure.content = std::move(plot);
    return figure;
}

ProfileTable::ProfileTable(ListedComplex const& complex, Report const& report)
    : m_complex(complex), m_report(report), m_sums(complex.mutants.size()) {
    for (std::size_t m = 0; m < m_sums.size(); ++m) {
        for (std::size_t which = 0; which < structure_count; ++which) {
            if (complex.changes[m].structures[which].empty()) continue;
            m_sums[m][which].assign(complex.input.structures[which].length(), 0.0);
        }
    }
}

void ProfileTable::add(std::size_t mutant, DdgEngine& engine) { engine.evaluate(mutant, 0, &m_sums[mutant]); }

std::string ProfileTable::csv_rows(int draws, bool with_header) const {
    Table table(
        {{"complex", "complex", "", ColumnType::text, 0, ""},
         {"mutation_author", "mutation", "", ColumnType::text, 0, ""},
         {"structure", "structure", "", ColumnType::text, 0, "complex, side 1 or side 2"},
         {"residue", "residue", "", ColumnType::text, 0, "chain:number"},
         real_column("change", "change", m_report.unit(), "of the residue's log-probability, mutant - wild type")});
    for (std::size_t m = 0; m < m_sums.size(); ++m) {
        for (std::size_t which = 0; which < structure_count; ++which) {
            for (std::size_t i = 0; i < m_sums[m][which].size(); ++i) {
                if (m_sums[m][which][i] == 0) continue;
                table.add_row({m_complex.name, m_complex.mutants[m].author, std::string(structure_names[which]),
                               m_complex.position_keys[which][i], cell_of(m_sums[m][which][i] / draws)});
            }
        }
    }
    std::vector<std::string> comments = {
        "change of log-probability, nats, mutant - wild type, mean over draws; positive = the "
        "residue fits better (official sign, not flipped)"};
    std::string text = table.to_csv(with_header ? comments : std::vector<std::string>{});
    if (!with_header) text.erase(0, text.find('\n') + 1);
    return text;
}

}  // namespace orrery::methods::stab_ddg
