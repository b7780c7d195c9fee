// Plain statistics of two columns. NaN where a value is not defined (fewer than two values, a constant column).
#pragma once

#include <span>
#include <vector>

namespace orrery::methods::stab_ddg {

[[nodiscard]] double mean(std::span<double const> x);
[[nodiscard]] double population_sd(std::span<double const> x);  // divisor n, as numpy's std
[[nodiscard]] double pearson(std::span<double const> x, std::span<double const> y);
[[nodiscard]] double spearman(std::span<double const> x, std::span<double const> y);  // ties share their mean rank
[[nodiscard]] double rmse(std::span<double const> x, std::span<double const> y);
[[nodiscard]] double mae(std::span<double const> x, std::span<double const> y);
[[nodiscard]] std::vector<double> ranks(std::span<double const> x);  // from 1, ties share their mean

// Area under the ROC curve: the chance that a positive scores above a negative, ties count a half.
[[nodiscard]] double roc_auc(std::vector<bool> const& positive, std::span<double const> score);
// Average precision: sum over thresholds of the gain in recall times precision there (the benchmark's "PR AUC").
[[nodiscard]] double average_precision(std::vector<bool> const& positive, std::span<double const> score);

struct TTest {
    double t = 0, p = 1;  // two-sided
    int n = 0;
};
// Paired, over a[i] - b[i].
[[nodiscard]] TTest paired_t_test(std::span<double const> a, std::span<double const> b);
// Regularised incomplete beta function I_x(a, b), a, b > 0.
[[nodiscard]] double incomplete_beta(double a, double b, double x);

// Slope and intercept of y = slope x + intercept by least squares.
struct Line {
    double slope = 0, intercept = 0;
};
[[nodiscard]] Line fit_line(std::span<double const> x, std::span<double const> y);

}  // namespace orrery::methods::stab_ddg
