// The one thread that writes a session, and what it writes. For core/base/store*.cpp alone.
#pragma once

#include "core/base/store_sqlite.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace orrery {

// What the writer does on its own thread, inside a transaction: the points of series.
class SeriesTable {
public:
    explicit SeriesTable(sqlite::Database const& database) : m_database(database) {}
    // `values` are pairs x, y. Small stretches are merged into the last row, so that a series that trickles in does not
    // become a row a commit.
    Result<void> append(std::string const& run, std::string const& name, std::span<double const> values);
    Result<void> truncate(std::string const& run, std::string const& name, std::int64_t length);
    Result<void> remove(std::string const& run);
    [[nodiscard]] Result<std::map<std::string, std::int64_t>> lengths(std::string const& run) const;
    void forget() { m_tails.clear(); }  // after a rollback, and when a run ended

private:
    struct Tail {
        std::int64_t row = 0;  // 0: the next points start a new row
        std::int64_t first = 0, count = 0;
        std::string data;
    };
    Result<Tail*> tail(std::string const& run, std::string const& name);
    sqlite::Database const& m_database;
    std::map<std::pair<std::string, std::string>, Tail> m_tails;
};

class StoreWriter {
public:
    // May run again after a failed transaction: changes nothing but the database.
    using Operation = std::function<Result<void>(sqlite::Database const&, SeriesTable&)>;

    StoreWriter(sqlite::Database database, std::function<void(Error const&)> on_problem);
    ~StoreWriter();  // writes what is pending, then closes the file
    StoreWriter(StoreWriter const&) = delete;
    StoreWriter& operator=(StoreWriter const&) = delete;

    enum class When { batched, durable };  // durable: committed at once with a sync of the disk
    // `barrier`: points handed in before are written before, those after after.
    // `after`: called on the writer's thread once the operation is committed.
    void push(Operation operation, std::size_t bytes, When when = When::batched, bool barrier = false,
              std::function<void()> after = {});
    void push_points(std::string_view run, std::string_view name, std::span<double const> x, std::span<double const> y);
    // Waits until all handed in so far is committed; with `durable` on the disk. Error: why it is not.
    Result<void> settle(bool durable);
    // The first problem since the last call.
    [[nodiscard]] Result<void> take_problem();

private:
    using Clock = std::chrono::steady_clock;
    struct Work {
        Operation operation;
        std::function<void()> after;
    };
    struct Points {
        std::string run, name;
        std::vector<double> values;
    };
    void loop();
    void seal_points();  // m_mutex held
    void wait_for_room(std::unique_lock<std::mutex>& lock);
    void note_pending(std::size_t bytes);
    Result<void> commit(std::vector<Work> const& batch, bool durable);
    Result<void> guarded(Operation const& operation);
    Result<void> apply(std::vector<Work> const& batch);
    void report(Error const& error);
    void report_dropped(std::unique_lock<std::mutex>& lock);  // m_mutex held by it

    sqlite::Database m_database;
    SeriesTable m_series;
    std::function<void(Error const&)> m_on_problem;
    bool m_full_sync = false;  // writer's thread

    std::mutex m_mutex;
    std::condition_variable m_work, m_done;
    std::vector<Work> m_operations;
    std::unordered_map<std::string, std::size_t> m_point_index;  // run '\0' name -> index in m_points
    std::vector<Points> m_points;
    std::string m_key;  // reused
    std::size_t m_pending_bytes = 0;
    std::uint64_t m_handed = 0, m_committed = 0;
    Clock::time_point m_first_pending;
    bool m_urgent = false, m_durable = false, m_ending = false, m_failing = false;
    std::size_t m_dropped = 0;
    std::optional<Error> m_problem;       // the first since take_problem()
    std::optional<Error> m_failing_with;  // of the last commit
    std::thread m_thread;
};

}  // namespace orrery
