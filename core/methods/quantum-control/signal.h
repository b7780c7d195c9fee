// Tools on sampled signals: Gaussian smoothing, smoothness measures, Butterworth low pass, Blackman window, noise.
// As in the spec's "From action to pulse" and "Reward". No LibTorch.
#pragma once

#include "core/base/result.h"

#include <span>
#include <vector>

namespace orrery::methods::quantum_control {

using Signal1 = std::vector<double>;

// exp(-x^2 / (2 std^2)), x = -(L-1)/2 .. (L-1)/2 in knots, of sum 1.
[[nodiscard]] Signal1 gaussian_kernel(int length, double deviation);

// Convolution "same" with zeros beyond the edges: out[i] = sum_j kernel[j] signal[i + (L-1)/2 - j]. The kernel must not
// be longer than the signal (check_window).
[[nodiscard]] Signal1 smooth(std::span<double const> signal, Signal1 const& kernel);
// The transpose of smooth: of a gradient by the smoothed signal, that by the signal.
[[nodiscard]] Signal1 smooth_transposed(std::span<double const> gradient, Signal1 const& kernel);
// One sentence when the window is longer than the pulse.
Result<void> check_window(int window, int knots);

[[nodiscard]] double trapezoid(std::span<double const> y, double spacing);
// Second difference (spacing 1), squared, trapezoid over time from the third knot. `spacing` in us.
[[nodiscard]] double second_difference_smoothness(std::span<double const> y, double spacing);

// Second-order Butterworth low pass with tan prewarp; the first two samples are copied. Frequencies in one unit.
[[nodiscard]] Signal1 butterworth(std::span<double const> y, double sampling, double cutoff);
[[nodiscard]] Signal1 butterworth_both_ways(std::span<double const> y, double sampling, double cutoff);
// sum (y - low pass of y)^2
[[nodiscard]] double lowpass_smoothness(std::span<double const> y, double sampling, double cutoff);

[[nodiscard]] Signal1 blackman(int length);

// Ornstein-Uhlenbeck noise as released: x += -alpha^2 (x - mu) + sqrt2 sigma alpha xi, x[0] = 0; step t uses
// normals[t], the last one twice and the first never. As many samples as normals.
[[nodiscard]] Signal1 ornstein_uhlenbeck(std::span<double const> normals, double alpha, double mu, double sigma);

}  // namespace orrery::methods::quantum_control
