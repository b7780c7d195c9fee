// The bytes of a paused job: CBOR with a key that says which job they belong to. No LibTorch.
#pragma once

#include "core/base/job.h"

#include <optional>
#include <string>

namespace orrery::methods::stab_ddg {

// Parameters without those that do not change the numbers (threads), with the hashes of everything read.
std::string job_key(std::string_view verb, Json const& parameters, std::vector<std::string> const& hashes);

// State that may hold binary values.
Result<void> save_state(JobContext& context, std::string const& key, Json const& state);
// Nothing where there is no checkpoint; one of another job or damaged is left aside with a warning.
std::optional<Json> load_state(JobContext& context, std::string const& key);

}  // namespace orrery::methods::stab_ddg
