// Pulses and populations as figures, and between the forms they come in. No Qt.
#pragma once

#include "core/base/figure.h"
#include "core/methods/quantum-control/simulate.h"

#include <string>
#include <string_view>
#include <vector>

namespace orrery::panels::quantum_control {

namespace method = orrery::methods::quantum_control;

// The system that a verb's parameters mean: a preset with its options, or the file (reads it). Errors as preset(),
// read_system().
Result<method::QuantumSystem> system_of(Json const& parameters);
// Those of a verb's parameters that say which system is meant.
[[nodiscard]] Json system_parameters(Json const& parameters);

// {t_us, values: {control: [MHz]}} of a live message, and of a session. Controls that are absent are 0. Error: lengths
// differ.
Result<method::Pulse> pulse_from_json(Json const& value, method::QuantumSystem const& system);
[[nodiscard]] Json pulse_to_json(method::Pulse const& pulse, method::QuantumSystem const& system);  // MHz, in full

// Controls of one kind, as lines with knots, MHz. `past` in pale, oldest first. Empty series where there is none of
// the kind.
[[nodiscard]] Figure controls_figure(method::QuantumSystem const& system, method::Pulse const& pulse,
                                     std::vector<method::Pulse> const& past, method::ControlKind kind);
[[nodiscard]] bool has_controls(method::QuantumSystem const& system, method::ControlKind kind);
// Numbers of the system's controls of a kind, in the order of the full series of controls_figure (the past comes before).
[[nodiscard]] std::vector<std::size_t> controls_of(method::QuantumSystem const& system, method::ControlKind kind);
[[nodiscard]] std::string control_title(std::string const& name);  // "omega_p" -> "Ω p", in the field's letters

// |Fourier transform| of the amplitudes over their largest, and what the smoothing filter (Gaussian, `deviation` in knots)
// lets pass.
[[nodiscard]] Figure spectrum_figure(method::QuantumSystem const& system, method::Pulse const& pulse, double deviation);

struct Populations {
    std::vector<double> times;  // us
    std::vector<std::string> levels;
    std::vector<std::vector<double>> values;  // [level][time]
    [[nodiscard]] bool empty() const { return times.empty(); }
};
// {level: [...]} of a live message, in the order of `levels`.
[[nodiscard]] Populations populations_from_json(Json const& value, std::vector<double> times,
                                                std::vector<std::string> const& levels);
Result<Populations> populations_from_csv(std::string_view csv, std::string const& file_name);
// Levels that are never populated are left out.
[[nodiscard]] Figure populations_figure(Populations const& populations);

}  // namespace orrery::panels::quantum_control
