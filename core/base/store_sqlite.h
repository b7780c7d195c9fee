// SQLite behind values: a connection, a statement, errors in words. For core/base/store*.cpp alone.
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace orrery::sqlite {

// One connection. Each is used by one thread at a time; SQLite's own locks are off (SQLITE_OPEN_NOMUTEX).
class Database {
public:
    enum class Mode { read_write, create, read_only, immutable };  // immutable: a folder that can't be written
    static Result<Database> open(std::filesystem::path const& path, Mode mode);

    Result<void> execute(char const* sql) const;
    [[nodiscard]] Result<std::int64_t> number(char const* sql) const;  // first column of the first row; 0 without rows
    [[nodiscard]] Result<std::string> text(char const* sql) const;
    [[nodiscard]] Error error(std::string_view doing) const;  // of the last call that failed
    [[nodiscard]] int code() const;                           // SQLITE_BUSY ..., of the last call
    [[nodiscard]] sqlite3* handle() const { return m_handle.get(); }
    [[nodiscard]] std::filesystem::path const& path() const { return m_path; }

private:
    struct Close {
        void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
    };
    std::unique_ptr<sqlite3, Close> m_handle;
    std::filesystem::path m_path;
};

// A prepared statement. bind() calls take the parameters in order from the first; then step() or run().
// A problem anywhere is kept and told by status(), so that call chains need no test after each step.
class Statement {
public:
    Statement(Database const& database, char const* sql);

    Statement& bind(std::string_view text);
    Statement& bind(char const* text) { return bind(std::string_view(text)); }
    Statement& bind(double value);
    Statement& bind(std::int64_t value);
    Statement& bind(std::uint64_t value) { return bind(static_cast<std::int64_t>(value)); }
    Statement& bind(int value) { return bind(static_cast<std::int64_t>(value)); }
    Statement& bind(bool value) { return bind(static_cast<std::int64_t>(value)); }
    Statement& bind_json(Json const& value);
    Statement& bind_blob(std::string_view bytes);
    Statement& bind_null();

    [[nodiscard]] bool step();  // true: a row is there
    Result<void> run();         // steps to the end and makes the statement ready to be bound again
    [[nodiscard]] Result<void> status() const;
    void reset();

    // Columns of the row, from 0.
    [[nodiscard]] std::string text(int column) const;
    [[nodiscard]] double real(int column) const { return sqlite3_column_double(m_handle.get(), column); }
    [[nodiscard]] std::int64_t integer(int column) const { return sqlite3_column_int64(m_handle.get(), column); }
    [[nodiscard]] bool is_null(int column) const { return sqlite3_column_type(m_handle.get(), column) == SQLITE_NULL; }
    [[nodiscard]] std::string_view blob(int column) const;  // until the next step
    // Text that is not JSON gives `otherwise`.
    [[nodiscard]] Json json(int column, Json otherwise = nullptr) const;

private:
    void note(int code);
    struct Finalize {
        void operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }
    };
    Database const* m_database;
    std::unique_ptr<sqlite3_stmt, Finalize> m_handle;
    int m_next = 1;
    std::optional<Error> m_error;
};

}  // namespace orrery::sqlite
