// What the room of quantum control computes of a run: curves, pulses, spectrum, state, table.
#include "tests/catch.h"

#include "core/methods/quantum-control/pulse_file.h"
#include "panels/quantum-control/curves.h"
#include "panels/quantum-control/pulse_figures.h"
#include "panels/quantum-control/runs.h"
#include "panels/quantum-control/state_data.h"

#include <cmath>

using namespace orrery;
using namespace orrery::panels::quantum_control;

namespace {

Json round_of(double evaluations, std::vector<double> const& best, bool reward) {
    Json seeds = Json::array();
    for (std::size_t s = 0; s < best.size(); ++s) {
        Json one = {{"seed", 10 + s}, {"fidelity_best", best[s]}};
        if (reward) one.update({{"reward", 2.0 + static_cast<double>(s)}, {"fidelity", best[s] - 0.1}});
        seeds.push_back(std::move(one));
    }
    return {{"round", 1}, {"evaluations", evaluations}, {"seeds", seeds}};
}

XyPlot const& plot_of(Figure const& figure) { return std::get<XyPlot>(figure.content); }

}  // namespace

TEST_CASE("Curves keep the newest point, thin out, and show every seed, their mean and the best") {
    Curves curves;
    for (int k = 1; k <= 9001; ++k) curves.add_round(round_of(k, {1 - 1.0 / k, 1 - 3.0 / (k + 2)}, false));
    REQUIRE(curves.seeds().size() == 2);
    CHECK(curves.seeds()[0].evaluations.size() < 2001);
    CHECK(curves.seeds()[0].evaluations.size() > 500);
    CHECK(curves.evaluations() == 9001);
    CHECK(curves.best() == Approx(1 - 1.0 / 9001).epsilon(1e-12));
    CHECK_FALSE(curves.has_reward());
    for (std::size_t k = 1; k < curves.seeds()[0].evaluations.size(); ++k)
        REQUIRE(curves.seeds()[0].evaluations[k] > curves.seeds()[0].evaluations[k - 1]);
    Figure const figure = curves.infidelity_figure();
    XyPlot const& plot = plot_of(figure);
    REQUIRE(plot.series.size() == 4);
    CHECK(plot.series[0].faint);
    CHECK(plot.series[1].faint);
    CHECK(plot.series[2].y.back() == Approx((1.0 / 9001 + 3.0 / 9003) / 2));
    CHECK(plot.series[3].y.back() == Approx(1.0 / 9001));
}

TEST_CASE("Curves of one seed show the mean of the update; their reward has no spread") {
    Curves curves;
    curves.add_round(round_of(16, {0.5}, true));
    curves.add_round(round_of(32, {0.8}, true));
    CHECK(curves.has_reward());
    Figure const infidelity = curves.infidelity_figure(), reward = curves.reward_figure();
    REQUIRE(plot_of(infidelity).series.size() == 2);
    CHECK(plot_of(infidelity).series[0].y[1] == Approx(0.3));
    CHECK(plot_of(infidelity).series[1].y[1] == Approx(0.2));
    REQUIRE(plot_of(reward).series.size() == 1);
    CHECK(plot_of(reward).series[0].error.empty());
}

TEST_CASE("Curves are read from a run's table and put before what came live") {
    auto read = Curves::from_csv("round,evaluations,seed,reward,fidelity,fidelity_best\n1,16,7,,,0.5\n2,32,7,,,0.75\n",
                                 "curves.csv");
    REQUIRE(read.ok());
    CHECK(read->seeds()[0].seed == 7);
    CHECK(read->best() == 0.75);
    Curves live;
    live.add_round(round_of(32, {0.75}, false));
    live.add_history(read->seeds());
    CHECK(live.seeds()[0].evaluations == std::vector<double>{16, 32});
    CHECK_FALSE(Curves::from_csv("a,b\n1,2\n", "curves.csv").ok());
}

TEST_CASE("A pulse goes through a session unchanged, and an incomplete one is refused") {
    auto const system = method::preset("lambda5");
    REQUIRE(system.ok());
    method::Pulse pulse = method::empty_pulse(*system);
    for (std::size_t k = 0; k < pulse.times.size(); ++k) pulse.values[1][k] = std::sin(0.1 * static_cast<double>(k));
    auto const back = pulse_from_json(pulse_to_json(pulse, *system), *system);
    REQUIRE(back.ok());
    CHECK(back->times == pulse.times);
    for (std::size_t k = 0; k < pulse.times.size(); ++k)
        CHECK(back->values[1][k] == Approx(pulse.values[1][k]).margin(1e-13));
    auto const wrong = pulse_from_json({{"t_us", {0, 1, 2}}, {"values", {{"omega_p", {1, 2}}}}}, *system);
    REQUIRE_FALSE(wrong.ok());
    CHECK(wrong.error().message().find("omega_p has 2 values, but there are 3 times") != std::string::npos);
}

