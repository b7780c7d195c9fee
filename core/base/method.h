// The run-time side of a method: its schema and one function. Linked into orrery-cli only.
#pragma once

#include "core/base/job.h"
#include "core/base/schema.h"

#include <span>

namespace orrery {

// Runs `verb` with validated `parameters`. Returns an error of kind cancelled or paused when progress() asked for it.
using RunFunction = Result<JobResult> (*)(std::string_view verb, Json const& parameters, JobContext& context);

struct Method {
    MethodSchema const* schema;
    RunFunction run;
};

// Made by CMake from the folders of core/methods/: each defines, in namespace orrery::methods::<slug with _>,
// `MethodSchema const& schema();` (schema.cpp) and `Result<JobResult> run(std::string_view, Json const&, JobContext&);`.
std::span<Method const> all_methods();
Method const* find_method(std::string_view slug);

}  // namespace orrery
