#include "core/methods/stab-ddg/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace orrery::methods::stab_ddg {
namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

// Continued fraction of the incomplete beta function, by Lentz's method.
double beta_fraction(double a, double b, double x) {
    constexpr double tiny = 1e-300, precision = 1e-15;
    auto const guarded = [](double value) { return std::abs(value) < tiny ? tiny : value; };
    double c = 1, d = 1 / guarded(1 - (a + b) * x / (a + 1)), result = d;
    for (int m = 1; m <= 500; ++m) {
        double const even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / guarded(1 + even * d);
        c = guarded(1 + even / c);
        result *= d * c;
        double const odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / guarded(1 + odd * d);
        c = guarded(1 + odd / c);
        double const step = d * c;
        result *= step;
        if (std::abs(step - 1) < precision) break;
    }
    return result;
}

}  // namespace

double mean(std::span<double const> x) {
    if (x.empty()) return undefined;
    return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

double population_sd(std::span<double const> x) {
    if (x.empty()) return undefined;
    double const m = mean(x);
    double sum = 0;
    for (double const value : x) sum += (value - m) * (value - m);
    return std::sqrt(sum / static_cast<double>(x.size()));
}

double pearson(std::span<double const> x, std::span<double const> y) {
    if (x.size() < 2 || x.size() != y.size()) return undefined;
    double const mx = mean(x), my = mean(y);
    double xx = 0, yy = 0, xy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xx += (x[i] - mx) * (x[i] - mx);
        yy += (y[i] - my) * (y[i] - my);
        xy += (x[i] - mx) * (y[i] - my);
    }
    // A constant column leaves rounding errors alone; their ratio means nothing.
    double const floor_x = 1e-24 * mx * mx * static_cast<double>(x.size());
    double const floor_y = 1e-24 * my * my * static_cast<double>(y.size());
    if (xx <= floor_x || yy <= floor_y) return undefined;
    return std::clamp(xy / std::sqrt(xx) / std::sqrt(yy), -1.0, 1.0);
}

std::vector<double> ranks(std::span<double const> x) {
    std::vector<std::size_t> order(x.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
    std::vector<double> result(x.size());
    for (std::size_t i = 0; i < order.size();) {
        std::size_t j = i + 1;
        while (j < order.size() && x[order[j]] == x[order[i]]) ++j;
        double const shared = static_cast<double>(i + 1 + j) / 2;
        for (; i < j; ++i) result[order[i]] = shared;
    }
    return result;
}

double spearman(std::span<double const> x, std::span<double const> y) {
    if (x.size() != y.size()) return undefined;
    return pearson(ranks(x), ranks(y));
}

double rmse(std::span<double const> x, std::span<double const> y) {
    if (x.empty() || x.size() != y.size()) return undefined;
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
    return std::sqrt(sum / static_cast<double>(x.size()));
}

double mae(std::span<double const> x, std::span<double const> y) {
    if (x.empty() || x.size() != y.size()) return undefined;
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += std::abs(x[i] - y[i]);
    return sum / static_cast<double>(x.size());
}

double roc_auc(std::vector<bool> const& positive, std::span<double const> score) {
    std::vector<double> const rank = ranks(score);
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < rank.size(); ++i)
        if (positive[i]) sum += rank[i], ++count;
    double const others = static_cast<double>(rank.size()) - count;
    if (count == 0 || others == 0) return undefined;
    return (sum - count * (count + 1) / 2) / (count * others);
}

double average_precision(std::vector<bool> const& positive, std::span<double const> score) {
    std::vector<std::size_t> order(score.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return score[a] > score[b]; });
    double const total = static_cast<double>(std::count(positive.begin(), positive.end(), true));
    if (total == 0) return undefined;
    double found = 0, area = 0;
    for (std::size_t i = 0; i < order.size();) {
        double gained = 0;
        double const threshold = score[order[i]];
        for (; i < order.size() && score[order[i]] == threshold; ++i) gained += positive[order[i]] ? 1 : 0;
        found += gained;
        area += gained / total * found / static_cast<double>(i);
    }
    return area;
}

double incomplete_beta(double a, double b, double x) {
    if (!(x > 0)) return 0;
    if (x >= 1) return 1;
    double const front =
        std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
    // The fraction converges fast below (a + 1) / (a + b + 2); above, the symmetry I_x(a, b) = 1 - I_{1-x}(b, a) helps.
    if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

TTest paired_t_test(std::span<double const> a, std::span<double const> b) {
    TTest test{undefined, undefined, static_cast<int>(a.size())};
    if (a.size() < 2 || a.size() != b.size()) return test;
    std::vector<double> difference(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) difference[i] = a[i] - b[i];
    double const n = static_cast<double>(a.size());
    double const error = population_sd(difference) / std::sqrt(n - 1);  // sample sd / sqrt(n)
    if (!(error > 0)) return test;
    test.t = mean(difference) / error;
    double const freedom = n - 1;
    test.p = incomplete_beta(freedom / 2, 0.5, freedom / (freedom + test.t * test.t));
    return test;
}

Line fit_line(std::span<double const> x, std::span<double const> y) {
    if (x.size() < 2 || x.size() != y.size()) return {undefined, undefined};
    double const mx = mean(x), my = mean(y);
    double xx = 0, xy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xx += (x[i] - mx) * (x[i] - mx);
        xy += (x[i] - mx) * (y[i] - my);
    }
    if (!(xx > 0)) return {undefined, undefined};
    return {xy / xx, my - xy / xx * mx};
}

}  // namespace orrery::methods::stab_ddg