TEST_CASE("Controls are shown by kind, with the past below and the generator's limit in sight") {
    auto const system = method::preset("lambda5");
    REQUIRE(system.ok());
    method::Pulse const pulse = method::empty_pulse(*system);
    Figure const figure = controls_figure(*system, pulse, {pulse, pulse}, method::ControlKind::amplitude);
    XyPlot const& plot = plot_of(figure);
    REQUIRE(plot.series.size() == 6);
    CHECK(plot.series[0].faint);
    CHECK_FALSE(plot.series[4].faint);
    REQUIRE(plot.horizontal_lines.size() == 1);
    CHECK(plot.horizontal_lines[0] == Approx(30));
    CHECK(controls_of(*system, method::ControlKind::detuning) == std::vector<std::size_t>{2, 3});
}

TEST_CASE("The spectrum of a Gaussian pulse is the Gaussian of the smoothing filter") {
    auto const system = method::preset("lambda5");
    REQUIRE(system.ok());
    method::Pulse pulse = method::empty_pulse(*system);
    double const step = pulse.times[1] - pulse.times[0];
    for (std::size_t k = 0; k < pulse.times.size(); ++k)
        pulse.values[0][k] = std::exp(-0.5 * std::pow((pulse.times[k] - 0.5) / (4 * step), 2));
    Figure const figure = spectrum_figure(*system, pulse, 4);
    XyPlot const& plot = plot_of(figure);
    REQUIRE(plot.series.size() == 2);  // the second amplitude is 0 and has none
    Series const &spectrum = plot.series[0], &filter = plot.series[1];
    for (std::size_t k = 0; k < filter.x.size() && filter.y[k] > 1e-3; ++k) {
        CHECK(spectrum.x[k] == filter.x[k]);
        CHECK(spectrum.y[k] == Approx(filter.y[k]).margin(2e-3));
    }
}

TEST_CASE("Bloch vector and natural pair of a density matrix") {
    Json const value = {{"levels", {"a", "b", "c"}},
                        {"t_us", {0, 1}},
                        {"re", {{1, 0, 0, 0, 0, 0, 0, 0, 0}, {0.25, 0, 0.1, 0, 0, 0, 0.1, 0, 0.75}}},
                        {"im", {{0, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, -0.3, 0, 0, 0, 0.3, 0, 0}}}};
    auto const states = read_states(value.dump(), "density.json");
    REQUIRE(states.ok());
    CHECK(natural_pair(*states) == std::pair<std::size_t, std::size_t>{0, 2});
    auto const v = bloch_vector(*states, 1, 0, 2);
    CHECK(v[0] == Approx(0.2));
    CHECK(v[1] == Approx(0.6));
    CHECK(v[2] == Approx(-0.5));
    Json spread = value;  // a superposition of a and b, of which b goes to c
    spread["re"] = {{0.5, 0.5, 0, 0.5, 0.5, 0, 0, 0, 0}, {0.5, 0, 0, 0, 0.1, 0, 0, 0, 0.4}};
    auto const gate = read_states(spread.dump(), "density.json");
    REQUIRE(gate.ok());
    CHECK(natural_pair(*gate) == std::pair<std::size_t, std::size_t>{1, 2});
    Json shorter = value;
    shorter["re"][1] = {1, 2};
    CHECK_FALSE(read_states(shorter.dump(), "density.json").ok());
    CHECK_FALSE(read_states("{", "density.json").ok());
}

TEST_CASE("Rows of a run: one a seed, with the difference to the refined integrator") {
    Json const summary = {{"method", "grape"},
                          {"system", "lambda5"},
                          {"evaluations", 7500},
                          {"runs", {{{"seed", 10}, {"fidelity", 0.99}, {"difference", 2e-9}}, {{"seed", 11}}}}};
    auto const rows = optimize_rows(summary, "r1", "12:00:00", 3.5);
    REQUIRE(rows.ok());
    REQUIRE(rows->size() == 2);
    CHECK((*rows)[0].key == "r1:10");
    CHECK((*rows)[0].method == "GRAPE");
    Table const table = runs_table(*rows);
    CHECK(std::get<double>(table.at(0, static_cast<std::size_t>(table.column_index("difference")))) == Approx(2e-3));
    CHECK(std::get<double>(table.at(0, static_cast<std::size_t>(table.column_index("infidelity")))) == Approx(1e4));
    CHECK_FALSE(optimize_rows(Json::object(), "r1", "", 0).ok());
}
