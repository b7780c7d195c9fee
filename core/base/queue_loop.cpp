// The queue's thread: waits for pipes, starts jobs, keeps workers warm, ends those that don't answer.
#include "core/base/process.h"
#include "core/base/queue_private.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <utility>

namespace orrery {

namespace {

using Clock = std::chrono::steady_clock;

// While a job runs the next worker starts after this time: short jobs are over before and reuse theirs.
constexpr std::chrono::milliseconds spare_delay{500};
constexpr std::chrono::milliseconds end_grace{200};      // of all workers when the queue ends
constexpr std::chrono::seconds retire_grace{2};          // of one that is not needed any more
constexpr std::chrono::milliseconds unwatched_wait{20};  // where the kernel does not tell of a process's end

}  // namespace

Queue::Private::Private(QueueOptions given, EventFunction function)
    : options(std::move(given)), on_event(std::move(function)), wake_file(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (options.store != nullptr) options.blob_root = options.store->blob_root();
    lanes.emplace_back().lane = Lane::cpu;
    if (options.gpu_lane) lanes.emplace_back().lane = Lane::gpu;
    for (QueueLane const& lane : lanes) lane_infos[lane.lane].lane = lane.lane;
    restore();
    thread = std::thread([this] { loop(); });
}

Queue::Private::~Private() {
    {
        std::lock_guard const lock(mutex);
        stopping = true;
    }
    wake();
    thread.join();
    ::close(wake_file);
}

void Queue::Private::wake() const {
    std::uint64_t const one = 1;
    [[maybe_unused]] ssize_t const written = ::write(wake_file, &one, sizeof one);
}

void Queue::Private::loop() {
    // A worker that has just died must not take the window with it.
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
    while (true) {
        {
            std::lock_guard const lock(mutex);
            if (stopping) break;
        }
        for (QueueLane& lane : lanes) schedule(lane);
        deliver_events();
        wait_for_something();
        exchange_with_workers();
        look_after_ending_workers();
        deliver_events();
    }
    end_all_workers();
}

void Queue::Private::deliver_events() {
    std::vector<JobEvent> now;
    {
        std::lock_guard const lock(mutex);
        now.swap(events);
    }
    for (JobEvent const& event : now) on_event(event);
}

void Queue::Private::wait_for_something() {
    std::vector<pollfd> files{{wake_file, POLLIN, 0}};
    std::optional<Clock::time_point> deadline;
    auto const until = [&](std::optional<Clock::time_point> const& time) {
        if (time && (!deadline || *time < *deadline)) deadline = time;
    };
    auto const add = [&](WorkerProcess const& worker) {
        worker.add_to_poll(files);
        until(worker.kill_at);
        if (!worker.can_be_watched()) until(Clock::now() + unwatched_wait);
    };
    for (QueueLane const& lane : lanes) {
        if (lane.busy) add(*lane.busy);
        for (auto const& worker : lane.warm) add(*worker);
        if (lane.busy && lane.warm.empty() && !lane.problem) until(lane.spare_at);
        if (lane.warm.empty()) until(lane.restart_at);
        std::lock_guard const lock(mutex);
        if (QueueJob const* const job = find(lane.job)) until(job->cancel_deadline);
    }
    for (auto const& worker : ending) add(*worker);

    int timeout = -1;
    if (deadline) {
        auto const left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now()).count();
        timeout = static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
    }
    ::poll(files.data(), files.size(), timeout);
    std::uint64_t count = 0;
    [[maybe_unused]] ssize_t const read = ::read(wake_file, &count, sizeof count);
}

void Queue::Private::exchange_with_workers() {
    for (QueueLane& lane : lanes) handle_lane(lane);
}

