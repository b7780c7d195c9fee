#include "core/methods/stab-ddg/scan_output.h"

#include "core/base/table.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace orrery::methods::stab_ddg {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

Cell cell_of(double value) {
    if (!std::isfinite(value)) return std::monostate{};
    return rounded(value);
}

std::string matrix_name(ScanColumn const& column) { return column.key; }

// The exchange of a column that lowers the reported value most (row index), or -1.
int best_row(ScanResult const& result, ScanColumn const& column) {
    int best = -1;
    for (std::size_t row = 0; row < scan_rows.size(); ++row) {
        if (column.mutant[row] < 0) continue;
        double mean = result.value(column, row).mean;
        if (!std::isfinite(mean)) continue;
        if (best < 0 || mean < result.value(column, static_cast<std::size_t>(best)).mean) best = static_cast<int>(row);
    }
    return best;
}

}  // namespace

Json ScanColumn::to_json() const {
    return {{"chain", chain_name}, {"position", number}, {"key", key}, {"letter", std::string(1, letter)},
            {"label", label},      {"side", side}};
}

ScanResult::Value ScanResult::value(ScanColumn const& column, std::size_t row) const {
    if (column.mutant[row] < 0) return {0, 0, samples->complete_draws()};
    Estimate estimate = samples->estimate(static_cast<std::size_t>(column.mutant[row]));
    if (estimate.n == 0) return {missing, missing, 0};
    return {report->reported(estimate.mean), rounded(estimate.standard_error), estimate.n};
}

double ScanResult::column_mean(ScanColumn const& column) const {
    double sum = 0;
    int count = 0;
    for (std::size_t row = 0; row < scan_rows.size(); ++row) {
        double mean = value(column, row).mean;
        if (column.mutant[row] < 0 || !std::isfinite(mean)) continue;
        sum += mean;
        ++count;
    }
    return count == 0 ? missing : rounded(sum / count);
}

double ScanResult::column_maximum(ScanColumn const& column) const {
    double highest = missing;
    for (std::size_t row = 0; row < scan_rows.size(); ++row) {
        double mean = value(column, row).mean;
        if (column.mutant[row] < 0 || !std::isfinite(mean)) continue;
        highest = std::isfinite(highest) ? std::max(highest, mean) : mean;
    }
    return highest;
}

std::string scan_csv(ScanResult const& result) {
    Report const& report = *result.report;
    std::string unit = report.unit();
    auto real = [&](char const* name, char const* label, char const* help) {
        return Column{name, label, unit, ColumnType::real, 3, help};
    };
    std::vector<Column> columns = {
        {"chain", "chain", "", ColumnType::text, 0, ""},
        {"position", "position", "", ColumnType::text, 0, "author number and insertion code"},
        {"side", "side", "", ColumnType::integer, 0, ""},
        {"wild_type", "wild type", "", ColumnType::text, 0, ""},
        {"mutant", "mutant", "", ColumnType::text, 0, ""},
        {"mutation", "mutation", "", ColumnType::text, 0, "positions counted from 1 in each chain"},
        {"mutation_author", "mutation (author)", "", ColumnType::text, 0, ""},
        real("ddg_mean", "mean ddG", "mean over draws"),
        real("ddg_se", "s.e.", "standard error of the mean"),
        {"n", "draws", "", ColumnType::integer, 0, ""},
        real("ddg_complex", "complex", "part of the complex"),
        real("ddg_side1", "side 1", "part of side 1 alone"),
        real("ddg_side2", "side 2", "part of side 2 alone")};
    if (report.calibrated()) columns.push_back({"ddg_calibrated", "calibrated", "kcal/mol", ColumnType::real, 3, ""});
    Table table(columns);
    for (ScanColumn const& column : result.columns) {
        for (std::size_t row = 0; row < scan_rows.size(); ++row) {
            if (column.mutant[row] < 0) continue;
            auto index = static_cast<std::size_t>(column.mutant[row]);
            Estimate estimate = result.samples->estimate(index);
            double mean = report.reported(estimate.mean);
            std::vector<Cell> cells = {column.chain_name,
                                       column.number,
                                       std::int64_t{column.side},
                                       std::string(1, column.letter),
                                       std::string(1, scan_rows[row]),
                                       result.mutants[index].ordinal,
                                       result.mutants[index].author,
                                       cell_of(mean),
                                       cell_of(estimate.standard_error),
                                       std::int64_t{estimate.n}};
            for (double part : estimate.parts) cells.push_back(cell_of(report.reported(part)));
            if (report.calibrated()) cells.push_back(cell_of(report.calibrated_value(mean)));
            table.add_row(std::move(cells));
        }
    }
    return table.to_csv(report.comments());
}

