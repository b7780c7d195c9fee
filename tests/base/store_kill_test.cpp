// kill -9 at random moments: of a process that streams into a session, and of a queue with a running job.
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/process.h"
#include "core/base/queue_checkpoint.h"
#include "tests/base/job_harness.h"
#include "tests/catch.h"
#include "tests/fixtures.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <random>
#include <sstream>
#include <thread>

using namespace orrery;
using namespace orrery::tests;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

struct Told {
    std::int64_t time = 0;  // ms of the steady clock
    std::uint64_t points = 0, updates = 0;
};

// What the child said until it was killed after `lifetime`, and the moment of the kill in ms.
struct Stream {
    std::vector<Told> told;
    std::int64_t killed = 0;
};

std::int64_t now_ms() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now().time_since_epoch()).count();
}

Stream stream_and_kill(fs::path const& session, std::chrono::milliseconds lifetime) {
    Result<ChildProcess> const child = spawn({ORRERY_TEST_STREAMER, session.string()});
    REQUIRE(child.ok());
    std::string text;
    char bytes[65536];
    std::optional<Clock::time_point> end;  // counts from the first line: before it there is nothing to lose
    while (!end || Clock::now() < *end) {
        ssize_t const count = ::read(child->output, bytes, sizeof bytes);
        if (count == 0) FAIL("the streamer ended by itself");
        if (count > 0) text.append(bytes, static_cast<std::size_t>(count));
        if (count > 0 && !end) end = Clock::now() + lifetime;
        if (count < 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    Stream stream;
    REQUIRE(::kill(child->pid, SIGKILL) == 0);
    stream.killed = now_ms();
    int status = 0;
    ::waitpid(child->pid, &status, 0);
    REQUIRE(WIFSIGNALED(status));
    for (ssize_t count = 0; (count = ::read(child->output, bytes, sizeof bytes)) > 0;)
        text.append(bytes, static_cast<std::size_t>(count));
    for (int const file : {child->input, child->output, child->errors, child->watch}) ::close(file);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line) && !lines.eof();) {
        Told told;
        std::istringstream(line) >> told.time >> told.points >> told.updates;
        stream.told.push_back(told);
    }
    return stream;
}

}  // namespace

TEST_CASE("kill -9 of the window 20 times while a job streams: the session opens, at most a second is lost") {
    fs::path const path = scratch_directory("store-kill") / "a.orrery";
    std::mt19937 random(5);
    for (int round = 0; round < 20; ++round) {
        std::chrono::milliseconds const lifetime(random() % 700);
        Stream const stream = stream_and_kill(path, lifetime);
        REQUIRE(!stream.told.empty());
        auto const store = Store::open(path);
        if (!store) FAIL("round " << round << ": " << store.error().message());
        Result<std::vector<std::string>> const problems = (*store)->check();
        REQUIRE(problems.ok());
        CHECK(problems->empty());
        // The run was told to the disk before the first point.
        auto const run = (*store)->run("streamed");
        REQUIRE((run.ok() && run->has_value()));
        CHECK((*run)->state == JobState::running);

        auto const series = (*store)->series("streamed");
        REQUIRE(series.ok());
        std::vector<double> const none;
        std::vector<double> const& x = series->empty() ? none : series->front().x;
        auto const updates = (*store)->updates("streamed");
        for (Told const& told : stream.told) {
            if (told.time > stream.killed - 1000) break;
            CHECK(x.size() >= told.points);
            CHECK(updates->size() >= told.updates);
        }
        // What is there is whole and in order: no hole, nothing twice.
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (x[i] != static_cast<double>(i)) FAIL("point " << i << " is " << x[i]);
            if (series->front().y[i] != static_cast<double>(i) * 0.5) FAIL("value of point " << i);
        }
        for (std::size_t i = 0; i < updates->size(); ++i) REQUIRE(updates->at(i).value.at("number") == i);
    }
}

