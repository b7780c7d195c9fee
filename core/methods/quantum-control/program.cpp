#include "core/methods/quantum-control/program.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace orrery::methods::quantum_control {
namespace {

using Combination = std::vector<double>;  // one weight a feature

class Compiler {
public:
    Compiler(QuantumSystem const& system, bool reduce) : m_system(system), m_reduce(reduce), m_n(system.levels) {}

    Result<Program> run() {
        m_program.levels = m_n;
        m_program.controls = static_cast<int>(m_system.controls.size());
        collect();
        find_levels();
        find_pure();
        find_sigma();
        number_components();
        if (m_program.components > 60000) {
            return bad_input("the density matrix of this system is too large", m_system.name,
                             "Use at most " + std::to_string(most_levels) + " levels");
        }
        shift_energies();
        write_pure();
        write_sigma();
        flatten();
        write_forms();
        return m_program;
    }

private:
    [[nodiscard]] std::size_t at(int i, int j) const { return static_cast<std::size_t>(i * m_n + j); }

    void collect() {
        m_program.features = {{-1, 0}, {-1, 0}};
        for (Term const& term : m_system.terms) {
            std::size_t feature = 0;
            if (term.control >= 0) {
                auto same = [&](Feature const& f) { return f.control == term.control && f.power == term.power; };
                auto found = std::find_if(m_program.features.begin(), m_program.features.end(), same);
                feature = static_cast<std::size_t>(found - m_program.features.begin());
                if (found == m_program.features.end()) m_program.features.push_back({term.control, term.power});
            }
            m_hamiltonian.resize(m_program.features.size(), std::vector<Complex>(at(m_n, 0)));
            for (MatrixEntry const& e : term.matrix) m_hamiltonian[feature][at(e.row, e.column)] += e.value;
        }
        m_hamiltonian.resize(m_program.features.size(), std::vector<Complex>(at(m_n, 0)));
        m_loss.assign(at(m_n, 0), {});
        for (Jump const& jump : m_system.jumps) {
            std::vector<Complex> l = dense(jump.matrix, m_n);
            for (Complex& v : l) v *= std::sqrt(jump.rate);
            for (int i = 0; i < m_n; ++i)
                for (int j = 0; j < m_n; ++j)
                    for (int k = 0; k < m_n; ++k) m_loss[at(i, j)] += std::conj(l[at(k, i)]) * l[at(k, j)];
            m_jumps.push_back(std::move(l));
        }
        m_coupled.assign(at(m_n, 0), false);
        for (int i = 0; i < m_n; ++i) {
            for (int j = 0; j < m_n; ++j) {
                bool any = std::abs(m_loss[at(i, j)]) > 0;
                for (auto const& h : m_hamiltonian) any = any || std::abs(h[at(i, j)]) > 0;
                m_coupled[at(i, j)] = any;
            }
        }
    }

    void grow(std::vector<bool>& levels, bool by_jumps) const {
        for (bool changed = true; changed;) {
            changed = false;
            for (int i = 0; i < m_n; ++i) {
                for (int k = 0; k < m_n; ++k) {
                    if (levels[static_cast<std::size_t>(i)] || !levels[static_cast<std::size_t>(k)]) continue;
                    bool reached = m_coupled[at(i, k)];
                    if (by_jumps)
                        for (auto const& l : m_jumps) reached = reached || std::abs(l[at(i, k)]) > 0;
                    if (reached) levels[static_cast<std::size_t>(i)] = changed = true;
                }
            }
        }
    }

    [[nodiscard]] std::vector<bool> start_levels() const {
        std::vector<bool> levels(static_cast<std::size_t>(m_n), false);
        for (WeightedState const& s : m_system.initial)
            for (std::size_t i = 0; i < s.state.size(); ++i)
                if (s.weight > 0 && std::abs(s.state[i]) > 0) levels[i] = true;
        return levels;
    }

    [[nodiscard]] bool only_fed(int s) const {
        for (MatrixEntry const& e : m_system.target)
            if (e.row == s || e.column == s) return false;
        for (int k = 0; k < m_n; ++k)
            if (k != s && (m_coupled[at(s, k)] || m_coupled[at(k, s)])) return false;
        for (auto const& l : m_jumps) {
            bool feeds = false, other = false;
            for (int i = 0; i < m_n; ++i) {
                if (std::abs(l[at(i, s)]) > 0) return false;
                for (int k = 0; k < m_n; ++k) {
                    if (std::abs(l[at(i, k)]) > 0) (i == s ? feeds : other) = true;
                }
            }
            if (feeds && other) return false;
        }
        return true;
    }

