#include "core/base/error_json.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/run_context.h"
#include "core/base/store_private.h"

#include <algorithm>
#include <cstring>
#include <system_error>

namespace orrery {

namespace fs = std::filesystem;
using sqlite::Database;
using sqlite::Statement;

namespace {

constexpr char const* run_columns =
    "SELECT id, spec, key, state, result_values, provenance, error, warnings, submitted, started, ended, fraction, "
    "stage, device, libraries, peak_memory, has_checkpoint FROM runs ";

// A run whose specification can't be read any more is kept and shown as failed, saying so: it does not stop the others.
StoredRun run_of(Statement const& row) {
    StoredRun run;
    Result<JobSpec> spec = JobSpec::from_json(row.json(1));
    std::optional<JobState> const state = job_state_from(row.text(3));
    if (spec) run.spec = std::move(spec).value();
    run.spec.id = row.text(0);
    run.key = row.text(2);
    run.state = state.value_or(JobState::failed);
    run.values = row.json(4, Json::object());
    run.provenance = row.json(5, Json::object());
    if (!row.is_null(6)) run.error = error_from_json(row.json(6));
    if (Json const warnings = row.json(7); warnings.is_array())
        for (Json const& warning : warnings) run.warnings.push_back(error_from_json(warning));
    run.submitted = row.real(8);
    run.started = row.real(9);
    run.ended = row.real(10);
    run.fraction = row.real(11);
    run.stage = row.text(12);
    run.device = row.text(13);
    run.libraries = row.json(14, Json::object());
    run.peak_memory = static_cast<std::uint64_t>(row.integer(15));
    run.has_checkpoint = row.integer(16) != 0;
    if (!spec || !state) {
        run.state = JobState::failed;
        run.error = internal_error("the record of this run cannot be read", "state " + row.text(3));
        if (!spec) run.error->chain.push_back(spec.error().message());
    }
    return run;
}

Result<std::vector<StoredRun>> read_runs(Database const& database) {
    std::vector<StoredRun> runs;
    Statement row(database, (std::string(run_columns) + "ORDER BY position").c_str());
    while (row.step()) runs.push_back(run_of(row));
    ORRERY_CHECK(row.status());
    return runs;
}

Result<std::vector<StoredSeries>> read_series(Database const& database, std::string const& run) {
    std::vector<StoredSeries> all;
    Statement row(database, "SELECT name, data FROM series WHERE run = ? ORDER BY name, first");
    row.bind(run);
    while (row.step()) {
        std::string name = row.text(0);
        if (all.empty() || all.back().name != name) all.push_back({std::move(name), {}, {}});
        StoredSeries& series = all.back();
        std::string_view const bytes = row.blob(1);
        std::size_t const count = bytes.size() / (2 * sizeof(double));
        for (std::size_t i = 0; i < count; ++i) {
            double pair[2];
            std::memcpy(pair, bytes.data() + i * sizeof pair, sizeof pair);
            series.x.push_back(pair[0]);
            series.y.push_back(pair[1]);
        }
    }
    ORRERY_CHECK(row.status());
    return all;
}

StoredItem item_of(Statement const& row) {
    return {row.text(0), row.text(1), static_cast<int>(row.integer(2)), row.json(3), row.real(4)};
}

constexpr char const* dataset_columns =
    "SELECT sha256, name, path, kind, bytes, data IS NOT NULL, added FROM datasets ";

StoredDataset dataset_of(Statement const& row) {
    return {row.text(0),         row.text(1), row.text(2), row.text(3), static_cast<std::uint64_t>(row.integer(4)),
            row.integer(5) != 0, row.real(6)};
}

Error gone(std::string const& name, fs::path const& path) {
    return bad_input("the file of " + name + " is not there any more, or holds something else", path.string(),
                     "Run it again, or bring the folder " + path.parent_path().parent_path().parent_path().string() +
                         " back beside the session");
}

}  // namespace

Result<std::vector<StoredRun>> Store::runs() const {
    return m_impl->reading([](Database const& database) { return read_runs(database); });
}

Result<std::optional<StoredRun>> Store::run(std::string const& id) const {
    return m_impl->reading([&](Database const& database) -> Result<std::optional<StoredRun>> {
        Statement row(database, (std::string(run_columns) + "WHERE id = ?").c_str());
        std::optional<StoredRun> run;
        if (row.bind(id).step()) run = run_of(row);
        ORRERY_CHECK(row.status());
        return run;
    });
}

Result<std::vector<Artifact>> Store::artifacts(std::string const& run) const {
    return m_impl->reading([&](Database const& database) -> Result<std::vector<Artifact>> {
        std::vector<Artifact> artifacts;
        Statement row(database,
                      "SELECT name, kind, media_type, sha256, bytes, partial FROM artifacts WHERE run = ? ORDER BY id");
        row.bind(run);
        while (row.step()) {
            Artifact artifact;
            artifact.name = row.text(0);
            artifact.kind = row.text(1);
            artifact.media_type = row.text(2);
            artifact.sha256 = row.text(3);
            artifact.bytes = static_cast<std::uint64_t>(row.integer(4));
            artifact.partial = row.integer(5) != 0;
            artifact.path = blob_path(blob_root(), artifact.sha256);
            artifacts.push_back(std::move(artifact));
        }
        ORRERY_CHECK(row.status());
        return artifacts;
    });
}

Result<std::string> Store::artifact_bytes(Artifact const& artifact) const {
    ORRERY_TRY(std::string embedded, m_impl->reading([&](Database const& database) -> Result<std::string> {
        Statement row(database, "SELECT data FROM artifacts WHERE sha256 = ? AND data IS NOT NULL LIMIT 1");
        std::string bytes(row.bind(artifact.sha256).step() ? row.blob(0) : std::string_view());
        ORRERY_CHECK(row.status());
        return bytes;
    }));
    if (!embedded.empty() && sha256(embedded) == artifact.sha256) return embedded;
    fs::path const path = blob_path(blob_root(), artifact.sha256);
    Result<std::string> bytes = read_file(path);
    if (!bytes) return gone(artifact.name, path).caused_by(bytes.error().message());
    if (sha256(*bytes) != artifact.sha256) return gone(artifact.name, path).caused_by("its SHA-256 differs");
    return bytes;
}

Result<std::vector<StoredSeries>> Store::series(std::string const& run) const {
    return m_impl->reading([&](Database const& database) { return read_series(database, run); });
}

Result<std::string> Store::marked_checkpoint(std::string const& run) const {
    return m_impl->reading([&](Database const& database) { return read_mark(database, run); });
}

Result<std::map<std::string, std::uint64_t>> Store::series_lengths(std::string const& run) const {
    return m_impl->reading([&](Database const& database) -> Result<std::map<std::string, std::uint64_t>> {
        std::map<std::string, std::uint64_t> lengths;
        Statement row(database, "SELECT name, max(first + count) FROM series WHERE run = ? GROUP BY name");
        row.bind(run);
        while (row.step()) lengths[row.text(0)] = static_cast<std::uint64_t>(row.integer(1));
        ORRERY_CHECK(row.status());
        return lengths;
    });
}

Result<std::vector<StoredUpdate>> Store::updates(std::string const& run) const {
    return m_impl->reading([&](Database const& database) -> Result<std::vector<StoredUpdate>> {
        std::vector<StoredUpdate> updates;
        Statement row(database, "SELECT name, value FROM updates WHERE run = ? ORDER BY id");
        row.bind(run);
        while (row.step()) updates.push_back({row.text(0), row.json(1)});
        ORRERY_CHECK(row.status());
        return updates;
    });
}

Result<std::vector<StoredLog>> Store::log(std::string const& run, std::size_t last) const {
    return m_impl->reading([&](Database const& database) -> Result<std::vector<StoredLog>> {
        std::vector<StoredLog> lines;
        Statement row(database, "SELECT run, time, level, text FROM log WHERE run = ? ORDER BY id DESC LIMIT ?");
        row.bind(run).bind(std::uint64_t{last});
        while (row.step()) {
            int const level = std::clamp(static_cast<int>(row.integer(2)), 0, static_cast<int>(LogLevel::error));
            lines.push_back({row.text(0), row.real(1), static_cast<LogLevel>(level), row.text(3)});
        }
        ORRERY_CHECK(row.status());
        std::reverse(lines.begin(), lines.end());
        return lines;
    });
}

Result<std::vector<StoredCommand>> Store::commands() const {
    return m_impl->reading([](Database const& database) -> Result<std::vector<StoredCommand>> {
        std::vector<StoredCommand> commands;
        Statement row(database, "SELECT time, text, ok, message FROM commands ORDER BY id");
        while (row.step()) commands.push_back({row.real(0), row.text(1), row.integer(2) != 0, row.text(3)});
        ORRERY_CHECK(row.status());
        return commands;
    });
}

Result<std::vector<StoredItem>> Store::items(std::string const& kind) const {
    return m_impl->reading([&](Database const& database) -> Result<std::vector<StoredItem>> {
        std::vector<StoredItem> items;
        Statement row(database,
                      "SELECT kind, name, version, value, changed FROM items WHERE ?1 = '' OR kind = ?1 "
                      "ORDER BY kind, name");
        row.bind(kind);
        while (row.step()) items.push_back(item_of(row));
        ORRERY_CHECK(row.status());
        return items;
    });
}

Result<std::optional<StoredItem>> Store::item(std::string const& kind, std::string const& name) const {
    return m_impl->reading([&](Database const& database) -> Result<std::optional<StoredItem>> {
        std::optional<StoredItem> item;
        Statement row(database, "SELECT kind, name, version, value, changed FROM items WHERE kind = ? AND name = ?");
        if (row.bind(kind).bind(name).step()) item = item_of(row);
        ORRERY_CHECK(row.status());
        return item;
    });
}

Result<std::vector<StoredDataset>> Store::datasets() const {
    return m_impl->reading([](Database const& database) -> Result<std::vector<StoredDataset>> {
        std::vector<StoredDataset> datasets;
        Statement row(database, (std::string(dataset_columns) + "ORDER BY added, name").c_str());
        while (row.step()) datasets.push_back(dataset_of(row));
        ORRERY_CHECK(row.status());
        return datasets;
    });
}

Result<std::string> Store::dataset_bytes(std::string const& wanted) const {
    std::optional<StoredDataset> dataset;
    ORRERY_TRY(std::string embedded, m_impl->reading([&](Database const& database) -> Result<std::string> {
        Statement row(database, (std::string(dataset_columns) + "WHERE sha256 = ?").c_str());
        if (row.bind(wanted).step()) dataset = dataset_of(row);
        ORRERY_CHECK(row.status());
        Statement data(database, "SELECT data FROM datasets WHERE sha256 = ?");
        std::string bytes(data.bind(wanted).step() ? data.blob(0) : std::string_view());
        ORRERY_CHECK(data.status());
        return bytes;
    }));
    if (!dataset) return bad_input("the session has no data with SHA-256 " + wanted, m_impl->path.string());
    if (dataset->embedded) return embedded;
    Result<std::string> bytes = read_file(dataset->path);
    if (!bytes)
        return bad_input("the data " + dataset->name + " is not where it was", dataset->path,
                         "Say where it is now; its SHA-256 is " + wanted)
            .caused_by(bytes.error().message());
    if (sha256(*bytes) != wanted)
        return bad_input("the file " + dataset->name + " has changed since the session used it", dataset->path,
                         "Say where the file with SHA-256 " + wanted + " is, or load the new one");
    return bytes;
}

}  // namespace orrery
