// The verbs that need no network. Parameters as declared in verbs_tables_schema.cpp.
#pragma once

#include "core/base/job.h"

namespace orrery::methods::stab_ddg {

// read.json: chains as read, in the default or the official mode; a line a chain in the log.
Result<JobResult> run_read(Json const& parameters, JobContext& context);
// interface.csv, interface.json: positions within the cut-off of the other side.
Result<JobResult> run_interface(Json const& parameters, JobContext& context);
// metrics.json, metrics.csv, eval.figure.json: benchmark metrics of every predictor of a table, and paired tests.
Result<JobResult> run_eval(Json const& parameters, JobContext& context);
// skempi_filter.json, skempi_filtered.csv: SKEMPI v2 through the benchmark's filter and split.
Result<JobResult> run_skempi_filter(Json const& parameters, JobContext& context);

}  // namespace orrery::methods::stab_ddg
