// From what a person gave to a job that can be queued: the one way the window and the command line make jobs.
#pragma once

#include "core/base/job.h"
#include "core/base/schema.h"

#include <string_view>

namespace orrery {

// Validates `given` and fills method, verb, parameters, title, threads (the parameter of that name), method_version and
// the hashes of the files among the parameters. `id`, `lane` and `memory_estimate` are the caller's. Reads every file
// once (about 1 s a GB): not for the window's thread when files are large.
// Errors: those of validate; an unknown verb, naming the nearest.
Result<JobSpec> make_job(MethodSchema const& method, std::string_view verb, Json const& given);

// The verb, or an error that names the nearest or all.
Result<VerbSchema const*> require_verb(MethodSchema const& method, std::string_view verb);

}  // namespace orrery
