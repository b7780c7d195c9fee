// The density matrix over time and what is drawn of it: the Bloch vector of two levels, and figures. No Qt.
#pragma once

#include "core/base/figure.h"
#include "core/base/result.h"

#include <array>
#include <complex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orrery::panels::quantum_control {

struct StateHistory {
    std::vector<std::string> levels;
    std::vector<double> times;                           // us
    std::vector<std::vector<std::complex<double>>> rho;  // [time][row-major n x n]
    [[nodiscard]] bool empty() const { return times.empty(); }
    [[nodiscard]] std::size_t size() const { return levels.size(); }
    [[nodiscard]] std::complex<double> at(std::size_t time, std::size_t row, std::size_t column) const {
        return rho[time][row * levels.size() + column];
    }
};

// density.json of the verb simulate. Errors: not that file, lengths that differ.
Result<StateHistory> read_states(std::string_view bytes, std::string const& file_name);

// (2 Re rho_ab, -2 Im rho_ab, rho_aa - rho_bb): a at the north pole, b at the south pole. Not normalised: it is shorter
// than 1 by what is elsewhere and by what is no longer coherent.
[[nodiscard]] std::array<double, 3> bloch_vector(StateHistory const& states, std::size_t time, std::size_t a,
                                                 std::size_t b);
// The level that holds most at the start, and the one at the end (another one than that). Of a superposition: the level
// that is emptied most, and the one outside it that is filled most.
[[nodiscard]] std::pair<std::size_t, std::size_t> natural_pair(StateHistory const& states);

// |rho| as a map, rows and columns by level; and the Bloch components over time, for CSV, SVG and PDF.
[[nodiscard]] Figure density_figure(StateHistory const& states, std::size_t time);
[[nodiscard]] Figure bloch_figure(StateHistory const& states, std::size_t a, std::size_t b);

}  // namespace orrery::panels::quantum_control
