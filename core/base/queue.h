// The local queue: a CPU lane and, with a GPU, a GPU lane; one job at a time a lane, in order of submission. Jobs run
// in worker processes that are started ahead (warm), so that a job starts at once and a crash, an out-of-memory kill or
// a cancel ends a worker, never the window. No Qt.
//
// Threads: every function may be called from any thread and returns at once. One thread of the queue's own reads all
// pipes and calls `on_event`; the window posts the event to its own thread. In `on_event` the queue's functions may be
// called, but the queue must not be destroyed.
#pragma once

#include "core/base/job.h"
#include "core/base/json.h"
#include "core/base/result.h"

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace orrery {

class Store;

struct JobInfo {
    JobSpec spec;
    JobState state = JobState::queued;
    bool held = false;  // queued, came back from an earlier session: waits for resume()
    double fraction = 0;
    std::string stage;
    double elapsed_seconds = 0;
    double remaining_seconds = -1;                 // -1: not known
    double submitted = 0, started = 0, ended = 0;  // seconds since 1970, UTC; 0: not yet
    Json values = Json::object();
    Json provenance = Json::object();
    std::vector<Artifact> artifacts;  // partial ones too
    std::vector<Error> warnings;
    std::optional<Error> error;
    std::vector<std::string> log_tail;  // the last 200 lines: the method's log and the worker's standard error
    pid_t worker = 0;                   // while it runs
    std::uint64_t peak_memory = 0;      // bytes
    bool has_checkpoint = false;
};

struct JobEvent {
    enum class Kind {
        added,     // a job is new in the list
        state,     // `state`; on an end also read job(id): values, artifacts, error
        progress,  // at most 30 a second a job
        series,    // points of one series, in order
        update,    // a partial result
        log,
        warning,   // `error`
        artifact,  // a partial or final one was written
        removed,
        workers,  // lanes() changed: a worker is ready, or cannot be started (`error`); no job
    };
    Kind kind = Kind::state;
    std::string job;
    JobState state = JobState::queued;
    double fraction = 0;
    std::string stage;
    double elapsed_seconds = 0, remaining_seconds = -1;
    std::string name;          // of the series or update
    std::vector<double> x, y;  // points of the series
    Json value;                // of the update
    LogLevel level = LogLevel::info;
    std::string text;  // of the log line
    std::optional<Error> error;
    std::optional<Artifact> artifact;
};

struct LaneInfo {
    Lane lane = Lane::cpu;
    std::string job;        // running there, empty if none
    pid_t worker = 0;       // of that job
    pid_t warm_worker = 0;  // the next one; 0: none
    bool warm = false;      // it said that it is ready
    std::string device;
    Json libraries = Json::object();
    std::optional<Error> problem;  // why no worker can be started there
};

struct QueueOptions {
    std::vector<std::string> worker_command;  // {"/usr/bin/orrery-cli", "worker"}; the GPU lane's gets "--gpu" after it
    std::filesystem::path blob_root;          // without a store; with one, its blob_root() is used
    Store* store = nullptr;                   // runs, series, artifacts, logs go there; outlives the queue
    bool gpu_lane = false;
    // Can this job be paused (VerbSchema::resumable)? Empty: all can.
    std::function<bool(JobSpec const&)> resumable;
};

class Queue {
public:
    using EventFunction = std::function<void(JobEvent const&)>;

    // Starts the warm workers. With a store, jobs of earlier sessions come back: queued ones held, paused ones paused,
    // one that was running as paused if it has a checkpoint, else as failed ("the window ended while it ran").
    explicit Queue(QueueOptions options, EventFunction on_event = {});
    // Ends all workers within 200 ms. Running jobs stay "running" in the store and come back as said above.
    ~Queue();
    Queue(Queue const&) = delete;
    Queue& operator=(Queue const&) = delete;

    // Gives spec.id (made if empty). Errors: an id that is taken; memory_estimate above what is free now while the lane
    // is idle (kind unavailable), unless `force`. A job that waits is looked at again when its turn comes.
    Result<std::string> submit(JobSpec spec, bool force = false);
    // A queued or paused job at once; a running one is asked, and its worker killed after 150 ms without an answer.
    // What the job has so far is kept, and its latest checkpoint, from which resume() goes on.
    Result<void> cancel(std::string const& id);
    // Running jobs only. Error if the verb cannot be resumed.
    Result<void> pause(std::string const& id);
    // Before the window ends: asks every running job that can to pause, and waits for their checkpoints, `patience` at
    // most. Queued jobs stay queued, and none starts any more. True: nothing runs now.
    bool pause_all(std::chrono::milliseconds patience);
    // A paused, held or cancelled job goes to the end of the queue; it starts from its checkpoint. Error if a cancelled
    // one kept none.
    Result<void> resume(std::string const& id);
    // The same specification as a new job; gives the new id. For any ended job.
    Result<std::string> run_again(std::string const& id, bool force = false);
    // Takes an ended or paused job off the list and out of the store.
    Result<void> remove(std::string const& id);

    [[nodiscard]] std::vector<JobInfo> jobs() const;  // in order of submission
    [[nodiscard]] std::optional<JobInfo> job(std::string const& id) const;
    [[nodiscard]] std::vector<LaneInfo> lanes() const;

private:
    struct Private;
    std::unique_ptr<Private> m_impl;
};

}  // namespace orrery
