// The verb finetune: tunes the weights on measured ddG of binding (section 5, stage 2).
//
// Live: series "loss" (epoch from 1, mean squared error of the epoch), "seconds an epoch"; update "metrics" {when:
// "before" | "after", train: {...}, held_out: {...}} with pearson, spearman, rmse, mae, mutants.
#pragma once

#include "core/base/job.h"

namespace orrery::methods::stab_ddg {

Result<JobResult> finetune(Json const& parameters, JobContext& context);

}  // namespace orrery::methods::stab_ddg
