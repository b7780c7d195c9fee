#include "app/session.h"

#include <algorithm>
#include <set>

#include "app/event_inbox.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "panels/common/background.h"
#include "panels/common/text.h"

namespace orrery {

namespace fs = std::filesystem;

namespace {

constexpr char const* autosave_name = "unsaved session";

JobStatus status_of(StoredRun const& run, std::vector<Artifact> artifacts) {
    JobStatus status;
    status.spec = run.spec;
    status.state = run.state;
    status.fraction = run.state == JobState::done ? 1.0 : run.fraction;
    status.stage = run.stage;
    if (run.ended > 0 && run.started > 0) status.elapsed_seconds = run.ended - run.started;
    status.result.values = run.values;
    status.result.artifacts = std::move(artifacts);
    status.result.warnings = run.warnings;
    status.error = run.error;
    status.provenance = run.provenance;
    status.started = started_text(run.started).toStdString();
    return status;
}

}  // namespace

// What opening made on another thread.
struct Session::Opened {
    std::unique_ptr<Store> store;
    std::unique_ptr<Queue> queue;
    std::shared_ptr<EventInbox> inbox = std::make_shared<EventInbox>();
    std::vector<JobStatus> runs;
    std::vector<StoredItem> items;
    std::vector<StoredDataset> datasets;
    std::vector<std::string> notices;
    std::optional<Error> error;
};

namespace {

void read_session(Store& store, std::vector<JobStatus>& runs, std::vector<StoredItem>& items,
                  std::vector<StoredDataset>& datasets) {
    if (auto found = store.items(); found.ok()) items = std::move(*found);
    // What rooms ran for themselves in an earlier life is asked anew when they need it.
    std::set<std::string> helpers;
    for (StoredItem const& item : items)
        if (item.kind == "helper") helpers.insert(item.name);
    if (!store.read_only()) {
        for (std::string const& helper : helpers) {
            store.remove_run(helper);
            store.remove_item("helper", helper);
        }
    }
    if (auto found = store.runs(); found.ok()) {
        for (StoredRun const& run : *found) {
            if (helpers.count(run.spec.id) != 0) continue;
            auto artifacts = store.artifacts(run.spec.id);
            runs.push_back(status_of(run, artifacts.ok() ? std::move(*artifacts) : std::vector<Artifact>()));
        }
    }
    if (auto found = store.datasets(); found.ok()) datasets = std::move(*found);
}

}  // namespace

Session::Session(Options options, QObject* parent) : QObject(parent), m_options(std::move(options)) {}

Session::~Session() {
    if (m_inbox) m_inbox->attach(nullptr);
}

void Session::start_new() {
    open_in_background([] { return Store::create_autosave(); }, true, false);
}

void Session::open(fs::path const& path, bool create_if_absent) {
    fs::path const sessions = state_directory() / "sessions";
    bool const autosave = path.parent_path() == sessions;
    open_in_background(
        [path, create_if_absent]() -> Result<std::unique_ptr<Store>> {
            std::error_code none;
            bool const create = create_if_absent && !fs::exists(path, none);
            return Store::open(path, create ? Store::Mode::create : Store::Mode::open);
        },
        autosave, false);
}

void Session::open_in_background(std::function<Result<std::unique_ptr<Store>>()> open_store, bool autosave,
                                 bool same_session) {
    int const turn = ++m_opening;
    auto resumable = [panels = m_options.panels](JobSpec const& spec) {
        for (PanelDescriptor const& panel : *panels)
            if (panel.schema->slug == spec.method)
                if (VerbSchema const* verb = panel.schema->verb(spec.verb)) return verb->resumable;
        return false;
    };
    in_background(
        this,
        [open_store = std::move(open_store), command = m_options.worker_command, resumable] {
            auto opened = std::make_shared<Opened>();
            auto store = open_store();
            if (!store.ok()) {
                opened->error = std::move(store).error();
                return opened;
            }
            opened->store = std::move(*store);
            opened->notices = opened->store->notices();
            read_session(*opened->store, opened->runs, opened->items, opened->datasets);
            QueueOptions options;
            options.worker_command = command;
            options.store = opened->store.get();
            std::error_code none;
            options.gpu_lane = fs::exists("/dev/nvidia0", none);
            options.resumable = resumable;
            opened->queue = std::make_unique<Queue>(
                std::move(options), [inbox = opened->inbox](JobEvent const& event) { inbox->put(event); });
            return opened;
        },
        [this, turn, autosave, same_session](std::shared_ptr<Opened> const& opened) {
            if (opened->error) {
                Q_EMIT failed(*opened->error);
                return;
            }
            if (turn != m_opening) {  // another one was asked for meanwhile
                retire(std::move(opened->queue), std::move(opened->store), autosave);
                return;
            }
            install(opened, autosave, same_session);
        });
}

void Session::install(std::shared_ptr<Opened> const& opened, bool autosave, bool same_session) {
    if (m_inbox) m_inbox->attach(nullptr);
    // An autosave that nothing was done in is no loss; one that was moved elsewhere is not needed any more.
    if (m_store) retire(std::move(m_queue), std::move(m_store), m_autosave && (!m_touched || same_session));
    m_store = std::move(opened->store);
    m_queue = std::move(opened->queue);
    m_inbox = opened->inbox;
    m_autosave = autosave;
    m_touched = !opened->runs.empty();
    m_move_to.reset();
    m_store->put_item({"session", "clean", 1, false, 0});

    if (!same_session) {
        m_items.clear();
        m_repeats.clear();
        m_verdicts.clear();
    }
    m_jobs.clear();
    m_order.clear();
    for (StoredItem& item : opened->items) {
        if (item.kind == "repeat" && item.value.is_string()) m_repeats[item.name] = item.value.get<std::string>();
        m_items[{item.kind, item.name}] = std::move(item.value);
    }
    m_datasets = std::move(opened->datasets);
    for (JobStatus& run : opened->runs) {
        m_order.push_back(run.id());
        m_jobs[run.id()] = std::move(run);
    }
    for (JobInfo const& info : m_queue->jobs()) refresh(info);
    for (auto const& [id, status] : m_jobs) judge_repeat(status);
    m_inbox->attach([this](JobEvent const& event) { handle(event); });
    for (auto const& write : m_unwritten) write(*m_store);
    m_unwritten.clear();
    if (same_session)
        Q_EMIT renamed();
    else
        Q_EMIT opened_now();
    for (std::string const& notice : opened->notices) Q_EMIT notice_given(qt(notice));
    std::vector<JobSpec> waiting;
    waiting.swap(m_waiting);
    for (JobSpec& spec : waiting) enqueue(std::move(spec));
    note_written();
}

// Ending workers takes up to 200 ms and closing writes: both off the window's thread, queue first.
void Session::retire(std::unique_ptr<Queue> queue, std::shared_ptr<Store> store, bool remove_file) {
    store->put_item({"session", "clean", 1, true, 0});
    auto held =
        std::make_shared<std::pair<std::unique_ptr<Queue>, std::shared_ptr<Store>>>(std::move(queue), std::move(store));
    background_pool().start([held, remove_file] {
        fs::path const path = held->second->path();
        held->first.reset();
        // A reader in the background may hold the store a moment longer; then the file stays, which loses nothing.
        bool const last = held->second.use_count() == 1;
        held->second.reset();
        if (remove_file && last) (void)Store::remove_session(path);
    });
}

void Session::save() {
    if (!m_store) return;
    in_background(
        this, [store = m_store] { return store->save(); },
        [this](Result<void> const& done) {
            if (!done.ok())
                Q_EMIT failed(done.error());
            else
                Q_EMIT saved(qt(path().string()));
            note_written();
        });
}

void Session::save_as(fs::path const& target) {
    if (!m_store) return;
    m_move_to = target;
    in_background(
        this, [store = m_store, target] { return store->save_as(target); },
        [this, target](Result<void> const& done) {
            if (!done.ok()) {
                m_move_to.reset();
                Q_EMIT failed(done.error());
                return;
            }
            Q_EMIT saved(qt(target.string()));
            move_when_idle();
        });
}

void Session::move_when_idle() {
    if (!m_move_to || !m_store) return;
    for (auto const& [id, status] : m_jobs)
        if (!is_final(status.state)) return;  // looked at again when a run ends
    fs::path const target = *m_move_to;
    m_move_to.reset();
    open_in_background(
        [store = m_store, target]() -> Result<std::unique_ptr<Store>> {
            // What happened since the first copy belongs to it too.
            ORRERY_CHECK(store->save_as(target));
            return Store::open(target);
        },
        false, true);
}

void Session::close() {
    ++m_opening;
    if (m_inbox) m_inbox->attach(nullptr);
    m_queue.reset();
    background_pool().waitForDone();
    if (!m_store) return;
    fs::path const path = m_store->path();
    bool remove = m_autosave && !m_touched;
    m_store->put_item({"session", "clean", 1, true, 0});
    if (m_move_to) remove = m_store->save_as(*m_move_to).ok() && m_autosave;
    m_store.reset();
    if (remove) (void)Store::remove_session(path);
}

QString Session::name() const {
    if (!m_store || m_autosave) return m_move_to ? qt(m_move_to->stem().string()) : QString::fromLatin1(autosave_name);
    return qt(m_store->path().stem().string());
}

fs::path Session::path() const { return m_store ? m_store->path() : fs::path(); }

void Session::note_written() {
    m_last_written = QDateTime::currentDateTime();
    Q_EMIT written();
}

void Session::with_store(std::function<void(Store&)> write) {
    if (m_store) {
        write(*m_store);
        note_written();
    } else {
        m_unwritten.push_back(std::move(write));
    }
}

void Session::put_item(std::string const& kind, std::string const& name, Json const& value) {
    Json& kept = m_items[{kind, name}];
    if (kept == value) return;
    kept = value;
    if (kind == "room" && !value.value("values", Json::object()).empty()) m_touched = true;
    with_store([kind, name, value](Store& store) { store.put_item({kind, name, 1, value, 0}); });
}

Json Session::item(std::string const& kind, std::string const& name) const {
    auto const found = m_items.find({kind, name});
    return found != m_items.end() ? found->second : Json();
}

std::vector<std::pair<std::string, Json>> Session::items(std::string const& kind) const {
    std::vector<std::pair<std::string, Json>> result;
    for (auto const& [key, value] : m_items)
        if (key.first == kind) result.emplace_back(key.second, value);
    return result;
}

void Session::add_command(CommandBus::Entry const& entry) {
    double const now = static_cast<double>(QDateTime::currentMSecsSinceEpoch()) / 1e3;
    with_store([entry, now](Store& store) { store.add_command({now, entry.text, entry.ok, entry.message}); });
}

void Session::add_log(LogLevel level, std::string const& text) {
    double const now = static_cast<double>(QDateTime::currentMSecsSinceEpoch()) / 1e3;
    with_store([level, text, now](Store& store) { store.add_log({"", now, level, text}); });
}

void Session::add_dataset(std::string const& path, std::string const& kind) {
    m_touched = true;
    struct Read {
        StoredDataset dataset;
        std::string bytes;
        bool ok = false;
    };
    in_background(
        this,
        [path, kind] {
            auto read = std::make_shared<Read>();
            constexpr std::uint64_t embedded = 1 << 20;
            std::error_code none;
            std::uint64_t const size = fs::file_size(path, none);
            read->dataset.path = path;
            read->dataset.name = fs::path(path).filename().string();
            read->dataset.kind = kind;
            read->dataset.bytes = none ? 0 : size;
            if (!none && size <= embedded) {
                if (auto bytes = read_file(path); bytes.ok()) {
                    read->bytes = std::move(*bytes);
                    read->dataset.sha256 = sha256(read->bytes);
                    read->ok = true;
                }
            } else if (auto hash = sha256_file(path); hash.ok()) {
                read->dataset.sha256 = *hash;
                read->ok = true;
            }
            return read;
        },
        [this](std::shared_ptr<Read> const& read) {
            if (!read->ok) return;  // the room that reads the file tells why
            auto const same = [&](StoredDataset const& known) { return known.sha256 == read->dataset.sha256; };
            std::erase_if(m_datasets, same);
            read->dataset.added = static_cast<double>(QDateTime::currentMSecsSinceEpoch()) / 1e3;
            read->dataset.embedded = !read->bytes.empty();
            m_datasets.push_back(read->dataset);
            with_store([read](Store& store) { store.put_dataset(read->dataset, read->bytes); });
            Q_EMIT datasets_changed();
        });
}

void Session::read_artifact(Artifact const& artifact, QObject* context, std::function<void(Result<std::string>)> then) {
    in_background(
        context,
        [store = m_store, artifact]() -> Result<std::string> {
            if (!store) return internal_error("no session is open");
            return store->artifact_bytes(artifact);
        },
        std::move(then));
}

void Session::read_series(std::string const& job, std::string const& name, QObject* context,
                          std::function<void(std::vector<SeriesPoint>)> then) {
    in_background(
        context,
        [store = m_store, job, name] {
            std::vector<SeriesPoint> points;
            if (!store) return points;
            auto const all = store->series(job);
            if (!all.ok()) return points;
            for (StoredSeries const& series : *all)
                if (series.name == name)
                    for (std::size_t i = 0; i < series.x.size(); ++i) points.push_back({series.x[i], series.y[i]});
            return points;
        },
        std::move(then));
}

}  // namespace orrery
