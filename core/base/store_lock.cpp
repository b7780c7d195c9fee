#include "core/base/store_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace orrery {

namespace {

std::filesystem::path lock_path(std::filesystem::path const& session) { return session.string() + "-lock"; }

std::string holder_of(int file) {
    std::array<char, 32> text{};
    ssize_t const count = ::pread(file, text.data(), text.size() - 1, 0);
    std::string digits;
    for (ssize_t i = 0;
         i < count && text[static_cast<std::size_t>(i)] >= '0' && text[static_cast<std::size_t>(i)] <= '9'; ++i)
        digits += text[static_cast<std::size_t>(i)];
    return digits.empty() ? "unknown" : digits;
}

// The file at `path` may have been removed by its last holder between open and lock.
bool is_still_at(int file, std::filesystem::path const& path) {
    struct stat opened {
    }, named{};
    return ::fstat(file, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino;
}

}  // namespace

Result<SessionLock> SessionLock::take(std::filesystem::path const& session) {
    SessionLock lock;
    lock.m_path = lock_path(session);
    while (true) {
        int const file = ::open(lock.m_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
        if (file < 0)
            return unavailable("the session can't be locked: " + std::string(std::strerror(errno)), session.string(),
                               "Copy it to a folder you can write to, or open it for reading only");
        if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
            std::string const holder = holder_of(file);
            ::close(file);
            return unavailable("the session is open in another window (process " + holder + ")", session.string(),
                               "Go on there, or close it first");
        }
        if (!is_still_at(file, lock.m_path)) {
            ::close(file);
            continue;
        }
        std::string const own = std::to_string(::getpid()) + "\n";
        if (::ftruncate(file, 0) != 0 || ::pwrite(file, own.data(), own.size(), 0) < 0) {
            Error error = unavailable("the session can't be locked: " + std::string(std::strerror(errno)),
                                      session.string(), "Free some space on the disk");
            ::close(file);
            return error;
        }
        lock.m_file = file;
        return lock;
    }
}

bool SessionLock::is_taken(std::filesystem::path const& session) {
    int const file = ::open(lock_path(session).c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    bool const taken = ::flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(file);
    return taken;
}

SessionLock::~SessionLock() {
    if (m_file < 0) return;
    ::unlink(m_path.c_str());  // while it is still held: nobody else's can be hit
    ::close(m_file);
}

}  // namespace orrery
