#include "core/base/store_schema.h"

#include "core/base/files.h"
#include "core/base/version.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

namespace orrery::store_schema {

namespace fs = std::filesystem;

namespace {

constexpr char tables[] = R"(
CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE datasets(
    sha256 TEXT PRIMARY KEY, name TEXT NOT NULL, path TEXT NOT NULL, kind TEXT NOT NULL, bytes INTEGER NOT NULL,
    added REAL NOT NULL, data BLOB);
CREATE TABLE runs(
    position INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, spec TEXT NOT NULL, key TEXT NOT NULL, state TEXT NOT NULL,
    result_values TEXT, provenance TEXT, error TEXT, warnings TEXT, submitted REAL, started REAL, ended REAL,
    fraction REAL, stage TEXT, device TEXT, libraries TEXT, peak_memory INTEGER, has_checkpoint INTEGER, marks TEXT);
CREATE TABLE artifacts(
    id INTEGER PRIMARY KEY, run TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, media_type TEXT NOT NULL,
    sha256 TEXT NOT NULL, bytes INTEGER NOT NULL, partial INTEGER NOT NULL, data BLOB, UNIQUE(run, name));
-- A row holds a stretch of one series: pairs x, y of little-endian doubles. `first` counts points from 0.
CREATE TABLE series(
    id INTEGER PRIMARY KEY, run TEXT NOT NULL, name TEXT NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL,
    data BLOB NOT NULL);
CREATE UNIQUE INDEX series_order ON series(run, name, first, count);
CREATE TABLE updates(id INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL);
CREATE INDEX updates_of_run ON updates(run, id);
CREATE TABLE log(id INTEGER PRIMARY KEY, run TEXT NOT NULL, time REAL NOT NULL, level INTEGER NOT NULL,
    text TEXT NOT NULL);
CREATE INDEX log_of_run ON log(run, id);
CREATE TABLE commands(id INTEGER PRIMARY KEY, time REAL NOT NULL, text TEXT NOT NULL, ok INTEGER NOT NULL,
    message TEXT NOT NULL);
CREATE TABLE items(kind TEXT NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL, value TEXT NOT NULL,
    changed REAL NOT NULL, PRIMARY KEY(kind, name));
)";

std::string first_bytes(fs::path const& path, std::size_t count) {
    std::ifstream file(path, std::ios::binary);
    std::string bytes(count, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(count));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return bytes;
}

std::string looks_like(std::string_view bytes) {
    using namespace std::string_view_literals;
    static constexpr std::array<std::pair<std::string_view, char const*>, 8> kinds{{
        {"PK\x03\x04"sv, "a zip archive"},
        {"\x89PNG"sv, "a PNG picture"},
        {"%PDF"sv, "a PDF document"},
        {"\x1f\x8b"sv, "a gzip archive"},
        {"\x89HDF"sv, "an HDF5 file"},
        {"version https://git-lfs"sv, "a Git LFS pointer: the file itself was not fetched"},
        {"HEADER"sv, "a PDB file"},
        {"data_"sv, "an mmCIF file"},
    }};
    for (auto const& [magic, name] : kinds)
        if (bytes.starts_with(magic)) return name;
    bool const text = std::all_of(bytes.begin(), bytes.end(), [](char c) {
        return static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\r' || c == '\t';
    });
    return text ? "a text file" : "";
}

std::uint32_t big_endian(std::string_view bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

Error truncated(fs::path const& path, std::uint64_t has, std::uint64_t should) {
    return bad_input(
        "the session is truncated: it has " + std::to_string(has) + " of " + std::to_string(should) + " bytes",
        path.string(), backup_hint(path));
}

}  // namespace

std::span<Migration const> migrations() {
    static constexpr std::array<Migration, 1> steps{{{"tables of the first release", tables, 1}}};
    return steps;
}

Result<void> migrate(sqlite::Database const& database, std::span<Migration const> steps) {
    ORRERY_TRY(std::int64_t const found, database.number("PRAGMA user_version"));
    for (auto step = static_cast<std::size_t>(std::max<std::int64_t>(0, found)); step < steps.size(); ++step) {
        Migration const& migration = steps[step];
        std::string const record =
            "CREATE TABLE IF NOT EXISTS migrations(version INTEGER PRIMARY KEY, name TEXT, time REAL, program TEXT);"
            "PRAGMA user_version = " +
            std::to_string(step + 1) + ";";
        ORRERY_CHECK(database.execute("BEGIN IMMEDIATE"));
        Result<void> done = database.execute(migration.sql);
        if (done) done = database.execute(record.c_str());
        if (done)
            done = sqlite::Statement(database, "INSERT OR REPLACE INTO migrations VALUES(?, ?, ?, ?)")
                       .bind(static_cast<std::int64_t>(step + 1))
                       .bind(migration.name)
                       .bind(static_cast<double>(std::time(nullptr)))
                       .bind(version)
                       .run();
        if (done)
            done = sqlite::Statement(database, "INSERT OR REPLACE INTO meta VALUES('readable_by', ?)")
                       .bind(std::to_string(migration.readable_by))
                       .run();
        if (done) done = database.execute("COMMIT");
        if (!done) {
            (void)database.execute("ROLLBACK");
            return std::move(done).error().caused_by("while it is brought to format " + std::to_string(step + 1) +
                                                     " (" + migration.name + ")");
        }
    }
    return {};
}

std::string backup_hint(fs::path const& path) {
    for (int generation = 1; generation <= 3; ++generation) {
        fs::path const backup = path.string() + ".backup" + std::to_string(generation);
        std::error_code ignored;
        if (fs::is_regular_file(backup, ignored)) return "Open its newest backup " + backup.string();
    }
    return "There is no backup beside it";
}

Result<void> check_file_header(fs::path const& path) {
    ORRERY_CHECK(check_file(path));
    std::error_code failure;
    std::uint64_t const size = fs::file_size(path, failure);
    if (failure) return bad_input("the session cannot be read", path.string(), failure.message());
    if (size == 0) return bad_input("the file is empty, not an Orrery session", path.string(), backup_hint(path));
    std::string const header = first_bytes(path, 100);
    std::string_view const magic{"SQLite format 3\0", 16};
    if (!std::string_view(header).starts_with(magic)) {
        std::string const kind = looks_like(header);
        return bad_input("the file is not an Orrery session", path.string(),
                         kind.empty() ? "Orrery sessions end in .orrery" : "It looks like " + kind);
    }
    if (header.size() < 100) return truncated(path, size, 4096);
    std::uint64_t page = big_endian(header, 16) >> 16;
    if (page == 1) page = 65536;
    std::uint64_t const pages = big_endian(header, 28);
    bool const count_valid = big_endian(header, 24) == big_endian(header, 92);
    // While a write-ahead log is there the file may lag behind its header; SQLite then puts both together.
    std::error_code no_log;
    bool const log = fs::file_size(path.string() + "-wal", no_log) > 0 && !no_log;
    if (count_valid && !log && size < page * pages) return truncated(path, size, page * pages);
    return {};
}

Result<Format> check_format(sqlite::Database const& database) {
    std::string const path = database.path().string();
    ORRERY_TRY(std::int64_t const id, database.number("PRAGMA application_id"));
    if (id != application_id)
        return bad_input("the file is a database of another program, not an Orrery session", path);
    ORRERY_TRY(std::int64_t const found, database.number("PRAGMA user_version"));
    Format format;
    format.version = static_cast<int>(found);
    auto const known = static_cast<std::int64_t>(migrations().size());
    if (found > known) {
        ORRERY_TRY(std::string const readable, database.text("SELECT value FROM meta WHERE name = 'readable_by'"));
        ORRERY_TRY(std::string const program,
                   database.text("SELECT program FROM migrations ORDER BY version DESC LIMIT 1"));
        format.newer = !readable.empty() && readable.size() < 9 &&
                       readable.find_first_not_of("0123456789") == std::string::npos && std::stoi(readable) <= known;
        if (!format.newer)
            return unavailable("the session has format " + std::to_string(found) + " of Orrery " + program +
                                   "; this is Orrery " + version + ", which reads formats up to " +
                                   std::to_string(known),
                               path, "Open it with Orrery " + program + " or newer");
    }
    // The whole structure of a large session would take longer than opening it may: check() does it on demand.
    ORRERY_TRY(std::int64_t const pages, database.number("PRAGMA page_count"));
    if (pages < 8192) {
        ORRERY_TRY(std::string const verdict, database.text("PRAGMA quick_check(1)"));
        if (verdict != "ok") return bad_input("the session is damaged", path, backup_hint(path)).caused_by(verdict);
    }
    return format;
}

}  // namespace orrery::store_schema
