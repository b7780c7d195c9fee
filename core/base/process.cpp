#include "core/base/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

namespace orrery {

namespace {

struct Pipe {
    int read = -1, write = -1;
    Pipe() = default;
    Pipe(Pipe const&) = delete;
    Pipe& operator=(Pipe const&) = delete;
    ~Pipe() {
        if (read >= 0) ::close(read);
        if (write >= 0) ::close(write);
    }
    bool make() {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) return false;
        read = ends[0];
        write = ends[1];
        return true;
    }
};

int take_nonblocking(int& end) {
    ::fcntl(end, F_SETFL, ::fcntl(end, F_GETFL) | O_NONBLOCK);
    return std::exchange(end, -1);
}

struct SpawnSettings {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    SpawnSettings() {
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawnattr_init(&attributes);
        sigset_t none, standard;
        sigemptyset(&none);
        sigemptyset(&standard);
        for (int const signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD}) sigaddset(&standard, signal);
        ::posix_spawnattr_setsigmask(&attributes, &none);
        ::posix_spawnattr_setsigdefault(&attributes, &standard);
        ::posix_spawnattr_setpgroup(&attributes, 0);
        ::posix_spawnattr_setflags(
            &attributes, static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP));
    }
    SpawnSettings(SpawnSettings const&) = delete;
    SpawnSettings& operator=(SpawnSettings const&) = delete;
    ~SpawnSettings() {
        ::posix_spawn_file_actions_destroy(&actions);
        ::posix_spawnattr_destroy(&attributes);
    }
};

std::string last_error(int number) { return std::strerror(number); }

// Reads "<name>:   <n> kB" of a /proc file, in bytes.
std::uint64_t proc_value(char const* file, std::string_view name) {
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        if (!line.starts_with(name) || line.size() <= name.size() || line[name.size()] != ':') continue;
        std::uint64_t kilobytes = 0;
        std::istringstream(line.substr(name.size() + 1)) >> kilobytes;
        return kilobytes * 1024;
    }
    return 0;
}

std::uint64_t number_in(std::filesystem::path const& file) {
    std::ifstream stream(file);
    std::uint64_t value = 0;
    return stream >> value ? value : std::numeric_limits<std::uint64_t>::max();  // "max" and absent: no limit
}

// What this process's control group (version 2) still allows.
std::uint64_t group_allowance() {
    std::uint64_t allowance = std::numeric_limits<std::uint64_t>::max();
    std::ifstream stream("/proc/self/cgroup");
    for (std::string line; std::getline(stream, line);) {
        if (!line.starts_with("0::/")) continue;
        std::filesystem::path const root = "/sys/fs/cgroup";
        std::filesystem::path group = root / line.substr(4);
        while (true) {
            std::uint64_t const limit = number_in(group / "memory.max");
            std::uint64_t const used = number_in(group / "memory.current");
            if (limit != std::numeric_limits<std::uint64_t>::max() && used != std::numeric_limits<std::uint64_t>::max())
                allowance = std::min(allowance, limit > used ? limit - used : 1);
            if (group == root || !group.has_parent_path() || group.parent_path() == group) break;
            group = group.parent_path();
        }
    }
    return allowance;
}

}  // namespace

Result<ChildProcess> spawn(std::vector<std::string> const& command) {
    if (command.empty() || command.front().empty()) return internal_error("no program was given to start");
    Pipe input, output, errors;
    if (!input.make() || !output.make() || !errors.make())
        return unavailable("no pipe can be made for a new process", last_error(errno),
                           "Close other programs: too many files are open");

    SpawnSettings settings;
    ::posix_spawn_file_actions_adddup2(&settings.actions, input.read, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&settings.actions, output.write, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&settings.actions, errors.write, STDERR_FILENO);
    std::vector<char*> arguments;
    for (std::string const& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);

    ChildProcess child;
    int const failure = ::posix_spawnp(&child.pid, command.front().c_str(), &settings.actions, &settings.attributes,
                                       arguments.data(), environ);
    if (failure != 0)
        return unavailable("the program " + command.front() + " cannot be started", last_error(failure),
                           "Check that it is installed and may be run");
    child.input = take_nonblocking(input.write);
    child.output = take_nonblocking(output.read);
    child.errors = take_nonblocking(errors.read);
#ifdef SYS_pidfd_open
    child.watch = static_cast<int>(::syscall(SYS_pidfd_open, child.pid, 0));
#endif
    return child;
}

std::string describe_exit(int status) {
    if (WIFEXITED(status)) {
        int const code = WEXITSTATUS(status);
        if (code == 127) return "exit code 127 (a library or the program itself was not found)";
        return "exit code " + std::to_string(code);
    }
    if (!WIFSIGNALED(status)) return "status " + std::to_string(status);
    int const signal = WTERMSIG(status);
    std::string text = "signal " + std::to_string(signal) + " (";
    switch (signal) {
        case SIGKILL:
            text += "killed: out of memory or by hand";
            break;
        case SIGSEGV:
            text += "segmentation fault";
            break;
        case SIGABRT:
            text += "aborted";
            break;
        case SIGBUS:
            text += "bus error: a mapped file shrank or the disk is full";
            break;
        case SIGFPE:
            text += "arithmetic fault";
            break;
        case SIGILL:
            text += "illegal instruction: built for another processor";
            break;
        case SIGTERM:
            text += "asked to end";
            break;
        case SIGXCPU:
            text += "limit of processor time";
            break;
        default:
            text += ::strsignal(signal);
            break;
    }
    return text + ")";
}

std::uint64_t available_memory() { return std::min(proc_value("/proc/meminfo", "MemAvailable"), group_allowance()); }

std::uint64_t process_resident_memory() { return proc_value("/proc/self/status", "VmRSS"); }
std::uint64_t process_peak_memory() { return proc_value("/proc/self/status", "VmHWM"); }

void reset_process_peak_memory() {
    std::ofstream("/proc/self/clear_refs") << "5";  // where it may not be written the peak is that of the process
}

bool has_gpu() {
    std::error_code ignored;
    std::filesystem::directory_iterator const cards("/proc/driver/nvidia/gpus", ignored);
    if (!ignored && cards != std::filesystem::directory_iterator()) return true;
    return std::filesystem::exists("/dev/nvidia0", ignored);  // in a container the first may be hidden
}

}  // namespace orrery
