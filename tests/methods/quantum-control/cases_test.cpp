#include "core/methods/quantum-control/verify.h"
#include "tests/catch.h"
#include "tests/fake_context.h"
#include "tests/fixtures.h"

using namespace orrery;
using namespace orrery::methods::quantum_control;

namespace {

void run_case(char const* name) {
    ORRERY_NEED_SHARED(path, std::string("fixtures/quantum-control/") + name);
    tests::FakeContext context(1);
    auto result = run_verify({{"files", {path.string()}}}, context, "quantum-control", verify_kinds());
    INFO(name);
    for (std::string const& line : context.logs) {
        if (line.find("FAIL") != std::string::npos || line.find("failed") != std::string::npos) UNSCOPED_INFO(line);
    }
    if (!result.ok()) FAIL(result.error().message());
    CHECK_FALSE(result->checks_failed);
    CHECK(context.logs.size() >= 3);  // the file, a comparison at least, the count
}

}  // namespace

TEST_CASE("three pulses of the Lambda system with five levels") { run_case("lambda5.safetensors"); }
TEST_CASE("four pulses of the Lambda system with four levels") { run_case("lambda4.safetensors"); }
TEST_CASE("low-pass smoothness, a superposition as target, the step limit") {
    run_case("lambda5_lowpass_partial_mxstep.safetensors");
}
TEST_CASE("two pulses of the one-photon Rydberg gate") { run_case("rydberg1.safetensors"); }
TEST_CASE("two pulses of the two-photon Rydberg gate") { run_case("rydberg2.safetensors"); }
TEST_CASE("three transmon pulses of the notebook") { run_case("transmon.safetensors"); }
TEST_CASE("four transmon pulses of the configuration") { run_case("transmon_cfg.safetensors"); }
TEST_CASE("smoothing, smoothness, filters, noise") { run_case("signal_tools.safetensors"); }
TEST_CASE("loss, gradient and three steps of PPO") { run_case("ppo_step.safetensors"); }
TEST_CASE("a multi-step episode as released") { run_case("multistep.safetensors"); }
