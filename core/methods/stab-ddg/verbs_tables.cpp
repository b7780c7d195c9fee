#include "core/methods/stab-ddg/verbs_tables.h"

#include "core/base/figure.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/nearest.h"
#include "core/base/number.h"
#include "core/base/table.h"
#include "core/methods/stab-ddg/complex.h"
#include "core/methods/stab-ddg/metrics.h"
#include "core/methods/stab-ddg/skempi_filter.h"
#include "core/methods/stab-ddg/tables.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <set>

namespace orrery::methods::stab_ddg {
namespace {

std::string text_of(Json const& parameters, char const* name) { return parameters.value(name, std::string{}); }

std::vector<std::string> texts_of(Json const& parameters, char const* name) {
    return parameters.value(name, std::vector<std::string>{});
}

Result<void> record_input(JobContext& context, char const* parameter, std::filesystem::path const& path) {
    ORRERY_TRY(std::string hash, sha256_file(path));
    std::error_code error;
    auto const bytes = std::filesystem::file_size(path, error);
    context.used_input({parameter, path.string(), std::move(hash), error ? 0 : bytes});
    return {};
}

Result<void> emit(JobContext& context, JobResult& result, char const* name, char const* kind, char const* media_type,
                  std::string const& bytes) {
    ORRERY_TRY(Artifact artifact, context.emit(name, kind, media_type, bytes));
    result.artifacts.push_back(std::move(artifact));
    return {};
}

Result<void> emit_json(JobContext& context, JobResult& result, char const* name, Json json) {
    json["provenance"] = context.provenance();
    return emit(context, result, name, "json", "application/json", json.dump(1) + "\n");
}

Result<Backbone> read_structure_parameter(Json const& parameters, ReadingMode mode, JobContext& context) {
    std::filesystem::path const path = text_of(parameters, "structure");
    ReadOptions options;
    options.mode = mode;
    options.model = parameters.value("model", 1);
    options.assembly = parameters.value("assembly", false);
    auto backbone = read_backbone(path, options);
    if (!backbone.ok() && backbone.error().field.empty()) backbone.error().field = "structure";
    if (!backbone.ok()) return std::move(backbone).error();
    ORRERY_CHECK(record_input(context, "structure", path));
    for (std::string const& note : backbone->notes)
        context.log(note.starts_with("warning: ") ? LogLevel::warning : LogLevel::info, note);
    return backbone;
}

// read

std::string residue_number(BackboneChain const& chain, std::size_t i) {
    std::string text = std::to_string(chain.number[i]);
    if (chain.insertion_code[i] != 0) text += chain.insertion_code[i];
    return text;
}

Json chain_json(Backbone const& backbone, BackboneChain const& chain) {
    Json numbers = Json::array(), names = Json::array(), invalid = Json::array(), gaps = Json::array();
    int valid = 0;
    for (std::size_t i = 0; i < chain.size(); ++i) {
        bool const complete =
            std::none_of(chain.backbone[i].begin(), chain.backbone[i].end(), [](float x) { return std::isnan(x); });
        valid += complete;
        if (!complete) invalid.push_back(i + 1);
        if (chain.residue[i] < 0) gaps.push_back(i + 1);
        numbers.push_back(residue_number(chain, i));
        names.push_back(chain.residue[i] < 0
                            ? Json()
                            : Json(backbone.structure.residues[static_cast<std::size_t>(chain.residue[i])].name));
    }
    return {{"name", chain.name},
            {"label", chain.label_name},
            {"sequence", chain.letters},
            {"length", chain.size()},
            {"valid", valid},
            {"author_numbers", numbers},
            {"residue_names", names},
            {"invalid_positions_1based", invalid},
            {"gap_positions_1based", gaps}};
}

// eval

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
        std::set<std::size_t> without = m_excluded;
        double const outlier = m_parameters.value("outlier", 50.0);
        for (std::size_t const i : m_rows) {
            auto const value = m_table.rows[i].predictions[predictor];
            if (outlier > 0 && value && std::abs(*value) > outlier) without.insert(i);
        }
        std::erase_if(without, [&](std::size_t i) { return !m_table.rows[i].predictions[predictor]; });
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
            for (std::size_t const i : m_rows) {
                MutantRow const& row = m_table.rows[i];
                auto const value = row.predictions[predictor];
                if (!value) continue;
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

Result<JobResult> run_read(Json const& parameters, JobContext& context) {
    bool const official = parameters.value("official", false);
    ORRERY_TRY(
        Backbone const backbone,
        read_structure_parameter(parameters, official ? ReadingMode::official : ReadingMode::automatic, context));
    JobResult result;
    Json chains = Json::array();
    for (BackboneChain const& chain : backbone.chains) {
        Json json = chain_json(backbone, chain);
        context.log(LogLevel::info, "chain " + chain.name + ": " + std::to_string(chain.size()) + " positions, " +
                                        std::to_string(json["gap_positions_1based"].size()) + " gaps, " +
                                        std::to_string(json["valid"].get<int>()) + " complete  " + chain.letters);
        chains.push_back(std::move(json));
    }
    Json json = {{"structure", backbone.name},
                 {"sha256", backbone.sha256},
                 {"reading", official ? "official" : "automatic"},
                 {"models", backbone.model_count},
                 {"has_assembly", backbone.has_assembly},
                 {"positions", backbone.positions()},
                 {"notes", backbone.notes},
                 {"chains", std::move(chains)}};
    if (auto const sides = suggest_sides(backbone)) json["suggested_sides"] = sides->text;
    result.values["chains"] = backbone.chains.size();
    result.values["positions"] = backbone.positions();
    context.log(LogLevel::info, "total " + std::to_string(backbone.positions()) + " positions");
    ORRERY_CHECK(emit_json(context, result, "read.json", std::move(json)));
    return result;
}

Result<JobResult> run_interface(Json const& parameters, JobContext& context) {
    bool const official = text_of(parameters, "reading") == "official";
    ORRERY_TRY(
        Backbone const backbone,
        read_structure_parameter(parameters, official ? ReadingMode::official : ReadingMode::automatic, context));
    std::string const wanted = text_of(parameters, "sides");
    ORRERY_TRY(Sides const sides, wanted.empty() ? suggest_sides(backbone) : parse_sides(backbone, wanted));
    if (wanted.empty()) context.log(LogLevel::info, "sides " + sides.text + ", suggested from the contacts");
    if (std::string const warning = touch_warning(backbone, sides); !warning.empty())
        context.warn(
            bad_input(warning, backbone.name, backbone.has_assembly ? "Read the biological assembly" : "", "sides"));
    double const cutoff = parameters.value("cutoff", 5.0);
    auto const positions = interface_positions(backbone, sides, cutoff);
    std::set<std::pair<int, int>> const chosen(positions.begin(), positions.end());
    Table table({{"side", "side", "", ColumnType::integer, 0, "1 or 2"},
                 {"chain", "chain", "", ColumnType::text, 0, "Author name"},
                 {"position", "position", "", ColumnType::integer, 0, "Ordinal in the chain as read"},
                 {"number", "number", "", ColumnType::text, 0, "Author number with insertion code"},
                 {"residue", "residue", "", ColumnType::text, 0, "Name in the file"},
                 {"distance", "distance", "Å", ColumnType::real, 2, "Nearest heavy atoms of the other side"},
                 {"contacts", "contacts", "", ColumnType::integer, 0, "Heavy-atom pairs within 5 Å"}});
    std::array<std::vector<std::string>, 2> keys;
    for (SideContact const& contact : side_contacts(backbone, sides, std::max(cutoff, 5.0))) {
        if (!chosen.contains({contact.chain, contact.position})) continue;
        BackboneChain const& chain = backbone.chains[static_cast<std::size_t>(contact.chain)];
        auto const at = static_cast<std::size_t>(contact.position);
        auto const residue = static_cast<std::size_t>(chain.residue[at]);
        bool const first = std::find(sides.side1.begin(), sides.side1.end(), contact.chain) != sides.side1.end();
        keys[first ? 0 : 1].push_back(backbone.structure.residue_key(residue));
        table.add_row({std::int64_t{first ? 1 : 2}, chain.name, std::int64_t{contact.position + 1},
                       residue_number(chain, at), backbone.structure.residues[residue].name, contact.distance,
                       std::int64_t{contact.contacts}});
    }
    JobResult result;
    context.log(LogLevel::info, std::to_string(positions.size()) + " positions within " + number_text(cutoff) +
                                    " Å: " + std::to_string(keys[0].size()) + " + " + std::to_string(keys[1].size()));
    result.values = {{"side1", keys[0].size()}, {"side2", keys[1].size()}};
    ORRERY_CHECK(emit(context, result, "interface.csv", "table", "text/csv", table.to_csv()));
    ORRERY_CHECK(emit_json(context, result, "interface.json",
                           {{"sides", sides.text}, {"cutoff", cutoff}, {"side1", keys[0]}, {"side2", keys[1]}}));
    return result;
}

Result<JobResult> run_eval(Json const& parameters, JobContext& context) {
    std::filesystem::path const path = text_of(parameters, "table");
    ORRERY_TRY(MutantTable table, read_mutant_table(path));
    ORRERY_CHECK(record_input(context, "table", path));
    return Evaluation(std::move(table), parameters, context).run();
}

Result<JobResult> run_skempi_filter(Json const& parameters, JobContext& context) {
    std::filesystem::path const path = text_of(parameters, "table");
    ORRERY_TRY(std::string const bytes, read_file(path));
    ORRERY_CHECK(record_input(context, "table", path));
    SkempiOptions options;
    if (parameters.contains("unresolved")) options.unresolved = texts_of(parameters, "unresolved");
    options.least_mutants = parameters.value("least_mutants", options.least_mutants);
    options.least_distinct = parameters.value("least_distinct", options.least_distinct);
    options.train_share = parameters.value("train_share", options.train_share);
    options.seed = parameters.value("seed", options.seed);
    ORRERY_TRY(SkempiResult const filtered, filter_skempi(bytes, path.filename().string(), options));
    Table table({{"#Pdb", "complex", "", ColumnType::text, 0, "Structure and sides"},
                 {"Mutation(s)_cleaned", "mutation", "", ColumnType::text, 0, "Ordinal numbering"},
                 {"Mutation(s)_PDB", "mutation (author)", "", ColumnType::text, 0, "Author numbering"},
                 {"ddG", "ddG", "kcal/mol", ColumnType::real, 3, "Measured; negative = weaker binding"},
                 {"cluster", "cluster", "", ColumnType::integer, 0, "Homology cluster"},
                 {"split", "split", "", ColumnType::text, 0, "train or test"},
                 {"limit", "limit", "", ColumnType::text, 0, "yes where an affinity is a limit"}});
    for (SkempiRow const& row : filtered.rows)
        table.add_row({row.complex, row.mutation, row.mutation_author, row.ddg, std::int64_t{row.cluster},
                       std::string(row.train ? "train" : "test"), std::string(row.censored ? "yes" : "no")});
    Json json = to_json(filtered);
    auto const count = [&](char const* name) { return std::to_string(json[name].get<int>()); };
    for (std::string const& line :
         {count("rows") + " rows, " + count("complexes") + " complexes",
          "without both affinities: " + count("dropped_no_affinity"), "repeats: " + count("dropped_duplicates"),
          "no interface residue: " + count("dropped_no_interface"),
          "complexes with few mutants: " + count("small_complexes") + " (" + count("small_rows") + " rows)",
          "repeated values: " + std::to_string(filtered.repetitive.size()) + " (" + count("repetitive_rows") + " rows)",
          "unresolved: " + std::to_string(filtered.unresolved.size()) + " (" + count("unresolved_rows") + " rows)",
          "left: " + count("final_complexes") + " complexes, " + count("final_rows") + " mutants"})
        context.log(LogLevel::info, line);
    for (auto const& [name, part] : {std::pair{"train", filtered.train}, std::pair{"test", filtered.test}})
        context.log(LogLevel::info, std::string(name) + ": " + std::to_string(part.clusters) + " clusters, " +
                                        std::to_string(part.complexes) + " complexes, " + std::to_string(part.rows) +
                                        " mutants");
    JobResult result;
    result.values = {{"final_rows", json["final_rows"]}, {"final_complexes", json["final_complexes"]}};
    ORRERY_CHECK(emit(context, result, "skempi_filtered.csv", "table", "text/csv", table.to_csv()));
    ORRERY_CHECK(emit_json(context, result, "skempi_filter.json", std::move(json)));
    return result;
}

}  // namespace orrery::methods::stab_ddg
