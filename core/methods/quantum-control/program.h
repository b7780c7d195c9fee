// A system turned into the smallest exact real program of its master equation
//   d rho/dt = -i[H,rho] + sum_k (L rho L+ - {L+L,rho}/2).
// rho = sum_c psi_c psi_c+ + sigma: psi obeys d psi/dt = X psi, X = -iH - sum L+L/2 (the part without a jump), sigma
// starts at 0 and is fed by the jumps. Kept are the levels reachable from the start, less one level that is only fed
// (its population is the lost trace), and of sigma the entries that anything can reach. Where no jump feeds a kept
// level sigma is empty: a pure state, exactly. A common shift of the energies of psi, which psi psi+ does not see,
// halves the fastest frequency. All of it flattened to real components: y'_d = sum slot * y_s + sum slot * y_a * y_b.
#pragma once

#include "core/methods/quantum-control/system.h"

#include <cstdint>

namespace orrery::methods::quantum_control {

struct LinearOp {
    std::uint16_t source = 0, slot = 0;
};
struct QuadraticOp {
    std::uint16_t destination = 0, first = 0, second = 0, slot = 0;
};
struct SlotTerm {
    std::uint16_t feature = 0;
    double weight = 0;
};
// What a slot is summed from: 0 the constant 1, 1 the scale of all rates, then powers of controls, each interpolated
// from its own values at the knots (as the official transmon does with its Stark shift).
struct Feature {
    int control = -1;
    int power = 1;
};
inline constexpr std::size_t rate_feature = 1;
inline constexpr std::size_t first_control_feature = 2;

// constant + sum w y_i + sum w y_i y_j: a population, the fidelity.
struct Form {
    struct Linear {
        int component;
        double weight;
    };
    struct Quadratic {
        int first, second;
        double weight;
    };
    double constant = 0;
    std::vector<Linear> linear;
    std::vector<Quadratic> quadratic;
    // Of components at y[i * stride].
    [[nodiscard]] double value(double const* y, std::size_t stride = 1) const;
    // Adds factor * (its gradient at y) to gradient; both strided.
    void add_gradient(double const* y, double factor, double* gradient, std::size_t stride) const;
};

struct Program {
    int levels = 0;
    int controls = 0;
    int components = 0;
    std::vector<std::uint32_t> row_begin;  // components + 1
    std::vector<LinearOp> linear;
    std::vector<QuadraticOp> quadratic;
    std::vector<Feature> features;
    std::vector<std::vector<SlotTerm>> slots;
    std::vector<double> initial;  // components

    // Where rho is found again.
    int columns = 0;               // pure states
    std::vector<int> pure_levels;  // component of Re psi of column c, level l: 2 (c * pure_levels.size() + index of l)
    struct Entry {
        int row, column, real, imaginary;  // row <= column; imaginary -1 on the diagonal
    };
    std::vector<Entry> sigma;
    int sink = -1;
    std::vector<Form> populations;  // one a level
    Form fidelity;

    // rho[levels * levels], row-major, of components at y[i * stride].
    [[nodiscard]] std::vector<Complex> density(double const* y, std::size_t stride = 1) const;
    [[nodiscard]] Form observable(SparseMatrix const& hermitian) const;
};

// The whole density matrix where the reduced program would have more components, or where `reduce` is false (for
// checks). Errors: the program is too large.
Result<Program> compile(QuantumSystem const& system, bool reduce = true);

}  // namespace orrery::methods::quantum_control
