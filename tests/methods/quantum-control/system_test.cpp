#include "core/methods/quantum-control/pulse_file.h"
#include "core/methods/quantum-control/system_file.h"
#include "tests/catch.h"

#include <cmath>

using namespace orrery;
using namespace orrery::methods::quantum_control;

namespace {

Json qubit() {
    return Json::parse(R"({"name": "qutrit", "levels": ["g", "e", "f"], "duration_us": 0.2, "knots": 30,
        "controls": [{"name": "omega", "kind": "amplitude", "max": 30, "unit": "MHz"},
                     {"name": "delta", "kind": "detuning", "min": -20, "max": 20}],
        "terms": [{"name": "anharmonicity", "control": "static", "unit": "MHz", "entries": [[2, 2, -200, 0]]},
                  {"name": "drive", "control": "omega",
                   "entries": [[0, 1, 0, -0.5], [1, 0, 0, 0.5], [1, 2, 0.7, 0], [2, 1, 0.7, 0]]},
                  {"name": "detuning", "control": "delta", "matrix": [[0, 0, 0], [0, 1, 0], [0, 0, [2, 0]]]}],
        "jumps": [{"name": "decay", "rate": 0.5, "unit": "1/us", "entries": [[0, 1, 1], [1, 2, 1.4]]},
                  {"name": "heating", "rate": 0.1, "unit": "1/us", "entries": [[1, 0, 1]]}],
        "initial": [0.6, [0, 0.8], 0], "target": {"level": 1}, "watched": [2]})");
}

std::string message(Json const& file) {
    auto system = parse_system(file.dump(), "mine.json");
    REQUIRE_FALSE(system.ok());
    CHECK(system.error().kind == ErrorKind::bad_input);
    return system.error().message();
}

bool says(std::string const& text, std::vector<std::string> const& parts) {
    INFO(text);
    bool all = true;
    for (std::string const& part : parts) {
        if (text.find(part) != std::string::npos) continue;
        UNSCOPED_INFO("lacks: " << part);
        all = false;
    }
    return all;
}

Pulse wave(QuantumSystem const& system) {
    Pulse pulse = empty_pulse(system);
    for (std::size_t c = 0; c < pulse.values.size(); ++c) {
        for (std::size_t k = 0; k < pulse.times.size(); ++k) {
            double const x = static_cast<double>(k + c) / static_cast<double>(pulse.times.size());
            pulse.values[c][k] = system.controls[c].upper * (0.4 + 0.3 * std::sin(7 * x));
        }
    }
    return pulse;
}

}  // namespace

TEST_CASE("wrong systems are refused with the name of what is wrong") {
    CHECK(parse_system(qubit().dump(), "mine.json").ok());
    Json f = qubit();
    f["terms"][1]["entries"][1][3] = 0.4;
    CHECK(says(message(f), {"Hamiltonian term \"drive\"", "not Hermitian", "[0,1]", "mine.json"}));
    f = qubit();
    f["terms"][2]["matrix"] = Json::parse("[[0, 0], [0, 1]]");
    CHECK(says(message(f), {"Hamiltonian term \"detuning\"", "not 3 x 3"}));
    f = qubit();
    f["terms"][0]["entries"][0][0] = 3;
    CHECK(says(message(f), {"Hamiltonian term \"anharmonicity\"", "[3,2]", "3 levels"}));
    f = qubit();
    f["terms"][0]["unit"] = "furlong";
    CHECK(says(message(f), {"furlong", "Hamiltonian term \"anharmonicity\"", "MHz"}));
    f = qubit();
    f["terms"][0]["entries"][0][2] = nullptr;  // NaN has no other form in JSON
    CHECK(says(message(f), {"Hamiltonian term \"anharmonicity\"", "not a number"}));
    f = qubit();
    f["terms"][1]["control"] = "omga";
    CHECK(says(message(f), {"omga", "Hamiltonian term \"drive\""}));
    f = qubit();
    f["jumps"][0]["rate"] = -1;
    CHECK(says(message(f), {"jump operator \"decay\"", "negative"}));
    f = qubit();
    f["jumps"][1]["unit"] = "per day";
    CHECK(says(message(f), {"jump operator \"heating\"", "per day"}));
    f = qubit();
    f["initial"] = Json::parse("[1, 1, 0]");
    CHECK(says(message(f), {"initial state", "norm 1.414"}));
    f = qubit();
    f["initial"] = Json::parse("[1, 0]");
    CHECK(says(message(f), {"initial state", "2 amplitudes", "3 levels"}));
    f = qubit();
    f["target"] = Json::parse("{\"level\": 7}");
    CHECK(says(message(f), {"target state", "level 7"}));
    f = qubit();
    f["controls"][0]["unit"] = 5;
    CHECK(says(message(f), {"unit of \"omega\""}));
    f = qubit();
    f["knots"] = "many";
    CHECK(says(message(f), {"knots", "not a number"}));
    for (std::string const& text : {std::string(), std::string("{\"levels\": "), std::string("[1, 2]"),
                                    std::string(100000, '['), std::string("\xff\xfe{\0}", 5)}) {
        CHECK_FALSE(parse_system(text, "bad.json").ok());
    }
    std::string const whole = qubit().dump();
    for (std::size_t cut = 0; cut < whole.size(); cut += 7) CHECK_FALSE(parse_system(whole.substr(0, cut), "cut").ok());
    Json const good = qubit();
    for (auto const& [key, value] : good.items()) {  // any value of another type
        for (Json const& other : {Json(), Json(-1), Json("x"), Json::array({Json::object()}), Json::object()}) {
            f = qubit();
            f[key] = other;
            auto result = parse_system(f.dump(), "typed");
            if (key != "watched" && key != "jumps" && key != "name" && key != "terms") CHECK_FALSE(result.ok());
        }
    }
}

