#include "core/base/number.h"
#include "core/learning/ppo.h"
#include "core/methods/quantum-control/signal.h"
#include "core/methods/quantum-control/system.h"
#include "core/methods/quantum-control/verify.h"

#include <cmath>
#include <numeric>

namespace orrery::methods::quantum_control {

using namespace learning;

namespace {

constexpr double tool_tolerance = 1e-9;
constexpr double ppo_tolerance = 1e-5;

std::vector<std::vector<double>> rows_of(std::vector<double> const& all, std::size_t count) {
    std::size_t const width = all.size() / count;
    std::vector<std::vector<double>> rows;
    for (std::size_t r = 0; r < count; ++r) {
        rows.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(r * width),
                          all.begin() + static_cast<std::ptrdiff_t>((r + 1) * width));
    }
    return rows;
}

void append(std::vector<double>& to, std::vector<double> const& from) { to.insert(to.end(), from.begin(), from.end()); }

}  // namespace

Result<std::vector<double>> numbers(VerifyCase& c, std::string const& name) {
    ORRERY_TRY(torch::Tensor tensor, c.file().tensor(name));
    tensor = tensor.to(torch::kFloat64).contiguous();
    double const* data = tensor.data_ptr<double>();
    return std::vector<double>(data, data + tensor.numel());
}

void compare_relative(VerifyCase& c, std::string const& name, std::vector<double> const& got, double tolerance,
                      double floor) {
    auto expected = numbers(c, name);
    if (!expected.ok()) return c.check(name, false, expected.error().message());
    if (expected->size() != got.size()) return c.check(name, false, "another number of values");
    double worst = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        double const size = std::max(std::abs((*expected)[i]), floor);
        double const difference = std::abs(got[i] - (*expected)[i]);
        double const relative = difference == 0 ? 0 : difference / size;
        if (!(relative <= worst)) worst = relative;
    }
    c.check(name, worst <= tolerance,
            "largest relative difference " + number_text(worst) + ", allowed " + number_text(tolerance));
}

void compare_numbers(VerifyCase& c, std::string const& name, std::vector<double> const& got, double tolerance) {
    auto expected = c.file().tensor(name);
    if (!expected.ok()) return c.check(name, false, expected.error().message());
    torch::Tensor tensor = torch::tensor(got, torch::kFloat64);
    if (tensor.numel() == expected->numel()) tensor = tensor.view(expected->sizes());
    c.compare(name, tensor, tolerance);
}

Result<void> verify_signal_tools(VerifyCase& c) {
    ORRERY_TRY(std::vector<double> all, numbers(c, "in.signal"));
    ORRERY_TRY(std::vector<double> normals, numbers(c, "in.ou_normals"));
    auto signals = rows_of(all, 4);
    int const knots = static_cast<int>(signals[0].size());
    double const spacing = 1.0 / (knots - 1), cutoff = 5 * two_pi;
    Signal1 const amplitude = gaussian_kernel(50, 4), detuning = gaussian_kernel(25, 4);
    compare_numbers(c, "out.kernel_L50_std4", amplitude, tool_tolerance);
    compare_numbers(c, "out.kernel_L25_std4", detuning, tool_tolerance);
    compare_numbers(c, "out.kernel_L50_std1", gaussian_kernel(50, 1), tool_tolerance);
    compare_numbers(c, "out.kernel_L8_std2", gaussian_kernel(8, 2), tool_tolerance);
    compare_numbers(c, "out.kernel_L8_std3", gaussian_kernel(8, 3), tool_tolerance);
    std::vector<double> smooth_a, smooth_d, forward, both, area, low, second;
    for (auto const& y : signals) {
        append(smooth_a, smooth(y, amplitude));
        append(smooth_d, smooth(y, detuning));
        append(forward, butterworth(y, knots, cutoff));
        append(both, butterworth_both_ways(y, knots, cutoff));
        area.push_back(trapezoid(y, spacing));
        low.push_back(lowpass_smoothness(y, knots, cutoff));
        second.push_back(second_difference_smoothness(y, spacing));
    }
    compare_relative(c, "out.smooth_amp", smooth_a, tool_tolerance, 1);
    compare_relative(c, "out.smooth_freq", smooth_d, tool_tolerance, 1);
    // The cut-off lies above half the sampling rate: the filter is unstable, and its values grow to 1e24 and more, out
    // of which smaller ones are differences.
    auto largest = [](std::vector<double> const& values) {
        double most = 0;
        for (double v : values) most = std::max(most, std::abs(v));
        return most;
    };
    compare_relative(c, "out.butterworth_fwd", forward, tool_tolerance, largest(forward));
    compare_relative(c, "out.butterworth_fb", both, tool_tolerance, largest(both));
    compare_relative(c, "out.area", area, tool_tolerance, 1);
    compare_relative(c, "out.smoothness_lowpass", low, tool_tolerance);
    compare_relative(c, "out.smoothness_second_derivative", second, tool_tolerance);
    Signal1 baseline = blackman(knots);
    for (double& v : baseline) v *= two_pi * 30;
    compare_relative(c, "mid.blackman_baseline", baseline, tool_tolerance, 1);
    compare_relative(c, "out.baseline_area", {trapezoid(baseline, spacing)}, tool_tolerance);
    compare_relative(c, "out.baseline_smoothness_amp",
                     {second_difference_smoothness(smooth(baseline, amplitude), spacing)}, tool_tolerance);
    compare_relative(c, "out.baseline_smoothness_freq",
                     {second_difference_smoothness(smooth(baseline, detuning), spacing)}, tool_tolerance);
    compare_relative(c, "out.ou", ornstein_uhlenbeck(normals, .1, 0, two_pi), tool_tolerance, 1);
    compare_relative(c, "out.ou_mu", ornstein_uhlenbeck(normals, .3, 1.5, two_pi), tool_tolerance, 1);
    return {};
}

