#include "core/base/files.h"

#include "core/base/nearest.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <vector>

namespace orrery {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view lfs_pointer_start = "version https://git-lfs.github.com/spec/v1";

fs::path home_directory() {
    if (char const* home = std::getenv("HOME"); home != nullptr && *home != 0) return home;
    if (passwd const* entry = ::getpwuid(::getuid()); entry != nullptr && entry->pw_dir != nullptr)
        return entry->pw_dir;
    return fs::temp_directory_path();
}

fs::path place(char const* own_variable, char const* xdg_variable, fs::path const& below_home) {
    if (char const* own = std::getenv(own_variable); own != nullptr && *own != 0) return own;
    if (char const* xdg = std::getenv(xdg_variable); xdg != nullptr && *xdg != 0) return fs::path(xdg) / "orrery";
    return home_directory() / below_home / "orrery";
}

// What is there instead of `path`: files of nearly the same name, or the nearest folder that exists.
std::string nearest_place(fs::path const& path) {
    std::error_code error;
    fs::path folder = fs::absolute(path, error).parent_path();
    fs::path const wanted_folder = folder;
    while (!folder.empty() && !fs::is_directory(folder, error) && folder.has_relative_path())
        folder = folder.parent_path();
    if (folder != wanted_folder) return "The nearest folder that exists is " + folder.string();
    std::vector<std::string> names;
    constexpr std::size_t most_names = 5000;  // a larger folder is not searched for a likely name
    for (fs::directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error), end;
         !error && entry != end && names.size() < most_names; entry.increment(error))
        names.push_back(entry->path().filename().string());
    std::string const suggestion = did_you_mean(path.filename().string(), names);
    return suggestion.empty() ? "The folder " + folder.string() + " exists, this file in it does not" : suggestion;
}

Error open_error(fs::path const& path, int code) {
    std::string const name = path.filename().string();
    if (code == ENOENT || code == ENOTDIR)
        return bad_input("file " + name + " is not there", path.string(), nearest_place(path));
    if (code == EACCES || code == EPERM)
        return bad_input("file " + name + " may not be read", path.string(), "Give yourself permission to read it");
    return bad_input("file " + name + " cannot be opened: " + std::strerror(code), path.string());
}

// Closes a file descriptor at the end of a scope.
struct Descriptor {
    int value = -1;
    ~Descriptor() {
        if (value >= 0) ::close(value);
    }
};

Result<void> open_for_reading(fs::path const& path, Descriptor& file, struct stat& status) {
    if (path.empty()) return bad_input("no file is named");
    // Non-blocking, or a pipe without a writer would wait for ever.
    file.value = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file.value < 0) return open_error(path, errno);
    if (::fstat(file.value, &status) != 0) return open_error(path, errno);
    if (S_ISDIR(status.st_mode))
        return bad_input(path.filename().string() + " is a folder, not a file", path.string(), "Name a file in it");
    ::fcntl(file.value, F_SETFL, ::fcntl(file.value, F_GETFL) & ~O_NONBLOCK);
    return {};
}

Error too_large(fs::path const& path, std::uint64_t bytes, std::uint64_t limit) {
    std::string const found = bytes > 0 ? "is " + byte_text(bytes) : "is";
    return bad_input("file " + path.filename().string() + " " + found + " larger than the " + byte_text(limit) +
                         " that are read at once",
                     path.string());
}

Error write_error(fs::path const& path, int code) {
    std::string const name = path.filename().string();
    if (code == ENOSPC || code == EDQUOT)
        return unavailable("no space is left to write " + name, path.string(), "Free some space and try again");
    if (code == EACCES || code == EPERM || code == EROFS)
        return bad_input(name + " may not be written", path.string(), "Choose a folder you may write to");
    return bad_input(name + " cannot be written: " + std::strerror(code), path.string());
}

