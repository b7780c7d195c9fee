// What a Queue consists of. For core/base/queue*.cpp alone.
//
// `mutex` guards jobs, waiting, events, lane_infos, closing and stopping, which callers and the queue's thread share.
// Lanes and workers belong to the queue's thread alone; it reads and parses without the mutex, so that a caller never
// waits for that.
#pragma once

#include "core/base/queue.h"
#include "core/base/queue_worker.h"
#include "core/base/store.h"
#include "core/base/store_private.h"

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace orrery {

[[nodiscard]] Error not_enough_memory(JobSpec const& spec, std::uint64_t available);

struct QueueJob {
    JobInfo info;
    bool force = false;  // start whatever the memory estimate says
    std::deque<std::string> log;
    std::string checkpoint_sha256;               // of the last one written in this session
    bool ask_cancel = false, ask_pause = false;  // to be sent to its worker
    std::optional<std::chrono::steady_clock::time_point> cancel_deadline;
};

struct QueueLane {
    Lane lane = Lane::cpu;
    std::string job;  // running in `busy`
    std::unique_ptr<WorkerProcess> busy;
    std::vector<std::unique_ptr<WorkerProcess>> warm;  // the next; more than one for moments only
    std::chrono::steady_clock::time_point spare_at{};  // when, while a job runs, the next worker is started
    std::optional<Error> problem;                      // why no worker starts; a new job tries again
    std::optional<std::chrono::steady_clock::time_point> restart_at;  // an idle worker died
};

struct Queue::Private {
    using Clock = std::chrono::steady_clock;

    Private(QueueOptions given, EventFunction function);
    ~Private();

    // ---- any thread, mutex held
    [[nodiscard]] QueueJob* find(std::string const& id) const;
    [[nodiscard]] bool has_waiting(Lane lane) const;
    QueueJob* next_waiting(Lane lane);              // takes it off the list
    Result<void> move(QueueJob& job, JobState to);  // checks, keeps, tells
    void emit(JobEvent event);
    void persist(QueueJob const& job) const;
    void wake() const;
    [[nodiscard]] std::string new_id() const;
    [[nodiscard]] bool lane_is_idle(Lane lane) const;
    [[nodiscard]] std::filesystem::path checkpoint_of(std::string const& id) const;
    void forget_checkpoint(QueueJob& job) const;
    void rewind_to_checkpoint(QueueJob const& job) const;
    void end_cancelled(QueueJob& job);
    void restore();
    void restore_interrupted(QueueJob& job);

    // ---- the queue's thread
    void loop();
    void wait_for_something();
    void deliver_events();
    void exchange_with_workers();
    void handle_lane(QueueLane& lane);
    void look_after_ending_workers();
    void schedule(QueueLane& lane);
    void send_requests(QueueLane& lane);
    void kill_overdue(QueueLane& lane);
    void start_job(QueueLane& lane, QueueJob& job);
    bool start_warm_worker(QueueLane& lane);
    void start_spare_workers(QueueLane& lane);
    void free_lane(QueueLane& lane, bool worker_lives);
    void trim_warm(QueueLane& lane);
    void retire(std::unique_ptr<WorkerProcess> worker);
    void refresh_info(QueueLane const& lane);
    void publish(QueueLane const& lane, std::optional<Error> const& news);
    void end_all_workers();

    // ---- messages, the queue's thread, mutex held
    void handle_message(QueueLane& lane, protocol::Message& message);
    void handle_live(QueueJob& job, protocol::Message& message);
    void handle_end(QueueLane& lane, QueueJob& job, protocol::Message& message);
    void finish(QueueJob& job, protocol::Finished& finished);
    void fail(QueueJob& job, Error error);
    void take_artifact(QueueJob& job, Artifact artifact);
    void add_log(QueueJob& job, LogLevel level, std::string text);
    void worker_ended(QueueLane& lane, int status, std::uint64_t peak_memory);
    void warm_worker_ended(QueueLane& lane, WorkerProcess& worker, int status);

    QueueOptions options;
    EventFunction on_event;
    int wake_file = -1;

    mutable std::mutex mutex;
    std::map<std::string, std::unique_ptr<QueueJob>> jobs;
    std::vector<std::string> order;   // all ids, in order of submission
    std::deque<std::string> waiting;  // ids whose turn comes, in order; those no longer queued are skipped
    std::vector<JobEvent> events;
    std::map<Lane, LaneInfo> lane_infos;
    bool closing = false;   // nothing starts any more
    bool stopping = false;  // the thread ends

    std::vector<QueueLane> lanes;
    std::vector<std::unique_ptr<WorkerProcess>> ending;
    std::thread thread;
};

}  // namespace orrery
