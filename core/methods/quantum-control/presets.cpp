// The systems of the paper (spec, section Dynamics). |i><j| is the matrix unit, levels from 0.
#include "core/base/nearest.h"
#include "core/methods/quantum-control/system.h"

#include <cmath>

namespace orrery::methods::quantum_control {
namespace {

constexpr double root_two = 1.4142135623730950488;

SparseMatrix coupling(std::vector<std::tuple<int, int, double>> const& pairs) {
    SparseMatrix m;
    for (auto [i, j, v] : pairs) {
        m.push_back({i, j, v});
        m.push_back({j, i, v});
    }
    return m;
}

SparseMatrix diagonal(std::vector<std::pair<int, double>> const& entries) {
    SparseMatrix m;
    for (auto [i, v] : entries) m.push_back({i, i, v});
    return m;
}

SparseMatrix projector(std::vector<Complex> const& state) {
    SparseMatrix m;
    for (std::size_t i = 0; i < state.size(); ++i)
        for (std::size_t j = 0; j < state.size(); ++j) {
            Complex v = state[i] * std::conj(state[j]);
            if (std::abs(v) > 0) m.push_back({static_cast<int>(i), static_cast<int>(j), v});
        }
    return m;
}

std::vector<Complex> state_of(int levels, std::vector<std::pair<int, double>> const& amplitudes) {
    std::vector<Complex> s(static_cast<std::size_t>(levels));
    double norm = 0;
    for (auto [i, v] : amplitudes) norm += v * v;
    for (auto [i, v] : amplitudes) s[static_cast<std::size_t>(i)] = v / std::sqrt(norm);
    return s;
}

void set_target(QuantumSystem& s, std::vector<Complex> state) {
    s.target = projector(state);
    s.target_state = std::move(state);
}

// The value of a reference case's config, an option, or the paper's.
double pick(PresetOptions const& o, char const* key, double option, double own) {
    if (o.official.is_object() && o.official.contains(key)) return o.official[key].get<double>();
    return option >= 0 ? option : own;
}

std::pair<double, double> weights(PresetOptions const& o, char const* key, Json const& option, double a, double b) {
    Json value = o.official.is_object() && o.official.contains(key) ? o.official[key] : option;
    if (value.is_array() && value.size() == 2) return {value[0].get<double>(), value[1].get<double>()};
    return {a, b};
}

Control amplitude(std::string name, double megahertz) {
    return {std::move(name), ControlKind::amplitude, two_pi * megahertz, 0, two_pi * megahertz};
}
// scale and bound in MHz; a scale of 0: the action is rad/us itself, as in the official Lambda environment.
Control detuning(std::string name, double scale, double bound) {
    return {std::move(name), ControlKind::detuning, scale == 0 ? 1.0 : two_pi * scale, -two_pi * std::abs(bound),
            two_pi * std::abs(bound)};
}

QuantumSystem lambda(PresetOptions const& o, bool five) {
    QuantumSystem s;
    s.name = five ? "lambda5" : "lambda4";
    s.title = five ? "Lambda system with a second excited level" : "Lambda system";
    s.levels = five ? 5 : 4;
    s.level_names = five ? std::vector<std::string>{"0", "1 (excited)", "2", "3 (excited)", "sink"}
                         : std::vector<std::string>{"0", "1 (excited)", "2", "sink"};
    double const omega = pick(o, "omega_0", o.omega, 30), bound = pick(o, "delta_p", o.delta_max, 20);
    s.controls = {amplitude("omega_p", omega), amplitude("omega_s", omega), detuning("delta_p", 0, bound),
                  detuning("delta_s", 0, bound)};
    double const x = two_pi * pick(o, "x_detuning", -1, 100);
    if (five) {
        s.terms = {{"second excited level", -1, 1, diagonal({{3, x}})},
                   {"pump", 0, 1, coupling({{1, 0, 0.5}, {3, 0, 0.5}})},
                   {"Stokes", 1, 1, coupling({{2, 1, 0.5}, {2, 3, -0.5}})},
                   {"pump detuning", 2, 1, diagonal({{1, 1}, {3, 1}})},
                   {"Stokes detuning", 3, 1, diagonal({{2, 1}})}};
        s.jumps = {{"decay", two_pi * pick(o, "gamma", o.gamma, 1) / 4, {{4, 1, 1.0}, {4, 3, 1.0}}}};
    } else {
        s.terms = {{"pump", 0, 1, coupling({{1, 0, 0.5}})},
                   {"Stokes", 1, 1, coupling({{2, 1, 0.5}})},
                   {"pump detuning", 2, 1, diagonal({{1, 1}})},
                   {"Stokes detuning", 3, 1, diagonal({{2, 1}})}};
        s.jumps = {{"decay", two_pi * pick(o, "gamma", o.gamma, 1), {{3, 1, 1.0}}}};
    }
    auto [w0, w2] = weights(o, "initial_state", o.initial_state, 1, 0);
    for (auto [level, w] : {std::pair{0, w0}, std::pair{2, w2}}) {
        if (w != 0) s.initial.push_back({w / (w0 + w2), state_of(s.levels, {{level, 1.0}})});
    }
    auto [f0, f2] = weights(o, "final_state", o.final_state, 0, 1);
    set_target(s, state_of(s.levels, {{0, f0}, {2, f2}}));
    s.duration = pick(o, "t_total", o.duration, 1);
    s.steps = five ? 48 : 36;
    s.watched = {{"x", {{1, 1.0}}, 1}};
    return s;
}

QuantumSystem rydberg1(PresetOptions const& o) {
    QuantumSystem s;
    s.name = "rydberg1";
    s.title = "Rydberg CZ gate, one photon";
    s.levels = 9;
    s.level_names = {"00", "01", "0r", "10", "11", "1r", "r0", "r1", "rr"};
    double const bound = pick(o, "delta_p", o.delta_max, 40);
    s.controls = {amplitude("omega", pick(o, "omega_0", o.omega, 100)), detuning("delta", bound, bound)};
    SparseMatrix detuned = diagonal({{8, -2}, {6, -1}, {2, -1}, {7, -1}, {5, -1}});
    if (!o.diagonal_detuning) {
        SparseMatrix pair = coupling({{7, 5, -1.0}});
        detuned.insert(detuned.end(), pair.begin(), pair.end());
    }
    s.terms = {{"blockade", -1, 1, diagonal({{8, two_pi * pick(o, "blockade_strength", -1, 500)}})},
               {"drive", 0, 1, coupling({{1, 2, .5}, {3, 6, .5}, {4, 7, .5}, {4, 5, .5}, {5, 8, .5}, {7, 8, .5}})},
               {"detuning", 1, 1, detuned}};
    double const rate = two_pi * pick(o, "gamma", o.gamma, .003);
    for (auto [i, j] : std::vector<std::pair<int, int>>{
             {0, 6}, {3, 6}, {1, 2}, {0, 2}, {4, 5}, {3, 5}, {1, 7}, {4, 7}, {7, 8}, {5, 8}, {2, 8}, {6, 8}}) {
        s.jumps.push_back({"decay " + std::to_string(j) + " to " + std::to_string(i), rate, {{i, j, 1.0}}});
    }
    s.initial = {{1, state_of(9, {{0, 1}, {1, 1}, {3, 1}, {4, 1}})}};
    set_target(s, state_of(9, {{0, 1}, {1, 1}, {3, 1}, {4, -1}}));
    s.duration = pick(o, "t_total", o.duration, .25);
    s.steps = 48;
    s.watched = {{"x1", {{2, .5}, {5, .5}}, 1}, {"x2", {{7, .5}, {6, .5}}, 1}, {"x3", {{8, 1}}, 1}};
    s.qubit_levels = {0, 1, 3, 4};
    s.gate = {1, 1, 1, -1};
    return s;
}

QuantumSystem rydberg2(PresetOptions const& o) {
    QuantumSystem s;
    s.name = "rydberg2";
    s.title = "Rydberg CZ gate, two photons";
    s.levels = 13;
    s.level_names = {"00", "01", "10", "11", "0e", "e0", "0r", "r0", "e", "1r", "er", "rr", "sink"};
    for (int i = 4; i < 12; ++i) s.level_names[static_cast<std::size_t>(i)] = std::to_string(i);
    double const delta_e = o.official.is_object() ? o.official.value("delta_e", -2500.0) : -2500.0;
    double const stokes = pick(o, "omega_r", o.omega, 20), delta_r = pick(o, "delta_r", o.delta_max, 20);
    double const pump = std::sqrt(std::abs(delta_e) * pick(o, "omega_e", -1, 28.8));
    s.controls = {amplitude("omega_p", pump), amplitude("omega_s", stokes), detuning("delta_p", delta_e, delta_e),
                  detuning("delta_s", delta_r, delta_r)};
    double const r = root_two / 2;
    s.terms = {{"blockade", -1, 1, diagonal({{11, two_pi * pick(o, "blockade_strength", -1, 500)}})},
               {"pump", 0, 1, coupling({{1, 4, .5}, {3, 8, r}, {9, 10, .5}, {2, 5, .5}})},
               {"Stokes", 1, 1, coupling({{4, 7, .5}, {5, 6, .5}, {8, 9, .5}, {10, 11, r}})},
               {"pump detuning", 2, 1, diagonal({{8, 1}, {10, 1}})},
               {"Stokes detuning", 3, 1, diagonal({{9, 1}, {10, 1}})}};
    double const gamma = two_pi * pick(o, "gamma", o.gamma, 3);
    double const e = pick(o, "e_dissipation", -1, 1), y = pick(o, "r_dissipation", -1, .001);
    for (int k : {4, 5, 8}) s.jumps.push_back({"decay of " + std::to_string(k), gamma * e * e, {{12, k, 1.0}}});
    for (int k : {9, 10, 11, 6, 7}) s.jumps.push_back({"decay of " + std::to_string(k), gamma * y * y, {{12, k, 1.0}}});
    s.initial = {{1, state_of(13, {{0, 1}, {1, 1}, {2, 1}, {3, 1}})}};
    set_target(s, state_of(13, {{0, 1}, {1, 1}, {2, 1}, {3, -1}}));
    s.duration = pick(o, "t_total", o.duration, .5);
    s.steps = 2000;
    s.watched = {{"e", {{4, 1.0 / 3}, {5, 1.0 / 3}, {8, 1.0 / 3}}, e},
                 {"r", {{9, .2}, {6, .2}, {10, .2}, {11, .2}, {7, .2}}, y}};
    s.qubit_levels = {0, 1, 2, 3};
    s.gate = {1, 1, 1, -1};
    return s;
}

// Transmon (0..2) and resonator (0..1), level 2 n + m.
QuantumSystem transmon(PresetOptions const& o) {
    QuantumSystem s;
    s.name = "transmon";
    s.title = "Transmon reset through a resonator";
    s.levels = 6;
    s.level_names = {"g0", "g1", "e0", "e1", "f0", "f1"};
    double const top = pick(o, "omega_max", o.omega, 330), bound = pick(o, "delta_max", o.delta_max, .1);
    s.controls = {amplitude("amp", top), detuning("det", bound, bound)};
    auto own = [&](char const* key, double value) {
        return o.official.is_object() ? o.official.value(key, value) : value;
    };
    double const delta = own("delta", 1934), anharm = own("anharm", -330), g = own("g_coupling", 67);
    double const coupled = g * anharm / (root_two * delta * (delta + anharm));
    double const chi = two_pi * own("chi", -.335), k = own("k_factor", -.001);
    double const largest = two_pi * top;
    auto number = [&](double factor) {  // factor q+q
        return diagonal({{2, factor}, {3, factor}, {4, 2 * factor}, {5, 2 * factor}});
    };
    s.terms = {{"dispersive shift", -1, 1, diagonal({{3, chi / 2}, {5, chi}})},
               {"Stark shift at full amplitude", -1, 1, number(-k * largest * largest)},
               {"drive", 0, 1, coupling({{1, 4, coupled}})},
               {"Stark shift", 0, 2, number(k)},
               {"detuning", 1, 1, number(1)}};
    s.jumps = {{"resonator decay", pick(o, "kappa", -1, 5), {{0, 1, 1.0}, {2, 3, 1.0}, {4, 5, 1.0}}},
               {"transmon decay",
                pick(o, "gamma", o.gamma, .002),
                {{0, 2, 1.0}, {1, 3, 1.0}, {2, 4, root_two}, {3, 5, root_two}}}};
    s.initial = {{1, state_of(6, {{4, 1}})}};
    s.target = diagonal({{0, 1}, {1, 1}, {2, .5}, {3, .5}});  // 1 - <n>/2
    s.duration = pick(o, "sim_t1", o.duration, .2);
    s.knots = 101;
    s.interpolation = Interpolation::linear;
    s.steps = 180;
    return s;
}

}  // namespace

std::vector<std::string> preset_names() { return {"lambda5", "lambda4", "rydberg1", "rydberg2", "transmon"}; }

Result<QuantumSystem> preset(std::string const& name, PresetOptions const& options) {
    QuantumSystem system;
    if (name == "lambda5" || name == "lambda4") {
        system = lambda(options, name == "lambda5");
    } else if (name == "rydberg1") {
        system = rydberg1(options);
    } else if (name == "rydberg2") {
        system = rydberg2(options);
    } else if (name == "transmon") {
        system = transmon(options);
    } else {
        return bad_input("there is no system \"" + name + "\"", {},
                         "Known are lambda5, lambda4, rydberg1, rydberg2 and transmon; or give a system file",
                         "system");
    }
    if (options.official.is_object()) system.knots = options.official.value("n_action_steps", system.knots);
    ORRERY_CHECK(check_system(system, name));
    return system;
}

}  // namespace orrery::methods::quantum_control