std::string scan_matrix_csv(ScanResult const& result) {
    std::vector<Column> columns = {{"amino_acid", "amino acid", "", ColumnType::text, 0, ""}};
    for (ScanColumn const& column : result.columns) {
        columns.push_back({matrix_name(column), column.label, result.report->unit(), ColumnType::real, 3, ""});
    }
    Table table(columns);
    for (std::size_t row = 0; row < scan_rows.size(); ++row) {
        std::vector<Cell> cells = {std::string(1, scan_rows[row])};
        for (ScanColumn const& column : result.columns) cells.push_back(cell_of(result.value(column, row).mean));
        table.add_row(std::move(cells));
    }
    std::vector<std::string> comments = result.report->comments();
    comments.emplace_back("columns are chain:author number, rows are mutants, 0 is the wild type");
    return table.to_csv(comments);
}

Figure scan_figure(ScanResult const& result) {
    Report const& report = *result.report;
    HeatMap map;
    map.rows.title = "mutant";
    map.columns.title = "position (chain, wild type, author number)";
    map.value_title = report.value_title();
    map.value_unit = report.unit();
    for (std::size_t row = 0; row < scan_rows.size(); ++row) {
        map.rows.categories.emplace_back(1, scan_rows[row]);
        map.row_keys.emplace_back(1, scan_rows[row]);
        map.row_groups.push_back(scan_row_groups[row]);
    }
    Series mean, maximum;
    mean.name = "mean";
    maximum.name = "maximum";
    for (ScanColumn const& column : result.columns) {
        map.columns.categories.push_back(column.label);
        map.column_keys.push_back(column.key);
        map.column_groups.push_back(column.chain);
        mean.x.push_back(static_cast<double>(mean.x.size()));
        mean.y.push_back(result.column_mean(column));
        maximum.x.push_back(static_cast<double>(maximum.x.size()));
        maximum.y.push_back(result.column_maximum(column));
    }
    for (std::size_t row = 0; row < scan_rows.size(); ++row) {
        for (ScanColumn const& column : result.columns) {
            ScanResult::Value value = result.value(column, row);
            bool wild_type = column.mutant[row] < 0;
            bool unsure =
                !wild_type && std::isfinite(value.standard_error) && std::abs(value.mean) < 2 * value.standard_error;
            map.values.push_back(value.mean);
            map.errors.push_back(value.standard_error);
            map.marks.push_back(static_cast<std::uint8_t>((wild_type ? 1 : 0) | (unsure ? 2 : 0)));
        }
    }
    map.strips = {std::move(mean), std::move(maximum)};
    Figure figure;
    figure.title = result.backbone->name + " " + result.sides + ": " + report.value_title();
    figure.caption =
        std::string("StaB-ddG, mean of ") + count_of_draws(result.samples->complete_draws()) +
        (report.zero_shot ? ", zero-shot, nats" : "") +
        ". Dots: wild type. Hatched: |mean| below 2 standard errors. Above: mean and maximum of each position.";
    figure.content = std::move(map);
    return figure;
}

Json scan_summary(ScanResult const& result) {
    Json positions = Json::array();
    for (ScanColumn const& column : result.columns) {
        Json entry = column.to_json();
        double mean = result.column_mean(column);
        double maximum = result.column_maximum(column);
        if (std::isfinite(mean)) entry["mean"] = mean;
        if (std::isfinite(maximum)) entry["maximum"] = maximum;
        int best = best_row(result, column);
        if (best >= 0) {
            auto row = static_cast<std::size_t>(best);
            entry["lowest"] = {{"mutant", std::string(1, scan_rows[row])}, {"mean", result.value(column, row).mean}};
        }
        positions.push_back(std::move(entry));
    }
    return {{"complex", result.backbone->name + "_" + result.sides},
            {"structure_sha256", result.backbone->sha256},
            {"settings", result.report->to_json()},
            {"draws_complete", result.samples->complete_draws()},
            {"mutants", result.mutants.size()},
            {"positions", std::move(positions)}};
}

std::vector<double> residue_values(ScanResult const& result) {
    std::vector<double> values(result.backbone->structure.residues.size(), missing);
    for (ScanColumn const& column : result.columns) {
        BackboneChain const& chain = result.backbone->chains[static_cast<std::size_t>(column.chain)];
        std::int64_t residue = chain.residue[static_cast<std::size_t>(column.position)];
        if (residue >= 0) values[static_cast<std::size_t>(residue)] = result.column_mean(column);
    }
    return values;
}

}  // namespace orrery::methods::stab_ddg
