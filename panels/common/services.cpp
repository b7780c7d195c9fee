#include "panels/common/services.h"

namespace orrery {

Artifact const* JobStatus::artifact(std::string_view name) const {
    for (Artifact const& artifact : result.artifacts)
        if (artifact.name == name) return &artifact;
    return nullptr;
}

}  // namespace orrery