TEST_CASE("the reduced program equals the whole density matrix, for every system") {
    std::vector<QuantumSystem> systems = {*parse_system(qubit().dump(), "mine.json")};
    for (std::string const name : {"lambda5", "lambda4", "rydberg1", "transmon"}) systems.push_back(*preset(name));
    systems[2].initial = {{0.25, systems[2].initial[0].state}, {0.75, {0, 0, 1, 0}}};  // a mixture
    for (QuantumSystem const& system : systems) {
        Pulse const pulse = wave(system);
        auto reduced = compile(system, true), whole = compile(system, false);
        REQUIRE(reduced.ok());
        REQUIRE(whole.ok());
        CHECK(reduced->components <= whole->components);
        if (system.name != "qutrit") CHECK(reduced->components < whole->components);
        AdaptivePlan plan;
        plan.method = AdaptiveMethod::dopri8;
        plan.relative = plan.absolute = 1e-11;
        plan.most_steps = 10000000;
        plan.stop_at_knots = true;
        plan.interpolation = system.interpolation;
        AdaptiveRun const a = run_adaptive(*reduced, pulse, plan), b = run_adaptive(*whole, pulse, plan);
        auto const x = reduced->density(a.trajectory.state.data()), y = whole->density(b.trajectory.state.data());
        double worst = 0, trace = 0;
        for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::abs(x[i] - y[i]));
        for (int i = 0; i < system.levels; ++i) trace += y[static_cast<std::size_t>(i * system.levels + i)].real();
        INFO(system.name << ": " << reduced->components << " of " << whole->components << ", worst " << worst);
        CHECK(worst < 1e-8);
        CHECK(std::abs(trace - 1) < 1e-9);
        CHECK(std::abs(a.trajectory.fidelity - b.trajectory.fidelity) < 1e-8);
    }
}

