// One window a session: the lock file `<session>-lock` holds the process id of who has it open. The lock itself is the
// kernel's (flock), so it goes with the process, however that ends.
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <utility>

namespace orrery {

class SessionLock {
public:
    // Error: another process (named by its id) has the session open; the folder can't be written.
    static Result<SessionLock> take(std::filesystem::path const& session);
    [[nodiscard]] static bool is_taken(std::filesystem::path const& session);

    SessionLock() = default;
    SessionLock(SessionLock&& other) noexcept { *this = std::move(other); }
    SessionLock& operator=(SessionLock&& other) noexcept {
        std::swap(m_file, other.m_file);
        std::swap(m_path, other.m_path);
        return *this;
    }
    SessionLock(SessionLock const&) = delete;
    SessionLock& operator=(SessionLock const&) = delete;
    ~SessionLock();

private:
    int m_file = -1;
    std::filesystem::path m_path;
};

}  // namespace orrery
