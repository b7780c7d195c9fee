// Fidelity of the whole process of a gate, not of one state. No LibTorch.
#pragma once

#include "core/methods/quantum-control/simulate.h"

namespace orrery::methods::quantum_control {

struct ProcessFidelity {
    double plain = 0;                          // sum_ab <Ua|E(|a><b|)|Ub> / d^2
    double phase_corrected = 0;                // the largest over Z rotations of the two qubits
    double phase_first = 0, phase_second = 0;  // rad, those rotations
};
// Of a system with qubit_levels. E is linear, so |a><b| follows from the 16 states |a>, (|a>+|b>)/sqrt2,
// (|a>+i|b>)/sqrt2.
Result<ProcessFidelity> process_fidelity(QuantumSystem const& system, Pulse const& pulse);

}  // namespace orrery::methods::quantum_control
