// A controlled open quantum system: levels, Hamiltonian terms, jump operators, start, target. Frequencies in rad/us,
// times in us. No LibTorch.
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <complex>
#include <string>
#include <vector>

namespace orrery::methods::quantum_control {

using Complex = std::complex<double>;
inline constexpr double two_pi = 6.283185307179586476925286766559;
inline constexpr int most_levels = 32;

// |row><column| times value.
struct MatrixEntry {
    int row = 0, column = 0;
    Complex value;
};
using SparseMatrix = std::vector<MatrixEntry>;

enum class ControlKind { amplitude, detuning };

struct Control {
    std::string name;  // "omega_p"; the column of a pulse file is omega_p_MHz
    ControlKind kind = ControlKind::amplitude;
    double scale = 1;             // rad/us a unit of the action
    double lower = 0, upper = 0;  // what the generator can do, rad/us
};

// coefficient(t)^power * matrix; static where control is -1. The matrix in rad/us (static), else without unit (power 1)
// or in us/rad (power 2).
struct Term {
    std::string name;
    int control = -1;
    int power = 1;
    SparseMatrix matrix;
};

// L = sqrt(rate) * matrix; rate in 1/us.
struct Jump {
    std::string name;
    double rate = 0;
    SparseMatrix matrix;
};

struct WeightedState {
    double weight = 1;
    std::vector<Complex> state;  // unit length
};

enum class Interpolation { hermite, linear };

// A population, or sum of populations, shown and penalised under a name.
struct LevelGroup {
    std::string name;
    std::vector<std::pair<int, double>> levels;  // level, weight
    double penalty = 1;                          // factor in the reward
};

struct QuantumSystem {
    std::string name;   // "lambda5"
    std::string title;  // "Lambda system, 5 levels"
    int levels = 0;
    std::vector<std::string> level_names;
    std::vector<Control> controls;
    std::vector<Term> terms;
    std::vector<Jump> jumps;
    std::vector<WeightedState> initial;  // weights sum to 1
    SparseMatrix target;                 // Hermitian O; F = Tr(O rho)
    std::vector<Complex> target_state;   // where O is |psi><psi|
    double duration = 1;                 // us
    int knots = 50;
    Interpolation interpolation = Interpolation::hermite;
    int steps = 20;                   // RK4 steps a knot interval that keep the error of F below about 1e-6
    std::vector<LevelGroup> watched;  // groups whose mean population is penalised
    std::vector<int> qubit_levels;    // |00>, |01>, |10>, |11> of a two-qubit gate, else empty
    std::vector<Complex> gate;        // diagonal of the wanted gate on them
};

// What distinguishes the presets from the paper's text.
struct PresetOptions {
    double gamma = -1;               // MHz (1/us for the transmon); negative: the preset's own
    double omega = -1;               // MHz, largest amplitude of every drive; negative: the preset's own
    double duration = -1;            // us
    bool diagonal_detuning = false;  // rydberg1: the physical form in place of the official one
    double delta_max = -1;           // MHz, scale of detunings (transmon, Rydberg), bound of GRAPE; negative: own
    Json initial_state = Json();     // lambda: [w0, w1]; official mixture of |0> and |2>, normalised by its trace
    Json final_state = Json();       // lambda: [f0, f2]
    Json official = Json();          // the config of a reference case; overrides the above where present
};

[[nodiscard]] std::vector<std::string> preset_names();
// Errors: no such preset (naming the nearest).
Result<QuantumSystem> preset(std::string const& name, PresetOptions const& options = {});

// Checks what every system must satisfy; the message names the term, jump or state. `where` is the file's name.
Result<void> check_system(QuantumSystem const& system, std::string const& where);

// n x n, row-major.
[[nodiscard]] std::vector<Complex> dense(SparseMatrix const& matrix, int levels);

}  // namespace orrery::methods::quantum_control
