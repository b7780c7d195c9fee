#include "core/methods/stab-ddg/checkpoint_state.h"

#include "core/base/hash.h"

namespace orrery::methods::stab_ddg {

std::string job_key(std::string_view verb, Json const& parameters, std::vector<std::string> const& hashes) {
    Json all = parameters;
    all.erase("threads");
    return sha256(Json{{"verb", verb}, {"parameters", all}, {"hashes", hashes}}.dump());
}

Result<void> save_state(JobContext& context, std::string const& key, Json const& state) {
    std::vector<std::uint8_t> bytes = Json::to_cbor(Json{{"key", key}, {"state", state}});
    return context.save_checkpoint({reinterpret_cast<char const*>(bytes.data()), bytes.size()});
}

std::optional<Json> load_state(JobContext& context, std::string const& key) {
    std::optional<std::string> bytes = context.checkpoint();
    if (!bytes) return std::nullopt;
    Json all = Json::from_cbor(*bytes, true, false);
    if (all.is_discarded() || !all.is_object() || !all.contains("key") || !all.contains("state")) {
        context.warn(bad_input("the checkpoint is damaged", {}, "The job starts anew"));
        return std::nullopt;
    }
    if (all["key"] != key) {
        context.warn(bad_input("the checkpoint belongs to other inputs or parameters", {}, "The job starts anew"));
        return std::nullopt;
    }
    return all["state"];
}

}  // namespace orrery::methods::stab_ddg
