#include "core/base/files.h"
#include "core/base/number.h"
#include "core/base/table.h"
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

TEST_CASE("density matrices at the knots belong to the populations, and have trace 1") {
    ORRERY_NEED_SHARED(rl, "data/quantum-control/lambda_rl_pulse.csv");
    FakeContext context;
    auto result = run_verb("simulate", {{"pulse", rl.string()}}, context);
    if (!result.ok()) FAIL(result.error().message());
    auto density = io::parse_npy(context.files["density.npy"], "density.npy");
    if (!density.ok()) FAIL(density.error().message());
    REQUIRE(density->shape == std::vector<std::size_t>{50, 5, 5});
    auto populations = parse_csv(context.files["populations.csv"], "populations.csv");
    REQUIRE(populations.ok());
    REQUIRE(populations->rows.size() == 50);
    for (std::size_t k = 0; k < 50; ++k) {
        double trace = 0;
        for (std::size_t i = 0; i < 5; ++i) {
            double const p = density->real[k * 25 + 6 * i];
            trace += p;
            CHECK(std::abs(p - *parse_real(populations->rows[k][1 + i])) < 1e-12);
            for (std::size_t j = 0; j < i; ++j) {
                CHECK(density->real[k * 25 + 5 * i + j] == density->real[k * 25 + 5 * j + i]);
                CHECK(density->imaginary[k * 25 + 5 * i + j] == -density->imaginary[k * 25 + 5 * j + i]);
            }
        }
        CHECK(std::abs(trace - 1) < 1e-12);
    }
    CHECK(std::abs(density->real[49 * 25 + 12] - result->values["fidelity"].get<double>()) < 1e-12);
}

TEST_CASE("a pulse exported in any form gives the same fidelity when read back") {
    ORRERY_NEED_SHARED(rl, "data/quantum-control/lambda_rl_pulse.csv");
    FakeContext context;
    auto first = run_verb("simulate", {{"pulse", rl.string()}, {"rate", 49.0}}, context);  // at the knots themselves
    if (!first.ok()) FAIL(first.error().message());
    double const f = first->values["fidelity"].get<double>();
    CHECK(std::abs(first->values["fidelity_resampled"].get<double>() - f) < 1e-9);
    for (auto const& [artifact, name] : std::map<std::string, std::string>{{"pulse.npz", "p.npz"},
                                                                           {"pulse_resampled.csv", "p.csv"},
                                                                           {"pulse_resampled.npy", "p.npy"},
                                                                           {"pulse_generator.json", "p.json"}}) {
        auto const path = std::filesystem::temp_directory_path() / ("orrery-quantum-" + name);
        REQUIRE(write_file(path, context.files[artifact]).ok());
        double const again = simulated(path.string()).values["fidelity"].get<double>();
        INFO(artifact << " " << again << " against " << f);
        CHECK(std::abs(again - f) < 1e-9);
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
    auto const npz = std::filesystem::temp_directory_path() / "orrery-quantum-robust.npz";
    REQUIRE(write_file(npz, one.files["robust.npz"]).ok());
    auto arrays = io::read_npz(npz);
    if (!arrays.ok()) FAIL(arrays.error().message());
    CHECK(arrays->at("fidelity").shape == std::vector<std::size_t>{65, 65});
    CHECK(std::abs(arrays->at("fidelity").real[32 * 65 + 32] - 0.998925) < 2e-6);
    CHECK(arrays->at("x").real.back() == 0.1);
    CHECK(arrays->at("y").real.front() == -5);
    auto histogram = parse_csv(one.files["noise_histogram.csv"], "noise_histogram.csv");
    REQUIRE(histogram.ok());
    double draws = 0;
    for (auto const& row : histogram->rows) draws += *parse_real(row[2]);
    CHECK(draws == 64);
    CHECK(one.files["robust.csv"].find("\n0,0,0.99892") != std::string::npos);
    FakeContext wrong;
    auto result = run_verb("robust", {{"pulse", rl.string()}, {"x", "phase:0:1:9"}}, wrong);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().field == "x");
}
