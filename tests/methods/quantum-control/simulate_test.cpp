#include "tests/catch.h"
#include "tests/methods/quantum-control/jobs.h"

#include <cmath>
#include <cstdio>

using namespace orrery;
using namespace orrery::tests;

namespace {

JobResult simulated(std::string const& pulse, Json more = Json::object()) {
    FakeContext context;
    more["pulse"] = pulse;
    auto result = run_verb("simulate", more, context);
    if (!result.ok()) FAIL(result.error().message());
    CHECK(context.files.count("populations.csv") == 1);
    return *result;
}

}  // namespace

TEST_CASE("the example pulses reach the fidelities that an independent integration gave") {
    ORRERY_NEED_SHARED(rl, "data/quantum-control/lambda_rl_pulse.csv");
    ORRERY_NEED_SHARED(amp, "data/quantum-control/lambda_grape_amp.csv");
    ORRERY_NEED_SHARED(d20, "data/quantum-control/lambda_grape_d20.csv");
    for (auto const& [path, expected] : {std::pair{rl, 0.998925}, {amp, 0.994858}, {d20, 0.999551}}) {
        JobResult const result = simulated(path.string());
        double const f = result.values["fidelity"].get<double>();
        INFO(path << " F " << f << " batched " << result.values["fidelity_batched"].get<double>() << " error "
                  << result.values["error_estimate"].get<double>());
        CHECK(std::abs(f - expected) < 2e-6);
        CHECK(std::abs(f - result.values["fidelity_batched"].get<double>()) < 1e-6);
        CHECK(result.values["error_estimate"].get<double>() < 1e-6);
    }
}

TEST_CASE("a pulse is resampled to a generator's rate") {
    ORRERY_NEED_SHARED(rl, "data/quantum-control/lambda_rl_pulse.csv");
    FakeContext context;
    auto result = run_verb("simulate", {{"pulse", rl.string()}, {"rate", 1000.0}}, context);
    REQUIRE(result.ok());
    Json const generator = Json::parse(context.files["pulse_generator.json"]);
    CHECK(generator["samples"] == 1001);
    CHECK(generator["channels"]["omega_p"].size() == 1001);
    CHECK(context.files["pulse_resampled.csv"].find("t_us,omega_p_MHz") != std::string::npos);
}

TEST_CASE("a window longer than the pulse is refused in one sentence") {
    ORRERY_NEED_SHARED(rl, "data/quantum-control/lambda_rl_pulse.csv");
    FakeContext context;
    auto result = run_verb("simulate", {{"pulse", rl.string()}, {"knots", 32}, {"window", 50}}, context);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().message().find("the smoothing window of 50 knots is longer than the pulse of 32 knots") == 0);
    CHECK(result.error().field == "window");
}

TEST_CASE("a map of 65 x 65 has its centre at the pulse's own fidelity, and noise a histogram") {
    ORRERY_NEED_SHARED(rl, "data/quantum-control/lambda_rl_pulse.csv");
    FakeContext one(1), two(2);
    for (FakeContext* context : {&one, &two}) {
        auto result = run_verb("robust", {{"pulse", rl.string()}, {"noise", "ou"}, {"draws", 64}}, *context);
        if (!result.ok()) FAIL(result.error().message());
        CHECK(result->values["worst"].get<double>() < result->values["mean"].get<double>());
        CHECK(result->values["noise_mean"].get<double>() < 0.9990);
    }
    CHECK(one.files == two.files);
    CHECK(one.files["robust.csv"].find("\n0,0,0.99892") != std::string::npos);
    FakeContext wrong;
    auto result = run_verb("robust", {{"pulse", rl.string()}, {"x", "phase:0:1:9"}}, wrong);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().field == "x");
}