Result<void> verify_ppo_step(VerifyCase& c) {
    PpoSamples samples;
    ORRERY_TRY(samples.observations, numbers(c, "in.obs"));
    ORRERY_TRY(samples.actions, numbers(c, "in.action"));
    ORRERY_TRY(samples.log_probability, numbers(c, "in.old_log_prob"));
    ORRERY_TRY(samples.value, numbers(c, "in.old_value"));
    ORRERY_TRY(samples.advantage, numbers(c, "in.adv"));
    ORRERY_TRY(samples.target, numbers(c, "in.target"));
    ORRERY_TRY(std::vector<double> hidden, numbers(c, "param.params/Dense_0/bias"));
    std::size_t const rows = samples.rows();
    if (rows == 0) return bad_input("the case has no rows", c.path().filename().string());
    PolicyNetwork network(samples.observations.size() / rows, hidden.size(), samples.actions.size() / rows);
    for (auto const& part : network.parts()) {
        ORRERY_TRY(std::vector<double> values, numbers(c, "param." + part.name));
        if (values.size() != part.size()) return bad_input("param." + part.name + " has another size");
        std::copy(values.begin(), values.end(), network.values().begin() + static_cast<std::ptrdiff_t>(part.offset));
    }
    PpoSettings settings;
    settings.entropy_weight = 0.01;
    std::vector<std::size_t> chosen(rows);
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    std::vector<double> gradient;
    PpoLoss const loss = ppo_loss(network, samples, chosen, settings, gradient);
    compare_numbers(c, "out.loss", {loss.total}, ppo_tolerance);
    compare_numbers(c, "out.actor_loss", {loss.actor}, ppo_tolerance);
    compare_numbers(c, "out.value_loss", {loss.value}, ppo_tolerance);
    compare_numbers(c, "out.log_prob", loss.log_probability, ppo_tolerance);
    compare_numbers(c, "out.value", loss.values, ppo_tolerance);
    compare_numbers(c, "out.entropy", loss.entropy, ppo_tolerance);
    compare_numbers(c, "out.mean", loss.means, ppo_tolerance);
    auto part_of = [](std::vector<double> const& all, PolicyNetwork::Part const& part) {
        auto begin = all.begin() + static_cast<std::ptrdiff_t>(part.offset);
        return std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(part.size()));
    };
    for (auto const& part : network.parts()) {
        compare_numbers(c, "out.grad." + part.name, part_of(gradient, part), ppo_tolerance);
    }
    AdamState adam;
    for (int step = 0; step < 3; ++step) {
        ppo_loss(network, samples, chosen, settings, gradient);
        adam_step(network.values(), gradient, adam, settings.learning_rate, settings.largest_norm);
    }
    for (auto const& part : network.parts()) {
        compare_numbers(c, "out.after3." + part.name, part_of(network.values(), part), ppo_tolerance);
    }
    return {};
}

}  // namespace orrery::methods::quantum_control
