#include "tests/figure/samples.h"

#include <cmath>
#include <random>

namespace orrery::tests {
namespace {

constexpr std::string_view amino_acids = "GAVLIMFWYPSTCNQDEKRH";

// std::normal_distribution differs between libraries; this does not.
class Numbers {
public:
    explicit Numbers(std::uint64_t seed) : m_engine(seed) {}
    double uniform() { return (static_cast<double>(m_engine() >> 11) + 0.5) / 9007199254740992.0; }
    double normal() { return std::sqrt(-2 * std::log(uniform())) * std::cos(6.283185307179586 * uniform()); }

private:
    std::mt19937_64 m_engine;
};

Json record(std::string const& what) {
    return {{"program", "Orrery"}, {"verb", what}, {"note", "Å, ü and \"quotes\" <tag> & more"}, {"seed", 7}};
}

}  // namespace

Figure sample_heat_map(std::size_t positions) {
    Numbers random(1);
    HeatMap map;
    map.rows = {"mutant residue", "", {}, false, 0, 0};
    map.columns = {"residue (author number)", "", {}, false, 0, 0};
    map.value_title = "ddG of binding";
    map.value_unit = "kcal/mol";
    for (char letter : amino_acids) map.rows.categories.emplace_back(1, letter);
    std::size_t const first_chain = positions * 2 / 3;
    std::vector<std::size_t> wild_types;
    Series mean{"mean", {}, {}, {}, {}, {}, -1}, spread{"largest", {}, {}, {}, {}, {}, -1};
    for (std::size_t c = 0; c < positions; ++c) {
        bool const second = c >= first_chain;
        std::size_t const number = second ? c - first_chain + 51 : c + 1;
        std::size_t const wild = static_cast<std::size_t>(random.uniform() * 20);
        wild_types.push_back(wild);
        map.columns.categories.push_back(std::string(1, amino_acids[wild]) + std::to_string(number));
        map.column_keys.push_back((second ? "B:" : "A:") + std::to_string(number));
        map.column_groups.push_back(second ? 1 : 0);
    }
    map.values.assign(20 * positions, 0);
    map.errors.assign(20 * positions, 0.2);
    map.marks.assign(20 * positions, 0);
    std::vector<double> sensitivity;
    for (std::size_t c = 0; c < positions; ++c) sensitivity.push_back(std::max(0.1, 0.9 + 1.1 * random.normal()));
    for (std::size_t r = 0; r < 20; ++r)
        for (std::size_t c = 0; c < positions; ++c) {
            std::size_t const cell = r * positions + c;
            if (r == wild_types[c]) {
                map.marks[cell] = 1;
                continue;
            }
            double const value = sensitivity[c] * (0.5 + random.normal());
            map.values[cell] = c >= positions - positions / 10 ? std::nan("") : value;
            if (std::abs(value) < 0.25) map.marks[cell] = 2;
        }
    for (std::size_t c = 0; c < positions; ++c) {
        double sum = 0, largest = 0;
        for (std::size_t r = 0; r < 20; ++r) {
            double const value = map.values[r * positions + c];
            sum += value / 19;
            largest = std::max(largest, value);
        }
        mean.y.push_back(sum);
        spread.y.push_back(std::isnan(sum) ? sum : largest);
    }
    map.strips = {mean, spread};
    Figure figure;
    figure.title = "Effect of every mutation at the interface";
    figure.caption = "Mean of 20 draws. Positive: weaker binding. ProteinMPNN weights v_48_020, zero-shot, in nats.";
    figure.content = std::move(map);
    figure.provenance = record("scan");
    return figure;
}

Figure sample_small_heat_map() {
    HeatMap map;
    map.rows = {"layer", "", {"embedding", "attention", "feed-forward", "output"}, false, 0, 0};
    map.columns = {"task", "", {"arithmetic", "translation", "recall", "summary", "code", "a very long name of a task"},
                   false,  0,  0};
    map.value_title = "share of parameters changed";
    map.value_unit = "%";
    map.scale = ColorScale::sequential;
    for (int i = 0; i < 24; ++i) map.values.push_back(50 + 45 * std::sin(i * 0.7));
    Figure figure;
    figure.content = std::move(map);
    figure.provenance = record("small");
    return figure;
}

Figure sample_scatter() {
    Numbers random(2);
    XyPlot plot;
    plot.x.title = "measured ddG of binding";
    plot.y.title = "predicted ddG of binding";
    plot.x.unit = plot.y.unit = "kcal/mol";
    plot.identity_line = true;
    plot.notes = {"Pearson 0.71, Spearman 0.69, n = 60", "RMSE 0.94 kcal/mol"};
    Series series{"mutants of 1AO7", {}, {}, {}, {}, {}, -1};
    for (int i = 0; i < 60; ++i) {
        double const x = 1.2 + 1.4 * random.normal();
        series.x.push_back(x);
        series.y.push_back(0.6 * x + 0.3 + 0.7 * random.normal());
        series.error.push_back(0.1 + 0.3 * random.uniform());
    }
    plot.series = {series};
    Figure figure;
    figure.title = "Prediction against measurement";
    figure.content = std::move(plot);
    figure.provenance = record("metrics");
    return figure;
}

Figure sample_two_scatters() {
    Numbers random(3);
    XyPlot plot;
    plot.x = {"retention time", "min", {}, false, 0, 0};
    plot.y = {"intensity", "counts", {}, false, 0, 0};
    for (int s = 0; s < 3; ++s) {
        Series series{"sample " + std::string(1, static_cast<char>('A' + s)), {}, {}, {}, {}, {}, -1};
        for (int i = 0; i < 150; ++i) {
            series.x.push_back(5 + s + 2 * random.normal());
            series.y.push_back(1e6 * std::exp(0.3 * s + 0.5 * random.normal()));
        }
        plot.series.push_back(series);
    }
    plot.horizontal_lines = {1e6};
    Figure figure;
    figure.content = std::move(plot);
    figure.provenance = record("many");
    return figure;
}

Figure sample_lines() {
    Numbers random(4);
    XyPlot plot;
    plot.kind = XyKind::line;
    plot.x = {"step", "", {}, false, 0, 0};
    plot.y = {"loss", "kcal²/mol²", {}, false, 0, 0};
    for (int s = 0; s < 2; ++s) {
        Series series{s == 0 ? "training" : "held out", {}, {}, {}, {}, {}, -1};
        for (int i = 0; i < 400; ++i) {
            series.x.push_back(i);
            series.y.push_back(1.9 * std::exp(-i / 90.0) + 0.4 + 0.25 * s + 0.03 * random.normal());
            if (s == 1) series.error.push_back(0.1 + 0.05 * std::exp(-i / 100.0));
        }
        plot.series.push_back(series);
    }
    plot.series[0].y[200] = std::nan("");
    Figure figure;
    figure.title = "Fine-tuning";
    figure.content = std::move(plot);
    figure.provenance = record("train");
    return figure;
}

Figure sample_few_points() {
    XyPlot plot;
    plot.kind = XyKind::line;
    plot.x = {"temperature", "K", {}, false, 0, 0};
    plot.y = {"rate constant", "1/s", {}, true, 0, 0};
    for (int s = 0; s < 4; ++s) {
        Series series{"catalyst " + std::to_string(s + 1), {}, {}, {}, {}, {}, -1};
        for (int i = 0; i < 8; ++i) {
            series.x.push_back(280 + 10 * i);
            series.y.push_back(std::exp(0.4 * i + s) * 1e-3);
        }
        plot.series.push_back(series);
    }
    Figure figure;
    figure.content = std::move(plot);
    figure.provenance = record("few");
    return figure;
}

Figure sample_bars() {
    XyPlot plot;
    plot.kind = XyKind::bars;
    plot.x = {"complex", "", {"1AO7", "1C1Y", "8EK5", "1BRS", "3HFM"}, false, 0, 0};
    plot.y = {"mean ddG of binding", "kcal/mol", {}, false, 0, 0};
    plot.series = {{"measured", {0, 1, 2, 3, 4}, {1.2, 2.3, -0.4, 3.1, 1.9}, {0.2, 0.3, 0.2, 0.4, 0.2}, {}, {}, -1},
                   {"predicted", {0, 1, 2, 3, 4}, {0.9, 1.6, -0.7, 2.4, 2.2}, {0.3, 0.2, 0.3, 0.2, 0.3}, {}, {}, -1}};
    Figure figure;
    figure.title = "Means of five complexes";
    figure.content = std::move(plot);
    figure.provenance = record("bars");
    return figure;
}

Figure sample_bars_long_names() {
    XyPlot plot;
    plot.kind = XyKind::bars;
    plot.x = {"task", "", {}, false, 0, 0};
    plot.y = {"accuracy", "%", {}, false, 0, 0};
    Series series{"model", {}, {}, {}, {}, {}, -1};
    for (int i = 0; i < 28; ++i) {
        plot.x.categories.push_back((i % 3 == 0 ? "classical mechanics " : "optics ") + std::to_string(i));
        series.x.push_back(i);
        series.y.push_back(40 + 30 * std::sin(i * 0.5));
    }
    plot.series = {series};
    Figure figure;
    figure.content = std::move(plot);
    figure.provenance = record("long");
    return figure;
}

Figure sample_logarithmic() {
    Numbers random(5);
    XyPlot plot;
    plot.x = {"concentration", "M", {}, true, 0, 0};
    plot.y = {"dissociation constant", "M", {}, true, 0, 0};
    plot.identity_line = true;
    Series series{"", {}, {}, {}, {}, {}, -1};
    for (int i = 0; i < 80; ++i) {
        double const x = std::pow(10, -9 + 5 * random.uniform());
        series.x.push_back(x);
        series.y.push_back(x * std::pow(10, 0.4 * random.normal()));
    }
    plot.series = {series};
    Figure figure;
    figure.content = std::move(plot);
    figure.provenance = record("log");
    return figure;
}

std::vector<std::pair<std::string, Figure>> all_samples() {
    return {{"heat_map_33", sample_heat_map(33)},          {"heat_map_244", sample_heat_map(244)},
            {"heat_map_small", sample_small_heat_map()},   {"scatter", sample_scatter()},
            {"two_scatters", sample_two_scatters()},       {"lines", sample_lines()},
            {"few_points", sample_few_points()},           {"bars", sample_bars()},
            {"bars_long_names", sample_bars_long_names()}, {"logarithmic", sample_logarithmic()}};
}

}  // namespace orrery::tests
