#include "core/compute/runtime.h"
#include "core/methods/quantum-control/schema.h"
#include "core/methods/quantum-control/setup.h"
#include "core/methods/quantum-control/verify.h"

#include <new>

namespace orrery::methods::quantum_control {
namespace {

Result<JobResult> dispatch(std::string_view verb, Json const& parameters, JobContext& context) {
    if (context.wants_gpu()) context.log(LogLevel::info, "this method runs on the CPU; the GPU is left free");
    if (verb == "simulate") return run_simulate(parameters, context);
    if (verb == "optimize") return run_optimize(parameters, context);
    if (verb == "robust") return run_robust(parameters, context);
    configure_torch(context.threads());
    if (verb == "verify") return run_verify(parameters, context, "quantum-control", verify_kinds());
    return internal_error("quantum-control has no verb " + std::string(verb));
}

}  // namespace

Result<JobResult> run(std::string_view verb, Json const& parameters, JobContext& context) {
    try {
        return dispatch(verb, parameters, context);
    } catch (std::bad_alloc const&) {
        return unavailable("the memory is not enough for this job", std::string(verb), "Use fewer knots or levels");
    } catch (std::exception const& error) {
        return internal_error("the computation failed", std::string(verb)).caused_by(error.what());
    }
}

}  // namespace orrery::methods::quantum_control
