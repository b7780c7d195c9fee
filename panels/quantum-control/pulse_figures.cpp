#include "panels/quantum-control/pulse_figures.h"

#include "core/base/number.h"
#include "core/base/table.h"
#include "core/methods/quantum-control/system_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace orrery::panels::quantum_control {

using method::Control;
using method::ControlKind;
using method::Pulse;
using method::QuantumSystem;
using method::two_pi;

namespace {

constexpr std::array<char const*, 9> system_keys{"system",    "system_file",       "omega",  "gamma", "duration",
                                                 "delta_max", "diagonal_detuning", "knots", "threads"};

void take(Json const& parameters, char const* key, double& value) {
    if (auto const found = parameters.find(key); found != parameters.end() && found->is_number())
        value = found->get<double>();
}

// Colours that stand out from each other in both themes: blue, vermillion, bluish green, reddish purple.
constexpr std::array<int, 4> colors{4, 5, 2, 6};

Series knots_of(std::string name, Pulse const& pulse, std::size_t control, int color) {
    Series series;
    series.name = std::move(name);
    series.color = color;
    series.x = pulse.times;
    for (double v : pulse.values[control]) series.y.push_back(v / two_pi);
    return series;
}

}  // namespace

Json system_parameters(Json const& parameters) {
    Json kept = Json::object();
    for (char const* key : system_keys)
        if (auto const found = parameters.find(key); found != parameters.end() && !found->is_null()) kept[key] = *found;
    return kept;
}

Result<QuantumSystem> system_of(Json const& parameters) {
    QuantumSystem system;
    std::string const file = parameters.value("system_file", std::string());
    if (!file.empty()) {
        ORRERY_TRY(system, method::read_system(file));
    } else {
        method::PresetOptions options;
        take(parameters, "omega", options.omega);
        take(parameters, "gamma", options.gamma);
        take(parameters, "duration", options.duration);
        take(parameters, "delta_max", options.delta_max);
        options.diagonal_detuning = parameters.value("diagonal_detuning", false);
        ORRERY_TRY(system, method::preset(parameters.value("system", std::string("lambda5")), options));
    }
    if (auto const knots = parameters.find("knots"); knots != parameters.end() && knots->is_number_integer())
        system.knots = knots->get<int>();
    return system;
}

Result<Pulse> pulse_from_json(Json const& value, QuantumSystem const& system) {
    Pulse pulse;
    for (Json const& t : value.value("t_us", Json::array()))
        if (t.is_number()) pulse.times.push_back(t.get<double>());
    Json const values = value.value("values", Json::object());
    for (Control const& control : system.controls) {
        std::vector<double> knots;
        for (Json const& v : values.value(control.name, Json::array()))
            if (v.is_number()) knots.push_back(two_pi * v.get<double>());
        if (knots.empty()) knots.assign(pulse.times.size(), 0);
        if (knots.size() != pulse.times.size())
            return bad_input("the pulse's control " + control.name + " has " + std::to_string(knots.size()) +
                             " values, but there are " + std::to_string(pulse.times.size()) + " times");
        pulse.values.push_back(std::move(knots));
    }
    if (pulse.times.size() < 2) return bad_input("the pulse has fewer than two knots");
    return pulse;
}

Json pulse_to_json(Pulse const& pulse, QuantumSystem const& system) {
    Json values = Json::object();
    for (std::size_t c = 0; c < system.controls.size() && c < pulse.values.size(); ++c) {
        Json list = Json::array();
        for (double v : pulse.values[c]) list.push_back(v / two_pi);
        values[system.controls[c].name] = std::move(list);
    }
    return {{"t_us", pulse.times}, {"values", std::move(values)}};
}

