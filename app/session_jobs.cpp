// Session: submitting runs, following them, comparing a repeated one with what it gave before.
#include <QDateTime>
#include <algorithm>
#include <cmath>

#include "app/event_inbox.h"
#include "app/session.h"
#include "core/base/hash.h"
#include "core/base/make_job.h"
#include "panels/common/background.h"
#include "panels/common/text.h"

namespace orrery {

namespace {

std::string new_id() {
    static int count = 0;
    // Short enough to type in a command, unique in a session file that several windows of a day may have written.
    return "r" + std::to_string(QDateTime::currentMSecsSinceEpoch() % 1'000'000'000) + "-" + std::to_string(++count);
}

}  // namespace

QString started_text(double seconds) {
    if (seconds <= 0) return {};
    QDateTime const time = QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(seconds * 1000));
    return time.toString(time.date() == QDate::currentDate() ? "HH:mm:ss" : "yyyy-MM-dd HH:mm");
}

std::string Session::submit(JobSpec spec, bool helper) {
    if (spec.id.empty()) spec.id = new_id();
    std::string const id = spec.id;
    JobStatus& status = m_jobs[id];
    status = JobStatus{};
    status.spec = spec;
    status.helper = helper;
    m_order.push_back(id);
    if (helper)
        put_item("helper", id, true);
    else
        m_touched = true;
    Q_EMIT job_added(qt(id));
    if (m_queue)
        enqueue(std::move(spec));
    else
        m_waiting.push_back(std::move(spec));
    return id;
}

// Hashing the input files takes a moment (about 1 s a GB): the specification is completed in the background.
void Session::enqueue(JobSpec spec) {
    MethodSchema const* schema = nullptr;
    for (PanelDescriptor const& panel : *m_options.panels)
        if (panel.schema->slug == spec.method) schema = panel.schema;
    std::string const id = spec.id;
    if (schema == nullptr) {
        mark_failed(id, bad_input("there is no method \"" + spec.method + "\" in this program"));
        return;
    }
    in_background(
        this,
        [schema, spec]() -> Result<JobSpec> {
            ORRERY_TRY(JobSpec made, make_job(*schema, spec.verb, spec.parameters));
            made.id = spec.id;
            made.lane = spec.lane;
            made.memory_estimate = spec.memory_estimate;
            if (!spec.title.empty()) made.title = spec.title;
            if (made.threads == 0) made.threads = spec.threads;
            return made;
        },
        [this, id](Result<JobSpec> const& made) { finish_submit(id, made); });
}

void Session::finish_submit(std::string const& id, Result<JobSpec> const& made) {
    auto const found = m_jobs.find(id);
    if (found == m_jobs.end() || !m_queue) return;
    if (found->second.state != JobState::queued) return;  // cancelled before it came to the queue
    if (!made.ok()) {
        mark_failed(id, made.error());
        return;
    }
    found->second.spec = *made;
    if (auto const submitted = m_queue->submit(*made); !submitted.ok()) mark_failed(id, submitted.error());
}

void Session::mark_failed(std::string const& id, Error const& error) {
    JobStatus& status = m_jobs[id];
    status.state = JobState::failed;
    status.error = error;
    StoredRun run;
    run.spec = status.spec;
    run.state = status.state;
    run.error = error;
    run.submitted = static_cast<double>(QDateTime::currentMSecsSinceEpoch()) / 1e3;
    run.ended = run.submitted;
    with_store([run](Store& store) { store.put_run(run); });
    Q_EMIT job_changed(status);
}

Result<void> Session::cancel(std::string const& id) {
    auto const found = m_jobs.find(id);
    if (found == m_jobs.end()) return bad_input("there is no run \"" + id + "\"");
    if (m_queue && m_queue->job(id)) return m_queue->cancel(id);
    if (is_final(found->second.state)) return bad_input("run " + id + " has ended already");
    found->second.state = JobState::cancelled;  // its files were still being hashed
    Q_EMIT job_changed(found->second);
    return {};
}

Result<void> Session::pause(std::string const& id) {
    return m_queue ? m_queue->pause(id) : Result<void>(bad_input("there is no run \"" + id + "\""));
}

Result<void> Session::resume(std::string const& id) {
    return m_queue ? m_queue->resume(id) : Result<void>(bad_input("there is no run \"" + id + "\""));
}

Result<void> Session::remove(std::string const& id) {
    auto const found = m_jobs.find(id);
    if (found == m_jobs.end()) return bad_input("there is no run \"" + id + "\"");
    if (found->second.busy()) return bad_input("run " + id + " is still going", {}, "cancel it first");
    if (m_queue && m_queue->job(id)) ORRERY_CHECK(m_queue->remove(id));
    with_store([id](Store& store) { store.remove_run(id); });
    m_jobs.erase(id);
    std::erase(m_order, id);
    Q_EMIT job_removed(qt(id));
    return {};
}

Result<std::string> Session::repeat(std::string const& id) {
    auto const found = m_jobs.find(id);
    if (found == m_jobs.end()) return bad_input("there is no run \"" + id + "\"");
    if (!is_final(found->second.state)) return bad_input("run " + id + " has not ended yet");
    JobSpec spec = found->second.spec;
    spec.id = new_id();
    m_repeats[spec.id] = id;
    put_item("repeat", spec.id, id);
    return submit(std::move(spec), false);
}

std::optional<JobStatus> Session::job(std::string const& id) const {
    auto const found = m_jobs.find(id);
    if (found == m_jobs.end()) return std::nullopt;
    return found->second;
}

JobStatus const* Session::find(std::string const& id) const {
    auto const found = m_jobs.find(id);
    return found != m_jobs.end() ? &found->second : nullptr;
}

std::optional<std::string> Session::last_run() const {
    for (auto id = m_order.rbegin(); id != m_order.rend(); ++id)
        if (!m_jobs.at(*id).helper) return *id;
    return std::nullopt;
}

int Session::busy_count() const {
    return static_cast<int>(
        std::count_if(m_jobs.begin(), m_jobs.end(), [](auto const& job) { return job.second.busy(); }));
}

double Session::usual_seconds(std::string const& method, std::string const& verb) const {
    std::vector<double> seconds;
    for (auto const& [id, status] : m_jobs)
        if (status.spec.method == method && status.spec.verb == verb &&
            (status.state == JobState::done || status.state == JobState::done_with_warnings))
            seconds.push_back(status.elapsed_seconds);
    if (seconds.empty()) return -1;
    std::nth_element(seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2), seconds.end());
    return seconds[seconds.size() / 2];
}

