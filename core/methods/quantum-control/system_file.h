// A user's own system from a JSON file. No LibTorch.
//   {"name": "my qubit", "levels": ["g", "e", "f"], "duration_us": 0.1, "knots": 50, "interpolation": "hermite",
//    "controls": [{"name": "omega", "kind": "amplitude", "max": 30, "unit": "MHz"},
//                 {"name": "delta", "kind": "detuning", "min": -20, "max": 20}],
//    "terms": [{"name": "anharmonicity", "control": "static", "unit": "MHz", "entries": [[2, 2, -200, 0]]},
//              {"name": "drive", "control": "omega", "entries": [[0, 1, 0.5, 0], [1, 0, 0.5, 0]]}],
//    "jumps": [{"name": "decay", "rate": 0.01, "unit": "1/us", "entries": [[0, 1, 1, 0]]}],
//    "initial": {"level": 0}, "target": {"level": 1}, "watched": [2]}
// In an .npz archive the array "system" is this text (json.dumps), and {"array": "name"} in an entry or a state stands
// for the archive's array of that name: a matrix [levels, levels], a state [levels].
// A matrix may also be given whole: "matrix": [[...], ...] of numbers or [re, im]. States: {"level": k} or a list of
// amplitudes. Units: Hz, kHz, MHz, GHz (times 2 pi inside), rad/us; for rates also 1/us. Default MHz.
#pragma once

#include "core/io/npy.h"
#include "core/methods/quantum-control/system.h"

#include <filesystem>

namespace orrery::methods::quantum_control {

// JSON, or .npz by the ending. Errors name the file and the control, term, jump or state they concern.
Result<QuantumSystem> read_system(std::filesystem::path const& path);
Result<QuantumSystem> parse_system(std::string const& text, std::string const& file_name,
                                   std::map<std::string, io::NumpyArray> const& arrays = {});

}  // namespace orrery::methods::quantum_control
