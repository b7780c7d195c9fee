// A session: one SQLite file `<name>.orrery` (WAL) with, beside it, `<name>.orrery-blobs/` for results above 100 kB and
// checkpoints. It is live: every change is in the file within 250 ms, changes of a run's state are on the disk at once
// (FULL commit). `kill -9` at any time loses at most the last second.
//
// Threads: every function may be called from any thread. Writing functions hand their data to the one writer thread and
// return at once (they wait only when more than 64 MB is not yet written); a problem of the writer (disk full) is told
// through on_problem and by flush(). Reading functions first let the writer apply what was handed in before, so that
// what was written is read; most take well under a millisecond, but call them off the window's thread for long lists.
#pragma once

#include "core/base/job.h"
#include "core/base/json.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

struct StoredDataset {
    std::string sha256;
    std::string name;  // "1AO7.pdb"
    std::string path;  // where it was; empty if it never was a file
    std::string kind;  // "structure", "table", ... as the reader calls it
    std::uint64_t bytes = 0;
    bool embedded = false;  // its bytes are in the session
    double added = 0;       // seconds since 1970, UTC
};

struct StoredRun {
    JobSpec spec;
    std::string key;  // JobSpec::key() when it was submitted: another key now means stale
    JobState state = JobState::queued;
    Json values = Json::object();
    Json provenance = Json::object();
    std::optional<Error> error;
    std::vector<Error> warnings;
    double submitted = 0, started = 0, ended = 0;  // seconds since 1970, UTC; 0: not yet
    double fraction = 0;
    std::string stage;
    std::string device;
    Json libraries = Json::object();
    std::uint64_t peak_memory = 0;  // bytes
    bool has_checkpoint = false;
};

struct StoredSeries {
    std::string name;
    std::vector<double> x, y;
};

struct StoredUpdate {
    std::string name;
    Json value;
};

struct StoredLog {
    std::string run;  // empty: the window's
    double time = 0;  // seconds since 1970, UTC
    LogLevel level = LogLevel::info;
    std::string text;
};

struct StoredCommand {
    double time = 0;
    std::string text;
    bool ok = true;
    std::string message;
};

// Settings, layouts, cameras, notes ...: any JSON under a kind and a name, with the version of its own format. Kinds
// this program does not know are kept as they are.
struct StoredItem {
    std::string kind;
    std::string name;
    int version = 1;
    Json value;
    double changed = 0;
};

struct SessionFile {
    std::filesystem::path path;
    double changed = 0;  // seconds since 1970, UTC
    std::uint64_t bytes = 0;
    bool open = false;  // by a living process
    std::size_t runs = 0, unfinished = 0;
    std::string title;    // item ("session", "title"), empty if none
    std::string problem;  // why it cannot be read; empty: it can
};

class Store {
public:
    enum class Mode {
        create,  // must not be there yet
        open,    // must be there; a newer format is opened for reading only, see notice()
        read_only,
    };

    // Errors say what the file is and what to do: no such file (naming the nearest folder that is there), not an Orrery
    // session (and what it looks like), truncated or damaged (naming the newest backup), open in another window (its
    // process id), made by a newer Orrery in a way this one cannot read, a folder that cannot be written.
    static Result<std::unique_ptr<Store>> open(std::filesystem::path const& path, Mode mode = Mode::open);
    // A new autosave session `state_directory()/sessions/<time>-<pid>.orrery`.
    static Result<std::unique_ptr<Store>> create_autosave();
    // All sessions there, newest first, also broken ones (with `problem`); for recovery after a crash.
    static std::vector<SessionFile> autosaves();
    // Deletes a session with its blobs and backups. Refused while a process has it open.
    static Result<void> remove_session(std::filesystem::path const& path);

    ~Store();  // writes what is pending, then closes
    Store(Store const&) = delete;
    Store& operator=(Store const&) = delete;

    [[nodiscard]] std::filesystem::path const& path() const;
    // Root of the content-addressed files: `<root>/blobs/<2 hex digits>/<sha256>`; give it to the queue.
    [[nodiscard]] std::filesystem::path blob_root() const;
    [[nodiscard]] std::filesystem::path checkpoint_path(std::string const& run) const;
    [[nodiscard]] bool read_only() const;
    [[nodiscard]] std::vector<std::string> const& notices() const;  // of opening: newer format, migrated, unknown items
    // Called on the writer's thread when something could not be written; must not call the store. Set before the first
    // write.
    std::function<void(Error const&)> on_problem;