void Queue::Private::handle_lane(QueueLane& lane) {
    if (lane.busy) {
        WorkerProcess::Output output;
        std::optional<int> const status = lane.busy->ended();
        status ? lane.busy->drain(output) : lane.busy->exchange(output);
        std::lock_guard const lock(mutex);
        for (std::string& line : output.error_lines)
            if (QueueJob* const job = find(lane.job)) add_log(*job, LogLevel::info, std::move(line));
        for (Result<protocol::Message>& message : output.messages) {
            if (message)
                handle_message(lane, *message);
            else if (QueueJob* const job = find(lane.job))
                add_log(*job, LogLevel::error, message.error().message());
        }
        if (status && lane.busy) worker_ended(lane, *status, lane.busy->peak_memory());
    }
    std::vector<std::unique_ptr<WorkerProcess>> dead;
    for (auto& worker : lane.warm) {
        WorkerProcess::Output output;
        std::optional<int> const status = worker->ended();
        status ? worker->drain(output) : worker->exchange(output);
        for (std::string& line : output.error_lines) worker->early_lines.push_back(std::move(line));
        for (Result<protocol::Message> const& message : output.messages) {
            protocol::Ready const* const ready = message ? std::get_if<protocol::Ready>(&*message) : nullptr;
            if (ready == nullptr) continue;
            worker->ready = true;
            worker->facts = *ready;
            lane.problem.reset();
            publish(lane, std::nullopt);
        }
        if (!status) continue;
        warm_worker_ended(lane, *worker, *status);
        dead.push_back(std::move(worker));
    }
    if (!dead.empty()) {
        std::erase_if(lane.warm, [](auto const& worker) { return worker == nullptr; });
        publish(lane, lane.problem);
    }
    kill_overdue(lane);
    trim_warm(lane);
}

void Queue::Private::kill_overdue(QueueLane& lane) {
    std::lock_guard const lock(mutex);
    QueueJob* const job = find(lane.job);
    if (job == nullptr || !lane.busy || !job->cancel_deadline || Clock::now() < *job->cancel_deadline) return;
    add_log(*job, LogLevel::info, "the worker did not answer the cancellation and was ended");
    lane.busy->kill();
    end_cancelled(*job);
    free_lane(lane, false);
}

// With the mutex held. The lane's job is over. A worker that lives is kept for the next job unless a fresh one is
// ready.
void Queue::Private::free_lane(QueueLane& lane, bool worker_lives) {
    lane.job.clear();
    lane.busy->used = true;
    if (worker_lives)
        lane.warm.push_back(std::move(lane.busy));
    else
        ending.push_back(std::move(lane.busy));
    lane.busy.reset();
    refresh_info(lane);
}

void Queue::Private::trim_warm(QueueLane& lane) {
    bool const fresh = std::any_of(lane.warm.begin(), lane.warm.end(),
                                   [](auto const& worker) { return worker->ready && !worker->used; });
    if (!fresh || lane.warm.size() < 2) return;
    // What a used worker still holds (memory, caches, the state of libraries) goes with it.
    for (auto& worker : lane.warm)
        if (worker->used) retire(std::move(worker));
    std::erase_if(lane.warm, [](auto const& worker) { return worker == nullptr; });
    publish(lane, std::nullopt);
}

void Queue::Private::retire(std::unique_ptr<WorkerProcess> worker) {
    worker->close_input();
    worker->kill_at = Clock::now() + retire_grace;
    ending.push_back(std::move(worker));
}

void Queue::Private::look_after_ending_workers() {
    std::erase_if(ending, [](auto const& worker) {
        WorkerProcess::Output unread;
        worker->exchange(unread);  // so that it does not wait on a full pipe
        if (worker->kill_at && Clock::now() >= *worker->kill_at) worker->kill();
        return worker->ended().has_value();
    });
}

void Queue::Private::schedule(QueueLane& lane) {
    while (!lane.busy) {
        {
            std::lock_guard const lock(mutex);
            if (!has_waiting(lane.lane)) break;
        }
        if (lane.warm.empty()) start_warm_worker(lane);
        std::lock_guard const lock(mutex);
        if (QueueJob* const job = next_waiting(lane.lane)) start_job(lane, *job);
    }
    send_requests(lane);
    start_spare_workers(lane);
}