TEST_CASE("after the window was killed, its jobs come back: paused with a checkpoint, failed without, queued held") {
    fs::path const folder = scratch_directory("store-restart");
    fs::path const path = folder / "a.orrery";
    Json const parameters = {{"steps", 400}, {"step_ms", 2}, {"seed", 3}};
    int out[2];
    REQUIRE(::pipe(out) == 0);
    pid_t const window = ::fork();
    REQUIRE(window >= 0);
    if (window == 0) {  // a window of its own, which is killed
        auto store = Store::open(path, Store::Mode::create);
        if (!store) ::_exit(1);
        QueueOptions options;
        options.worker_command = {ORRERY_TEST_WORKER};
        options.store = store->get();
        options.gpu_lane = true;
        RecordedQueue queue(std::move(options));
        JobSpec spec = job("loop", parameters);
        spec.id = "with-checkpoint";
        (void)queue->submit(spec);
        spec.id = "waiting";
        (void)queue->submit(spec);
        spec = job("wait");
        spec.id = "without-checkpoint";
        spec.lane = Lane::gpu;
        (void)queue->submit(spec);
        // Past the checkpoint of step 149, before the end.
        if (!queue.wait([&] { return queue.points("with-checkpoint", "value").size() > 170; })) ::_exit(1);
        if (!queue.wait_for_state("without-checkpoint", JobState::running)) ::_exit(1);
        std::string const pids = std::to_string(queue->job("with-checkpoint")->worker) + " " +
                                 std::to_string(queue->job("without-checkpoint")->worker) + "\n";
        if (::write(out[1], pids.data(), pids.size()) < 0) ::_exit(1);
        std::this_thread::sleep_for(std::chrono::seconds(60));
        ::_exit(1);
    }
    ::close(out[1]);
    char text[64] = {};
    REQUIRE(::read(out[0], text, sizeof text - 1) > 0);
    ::close(out[0]);
    std::this_thread::sleep_for(std::chrono::milliseconds(40));
    REQUIRE(::kill(window, SIGKILL) == 0);
    int status = 0;
    ::waitpid(window, &status, 0);
    REQUIRE(WIFSIGNALED(status));

    // The workers went with their window.
    std::istringstream pids(text);
    for (pid_t pid = 0; pids >> pid;) {
        bool gone = false;
        for (int i = 0; i < 500 && !gone; ++i) {
            gone = ::kill(pid, 0) != 0;
            if (!gone) std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        CHECK(gone);
    }

    auto store = Store::open(path);
    REQUIRE(store.ok());
    QueueOptions options;
    options.worker_command = {ORRERY_TEST_WORKER};
    options.store = store->get();
    RecordedQueue queue(std::move(options));
    JobInfo const failed = *queue->job("without-checkpoint");
    CHECK(failed.state == JobState::failed);
    REQUIRE(failed.error);
    CHECK(failed.error->message() == "the window ended while it ran (Test wait). Run it again");
    JobInfo const waiting = *queue->job("waiting");
    CHECK(waiting.state == JobState::queued);
    CHECK(waiting.held);
    JobInfo const paused = *queue->job("with-checkpoint");
    CHECK(paused.state == JobState::paused);
    CHECK(paused.has_checkpoint);

    REQUIRE(queue->resume("with-checkpoint").ok());
    REQUIRE(queue.wait_for_end("with-checkpoint"));
    CHECK(queue->job("waiting")->state == JobState::queued);  // held until asked for
    REQUIRE(queue->resume("waiting").ok());
    REQUIRE(queue.wait_for_end("waiting"));
    // The interrupted job and the whole one give the same, and the session holds the same series of both.
    CHECK(queue->job("with-checkpoint")->state == JobState::done);
    CHECK(queue->job("with-checkpoint")->values == queue->job("waiting")->values);
    auto const one = (*store)->series("with-checkpoint"), two = (*store)->series("waiting");
    REQUIRE((one.ok() && two.ok()));
    REQUIRE(one->size() == 1);
    CHECK(one->front().x == two->front().x);
    CHECK(one->front().y == two->front().y);
    CHECK((*store)->updates("with-checkpoint")->size() == (*store)->updates("waiting")->size());
    CHECK((*store)->run("with-checkpoint").value()->state == JobState::done);
    CHECK((*store)->artifacts("with-checkpoint")->size() == 3);

    // Removed jobs are gone from the session too.
    REQUIRE(queue->remove("without-checkpoint").ok());
    CHECK((*store)->runs()->size() == 2);
}

TEST_CASE("a window killed between a checkpoint and the note of it resumes from the one before: no point is missing") {
    fs::path const path = scratch_directory("store-unnoted") / "a.orrery";
    // The state of the loop after `steps` steps, as it saves it (test_worker.cpp).
    auto const state_after = [](std::int64_t steps) {
        std::uint64_t value = 3;
        for (std::int64_t i = 0; i < steps; ++i) value = value * 6364136223846793005ULL + 1442695040888963407ULL;
        return value;
    };
    auto const saved = [&](std::int64_t step) { return Json{{"step", step}, {"value", state_after(step)}}.dump(); };
    Json const parameters = {{"steps", 120}, {"step_ms", 0}, {"seed", 3}};
    {
        auto store = Store::open(path, Store::Mode::create);
        REQUIRE(store.ok());
        StoredRun run;
        run.spec = job("loop", parameters);
        run.spec.id = "interrupted";
        run.state = JobState::running;
        run.started = 1;
        (*store)->put_run(run);
        for (std::int64_t step = 0; step < 49; ++step) {
            double const x = static_cast<double>(step);
            double const y = static_cast<double>(state_after(step + 1) >> 11) * 0x1p-53;
            (*store)->add_series("interrupted", "value", {&x, 1}, {&y, 1});
        }
        fs::path const checkpoint = (*store)->checkpoint_path("interrupted");
        REQUIRE(write_file(checkpoint, saved(49)).ok());
        REQUIRE(keep_checkpoint(checkpoint, sha256(saved(49))).ok());
        (*store)->mark_checkpoint("interrupted", sha256(saved(49)));
        // Of the next one the session was not told, nor of all points before it.
        double const x = 49, y = static_cast<double>(state_after(50) >> 11) * 0x1p-53;
        (*store)->add_series("interrupted", "value", {&x, 1}, {&y, 1});
        REQUIRE((*store)->flush().ok());
        CHECK((*store)->marked_checkpoint("interrupted").value() == sha256(saved(49)));
        REQUIRE(write_file(checkpoint, saved(99)).ok());
        REQUIRE(keep_checkpoint(checkpoint, sha256(saved(99))).ok());
    }
    auto store = Store::open(path);
    REQUIRE(store.ok());
    QueueOptions options;
    options.worker_command = {ORRERY_TEST_WORKER};
    options.store = store->get();
    RecordedQueue queue(std::move(options));
    REQUIRE(queue->job("interrupted")->state == JobState::paused);
    CHECK((*store)->series_lengths("interrupted")->at("value") == 49);
    REQUIRE(queue->resume("interrupted").ok());
    REQUIRE(queue.wait_for_end("interrupted"));
    CHECK(queue->job("interrupted")->values.at("value") == state_after(120));
    auto const series = (*store)->series("interrupted");
    REQUIRE(series->size() == 1);
    REQUIRE(series->front().x.size() == 120);
    for (std::size_t i = 0; i < 120; ++i) {
        CHECK(series->front().x[i] == static_cast<double>(i));
        CHECK(series->front().y[i] ==
              static_cast<double>(state_after(static_cast<std::int64_t>(i) + 1) >> 11) * 0x1p-53);
    }
    // Nothing of the checkpoints is left once the job ended.
    CHECK(fs::is_empty((*store)->checkpoint_path("interrupted").parent_path()));
}

TEST_CASE("only the kept file of the checkpoint that the session knows stays") {
    auto store = Store::open(scratch_directory("store-kept") / "a.orrery", Store::Mode::create);
    REQUIRE(store.ok());
    StoredRun run;
    run.spec = job("loop");
    run.spec.id = "one";
    run.state = JobState::running;
    (*store)->put_run(run);
    fs::path const checkpoint = (*store)->checkpoint_path("one");
    for (std::string const state : {"a", "b", "c"}) {
        REQUIRE(write_file(checkpoint, state).ok());
        REQUIRE(keep_checkpoint(checkpoint, sha256(state)).ok());
        (*store)->mark_checkpoint("one", sha256(state));
        REQUIRE((*store)->flush().ok());
        for (std::string const other : {"a", "b", "c"})
            CHECK(fs::exists(kept_checkpoint(checkpoint, sha256(other))) == (other == state));
    }
    REQUIRE(write_file(checkpoint, "d").ok());
    CHECK(restore_checkpoint(checkpoint, sha256("c")));
    CHECK(read_file(checkpoint).value() == "c");
    CHECK(!restore_checkpoint(checkpoint, sha256("never")));
    CHECK(job_of_checkpoint("one") == "one");
    CHECK(job_of_checkpoint("one-" + sha256("c")) == "one");
    CHECK(job_of_checkpoint("one-two") == "one-two");
    (*store)->remove_run("one");
    REQUIRE((*store)->flush().ok());
    CHECK(fs::is_empty(checkpoint.parent_path()));
}
