// From an exported figure back to the run that made it.
#pragma once

#include "app/session.h"
#include "core/base/json.h"

#include <string>

namespace orrery {

// The run of the session that has this provenance: the same method, verb, parameters and inputs; empty if none.
[[nodiscard]] std::string run_of(Session const& session, Json const& provenance);
// Values for the form: the parameters of the provenance, file parameters resolved to a dataset of the session with the
// same SHA-256 (else left out, named in `missing`).
[[nodiscard]] Json form_values(Session const& session, MethodSchema const& schema, Json const& provenance,
                               std::vector<std::string>& missing);

}  // namespace orrery