    void find_levels() {
        m_kept = start_levels();
        std::vector<bool> const start = m_kept;
        if (!m_reduce) {
            m_kept.assign(static_cast<std::size_t>(m_n), true);
            return;
        }
        grow(m_kept, true);
        std::vector<int> sinks;
        for (int i = 0; i < m_n; ++i) {
            auto u = static_cast<std::size_t>(i);
            if (m_kept[u] && !start[u] && only_fed(i)) sinks.push_back(i);
        }
        if (sinks.size() == 1) {  // of several only the sum would be known
            m_program.sink = sinks.front();
            m_kept[static_cast<std::size_t>(sinks.front())] = false;
        }
    }

    void find_pure() {
        m_pure_index.assign(static_cast<std::size_t>(m_n), -1);
        if (!m_reduce) return;
        std::vector<bool> pure = start_levels();
        grow(pure, false);
        for (int i = 0; i < m_n; ++i) {
            if (!pure[static_cast<std::size_t>(i)]) continue;
            m_pure_index[static_cast<std::size_t>(i)] = static_cast<int>(m_program.pure_levels.size());
            m_program.pure_levels.push_back(i);
        }
        for (WeightedState const& s : m_system.initial) m_program.columns += s.weight > 0 ? 1 : 0;
    }

    [[nodiscard]] bool kept(int i) const { return m_kept[static_cast<std::size_t>(i)]; }
    [[nodiscard]] bool pure(int i) const { return m_pure_index[static_cast<std::size_t>(i)] >= 0; }

    // Entries of sigma that the jumps or the Hamiltonian can make non-zero, both (i,j) and (j,i).
    void find_sigma() {
        std::vector<bool> present(at(m_n, 0), false);
        std::vector<std::pair<int, int>> queue;
        auto reach = [&](int i, int j) {
            if (!kept(i) || !kept(j) || present[at(i, j)]) return;
            present[at(i, j)] = present[at(j, i)] = true;
            queue.emplace_back(i, j);
            if (i != j) queue.emplace_back(j, i);
        };
        auto jump_from = [&](int a, int b) {
            for (auto const& l : m_jumps)
                for (int i = 0; i < m_n; ++i)
                    for (int j = 0; j < m_n; ++j)
                        if (std::abs(l[at(i, a)]) > 0 && std::abs(l[at(j, b)]) > 0) reach(i, j);
        };
        if (m_reduce) {
            for (int a : m_program.pure_levels)
                for (int b : m_program.pure_levels) jump_from(a, b);
        } else {
            for (int i = 0; i < m_n; ++i)
                for (int j = 0; j < m_n; ++j) reach(i, j);
        }
        while (!queue.empty()) {
            auto [a, b] = queue.back();
            queue.pop_back();
            for (int i = 0; i < m_n; ++i) {
                if (m_coupled[at(i, a)]) reach(i, b);
                if (m_coupled[at(i, b)]) reach(a, i);
            }
            jump_from(a, b);
        }
        m_sigma_index.assign(at(m_n, 0), -1);
        for (int i = 0; i < m_n; ++i) {
            for (int j = i; j < m_n; ++j) {
                if (!present[at(i, j)]) continue;
                m_sigma_index[at(i, j)] = static_cast<int>(m_program.sigma.size());
                m_program.sigma.push_back({i, j, 0, 0});
            }
        }
    }

    void number_components() {
        int next = 2 * m_program.columns * static_cast<int>(m_program.pure_levels.size());
        m_program.initial.assign(static_cast<std::size_t>(next), 0.0);
        int column = 0;
        for (WeightedState const& s : m_system.initial) {
            if (s.weight <= 0 || !m_reduce) continue;
            for (int level : m_program.pure_levels) {
                Complex value = std::sqrt(s.weight) * s.state[static_cast<std::size_t>(level)];
                auto component = static_cast<std::size_t>(pure_component(column, level));
                m_program.initial[component] = value.real();
                m_program.initial[component + 1] = value.imag();
            }
            ++column;
        }
        for (Program::Entry& entry : m_program.sigma) {
            Complex value;
            for (WeightedState const& s : m_system.initial) {
                if (m_reduce) break;
                value += s.weight * s.state[static_cast<std::size_t>(entry.row)] *
                         std::conj(s.state[static_cast<std::size_t>(entry.column)]);
            }
            entry.real = next++;
            m_program.initial.push_back(value.real());
            entry.imaginary = entry.row == entry.column ? -1 : next++;
            if (entry.imaginary >= 0) m_program.initial.push_back(value.imag());
        }
        m_program.components = next;
    }