    // ---- writing (any thread, returns at once)
    // Adds the run or replaces what is known of it (not its series, updates, artifacts and log). On the disk at once
    // when the state changed.
    void put_run(StoredRun const& run);
    void remove_run(std::string const& run);  // with all that belongs to it
    void add_series(std::string const& run, std::string_view name, std::span<double const> x,
                    std::span<double const> y);
    void add_update(std::string const& run, std::string_view name, Json const& value);
    // Replaces the run's artifact of the same name. Its bytes are read from artifact.path and embedded below 100 kB;
    // above, they must lie in blob_root() already (else they are copied there).
    void put_artifact(std::string const& run, Artifact const& artifact);
    // Notes how many points and updates the run had when it wrote the checkpoint with this SHA-256. Once that is on the
    // disk the kept file of the one before goes (see queue_checkpoint.h).
    void mark_checkpoint(std::string const& run, std::string const& sha256);
    // Before a resume: drops the points and updates that came after the checkpoint, if the mark belongs to the
    // checkpoint with this SHA-256, or to the one in the file `checkpoint` (hashed on the writer's thread).
    void rewind_to_checkpoint(std::string const& run, std::string const& sha256);
    void rewind_to_checkpoint(std::string const& run, std::filesystem::path const& checkpoint);
    void clear_live(std::string const& run);  // series, updates and artifacts of the run, before it starts anew
    void add_log(StoredLog const& line);
    void add_command(StoredCommand const& command);
    void put_item(StoredItem const& item);
    void remove_item(std::string const& kind, std::string const& name);
    // Below 1 MB the bytes are embedded. Same SHA-256: name and path are brought up to date.
    void put_dataset(StoredDataset dataset, std::string_view bytes);
    void remove_dataset(std::string const& sha256);
    // Waits until all that was handed in is on the disk. Returns the first problem since the last flush.
    Result<void> flush();

    // ---- reading (any thread)
    Result<std::vector<StoredRun>> runs() const;  // in order of submission
    Result<std::optional<StoredRun>> run(std::string const& id) const;
    Result<std::vector<Artifact>> artifacts(std::string const& run) const;
    // The bytes of an artifact, checked against its SHA-256. Error: the blob is gone or changed.
    Result<std::string> artifact_bytes(Artifact const& artifact) const;
    Result<std::vector<StoredSeries>> series(std::string const& run) const;  // by name, points in order of arrival
    // SHA-256 of the checkpoint that was marked last; empty if none.
    Result<std::string> marked_checkpoint(std::string const& run) const;
    Result<std::map<std::string, std::uint64_t>> series_lengths(std::string const& run) const;
    Result<std::vector<StoredUpdate>> updates(std::string const& run) const;                    // in order of arrival
    Result<std::vector<StoredLog>> log(std::string const& run, std::size_t last = 1000) const;  // oldest first
    Result<std::vector<StoredCommand>> commands() const;
    Result<std::vector<StoredItem>> items(std::string const& kind = {}) const;  // empty: of all kinds
    Result<std::optional<StoredItem>> item(std::string const& kind, std::string const& name) const;
    Result<std::vector<StoredDataset>> datasets() const;
    // Embedded bytes, else the file at its path if it still has that SHA-256; else an error that says so.
    Result<std::string> dataset_bytes(std::string const& sha256) const;

    // ---- saving (waits; call off the window's thread)
    // An explicit save: all on the disk, and a copy `<path>.backup1` (older ones move to .backup2, .backup3).
    Result<void> save();
    // Writes a whole copy at `target` (beside and renamed; an existing session there becomes its .backup1) with blobs
    // and checkpoints. This store goes on with its own file; open the copy to go on there.
    Result<void> save_as(std::filesystem::path const& target) const;
    // SQLite's integrity check and the blobs' hashes: what is wrong, empty if nothing.
    Result<std::vector<std::string>> check() const;

private:
    struct Private;
    explicit Store(std::unique_ptr<Private> impl);
    std::unique_ptr<Private> m_impl;
};

}  // namespace orrery
