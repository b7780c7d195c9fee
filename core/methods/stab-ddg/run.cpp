#include "core/compute/runtime.h"
#include "core/methods/stab-ddg/finetune.h"
#include "core/methods/stab-ddg/predict.h"
#include "core/methods/stab-ddg/scan.h"
#include "core/methods/stab-ddg/schema.h"
#include "core/methods/stab-ddg/verbs_tables.h"
#include "core/methods/stab-ddg/verify.h"

#include <new>

namespace orrery::methods::stab_ddg {
namespace {

Result<JobResult> dispatch(std::string_view verb, Json const& parameters, JobContext& context) {
    if (verb == "read") return run_read(parameters, context);
    if (verb == "interface") return run_interface(parameters, context);
    if (verb == "eval") return run_eval(parameters, context);
    if (verb == "skempi-filter") return run_skempi_filter(parameters, context);
    configure_torch(context.threads());
    if (context.wants_gpu())
        context.log(LogLevel::info, "the fast path of this method runs on the CPU; the GPU is left free");
    if (verb == "predict") return predict(parameters, context);
    if (verb == "scan") return scan(parameters, context);
    if (verb == "finetune") return finetune(parameters, context);
    if (verb == "verify") return run_verify(parameters, context, "stab-ddg", verify_kinds(context.threads()));
    return internal_error("stab-ddg has no verb " + std::string(verb));
}

}  // namespace

Result<JobResult> run(std::string_view verb, Json const& parameters, JobContext& context) {
    try {
        return dispatch(verb, parameters, context);
    } catch (std::bad_alloc const&) {
        return unavailable("the memory is not enough for this job", std::string(verb),
                           "Close other programs, or leave out chains far from the interface");
    } catch (std::exception const& error) {
        return internal_error("the computation failed", std::string(verb)).caused_by(error.what());
    }
}

}  // namespace orrery::methods::stab_ddg