// What the queue knows of a job, without what only the session knows.
void Session::refresh(JobInfo const& info) {
    bool const known = m_jobs.count(info.spec.id) != 0;
    JobStatus& status = m_jobs[info.spec.id];
    if (!known) m_order.push_back(info.spec.id);
    status.spec = info.spec;
    status.state = info.state;
    status.fraction = info.fraction;
    status.stage = info.held ? "waits to be resumed" : info.stage;
    status.elapsed_seconds = info.elapsed_seconds;
    status.eta_seconds = info.remaining_seconds;
    status.result.values = info.values;
    status.result.artifacts = info.artifacts;
    status.result.warnings = info.warnings;
    status.error = info.error;
    status.provenance = info.provenance;
    status.started = started_text(info.started).toStdString();
    status.held = info.held;
    status.has_checkpoint = info.has_checkpoint;
}

void Session::handle(JobEvent const& event) {
    using Kind = JobEvent::Kind;
    if (event.kind == Kind::workers) {
        handle_workers();
        return;
    }
    if (event.kind == Kind::removed) return;  // remove() did it here already
    if (event.kind == Kind::log) {
        Q_EMIT job_log(qt(event.job), event.level, qt(event.text));
        return;
    }
    if (event.kind == Kind::added || event.kind == Kind::state) {
        handle_state(event);
        return;
    }
    auto const found = m_jobs.find(event.job);
    if (found == m_jobs.end()) return;
    JobStatus& status = found->second;
    switch (event.kind) {
        case Kind::progress:
            status.fraction = event.fraction;
            status.stage = event.stage;
            status.elapsed_seconds = event.elapsed_seconds;
            status.eta_seconds = event.remaining_seconds;
            Q_EMIT job_changed(status);
            break;
        case Kind::series:
            for (std::size_t i = 0; i < event.x.size() && i < event.y.size(); ++i)
                Q_EMIT job_series(qt(event.job), qt(event.name), event.x[i], event.y[i]);
            break;
        case Kind::update:
            Q_EMIT job_update(qt(event.job), qt(event.name), event.value);
            break;
        case Kind::warning:
            if (event.error) status.result.warnings.push_back(*event.error);
            Q_EMIT job_changed(status);
            break;
        case Kind::artifact:
            if (!event.artifact) break;
            std::erase_if(status.result.artifacts, [&](Artifact const& a) { return a.name == event.artifact->name; });
            status.result.artifacts.push_back(*event.artifact);
            Q_EMIT job_artifact(qt(event.job), *event.artifact);
            Q_EMIT job_changed(status);
            break;
        default:
            break;
    }
}

