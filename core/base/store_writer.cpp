#include "core/base/store_writer.h"

#include <algorithm>
#include <bit>
#include <exception>

namespace orrery {

namespace {

static_assert(std::endian::native == std::endian::little, "series are kept as little-endian doubles");

constexpr std::chrono::milliseconds batch_interval{200};
constexpr std::chrono::seconds retry_interval{1};
constexpr std::size_t pending_limit = std::size_t{64} << 20;
constexpr std::int64_t merged_points = 512;  // a row below this grows; 8 kB are rewritten at most
constexpr std::size_t row_points = 65536;    // 1 MB a row
constexpr std::size_t kept_tails = 256;
constexpr std::size_t point_bytes = 2 * sizeof(double);

std::string_view bytes_of(std::span<double const> values) {
    return {reinterpret_cast<char const*>(values.data()), values.size_bytes()};
}

// Worth another try: nothing is wrong with what was written, but with the disk.
bool is_passing(int code) {
    switch (code & 0xff) {
        case SQLITE_FULL:
        case SQLITE_IOERR:
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
        case SQLITE_READONLY:
        case SQLITE_CANTOPEN:
        case SQLITE_NOMEM:
            return true;
        default:
            return false;
    }
}

}  // namespace

// ---- series

Result<SeriesTable::Tail*> SeriesTable::tail(std::string const& run, std::string const& name) {
    if (m_tails.size() > kept_tails) m_tails.clear();
    auto const [entry, absent] = m_tails.try_emplace({run, name});
    if (!absent) return &entry->second;
    sqlite::Statement last(m_database,
                           "SELECT id, first, count, data FROM series WHERE run = ? AND name = ? "
                           "ORDER BY first DESC LIMIT 1");
    Tail tail;
    if (last.bind(run).bind(name).step()) {
        tail.first = last.integer(1) + last.integer(2);
        if (last.integer(2) < merged_points)
            tail = Tail{last.integer(0), last.integer(1), last.integer(2), std::string(last.blob(3))};
    }
    if (Result<void> const status = last.status(); !status) {
        m_tails.erase(entry);
        return status.error();
    }
    entry->second = std::move(tail);
    return &entry->second;
}

Result<void> SeriesTable::append(std::string const& run, std::string const& name, std::span<double const> values) {
    sqlite::Statement insert(m_database, "INSERT INTO series(run, name, first, count, data) VALUES(?, ?, ?, ?, ?)");
    sqlite::Statement grow(m_database, "UPDATE series SET count = ?, data = ? WHERE id = ?");
    while (!values.empty()) {
        std::span<double const> const part = values.first(std::min(values.size(), 2 * row_points));
        auto const count = static_cast<std::int64_t>(part.size() / 2);
        ORRERY_TRY(Tail * end, tail(run, name));
        if (end->row != 0) {
            end->data += bytes_of(part);
            end->count += count;
            ORRERY_CHECK(grow.bind(end->count).bind_blob(end->data).bind(end->row).run());
        } else {
            ORRERY_CHECK(insert.bind(run).bind(name).bind(end->first).bind(count).bind_blob(bytes_of(part)).run());
            end->row = sqlite3_last_insert_rowid(m_database.handle());
            end->count = count;
            if (count < merged_points) end->data = bytes_of(part);
        }
        if (end->count >= merged_points) *end = Tail{0, end->first + end->count, 0, {}};
        values = values.subspan(part.size());
    }
    return {};
}

Result<void> SeriesTable::truncate(std::string const& run, std::string const& name, std::int64_t length) {
    m_tails.erase({run, name});
    ORRERY_CHECK(sqlite::Statement(m_database, "DELETE FROM series WHERE run = ? AND name = ? AND first >= ?")
                     .bind(run)
                     .bind(name)
                     .bind(length)
                     .run());
    return sqlite::Statement(m_database,
                             "UPDATE series SET data = substr(data, 1, 16 * (?3 - first)), count = ?3 - first "
                             "WHERE run = ?1 AND name = ?2 AND first + count > ?3")
        .bind(run)
        .bind(name)
        .bind(length)
        .run();
}

Result<void> SeriesTable::remove(std::string const& run) {
    m_tails.clear();
    return sqlite::Statement(m_database, "DELETE FROM series WHERE run = ?").bind(run).run();
}

Result<std::map<std::string, std::int64_t>> SeriesTable::lengths(std::string const& run) const {
    std::map<std::string, std::int64_t> lengths;
    sqlite::Statement rows(m_database, "SELECT name, max(first + count) FROM series WHERE run = ? GROUP BY name");
    rows.bind(run);
    while (rows.step()) lengths[rows.text(0)] = rows.integer(1);
    ORRERY_CHECK(rows.status());
    return lengths;
}

// ---- writer

StoreWriter::StoreWriter(sqlite::Database database, std::function<void(Error const&)> on_problem)
    : m_database(std::move(database)),
      m_series(m_database),
      m_on_problem(std::move(on_problem)),
      m_thread([this] { loop(); }) {}

StoreWriter::~StoreWriter() {
    {
        std::lock_guard const lock(m_mutex);
        m_ending = true;
    }
    m_work.notify_one();
    m_thread.join();
}

void StoreWriter::note_pending(std::size_t bytes) {
    if (m_pending_bytes == 0) {
        m_first_pending = Clock::now();
        m_work.notify_one();
    }
    m_pending_bytes += bytes + 64;
    ++m_handed;
}

void StoreWriter::wait_for_room(std::unique_lock<std::mutex>& lock) {
    if (m_pending_bytes < pending_limit) return;
    m_urgent = true;
    m_work.notify_one();
    m_done.wait(lock, [this] { return m_pending_bytes < pending_limit || m_failing; });
}

void StoreWriter::push(Operation operation, std::size_t bytes, When when, bool barrier, std::function<void()> after) {
    std::unique_lock lock(m_mutex);
    wait_for_room(lock);
    note_pending(bytes);
    if (barrier) seal_points();
    m_operations.push_back({std::move(operation), std::move(after)});
    if (when == When::durable) {
        m_durable = m_urgent = true;
        m_work.notify_one();
    }
}

void StoreWriter::push_points(std::string_view run, std::string_view name, std::span<double const> x,
                              std::span<double const> y) {
    std::unique_lock lock(m_mutex);
    wait_for_room(lock);
    std::size_t const count = std::min(x.size(), y.size());
    if (m_failing && m_pending_bytes >= pending_limit) {
        m_dropped += count;  // the disk takes nothing: the job goes on, what it costs is told
        return;
    }
    m_key.assign(run).push_back('\0');
    m_key += name;
    auto const [entry, absent] = m_point_index.try_emplace(m_key, m_points.size());
    if (absent) m_points.push_back({std::string(run), std::string(name), {}});
    std::vector<double>& values = m_points[entry->second].values;
    for (std::size_t i = 0; i < count; ++i) {
        values.push_back(x[i]);
        values.push_back(y[i]);
    }
    note_pending(count * point_bytes);
}

void StoreWriter::seal_points() {
    if (m_points.empty()) return;
    Operation write = [points = std::move(m_points)](sqlite::Database const&, SeriesTable& table) -> Result<void> {
        for (Points const& series : points) ORRERY_CHECK(table.append(series.run, series.name, series.values));
        return {};
    };
    m_operations.push_back({std::move(write), {}});
    m_points.clear();
    m_point_index.clear();
}

Result<void> StoreWriter::settle(bool durable) {
    if (durable)
        push(
            [](sqlite::Database const& database, SeriesTable&) {
                // Something must change, or the commit syncs nothing.
                return database.execute("INSERT OR REPLACE INTO meta VALUES('flushed', strftime('%s') || random())");
            },
            0, When::durable);
    std::unique_lock lock(m_mutex);
    std::uint64_t const target = m_handed;
    if (m_committed >= target) return {};
    m_urgent = true;
    m_work.notify_one();
    m_done.wait(lock, [&] { return m_committed >= target || m_failing; });
    if (m_committed < target && m_failing_with) return *m_failing_with;
    return {};
}

Result<void> StoreWriter::take_problem() {
    std::lock_guard const lock(m_mutex);
    std::optional<Error> const problem = std::exchange(m_problem, std::nullopt);
    if (problem) return *problem;
    return {};
}

void StoreWriter::loop() {
    std::unique_lock lock(m_mutex);
    std::vector<Work> batch;
    while (true) {
        m_work.wait(lock, [this] { return m_pending_bytes > 0 || m_ending; });
        if (m_pending_bytes == 0) return;
        m_work.wait_until(lock, m_first_pending + batch_interval, [this] { return m_urgent || m_ending; });
        seal_points();
        for (Work& work : m_operations) batch.push_back(std::move(work));
        m_operations.clear();
        std::uint64_t const target = m_handed;
        std::size_t const bytes = m_pending_bytes;
        bool const durable = std::exchange(m_durable, false);
        m_urgent = false;
        m_pending_bytes = 0;
        lock.unlock();
        Result<void> const done = commit(batch, durable);
        if (done)
            for (Work const& work : batch)
                if (work.after) work.after();
        lock.lock();
        if (done) {
            batch.clear();
            m_committed = target;
            m_failing = false;
            m_failing_with.reset();
            m_done.notify_all();
            report_dropped(lock);
            continue;
        }
        // Nothing is lost: the batch is tried again until the disk takes it.
        bool const first = !m_failing;
        m_failing = true;
        m_failing_with = done.error();
        if (!m_problem) m_problem = done.error();
        if (m_pending_bytes == 0) m_first_pending = Clock::now();
        m_pending_bytes += bytes;
        m_durable = m_durable || durable;
        m_done.notify_all();
        lock.unlock();
        if (first) report(done.error());
        lock.lock();
        if (m_ending) return;
        m_work.wait_for(lock, retry_interval, [this] { return m_ending; });
    }
}

void StoreWriter::report_dropped(std::unique_lock<std::mutex>& lock) {
    if (m_dropped == 0) return;
    Error error = unavailable(std::to_string(std::exchange(m_dropped, 0)) +
                                  " points of live series were not kept while the session could not be written",
                              m_database.path().string());
    if (!m_problem) m_problem = error;
    lock.unlock();
    report(error);
    lock.lock();
}

Result<void> StoreWriter::commit(std::vector<Work> const& batch, bool durable) {
    if (durable != m_full_sync) {
        ORRERY_CHECK(m_database.execute(durable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL"));
        m_full_sync = durable;
    }
    ORRERY_CHECK(m_database.execute("BEGIN IMMEDIATE"));
    Result<void> done = apply(batch);
    if (done) done = m_database.execute("COMMIT");
    if (done) return {};
    m_series.forget();
    if (sqlite3_get_autocommit(m_database.handle()) == 0) (void)m_database.execute("ROLLBACK");
    return done;
}

// A damaged session may hold JSON of an unexpected shape.
Result<void> StoreWriter::guarded(Operation const& operation) {
    try {
        return operation(m_database, m_series);
    } catch (std::exception const& exception) {
        return internal_error("a record of the session could not be written", m_database.path().string())
            .caused_by(exception.what());
    }
}

Result<void> StoreWriter::apply(std::vector<Work> const& batch) {
    for (Work const& work : batch) {
        Result<void> done = guarded(work.operation);
        if (done) continue;
        if (is_passing(m_database.code())) return done;
        // One record that can't be written must not keep the others from the disk.
        {
            std::lock_guard const lock(m_mutex);
            if (!m_problem) m_problem = done.error();
        }
        report(done.error());
    }
    return {};
}

void StoreWriter::report(Error const& error) {
    if (m_on_problem) m_on_problem(error);
}

}  // namespace orrery
