// The benchmark's metrics against the official code's values, and the statistics against known ones.
#include "core/methods/stab-ddg/metrics.h"

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/methods/stab-ddg/tables.h"
#include "tests/catch.h"
#include "tests/fixtures.h"

#include <cmath>

using namespace orrery;
using namespace orrery::methods::stab_ddg;

namespace {

Measured test_split(MutantTable const& table, std::string const& predictor, std::string const& without = {}) {
    auto const column = static_cast<std::size_t>(
        std::find(table.predictors.begin(), table.predictors.end(), predictor) - table.predictors.begin());
    Measured data;
    for (MutantRow const& row : table.rows)
        if (row.split == "test" && row.predictions[column] && row.complex + " " + row.mutation != without)
            data.add(row.complex, *row.ddg, *row.predictions[column]);
    return data;
}

}  // namespace

TEST_CASE("All metrics of three predictors agree with the official code to 1e-6") {
    ORRERY_NEED_SHARED(table_path, "data/stab-ddg/skempi_filtered_with_baselines.csv");
    ORRERY_NEED_SHARED(reference_path, "fixtures/stab-ddg/metrics_skempi.json");
    auto const table = read_mutant_table(table_path);
    REQUIRE(table.ok());
    Json const reference = Json::parse(*read_file(reference_path));
    struct {
        char const* key;
        char const* predictor;
        char const* without;
    } const cases[] = {{"stabddg", "stabddg", ""},
                       {"foldx", "foldx", ""},
                       {"flexddg", "flexddg", ""},
                       {"flexddg_without_outlier", "flexddg", "1OGA_ABC_DE SE95A"}};
    for (auto const& [key, predictor, without] : cases) {
        INFO(key);
        Json const got = to_json(evaluate(test_split(*table, predictor, without)));
        int compared = 0;
        for (auto const& [name, value] : reference[key].items()) {
            if (name == "n_structures_ge10") {
                CHECK(got["n_structures"] == value);
                continue;
            }
            INFO(name);
            REQUIRE(got.contains(name));
            CHECK(got[name].get<double>() == Approx(value.get<double>()).margin(1e-6).epsilon(0));
            ++compared;
        }
        CHECK(compared >= 12);
    }
    // Must show 5, to four decimals.
    Metrics const flex = evaluate(test_split(*table, "flexddg"));
    CHECK(flex.pearson.value == Approx(0.2216).margin(5e-5));
    Metrics const without = evaluate(test_split(*table, "flexddg", "1OGA_ABC_DE SE95A"));
    CHECK(without.pearson.value == Approx(0.5571).margin(5e-5));
    CHECK(without.rmse.value == Approx(1.6474).margin(5e-5));
    // Single complexes.
    for (char const* complex : {"1AO7_ABC_DE", "1C1Y_A_B"}) {
        Measured one;
        Measured const all = test_split(*table, "stabddg");
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all.complex[i] == complex) one.add(complex, all.measured[i], all.predicted[i]);
        Metrics const metrics = evaluate(one);
        Json const& want = reference["stabddg_" + std::string(complex)];
        CHECK(metrics.mutants == want["n"].get<int>());
        CHECK(metrics.pearson.value == Approx(want["Pearson"].get<double>()).margin(1e-6).epsilon(0));
        CHECK(metrics.spearman.value == Approx(want["Spearman"].get<double>()).margin(1e-6).epsilon(0));
        CHECK(metrics.rmse.value == Approx(want["RMSE"].get<double>()).margin(1e-6).epsilon(0));
    }
}

TEST_CASE("Bootstraps are repeatable and of a sensible size") {
    Measured data;
    for (int i = 0; i < 200; ++i) {
        double const x = std::sin(i * 0.7) * 2;
        data.add("complex " + std::to_string(i / 10), x, x + std::cos(i * 1.3));
    }
    Metrics const a = evaluate(data, {.seed = 4}), b = evaluate(data, {.seed = 4}), c = evaluate(data, {.seed = 5});
    CHECK(a.pearson.standard_error == b.pearson.standard_error);
    CHECK(a.pearson.standard_error != c.pearson.standard_error);
    CHECK(a.pearson.standard_error > 1e-4);
    CHECK(a.pearson.standard_error < 0.1);
    CHECK(std::isnan(evaluate(data, {.bootstraps = 0}).pearson.standard_error));
    CHECK(a.structures == 20);
}