void Session::handle_state(JobEvent const& event) {
    auto const info = m_queue->job(event.job);
    if (!info) return;
    bool const known = m_jobs.count(event.job) != 0;
    refresh(*info);
    // The queue may be ahead of its events; artifacts told of now are announced by their own events.
    JobStatus const status = m_jobs[event.job];
    if (!known) Q_EMIT job_added(qt(event.job));
    judge_repeat(status);
    Q_EMIT job_changed(status);
    note_written();
    if (is_final(status.state)) move_when_idle();
}

void Session::handle_workers() {
    QString problem;
    int workers = 0;
    for (LaneInfo const& lane : m_queue->lanes()) {
        if (lane.problem) problem = qt(lane.problem->message());
        workers += lane.worker != 0 ? 1 : 0;
        workers += lane.warm_worker != 0 ? 1 : 0;
    }
    m_workers = workers;
    m_worker_problem = problem;
    Q_EMIT workers_changed();
}

std::string Session::repeat_of(std::string const& id) const {
    auto const found = m_repeats.find(id);
    return found != m_repeats.end() ? found->second : std::string();
}

QString Session::repeat_verdict(std::string const& id) const {
    auto const found = m_verdicts.find(id);
    return found != m_verdicts.end() ? found->second : QString();
}

// Same files byte for byte? If not, which differ, and by how much the named numbers do.
void Session::judge_repeat(JobStatus const& status) {
    auto const repeated = m_repeats.find(status.id());
    if (repeated == m_repeats.end() || m_verdicts.count(status.id()) != 0) return;
    if (status.state != JobState::done && status.state != JobState::done_with_warnings) return;
    auto const before = m_jobs.find(repeated->second);
    if (before == m_jobs.end()) return;
    QStringList differing;
    int same = 0;
    for (Artifact const& artifact : status.result.artifacts) {
        Artifact const* const earlier = before->second.artifact(artifact.name);
        if (earlier != nullptr && earlier->sha256 == artifact.sha256)
            ++same;
        else
            differing << qt(artifact.name);
    }
    QString verdict;
    if (differing.isEmpty()) {
        verdict = QStringLiteral("the same bytes as before (%1 files)").arg(same);
    } else {
        verdict = QStringLiteral("%1 of %2 files differ from before: %3")
                      .arg(differing.size())
                      .arg(same + differing.size())
                      .arg(differing.join(QStringLiteral(", ")));
        double largest = 0;
        std::string name;
        for (auto const& [key, value] : status.result.values.items()) {
            auto const earlier = before->second.result.values.find(key);
            if (!value.is_number() || earlier == before->second.result.values.end() || !earlier->is_number()) continue;
            double const difference = std::abs(value.get<double>() - earlier->get<double>());
            if (difference > largest) {
                largest = difference;
                name = key;
            }
        }
        if (largest > 0) verdict += QStringLiteral("; %1 by %2").arg(qt(name)).arg(largest, 0, 'g', 3);
    }
    m_verdicts[status.id()] = verdict;
}

void Session::check_inputs() {
    std::vector<std::string> paths;
    for (auto const& [id, status] : m_jobs)
        if (!status.helper && status.spec.inputs.is_object())
            for (auto const& [path, hash] : status.spec.inputs.items()) paths.push_back(path);
    std::sort(paths.begin(), paths.end());
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    if (paths.empty()) return;
    in_background(
        this,
        [paths] {
            std::map<std::string, std::string> hashes;
            for (std::string const& path : paths)
                if (auto const hash = sha256_file(path); hash.ok()) hashes[path] = *hash;
            return hashes;
        },
        [this](std::map<std::string, std::string> const& hashes) { note_changed_inputs(hashes); });
}

void Session::note_changed_inputs(std::map<std::string, std::string> const& hashes) {
    for (auto& [id, status] : m_jobs) {
        if (status.helper || !status.spec.inputs.is_object()) continue;
        std::vector<std::string> changed;
        for (auto const& [path, hash] : status.spec.inputs.items()) {
            auto const now = hashes.find(path);  // a file that is gone is not a file that changed
            if (now != hashes.end() && hash.is_string() && now->second != hash.get<std::string>())
                changed.push_back(path);
        }
        if (changed == status.changed_inputs) continue;
        status.changed_inputs = changed;
        Q_EMIT job_changed(status);
    }
}

}  // namespace orrery