    [[nodiscard]] int pure_component(int column, int level) const {
        return 2 * (column * static_cast<int>(m_program.pure_levels.size()) +
                    m_pure_index[static_cast<std::size_t>(level)]);
    }

    // So that where the state begins, and where it should end, is at rest: fast phases of what is populated would cost
    // steps, those of levels that stay nearly empty do not. Without a target state: the middle of all.
    void shift_energies() {
        std::vector<bool> wanted = start_levels();
        if (m_system.target_state.empty()) wanted.assign(wanted.size(), true);
        for (std::size_t i = 0; i < m_system.target_state.size(); ++i) {
            if (std::abs(m_system.target_state[i]) > 0) wanted[i] = true;
        }
        m_shift.assign(m_program.features.size(), 0.0);
        for (std::size_t f = 0; f < m_hamiltonian.size(); ++f) {
            double least = 1e300, most = -1e300;
            for (int level : m_program.pure_levels) {
                if (!wanted[static_cast<std::size_t>(level)]) continue;
                least = std::min(least, m_hamiltonian[f][at(level, level)].real());
                most = std::max(most, m_hamiltonian[f][at(level, level)].real());
            }
            if (least <= most) m_shift[f] = 0.5 * (least + most);
        }
    }

    // X_ij as a complex weight a feature: -iH - sum L+L/2.
    [[nodiscard]] std::vector<Complex> generator(int i, int j) const {
        std::vector<Complex> x(m_program.features.size());
        for (std::size_t f = 0; f < x.size(); ++f) x[f] = Complex(0, -1) * m_hamiltonian[f][at(i, j)];
        x[rate_feature] -= 0.5 * m_loss[at(i, j)];
        return x;
    }

    void add_linear(int destination, int source, std::vector<Complex> const& x, double factor, bool imaginary_part) {
        if (destination < 0 || source < 0) return;
        Combination& c = m_linear[{destination, source}];
        c.resize(x.size(), 0.0);
        for (std::size_t f = 0; f < x.size(); ++f) c[f] += factor * (imaginary_part ? x[f].imag() : x[f].real());
    }

    // (re, im)' += x * z, z having `sign` times its imaginary component.
    void add_product(int real, int imaginary, std::vector<Complex> const& x, int z_real, int z_imaginary, double sign) {
        add_linear(real, z_real, x, 1, false);
        add_linear(real, z_imaginary, x, -sign, true);
        add_linear(imaginary, z_real, x, 1, true);
        add_linear(imaginary, z_imaginary, x, sign, false);
    }

    void write_pure() {
        for (int column = 0; column < m_program.columns; ++column) {
            for (int i : m_program.pure_levels) {
                for (int j : m_program.pure_levels) {
                    std::vector<Complex> x = generator(i, j);
                    for (std::size_t f = 0; i == j && f < x.size(); ++f) x[f] += Complex(0, m_shift[f]);
                    int d = pure_component(column, i), s = pure_component(column, j);
                    add_product(d, d + 1, x, s, s + 1, 1);
                }
            }
        }
    }

    struct Stored {
        int real = -1, imaginary = -1;
        double sign = 1;
    };
    [[nodiscard]] Stored stored(int i, int j) const {
        int index = m_sigma_index[i <= j ? at(i, j) : at(j, i)];
        if (index < 0) return {};
        Program::Entry const& e = m_program.sigma[static_cast<std::size_t>(index)];
        return {e.real, e.imaginary, i <= j ? 1.0 : -1.0};
    }

    void write_sigma() {
        for (Program::Entry const& e : m_program.sigma) {
            for (int k = 0; k < m_n; ++k) {
                if (!kept(k)) continue;
                if (Stored z = stored(k, e.column); z.real >= 0 && m_coupled[at(e.row, k)]) {
                    add_product(e.real, e.imaginary, generator(e.row, k), z.real, z.imaginary, z.sign);
                }
                if (Stored z = stored(e.row, k); z.real >= 0 && m_coupled[at(e.column, k)]) {
                    std::vector<Complex> x = generator(e.column, k);
                    for (Complex& v : x) v = std::conj(v);
                    add_product(e.real, e.imaginary, x, z.real, z.imaginary, z.sign);
                }
            }
            for (auto const& l : m_jumps) write_feed(e, l);
        }
    }