TEST_CASE("Undefined metrics are NaN, not numbers") {
    Measured one;
    one.add("a", -1, -2);
    Metrics const metrics = evaluate(one);
    CHECK(std::isnan(metrics.pearson.value));
    CHECK(metrics.rmse.value == 1);
    CHECK(std::isnan(metrics.roc_auc.value));
    CHECK(std::isnan(metrics.structure_pearson.value));
    CHECK(to_json(metrics)["Pearson"].is_null());
    Measured flat;
    for (int i = 0; i < 12; ++i) flat.add("a", i - 5, 0.1);
    CHECK(std::isnan(evaluate(flat).pearson.value));
    CHECK(evaluate(flat).roc_auc.value == 0.5);
    CHECK(std::isnan(evaluate(Measured{}).rmse.value));
}

TEST_CASE("Ranks, areas and correlations of small columns") {
    std::vector<double> const x = {3, 1, 3, 2}, y = {1, 2, 3, 4};
    CHECK(ranks(x) == std::vector<double>{3.5, 1, 3.5, 2});
    CHECK(spearman(x, y) == Approx(-0.21081851067789195).epsilon(1e-12));  // scipy.stats.spearmanr
    CHECK(pearson(std::vector<double>{1, 2, 3}, std::vector<double>{2, 4, 6}) == Approx(1));
    CHECK(pearson(std::vector<double>{1, 2, 3}, std::vector<double>{3, 2, 1}) == Approx(-1));
    std::vector<bool> const positive = {true, false, true, false};
    CHECK(roc_auc(positive, std::vector<double>{0.9, 0.8, 0.7, 0.1}) == Approx(0.75));
    CHECK(roc_auc(positive, std::vector<double>{1, 1, 1, 1}) == Approx(0.5));
    // Thresholds 0.9, 0.8, 0.7, 0.1: precision 1 at recall 1/2, 2/3 at recall 1.
    CHECK(average_precision(positive, std::vector<double>{0.9, 0.8, 0.7, 0.1}) == Approx(0.5 * 1 + 0.5 * 2.0 / 3));
    CHECK(average_precision(positive, std::vector<double>{1, 1, 1, 1}) == Approx(0.5));
    Line const line = fit_line(std::vector<double>{0, 1, 2}, std::vector<double>{1, 3, 5});
    CHECK(line.slope == Approx(2));
    CHECK(line.intercept == Approx(1));
}

TEST_CASE("The paired t-test and the incomplete beta function") {
    // scipy.stats.ttest_rel([1, 2, 3, 4, 7], [0, 2, 2, 5, 3]): t = 1.1952286093, p = 0.2980148117
    TTest const test = paired_t_test(std::vector<double>{1, 2, 3, 4, 7}, std::vector<double>{0, 2, 2, 5, 3});
    CHECK(test.t == Approx(1.1952286093343936).epsilon(1e-12));
    CHECK(test.p == Approx(0.29801481173121036).epsilon(1e-10));
    CHECK(test.n == 5);
    CHECK(incomplete_beta(0.5, 0.5, 0.5) == Approx(0.5).epsilon(1e-12));
    CHECK(incomplete_beta(1, 1, 0.3) == Approx(0.3).epsilon(1e-12));
    CHECK(incomplete_beta(2, 3, 0.4) == Approx(0.5248).epsilon(1e-12));
    CHECK(incomplete_beta(21, 0.5, 0.999) == Approx(1 - incomplete_beta(0.5, 21, 0.001)).epsilon(1e-12));
    CHECK(incomplete_beta(2, 3, 0) == 0);
    CHECK(incomplete_beta(2, 3, 1) == 1);
    // Two degrees of freedom: p = 1 - t / sqrt(t^2 + 2).
    TTest const two = paired_t_test(std::vector<double>{1, 2, 4}, std::vector<double>{0, 0, 1});
    CHECK(two.p == Approx(1 - two.t / std::sqrt(two.t * two.t + 2)).epsilon(1e-10));
    CHECK(std::isnan(paired_t_test(std::vector<double>{1, 2}, std::vector<double>{0, 1}).p));
    CHECK(std::isnan(paired_t_test(std::vector<double>{1}, std::vector<double>{0}).p));
}

TEST_CASE("Predictors are compared over the structures both have") {
    Measured a, b;
    for (int i = 0; i < 60; ++i) {
        std::string const complex = "c" + std::to_string(i / 12);
        double const x = std::sin(i * 1.1);
        a.add(complex, x, x + 0.1 * std::cos(i));
        if (i >= 12) b.add(complex, x, 0.3 * x + std::cos(i * 2.0));
    }
    Comparison const comparison = compare(evaluate(a), evaluate(b));
    CHECK(comparison.pearson.n == 4);
    CHECK(comparison.pearson.t > 0);
    CHECK(comparison.pearson.p < 0.05);
    CHECK(comparison.rmse.t < 0);
}
