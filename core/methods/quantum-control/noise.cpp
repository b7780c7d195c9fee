#include "core/methods/quantum-control/noise.h"

#include "core/methods/quantum-control/signal.h"

#include <cmath>

namespace orrery::methods::quantum_control {
namespace {

std::vector<double> telegraph(std::vector<double> const& times, std::size_t each, double size, double rate,
                              Random& random) {
    std::size_t const intervals = times.size() - 1;
    std::vector<double> out;
    double sign = random.uniform() < 0.5 ? -1 : 1;
    for (std::size_t s = 0; s <= intervals * each; ++s) {
        out.push_back(sign * size);
        std::size_t const i = std::min(s / each, intervals - 1);
        double const step = (times[i + 1] - times[i]) / static_cast<double>(each);
        if (random.uniform() < 0.5 * (1 - std::exp(-2 * rate * step))) sign = -sign;
    }
    return out;
}

}  // namespace

void draw_noise(QuantumSystem const& system, NoiseSettings const& settings, Random& random, Pulse& pulse,
                NoisePath& path) {
    if (settings.kind == NoiseKind::none) return;
    bool const constant = settings.kind == NoiseKind::gauss || settings.kind == NoiseKind::offset;
    path.each = system.interpolation == Interpolation::linear ? 1 : 4;
    auto const each = static_cast<std::size_t>(path.each);
    for (std::size_t c = 0; c < system.controls.size(); ++c) {
        bool const amplitude = system.controls[c].kind == ControlKind::amplitude;
        double const sigma = amplitude ? settings.amplitude : settings.detuning;
        if (constant) {
            double const offset = sigma * random.normal();
            for (double& v : pulse.values[c]) {
                v += offset;
                if (amplitude || settings.kind == NoiseKind::gauss) v = std::abs(v);
            }
        } else if (settings.kind == NoiseKind::telegraph) {
            path.values.push_back(telegraph(pulse.times, each, sigma, settings.rate, random));
        } else {
            std::vector<double> normals((pulse.times.size() - 1) * each + 1);
            for (double& v : normals) v = random.normal();
            path.values.push_back(ornstein_uhlenbeck(normals, settings.alpha, 0, sigma));
        }
    }
}

}  // namespace orrery::methods::quantum_control
