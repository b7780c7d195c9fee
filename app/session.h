// The session that is open: its file, its queue, and what is known of its runs. Opening, saving and closing happen on
// other threads; everything here is called on the window's thread and returns at once.
#pragma once

#include "core/base/queue.h"
#include "core/base/store.h"
#include "panels/common/panel.h"
#include "panels/common/services.h"

#include <QDateTime>
#include <QObject>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace orrery {

class EventInbox;

// "14:02:11", with the date when it is not today; empty for 0. `seconds` since 1970, UTC.
[[nodiscard]] QString started_text(double seconds);

class Session : public QObject {
    Q_OBJECT
public:
    struct Options {
        std::vector<PanelDescriptor> const* panels = nullptr;  // which methods there are
        std::vector<std::string> worker_command;               // {"/usr/bin/orrery-cli", "worker"}
    };
    Session(Options options, QObject* parent);
    ~Session() override;

    // Opens in the background; `opened_now` or `failed` follows. What was open is kept until the new one is there.
    void start_new();
    void open(std::filesystem::path const& path, bool create_if_absent = false);
    // An explicit save: all on the disk, and a backup.
    void save();
    // Writes the session at `target` and goes on there. With unfinished runs the copy is written now and the move
    // happens when they ended.
    void save_as(std::filesystem::path const& target);
    // Ends workers, writes what is pending, closes; called once, after the window is hidden. Waits.
    void close();

    [[nodiscard]] bool ready() const { return m_store != nullptr; }
    [[nodiscard]] PanelDescriptor const* panel(std::string_view slug) const {
        return find_panel(*m_options.panels, slug);
    }
    [[nodiscard]] QString name() const;  // "unsaved session", "1AO7"
    [[nodiscard]] std::filesystem::path path() const;
    [[nodiscard]] bool is_autosave() const { return m_autosave; }
    [[nodiscard]] QDateTime last_written() const { return m_last_written; }

    // ---- runs
    std::string submit(JobSpec spec, bool helper);  // gives the id at once; a refusal comes as a failed run
    Result<void> cancel(std::string const& id);
    Result<void> pause(std::string const& id);
    Result<void> resume(std::string const& id);
    Result<void> remove(std::string const& id);
    Result<std::string> repeat(std::string const& id);
    [[nodiscard]] std::optional<JobStatus> job(std::string const& id) const;
    [[nodiscard]] JobStatus const* find(std::string const& id) const;                // valid until the next event
    [[nodiscard]] std::vector<std::string> const& order() const { return m_order; }  // of submission, helpers too
    [[nodiscard]] std::optional<std::string> last_run() const;                       // no helper
    [[nodiscard]] int busy_count() const;                                            // queued or running, helpers too
    [[nodiscard]] double usual_seconds(std::string const& method, std::string const& verb) const;
    // "the same bytes as the run it repeats", or what differs; empty: not a repeat or not ended.
    [[nodiscard]] QString repeat_verdict(std::string const& id) const;
    [[nodiscard]] std::string repeat_of(std::string const& id) const;
    [[nodiscard]] QString worker_problem() const { return m_worker_problem; }
    [[nodiscard]] int worker_count() const { return m_workers; }
    // Are the files that finished runs read still the same? `job_changed` follows where not.
    void check_inputs();

    // ---- what rooms and window keep in the session
    void put_item(std::string const& kind, std::string const& name, Json const& value);
    [[nodiscard]] Json item(std::string const& kind, std::string const& name) const;  // null if absent
    [[nodiscard]] std::vector<std::pair<std::string, Json>> items(std::string const& kind) const;
    void add_command(CommandBus::Entry const& entry);
    void add_log(LogLevel level, std::string const& text);
    void add_dataset(std::string const& path, std::string const& kind);  // hashed and kept in the background
    [[nodiscard]] std::vector<StoredDataset> const& datasets() const { return m_datasets; }

    void read_artifact(Artifact const& artifact, QObject* context, std::function<void(Result<std::string>)> then);
    void read_series(std::string const& job, std::string const& name, QObject* context,
                     std::function<void(std::vector<SeriesPoint>)> then);

signals:
    void opened_now();                        // another session is in place: rooms and lists start anew
    void notice_given(QString const& text);   // of opening: "made by a newer Orrery", "migrated"
    void failed(orrery::Error const& error);  // opening or saving; what was open is still there
    void renamed();                           // the same session has another path now
    void saved(QString const& path);
    void written();  // last_written changed
    void job_changed(orrery::JobStatus const& status);
    void job_added(QString const& id);
    void job_removed(QString const& id);
    void job_update(QString const& id, QString const& name, orrery::Json const& value);
    void job_series(QString const& id, QString const& name, double x, double y);
    void job_artifact(QString const& id, orrery::Artifact const& artifact);
    void job_log(QString const& id, orrery::LogLevel level, QString const& text);
    void datasets_changed();
    void workers_changed();

private:
    struct Opened;
    void open_in_background(std::function<Result<std::unique_ptr<Store>>()> open_store, bool autosave,
                            bool same_session);
    void install(std::shared_ptr<Opened> const& opened, bool autosave, bool same_session);
    void retire(std::unique_ptr<Queue> queue, std::shared_ptr<Store> store, bool remove_file);
    void handle(JobEvent const& event);
    void handle_state(JobEvent const& event);
    void handle_workers();
    void note_changed_inputs(std::map<std::string, std::string> const& hashes);
    void refresh(JobInfo const& info);
    void with_store(std::function<void(Store&)> write);
    void enqueue(JobSpec spec);
    void finish_submit(std::string const& id, Result<JobSpec> const& made);
    void mark_failed(std::string const& id, Error const& error);
    void judge_repeat(JobStatus const& status);
    void note_written();
    void move_when_idle();

    Options m_options;
    std::shared_ptr<Store> m_store;  // shared with readers in the background
    std::unique_ptr<Queue> m_queue;
    std::shared_ptr<EventInbox> m_inbox;
    bool m_autosave = true;
    bool m_touched = false;  // something worth keeping happened
    std::optional<std::filesystem::path> m_move_to;
    std::map<std::string, JobStatus> m_jobs;
    std::vector<std::string> m_order;
    std::vector<JobSpec> m_waiting;                        // submitted before the session was open
    std::vector<std::function<void(Store&)>> m_unwritten;  // the same for what is written
    std::map<std::string, std::string> m_repeats;          // new run -> the one it repeats
    std::map<std::string, QString> m_verdicts;
    std::map<std::pair<std::string, std::string>, Json> m_items;
    std::vector<StoredDataset> m_datasets;
    QDateTime m_last_written;
    QString m_worker_problem;
    int m_workers = 0;
    int m_opening = 0;
};

}  // namespace orrery
