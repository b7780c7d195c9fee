#include "core/base/number.h"
#include "core/methods/quantum-control/setup.h"

#include <algorithm>
#include <cmath>

namespace orrery::methods::quantum_control {
namespace {

struct Sweep {
    std::string kind;  // amp, det, T, gamma
    double from = 0, to = 0;
    int count = 1;
    [[nodiscard]] double at(int i) const { return count == 1 ? from : from + (to - from) * i / (count - 1); }
    [[nodiscard]] std::string title() const {
        if (kind == "amp") return "amplitude error";
        if (kind == "det") return "detuning offset";
        return kind == "T" ? "duration error" : "rate error";
    }
};

Result<Sweep> parse_sweep(std::string const& text, char const* field) {
    std::vector<std::string> parts(1);
    for (char c : text) {
        if (c == ':') {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    auto wrong = [&](std::string const& what) {
        return bad_input(what, text, "Give amp, det, T or gamma, then from, to and number: amp:-0.1:0.1:65", field);
    };
    if (parts.size() != 4) return wrong("the sweep has not four parts");
    Sweep sweep;
    sweep.kind = parts[0];
    if (sweep.kind != "amp" && sweep.kind != "det" && sweep.kind != "T" && sweep.kind != "gamma") {
        return wrong("\"" + sweep.kind + "\" is nothing to sweep");
    }
    auto from = parse_real(parts[1]), to = parse_real(parts[2]);
    auto count = parse_integer(parts[3]);
    if (!from || !to || !std::isfinite(*from) || !std::isfinite(*to))
        return wrong("the ends of the sweep are no numbers");
    if (!count || *count < 1 || *count > 1025) return wrong("the number of points is not 1 to 1025");
    bool const relative = sweep.kind != "det";
    if (relative && std::min(*from, *to) <= -1) return wrong("a relative error of -1 or less leaves nothing");
    sweep.from = *from;
    sweep.to = *to;
    sweep.count = static_cast<int>(*count);
    return sweep;
}

// amp, T and gamma are relative errors, det an offset of all detunings in MHz.
void apply(Sweep const& sweep, int i, QuantumSystem const& system, Pulse& pulse, Variation& variation) {
    double const v = sweep.at(i);
    if (sweep.kind == "T") variation.time_scale *= 1 + v;
    if (sweep.kind == "gamma") variation.rate_scale *= 1 + v;
    for (std::size_t c = 0; c < system.controls.size(); ++c) {
        bool const amplitude = system.controls[c].kind == ControlKind::amplitude;
        for (double& x : pulse.values[c]) {
            if (sweep.kind == "amp" && amplitude) x *= 1 + v;
            if (sweep.kind == "det" && !amplitude) x += two_pi * v;
        }
    }
}

class RobustJob {
public:
    RobustJob(Json const& parameters, JobContext& context) : m_parameters(parameters), m_context(context) {}

    Result<JobResult> run() {
        ORRERY_TRY(Setup setup, read_setup(m_parameters, m_context));
        ORRERY_TRY(Sweep x, parse_sweep(m_parameters.value("x", std::string("amp:-0.1:0.1:65")), "x"));
        ORRERY_TRY(Sweep y, parse_sweep(m_parameters.value("y", std::string("det:-5:5:65")), "y"));
        Simulator const simulator(setup.program);
        for (char const* name : {"pulse", "pulse_b"}) {
            if (m_parameters.value(name, std::string()).empty()) continue;
            ORRERY_TRY(Pulse pulse, read_pulse_parameter(m_parameters, name, setup.system(), m_context));
            std::string const suffix = name == std::string("pulse") ? "" : "_b";
            ORRERY_CHECK(map(setup, simulator, pulse, x, y, suffix));
            ORRERY_CHECK(histogram(setup, simulator, pulse, suffix));
        }
        ORRERY_CHECK(
            emit_text(m_context, m_result, "robust.json", "json", "application/json", m_result.values.dump(2) + "\n"));
        return m_result;
    }

private:
    static constexpr std::size_t piece = 4096;  // pulses in memory at once

    // `done`: the share of this stage; the map is taken as nine tenths of the work.
    std::function<bool()> tick(char const* stage, double done) {
        double const fraction = stage == std::string_view("map") ? 0.9 * done : 0.9 + 0.1 * done;
        return [this, stage, fraction] { return m_context.progress(fraction, stage) != Signal::cancel; };
    }

    static io::NumpyArray axis(Sweep const& sweep) {
        io::NumpyArray array;
        array.shape = {static_cast<std::size_t>(sweep.count)};
        for (int i = 0; i < sweep.count; ++i) array.real.push_back(sweep.at(i));
        return array;
    }

    Result<void> map(Setup const& setup, Simulator const& simulator, Pulse const& pulse, Sweep const& x, Sweep const& y,
                     std::string const& suffix) {
        io::NumpyArray fidelity;
        fidelity.shape = {static_cast<std::size_t>(y.count), static_cast<std::size_t>(x.count)};
        std::size_t const count = fidelity.shape[0] * fidelity.shape[1];
        // In pieces, so that a map of a million points needs no million pulses at once.
        for (std::size_t begin = 0; begin < count; begin += piece) {
            std::vector<Pulse> pulses;
            std::vector<Variation> variations;
            for (std::size_t k = begin; k < std::min(begin + piece, count); ++k) {
                auto const i = static_cast<int>(k) % x.count, j = static_cast<int>(k) / x.count;
                pulses.push_back(pulse);
                variations.emplace_back();
                apply(x, i, setup.system(), pulses.back(), variations.back());
                apply(y, j, setup.system(), pulses.back(), variations.back());
            }
            std::vector<Trajectory> out;
            double const done = static_cast<double>(begin) / static_cast<double>(count);
            if (!simulator.run(pulses, variations, setup.plan_for(pulse), m_context.threads(), out,
                               tick("map", done))) {
                return cancelled_error();
            }
            for (Trajectory const& t : out) fidelity.real.push_back(t.fidelity);
        }
        HeatMap heat;
        heat.columns.title = x.title();
        heat.rows.title = y.title();
        heat.columns.unit = x.kind == "det" ? "MHz" : "";
        heat.rows.unit = y.kind == "det" ? "MHz" : "";
        for (int i = 0; i < x.count; ++i) heat.columns.categories.push_back(number_text(rounded(x.at(i))));
        for (int j = 0; j < y.count; ++j) heat.rows.categories.push_back(number_text(rounded(y.at(j))));
        heat.value_title = "F";
        heat.scale = ColorScale::sequential;
        std::string csv = x.kind + "," + y.kind + ",fidelity\n";
        double least = 1, sum = 0;
        for (std::size_t k = 0; k < count; ++k) {
            auto const i = static_cast<int>(k) % x.count, j = static_cast<int>(k) / x.count;
            double const f = fidelity.real[k];
            csv += number_text(x.at(i)) + "," + number_text(y.at(j)) + "," + number_text(f) + "\n";
            least = std::min(least, f);
            sum += f;
        }
        heat.values = fidelity.real;
        Figure figure;
        figure.title = "Fidelity under errors, " + setup.system().title;
        figure.content = std::move(heat);
        m_result.values["worst" + suffix] = least;
        m_result.values["mean" + suffix] = sum / static_cast<double>(count);
        ORRERY_CHECK(emit_text(m_context, m_result, "robust" + suffix + ".csv", "table", "text/csv", csv));
        ORRERY_TRY(std::string const arrays,
                   io::npz_bytes({{"fidelity", std::move(fidelity)}, {"x", axis(x)}, {"y", axis(y)}}));
        ORRERY_CHECK(emit_text(m_context, m_result, "robust" + suffix + ".npz", "array", "application/zip", arrays));
        return emit_figure(m_context, m_result, "robust" + suffix + ".figure.json", std::move(figure));
    }

    Result<void> histogram(Setup const& setup, Simulator const& simulator, Pulse const& pulse,
                           std::string const& suffix) {
        NoiseSettings const noise = noise_of(m_parameters);
        int const draws = m_parameters.value("draws", 1000);
        if (noise.kind == NoiseKind::none || draws < 1) return {};
        Random random(m_parameters.value("seed", std::uint64_t{10}));
        std::vector<double> values;
        for (std::size_t begin = 0; begin < static_cast<std::size_t>(draws); begin += piece) {
            std::size_t const end = std::min(begin + piece, static_cast<std::size_t>(draws));
            std::vector<Pulse> pulses(end - begin, pulse);
            std::vector<Variation> variations(pulses.size());
            for (std::size_t k = 0; k < pulses.size(); ++k) {
                draw_noise(setup.system(), noise, random, pulses[k], variations[k].noise);
            }
            std::vector<Trajectory> out;
            if (!simulator.run(pulses, variations, setup.plan_for(pulse), m_context.threads(), out,
                               tick("noise", static_cast<double>(begin) / draws))) {
                return cancelled_error();
            }
            for (Trajectory const& t : out) values.push_back(t.fidelity);
        }
        double sum = 0, square = 0;
        std::string csv = "draw,fidelity\n";
        for (std::size_t k = 0; k < values.size(); ++k) {
            sum += values[k];
            csv += std::to_string(k) + "," + number_text(values[k]) + "\n";
        }
        double const count = static_cast<double>(values.size()), mean = sum / count;
        for (double v : values) square += (v - mean) * (v - mean);
        std::sort(values.begin(), values.end());
        m_result.values["noise_mean" + suffix] = mean;
        m_result.values["noise_deviation" + suffix] = count > 1 ? std::sqrt(square / (count - 1)) : 0;
        m_result.values["noise_5_percent" + suffix] = values[static_cast<std::size_t>(0.05 * (count - 1))];
        ORRERY_CHECK(emit_text(m_context, m_result, "noise" + suffix + ".csv", "table", "text/csv", csv));
        Series const histogram = counted(values);
        double const half = 0.5 * (histogram.x[1] - histogram.x[0]);
        csv = "fidelity_from,fidelity_to,draws\n";
        for (std::size_t b = 0; b < histogram.x.size(); ++b) {
            csv += number_text(histogram.x[b] - half) + "," + number_text(histogram.x[b] + half) + "," +
                   number_text(histogram.y[b]) + "\n";
        }
        ORRERY_CHECK(emit_text(m_context, m_result, "noise_histogram" + suffix + ".csv", "table", "text/csv", csv));
        return emit_figure(m_context, m_result, "noise" + suffix + ".figure.json", bars(histogram));
    }

    // `values` sorted.
    static Series counted(std::vector<double> const& values) {
        constexpr int bins = 40;
        double const low = values.front(), width = std::max(values.back() - low, 1e-12) / bins;
        Series series;
        series.name = "draws";
        for (int b = 0; b < bins; ++b) {
            series.x.push_back(low + (b + 0.5) * width);
            series.y.push_back(0);
        }
        for (double v : values) series.y[static_cast<std::size_t>(std::clamp((v - low) / width, 0.0, bins - 1.0))] += 1;
        return series;
    }

    static Figure bars(Series const& series) {
        XyPlot plot;
        plot.kind = XyKind::bars;
        plot.x.title = "F";
        plot.y.title = "draws";
        plot.series = {series};
        Figure figure;
        figure.title = "Fidelity under noise";
        figure.content = std::move(plot);
        return figure;
    }

    static double rounded(double v) { return std::round(v * 1e6) / 1e6; }

    Json const& m_parameters;
    JobContext& m_context;
    JobResult m_result;
};

}  // namespace

Result<JobResult> run_robust(Json const& parameters, JobContext& context) {
    return RobustJob(parameters, context).run();
}

}  // namespace orrery::methods::quantum_control