std::string control_title(std::string const& name) {
    static constexpr std::array<std::pair<char const*, char const*>, 8> known{{{"omega_p", "pump Ωp"},
                                                                              {"omega_s", "Stokes Ωs"},
                                                                              {"delta_p", "pump detuning Δp"},
                                                                              {"delta_s", "Stokes detuning Δs"},
                                                                              {"omega", "drive Ω"},
                                                                              {"delta", "detuning Δ"},
                                                                              {"amp", "drive amplitude"},
                                                                              {"det", "drive detuning"}}};
    for (auto const& [plain, title] : known)
        if (name == plain) return title;
    return name;
}

std::vector<std::size_t> controls_of(QuantumSystem const& system, ControlKind kind) {
    std::vector<std::size_t> list;
    for (std::size_t c = 0; c < system.controls.size(); ++c)
        if (system.controls[c].kind == kind) list.push_back(c);
    return list;
}

bool has_controls(QuantumSystem const& system, ControlKind kind) { return !controls_of(system, kind).empty(); }

Figure controls_figure(QuantumSystem const& system, Pulse const& pulse, std::vector<Pulse> const& past,
                       ControlKind kind) {
    bool const amplitude = kind == ControlKind::amplitude;
    XyPlot plot;
    plot.kind = XyKind::line;
    plot.x.title = "time";
    plot.x.unit = "µs";
    plot.y.title = amplitude ? "amplitude" : "detuning";
    plot.y.unit = "MHz";
    std::vector<std::size_t> const controls = controls_of(system, kind);
    double most = 0;
    std::vector<Series> full;
    for (std::size_t k = 0; k < controls.size(); ++k) {
        std::size_t const c = controls[k];
        if (c >= pulse.values.size()) continue;
        int const color = colors[k % colors.size()];
        std::string const title = control_title(system.controls[c].name);
        full.push_back(knots_of(title, pulse, c, color));
        for (double v : pulse.values[c]) most = std::max(most, std::abs(v / two_pi));
        for (Pulse const& earlier : past)
            for (double v : earlier.values[c]) most = std::max(most, std::abs(v / two_pi));
    }
    // The past lies under the present.
    for (Pulse const& earlier : past)
        for (std::size_t k = 0; k < full.size(); ++k) {
            Series series = knots_of("earlier", earlier, controls[k], colors[k % colors.size()]);
            series.faint = true;
            plot.series.push_back(std::move(series));
        }
    for (Series& series : full) plot.series.push_back(std::move(series));
    // The generator's limit stays in sight, so that a pulse at its limit is seen to be there.
    if (amplitude && !controls.empty()) {
        double const limit = system.controls[controls.front()].upper / two_pi;
        plot.y.minimum = 0;
        plot.y.maximum = std::max(limit, most) * 1.05;
        if (limit > 0) plot.horizontal_lines = {limit};
    } else if (most == 0) {
        plot.y.minimum = -1;
        plot.y.maximum = 1;
    }
    Figure figure;
    figure.title = amplitude ? "Amplitudes" : "Detunings";
    figure.content = std::move(plot);
    return figure;
}