// With the mutex held. Fails the job if there is not the memory for it, or no worker.
void Queue::Private::start_job(QueueLane& lane, QueueJob& job) {
    bool const anew = job.info.started > 0 && !job.info.has_checkpoint;
    if (anew && options.store != nullptr) options.store->clear_live(job.info.spec.id);
    (void)move(job, JobState::running);
    std::uint64_t const needed = job.info.spec.memory_estimate;
    std::uint64_t const available = needed > 0 && !job.force ? available_memory() : 0;
    if (available > 0 && needed > available) return fail(job, not_enough_memory(job.info.spec, available));
    if (lane.warm.empty()) return fail(job, lane.problem.value_or(internal_error("no worker could be started")));
    auto best = std::find_if(lane.warm.begin(), lane.warm.end(), [](auto const& worker) { return worker->ready; });
    if (best == lane.warm.end()) best = lane.warm.begin();
    lane.busy = std::move(*best);
    lane.warm.erase(best);
    lane.job = job.info.spec.id;
    lane.spare_at = Clock::now() + spare_delay;
    lane.restart_at.reset();
    job.info.worker = lane.busy->pid();
    job.info.error.reset();
    for (std::string& line : lane.busy->early_lines) add_log(job, LogLevel::info, std::move(line));
    lane.busy->early_lines.clear();
    lane.busy->send(protocol::Run{job.info.spec, options.blob_root, checkpoint_of(job.info.spec.id)});
    refresh_info(lane);
}

void Queue::Private::send_requests(QueueLane& lane) {
    std::lock_guard const lock(mutex);
    QueueJob* const job = find(lane.job);
    if (job == nullptr || !lane.busy) return;
    if (std::exchange(job->ask_pause, false)) lane.busy->send(protocol::Pause{lane.job});
    if (std::exchange(job->ask_cancel, false)) {
        lane.busy->send(protocol::Cancel{lane.job});
        lane.spare_at = Clock::now();  // in case it has to be killed
    }
}

bool Queue::Private::start_warm_worker(QueueLane& lane) {
    std::vector<std::string> command = options.worker_command;
    if (lane.lane == Lane::gpu) command.emplace_back("--gpu");
    command.emplace_back("--die-with-parent");
    lane.restart_at.reset();
    Result<std::unique_ptr<WorkerProcess>> worker = WorkerProcess::start(command);
    if (!worker) {
        lane.problem = worker.error();
        publish(lane, lane.problem);
        return false;
    }
    lane.problem.reset();
    lane.warm.push_back(std::move(worker).value());
    publish(lane, std::nullopt);
    return true;
}

void Queue::Private::start_spare_workers(QueueLane& lane) {
    // After a failure only a new job tries again: a worker that can't start must not be started for ever.
    if (!lane.warm.empty() || lane.problem) return;
    if (lane.busy && Clock::now() < lane.spare_at) return;
    if (lane.restart_at && Clock::now() < *lane.restart_at) return;
    start_warm_worker(lane);
}

void Queue::Private::refresh_info(QueueLane const& lane) {
    LaneInfo& info = lane_infos[lane.lane];
    info.job = lane.job;
    info.worker = lane.busy ? lane.busy->pid() : 0;
    info.warm_worker = lane.warm.empty() ? 0 : lane.warm.front()->pid();
    info.warm = false;
    info.problem = lane.problem;
    for (auto const& worker : lane.warm) {
        if (!worker->ready) continue;
        info.warm = true;
        info.warm_worker = worker->pid();
        info.device = worker->facts.device;
        info.libraries = worker->facts.libraries;
    }
}

void Queue::Private::publish(QueueLane const& lane, std::optional<Error> const& news) {
    std::lock_guard const lock(mutex);
    refresh_info(lane);
    JobEvent event;
    event.kind = JobEvent::Kind::workers;
    event.error = news;
    emit(std::move(event));
}

void Queue::Private::end_all_workers() {
    for (QueueLane& lane : lanes) {
        if (lane.busy) ending.push_back(std::move(lane.busy));
        for (auto& worker : lane.warm) ending.push_back(std::move(worker));
    }
    auto const deadline = Clock::now() + end_grace;
    for (auto const& worker : ending) {
        worker->close_input();
        worker->kill_at = deadline;
    }
    while (!ending.empty() && Clock::now() < deadline) {
        std::vector<pollfd> files;
        for (auto const& worker : ending) worker->add_to_poll(files);
        auto const left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
        ::poll(files.data(), files.size(), static_cast<int>(std::clamp<std::int64_t>(left, 0, 10)));
        look_after_ending_workers();
    }
    ending.clear();  // kills those that are left
}

}  // namespace orrery
