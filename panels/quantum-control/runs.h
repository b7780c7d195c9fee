// The optimisations and simulations of a session: their table, and what two of them have to be compared by. No Qt.
#pragma once

#include "core/base/figure.h"
#include "core/base/result.h"
#include "core/base/table.h"
#include "core/methods/quantum-control/simulate.h"
#include "panels/quantum-control/curves.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace orrery::panels::quantum_control {

// One seed of an optimisation, or a simulated pulse.
struct RunRow {
    std::string key;  // "r12:10", of the selection kind "pulse-run"
    std::string run, title, system, method;
    std::optional<std::int64_t> seed;
    double fidelity = 0;    // refined
    double difference = 0;  // to the batched integrator
    std::optional<std::int64_t> evaluations;
    double seconds = 0;
    std::string started;
};

// Rows of an optimisation from its optimize.json. Errors: not that file.
Result<std::vector<RunRow>> optimize_rows(Json const& summary, std::string const& run, std::string const& started,
                                          double seconds);
[[nodiscard]] RunRow simulate_row(Json const& values, std::string const& run, std::string const& title,
                                  std::string const& system, std::string const& started, double seconds);
[[nodiscard]] Table runs_table(std::vector<RunRow> const& rows);

// What is shown of a run beside another.
struct ComparedRun {
    std::string name;     // "GRAPE lambda5"
    std::string started;  // tells two of the same name apart
    std::shared_ptr<methods::quantum_control::QuantumSystem const> system;
    methods::quantum_control::Pulse pulse;
    Curves curves;
    double fidelity = 0;
};
// Both pulses' controls of a kind in one figure: the second in pale where it has the same control.
[[nodiscard]] Figure compared_pulses(ComparedRun const& a, ComparedRun const& b,
                                     methods::quantum_control::ControlKind kind);
[[nodiscard]] Figure compared_curves(ComparedRun const& a, ComparedRun const& b);

}  // namespace orrery::panels::quantum_control
