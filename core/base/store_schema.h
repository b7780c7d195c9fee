// The tables of a session and how older ones are brought up to date; what kind of file lies at a path.
// For core/base/store*.cpp and their tests alone.
#pragma once

#include "core/base/store_sqlite.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace orrery::store_schema {

inline constexpr int application_id = 0x4f525259;          // "ORRY" in the file's header
inline constexpr std::size_t embedded_artifact = 100'000;  // bytes; larger ones stay files
inline constexpr std::size_t embedded_dataset = 1'000'000;

struct Migration {
    char const* name;
    char const* sql;
    int readable_by;  // a program that knows this version at least can still read the result
};
// Migration i brings version i to i + 1. Only ever added to.
std::span<Migration const> migrations();

// Brings `database` from its version to that of the list, each step in a transaction of its own and recorded in the
// table `migrations`. Does nothing when it is newer.
Result<void> migrate(sqlite::Database const& database, std::span<Migration const> steps);

// Looks at the file itself, before SQLite does: absent, a folder, empty, too short, another kind of file (which),
// another program's database, shorter than its header says. Errors name the newest backup beside it where the file is
// damaged.
Result<void> check_file_header(std::filesystem::path const& path);
// After opening: the application id, the version, for small files the whole structure.
struct Format {
    int version = 0;
    bool newer = false;  // made by a newer program, which says that this one can read it
};
Result<Format> check_format(sqlite::Database const& database);

// "Its newest backup is x.orrery.backup1", empty if there is none.
[[nodiscard]] std::string backup_hint(std::filesystem::path const& path);

}  // namespace orrery::store_schema
