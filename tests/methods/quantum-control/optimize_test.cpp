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

TEST_CASE("a damaged checkpoint is told, and the job starts anew with the same result") {
    for (char const* method : {"ppo", "grape", "crab"}) {
        Json given = small_ppo();
        given["method"] = method;
        given["iterations"] = 12;
        FakeContext whole(1), stopped(1);
        REQUIRE(run_verb("optimize", given, whole).ok());
        stopped.decide = [](int call) { return call >= 40 ? Signal::pause : Signal::go_on; };
        auto paused = run_verb("optimize", given, stopped);
        REQUIRE_FALSE(paused.ok());
        REQUIRE(paused.error().kind == ErrorKind::paused);
        Json const good = Json::from_cbor(*stopped.kept);
        Json lacking = good;
        lacking["state"].erase("round");
        Json other = good;
        other["state"][method == std::string("ppo") ? "learners" : "search"][1] = "none";
        auto bytes = [](Json const& value) {
            std::vector<std::uint8_t> const cbor = Json::to_cbor(value);
            return std::string(cbor.begin(), cbor.end());
        };
        for (std::string const& kept :
             {std::string("x"), std::string(), stopped.kept->substr(0, 100),
              stopped.kept->substr(0, stopped.kept->size() - 1), bytes(lacking), bytes(other)}) {
            FakeContext again(1);
            again.kept = kept;
            auto result = run_verb("optimize", given, again);
            if (!result.ok()) FAIL(result.error().message());
            CHECK(again.warnings.size() == 1);
            CHECK(again.files == whole.files);
        }
    }
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
    Json const summary = Json::parse(whole.files["optimize.json"]);
    for (Json const& run : summary["runs"]) {
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
    for (int at : {0, 1, 5, 60, 300, 900}) {
        FakeContext context(1);
        context.decide = [&](int call) { return call >= at ? Signal::cancel : Signal::go_on; };
        Json given = small_ppo();
        given["seeds"] = 1;
        auto result = run_verb("optimize", given, context);
        REQUIRE_FALSE(result.ok());
        CHECK(result.error().kind == ErrorKind::cancelled);
        CHECK(context.calls <= at + 2);
        CHECK(context.partial.count("best_pulse.csv") == (at >= 300 ? 1U : 0U));  // none before the first pulses
        if (at >= 300) CHECK(context.partial["best_pulse.csv"]);
    }
}

TEST_CASE("several seeds, GRAPE and CRAB stop inside a round") {
    for (char const* method : {"ppo", "grape", "crab"}) {
        for (int threads : {1, 2}) {
            FakeContext context(threads);
            int const at = 10;  // a round asks some hundred times
            context.decide = [&](int call) { return call >= at ? Signal::cancel : Signal::go_on; };
            auto result = run_verb("optimize", {{"method", method}, {"system", "rydberg1"}, {"seeds", 12}}, context);
            REQUIRE_FALSE(result.ok());
            CHECK(result.error().kind == ErrorKind::cancelled);
            CHECK(context.calls <= at + 2);
        }
    }
}

TEST_CASE("every method's reported fidelity is that of a refined integration, on every system") {
    for (char const* system : {"lambda5", "lambda4", "rydberg1", "rydberg2", "transmon"}) {
        for (char const* method : {"ppo", "grape", "crab"}) {
            FakeContext context(2);
            auto result = run_verb("optimize",
                                   {{"method", method},
                                    {"system", system},
                                    {"seeds", 2},
                                    {"updates", 2},
                                    {"iterations", 6},
                                    {"hidden", 16},
                                    {"environments", 8}},
                                   context);
            if (!result.ok()) FAIL(result.error().message());
            Json const summary = Json::parse(context.files["optimize.json"]);
            REQUIRE(summary["runs"].size() == 2);
            for (Json const& run : summary["runs"]) {
                INFO(system << " " << method << " " << run.dump());
                CHECK(run["difference"].get<double>() < 1e-6);
            }
            for (Error const& warning : context.warnings)
                FAIL_CHECK(system << " " << method << ": " << warning.message());
        }
    }
}

TEST_CASE("feedback as released and as in the paper are both learned, and differ") {
    std::map<std::string, std::string> curves;
    for (char const* mode : {"paper", "official"}) {
        FakeContext context(1);
        auto result = run_verb("optimize",
                               {{"system", "lambda4"},
                                {"knots", 48},
                                {"sections", 4},
                                {"feedback_mode", mode},
                                {"updates", 3},
                                {"hidden", 16}},
                               context);
        if (!result.ok()) FAIL(result.error().message());
        curves[mode] = context.files["curves.csv"];
    }
    CHECK(curves["paper"] != curves["official"]);
}

TEST_CASE("a system with other frequencies gets the steps it needs") {
    FakeContext context(1);
    auto result = run_verb(
        "optimize", {{"method", "grape"}, {"omega", 400.0}, {"seeds", 1}, {"iterations", 5}, {"delta_max", 500.0}},
        context);
    if (!result.ok()) FAIL(result.error().message());
    CHECK(Json::parse(context.files["optimize.json"])["runs"][0]["difference"].get<double>() < 1e-6);
    FakeContext refused;
    result = run_verb("optimize", {{"method", "grape"}, {"omega", 1e6}, {"duration", 1e4}}, refused);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().message().find("too fast") != std::string::npos);
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
