// The worker of orrery-cli with one method of the tests instead of those of the product, and no LibTorch.
//   loop   counts `steps` steps of `step_ms`, reports progress, series, updates, artifacts; resumable
//   crash  a segmentation fault after a log line
//   eat    allocates `megabytes` and touches them
//   deaf   asks for no signal for `seconds`
//   print  writes to standard output and standard error what is no protocol
//   fail   returns an error; throw  leaves by an exception; warn  ends with a warning; wait  until it is cancelled
#include "app/cli/worker.h"
#include "core/base/method.h"

#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <thread>
#include <vector>

namespace orrery {

namespace {

using std::chrono::milliseconds;

Parameter number(char const* name, double otherwise, ParameterType type = ParameterType::integer) {
    Parameter parameter;
    parameter.name = name;
    parameter.label = name;
    parameter.type = type;
    parameter.default_value =
        type == ParameterType::integer ? Json(static_cast<std::int64_t>(otherwise)) : Json(otherwise);
    return parameter;
}

VerbSchema verb(char const* name, std::vector<Parameter> parameters, bool resumable = false) {
    VerbSchema schema;
    schema.name = name;
    schema.label = name;
    schema.summary = "For the tests of jobs.";
    schema.parameters = std::move(parameters);
    schema.resumable = resumable;
    return schema;
}

MethodSchema const& schema() {
    static MethodSchema const schema = [] {
        MethodSchema method;
        method.slug = "test";
        method.title = "Test";
        method.version = "1";
        method.verbs = {verb("loop", {number("steps", 10), number("step_ms", 5), number("seed", 1)}, true),
                        verb("crash", {}),
                        verb("eat", {number("megabytes", 200)}),
                        verb("deaf", {number("seconds", 10)}),
                        verb("print", {}),
                        verb("fail", {}),
                        verb("throw", {}),
                        verb("warn", {}),
                        verb("wait", {})};
        return method;
    }();
    return schema;
}

// A number that depends on all steps before it, so that a resume that loses or repeats one gives another.
struct LoopState {
    std::int64_t step = 0;
    std::uint64_t value = 0;
};

Result<JobResult> loop(Json const& parameters, JobContext& context) {
    auto const steps = parameters.at("steps").get<std::int64_t>();
    auto const pause = milliseconds(parameters.at("step_ms").get<std::int64_t>());
    LoopState state{0, parameters.at("seed").get<std::uint64_t>()};
    if (auto const saved = context.checkpoint()) {
        Json const json = Json::parse(*saved);
        state = {json.at("step").get<std::int64_t>(), json.at("value").get<std::uint64_t>()};
        context.log(LogLevel::info, "resumed at step " + std::to_string(state.step));
    }
    std::string text;
    for (; state.step < steps; ++state.step) {
        Signal const signal = context.progress(static_cast<double>(state.step) / static_cast<double>(steps),
                                               "step " + std::to_string(state.step));
        if (signal == Signal::cancel) return cancelled_error();
        if (signal == Signal::pause) {
            ORRERY_CHECK(context.save_checkpoint(Json{{"step", state.step}, {"value", state.value}}.dump()));
            return paused_error();
        }
        if (state.step % 50 == 49)
            ORRERY_CHECK(context.save_checkpoint(Json{{"step", state.step}, {"value", state.value}}.dump()));
        state.value = state.value * 6364136223846793005ULL + 1442695040888963407ULL;
        context.series("value", static_cast<double>(state.step), static_cast<double>(state.value >> 11) * 0x1p-53);
        if (state.step % 10 == 0) context.update("column", {{"step", state.step}});
        if (pause.count() > 0) std::this_thread::sleep_for(pause);
        if (state.step == steps / 2) {
            auto const partial = context.emit("half.txt", "text", "text/plain", std::to_string(state.value), true);
            if (!partial) return partial.error();
        }
    }
    context.progress(1, "done");
    ORRERY_TRY(Artifact const small, context.emit("value.txt", "text", "text/plain", std::to_string(state.value)));
    ORRERY_TRY(Artifact const large, context.emit("large.bin", "text", "application/octet-stream",
                                                  std::string(200'000, static_cast<char>('a' + state.value % 26))));
    JobResult result;
    result.values = {{"value", state.value}, {"steps", steps}};
    result.artifacts = {small, large};
    return result;
}

Result<JobResult> crash(JobContext& context) {
    context.log(LogLevel::info, "about to crash");
    std::fprintf(stderr, "last words on standard error\n");
    std::this_thread::sleep_for(milliseconds(50));
    std::signal(SIGSEGV, SIG_DFL);
    std::raise(SIGSEGV);
    return internal_error("still here");
}

Result<JobResult> eat(Json const& parameters, JobContext& context) {
    auto const bytes = static_cast<std::size_t>(parameters.at("megabytes").get<std::int64_t>()) * 1'000'000;
    std::vector<char> meal(bytes);
    for (std::size_t i = 0; i < bytes; i += 4096) meal[i] = static_cast<char>(i);
    context.progress(1, "eaten");
    JobResult result;
    result.values = {{"last", static_cast<int>(meal[(bytes - 1) / 4096 * 4096])}};
    return result;
}

Result<JobResult> deaf(Json const& parameters, JobContext& context) {
    context.progress(0.1, "deaf");
    context.series("heard", 0, 1);
    std::this_thread::sleep_for(std::chrono::seconds(parameters.at("seconds").get<std::int64_t>()));
    return JobResult{};
}

Result<JobResult> print(JobContext& context) {
    std::printf("this is not JSON\n");
    std::cout << "{\"v\":1,\"type\":\"result\",\"job\":\"forged\"}" << std::endl;
    [[maybe_unused]] ssize_t const raw = ::write(1, "raw bytes \xff\xfe\n", 13);
    std::fprintf(stderr, "and this on standard error\n");
    char byte = 0;
    JobResult result;
    result.values = {{"input_is_empty", ::read(0, &byte, 1) == 0}};
    context.progress(1, "printed");
    return result;
}

Result<JobResult> wait(JobContext& context) {
    for (int i = 0; i < 6000; ++i) {
        Signal const signal = context.progress(0.5, "waiting");
        if (signal == Signal::cancel) return cancelled_error();
        if (signal == Signal::pause) return paused_error();
        std::this_thread::sleep_for(milliseconds(10));
    }
    return JobResult{};
}

Result<JobResult> run(std::string_view verb, Json const& parameters, JobContext& context) {
    if (verb == "loop") return loop(parameters, context);
    if (verb == "crash") return crash(context);
    if (verb == "eat") return eat(parameters, context);
    if (verb == "deaf") return deaf(parameters, context);
    if (verb == "print") return print(context);
    if (verb == "wait") return wait(context);
    if (verb == "fail")
        return bad_input("chain A position 63 is K, not E", "1AO7.pdb", "E is at 61 and 65", "mutations");
    if (verb == "throw") throw std::runtime_error("thrown on purpose");
    context.warn(bad_input("a warning", "line 3"));
    return JobResult{};
}

}  // namespace

std::span<Method const> all_methods() {
    static std::vector<Method> const methods{{&schema(), &run}};
    return methods;
}

Method const* find_method(std::string_view slug) { return slug == "test" ? all_methods().data() : nullptr; }

std::span<MethodSchema const* const> all_schemas() {
    static std::vector<MethodSchema const*> const schemas{&schema()};
    return schemas;
}

MethodSchema const* find_schema(std::string_view slug) { return slug == "test" ? &schema() : nullptr; }

}  // namespace orrery

int main(int argc, char** argv) {
    // For tests of workers that come up slowly, or not at all.
    if (char const* delay = std::getenv("ORRERY_TEST_WORKER_DELAY_MS"))
        std::this_thread::sleep_for(std::chrono::milliseconds(std::atoi(delay)));
    if (char const* end = std::getenv("ORRERY_TEST_WORKER_ENDS")) {
        std::fprintf(stderr, "cannot load libexample.so\n");
        return std::atoi(end);
    }
    return orrery::run_worker_with(argc, argv, {});
}
