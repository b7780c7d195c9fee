// The verb predict: a list of mutants of one or several complexes.
//
// Live messages (JobContext::update):
//   "mutants"  {complex, first, total, author: ["EA63Q", ...], ordinal: [...]}   before a complex, at most 50 names
//   each "estimates"{complex, draw, first, mean: [...], se: [...], n: [...]}           after each draw, at most 100
//   values each
// mean and se are in the reported sign; se is null for one draw.
#pragma once

#include "core/base/job.h"

namespace orrery::methods::stab_ddg {

Result<JobResult> predict(Json const& parameters, JobContext& context);

}  // namespace orrery::methods::stab_ddg
