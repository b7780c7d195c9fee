#include "core/methods/quantum-control/signal.h"

#include <algorithm>
#include <cmath>

namespace orrery::methods::quantum_control {

namespace {
constexpr double pi = 3.14159265358979323846;
constexpr double root_two = 1.4142135623730950488;
}  // namespace

Signal1 gaussian_kernel(int length, double deviation) {
    Signal1 kernel(static_cast<std::size_t>(length));
    double sum = 0;
    for (std::size_t j = 0; j < kernel.size(); ++j) {
        double x = static_cast<double>(j) - 0.5 * (length - 1);
        kernel[j] = std::exp(-x * x / (2 * deviation * deviation));
        sum += kernel[j];
    }
    for (double& w : kernel) w /= sum;
    return kernel;
}

Result<void> check_window(int window, int knots) {
    if (window >= 1 && window <= knots) return {};
    return bad_input("the smoothing window of " + std::to_string(window) + " knots is longer than the pulse of " +
                         std::to_string(knots) + " knots",
                     {}, "Give a window of 1 to " + std::to_string(knots), "window");
}

namespace {

// Calls body(i, j, k) for out[i] += kernel[j] * signal[k].
template <class Body>
void each_product(std::size_t n, std::size_t length, Body const& body) {
    auto const shift = static_cast<std::ptrdiff_t>((length - 1) / 2);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < length; ++j) {
            std::ptrdiff_t k = static_cast<std::ptrdiff_t>(i) + shift - static_cast<std::ptrdiff_t>(j);
            if (k >= 0 && k < static_cast<std::ptrdiff_t>(n)) body(i, j, static_cast<std::size_t>(k));
        }
    }
}

}  // namespace

Signal1 smooth(std::span<double const> signal, Signal1 const& kernel) {
    Signal1 out(signal.size(), 0.0);
    each_product(signal.size(), kernel.size(),
                 [&](std::size_t i, std::size_t j, std::size_t k) { out[i] += kernel[j] * signal[k]; });
    return out;
}

Signal1 smooth_transposed(std::span<double const> gradient, Signal1 const& kernel) {
    Signal1 out(gradient.size(), 0.0);
    each_product(gradient.size(), kernel.size(),
                 [&](std::size_t i, std::size_t j, std::size_t k) { out[k] += kernel[j] * gradient[i]; });
    return out;
}

double trapezoid(std::span<double const> y, double spacing) {
    double sum = 0;
    for (std::size_t i = 1; i < y.size(); ++i) sum += 0.5 * (y[i] + y[i - 1]);
    return sum * spacing;
}

double second_difference_smoothness(std::span<double const> y, double spacing) {
    Signal1 squares;
    for (std::size_t i = 2; i < y.size(); ++i) {
        double d = y[i] - 2 * y[i - 1] + y[i - 2];
        squares.push_back(d * d);
    }
    return trapezoid(squares, spacing);
}

Signal1 butterworth(std::span<double const> y, double sampling, double cutoff) {
    double const w = std::tan(pi * cutoff / sampling), norm = 1 / (1 + root_two * w + w * w);
    double const b0 = w * w * norm, b1 = 2 * b0;
    double const a1 = 2 * (w * w - 1) * norm, a2 = (1 - root_two * w + w * w) * norm;
    Signal1 out(y.begin(), y.end());
    for (std::size_t i = 2; i < y.size(); ++i) {
        out[i] = b0 * y[i] + b1 * y[i - 1] + b0 * y[i - 2] - a1 * out[i - 1] - a2 * out[i - 2];
    }
    return out;
}

Signal1 butterworth_both_ways(std::span<double const> y, double sampling, double cutoff) {
    Signal1 once = butterworth(y, sampling, cutoff);
    std::reverse(once.begin(), once.end());
    Signal1 twice = butterworth(once, sampling, cutoff);
    std::reverse(twice.begin(), twice.end());
    return twice;
}

double lowpass_smoothness(std::span<double const> y, double sampling, double cutoff) {
    Signal1 low = butterworth_both_ways(y, sampling, cutoff);
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) sum += (y[i] - low[i]) * (y[i] - low[i]);
    return sum;
}

Signal1 blackman(int length) {
    Signal1 window(static_cast<std::size_t>(length), 1.0);
    for (std::size_t i = 0; length > 1 && i < window.size(); ++i) {
        double phase = 2 * pi * static_cast<double>(i) / (length - 1);
        window[i] = 0.42 - 0.5 * std::cos(phase) + 0.08 * std::cos(2 * phase);
    }
    return window;
}

Signal1 ornstein_uhlenbeck(std::span<double const> normals, double alpha, double mu, double sigma) {
    Signal1 path(normals.size());
    double x = 0;
    for (std::size_t t = 0; t < normals.size(); ++t) {
        double xi = normals[std::min(t + 1, normals.size() - 1)];
        x += -alpha * alpha * (x - mu) + root_two * sigma * alpha * xi;
        path[t] = x;
    }
    return path;
}

}  // namespace orrery::methods::quantum_control