    void write_feed(Program::Entry const& e, std::vector<Complex> const& l) {
        for (int a = 0; a < m_n; ++a) {
            for (int b = 0; b < m_n; ++b) {
                Complex factor = l[at(e.row, a)] * std::conj(l[at(e.column, b)]);
                if (std::abs(factor) == 0) continue;
                std::vector<Complex> x(m_program.features.size());
                x[rate_feature] = factor;
                if (Stored z = stored(a, b); z.real >= 0) {
                    add_product(e.real, e.imaginary, x, z.real, z.imaginary, z.sign);
                }
                if (!pure(a) || !pure(b)) continue;
                for (int column = 0; column < m_program.columns; ++column) {
                    write_pure_feed(e, factor, pure_component(column, a), pure_component(column, b));
                }
            }
        }
    }

    // factor * psi_a conj(psi_b), of which the components begin at a and b.
    void write_pure_feed(Program::Entry const& e, Complex factor, int a, int b) {
        auto add = [&](int destination, int first, int second, double weight) {
            if (destination < 0 || weight == 0) return;
            m_quadratic[{destination, std::min(first, second), std::max(first, second)}] += weight;
        };
        for (auto [destination, re, im] : {std::tuple{e.real, factor.real(), -factor.imag()},
                                           std::tuple{e.imaginary, factor.imag(), factor.real()}}) {
            add(destination, a, b, re);
            add(destination, a + 1, b + 1, re);
            add(destination, a + 1, b, im);
            add(destination, a, b + 1, -im);
        }
    }

    std::uint16_t slot_of(Combination const& combination) {
        auto [found, is_new] = m_slots.emplace(combination, m_program.slots.size());
        if (is_new) {
            std::vector<SlotTerm> terms;
            for (std::size_t f = 0; f < combination.size(); ++f) {
                if (combination[f] != 0) terms.push_back({static_cast<std::uint16_t>(f), combination[f]});
            }
            m_program.slots.push_back(std::move(terms));
        }
        return static_cast<std::uint16_t>(found->second);
    }

    void flatten() {
        m_program.row_begin.assign(static_cast<std::size_t>(m_program.components) + 1, 0);
        for (auto const& [key, combination] : m_linear) {
            if (std::all_of(combination.begin(), combination.end(), [](double w) { return w == 0; })) continue;
            m_program.linear.push_back({static_cast<std::uint16_t>(key.second), slot_of(combination)});
            ++m_program.row_begin[static_cast<std::size_t>(key.first) + 1];
        }
        for (std::size_t i = 1; i < m_program.row_begin.size(); ++i) {
            m_program.row_begin[i] += m_program.row_begin[i - 1];
        }
        for (auto const& [key, weight] : m_quadratic) {
            if (weight == 0) continue;
            Combination combination(m_program.features.size(), 0.0);
            combination[rate_feature] = weight;
            auto [destination, first, second] = key;
            m_program.quadratic.push_back({static_cast<std::uint16_t>(destination), static_cast<std::uint16_t>(first),
                                           static_cast<std::uint16_t>(second), slot_of(combination)});
        }
    }

    void write_forms() {
        Form rest;
        rest.constant = 1;
        for (int level = 0; level < m_n; ++level) {
            Form form = m_program.observable({{level, level, 1.0}});
            for (Form::Linear const& l : form.linear) rest.linear.push_back({l.component, -l.weight});
            for (Form::Quadratic const& q : form.quadratic) rest.quadratic.push_back({q.first, q.second, -q.weight});
            m_program.populations.push_back(std::move(form));
        }
        if (m_program.sink >= 0) m_program.populations[static_cast<std::size_t>(m_program.sink)] = rest;
        m_program.fidelity = m_program.observable(m_system.target);
    }

    QuantumSystem const& m_system;
    bool m_reduce;
    int m_n;
    Program m_program;
    std::vector<std::vector<Complex>> m_hamiltonian;  // by feature
    std::vector<Complex> m_loss;                      // sum L+L
    std::vector<std::vector<Complex>> m_jumps;
    std::vector<bool> m_coupled, m_kept;
    std::vector<int> m_pure_index, m_sigma_index;
    std::vector<double> m_shift;
    std::map<std::pair<int, int>, Combination> m_linear;
    std::map<std::tuple<int, int, int>, double> m_quadratic;
    std::map<Combination, std::size_t> m_slots;
};

}  // namespace

