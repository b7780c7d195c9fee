// What the verbs without a network share: reading parameters, recording inputs, writing artifacts.
#pragma once

#include "core/base/hash.h"
#include "core/base/job.h"

#include <filesystem>
#include <string>
#include <vector>

namespace orrery::methods::stab_ddg {

inline std::string text_of(Json const& parameters, char const* name) { return parameters.value(name, std::string{}); }

inline std::vector<std::string> texts_of(Json const& parameters, char const* name) {
    return parameters.value(name, std::vector<std::string>{});
}

inline Result<void> record_input(JobContext& context, char const* parameter, std::filesystem::path const& path) {
    ORRERY_TRY(std::string hash, sha256_file(path));
    std::error_code error;
    auto const bytes = std::filesystem::file_size(path, error);
    context.used_input({parameter, path.string(), std::move(hash), error ? 0 : bytes});
    return {};
}

inline Result<void> emit(JobContext& context, JobResult& result, char const* name, char const* kind,
                         char const* media_type, std::string const& bytes) {
    ORRERY_TRY(Artifact artifact, context.emit(name, kind, media_type, bytes));
    result.artifacts.push_back(std::move(artifact));
    return {};
}

inline Result<void> emit_json(JobContext& context, JobResult& result, char const* name, Json json) {
    json["provenance"] = context.provenance();
    return emit(context, result, name, "json", "application/json", json.dump(1) + "\n");
}

}  // namespace orrery::methods::stab_ddg
