// The worker alone, driven over its pipes.
#include "core/base/process.h"
#include "core/base/protocol.h"
#include "tests/catch.h"
#include "tests/fixtures.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <thread>

using namespace orrery;
using namespace orrery::protocol;
namespace fs = std::filesystem;

namespace {

class PipedWorker {
public:
    explicit PipedWorker(std::vector<std::string> arguments = {}) {
        arguments.insert(arguments.begin(), ORRERY_TEST_WORKER);
        Result<ChildProcess> child = spawn(arguments);
        REQUIRE(child.ok());
        m_child = *child;
    }
    ~PipedWorker() {
        if (!m_reaped) {
            ::kill(m_child.pid, SIGKILL);
            ::waitpid(m_child.pid, nullptr, 0);
        }
        for (int const file : {m_child.input, m_child.output, m_child.errors, m_child.watch})
            if (file >= 0) ::close(file);
    }
    void send(std::string const& text) {
        REQUIRE(::write(m_child.input, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    }
    void send(Command const& command) { send(to_line(command)); }
    void close_input() {
        ::close(m_child.input);
        m_child.input = -1;
    }
    // The next message; each line must be one.
    Message next() {
        while (true) {
            LineReader::Line line;
            if (m_lines.next(line)) {
                Result<Message> message = parse_message(line.text);
                if (!message) FAIL(message.error().message());
                return std::move(message).value();
            }
            pollfd file{m_child.output, POLLIN, 0};
            REQUIRE(::poll(&file, 1, 30'000) == 1);
            char bytes[65536];
            ssize_t const count = ::read(m_child.output, bytes, sizeof bytes);
            REQUIRE(count > 0);
            m_lines.feed({bytes, static_cast<std::size_t>(count)});
        }
    }
    template <class T>
    T next_of() {
        while (true) {
            Message message = next();
            if (auto* wanted = std::get_if<T>(&message)) return std::move(*wanted);
            // An ending of another kind would be waited over for ever.
            if (auto* failed = std::get_if<Failed>(&message)) FAIL(failed->error.message());
        }
    }
    int wait() {
        int status = 0;
        REQUIRE(::waitpid(m_child.pid, &status, 0) == m_child.pid);
        m_reaped = true;
        return status;
    }

private:
    ChildProcess m_child;
    LineReader m_lines;
    bool m_reaped = false;
};

Run run(std::string const& id, std::string const& verb, Json parameters = Json::object()) {
    fs::path const folder = fs::temp_directory_path() / ("orrery-test-worker-" + std::to_string(::getpid()));
    Run command;
    command.spec.id = id;
    command.spec.method = "test";
    command.spec.verb = verb;
    command.spec.parameters = std::move(parameters);
    command.spec.threads = 1;
    command.blobs = folder;
    command.checkpoint = folder / "checkpoints" / id;
    return command;
}

}  // namespace

TEST_CASE("a worker says that it is ready, runs jobs one after the other and quits") {
    PipedWorker worker;
    Ready const ready = worker.next_of<Ready>();
    CHECK(ready.pid > 0);
    CHECK(ready.memory > 0);
    worker.send(run("a", "loop", {{"steps", 20}, {"step_ms", 0}}));
    worker.send(run("b", "loop", {{"steps", 20}, {"step_ms", 0}, {"seed", 2}}));
    CHECK(worker.next_of<Started>().job == "a");
    Finished const first = worker.next_of<Finished>();
    CHECK(first.job == "a");
    CHECK(first.artifacts.size() == 3);
    CHECK(worker.next_of<Started>().job == "b");
    Finished const second = worker.next_of<Finished>();
    CHECK(second.job == "b");
    CHECK(first.values.at("value") != second.values.at("value"));
    worker.send(Quit{});
    CHECK(worker.wait() == 0);
}

TEST_CASE("all points of a series come before the end, in order, however many") {
    PipedWorker worker;
    worker.send(run("a", "loop", {{"steps", 100'000}, {"step_ms", 0}}));
    double next = 0;
    while (true) {
        Message const message = worker.next();
        if (auto const* points = std::get_if<SeriesPoints>(&message))
            for (double const x : points->x) CHECK(x == next++);
        if (std::holds_alternative<Finished>(message)) break;
    }
    CHECK(next == 100'000);
}

TEST_CASE("lines that cannot be read are told with their text, and the worker goes on") {
    PipedWorker worker;
    (void)worker.next_of<Ready>();
    worker.send(std::string("no JSON at all\n"));
    Message message = worker.next();
    REQUIRE(std::holds_alternative<Failed>(message));
    CHECK(std::get<Failed>(message).job.empty());
    CHECK(std::get<Failed>(message).error.message() == "a line of the job protocol is not JSON (no JSON at all)");
    worker.send(std::string("{\"v\":1,\"type\":\"run\",\"spec\":7}\n\n{\"v\":99,\"type\":\"quit\"}\n"));
    message = worker.next();
    REQUIRE(std::holds_alternative<Failed>(message));
    message = worker.next();
    REQUIRE(std::holds_alternative<Failed>(message));
    CHECK(std::get<Failed>(message).error.what.find("has version 99") != std::string::npos);
    worker.send(run("a", "loop", {{"steps", 2}}));
    CHECK(worker.next_of<Finished>().job == "a");
}

TEST_CASE("cancel and pause reach the job they name, also while it waits, and no other") {
    PipedWorker worker;
    (void)worker.next_of<Ready>();
    worker.send(Cancel{"nobody"});
    worker.send(run("a", "wait"));
    worker.send(run("b", "wait"));
    worker.send(Cancel{"b"});
    CHECK(worker.next_of<Started>().job == "a");
    worker.send(Cancel{"nobody"});
    worker.send(Pause{"a"});
    CHECK(worker.next_of<Paused>().job == "a");
    CHECK(worker.next_of<Started>().job == "b");
    CHECK(worker.next_of<Cancelled>().job == "b");
    worker.send(Cancel{"b"});  // ended already
    worker.send(run("c", "loop", {{"steps", 2}}));
    CHECK(worker.next_of<Finished>().job == "c");
}

TEST_CASE("a worker ends with its input, even when its method does not listen") {
    PipedWorker idle;
    (void)idle.next_of<Ready>();
    idle.close_input();
    CHECK(idle.wait() == 0);

    PipedWorker busy;
    busy.send(run("a", "deaf", {{"seconds", 600}}));
    (void)busy.next_of<Progress>();
    busy.close_input();
    CHECK(busy.wait() == 0);
}

TEST_CASE("a worker whose reader is gone ends too") {
    int in[2], out[2];
    REQUIRE(::pipe(in) == 0);
    REQUIRE(::pipe(out) == 0);
    pid_t const pid = ::fork();
    REQUIRE(pid >= 0);
    if (pid == 0) {
        ::dup2(in[0], 0);
        ::dup2(out[1], 1);
        ::close(out[0]);
        ::close(in[1]);
        ::execl(ORRERY_TEST_WORKER, "worker", nullptr);
        ::_exit(9);
    }
    ::close(in[0]);
    ::close(out[1]);
    ::close(out[0]);  // nobody reads
    int status = 0;
    REQUIRE(::waitpid(pid, &status, 0) == pid);
    CHECK(WEXITSTATUS(status) == 3);
    ::close(in[1]);
}

TEST_CASE("a wrong argument is refused") {
    PipedWorker worker({"--fast"});
    CHECK(WEXITSTATUS(worker.wait()) == 2);
}
