// Noise on the controls (spec, section Noise). No LibTorch.
#pragma once

#include "core/base/random.h"
#include "core/methods/quantum-control/simulate.h"

namespace orrery::methods::quantum_control {

enum class NoiseKind {
    none,
    gauss,     // one offset a control and episode; the absolute value of the sum, also of detunings, as released
    offset,    // the same without the absolute value of detunings
    ou,        // Ornstein-Uhlenbeck, four samples a knot interval (one where interpolation is linear)
    telegraph  // one of two values, changing at random moments
};

struct NoiseSettings {
    NoiseKind kind = NoiseKind::none;
    double amplitude = 0, detuning = 0;  // rad/us: sigma, or half the jump of telegraph noise
    double alpha = 0.1;                  // of ou
    double rate = 10;                    // of telegraph, 1/us
};

// Changes the pulse, or fills the path, for one episode.
void draw_noise(QuantumSystem const& system, NoiseSettings const& settings, Random& random, Pulse& pulse,
                NoisePath& path);

}  // namespace orrery::methods::quantum_control
