// First interactive frame and idle memory of the window over N starts, in turn with an empty Qt window (the peer), so
// that both meet the same machine. Budgets: 1.0 s cold, 150 MB resident.
//   bench_startup [starts = 10]
// With the right to write /proc/sys/vm/drop_caches each start is cold (page cache dropped), else it says "warm".
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Start {
    double first_frame_ms = -1;
    double idle_mb = -1;
};

bool drop_caches() {
    ::sync();
    std::ofstream file("/proc/sys/vm/drop_caches");
    file << 3 << std::flush;
    return static_cast<bool>(file);
}

double resident_mb(pid_t pid) {
    std::ifstream status("/proc/" + std::to_string(pid) + "/status");
    for (std::string line; std::getline(status, line);)
        if (line.rfind("VmRSS:", 0) == 0) return std::atof(line.c_str() + 6) * 1024 / 1e6;
    return -1;
}

// Starts the program, reads until it tells of its first frame, lets it rest, reads its memory, ends it.
Start measure(char const* program, double rest_seconds) {
    int pipe_ends[2];
    if (::pipe(pipe_ends) != 0) std::exit(1);
    pid_t const pid = ::fork();
    if (pid == 0) {
        ::dup2(pipe_ends[1], 1);
        ::close(pipe_ends[0]);
        ::execl(program, program, "--report-startup", static_cast<char*>(nullptr));
        std::_Exit(127);
    }
    ::close(pipe_ends[1]);
    Start start;
    std::string text;
    char buffer[512];
    char const* const mark = "first interactive frame: ";
    for (ssize_t n; start.first_frame_ms < 0 && (n = ::read(pipe_ends[0], buffer, sizeof buffer)) > 0;) {
        text.append(buffer, static_cast<std::size_t>(n));
        auto const at = text.find(mark);
        if (at != std::string::npos && text.find(" ms", at) != std::string::npos)
            start.first_frame_ms = std::atof(text.c_str() + at + std::strlen(mark));
    }
    std::this_thread::sleep_for(std::chrono::duration<double>(rest_seconds));
    start.idle_mb = resident_mb(pid);
    ::kill(pid, SIGTERM);
    ::waitpid(pid, nullptr, 0);
    ::close(pipe_ends[0]);
    return start;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

void print(char const* name, std::vector<double> const& values, char const* unit) {
    std::printf("  %-28s median %7.1f  least %7.1f  most %7.1f %s\n", name, median(values),
                *std::min_element(values.begin(), values.end()), *std::max_element(values.begin(), values.end()), unit);
}

}  // namespace

int main(int argc, char** argv) {
    int const starts = argc > 1 ? std::max(1, std::atoi(argv[1])) : 10;
    if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) {
        std::puts("There is no display; run it under packaging/with-display.sh");
        return 1;
    }
    char folder[] = "/tmp/orrery-bench-startup-XXXXXX";
    if (::mkdtemp(folder) == nullptr) return 1;
    ::setenv("ORRERY_STATE", folder, 1);
    bool const cold = drop_caches();
    (void)measure(ORRERY_PROGRAM, 0.5);  // makes the settings' folder, so that all starts are alike
    std::vector<double> frame, memory, peer_frame, peer_memory;
    for (int i = 0; i < starts; ++i) {
        if (cold) drop_caches();
        Start const ours = measure(ORRERY_PROGRAM, 3);
        if (cold) drop_caches();
        Start const peer = measure(ORRERY_EMPTY_WINDOW, 1);
        if (ours.first_frame_ms < 0 || peer.first_frame_ms < 0) {
            std::puts("a program ended before its first frame");
            return 1;
        }
        frame.push_back(ours.first_frame_ms);
        memory.push_back(ours.idle_mb);
        peer_frame.push_back(peer.first_frame_ms);
        peer_memory.push_back(peer.idle_mb);
    }
    std::printf("%d starts, %s\n", starts,
                cold ? "cold (page cache dropped before each)" : "warm (may not drop the page cache)");
    print("orrery, first frame", frame, "ms (budget 1000 cold, 400 warm)");
    print("empty Qt window, first frame", peer_frame, "ms");
    print("orrery, idle after 3 s", memory, "MB resident (budget 150)");
    print("empty Qt window, idle", peer_memory, "MB resident");
    std::printf("  ratio to the empty window: %.2f in time, %.2f in memory\n", median(frame) / median(peer_frame),
                median(memory) / median(peer_memory));
    return 0;
}
