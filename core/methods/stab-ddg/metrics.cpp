#include "core/methods/stab-ddg/metrics.h"

#include "core/base/number.h"

#include <array>
#include <cmath>
#include <limits>
#include <random>

namespace orrery::methods::stab_ddg {
namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t overall_count = 8;
constexpr std::array<Value Metrics::*, overall_count> overall_values = {
    &Metrics::pearson, &Metrics::spearman, &Metrics::rmse,      &Metrics::mae,
    &Metrics::roc_auc, &Metrics::pr_auc,   &Metrics::precision, &Metrics::recall};

std::array<double, overall_count> overall(std::vector<double> const& measured, std::vector<double> const& predicted) {
    std::vector<bool> weaker(measured.size());
    std::vector<double> score(measured.size());
    double hits = 0, called = 0, actual = 0;
    for (std::size_t i = 0; i < measured.size(); ++i) {
        weaker[i] = measured[i] < 0;
        score[i] = -predicted[i];
        bool const call = predicted[i] < 0;
        called += call;
        actual += weaker[i];
        hits += call && weaker[i];
    }
    return {pearson(measured, predicted),
            spearman(measured, predicted),
            rmse(measured, predicted),
            mae(measured, predicted),
            roc_auc(weaker, score),
            average_precision(weaker, score),
            called > 0 ? hits / called : undefined,
            actual > 0 ? hits / actual : undefined};
}

// Uniform in 0..count-1 from 64 random bits, the same on every machine (the standard's distributions are not).
std::size_t draw_below(std::mt19937_64& random, std::size_t count) {
    std::uint64_t const limit = std::numeric_limits<std::uint64_t>::max() / count * count;
    std::uint64_t value = random();
    while (value >= limit) value = random();
    return static_cast<std::size_t>(value % count);
}

using Groups = std::map<std::string, std::vector<std::size_t>>;

void bootstrap(Metrics& metrics, Measured const& data, Groups const& groups, MetricsOptions const& options) {
    for (auto const value : overall_values) (metrics.*value).standard_error = undefined;
    if (options.bootstraps < 2 || groups.size() < 2) return;
    std::vector<std::vector<std::size_t> const*> list;
    for (auto const& [name, rows] : groups) list.push_back(&rows);
    std::mt19937_64 random(options.seed);
    std::array<std::vector<double>, overall_count> samples;
    for (int round = 0; round < options.bootstraps; ++round) {
        std::vector<double> measured, predicted;
        for (std::size_t i = 0; i < list.size(); ++i)
            for (std::size_t const row : *list[draw_below(random, list.size())]) {
                measured.push_back(data.measured[row]);
                predicted.push_back(data.predicted[row]);
            }
        auto const values = overall(measured, predicted);
        for (std::size_t k = 0; k < overall_count; ++k)
            if (!std::isnan(values[k])) samples[k].push_back(values[k]);
    }
    for (std::size_t k = 0; k < overall_count; ++k)
        if (samples[k].size() > 1) (metrics.*overall_values[k]).standard_error = population_sd(samples[k]);
}

Value over_structures(Metrics const& metrics, double Metrics::Structure::*member) {
    std::vector<double> values;
    for (auto const& [name, structure] : metrics.by_structure)
        if (!std::isnan(structure.*member)) values.push_back(structure.*member);
    if (values.empty()) return {undefined, undefined};
    return {mean(values), population_sd(values) / std::sqrt(static_cast<double>(values.size()))};
}

}  // namespace

Metrics evaluate(Measured const& data, MetricsOptions const& options) {
    Metrics metrics;
    Groups groups;
    for (std::size_t i = 0; i < data.size(); ++i) groups[data.complex[i]].push_back(i);
    metrics.mutants = static_cast<int>(data.size());
    metrics.complexes = static_cast<int>(groups.size());
    auto const values = overall(data.measured, data.predicted);
    for (std::size_t k = 0; k < overall_count; ++k) (metrics.*overall_values[k]).value = values[k];
    bootstrap(metrics, data, groups, options);
    for (auto const& [name, rows] : groups) {
        if (static_cast<int>(rows.size()) < options.least_mutants) continue;
        std::vector<double> measured, predicted;
        for (std::size_t const row : rows) {
            measured.push_back(data.measured[row]);
            predicted.push_back(data.predicted[row]);
        }
        metrics.by_structure[name] = {pearson(measured, predicted), spearman(measured, predicted),
                                      rmse(measured, predicted), static_cast<int>(rows.size())};
    }
    metrics.structures = static_cast<int>(metrics.by_structure.size());
    metrics.structure_pearson = over_structures(metrics, &Metrics::Structure::pearson);
    metrics.structure_spearman = over_structures(metrics, &Metrics::Structure::spearman);
    metrics.structure_rmse = over_structures(metrics, &Metrics::Structure::rmse);
    return metrics;
}

Comparison compare(Metrics const& a, Metrics const& b) {
    auto const test = [&](double Metrics::Structure::*member) {
        std::vector<double> x, y;
        for (auto const& [name, structure] : a.by_structure) {
            auto const other = b.by_structure.find(name);
            if (other == b.by_structure.end()) continue;
            if (std::isnan(structure.*member) || std::isnan(other->second.*member)) continue;
            x.push_back(structure.*member);
            y.push_back(other->second.*member);
        }
        return paired_t_test(x, y);
    };
    return {test(&Metrics::Structure::pearson), test(&Metrics::Structure::spearman), test(&Metrics::Structure::rmse)};
}

Json to_json(Metrics const& metrics) {
    Json json = Json::object();
    auto const put = [&](std::string const& name, Value const& value) {
        json[name] = json_real(value.value);
        json[name + " Standard Error"] = json_real(value.standard_error);
    };
    put("Pearson", metrics.pearson);
    put("Spearman", metrics.spearman);
    put("RMSE", metrics.rmse);
    put("MAE", metrics.mae);
    put("ROC AUC", metrics.roc_auc);
    put("PR AUC", metrics.pr_auc);
    put("Precision", metrics.precision);
    put("Recall", metrics.recall);
    put("Per Structure Pearson", metrics.structure_pearson);
    put("Per Structure Spearman", metrics.structure_spearman);
    put("Per Structure RMSE", metrics.structure_rmse);
    json["n"] = metrics.mutants;
    json["n_complexes"] = metrics.complexes;
    json["n_structures"] = metrics.structures;
    Json structures = Json::object();
    for (auto const& [name, structure] : metrics.by_structure)
        structures[name] = {{"Pearson", json_real(structure.pearson)},
                            {"Spearman", json_real(structure.spearman)},
                            {"RMSE", json_real(structure.rmse)},
                            {"n", structure.mutants}};
    json["structures"] = std::move(structures);
    return json;
}

}  // namespace orrery::methods::stab_ddg