Result<void> write_all(int file, fs::path const& path, std::string_view bytes) {
    while (!bytes.empty()) {
        ssize_t const written = ::write(file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return write_error(path, errno);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

}  // namespace

fs::path cache_directory() { return place("ORRERY_CACHE", "XDG_CACHE_HOME", ".cache"); }
fs::path state_directory() { return place("ORRERY_STATE", "XDG_STATE_HOME", fs::path(".local") / "state"); }

std::string byte_text(std::uint64_t bytes) {
    if (bytes < 1000) return fmt::format("{} B", bytes);
    double value = static_cast<double>(bytes);
    int unit = -1;
    while (value >= 999.5 && unit < 4) {
        value /= 1000;
        ++unit;
    }
    constexpr char const* units[] = {"kB", "MB", "GB", "TB", "PB"};
    return value < 9.95 ? fmt::format("{:.1f} {}", value, units[unit]) : fmt::format("{:.0f} {}", value, units[unit]);
}

Result<void> check_file(fs::path const& path) {
    Descriptor file;
    struct stat status {};
    return open_for_reading(path, file, status);
}

Result<void> check_directory(fs::path const& path) {
    std::error_code error;
    if (fs::is_directory(path, error)) return {};
    if (fs::exists(path, error)) return bad_input(path.filename().string() + " is a file, not a folder", path.string());
    return bad_input("folder " + path.filename().string() + " is not there", path.string(), nearest_place(path));
}

Result<void> refuse_lfs_pointer(std::string_view first_bytes, fs::path const& path) {
    if (!first_bytes.starts_with(lfs_pointer_start)) return {};
    return bad_input("file " + path.filename().string() + " is a Git LFS pointer, not the file itself", path.string(),
                     "Run `git lfs pull` in the folder it came from");
}

Result<std::string> read_file(fs::path const& path, std::uint64_t limit) {
    Descriptor file;
    struct stat status {};
    ORRERY_CHECK(open_for_reading(path, file, status));
    auto const size = static_cast<std::uint64_t>(std::max<off_t>(status.st_size, 0));
    if (size > limit) return too_large(path, size, limit);
    std::string bytes;
    // One more than the size, so that the end is met without a second round; pipes have size 0 and grow.
    bytes.resize(size + 1);
    std::size_t filled = 0;
    for (;;) {
        ssize_t const got = ::read(file.value, bytes.data() + filled, bytes.size() - filled);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return open_error(path, errno);
        if (got == 0) break;
        filled += static_cast<std::size_t>(got);
        if (filled > limit) return too_large(path, 0, limit);
        if (filled == bytes.size()) bytes.resize(bytes.size() * 2 + 4096);
    }
    bytes.resize(filled);
    ORRERY_CHECK(refuse_lfs_pointer(bytes, path));
    return bytes;
}

Result<void> write_file(fs::path const& path, std::string_view bytes) {
    if (!path.has_filename()) return bad_input("no file name to write to", path.string());
    std::error_code error;
    if (fs::is_directory(path, error))
        return bad_input(path.filename().string() + " is a folder; a file cannot take its place", path.string());
    if (path.has_parent_path()) {
        fs::create_directories(path.parent_path(), error);
        if (error) return write_error(path.parent_path(), error.value());
    }
    static std::atomic<unsigned> counter{0};
    fs::path const beside = path.parent_path() / fmt::format(".{}.{}-{}.part", path.filename().string().substr(0, 200),
                                                             ::getpid(), counter.fetch_add(1));
    Result<void> written;
    {
        Descriptor file{::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
        if (file.value < 0) return write_error(path, errno);
        struct stat old {};  // a file that is replaced keeps its permissions
        if (::stat(path.c_str(), &old) == 0) static_cast<void>(::fchmod(file.value, old.st_mode & 07777));
        written = write_all(file.value, path, bytes);
    }
    if (written && ::rename(beside.c_str(), path.c_str()) != 0) written = write_error(path, errno);
    if (!written) ::unlink(beside.c_str());
    return written;
}

}  // namespace orrery
