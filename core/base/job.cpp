#include "core/base/job.h"

#include "core/base/hash.h"

#include <array>
#include <span>
#include <utility>

namespace orrery {

namespace {

constexpr std::array<std::pair<JobState, std::string_view>, 10> state_names{{
    {JobState::queued, "queued"},
    {JobState::running, "running"},
    {JobState::pausing, "pausing"},
    {JobState::paused, "paused"},
    {JobState::cancelling, "cancelling"},
    {JobState::cancelled, "cancelled"},
    {JobState::completing, "completing"},
    {JobState::done, "done"},
    {JobState::done_with_warnings, "done_with_warnings"},
    {JobState::failed, "failed"},
}};

std::span<JobState const> successors(JobState state) {
    using enum JobState;
    static constexpr std::array after_queued{running, cancelled, paused};
    static constexpr std::array after_running{pausing, cancelling, completing, failed};
    static constexpr std::array after_pausing{paused, cancelling, completing, failed};
    static constexpr std::array after_paused{queued, running, cancelled};
    static constexpr std::array after_cancelling{cancelled, failed, completing};
    static constexpr std::array after_completing{done, done_with_warnings, failed};
    static constexpr std::array after_cancelled{queued};  // from the checkpoint it kept
    switch (state) {
        case queued:
            return after_queued;
        case running:
            return after_running;
        case pausing:
            return after_pausing;
        case paused:
            return after_paused;
        case cancelling:
            return after_cancelling;
        case completing:
            return after_completing;
        case cancelled:
            return after_cancelled;
        case done:
        case done_with_warnings:
        case failed:
            return {};
    }
    return {};
}

// Reads fields of one JSON object and remembers the first that is absent or of a wrong type.
class Reader {
public:
    Reader(Json const& value, std::string what) : m_value(value), m_what(std::move(what)) {
        if (!value.is_object()) fail("is not an object");
    }

    template <class T>
    void read(char const* name, T& target, bool required = false) {
        if (m_error) return;
        auto const found = m_value.find(name);
        if (found == m_value.end()) {
            if (required) fail(std::string("has no \"") + name + "\"");
            return;
        }
        if (matches<T>(*found))
            target = found->template get<T>();
        else
            fail(std::string("has a \"") + name + "\" of the wrong type");
    }
    void fail(std::string const& how) { m_error = internal_error(m_what + " " + how); }
    [[nodiscard]] std::optional<Error> const& error() const { return m_error; }

private:
    template <class T>
    static bool matches(Json const& value) {
        if constexpr (std::is_same_v<T, std::string>)
            return value.is_string();
        else if constexpr (std::is_same_v<T, bool>)
            return value.is_boolean();
        else if constexpr (std::is_same_v<T, Json>)
            return true;
        else if constexpr (std::is_unsigned_v<T>)
            return value.is_number_unsigned();
        else
            return value.is_number_integer();
    }

    Json const& m_value;
    std::string m_what;
    std::optional<Error> m_error;
};

// `value` with every text that is a known path replaced by the hash of that file.
Json with_hashes(Json const& value, Json const& hashes) {
    if (value.is_string()) {
        auto const found = hashes.find(value.get_ref<std::string const&>());
        return found != hashes.end() ? Json{{"sha256", *found}} : value;
    }
    if (!value.is_structured()) return value;
    Json replaced = value;
    for (Json& item : replaced) item = with_hashes(item, hashes);
    return replaced;
}

}  // namespace

std::string_view to_string(JobState state) {
    for (auto const& [known, name] : state_names)
        if (known == state) return name;
    return "failed";
}

std::optional<JobState> job_state_from(std::string_view name) {
    for (auto const& [state, known] : state_names)
        if (known == name) return state;
    return std::nullopt;
}

bool is_final(JobState state) { return state == JobState::cancelled || successors(state).empty(); }

bool may_follow(JobState from, JobState to) {
    for (JobState const next : successors(from))
        if (next == to) return true;
    return false;
}

Json JobSpec::to_json() const {
    return {{"id", id},
            {"method", method},
            {"verb", verb},
            {"parameters", parameters},
            {"title", title},
            {"lane", lane == Lane::gpu ? "gpu" : "cpu"},
            {"threads", threads},
            {"memory_estimate", memory_estimate},
            {"method_version", method_version},
            {"inputs", inputs}};
}

Result<JobSpec> JobSpec::from_json(Json const& value) {
    JobSpec spec;
    std::string lane = "cpu";
    Reader reader(value, "the job's specification");
    reader.read("id", spec.id);
    reader.read("method", spec.method, true);
    reader.read("verb", spec.verb, true);
    reader.read("parameters", spec.parameters, true);
    reader.read("title", spec.title);
    reader.read("lane", lane);
    reader.read("threads", spec.threads);
    reader.read("memory_estimate", spec.memory_estimate);
    reader.read("method_version", spec.method_version);
    reader.read("inputs", spec.inputs);
    if (lane == "gpu")
        spec.lane = Lane::gpu;
    else if (lane != "cpu" && !reader.error())
        reader.fail("names the lane \"" + lane + "\"; lanes are cpu and gpu");
    if (!reader.error() && !spec.parameters.is_object()) reader.fail("has parameters that are no object");
    if (!reader.error() && !spec.inputs.is_object()) reader.fail("has inputs that are no object");
    if (reader.error()) return *reader.error();
    return spec;
}

std::string JobSpec::key() const {
    Json record = {{"method", method},
                   {"version", method_version},
                   {"verb", verb},
                   {"parameters", with_hashes(parameters, inputs)}};
    if (record["parameters"].is_object()) record["parameters"].erase("threads");
    return sha256(record.dump(-1, ' ', false, Json::error_handler_t::replace));
}

Json Artifact::to_json() const {
    return {{"name", name},   {"kind", kind},          {"media_type", media_type}, {"sha256", sha256},
            {"bytes", bytes}, {"path", path.string()}, {"partial", partial}};
}

Result<Artifact> Artifact::from_json(Json const& value) {
    Artifact artifact;
    std::string path;
    Reader reader(value, "an artifact's record");
    reader.read("name", artifact.name, true);
    reader.read("kind", artifact.kind, true);
    reader.read("media_type", artifact.media_type);
    reader.read("sha256", artifact.sha256, true);
    reader.read("bytes", artifact.bytes, true);
    reader.read("path", path);
    reader.read("partial", artifact.partial);
    if (reader.error()) return *reader.error();
    artifact.path = path;
    return artifact;
}

Json InputRecord::to_json() const {
    return {{"parameter", parameter}, {"path", path}, {"sha256", sha256}, {"bytes", bytes}};
}

Result<InputRecord> InputRecord::from_json(Json const& value) {
    InputRecord record;
    Reader reader(value, "an input's record");
    reader.read("parameter", record.parameter);
    reader.read("path", record.path, true);
    reader.read("sha256", record.sha256, true);
    reader.read("bytes", record.bytes);
    if (reader.error()) return *reader.error();
    return record;
}

}  // namespace orrery
