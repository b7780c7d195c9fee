#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/queue_checkpoint.h"
#include "core/base/run_context.h"
#include "core/base/store_private.h"
#include "core/base/store_schema.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <system_error>

namespace orrery {

namespace fs = std::filesystem;
using sqlite::Database;
using sqlite::Statement;

namespace {

constexpr int backup_generations = 3;

fs::path backup_path(fs::path const& session, int generation) {
    return session.string() + ".backup" + std::to_string(generation);
}

void sync(fs::path const& path) {
    int const file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    ::fsync(file);
    ::close(file);
}

Result<void> move_file(fs::path const& from, fs::path const& to) {
    std::error_code failure;
    fs::rename(from, to, failure);
    if (failure) return unavailable("the file cannot be put in its place: " + failure.message(), to.string());
    return {};
}

// .backup2 becomes .backup3 and .backup1 becomes .backup2, so that .backup1 is free.
Result<void> move_backups(fs::path const& session) {
    std::error_code ignored;
    for (int generation = backup_generations - 1; generation >= 1; --generation)
        if (fs::exists(backup_path(session, generation), ignored))
            ORRERY_CHECK(move_file(backup_path(session, generation), backup_path(session, generation + 1)));
    return {};
}

// A whole, compact copy of the database beside `target`; synced, not yet renamed.
Result<fs::path> copy_beside(Database const& database, fs::path const& target) {
    fs::path const copy = target.string() + ".new-" + std::to_string(::getpid());
    std::error_code ignored;
    fs::remove(copy, ignored);
    Result<void> const done = Statement(database, "VACUUM INTO ?").bind(copy.string()).run();
    if (!done) {
        fs::remove(copy, ignored);
        return done.error();
    }
    sync(copy);
    return copy;
}

// A hard link costs nothing and blobs never change; across file systems it is copied.
Result<void> copy_tree(fs::path const& from, fs::path const& to) {
    std::error_code failure;
    if (!fs::exists(from, failure)) return {};
    for (fs::recursive_directory_iterator entry(from, failure), end; !failure && entry != end;
         entry.increment(failure)) {
        if (!entry->is_regular_file(failure)) continue;
        fs::path const target = to / entry->path().lexically_relative(from);
        fs::create_directories(target.parent_path(), failure);
        if (failure || fs::exists(target, failure)) continue;
        fs::create_hard_link(entry->path(), target, failure);
        if (failure) fs::copy_file(entry->path(), target, failure);
        if (failure)
            return unavailable("the copy cannot be completed: " + failure.message(), target.string(),
                               "Free some space, or choose another place");
    }
    if (failure) return unavailable("the copy cannot be completed: " + failure.message(), to.string());
    return {};
}

// Checkpoints change, so they are copied, not linked.
Result<void> copy_blobs(fs::path const& from, fs::path const& to) {
    ORRERY_CHECK(copy_tree(from / "blobs", to / "blobs"));
    std::error_code failure;
    if (!fs::exists(from / "checkpoints", failure)) return {};
    fs::create_directories(to, failure);
    fs::copy(from / "checkpoints", to / "checkpoints",
             fs::copy_options::recursive | fs::copy_options::overwrite_existing, failure);
    if (failure) return unavailable("the checkpoints cannot be copied: " + failure.message(), to.string());
    return {};
}

void add_named(Database const& database, std::set<std::string>& blobs, std::set<std::string>& runs) {
    Statement artifact(database, "SELECT DISTINCT sha256 FROM artifacts");
    while (artifact.step()) blobs.insert(artifact.text(0));
    Statement run(database, "SELECT id FROM runs WHERE state IN ('queued', 'running', 'pausing', 'paused', 'cancelling', 'cancelled')");
    while (run.step()) runs.insert(run.text(0));
}

void remove_unnamed(fs::path const& folder, std::set<std::string> const& named) {
    std::error_code failure;
    std::vector<fs::path> unnamed;
    for (fs::recursive_directory_iterator entry(folder, failure), end; !failure && entry != end;
         entry.increment(failure))
        if (entry->is_regular_file(failure) && !named.contains(job_of_checkpoint(entry->path().filename().string())))
            unnamed.push_back(entry->path());
    for (fs::path const& path : unnamed) fs::remove(path, failure);
}

SessionFile describe(fs::path const& path) {
    SessionFile file;
    file.path = path;
    std::error_code failure;
    file.bytes = fs::file_size(path, failure);
    auto const changed = std::max(fs::last_write_time(path, failure), [&] {
        auto const log = fs::last_write_time(path.string() + "-wal", failure);
        return failure ? fs::file_time_type::min() : log;
    }());
    // libstdc++ 12 has no clock_cast between file and system clocks; the difference of now is exact enough for a list.
    auto const age = fs::file_time_type::clock::now() - changed;
    file.changed = seconds_now() - std::chrono::duration<double>(age).count();
    file.open = SessionLock::is_taken(path);
    Result<std::unique_ptr<Store>> const store = Store::open(path, Store::Mode::read_only);
    if (!store) {
        file.problem = store.error().message();
        return file;
    }
    Result<std::vector<StoredRun>> const runs = (*store)->runs();
    if (!runs) {
        file.problem = runs.error().message();
        return file;
    }
    file.runs = runs->size();
    file.unfinished = static_cast<std::size_t>(
        std::count_if(runs->begin(), runs->end(), [](StoredRun const& run) { return !is_final(run.state); }));
    Result<std::optional<StoredItem>> const title = (*store)->item("session", "title");
    if (title && *title && (*title)->value.is_string()) file.title = (*title)->value.get<std::string>();
    return file;
}

}  // namespace

void collect_garbage(Database const& database, fs::path const& session) {
    // A backup opened as a session shares its blobs with the session it was made of: that one's to clean.
    if (blob_root_of(session) != session.string() + "-blobs") return;
    std::set<std::string> blobs, runs;
    add_named(database, blobs, runs);
    std::error_code failure;
    for (fs::directory_iterator entry(session.parent_path(), failure), end; !failure && entry != end;
         entry.increment(failure)) {
        // Its backups, and what a migration left.
        if (entry->path() == session || blob_root_of(entry->path()) != blob_root_of(session)) continue;
        Result<Database> const copy = Database::open(entry->path(), Database::Mode::immutable);
        if (!copy || !copy->number("SELECT count(*) FROM artifacts")) return;  // what it names can't be known: keep all
        add_named(*copy, blobs, runs);
    }
    if (failure) return;
    remove_unnamed(blob_root_of(session) / "blobs", blobs);
    remove_unnamed(blob_root_of(session) / "checkpoints", runs);
}

Result<void> Store::save() {
    if (m_impl->read_only)
        return unavailable("the session is open for reading only", m_impl->path.string(), "Save it as another file");
    ORRERY_CHECK(flush());
    return m_impl->reading_long([&](Database const& database) -> Result<void> {
        ORRERY_TRY(fs::path const copy, copy_beside(database, m_impl->path));
        ORRERY_CHECK(move_backups(m_impl->path));
        ORRERY_CHECK(move_file(copy, backup_path(m_impl->path, 1)));
        sync(m_impl->path.parent_path());
        return {};
    });
}

Result<void> Store::save_as(fs::path const& target) const {
    std::error_code ignored;
    fs::path const path = fs::absolute(target, ignored).lexically_normal();
    if (path == m_impl->path || fs::equivalent(path, m_impl->path, ignored))
        return bad_input("the session is this file already", path.string(), "Save it instead");
    ORRERY_CHECK(check_directory(path.parent_path()));
    bool const replaces = fs::exists(path, ignored);
    if (replaces) ORRERY_CHECK(store_schema::check_file_header(path));  // only another session is ever replaced
    ORRERY_TRY(SessionLock const lock, SessionLock::take(path));
    return m_impl->reading_long([&](Database const& database) -> Result<void> {
        ORRERY_TRY(fs::path const copy, copy_beside(database, path));
        ORRERY_CHECK(copy_blobs(blob_root(), blob_root_of(path)));
        if (replaces) {
            // What is still in the old session's write-ahead log belongs into its backup.
            if (Result<Database> const old = Database::open(path, Database::Mode::read_write); old)
                (void)old->execute("PRAGMA wal_checkpoint(TRUNCATE)");
            ORRERY_CHECK(move_backups(path));
            ORRERY_CHECK(move_file(path, backup_path(path, 1)));
            for (char const* end : {"-wal", "-shm"}) fs::remove(path.string() + end, ignored);
        }
        ORRERY_CHECK(move_file(copy, path));
        sync(path.parent_path());
        return {};
    });
}

Result<std::vector<std::string>> Store::check() const {
    return m_impl->reading_long([&](Database const& database) -> Result<std::vector<std::string>> {
        std::vector<std::string> problems;
        Statement verdict(database, "PRAGMA integrity_check(20)");
        while (verdict.step())
            if (verdict.text(0) != "ok") problems.push_back(verdict.text(0));
        ORRERY_CHECK(verdict.status());
        Statement artifact(database, "SELECT run, name, sha256, data FROM artifacts ORDER BY id");
        while (artifact.step()) {
            std::string const name = artifact.text(1) + " of run " + artifact.text(0);
            std::string const wanted = artifact.text(2);
            if (!artifact.is_null(3)) {
                if (sha256(artifact.blob(3)) != wanted) problems.push_back(name + ": its SHA-256 differs");
                continue;
            }
            Result<std::string> const found = sha256_file(blob_path(blob_root(), wanted));
            if (!found)
                problems.push_back(name + ": " + found.error().message());
            else if (*found != wanted)
                problems.push_back(name + ": its SHA-256 differs");
        }
        ORRERY_CHECK(artifact.status());
        return problems;
    });
}

std::vector<SessionFile> Store::autosaves() {
    std::vector<SessionFile> sessions;
    std::error_code failure;
    for (fs::directory_iterator entry(state_directory() / "sessions", failure), end; !failure && entry != end;
         entry.increment(failure))
        if (entry->path().extension() == ".orrery") sessions.push_back(describe(entry->path()));
    std::sort(sessions.begin(), sessions.end(),
              [](SessionFile const& a, SessionFile const& b) { return a.changed > b.changed; });
    return sessions;
}

Result<void> Store::remove_session(fs::path const& path) {
    ORRERY_TRY(SessionLock const lock, SessionLock::take(path));
    std::error_code failure;
    fs::remove(path, failure);
    if (failure) return unavailable("the session cannot be removed: " + failure.message(), path.string());
    for (int generation = 1; generation <= backup_generations; ++generation)
        fs::remove(backup_path(path, generation), failure);
    for (char const* end : {"-wal", "-shm"}) fs::remove(path.string() + end, failure);
    fs::remove_all(blob_root_of(path), failure);
    return {};
}

}  // namespace orrery
