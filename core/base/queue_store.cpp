// What the queue keeps in the session, and how its jobs come back from there.
#include "core/base/queue_checkpoint.h"
#include "core/base/queue_private.h"

#include <algorithm>
#include <system_error>

namespace orrery {

namespace fs = std::filesystem;

namespace {

StoredRun stored(JobInfo const& info) {
    StoredRun run;
    run.spec = info.spec;
    run.key = info.spec.key();
    run.state = info.state;
    run.values = info.values;
    run.provenance = info.provenance;
    run.error = info.error;
    run.warnings = info.warnings;
    run.submitted = info.submitted;
    run.started = info.started;
    run.ended = info.ended;
    run.fraction = info.fraction;
    run.stage = info.stage;
    run.device = info.provenance.value("device", "");
    run.libraries = info.provenance.value("libraries", Json::object());
    run.peak_memory = info.peak_memory;
    run.has_checkpoint = info.has_checkpoint;
    return run;
}

JobInfo recalled(StoredRun const& run) {
    JobInfo info;
    info.spec = run.spec;
    info.state = run.state;
    info.values = run.values;
    info.provenance = run.provenance;
    info.error = run.error;
    info.warnings = run.warnings;
    info.submitted = run.submitted;
    info.started = run.started;
    info.ended = run.ended;
    if (run.ended > run.started && run.started > 0) info.elapsed_seconds = run.ended - run.started;
    info.fraction = run.fraction;
    info.stage = run.stage;
    info.peak_memory = run.peak_memory;
    info.has_checkpoint = run.has_checkpoint;
    return info;
}

Error window_ended(JobInfo const& info) {
    Error error = unavailable("the window ended while it ran", info.spec.title, "Run it again");
    if (!info.stage.empty()) error.chain.push_back("it was at: " + info.stage);
    return error;
}

}  // namespace

void Queue::Private::persist(QueueJob const& job) const {
    if (options.store != nullptr) options.store->put_run(stored(job.info));
}

fs::path Queue::Private::checkpoint_of(std::string const& id) const { return options.blob_root / "checkpoints" / id; }

void Queue::Private::forget_checkpoint(QueueJob& job) const {
    remove_checkpoints(checkpoint_of(job.info.spec.id));
    job.info.has_checkpoint = false;
    job.checkpoint_sha256.clear();
}

void Queue::Private::restore() {
    if (options.store == nullptr) return;
    Result<std::vector<StoredRun>> const runs = options.store->runs();
    if (!runs) {
        JobEvent event;
        event.kind = JobEvent::Kind::workers;
        event.error = runs.error();
        return emit(std::move(event));
    }
    std::vector<QueueJob*> interrupted;
    for (StoredRun const& run : *runs) {
        auto job = std::make_unique<QueueJob>();
        job->info = recalled(run);
        std::error_code ignored;
        // The file counts, not the record: it may have been written a moment before the window ended.
        fs::path const checkpoint = checkpoint_of(run.spec.id);
        bool const goes_on = !is_final(run.state) || run.state == JobState::cancelled;
        job->info.has_checkpoint = goes_on && fs::is_regular_file(checkpoint, ignored);
        job->info.held = run.state == JobState::queued;
        if (Result<std::vector<Artifact>> artifacts = options.store->artifacts(run.spec.id))
            job->info.artifacts = std::move(artifacts).value();
        if (Result<std::vector<StoredLog>> const lines = options.store->log(run.spec.id, 200))
            for (StoredLog const& line : *lines) job->log.push_back(line.text);
        if (!is_final(run.state) && run.state != JobState::queued && run.state != JobState::paused)
            interrupted.push_back(job.get());
        order.push_back(run.spec.id);
        jobs.emplace(run.spec.id, std::move(job));
    }
    for (QueueJob* job : interrupted) restore_interrupted(*job);
}

void Queue::Private::restore_interrupted(QueueJob& job) {
    JobState const state = job.info.state;
    std::string const& id = job.info.spec.id;
    if (state == JobState::cancelling) {
        forget_checkpoint(job);
        (void)move(job, JobState::cancelled);
    } else if (state != JobState::completing && job.info.has_checkpoint) {
        // The one that the session's points belong to, if the window ended before it knew of the latest.
        Result<std::string> const mark = options.store->marked_checkpoint(id);
        if (mark && restore_checkpoint(checkpoint_of(id), *mark))
            options.store->rewind_to_checkpoint(id, *mark);
        else
            options.store->rewind_to_checkpoint(id, checkpoint_of(id));
        if (state == JobState::running) (void)move(job, JobState::pausing);
        (void)move(job, JobState::paused);
    } else {
        forget_checkpoint(job);
        job.info.error = window_ended(job.info);
        (void)move(job, JobState::failed);
    }
}

}  // namespace orrery