double Form::value(double const* y, std::size_t stride) const {
    auto at = [&](int i) { return y[static_cast<std::size_t>(i) * stride]; };
    double sum = constant;
    for (Linear const& l : linear) sum += l.weight * at(l.component);
    for (Quadratic const& q : quadratic) sum += q.weight * at(q.first) * at(q.second);
    return sum;
}

void Form::add_gradient(double const* y, double factor, double* gradient, std::size_t stride) const {
    auto at = [&](int i) { return static_cast<std::size_t>(i) * stride; };
    for (Linear const& l : linear) gradient[at(l.component)] += factor * l.weight;
    for (Quadratic const& q : quadratic) {
        double const first = y[at(q.first)], second = y[at(q.second)];
        gradient[at(q.first)] += factor * q.weight * second;
        gradient[at(q.second)] += factor * q.weight * first;
    }
}

Form Program::observable(SparseMatrix const& hermitian) const {
    std::map<std::pair<int, int>, double> quadratic;
    std::map<int, double> linear;
    std::size_t const pure = pure_levels.size();
    auto index = [&](int level) {
        auto found = std::find(pure_levels.begin(), pure_levels.end(), level);
        return found == pure_levels.end() ? -1 : static_cast<int>(found - pure_levels.begin());
    };
    for (MatrixEntry const& o : hermitian) {  // Re(O_ji rho_ij) with j the row of O: the rest cancels with its partner
        int i = o.column, j = o.row;
        for (Entry const& e : sigma) {
            if (e.row != std::min(i, j) || e.column != std::max(i, j)) continue;
            linear[e.real] += o.value.real();
            if (e.imaginary >= 0) linear[e.imaginary] -= o.value.imag() * (i <= j ? 1.0 : -1.0);
        }
        if (index(i) < 0 || index(j) < 0) continue;
        for (int c = 0; c < columns; ++c) {
            int a = 2 * (c * static_cast<int>(pure) + index(i)), b = 2 * (c * static_cast<int>(pure) + index(j));
            quadratic[std::minmax(a, b)] += o.value.real();
            quadratic[std::minmax(a + 1, b + 1)] += o.value.real();
            quadratic[std::minmax(a + 1, b)] -= o.value.imag();
            quadratic[std::minmax(a, b + 1)] += o.value.imag();
        }
    }
    Form form;
    for (auto const& [component, weight] : linear)
        if (weight != 0) form.linear.push_back({component, weight});
    for (auto const& [pair, weight] : quadratic)
        if (weight != 0) form.quadratic.push_back({pair.first, pair.second, weight});
    return form;
}

std::vector<Complex> Program::density(double const* y, std::size_t stride) const {
    auto const n = static_cast<std::size_t>(levels);
    std::vector<Complex> rho(n * n);
    auto at = [&](int i) { return y[static_cast<std::size_t>(i) * stride]; };
    for (int c = 0; c < columns; ++c) {
        int const base = 2 * c * static_cast<int>(pure_levels.size());
        auto amplitude = [&](std::size_t i) {
            int k = base + 2 * static_cast<int>(i);
            return Complex(at(k), at(k + 1));
        };
        for (std::size_t i = 0; i < pure_levels.size(); ++i)
            for (std::size_t j = 0; j < pure_levels.size(); ++j)
                rho[static_cast<std::size_t>(pure_levels[i]) * n + static_cast<std::size_t>(pure_levels[j])] +=
                    amplitude(i) * std::conj(amplitude(j));
    }
    for (Entry const& e : sigma) {
        Complex value(at(e.real), e.imaginary < 0 ? 0.0 : at(e.imaginary));
        auto i = static_cast<std::size_t>(e.row), j = static_cast<std::size_t>(e.column);
        rho[i * n + j] += value;
        if (i != j) rho[j * n + i] += std::conj(value);
    }
    if (sink >= 0) {
        auto s = static_cast<std::size_t>(sink);
        rho[s * n + s] = populations[s].value(y, stride);
    }
    return rho;
}

Result<Program> compile(QuantumSystem const& system, bool reduce) {
    ORRERY_TRY(Program program, Compiler(system, reduce).run());
    auto const whole = static_cast<std::size_t>(system.levels) * static_cast<std::size_t>(system.levels);
    if (!reduce || static_cast<std::size_t>(program.components) <= whole) return program;
    return Compiler(system, false).run();  // jumps reach everything: psi beside all of sigma would be more work
}

}  // namespace orrery::methods::quantum_control
