// What the workers say, and how jobs end. The queue's thread; the mutex is held.
#include "core/base/queue_checkpoint.h"
#include "core/base/queue_private.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace orrery {

namespace {

constexpr std::size_t kept_log_lines = 200;
constexpr std::size_t shown_log_lines = 20;

JobEvent event_of(QueueJob const& job, JobEvent::Kind kind) {
    JobEvent event;
    event.kind = kind;
    event.job = job.info.spec.id;
    event.state = job.info.state;
    return event;
}

protocol::Ending* ending_of(protocol::Message& message) {
    if (auto* finished = std::get_if<protocol::Finished>(&message)) return finished;
    if (auto* failed = std::get_if<protocol::Failed>(&message)) return failed;
    if (auto* cancelled = std::get_if<protocol::Cancelled>(&message)) return cancelled;
    return std::get_if<protocol::Paused>(&message);
}

Error ended_error(std::string const& how, std::deque<std::string> const& log) {
    Error error = internal_error("the worker ended " + std::string(how.starts_with("signal") ? "by " : "with ") + how);
    error.remedy = "Its last lines are in the job's log; the queue goes on, and the job can be run again";
    std::size_t const first = log.size() > shown_log_lines ? log.size() - shown_log_lines : 0;
    for (std::size_t i = first; i < log.size(); ++i) error.chain.push_back(log[i]);
    return error;
}

}  // namespace

void Queue::Private::handle_message(QueueLane& lane, protocol::Message& message) {
    if (auto const* ready = std::get_if<protocol::Ready>(&message)) {
        if (!lane.busy) return;
        lane.busy->ready = true;  // it was given its job while it was still warming up
        lane.busy->facts = *ready;
        LaneInfo& info = lane_infos[lane.lane];
        info.device = ready->device;
        info.libraries = ready->libraries;
        return;
    }
    QueueJob* const job = lane.busy ? find(lane.job) : nullptr;
    if (job == nullptr) return;
    protocol::Ending const* const ending = ending_of(message);
    if (ending == nullptr) return handle_live(*job, message);
    // An ending without a job: the worker could not read a line we sent. Anything else is of another job.
    bool const unread = ending->job.empty() && std::holds_alternative<protocol::Failed>(message);
    if (ending->job == lane.job || unread) handle_end(lane, *job, message);
}

void Queue::Private::handle_live(QueueJob& job, protocol::Message& message) {
    Store* const store = options.store;
    std::string const& id = job.info.spec.id;
    if (auto* progress = std::get_if<protocol::Progress>(&message)) {
        job.info.fraction = progress->fraction;
        job.info.stage = progress->stage;
        job.info.elapsed_seconds = progress->elapsed_seconds;
        job.info.remaining_seconds = progress->remaining_seconds;
        JobEvent event = event_of(job, JobEvent::Kind::progress);
        event.fraction = progress->fraction;
        event.stage = progress->stage;
        event.elapsed_seconds = progress->elapsed_seconds;
        event.remaining_seconds = progress->remaining_seconds;
        emit(std::move(event));
    } else if (auto* points = std::get_if<protocol::SeriesPoints>(&message)) {
        if (store != nullptr) store->add_series(id, points->name, points->x, points->y);
        JobEvent event = event_of(job, JobEvent::Kind::series);
        event.name = std::move(points->name);
        event.x = std::move(points->x);
        event.y = std::move(points->y);
        emit(std::move(event));
    } else if (auto* update = std::get_if<protocol::Update>(&message)) {
        if (store != nullptr) store->add_update(id, update->name, update->value);
        JobEvent event = event_of(job, JobEvent::Kind::update);
        event.name = std::move(update->name);
        event.value = std::move(update->value);
        emit(std::move(event));
    } else if (auto* line = std::get_if<protocol::LogLine>(&message)) {
        add_log(job, line->level, std::move(line->text));
    } else if (auto* warning = std::get_if<protocol::Warning>(&message)) {
        // A resumed job says again what it said before.
        if (std::any_of(job.info.warnings.begin(), job.info.warnings.end(),
                        [&](Error const& known) { return known.message() == warning->error.message(); }))
            return;
        job.info.warnings.push_back(warning->error);
        JobEvent event = event_of(job, JobEvent::Kind::warning);
        event.error = std::move(warning->error);
        emit(std::move(event));
    } else if (auto* written = std::get_if<protocol::ArtifactWritten>(&message)) {
        take_artifact(job, std::move(written->artifact));
    } else if (auto* checkpoint = std::get_if<protocol::CheckpointWritten>(&message)) {
        if (store != nullptr)
            store->mark_checkpoint(id, checkpoint->sha256);
        else if (job.checkpoint_sha256 != checkpoint->sha256)
            remove_kept_checkpoint(checkpoint_of(id), job.checkpoint_sha256);
        job.checkpoint_sha256 = checkpoint->sha256;
        if (!std::exchange(job.info.has_checkpoint, true)) persist(job);
    }
}

