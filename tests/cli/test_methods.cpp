// orrery-cli with two methods of its own and no LibTorch: one counts, waits, warns, fails and draws; the other has
// nothing but a name. cli_test.cpp drives it.
#include "app/cli/command_line.h"
#include "core/base/figure.h"
#include "core/base/table.h"

#include <chrono>
#include <cmath>
#include <stdexcept>
#include <thread>

using namespace orrery;

namespace {

Parameter parameter(char const* name, ParameterType type, Json default_value, char const* help) {
    Parameter result;
    result.name = name;
    result.label = name;
    result.type = type;
    result.default_value = std::move(default_value);
    result.help = help;
    return result;
}

VerbSchema count_verb() {
    VerbSchema verb;
    verb.name = "count";
    verb.label = "Count";
    verb.summary = "Count to a number.";
    Parameter steps = parameter("last_step", ParameterType::integer, 10, "Count up to here.");
    steps.minimum = 1;
    steps.maximum = 100000;
    steps.citation = "section 3.2";
    Parameter noise = parameter("noise", ParameterType::real, 0.1, "Noise of the backbone.");
    noise.minimum = 0;
    noise.maximum = 2;
    noise.unit = "Å";
    noise.group = "Model";
    Parameter mode = parameter("mode", ParameterType::choice, "plain", "How to end.");
    mode.choices = {{"plain", "well"},
                    {"warn", "with a warning"},
                    {"fail", "with an error"},
                    {"throw", "with an exception"},
                    {"check", "with a failed check"},
                    {"wait", "never"}};
    Parameter fast = parameter("fast", ParameterType::boolean, true, "Do not wait between steps.");
    Parameter words = parameter("words", ParameterType::text_list, nullptr, "Any words.");
    words.advanced = true;
    Parameter tables = parameter("tables", ParameterType::file_list, nullptr, "Tables.");
    verb.parameters = {steps, noise, mode, fast, words, tables};
    verb.outputs = {{"count.csv", "table", "The numbers."}, {"count.figure.json", "figure", "The numbers, drawn."}};
    verb.positional_files = true;
    return verb;
}

MethodSchema const& counter_schema() {
    static MethodSchema const schema = [] {
        MethodSchema method;
        method.slug = "counter";
        method.title = "Counter";
        method.summary = "Counts.";
        method.paper_title = "On counting";
        method.authors = "Ada";
        method.venue = "ICML 2025";
        method.method_name = "CountNet";
        method.version = "1";
        method.licences = {"numbers: free"};
        method.verbs = {count_verb()};
        return method;
    }();
    return schema;
}

Result<void> emit_results(std::int64_t count, JobContext& context, bool partial) {
    Table table({{"step", "step", "", ColumnType::integer, 0, ""}});
    XyPlot plot;
    plot.kind = XyKind::line;
    plot.x.title = "step";
    plot.y.title = "square";
    Series squares;
    squares.name = "squares";
    for (std::int64_t step = 1; step <= count; ++step) {
        table.add_row({step});
        squares.x.push_back(static_cast<double>(step));
        squares.y.push_back(static_cast<double>(step * step));
    }
    plot.series = {squares};
    Figure figure;
    figure.title = "Squares";
    figure.content = plot;
    figure.provenance = context.provenance();
    ORRERY_CHECK(context.emit("count.csv", "table", "text/csv", table.to_csv(), partial));
    ORRERY_CHECK(context.emit("count.figure.json", "figure", "application/json", figure.to_json().dump(), partial));
    return {};
}

Result<JobResult> run_counter(std::string_view verb, Json const& parameters, JobContext& context) {
    JobResult result;
    if (verb == "verify") {
        context.log(LogLevel::info, "2 passed, 1 failed");
        result.checks_failed = true;
        return result;
    }
    std::int64_t const last = parameters["last_step"];
    std::string const mode = parameters["mode"];
    context.log(LogLevel::debug, "a line for developers");
    context.log(LogLevel::info, "counting to " + std::to_string(last));
    if (mode == "throw") throw std::runtime_error("a shape does not fit");
    for (std::int64_t step = 0; step < last || mode == "wait"; ++step) {
        double const fraction = static_cast<double>(std::min(step, last)) / static_cast<double>(last);
        if (context.progress(fraction, "step " + std::to_string(step) + " of " + std::to_string(last)) ==
            Signal::cancel) {
            ORRERY_CHECK(emit_results(std::min(step, last), context, true));
            return cancelled_error();
        }
        if (mode == "wait" || parameters["fast"] == false) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    context.progress(1, "done");
    if (mode == "fail") return unavailable("the weights are not there", "cache", "Run packaging/setup.sh");
    if (mode == "warn") context.warn(bad_input("3 waters ignored", "1AO7.pdb"));
    ORRERY_CHECK(emit_results(last, context, false));
    result.values = {{"steps", last},
                     {"mean_step", (static_cast<double>(last) + 1) / 2},
                     {"noise", parameters["noise"]},
                     {"gap", std::nan("")}};
    if (parameters.contains("words")) result.values["words"] = parameters["words"];
    if (parameters.contains("tables")) result.values["tables"] = parameters["tables"].size();
    result.values["fast"] = parameters["fast"];
    result.checks_failed = mode == "check";
    return result;
}

MethodSchema const& other_schema() {
    static MethodSchema const schema = [] {
        MethodSchema method;
        method.slug = "stab-ddg";
        method.title = "Binding ddG";
        return method;
    }();
    return schema;
}

Result<JobResult> run_other(std::string_view, Json const&, JobContext&) { return JobResult{}; }

}  // namespace

int main(int argc, char** argv) {
    Method const methods[] = {{&counter_schema(), &run_counter}, {&other_schema(), &run_other}};
    cli::Program program;
    program.methods = methods;
    program.prepare = [](int threads, Lane lane) -> Result<cli::Environment> {
        if (lane == Lane::gpu) return unavailable("there is no GPU", {}, "Leave --gpu away", "gpu");
        return cli::Environment{{{"Counting", std::to_string(threads)}}, "cpu"};
    };
    program.worker = [](int count, char**) { return 40 + count; };
    return cli::run_command_line(argc, argv, program);
}
