// Multi-step feedback: the pulse is given section by section, each after an observation (spec, "Multi-step feedback").
// No LibTorch.
#pragma once

#include "core/base/random.h"
#include "core/methods/quantum-control/environment.h"

namespace orrery::methods::quantum_control {

// official: as released, section k takes the repeated (not tiled) values of its action, so that of a section's L values
// only L/sections act. paper: section k takes its own L values.
enum class SectionMode { official, paper };

struct FeedbackSettings {
    int sections = 1;  // 1: the whole pulse at once
    SectionMode mode = SectionMode::paper;
    double spread = 0.1;  // of mu, the relative offset of all amplitudes that the second observation tells
    bool beta = false;    // mu from +-Beta(4, .7) in place of uniform
};

// Actions of the sections [section][control in the action's order][L values] to one whole action.
[[nodiscard]] std::vector<double> assemble_sections(std::vector<std::vector<double>> const& sections,
                                                    std::size_t controls, SectionMode mode);
// mu of an episode; -1..1 times the spread.
[[nodiscard]] double draw_offset(FeedbackSettings const& settings, Random& random);
// What mu does to the pulse: amplitudes times 1 + mu.
void apply_offset(QuantumSystem const& system, Pulse& pulse, double mu);

}  // namespace orrery::methods::quantum_control
