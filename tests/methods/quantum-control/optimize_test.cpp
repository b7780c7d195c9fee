#include "tests/catch.h"
#include "tests/methods/quantum-control/jobs.h"

#include <algorithm>

using namespace orrery;
using namespace orrery::tests;

namespace {

Json small_ppo() { return {{"method", "ppo"}, {"system", "lambda4"}, {"updates", 12}, {"hidden", 16}, {"seeds", 2}}; }

}  // namespace

TEST_CASE("PPO gives equal bytes for one and two threads, and after pauses") {
    Json const given = small_ppo();
    FakeContext one(1), two(2);
    for (FakeContext* context : {&one, &two}) {
        auto result = run_verb("optimize", given, *context);
        if (!result.ok()) FAIL(result.error().message());
    }
    CHECK(one.files == two.files);
    CHECK(one.files.count("policy.safetensors") == 1);
    int pauses = 0;
    FakeContext resumed = run_with_pauses("optimize", given, 3, &pauses);
    CHECK(pauses >= 2);
    CHECK(resumed.files == one.files);
    CHECK(std::any_of(one.updates.begin(), one.updates.end(), [](auto const& u) { return u.first == "best"; }));
}

TEST_CASE("one learner with noise, feedback and a step limit resumes to the same bytes") {
    Json const given = {{"system", "lambda4"},   {"updates", 6},  {"hidden", 8},       {"knots", 48},
                        {"sections", 4},         {"noise", "ou"}, {"most_steps", 150}, {"limit_weight", 2.0},
                        {"detuning_bound", 5.0}, {"window", 12}};
    FakeContext whole(1);
    auto result = run_verb("optimize", given, whole);
    if (!result.ok()) FAIL(result.error().message());
    int pauses = 0;
    FakeContext resumed = run_with_pauses("optimize", given, 7, &pauses);
    CHECK(pauses >= 1);
    CHECK(resumed.files == whole.files);
}

TEST_CASE("GRAPE with amplitudes alone reaches the known fidelity, and resumes to the same bytes") {
    Json given = {{"method", "grape"}, {"system", "lambda5"}, {"seeds", 5}, {"iterations", 400}};
    FakeContext whole(2);
    auto result = run_verb("optimize", given, whole);
    if (!result.ok()) FAIL(result.error().message());
    INFO("F " << result->values["fidelity"].get<double>());
    CHECK(result->values["fidelity"].get<double>() >= 0.99485);
    for (Json const& run : Json::parse(whole.files["optimize.json"])["runs"]) {
        CHECK(run["difference"].get<double>() < 1e-6);
    }
    given["iterations"] = 12;
    FakeContext shorter(1);
    REQUIRE(run_verb("optimize", given, shorter).ok());
    int pauses = 0;
    FakeContext resumed = run_with_pauses("optimize", given, 4, &pauses);
    CHECK(pauses >= 1);
    CHECK(resumed.files == shorter.files);
}

TEST_CASE("CRAB improves on its start") {
    FakeContext context(1);
    auto result =
        run_verb("optimize", {{"method", "crab"}, {"system", "lambda4"}, {"seeds", 8}, {"iterations", 200}}, context);
    if (!result.ok()) FAIL(result.error().message());
    Json const summary = Json::parse(context.files["optimize.json"]);
    CHECK(summary["fidelity"].get<double>() > 0.8);
}

TEST_CASE("a cancel in the middle of an update keeps what there is, marked partial") {
    for (int at : {0, 1, 5, 9}) {
        FakeContext context(1);
        context.decide = [&](int call) { return call >= at ? Signal::cancel : Signal::go_on; };
        Json given = small_ppo();
        given["seeds"] = 1;
        auto result = run_verb("optimize", given, context);
        REQUIRE_FALSE(result.ok());
        CHECK(result.error().kind == ErrorKind::cancelled);
        CHECK(context.calls <= at + 2);
        if (at >= 5) CHECK(context.partial["best_pulse.csv"]);
    }
}

TEST_CASE("sections must divide the knots, and penalties are not negative") {
    FakeContext context;
    auto result = run_verb("optimize", {{"sections", 3}}, context);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().field == "sections");
    result = run_verb("optimize", {{"limit_weight", -10.0}}, context);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().field == "limit_weight");
}
