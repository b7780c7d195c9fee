#include "core/methods/quantum-control/system.h"

#include "core/base/number.h"

#include <cmath>

namespace orrery::methods::quantum_control {
namespace {

std::string levels_text(int i, int j) { return std::to_string(i) + "," + std::to_string(j); }

bool finite(Complex v) { return std::isfinite(v.real()) && std::isfinite(v.imag()); }

Result<void> check_matrix(SparseMatrix const& matrix, int levels, std::string const& what, std::string const& where) {
    for (MatrixEntry const& e : matrix) {
        if (e.row < 0 || e.row >= levels || e.column < 0 || e.column >= levels) {
            return bad_input(what + " has an entry [" + levels_text(e.row, e.column) + "], but there are " +
                                 std::to_string(levels) + " levels",
                             where, "Rows and columns count from 0 to " + std::to_string(levels - 1));
        }
        if (!finite(e.value)) {
            return bad_input(what + " has an entry [" + levels_text(e.row, e.column) + "] that is not a number", where,
                             "Give finite numbers");
        }
    }
    return {};
}

Result<void> check_hermitian(SparseMatrix const& matrix, int levels, std::string const& what,
                             std::string const& where) {
    std::vector<Complex> m = dense(matrix, levels);
    double largest = 0;
    for (Complex v : m) largest = std::max(largest, std::abs(v));
    for (int i = 0; i < levels; ++i) {
        for (int j = i; j < levels; ++j) {
            Complex a = m[static_cast<std::size_t>(i * levels + j)], b = m[static_cast<std::size_t>(j * levels + i)];
            if (std::abs(a - std::conj(b)) > 1e-12 * std::max(largest, 1e-300)) {
                return bad_input(what + " is not Hermitian: entry [" + levels_text(i, j) +
                                     "] is not the complex conjugate of [" + levels_text(j, i) + "]",
                                 where, "Give both entries, with opposite imaginary parts");
            }
        }
    }
    return {};
}

Result<void> check_state(std::vector<Complex> const& state, int levels, std::string const& what,
                         std::string const& where) {
    if (state.size() != static_cast<std::size_t>(levels)) {
        return bad_input(what + " has " + std::to_string(state.size()) + " amplitudes, but there are " +
                             std::to_string(levels) + " levels",
                         where);
    }
    double norm = 0;
    for (Complex v : state) norm += std::norm(v);
    if (!std::isfinite(norm) || std::abs(norm - 1) > 1e-6) {
        return bad_input(what + " has norm " + number_text(std::sqrt(norm)) + ", not 1", where,
                         "Divide the amplitudes by the square root of the sum of their squares");
    }
    return {};
}

}  // namespace

std::vector<Complex> dense(SparseMatrix const& matrix, int levels) {
    std::vector<Complex> m(static_cast<std::size_t>(levels) * static_cast<std::size_t>(levels));
    for (MatrixEntry const& e : matrix) m[static_cast<std::size_t>(e.row * levels + e.column)] += e.value;
    return m;
}

Result<void> check_system(QuantumSystem const& system, std::string const& where) {
    int const n = system.levels;
    if (n < 2 || n > most_levels) {
        return bad_input("the system has " + std::to_string(n) + " levels", where,
                         "2 to " + std::to_string(most_levels) + " are possible");
    }
    if (!(system.duration > 0) || !std::isfinite(system.duration)) {
        return bad_input("the duration is not a positive number of microseconds", where);
    }
    if (system.knots < 4 || system.knots > 4096) {
        return bad_input("the pulse has " + std::to_string(system.knots) + " knots", where, "4 to 4096 are possible");
    }
    if (system.controls.empty()) return bad_input("the system has no control", where, "Name at least one");
    for (Control const& c : system.controls) {
        if (!std::isfinite(c.scale) || !std::isfinite(c.lower) || !std::isfinite(c.upper) || c.lower > c.upper) {
            return bad_input("the limits of control \"" + c.name + "\" are not two numbers in order", where);
        }
    }
    for (Term const& t : system.terms) {
        std::string const what = "Hamiltonian term \"" + t.name + "\"";
        ORRERY_CHECK(check_matrix(t.matrix, n, what, where));
        ORRERY_CHECK(check_hermitian(t.matrix, n, what, where));
    }
    for (Jump const& j : system.jumps) {
        std::string const what = "jump operator \"" + j.name + "\"";
        if (!std::isfinite(j.rate)) return bad_input("the rate of " + what + " is not a number", where);
        if (j.rate < 0) {
            return bad_input("the rate of " + what + " is negative: " + number_text(j.rate) + " per us", where,
                             "Rates are 0 or more");
        }
        ORRERY_CHECK(check_matrix(j.matrix, n, what, where));
    }
    if (system.initial.empty()) return bad_input("the system has no initial state", where);
    double sum = 0;
    for (WeightedState const& s : system.initial) {
        ORRERY_CHECK(check_state(s.state, n, "the initial state", where));
        if (!(s.weight >= 0)) return bad_input("the initial state has a negative weight", where);
        sum += s.weight;
    }
    if (std::abs(sum - 1) > 1e-9) return bad_input("the weights of the initial state do not sum to 1", where);
    if (!system.target_state.empty()) ORRERY_CHECK(check_state(system.target_state, n, "the target state", where));
    ORRERY_CHECK(check_matrix(system.target, n, "the target", where));
    return check_hermitian(system.target, n, "the target", where);
}

}  // namespace orrery::methods::quantum_control
