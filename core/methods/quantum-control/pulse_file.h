// Pulses from and to files: CSV or .npz (t_us, and <control>_MHz), .npy [controls, knots] in MHz over the system's
// duration, JSON of a generator at its sample rate. No LibTorch.
#pragma once

#include "core/io/npy.h"
#include "core/methods/quantum-control/simulate.h"

#include <filesystem>

namespace orrery::methods::quantum_control {

// Comma, semicolon or tab, comments after #. A detuning's column may be absent (0), an amplitude's not. Errors name
// file and line: unknown column, time that does not rise, a cell that is not a number, fewer than four knots.
Result<Pulse> parse_pulse_csv(std::string const& text, QuantumSystem const& system, std::string const& file_name);
Result<Pulse> parse_pulse_npy(std::string const& bytes, QuantumSystem const& system, std::string const& file_name);
// As generator_json writes it.
Result<Pulse> parse_pulse_json(std::string const& text, QuantumSystem const& system, std::string const& file_name);
// Arrays named as the columns of a table: t_us and <control>_MHz, each [knots].
Result<Pulse> pulse_of_arrays(std::map<std::string, io::NumpyArray> const& arrays, QuantumSystem const& system,
                              std::string const& file_name);
// By the ending of the name: .npy, .npz, .json, else a table.
Result<Pulse> read_pulse(std::filesystem::path const& path, QuantumSystem const& system);

// Values are written so that they read back to the same double.
[[nodiscard]] std::string pulse_csv(Pulse const& pulse, QuantumSystem const& system,
                                    std::vector<std::string> const& comments);
// [controls, knots] in MHz, and the arrays of pulse_of_arrays.
[[nodiscard]] io::NumpyArray pulse_array(Pulse const& pulse);
[[nodiscard]] std::map<std::string, io::NumpyArray> pulse_arrays(Pulse const& pulse, QuantumSystem const& system);
// Interpolated at multiples of 1/rate (MHz) from the start, the end included where it falls on one.
[[nodiscard]] Pulse resampled(Pulse const& pulse, Interpolation interpolation, double rate);
// {"sample_rate_MHz", "unit": "MHz", "channels": {name: [...]}}
[[nodiscard]] Json generator_json(Pulse const& samples, QuantumSystem const& system, double rate);

}  // namespace orrery::methods::quantum_control