TEST_CASE("both kernels agree, lanes do not mix, and the gradient is that of the fidelity") {
    for (std::string const name : {"lambda5", "rydberg1", "transmon", "mine"}) {
        QuantumSystem const system = name == "mine" ? *parse_system(qubit().dump(), "mine.json") : *preset(name);
        auto program = compile(system);
        REQUIRE(program.ok());
        SimulationPlan plan;
        plan.steps = 8;
        plan.interpolation = system.interpolation;
        std::vector<Pulse> pulses(11, wave(system));
        for (std::size_t k = 0; k < pulses.size(); ++k)
            for (double& v : pulses[k].values[0]) v *= 1 - 0.03 * static_cast<double>(k);
        Simulator const best(*program), plain(*program, plain_kernels());
        std::vector<Trajectory> many, slow;
        best.run(pulses, {}, plan, 2, many);
        plain.run(pulses, {}, plan, 1, slow);
        for (std::size_t k = 0; k < pulses.size(); ++k) {
            CHECK(many[k].fidelity == best.run_one(pulses[k], plan).fidelity);
            CHECK(std::abs(many[k].fidelity - slow[k].fidelity) < 1e-9);
        }
        auto const gradient = best.gradient({pulses.data(), 3}, plan);
        for (std::size_t c = 0; c < system.controls.size(); ++c) {
            for (std::size_t k : {std::size_t{0}, std::size_t{1}, std::size_t{9}, pulses[1].times.size() - 1}) {
                double const h = 1e-4 * system.controls[c].upper;
                Pulse up = pulses[1], down = pulses[1];
                up.values[c][k] += h;
                down.values[c][k] -= h;
                double const by_difference =
                    (best.run_one(up, plan).fidelity - best.run_one(down, plan).fidelity) / (2 * h);
                INFO(name << " control " << c << " knot " << k << ": " << gradient[1].by_knot[c][k] << " against "
                          << by_difference);
                CHECK(std::abs(gradient[1].by_knot[c][k] - by_difference) * system.controls[c].upper < 2e-5);
            }
        }
        CHECK(gradient[1].fidelity == many[1].fidelity);
    }
}

TEST_CASE("pulses are read back as written, and wrong ones refused with file and line") {
    QuantumSystem const system = *preset("lambda5");
    Pulse const pulse = wave(system);
    auto back = parse_pulse_csv(pulse_csv(pulse, system, {"a comment"}), system, "p.csv");
    REQUIRE(back.ok());
    CHECK(back->times == pulse.times);
    for (std::size_t c = 0; c < 4; ++c)
        for (std::size_t k = 0; k < pulse.times.size(); ++k)
            CHECK(std::abs(back->values[c][k] - pulse.values[c][k]) < 1e-9);
    auto wrong = [&](std::string const& text) {
        auto result = parse_pulse_csv(text, system, "p.csv");
        REQUIRE_FALSE(result.ok());
        return result.error().message();
    };
    std::string const header = "t_us,omega_p_MHz,omega_s_MHz\n";
    CHECK(parse_pulse_csv("t_us;omega_p_MHz;omega_s_MHz\n0;1;2\n1;1;2\n2;1;2\n3;1;2\n", system, "p.csv").ok());
    CHECK(says(wrong(header + "0,1,2\n0,1,2\n1,1,2\n2,1,2\n"), {"does not come after", "p.csv line 3"}));
    CHECK(says(wrong(header + "0,1,2\n1,nan,2\n2,1,2\n3,1,2\n"), {"not a number", "line 3"}));
    CHECK(says(wrong("t_us,omega_p_MHz,omega_s_MHz,phase\n0,1,2,3\n"), {"phase", "no control of lambda5"}));
    CHECK(says(wrong("t_us,omega_p_MHz\n0,1\n1,2\n2,2\n3,3\n"), {"omega_s_MHz", "missing"}));
    CHECK(says(wrong(header + "0,1,2\n1,1,2\n"), {"2 knots"}));
    CHECK_FALSE(parse_pulse_csv("", system, "p.csv").ok());
    CHECK_FALSE(parse_pulse_csv(std::string("\xff\xfet\0", 4), system, "p.csv").ok());

    std::string npy = "\x93NUMPY";
    std::string text = "{'descr': '<f8', 'fortran_order': False, 'shape': (4, 5), }";
    text.resize(118, ' ');
    npy += std::string("\x01\x00", 2) + static_cast<char>(text.size()) + std::string("\x00", 1) + text;
    std::string data(4 * 5 * 8, '\0');
    auto array = parse_pulse_npy(npy + data, system, "p.npy");
    if (!array.ok()) FAIL(array.error().message());
    CHECK(array->times.size() == 5);
    for (std::size_t cut = 0; cut < npy.size() + data.size(); cut += 5)
        CHECK_FALSE(parse_pulse_npy((npy + data).substr(0, cut), system, "p.npy").ok());
    CHECK_FALSE(parse_pulse_npy(npy + data + "x", system, "p.npy").ok());
}
