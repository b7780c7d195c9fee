// What a job is: its specification, its states, and the context a method's function works in. The command line and the
// worker run the same functions through this interface; only the context differs.
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

enum class JobState {
    queued, running, pausing, paused, cancelling, cancelled, completing, done, done_with_warnings, failed
};
[[nodiscard]] std::string_view to_string(JobState state);
[[nodiscard]] std::optional<JobState> job_state_from(std::string_view name);
[[nodiscard]] bool is_final(JobState state);
// The allowed transitions; anything else is a programming error and is refused by the queue with an internal error.
[[nodiscard]] bool may_follow(JobState from, JobState to);

enum class Lane { cpu, gpu };

struct JobSpec {
    std::string id;      // unique in the session
    std::string method;  // slug
    std::string verb;
    Json parameters;     // validated
    std::string title;   // "Scan interface of 1AO7"
    Lane lane = Lane::cpu;
    int threads = 0;     // 0: all cores
    std::uint64_t memory_estimate = 0;  // bytes, 0 unknown
    std::string method_version;         // MethodSchema::version; make_job fills it
    Json inputs = Json::object();       // SHA-256 by path of the files among the parameters; make_job fills it
    [[nodiscard]] Json to_json() const;
    static Result<JobSpec> from_json(Json const& value);
    // SHA-256 over method, version, verb, parameters and input hashes: results with another key are stale. A file counts
    // by its bytes where `inputs` knows them, else by its path; threads, lane, id and title do not count.
    [[nodiscard]] std::string key() const;
};

// A named result. Its bytes are a file: in the output folder for the command line, in the content-addressed store
// (`blobs/<first two hex digits>/<sha256>`) for a worker.
struct Artifact {
    std::string name;        // "scan.csv"
    std::string kind;        // table, figure, scene, structure, array, weights, json, text
    std::string media_type;  // "text/csv"
    std::string sha256;
    std::uint64_t bytes = 0;
    std::filesystem::path path;
    bool partial = false;
    [[nodiscard]] Json to_json() const;
    static Result<Artifact> from_json(Json const& value);
};

struct InputRecord {
    std::string parameter;  // "structure"
    std::string path;
    std::string sha256;
    std::uint64_t bytes = 0;
    [[nodiscard]] Json to_json() const;
    static Result<InputRecord> from_json(Json const& value);
};

struct JobResult {
    Json values = Json::object();  // small named numbers, for the summary line
    std::vector<Artifact> artifacts;
    std::vector<Error> warnings;
    bool checks_failed = false;    // verify: exit code 1
};

enum class Signal { go_on, pause, cancel };
enum class LogLevel { debug, info, warning, error };

class JobContext {
public:
    virtual ~JobContext() = default;

    // Progress and cancellation are one call; make it at least every 50 ms of work. `fraction` in 0..1.
    virtual Signal progress(double fraction, std::string_view stage) = 0;
    // One point of a live series, e.g. ("loss", epoch, 0.31).
    virtual void series(std::string_view name, double x, double y) = 0;
    // A small live result for the views, e.g. ("column", {...}). At most a few kB.
    virtual void update(std::string_view name, Json const& value) = 0;
    virtual void log(LogLevel level, std::string_view text) = 0;
    virtual void warn(Error warning) = 0;
    // Records that a file was read (for provenance). Readers of methods call it once a file.
    virtual void used_input(InputRecord record) = 0;
    // Writes an artifact whole (beside and renamed). Partial ones are replaced by a later one of the same name.
    virtual Result<Artifact> emit(std::string_view name, std::string_view kind, std::string_view media_type,
                                  std::string_view bytes, bool partial = false) = 0;
    // Resumable verbs: written when progress() returned pause (and now and then for safety), read at the start.
    virtual Result<void> save_checkpoint(std::string_view bytes) = 0;
    [[nodiscard]] virtual std::optional<std::string> checkpoint() const = 0;

    [[nodiscard]] virtual int threads() const = 0;  // at least 1
    [[nodiscard]] virtual bool wants_gpu() const = 0;
    // Provenance of the run so far: program and library versions, method, verb, parameters, inputs by SHA-256, device.
    // No time and no absolute path: equal runs give equal bytes.
    [[nodiscard]] virtual Json provenance() const = 0;
};

[[nodiscard]] inline Error cancelled_error() { return Error{ErrorKind::cancelled, "cancelled", {}, {}, {}, {}}; }
[[nodiscard]] inline Error paused_error() { return Error{ErrorKind::paused, "paused", {}, {}, {}, {}}; }

}  // namespace orrery
