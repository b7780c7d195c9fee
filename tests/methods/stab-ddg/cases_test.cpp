#include "core/compute/runtime.h"
#include "core/methods/stab-ddg/inputs.h"
#include "core/methods/stab-ddg/verify.h"
#include "tests/catch.h"
#include "tests/fake_context.h"
#include "tests/fixtures.h"

#include <cstdio>

using namespace orrery;
using namespace orrery::methods::stab_ddg;

namespace {

void run_case(char const* name, bool needs_weights) {
    ORRERY_NEED_SHARED(path, std::string("fixtures/stab-ddg/") + name);
    if (needs_weights && !std::filesystem::exists(default_weights())) {
        std::printf("skipped: %s needs the weights that packaging/setup.sh brings\n", name);
        return;
    }
    for (int threads : {1, 2}) {
        configure_torch(threads);
        tests::FakeContext context(threads);
        Json parameters = {{"files", {path.string()}}};
        auto result = run_verify(parameters, context, "stab-ddg", verify_kinds(threads));
        INFO(name << " with " << threads << " threads");
        for (std::string const& line : context.logs) {
            if (line.find("FAIL") != std::string::npos || line.find("failed") != std::string::npos) UNSCOPED_INFO(line);
        }
        if (!result.ok()) FAIL(result.error().message());
        CHECK_FALSE(result->checks_failed);
        CHECK(context.logs.size() >= 3);  // the file, a comparison at least, the count
    }
}

}  // namespace

TEST_CASE("forward of a tiny network") { run_case("forward_tiny.safetensors", false); }
TEST_CASE("forward with fewer residues than neighbours") { run_case("forward_short.safetensors", false); }
TEST_CASE("binding ddG of a tiny network") { run_case("binding_ddg_tiny.safetensors", false); }
// Parameters whose gradient is below 1e-7 are rounding in float32, and Adam makes full steps of it: run_train_step() says
// how many there are, and bounds them by Adam's largest step.
TEST_CASE("two training steps of a tiny network") { run_case("train_step_tiny.safetensors", false); }
TEST_CASE("forward of the real network on 1C1Y") { run_case("real_forward_1c1y.safetensors", true); }
TEST_CASE("16 mutants x 20 draws of 1C1Y, draw for draw") { run_case("real_zeroshot_1c1y.safetensors", true); }
TEST_CASE("129 mutants x 2 draws of 1AO7, draw for draw") { run_case("real_zeroshot_1ao7.safetensors", true); }
TEST_CASE("the official reading of five files") { run_case("parser_official.json", false); }
TEST_CASE("interface sets of three complexes") { run_case("interface_residues.json", false); }
TEST_CASE("the benchmark's metrics of three predictors") { run_case("metrics_skempi.json", false); }
TEST_CASE("the filter and split of SKEMPI v2") { run_case("skempi_filter.json", false); }
