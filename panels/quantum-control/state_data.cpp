#include "panels/quantum-control/state_data.h"

#include "core/base/json.h"

#include <fmt/format.h>

#include <algorithm>

namespace orrery::panels::quantum_control {
namespace {

std::vector<double> reals(Json const& list) {
    std::vector<double> out;
    for (Json const& v : list) out.push_back(v.is_number() ? v.get<double>() : 0);
    return out;
}

}  // namespace

Result<StateHistory> read_states(std::string_view bytes, std::string const& file_name) {
    Json const value = Json::parse(bytes, nullptr, false);
    auto const wrong = [&](char const* what) { return bad_input(what, file_name, "Simulate the pulse again"); };
    if (!value.is_object() || !value.contains("levels") || !value.contains("re") || !value.contains("im"))
        return wrong("this is no density matrix over time");
    StateHistory out;
    for (Json const& name : value["levels"]) out.levels.push_back(name.is_string() ? name.get<std::string>() : "");
    out.times = reals(value.value("t_us", Json::array()));
    Json const &re = value["re"], &im = value["im"];
    if (!re.is_array() || !im.is_array() || re.size() != out.times.size() || im.size() != out.times.size())
        return wrong("the density matrices are not one a time");
    for (std::size_t k = 0; k < out.times.size(); ++k) {
        std::vector<double> const a = reals(re[k]), b = reals(im[k]);
        std::size_t const cells = out.levels.size() * out.levels.size();
        if (a.size() != cells || b.size() != cells) return wrong("a density matrix has not levels x levels entries");
        std::vector<std::complex<double>> rho(cells);
        for (std::size_t c = 0; c < cells; ++c) rho[c] = {a[c], b[c]};
        out.rho.push_back(std::move(rho));
    }
    return out;
}

std::array<double, 3> bloch_vector(StateHistory const& states, std::size_t time, std::size_t a, std::size_t b) {
    std::complex<double> const coherence = states.at(time, a, b);
    return {2 * coherence.real(), -2 * coherence.imag(), states.at(time, a, a).real() - states.at(time, b, b).real()};
}

std::pair<std::size_t, std::size_t> natural_pair(StateHistory const& states) {
    if (states.size() < 2 || states.empty()) return {0, 0};
    std::size_t const n = states.size();
    double start = 0;
    for (std::size_t level = 0; level < n; ++level) start = std::max(start, states.at(0, level, level).real());
    if (start < 0.9) {  // a superposition, as of gates: what leaves it most, and where to
        std::size_t from = 0, to = 0;
        double deepest = -1, highest = -1;
        for (std::size_t level = 0; level < n; ++level) {
            double const first = states.at(0, level, level).real();
            double low = first, high = first;
            for (std::size_t k = 0; k < states.times.size(); ++k) {
                low = std::min(low, states.at(k, level, level).real());
                high = std::max(high, states.at(k, level, level).real());
            }
            if (first > 1e-3 && first - low > deepest) {
                deepest = first - low;
                from = level;
            }
            if (first <= 1e-3 && high > highest) {
                highest = high;
                to = level;
            }
        }
        if (from != to && deepest >= 0 && highest >= 0) return {from, to};
    }
    auto const most = [&](std::size_t time, std::size_t other) {
        std::size_t best = other == 0 ? 1 : 0;
        for (std::size_t level = 0; level < states.size(); ++level)
            if (level != other && states.at(time, level, level).real() > states.at(time, best, best).real() + 1e-9)
                best = level;
        return best;
    };
    std::size_t const first = most(0, states.size());
    return {first, most(states.times.size() - 1, first)};
}

Figure density_figure(StateHistory const& states, std::size_t time) {
    HeatMap map;
    map.rows.title = "row";
    map.columns.title = "column";
    map.rows.categories = map.columns.categories = states.levels;
    map.value_title = "|rho|";
    map.scale = ColorScale::sequential;
    for (std::complex<double> const& v : states.rho[time]) map.values.push_back(std::abs(v));
    Figure figure;
    figure.title = fmt::format("Density matrix at {:.4g} µs", states.times[time]);
    figure.content = std::move(map);
    return figure;
}

Figure bloch_figure(StateHistory const& states, std::size_t a, std::size_t b) {
    XyPlot plot;
    plot.kind = XyKind::line;
    plot.x.title = "time";
    plot.x.unit = "µs";
    plot.y.title = "Bloch vector of " + states.levels[a] + " and " + states.levels[b];
    for (std::size_t axis = 0; axis < 3; ++axis) {
        Series series;
        series.name = std::string(1, "xyz"[axis]);
        series.x = states.times;
        for (std::size_t k = 0; k < states.times.size(); ++k) series.y.push_back(bloch_vector(states, k, a, b)[axis]);
        plot.series.push_back(std::move(series));
    }
    Figure figure;
    figure.title = "Bloch vector";
    figure.content = std::move(plot);
    return figure;
}

}  // namespace orrery::panels::quantum_control
