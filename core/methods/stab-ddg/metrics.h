// The benchmark's metrics over complexes, with standard errors and tests. Spec: "Evaluation".
#pragma once

#include "core/base/json.h"
#include "core/methods/stab-ddg/statistics.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace orrery::methods::stab_ddg {

// Measured and predicted ddG of mutants, kcal/mol, both in table sign (negative = weaker binding).
struct Measured {
    std::vector<std::string> complex;
    std::vector<double> measured, predicted;
    [[nodiscard]] std::size_t size() const { return measured.size(); }
    void add(std::string name, double truth, double guess) {
        complex.push_back(std::move(name));
        measured.push_back(truth);
        predicted.push_back(guess);
    }
};

struct MetricsOptions {
    int least_mutants = 10;  // of a complex that counts in the per-structure means
    int bootstraps = 300;    // over complexes; 0: no standard errors of the overall metrics
    std::uint64_t seed = 0;
};

struct Value {
    double value = 0;
    double standard_error = 0;  // NaN if not asked for or not defined
};

struct Metrics {
    Value pearson, spearman, rmse, mae;        // overall
    Value roc_auc, pr_auc, precision, recall;  // of "weaker", score -predicted, decision predicted < 0
    Value structure_pearson, structure_spearman, structure_rmse;  // mean over complexes; s.e. = population sd / sqrt(n)
    int mutants = 0, complexes = 0, structures = 0;               // structures: complexes with enough mutants
    struct Structure {
        double pearson = 0, spearman = 0, rmse = 0;
        int mutants = 0;
    };
    std::map<std::string, Structure> by_structure;  // those with enough mutants
};
[[nodiscard]] Metrics evaluate(Measured const& data, MetricsOptions const& options = {});

// Paired t-tests of two predictors over the structures that both have.
struct Comparison {
    TTest pearson, spearman, rmse;
};
[[nodiscard]] Comparison compare(Metrics const& a, Metrics const& b);

// Keys as in the reference file: "Pearson", "Per Structure Pearson Standard Error", "ROC AUC", ...
[[nodiscard]] Json to_json(Metrics const& metrics);

}  // namespace orrery::methods::stab_ddg
