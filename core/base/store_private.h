// What a Store consists of. For core/base/store*.cpp alone.
#pragma once

#include "core/base/store.h"
#include "core/base/store_lock.h"
#include "core/base/store_sqlite.h"
#include "core/base/store_writer.h"

#include <memory>
#include <mutex>
#include <optional>

namespace orrery {

// A session in a folder that can't be written has no place for SQLite's shared memory; without a write-ahead log it can
// be read as it lies there.
Result<sqlite::Database> open_for_reading(std::filesystem::path const& path);

struct Store::Private {
    std::filesystem::path path;
    SessionLock lock;  // declared first: released last
    bool read_only = false;
    std::vector<std::string> notices;
    std::unique_ptr<StoreWriter> writer;  // null: read only
    mutable std::mutex reader_mutex;
    mutable std::optional<sqlite::Database> reader;

    std::mutex states_mutex;
    std::map<std::string, JobState> states;  // of the runs handed in, to know when one changes

    // Waits for the writer, then calls `read` with the connection.
    template <class Read>
    auto reading(Read const& read) const -> decltype(read(*reader)) {
        if (writer)
            if (Result<void> const settled = writer->settle(false); !settled) return settled.error();
        std::lock_guard const guard(reader_mutex);
        return read(*reader);
    }
    // The same with a connection of its own, for what takes long: other readers do not wait for it.
    template <class Read>
    auto reading_long(Read const& read) const -> decltype(read(*reader)) {
        if (writer)
            if (Result<void> const settled = writer->settle(false); !settled) return settled.error();
        Result<sqlite::Database> const own = open_for_reading(path);
        if (!own) return own.error();
        return read(*own);
    }
    void push(StoreWriter::Operation operation, std::size_t bytes, StoreWriter::When when = StoreWriter::When::batched,
              bool barrier = false, std::function<void()> after = {}) {
        if (writer) writer->push(std::move(operation), bytes, when, barrier, std::move(after));
    }
};

// `x.orrery` and `x.orrery.backup2` share `x.orrery-blobs`.
[[nodiscard]] std::filesystem::path blob_root_of(std::filesystem::path const& session);
[[nodiscard]] double seconds_now();  // since 1970, UTC

// SHA-256 of the checkpoint that the run's marks belong to; empty if none.
Result<std::string> read_mark(sqlite::Database const& database, std::string const& run);

// Deletes blobs and checkpoints that neither the session nor its backups name.
void collect_garbage(sqlite::Database const& database, std::filesystem::path const& session);

}  // namespace orrery
