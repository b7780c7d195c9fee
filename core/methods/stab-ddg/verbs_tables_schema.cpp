#include "core/methods/stab-ddg/verbs_tables_schema.h"

#include "core/base/parameters.h"
#include "core/methods/stab-ddg/schema_parts.h"
#include "core/methods/stab-ddg/skempi_unresolved.h"

namespace orrery::methods::stab_ddg {
namespace {

using namespace orrery::parameters;

Parameter table_parameter(std::string help) {
    Parameter parameter = make("table", "Table", ParameterType::file, Json(), std::move(help));
    parameter.required = true;
    parameter.patterns = {"*.csv", "*.tsv", "*.txt", "*.csv.gz"};
    return parameter;
}

VerbSchema read_verb() {
    VerbSchema verb;
    verb.name = "read";
    verb.label = "Read structure";
    verb.summary = "What the method sees of a structure file: chains, letters, gaps, incomplete residues, notes.";
    verb.positional_files = true;
    verb.parameters = {structure_parameter(true),
                       make("official", "Official reading", ParameterType::boolean, false,
                            "Read by the rules of the reference code instead of the default ones.", "Input"),
                       model_parameter(), assembly_parameter()};
    verb.outputs = {{"read.json", "json", "Chains as read, with a suggestion for the sides"}};
    return verb;
}

VerbSchema interface_verb() {
    VerbSchema verb;
    verb.name = "interface";
    verb.label = "Find interface";
    verb.summary = "Residues of the two sides with a heavy atom near the other side.";
    verb.positional_files = true;
    verb.parameters = {structure_parameter(true),
                       sides_parameter(),
                       ranged(make("cutoff", "Interface cut-off", ParameterType::real, 5.0,
                                   "Largest distance between heavy atoms, inclusive."),
                              1, 20, "Å", 0.5),
                       advanced(reading_parameter()),
                       model_parameter(),
                       assembly_parameter()};
    verb.outputs = {{"interface.csv", "table", "One row a residue: side, numbers, distance, contacts"},
                    {"interface.json", "json", "The two sets as selection keys"}};
    return verb;
}

VerbSchema eval_verb() {
    VerbSchema verb;
    verb.name = "eval";
    verb.label = "Evaluate";
    verb.summary = "Metrics of predicted against measured ddG of binding, overall and per structure.";
    verb.positional_files = true;
    Parameter sign = make("prediction_sign", "Sign of predictions", ParameterType::choice, "automatic",
                          "Measured values are negative when the mutant binds weaker, as in SKEMPI. Predictions may be "
                          "the other way round.",
                          "Input");
    sign.choices = {{"automatic", "by the table's kind (the official run script writes positive = weaker)"},
                    {"weaker-negative", "as the measurements: negative = weaker"},
                    {"weaker-positive", "positive = weaker; turned before comparing"}};
    verb.parameters = {
        table_parameter("Mutants with measured ddG and columns of predictions."),
        make("split", "Split", ParameterType::text, "",
             "Only rows whose column split has this value (test). Empty: all rows."),
        make("predictors", "Predictors", ParameterType::text_list, Json::array(),
             "Columns to evaluate. Empty: every column of numbers that is not bookkeeping."),
        make("exclude", "Rows to leave out", ParameterType::text_list, Json::array(),
             "Complex and mutation, like \"1OGA_ABC_DE SE95A\". Metrics are reported with and without them."),
        advanced(ranged(make("outlier", "Outlier", ParameterType::real, 50.0,
                             "Rows whose prediction is larger than this in size are reported with and without as well. "
                             "0: never.",
                             "Evaluation"),
                        0, 1e9, "kcal/mol")),
        make("without_censored", "Leave out limits", ParameterType::boolean, false,
             "Leave out measurements that are limits (>, <, no binding).", "Input"),
        sign,
        advanced(ranged(make("least_mutants", "Mutants per structure", ParameterType::integer, 10,
                             "Structures with fewer mutants don't count in the per-structure means.", "Evaluation"),
                        2, 100000, "", 1)),
        advanced(ranged(
            make("bootstraps", "Bootstraps", ParameterType::integer, 300,
                 "Resamplings over complexes for the standard errors of the overall metrics; 0: none.", "Evaluation"),
            0, 100000, "", 50)),
        advanced(ranged(make("seed", "Seed", ParameterType::integer, 0, "Seed of the bootstraps.", "Evaluation"), 0,
                        9007199254740991.0))};
    verb.outputs = {{"metrics.json", "json", "All metrics, per structure too, and paired tests"},
                    {"metrics.csv", "table", "One row a predictor"},
                    {"eval.figure.json", "figure", "Predicted against measured, a series a predictor"}};
    return verb;
}

VerbSchema skempi_verb() {
    VerbSchema verb;
    verb.name = "skempi-filter";
    verb.label = "Filter SKEMPI";
    verb.summary = "SKEMPI v2 through the benchmark's filter and its split by homology.";
    verb.positional_files = true;
    verb.parameters = {
        table_parameter("skempi_v2.csv as distributed."),
        make("unresolved", "Unresolved complexes", ParameterType::text_list, Json(published_unresolved()),
             "Complexes to drop because their structures have gaps in a chain. The default is the published list."),
        advanced(ranged(make("least_mutants", "Mutants per complex", ParameterType::integer, 3,
                             "Complexes with fewer are dropped.", "Filter"),
                        1, 100000, "", 1)),
        advanced(ranged(make("least_distinct", "Distinct values", ParameterType::real, 0.6,
                             "Complexes with a smaller share of distinct ddG values are dropped.", "Filter"),
                        0, 1, "", 0.05)),
        advanced(ranged(make("train_share", "Training share", ParameterType::real, 0.7,
                             "Share of the homology clusters that go to the training split.", "Split"),
                        0, 1, "", 0.05)),
        advanced(ranged(make("seed", "Seed", ParameterType::integer, 17,
                             "Seed of numpy's generator that shuffles the clusters.", "Split"),
                        0, 4294967295.0))};
    verb.outputs = {{"skempi_filter.json", "json", "How many rows each step drops"},
                    {"skempi_filtered.csv", "table", "The mutants that stay, with cluster and split"}};
    return verb;
}

}  // namespace

std::vector<VerbSchema> table_verbs() { return {read_verb(), interface_verb(), eval_verb(), skempi_verb()}; }

}  // namespace orrery::methods::stab_ddg