// The latest of each name; one that is known already (an end lists all once more) changes nothing.
void Queue::Private::take_artifact(QueueJob& job, Artifact artifact) {
    std::vector<Artifact>& artifacts = job.info.artifacts;
    auto known = std::find_if(artifacts.begin(), artifacts.end(),
                              [&](Artifact const& other) { return other.name == artifact.name; });
    if (known != artifacts.end() && known->sha256 == artifact.sha256 && known->partial == artifact.partial) return;
    if (known == artifacts.end())
        artifacts.push_back(artifact);
    else
        *known = artifact;
    if (options.store != nullptr) options.store->put_artifact(job.info.spec.id, artifact);
    JobEvent event = event_of(job, JobEvent::Kind::artifact);
    event.artifact = std::move(artifact);
    emit(std::move(event));
}

void Queue::Private::handle_end(QueueLane& lane, QueueJob& job, protocol::Message& message) {
    protocol::Ending& ending = *ending_of(message);
    job.info.provenance = std::move(ending.provenance);
    job.info.peak_memory = ending.peak_memory;
    for (Artifact& artifact : ending.artifacts) take_artifact(job, std::move(artifact));
    JobState const state = job.info.state;
    if (auto* finished = std::get_if<protocol::Finished>(&message)) {
        finish(job, *finished);
    } else if (auto* failed = std::get_if<protocol::Failed>(&message)) {
        fail(job, std::move(failed->error));
    } else if (std::holds_alternative<protocol::Cancelled>(message)) {
        if (state != JobState::cancelling) (void)move(job, JobState::cancelling);
        end_cancelled(job);
    } else if (state == JobState::cancelling) {
        end_cancelled(job);  // it paused just before it was cancelled
    } else {
        rewind_to_checkpoint(job);
        if (state != JobState::pausing) (void)move(job, JobState::pausing);
        (void)move(job, JobState::paused);
    }
    free_lane(lane, true);
}

// Points told after the checkpoint are told again when the job goes on from it.
void Queue::Private::rewind_to_checkpoint(QueueJob const& job) const {
    if (options.store != nullptr && !job.checkpoint_sha256.empty())
        options.store->rewind_to_checkpoint(job.info.spec.id, job.checkpoint_sha256);
}

void Queue::Private::end_cancelled(QueueJob& job) {
    rewind_to_checkpoint(job);
    (void)move(job, JobState::cancelled);
}

void Queue::Private::finish(QueueJob& job, protocol::Finished& finished) {
    job.info.values = std::move(finished.values);
    job.info.fraction = 1;
    (void)move(job, JobState::completing);
    forget_checkpoint(job);
    if (finished.checks_failed) {
        Error error;
        error.kind = ErrorKind::check_failed;
        error.what = "a check of the numbers failed";
        error.remedy = "See the table of the run";
        job.info.error = std::move(error);
        (void)move(job, JobState::failed);
        return;
    }
    (void)move(job, job.info.warnings.empty() ? JobState::done : JobState::done_with_warnings);
}

void Queue::Private::fail(QueueJob& job, Error error) {
    forget_checkpoint(job);
    add_log(job, LogLevel::error, error.message());
    job.info.error = std::move(error);
    (void)move(job, JobState::failed);
}

void Queue::Private::add_log(QueueJob& job, LogLevel level, std::string text) {
    if (options.store != nullptr) options.store->add_log({job.info.spec.id, seconds_now(), level, text});
    JobEvent event = event_of(job, JobEvent::Kind::log);
    event.level = level;
    event.text = text;
    emit(std::move(event));
    job.log.push_back(std::move(text));
    if (job.log.size() > kept_log_lines) job.log.pop_front();
}

void Queue::Private::worker_ended(QueueLane& lane, int status, std::uint64_t peak_memory) {
    if (QueueJob* const job = find(lane.job)) {
        job->info.peak_memory = std::max(job->info.peak_memory, peak_memory);
        if (job->info.state == JobState::cancelling) {
            end_cancelled(*job);
        } else {
            std::string how = describe_exit(status);
            if (!lane.busy->ready) how += " before it was ready";
            fail(*job, ended_error(how, job->log));
        }
    }
    // A worker that can't even start leaves the lane with the reason; the next job tries again.
    if (!lane.busy->ready) lane.problem = ended_error(describe_exit(status) + " before it was ready", {});
    free_lane(lane, false);
}

// Without the mutex.
void Queue::Private::warm_worker_ended(QueueLane& lane, WorkerProcess& worker, int status) {
    if (worker.ready) {
        lane.restart_at = Clock::now() + std::chrono::seconds(1);
        return;
    }
    std::deque<std::string> const lines(worker.early_lines.begin(), worker.early_lines.end());
    lane.problem = ended_error(describe_exit(status) + " before it was ready", lines);
}

}  // namespace orrery
