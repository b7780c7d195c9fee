#include "core/methods/quantum-control/feedback.h"

#include <algorithm>
#include <cmath>

namespace orrery::methods::quantum_control {

std::vector<double> assemble_sections(std::vector<std::vector<double>> const& sections, std::size_t controls,
                                      SectionMode mode) {
    std::size_t const count = sections.size(), length = sections.at(0).size() / controls;
    std::vector<double> action;
    for (std::size_t c = 0; c < controls; ++c) {
        for (std::size_t s = 0; s < count; ++s) {
            for (std::size_t i = 0; i < length; ++i) {
                std::size_t const from = mode == SectionMode::paper ? i : (s * length + i) / count;
                action.push_back(sections[s][c * length + from]);
            }
        }
    }
    return action;
}

namespace {

// Marsaglia and Tsang; shapes below 1 by the power rule.
double gamma_draw(double shape, Random& random) {
    if (shape < 1) return gamma_draw(shape + 1, random) * std::pow(std::max(random.uniform(), 1e-300), 1 / shape);
    double const d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
    for (;;) {
        double const x = random.normal(), v = std::pow(1 + c * x, 3);
        if (v > 0 && std::log(std::max(random.uniform(), 1e-300)) < 0.5 * x * x + d - d * v + d * std::log(v)) {
            return d * v;
        }
    }
}

}  // namespace

double draw_offset(FeedbackSettings const& settings, Random& random) {
    if (!settings.beta) return settings.spread * (2 * random.uniform() - 1);
    double const a = gamma_draw(4, random), b = gamma_draw(0.7, random);
    return (random.uniform() < 0.5 ? -1 : 1) * settings.spread * a / (a + b);
}

void apply_offset(QuantumSystem const& system, Pulse& pulse, double mu) {
    for (std::size_t c = 0; c < system.controls.size(); ++c) {
        if (system.controls[c].kind != ControlKind::amplitude) continue;
        for (double& v : pulse.values[c]) v = std::max(v * (1 + mu), 0.0);
    }
}

}  // namespace orrery::methods::quantum_control
