#include "core/compute/runtime.h"
#include "core/methods/quantum-control/schema.h"
#include "core/methods/quantum-control/verify.h"

#include <new>

namespace orrery::methods::quantum_control {
Result<JobResult> run(std::string_view verb, Json const& parameters, JobContext& context) {
    configure_torch(context.threads());
    if (verb == "verify") return run_verify(parameters, context, "quantum-control", verify_kinds());
    return internal_error("quantum-control has no verb " + std::string(verb));
}
}  // namespace orrery::methods::quantum_control
