// The worker of orrery-cli with the counting method of the tests in place of those of the product, and no LibTorch.
#include "app/cli/worker.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/method.h"
#include "tests/app/counting.h"

#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace orrery {

namespace {

Result<JobResult> count(Json const& parameters, JobContext& context) {
    auto const steps = parameters.at("steps").get<int>();
    auto const pause = std::chrono::milliseconds(parameters.at("step_ms").get<int>());
    double const growth = parameters.at("growth").get<double>();
    int step = 0;
    if (parameters.contains("numbers")) {
        std::string const path = parameters.at("numbers").get<std::string>();
        ORRERY_TRY(std::string const bytes, read_file(path));
        context.used_input({"numbers", path, sha256(bytes), bytes.size()});
        if (bytes.find_first_not_of("0123456789\n ") != std::string::npos)
            return bad_input("line 1 is no number", path, "one whole number a line", "numbers");
    }
    if (auto const saved = context.checkpoint()) step = std::stoi(*saved);
    std::string csv = "step,value\n";
    for (int i = 0; i < step; ++i) csv += std::to_string(i) + "," + std::to_string(i * growth) + "\n";
    for (; step < steps; ++step) {
        Signal const signal = context.progress(static_cast<double>(step) / steps, "step " + std::to_string(step));
        if (signal == Signal::cancel) {
            ORRERY_TRY([[maybe_unused]] Artifact const kept,
                       context.emit("counts.csv", "table", "text/csv", csv, true));
            return cancelled_error();
        }
        if (signal == Signal::pause) {
            ORRERY_CHECK(context.save_checkpoint(std::to_string(step)));
            return paused_error();
        }
        csv += std::to_string(step) + "," + std::to_string(step * growth) + "\n";
        context.series("value", step, step * growth);
        context.update("step", {{"step", step}});
        std::this_thread::sleep_for(pause);
    }
    JobResult result;
    ORRERY_TRY(Artifact table, context.emit("counts.csv", "table", "text/csv", csv));
    result.artifacts = {std::move(table)};
    result.values = {{"steps", steps}, {"last", (steps - 1) * growth}};
    return result;
}

Result<JobResult> run(std::string_view verb, Json const& parameters, JobContext& context) {
    if (verb == "count") return count(parameters, context);
    if (verb == "fail")
        return bad_input("chain A position 63 is K, not E", "1AO7.numbers", "E is at 61 and 65", "numbers");
    context.warn(bad_input("two rows were skipped", "table.csv line 3"));
    return JobResult{};
}

}  // namespace

std::span<Method const> all_methods() {
    static std::vector<Method> const methods{{&tests::counting_schema(), &run}};
    return methods;
}
Method const* find_method(std::string_view slug) { return slug == "counting" ? all_methods().data() : nullptr; }
std::span<MethodSchema const* const> all_schemas() {
    static std::vector<MethodSchema const*> const schemas{&tests::counting_schema()};
    return schemas;
}
MethodSchema const* find_schema(std::string_view slug) {
    return slug == "counting" ? &tests::counting_schema() : nullptr;
}

}  // namespace orrery

int main(int argc, char** argv) { return orrery::run_worker_with(argc, argv, {}); }
