#include "core/methods/stab-ddg/sampling.h"

#include "tests/catch.h"
#include "tests/fake_context.h"
#include "tests/methods/stab-ddg/random_network.h"

#include <ATen/CPUGeneratorImpl.h>

#include <cmath>

using namespace orrery;
using namespace orrery::tests;

namespace {

struct Setup {
    Parameters parameters = random_parameters(16, 12);
    ComplexInput complex = random_complex(50, 3);
    FastNetwork network = FastNetwork::pack(parameters);
    std::vector<MutantChanges> mutants;
    Setup() {
        for (std::uint8_t letter = 0; letter < 20; ++letter) mutants.push_back(changes_at(complex, {{12, letter}}));
        for (std::uint8_t letter = 0; letter < 20; ++letter)
            mutants.push_back(changes_at(complex, {{31, letter}, {4, 3}}));
    }
};

}  // namespace

TEST_CASE("mean and standard error are those of the draws") {
    Setup s;
    FakeContext context;
    DdgEngine engine(s.network, s.complex, s.mutants, 12, 1);
    SamplingPlan plan;
    plan.draws = 4;
    Sampler sampler(engine, s.complex, plan, {20, 40}, context);
    std::vector<std::pair<int, std::size_t>> groups;
    Sampler::Hooks hooks;
    hooks.group_done = [&](int draw, std::size_t group) { groups.emplace_back(draw, group); };
    auto outcome = sampler.run(hooks);
    REQUIRE(outcome.ok());
    CHECK(*outcome == Sampler::Outcome::finished);
    CHECK(groups.size() == 8);
    CHECK(groups[1] == std::pair<int, std::size_t>{0, 1});
    for (std::size_t m : {0, 7, 25}) {
        std::vector<double> values = sampler.samples().binding_of_draws(m);
        REQUIRE(values.size() == 4);
        double mean = (values[0] + values[1] + values[2] + values[3]) / 4;
        double squares = 0;
        for (double v : values) squares += (v - mean) * (v - mean);
        Estimate estimate = sampler.samples().estimate(m);
        CHECK(estimate.mean == Approx(mean).margin(1e-12));
        CHECK(estimate.standard_error == Approx(std::sqrt(squares / 3) / 2).margin(1e-12));
        CHECK(estimate.parts[0] - estimate.parts[1] - estimate.parts[2] == Approx(mean).margin(1e-9));
    }
}

TEST_CASE("a sampler restored in the middle of a draw ends in the same bits") {
    Setup s;
    SamplingPlan plan;
    plan.draws = 3;
    auto values_of = [](Sampler const& sampler) {
        std::vector<double> all;
        for (std::size_t m = 0; m < 40; ++m) {
            for (double v : sampler.samples().binding_of_draws(m)) all.push_back(v);
        }
        return all;
    };
    FakeContext whole_context;
    DdgEngine engine(s.network, s.complex, s.mutants, 12, 2);
    Sampler whole(engine, s.complex, plan, {20, 40}, whole_context);
    REQUIRE(whole.run({}).ok());
    for (int at : {3, 40, 90, 150, 200}) {
        FakeContext context;
        context.decide = [&](int call) { return call >= at ? Signal::pause : Signal::go_on; };
        Sampler first(engine, s.complex, plan, {20, 40}, context);
        auto outcome = first.run({});
        REQUIRE(outcome.ok());
        if (*outcome == Sampler::Outcome::finished) continue;
        CHECK(*outcome == Sampler::Outcome::paused);
        std::vector<std::uint8_t> bytes = Json::to_cbor(first.save());
        FakeContext again;
        Sampler second(engine, s.complex, plan, {20, 40}, again);
        REQUIRE(second.restore(Json::from_cbor(bytes)).ok());
        REQUIRE(second.run({}).ok());
        CHECK(values_of(second) == values_of(whole));
    }
    Sampler other(engine, s.complex, plan, {40}, whole_context);
    CHECK_FALSE(other.restore(Json::object()).ok());
    Json damaged = whole.save();
    damaged["done"] = Json::binary({1, 2, 3});
    CHECK_FALSE(other.restore(damaged).ok());
}

TEST_CASE("the adaptive plan stops when every standard error is small, at 100 draws at the latest") {
    Setup s;
    s.mutants.resize(2);
    FakeContext context;
    DdgEngine engine(s.network, s.complex, s.mutants, 12, 1);
    SamplingPlan plan;
    plan.draws = 2;
    plan.adaptive = true;
    Sampler sampler(engine, s.complex, plan, {2}, context);
    REQUIRE(sampler.run({}).ok());
    int draws = sampler.samples().complete_draws();
    CHECK(draws >= 2);
    CHECK(draws <= 100);
    for (std::size_t m = 0; m < 2; ++m) {
        if (draws < 100 && !s.mutants[m].empty()) CHECK(sampler.samples().estimate(m).standard_error < 0.1);
    }
}
