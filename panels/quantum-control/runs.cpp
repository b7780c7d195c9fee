#include "panels/quantum-control/runs.h"

#include "panels/quantum-control/pulse_figures.h"

#include <algorithm>
#include <cmath>

namespace orrery::panels::quantum_control {

Result<std::vector<RunRow>> optimize_rows(Json const& summary, std::string const& run, std::string const& started,
                                          double seconds) {
    if (!summary.is_object() || !summary.contains("runs") || !summary["runs"].is_array())
        return bad_input("the summary of run " + run + " has no list of seeds", "optimize.json", "Run it again");
    std::vector<RunRow> rows;
    for (Json const& one : summary["runs"]) {
        RunRow row;
        row.run = run;
        row.seed = one.value("seed", std::int64_t{0});
        row.key = run + ":" + std::to_string(*row.seed);
        row.method = summary.value("method", std::string());
        std::transform(row.method.begin(), row.method.end(), row.method.begin(),
                       [](unsigned char c) { return std::toupper(c); });
        row.system = summary.value("system", std::string());
        row.title = row.method + " " + row.system;
        row.fidelity = one.value("fidelity", 0.0);
        row.difference = one.value("difference", 0.0);
        row.evaluations = summary.value("evaluations", std::int64_t{0});
        row.seconds = seconds;
        row.started = started;
        rows.push_back(std::move(row));
    }
    return rows;
}

RunRow simulate_row(Json const& values, std::string const& run, std::string const& title, std::string const& system,
                    std::string const& started, double seconds) {
    RunRow row;
    row.key = row.run = run;
    row.title = title;
    row.method = "simulate";
    row.system = system;
    row.fidelity = values.value("fidelity", 0.0);
    row.difference = std::abs(values.value("fidelity_batched", row.fidelity) - row.fidelity);
    row.seconds = seconds;
    row.started = started;
    return row;
}

Table runs_table(std::vector<RunRow> const& rows) {
    Table table({{"key", "run", "", ColumnType::text, 0, "Run and seed; two selected rows are compared"},
                 {"method", "method", "", ColumnType::text, 0, "How the pulse was found"},
                 {"system", "system", "", ColumnType::text, 0, "Preset or system file"},
                 {"seed", "seed", "", ColumnType::integer, 0, "Of the learner or the start"},
                 {"fidelity", "F", "", ColumnType::real, 7, "By the adaptive method of order 8 at 1e-11"},
                 {"infidelity", "1 − F", "1e-6", ColumnType::real, 1, "In millionths"},
                 {"difference", "grid error", "1e-6", ColumnType::real, 4,
                  "Between the optimiser's own integrator and the refined one, in millionths"},
                 {"evaluations", "pulses tried", "", ColumnType::integer, 0, "By all seeds of the run"},
                 {"seconds", "time", "s", ColumnType::real, 1, "Of the whole run"},
                 {"started", "started", "", ColumnType::text, 0, ""}});
    for (RunRow const& row : rows) {
        std::vector<Cell> cells{row.key, row.method, row.system};
        cells.push_back(row.seed ? Cell(*row.seed) : Cell());
        cells.emplace_back(row.fidelity);
        cells.emplace_back((1 - row.fidelity) * 1e6);
        cells.emplace_back(row.difference * 1e6);
        cells.push_back(row.evaluations ? Cell(*row.evaluations) : Cell());
        cells.emplace_back(row.seconds);
        cells.emplace_back(row.started);
        table.add_row(std::move(cells));
    }
    return table;
}

Figure compared_pulses(ComparedRun const& a, ComparedRun const& b, method::ControlKind kind) {
    Figure figure = controls_figure(*a.system, a.pulse, {}, kind);
    Figure const other = controls_figure(*b.system, b.pulse, {}, kind);
    auto& plot = std::get<XyPlot>(figure.content);
    auto const& second = std::get<XyPlot>(other.content);
    for (Series& series : plot.series) series.name = "A: " + series.name;
    static constexpr int of_second[4] = {1, 0, 3, 7};  // sky blue, orange, yellow, black: B beside A's colours
    int order = 0;
    for (Series series : second.series) {
        series.name = "B: " + series.name;
        series.color = of_second[order++ % 4];
        plot.series.push_back(std::move(series));
    }
    plot.y.minimum = std::min(plot.y.minimum, second.y.minimum);
    plot.y.maximum = std::max(plot.y.maximum, second.y.maximum);
    return figure;
}

Figure compared_curves(ComparedRun const& a, ComparedRun const& b) {
    XyPlot plot;
    plot.kind = XyKind::line;
    plot.x.title = "pulses tried";
    plot.y.title = "1 − F of the best";
    plot.y.logarithmic = true;
    auto const add = [&](ComparedRun const& run, char const* name, int color) {
        if (run.curves.empty()) return;
        Figure const own = run.curves.infidelity_figure();
        for (Series series : std::get<XyPlot>(own.content).series) {
            if (!series.name.starts_with("best")) continue;
            series.name = name + run.name;
            series.color = color;
            plot.series.push_back(std::move(series));
        }
    };
    add(a, "A: ", 4);
    add(b, "B: ", 0);
    Figure figure;
    figure.title = "Infidelity";
    figure.content = std::move(plot);
    return figure;
}

}  // namespace orrery::panels::quantum_control
