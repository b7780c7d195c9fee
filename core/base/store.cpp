#include "core/base/store.h"

#include "core/base/error_json.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/queue_checkpoint.h"
#include "core/base/run_context.h"
#include "core/base/store_private.h"
#include "core/base/store_schema.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <system_error>

namespace orrery {

namespace fs = std::filesystem;
using sqlite::Database;
using sqlite::Statement;

namespace {

constexpr char const* settings =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 67108864;"
    "PRAGMA temp_store = MEMORY;";

Result<Database> open_for_writing(fs::path const& path, bool create) {
    ORRERY_TRY(Database database, Database::open(path, create ? Database::Mode::create : Database::Mode::read_write));
    if (create)
        ORRERY_CHECK(
            database.execute(("PRAGMA application_id = " + std::to_string(store_schema::application_id)).c_str()));
    ORRERY_CHECK(database.execute(settings));
    return database;
}

Error with_backup_hint(Error error, fs::path const& path) {
    if (error.kind == ErrorKind::bad_input && error.remedy.empty()) error.remedy = store_schema::backup_hint(path);
    return error;
}

Result<void> back_up_before_migration(Database const& database, int version) {
    fs::path const copy = database.path().string() + ".format" + std::to_string(version);
    std::error_code ignored;
    if (fs::exists(copy, ignored)) return {};
    return Statement(database, "VACUUM INTO ?").bind(copy.string()).run();
}

Json warnings_json(std::vector<Error> const& warnings) {
    Json list = Json::array();
    for (Error const& warning : warnings) list.push_back(to_json(warning));
    return list;
}

Result<void> write_run(Database const& database, StoredRun const& run) {
    Statement statement(database,
                        "INSERT INTO runs(id, spec, key, state, result_values, provenance, error, warnings, submitted, "
                        "started, ended, fraction, stage, device, libraries, peak_memory, has_checkpoint) "
                        "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(id) DO UPDATE SET "
                        "spec = excluded.spec, key = excluded.key, state = excluded.state, "
                        "result_values = excluded.result_values, provenance = excluded.provenance, "
                        "error = excluded.error, warnings = excluded.warnings, submitted = excluded.submitted, "
                        "started = excluded.started, ended = excluded.ended, fraction = excluded.fraction, "
                        "stage = excluded.stage, device = excluded.device, libraries = excluded.libraries, "
                        "peak_memory = excluded.peak_memory, has_checkpoint = excluded.has_checkpoint");
    statement.bind(run.spec.id).bind_json(run.spec.to_json()).bind(run.key).bind(to_string(run.state));
    statement.bind_json(run.values).bind_json(run.provenance);
    if (run.error)
        statement.bind_json(to_json(*run.error));
    else
        statement.bind_null();
    statement.bind_json(warnings_json(run.warnings)).bind(run.submitted).bind(run.started).bind(run.ended);
    statement.bind(run.fraction).bind(run.stage).bind(run.device).bind_json(run.libraries);
    return statement.bind(run.peak_memory).bind(run.has_checkpoint).run();
}

Result<void> delete_of_run(Database const& database, char const* sql, std::string const& run) {
    return Statement(database, sql).bind(run).run();
}

Result<void> write_marks(Database const& database, SeriesTable const& series, std::string const& run,
                         std::string const& sha256) {
    ORRERY_TRY(auto const lengths, series.lengths(run));
    Statement last(database, "SELECT coalesce(max(id), 0) FROM updates WHERE run = ?");
    std::int64_t const update = last.bind(run).step() ? last.integer(0) : 0;
    ORRERY_CHECK(last.status());
    Json const marks = {{"sha256", sha256}, {"series", lengths}, {"update", update}};
    return Statement(database, "UPDATE runs SET marks = ? WHERE id = ?").bind_json(marks).bind(run).run();
}

Result<void> rewind(Database const& database, SeriesTable& series, std::string const& run, std::string const& sha256) {
    Statement read(database, "SELECT marks FROM runs WHERE id = ?");
    Json const marks = read.bind(run).step() ? read.json(0) : Json();
    ORRERY_CHECK(read.status());
    if (!marks.is_object() || marks.value("sha256", "") != sha256) return {};
    ORRERY_TRY(auto const lengths, series.lengths(run));
    Json const kept = marks.value("series", Json::object());
    for (auto const& [name, length] : lengths) {
        std::int64_t const wanted = kept.value(name, std::int64_t{0});
        if (length > wanted) ORRERY_CHECK(series.truncate(run, name, wanted));
    }
    return Statement(database, "DELETE FROM updates WHERE run = ? AND id > ?")
        .bind(run)
        .bind(marks.value("update", std::int64_t{0}))
        .run();
}

Result<void> write_artifact(Database const& database, std::string const& run, Artifact const& artifact,
                            fs::path const& root) {
    Statement statement(database,
                        "INSERT OR REPLACE INTO artifacts(run, name, kind, media_type, sha256, bytes, partial, data) "
                        "VALUES(?, ?, ?, ?, ?, ?, ?, ?)");
    statement.bind(run).bind(artifact.name).bind(artifact.kind).bind(artifact.media_type).bind(artifact.sha256);
    statement.bind(artifact.bytes).bind(artifact.partial);
    fs::path const blob = blob_path(root, artifact.sha256);
    std::error_code ignored;
    if (artifact.bytes < store_schema::embedded_artifact) {
        ORRERY_TRY(std::string const bytes, read_file(artifact.path.empty() ? blob : artifact.path));
        if (sha256(bytes) != artifact.sha256)
            return internal_error("the result " + artifact.name + " changed before it was stored",
                                  artifact.path.string());
        return statement.bind_blob(bytes).run();
    }
    if (!fs::exists(blob, ignored)) {
        ORRERY_TRY(std::string const bytes, read_file(artifact.path));
        ORRERY_CHECK(write_file(blob, bytes));
    }
    return statement.bind_null().run();
}

}  // namespace

Result<Database> open_for_reading(fs::path const& path) {
    Result<Database> database = Database::open(path, Database::Mode::read_only);
    if (database && database->number("SELECT count(*) FROM sqlite_master")) return database;
    std::error_code ignored;
    if (fs::exists(path.string() + "-wal", ignored)) return database;
    return Database::open(path, Database::Mode::immutable);
}

fs::path blob_root_of(fs::path const& session) {
    std::string text = session.string();
    // `.backup2`, and `.format1` as a migration leaves it.
    std::size_t const digits = text.find_last_not_of("0123456789") + 1;
    for (std::string_view const end : {".backup", ".format"})
        if (digits < text.size() && std::string_view(text).substr(0, digits).ends_with(end)) {
            text.resize(digits - end.size());
            break;
        }
    return text + "-blobs";
}

Result<std::string> read_mark(Database const& database, std::string const& run) {
    Statement read(database, "SELECT marks FROM runs WHERE id = ?");
    Json const marks = read.bind(run).step() ? read.json(0) : Json();
    ORRERY_CHECK(read.status());
    if (!marks.is_object() || !marks.contains("sha256") || !marks["sha256"].is_string()) return std::string();
    return marks["sha256"].get<std::string>();
}

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

Store::Store(std::unique_ptr<Private> impl) : m_impl(std::move(impl)) {}

Store::~Store() {
    // The reader goes first, so that the writer is the last to close and can put the write-ahead log away.
    m_impl->reader.reset();
    m_impl->writer.reset();
}

Result<std::unique_ptr<Store>> Store::open(fs::path const& path, Mode mode) {
    auto impl = std::make_unique<Private>();
    std::error_code ignored;
    impl->path = fs::absolute(path, ignored).lexically_normal();
    bool const create = mode == Mode::create;
    if (create && fs::exists(impl->path, ignored))
        return bad_input("the session is there already", impl->path.string(), "Open it, or choose another name");
    if (create) ORRERY_CHECK(check_directory(impl->path.parent_path()));
    if (!create) ORRERY_CHECK(store_schema::check_file_header(impl->path));
    impl->read_only = mode == Mode::read_only;
    if (!impl->read_only) {
        ORRERY_TRY(impl->lock, SessionLock::take(impl->path));
    }

    std::optional<Database> writer;
    if (!create) {
        ORRERY_TRY(Database probe, open_for_reading(impl->path));
        Result<store_schema::Format> const format = store_schema::check_format(probe);
        if (!format) return with_backup_hint(format.error(), impl->path);
        if (format->newer) {
            impl->read_only = true;
            impl->lock = {};
            impl->notices.push_back("The session was made by a newer Orrery (format " +
                                    std::to_string(format->version) + "). It is opened for reading only.");
        } else if (!impl->read_only && format->version < static_cast<int>(store_schema::migrations().size())) {
            ORRERY_CHECK(back_up_before_migration(probe, format->version));
            impl->notices.push_back("The session was brought up to date from format " +
                                    std::to_string(format->version) + "; the old file is kept beside it.");
        }
    }
    if (!impl->read_only) {
        ORRERY_TRY(writer, open_for_writing(impl->path, create));
        ORRERY_CHECK(store_schema::migrate(*writer, store_schema::migrations()));
        if (!create) collect_garbage(*writer, impl->path);  // now, before a worker can write new ones
    }
    ORRERY_TRY(impl->reader, open_for_reading(impl->path));

    std::unique_ptr<Store> store(new Store(std::move(impl)));
    if (writer) {
        store->m_impl->writer = std::make_unique<StoreWriter>(std::move(*writer), [store = store.get()](auto const& e) {
            if (store->on_problem) store->on_problem(e);
        });
    }
    return store;
}

Result<std::unique_ptr<Store>> Store::create_autosave() {
    fs::path const folder = state_directory() / "sessions";
    std::error_code failure;
    fs::create_directories(folder, failure);
    if (failure)
        return unavailable("the folder of autosaved sessions cannot be made: " + failure.message(), folder.string(),
                           "Set ORRERY_STATE to a folder you can write to");
    std::time_t const now = std::time(nullptr);
    std::tm local{};
    ::localtime_r(&now, &local);
    std::array<char, 32> stamp{};
    std::strftime(stamp.data(), stamp.size(), "%Y%m%d-%H%M%S", &local);
    std::string const base = std::string(stamp.data()) + "-" + std::to_string(::getpid());
    fs::path path = folder / (base + ".orrery");
    for (int number = 2; fs::exists(path, failure); ++number)
        path = folder / (base + "-" + std::to_string(number) + ".orrery");
    return open(path, Mode::create);
}

fs::path const& Store::path() const { return m_impl->path; }
fs::path Store::blob_root() const { return blob_root_of(m_impl->path); }
fs::path Store::checkpoint_path(std::string const& run) const { return blob_root() / "checkpoints" / run; }
bool Store::read_only() const { return m_impl->read_only; }
std::vector<std::string> const& Store::notices() const { return m_impl->notices; }

// ---- writing

void Store::put_run(StoredRun const& run) {
    bool changed = false;
    {
        std::lock_guard const lock(m_impl->states_mutex);
        auto const [entry, absent] = m_impl->states.try_emplace(run.spec.id, run.state);
        changed = absent || entry->second != run.state;
        entry->second = run.state;
    }
    m_impl->push(
        [run](Database const& database, SeriesTable& series) {
            if (is_final(run.state)) series.forget();
            return write_run(database, run);
        },
        2048, changed ? StoreWriter::When::durable : StoreWriter::When::batched, is_final(run.state));
}

void Store::remove_run(std::string const& run) {
    {
        std::lock_guard const lock(m_impl->states_mutex);
        m_impl->states.erase(run);
    }
    m_impl->push(
        [run, checkpoint = checkpoint_path(run)](Database const& database, SeriesTable& series) -> Result<void> {
            ORRERY_CHECK(series.remove(run));
            for (char const* sql : {"DELETE FROM runs WHERE id = ?", "DELETE FROM artifacts WHERE run = ?",
                                    "DELETE FROM updates WHERE run = ?", "DELETE FROM log WHERE run = ?"})
                ORRERY_CHECK(delete_of_run(database, sql, run));
            remove_checkpoints(checkpoint);
            return {};
        },
        run.size(), StoreWriter::When::durable, true);
}

void Store::add_series(std::string const& run, std::string_view name, std::span<double const> x,
                       std::span<double const> y) {
    if (m_impl->writer) m_impl->writer->push_points(run, name, x, y);
}

void Store::add_update(std::string const& run, std::string_view name, Json const& value) {
    std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
    std::size_t const bytes = text.size();
    m_impl->push(
        [run, name = std::string(name), text = std::move(text)](Database const& database, SeriesTable&) {
            return Statement(database, "INSERT INTO updates(run, name, value) VALUES(?, ?, ?)")
                .bind(run)
                .bind(name)
                .bind(text)
                .run();
        },
        bytes);
}

void Store::put_artifact(std::string const& run, Artifact const& artifact) {
    m_impl->push([run, artifact, root = blob_root()](
                     Database const& database, SeriesTable&) { return write_artifact(database, run, artifact, root); },
                 1024);
}

void Store::mark_checkpoint(std::string const& run, std::string const& sha256) {
    auto const replaced = std::make_shared<std::string>();
    m_impl->push(
        [run, sha256, replaced](Database const& database, SeriesTable const& series) -> Result<void> {
            ORRERY_TRY(std::string before, read_mark(database, run));
            ORRERY_CHECK(write_marks(database, series, run, sha256));
            *replaced = before == sha256 ? std::string() : std::move(before);
            return {};
        },
        0, StoreWriter::When::durable, true,
        [replaced, checkpoint = checkpoint_path(run)] { remove_kept_checkpoint(checkpoint, *replaced); });
}

void Store::rewind_to_checkpoint(std::string const& run, std::string const& sha256) {
    m_impl->push(
        [run, sha256](Database const& database, SeriesTable& series) { return rewind(database, series, run, sha256); },
        0, StoreWriter::When::batched, true);
}

void Store::rewind_to_checkpoint(std::string const& run, fs::path const& checkpoint) {
    m_impl->push(
        [run, checkpoint](Database const& database, SeriesTable& series) -> Result<void> {
            ORRERY_TRY(std::string const sha256, sha256_file(checkpoint));
            return rewind(database, series, run, sha256);
        },
        0, StoreWriter::When::batched, true);
}

void Store::clear_live(std::string const& run) {
    m_impl->push(
        [run](Database const& database, SeriesTable& series) -> Result<void> {
            ORRERY_CHECK(series.remove(run));
            ORRERY_CHECK(delete_of_run(database, "DELETE FROM updates WHERE run = ?", run));
            return delete_of_run(database, "DELETE FROM artifacts WHERE run = ?", run);
        },
        0, StoreWriter::When::batched, true);
}

void Store::add_log(StoredLog const& line) {
    m_impl->push(
        [line](Database const& database, SeriesTable&) {
            return Statement(database, "INSERT INTO log(run, time, level, text) VALUES(?, ?, ?, ?)")
                .bind(line.run)
                .bind(line.time)
                .bind(static_cast<int>(line.level))
                .bind(line.text)
                .run();
        },
        line.text.size());
}

void Store::add_command(StoredCommand const& command) {
    m_impl->push(
        [command](Database const& database, SeriesTable&) {
            return Statement(database, "INSERT INTO commands(time, text, ok, message) VALUES(?, ?, ?, ?)")
                .bind(command.time)
                .bind(command.text)
                .bind(command.ok)
                .bind(command.message)
                .run();
        },
        command.text.size());
}

void Store::put_item(StoredItem const& item) {
    std::string text = item.value.dump(-1, ' ', false, Json::error_handler_t::replace);
    std::size_t const bytes = text.size();
    double const changed = item.changed > 0 ? item.changed : seconds_now();
    m_impl->push(
        [kind = item.kind, name = item.name, version = item.version, text = std::move(text), changed](
            Database const& database, SeriesTable&) {
            return Statement(database, "INSERT OR REPLACE INTO items VALUES(?, ?, ?, ?, ?)")
                .bind(kind)
                .bind(name)
                .bind(version)
                .bind(text)
                .bind(changed)
                .run();
        },
        bytes);
}

void Store::remove_item(std::string const& kind, std::string const& name) {
    m_impl->push(
        [kind, name](Database const& database, SeriesTable&) {
            return Statement(database, "DELETE FROM items WHERE kind = ? AND name = ?").bind(kind).bind(name).run();
        },
        0);
}

void Store::put_dataset(StoredDataset dataset, std::string_view bytes) {
    if (dataset.added == 0) dataset.added = seconds_now();
    dataset.embedded = bytes.size() == dataset.bytes && dataset.bytes < store_schema::embedded_dataset;
    std::string data(dataset.embedded ? bytes : std::string_view());
    std::size_t const size = data.size();
    m_impl->push(
        [dataset = std::move(dataset), data = std::move(data)](Database const& database, SeriesTable&) {
            Statement statement(database,
                                "INSERT INTO datasets VALUES(?, ?, ?, ?, ?, ?, ?) ON CONFLICT(sha256) DO UPDATE SET "
                                "name = excluded.name, path = excluded.path, kind = excluded.kind");
            statement.bind(dataset.sha256).bind(dataset.name).bind(dataset.path).bind(dataset.kind);
            statement.bind(dataset.bytes).bind(dataset.added);
            if (dataset.embedded)
                statement.bind_blob(data);
            else
                statement.bind_null();
            return statement.run();
        },
        size);
}

void Store::remove_dataset(std::string const& sha256) {
    m_impl->push(
        [sha256](Database const& database, SeriesTable&) {
            return delete_of_run(database, "DELETE FROM datasets WHERE sha256 = ?", sha256);
        },
        0);
}

Result<void> Store::flush() {
    if (!m_impl->writer) return {};
    ORRERY_CHECK(m_impl->writer->settle(true));
    return m_impl->writer->take_problem();
}

}  // namespace orrery
