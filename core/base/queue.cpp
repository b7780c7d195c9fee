#include "core/base/queue.h"

#include "core/base/files.h"
#include "core/base/process.h"
#include "core/base/queue_private.h"

#include <algorithm>
#include <array>
#include <random>
#include <thread>
#include <utility>

namespace orrery {

namespace {

Error no_such_job(std::string const& id) { return bad_input("there is no job " + id + " in the queue"); }

}  // namespace

Error not_enough_memory(JobSpec const& spec, std::uint64_t available) {
    return unavailable(
        "the job needs about " + byte_text(spec.memory_estimate) + " of memory, " + byte_text(available) + " are free",
        spec.title, "Close other programs, choose a smaller input, or start it anyway");
}

Queue::Queue(QueueOptions options, EventFunction on_event)
    : m_impl(std::make_unique<Private>(std::move(options), std::move(on_event))) {}

Queue::~Queue() = default;

Result<std::string> Queue::submit(JobSpec spec, bool force) {
    std::uint64_t const available = spec.memory_estimate > 0 && !force ? available_memory() : 0;
    std::lock_guard const lock(m_impl->mutex);
    if (spec.id.empty()) spec.id = m_impl->new_id();
    if (spec.parameters.is_null()) spec.parameters = Json::object();
    if (m_impl->find(spec.id) != nullptr) return internal_error("there is a job " + spec.id + " already");
    if (spec.id.find_first_of("/\\") != std::string::npos || spec.id == "." || spec.id == "..")
        return internal_error("a job may not be named " + spec.id);
    if (!m_impl->lane_infos.contains(spec.lane))
        return unavailable("there is no GPU to run the job on", spec.title, "Run it on the CPU");
    if (available > 0 && spec.memory_estimate > available && m_impl->lane_is_idle(spec.lane))
        return not_enough_memory(spec, available);
    auto job = std::make_unique<QueueJob>();
    job->info.spec = std::move(spec);
    job->info.submitted = seconds_now();
    job->force = force;
    std::string id = job->info.spec.id;
    m_impl->persist(*job);
    m_impl->order.push_back(id);
    m_impl->waiting.push_back(id);
    m_impl->jobs.emplace(id, std::move(job));
    JobEvent event;
    event.kind = JobEvent::Kind::added;
    event.job = id;
    m_impl->emit(std::move(event));
    m_impl->wake();
    return id;
}

Result<void> Queue::cancel(std::string const& id) {
    std::lock_guard const lock(m_impl->mutex);
    QueueJob* const job = m_impl->find(id);
    if (job == nullptr) return no_such_job(id);
    if (job->info.state == JobState::queued || job->info.state == JobState::paused) {
        ORRERY_CHECK(m_impl->move(*job, JobState::cancelled));
        m_impl->wake();
        return {};
    }
    if (job->info.state == JobState::cancelling) return {};
    ORRERY_CHECK(m_impl->move(*job, JobState::cancelling));
    job->ask_cancel = true;
    job->cancel_deadline = Private::Clock::now() + std::chrono::milliseconds(150);
    m_impl->wake();
    return {};
}

Result<void> Queue::pause(std::string const& id) {
    std::lock_guard const lock(m_impl->mutex);
    QueueJob* const job = m_impl->find(id);
    if (job == nullptr) return no_such_job(id);
    if (job->info.state == JobState::queued) {
        ORRERY_CHECK(m_impl->move(*job, JobState::paused));
        m_impl->wake();
        return {};
    }
    if (job->info.state == JobState::pausing) return {};
    if (job->info.state == JobState::running && m_impl->options.resumable && !m_impl->options.resumable(job->info.spec))
        return unavailable(
            "the job cannot be paused: " + job->info.spec.method + " " + job->info.spec.verb + " keeps no checkpoint",
            job->info.spec.title, "Cancel it; what it has so far is kept");
    ORRERY_CHECK(m_impl->move(*job, JobState::pausing));
    job->ask_pause = true;
    m_impl->wake();
    return {};
}

bool Queue::pause_all(std::chrono::milliseconds patience) {
    auto const deadline = Private::Clock::now() + patience;
    {
        std::lock_guard const lock(m_impl->mutex);
        m_impl->closing = true;
    }
    for (JobInfo const& info : jobs())
        if (info.state == JobState::running) (void)pause(info.spec.id);  // one that cannot be paused runs on
    while (true) {
        {
            std::lock_guard const lock(m_impl->mutex);
            bool const runs = std::any_of(m_impl->jobs.begin(), m_impl->jobs.end(), [](auto const& entry) {
                JobState const state = entry.second->info.state;
                return !is_final(state) && state != JobState::queued && state != JobState::paused;
            });
            if (!runs) return true;
        }
        if (Private::Clock::now() >= deadline) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

Result<void> Queue::resume(std::string const& id) {
    std::lock_guard const lock(m_impl->mutex);
    QueueJob* const job = m_impl->find(id);
    if (job == nullptr) return no_such_job(id);
    if (job->info.state == JobState::queued && job->info.held) {
        job->info.held = false;
        JobEvent event;
        event.kind = JobEvent::Kind::state;
        event.job = id;
        event.state = JobState::queued;
        m_impl->emit(std::move(event));
    } else {
        if (job->info.state == JobState::cancelled && !job->info.has_checkpoint)
            return unavailable("the cancelled job kept no checkpoint to go on from", job->info.spec.title,
                               "Run it again from the start");
        ORRERY_CHECK(m_impl->move(*job, JobState::queued));
    }
    m_impl->waiting.push_back(id);
    m_impl->wake();
    return {};
}

Result<std::string> Queue::run_again(std::string const& id, bool force) {
    JobSpec spec;
    {
        std::lock_guard const lock(m_impl->mutex);
        QueueJob const* const job = m_impl->find(id);
        if (job == nullptr) return no_such_job(id);
        if (!is_final(job->info.state))
            return internal_error("a job that is " + std::string(to_string(job->info.state)) + " is not run again");
        spec = job->info.spec;
    }
    spec.id.clear();
    return submit(std::move(spec), force);
}

Result<void> Queue::remove(std::string const& id) {
    std::lock_guard const lock(m_impl->mutex);
    QueueJob* const job = m_impl->find(id);
    if (job == nullptr) return no_such_job(id);
    JobState const state = job->info.state;
    if (!is_final(state) && state != JobState::paused && state != JobState::queued)
        return internal_error("a job that is " + std::string(to_string(state)) + " is not removed",
                              job->info.spec.title);
    m_impl->forget_checkpoint(*job);
    m_impl->jobs.erase(id);
    std::erase(m_impl->order, id);
    if (m_impl->options.store != nullptr) m_impl->options.store->remove_run(id);
    JobEvent event;
    event.kind = JobEvent::Kind::removed;
    event.job = id;
    m_impl->emit(std::move(event));
    m_impl->wake();
    return {};
}

std::vector<JobInfo> Queue::jobs() const {
    std::lock_guard const lock(m_impl->mutex);
    std::vector<JobInfo> infos;
    for (std::string const& id : m_impl->order) {
        QueueJob const* const job = m_impl->find(id);
        infos.push_back(job->info);
        infos.back().log_tail.assign(job->log.begin(), job->log.end());
    }
    return infos;
}

std::optional<JobInfo> Queue::job(std::string const& id) const {
    std::lock_guard const lock(m_impl->mutex);
    QueueJob const* const job = m_impl->find(id);
    if (job == nullptr) return std::nullopt;
    JobInfo info = job->info;
    info.log_tail.assign(job->log.begin(), job->log.end());
    return info;
}

std::vector<LaneInfo> Queue::lanes() const {
    std::lock_guard const lock(m_impl->mutex);
    std::vector<LaneInfo> infos;
    for (auto const& [lane, info] : m_impl->lane_infos) infos.push_back(info);
    return infos;
}

// ---- shared state, mutex held

QueueJob* Queue::Private::find(std::string const& id) const {
    auto const found = jobs.find(id);
    return found == jobs.end() ? nullptr : found->second.get();
}

bool Queue::Private::has_waiting(Lane lane) const {
    return !closing && std::any_of(waiting.begin(), waiting.end(), [&](std::string const& id) {
        QueueJob const* const job = find(id);
        return job != nullptr && job->info.spec.lane == lane && job->info.state == JobState::queued && !job->info.held;
    });
}

QueueJob* Queue::Private::next_waiting(Lane lane) {
    for (auto id = waiting.begin(); id != waiting.end();) {
        QueueJob* const job = find(*id);
        if (job == nullptr || job->info.state != JobState::queued || job->info.held) {
            id = waiting.erase(id);
        } else if (job->info.spec.lane != lane) {
            ++id;
        } else {
            waiting.erase(id);
            return job;
        }
    }
    return nullptr;
}

Result<void> Queue::Private::move(QueueJob& job, JobState to) {
    JobState const from = job.info.state;
    if (!may_follow(from, to))
        return internal_error(
            "a job that is " + std::string(to_string(from)) + " cannot become " + std::string(to_string(to)),
            job.info.spec.title);
    job.info.state = to;
    if (to == JobState::running) {
        job.info.started = seconds_now();
        job.info.ended = 0;
        job.info.held = false;
    }
    if (is_final(to)) job.info.ended = seconds_now();
    if (is_final(to) || to == JobState::paused) {
        job.info.worker = 0;
        job.info.remaining_seconds = -1;
        job.ask_cancel = job.ask_pause = false;
        job.cancel_deadline.reset();
    }
    persist(job);
    JobEvent event;
    event.kind = JobEvent::Kind::state;
    event.job = job.info.spec.id;
    event.state = to;
    event.fraction = job.info.fraction;
    event.stage = job.info.stage;
    event.error = job.info.error;
    emit(std::move(event));
    return {};
}

void Queue::Private::emit(JobEvent event) {
    if (on_event) events.push_back(std::move(event));
}

std::string Queue::Private::new_id() const {
    static constexpr char digits[] = "0123456789abcdef";
    std::random_device random;
    std::string id(12, '0');
    for (char& c : id) c = digits[random() % 16];
    return id;
}

bool Queue::Private::lane_is_idle(Lane lane) const {
    return std::none_of(jobs.begin(), jobs.end(), [lane](auto const& entry) {
        JobInfo const& info = entry.second->info;
        return info.spec.lane == lane && !info.held && !is_final(info.state) && info.state != JobState::paused;
    });
}

}  // namespace orrery