Figure spectrum_figure(QuantumSystem const& system, Pulse const& pulse, double deviation) {
    constexpr double floor = 1e-5;  // below it nothing is drawn
    XyPlot plot;
    plot.kind = XyKind::line;
    plot.x.title = "frequency";
    plot.x.unit = "MHz";
    plot.y.title = "relative";
    plot.y.logarithmic = true;
    plot.y.minimum = floor;
    plot.y.maximum = 2;
    Figure figure;
    figure.title = "Spectrum of the amplitudes";
    std::size_t const knots = pulse.times.size();
    if (knots < 2) return figure;
    double const duration = pulse.times.back() - pulse.times.front();
    double const nyquist = 0.5 * static_cast<double>(knots - 1) / duration;
    std::vector<double> frequencies;
    for (double f = 0; f <= nyquist; f += 0.25 / duration) frequencies.push_back(f);
    int order = 0;
    for (std::size_t const c : controls_of(system, ControlKind::amplitude)) {
        Series series;
        series.name = control_title(system.controls[c].name);
        series.color = colors[static_cast<std::size_t>(order++) % colors.size()];
        series.x = frequencies;
        double most = 0;
        for (double const f : frequencies) {
            double re = 0, im = 0;
            for (std::size_t k = 0; k < knots; ++k) {  // trapezoids between knots
                double const left = k > 0 ? pulse.times[k] - pulse.times[k - 1] : 0;
                double const right = k + 1 < knots ? pulse.times[k + 1] - pulse.times[k] : 0;
                double const v = pulse.values[c][k] * 0.5 * (left + right), phase = two_pi * f * pulse.times[k];
                re += v * std::cos(phase);
                im -= v * std::sin(phase);
            }
            series.y.push_back(std::hypot(re, im));
            most = std::max(most, series.y.back());
        }
        if (most <= 0) continue;
        for (double& y : series.y) y = std::max(y / most, floor);
        plot.series.push_back(std::move(series));
    }
    if (deviation > 0) {
        double const sigma = deviation * duration / static_cast<double>(knots - 1);
        Series series;
        series.name = "smoothing filter";
        series.color = 7;
        for (double const f : frequencies) {
            double const y = std::exp(-0.5 * std::pow(two_pi * f * sigma, 2));
            if (y < floor) break;
            series.x.push_back(f);
            series.y.push_back(y);
        }
        plot.series.push_back(std::move(series));
    }
    figure.content = std::move(plot);
    return figure;
}

Populations populations_from_json(Json const& value, std::vector<double> times,
                                  std::vector<std::string> const& levels) {
    Populations out;
    out.times = std::move(times);
    if (!value.is_object()) return out;
    for (std::string const& name : levels) {
        std::vector<double> column;
        for (Json const& v : value.value(name, Json::array())) column.push_back(v.is_number() ? v.get<double>() : 0);
        column.resize(out.times.size());
        out.levels.push_back(name);
        out.values.push_back(std::move(column));
    }
    return out;
}

Result<Populations> populations_from_csv(std::string_view text, std::string const& file_name) {
    ORRERY_TRY(CsvFile const csv, parse_csv(text, file_name, ','));
    int const time = csv.column("t_us");
    if (time < 0) return bad_input("the populations have no column t_us", file_name, "Run it again");
    Populations out;
    static std::string const prefix = "population ";
    for (std::size_t c = 0; c < csv.header.size(); ++c) {
        if (static_cast<int>(c) == time) continue;
        std::string name = csv.header[c];
        if (name.starts_with(prefix)) name = name.substr(prefix.size());
        out.levels.push_back(std::move(name));
        out.values.emplace_back();
    }
    for (auto const& row : csv.rows) {
        std::size_t level = 0;
        for (std::size_t c = 0; c < row.size(); ++c) {
            double const v = parse_real(row[c]).value_or(0);
            if (static_cast<int>(c) == time) out.times.push_back(v);
            else out.values[level++].push_back(v);
        }
    }
    return out;
}

Figure populations_figure(Populations const& populations) {
    XyPlot plot;
    plot.kind = XyKind::line;
    plot.x.title = "time";
    plot.x.unit = "µs";
    plot.y.title = "population";
    plot.y.minimum = 0;
    plot.y.maximum = 1.02;
    static constexpr std::array<int, 8> order{4, 5, 2, 6, 0, 1, 7, 3};
    double highest = 0;
    for (std::size_t level = 0; level < populations.levels.size(); ++level) {
        std::vector<double> const& values = populations.values[level];
        double const most = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
        if (most < 1e-4) continue;
        highest = std::max(highest, most);
        Series series;
        series.name = populations.levels[level];
        series.color = order[level % order.size()];
        series.x = populations.times;
        series.y = values;
        plot.series.push_back(std::move(series));
    }
    // States spread over many levels would lie at the foot of a full axis.
    if (highest > 0 && highest < 0.5) plot.y.maximum = std::ceil(highest * 11) / 10;
    Figure figure;
    figure.title = "Populations";
    figure.content = std::move(plot);
    return figure;
}

}  // namespace orrery::panels::quantum_control
