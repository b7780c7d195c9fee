#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/process.h"
#include "tests/base/job_harness.h"
#include "tests/catch.h"
#include "tests/fixtures.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <random>
#include <signal.h>
#include <thread>

using namespace orrery;
using namespace orrery::tests;
namespace fs = std::filesystem;
using State = JobState;
using Kind = JobEvent::Kind;

namespace {

QueueOptions options(fs::path const& folder) {
    QueueOptions options;
    options.worker_command = {ORRERY_TEST_WORKER};
    options.blob_root = folder / "blobs";
    return options;
}

bool is_alive(pid_t pid) { return ::kill(pid, 0) == 0; }

bool contains(std::vector<std::string> const& lines, std::string const& text) {
    return std::any_of(lines.begin(), lines.end(),
                       [&](std::string const& line) { return line.find(text) != std::string::npos; });
}

}  // namespace

TEST_CASE("a job runs in a warm worker and its results come back") {
    RecordedQueue queue(options(scratch_directory("queue-run")));
    REQUIRE(queue.wait_until_warm());
    pid_t const warm = queue->lanes().front().warm_worker;
    auto const id = queue->submit(job("loop", {{"steps", 40}, {"step_ms", 1}}));
    REQUIRE(id.ok());
    REQUIRE(queue.wait_for_end(*id));
    JobInfo const info = *queue->job(*id);
    CHECK(info.state == State::done);
    CHECK(info.fraction == 1);
    CHECK(info.values.at("steps") == 40);
    CHECK(info.peak_memory > 1'000'000);
    CHECK(info.provenance.at("verb") == "loop");
    CHECK(info.started >= info.submitted);
    CHECK(info.ended >= info.started);
    CHECK(queue.states(*id) == std::vector<State>{State::running, State::completing, State::done});

    auto const points = queue.points(*id, "value");
    REQUIRE(points.size() == 40);
    for (std::size_t i = 0; i < points.size(); ++i) CHECK(points[i].first == static_cast<double>(i));
    auto const events = queue.events(*id);
    CHECK(std::count_if(events.begin(), events.end(), [](auto const& e) { return e.kind == Kind::update; }) == 4);
    REQUIRE(info.artifacts.size() == 3);
    CHECK(info.artifacts[1].name == "value.txt");
    Result<std::string> const bytes = read_file(info.artifacts[1].path);
    REQUIRE(bytes.ok());
    CHECK(sha256(*bytes) == info.artifacts[1].sha256);
    CHECK(*bytes == std::to_string(info.values.at("value").get<std::uint64_t>()));

    // A short job does not cost a worker: the next one runs in the same process.
    CHECK(queue->lanes().front().warm_worker == warm);
    auto const next = queue->submit(job("loop", {{"steps", 2}}));
    REQUIRE(next.ok());
    REQUIRE(queue.wait_for_end(*next));
    CHECK(queue->job(*next)->state == State::done);
}

TEST_CASE("jobs run one after the other in the order of submission") {
    RecordedQueue queue(options(scratch_directory("queue-order")));
    std::vector<std::string> ids;
    for (int i = 0; i < 6; ++i) {
        auto const id = queue->submit(job("loop", {{"steps", 5}, {"step_ms", 2}, {"seed", i}}));
        REQUIRE(id.ok());
        ids.push_back(*id);
    }
    for (std::string const& id : ids) REQUIRE(queue.wait_for_end(id));
    std::vector<JobInfo> const jobs = queue->jobs();
    REQUIRE(jobs.size() == 6);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        CHECK(jobs[i].spec.id == ids[i]);
        CHECK(jobs[i].state == State::done);
        if (i > 0) CHECK(jobs[i].started >= jobs[i - 1].ended);
    }
}

TEST_CASE("what a method says about errors, exceptions and warnings arrives whole") {
    RecordedQueue queue(options(scratch_directory("queue-errors")));
    auto const failing = queue->submit(job("fail"));
    auto const throwing = queue->submit(job("throw"));
    auto const warning = queue->submit(job("warn"));
    auto const unknown = queue->submit(job("dance"));
    auto const wrong = queue->submit(job("loop", {{"stepz", 3}}));
    REQUIRE(queue.wait_for_end(*wrong));

    JobInfo info = *queue->job(*failing);
    CHECK(info.state == State::failed);
    REQUIRE(info.error);
    CHECK(info.error->kind == ErrorKind::bad_input);
    CHECK(info.error->message() == "chain A position 63 is K, not E (1AO7.pdb). E is at 61 and 65");
    CHECK(info.error->field == "mutations");

    info = *queue->job(*throwing);
    CHECK(info.state == State::failed);
    REQUIRE(info.error);
    CHECK(info.error->kind == ErrorKind::internal);
    CHECK(info.error->chain == std::vector<std::string>{"thrown on purpose"});

    info = *queue->job(*warning);
    CHECK(info.state == State::done_with_warnings);
    REQUIRE(info.warnings.size() == 1);
    CHECK(info.warnings.front().message() == "a warning (line 3)");

    info = *queue->job(*unknown);
    CHECK(info.state == State::failed);
    CHECK(info.error->what == "the method test has no verb \"dance\"");

    info = *queue->job(*wrong);
    CHECK(info.state == State::failed);
    CHECK(info.error->field == "stepz");
}

TEST_CASE("a job that listens is cancelled by asking, and keeps its worker") {
    RecordedQueue queue(options(scratch_directory("queue-cancel")));
    auto const id = queue->submit(job("loop", {{"steps", 100000}, {"step_ms", 2}}));
    REQUIRE(id.ok());
    REQUIRE(queue.wait([&] { return !queue.points(*id, "value").empty(); }));
    pid_t const worker = queue->job(*id)->worker;
    REQUIRE(queue->cancel(*id).ok());
    REQUIRE(queue.wait_for_end(*id));
    CHECK(queue->job(*id)->state == State::cancelled);
    CHECK(queue.states(*id) == std::vector<State>{State::running, State::cancelling, State::cancelled});
    CHECK(is_alive(worker));
    CHECK(!queue.points(*id, "value").empty());  // what it had is kept
    CHECK(queue->cancel(*id).error().kind == ErrorKind::internal);
}

TEST_CASE("a job that does not listen is ended, and the next one runs in the worker started ahead") {
    RecordedQueue queue(options(scratch_directory("queue-deaf")));
    auto const id = queue->submit(job("deaf", {{"seconds", 600}}));
    auto const next = queue->submit(job("loop", {{"steps", 3}}));
    REQUIRE(queue.wait([&] { return !queue.points(*id, "heard").empty(); }));
    // While a job runs longer than a moment, the next worker warms up.
    REQUIRE(queue.wait_until_warm());
    pid_t const worker = queue->job(*id)->worker;
    pid_t const spare = queue->lanes().front().warm_worker;
    CHECK(worker != spare);
    REQUIRE(queue->cancel(*id).ok());
    REQUIRE(queue.wait_for_end(*id));
    CHECK(queue->job(*id)->state == State::cancelled);
    CHECK(contains(queue->job(*id)->log_tail, "the worker did not answer the cancellation and was ended"));
    REQUIRE(queue.wait_for_end(*next));
    CHECK(queue->job(*next)->state == State::done);
    CHECK(queue.wait([&] { return !is_alive(worker); }));
}

TEST_CASE("queued jobs are cancelled, paused and removed without a worker") {
    RecordedQueue queue(options(scratch_directory("queue-queued")));
    auto const running = queue->submit(job("wait"));
    auto const cancelled = queue->submit(job("loop"));
    auto const paused = queue->submit(job("loop", {{"steps", 4}}));
    REQUIRE(queue.wait_for_state(*running, State::running));
    REQUIRE(queue->cancel(*cancelled).ok());
    CHECK(queue->job(*cancelled)->state == State::cancelled);
    REQUIRE(queue->pause(*paused).ok());
    CHECK(queue->job(*paused)->state == State::paused);
    CHECK(!queue->remove(*running).ok());
    REQUIRE(queue->remove(*cancelled).ok());
    CHECK(!queue->job(*cancelled));
    CHECK(queue->jobs().size() == 2);
    REQUIRE(queue->cancel(*running).ok());
    REQUIRE(queue.wait_for_end(*running));
    CHECK(queue->job(*paused)->state == State::paused);
    REQUIRE(queue->resume(*paused).ok());
    REQUIRE(queue.wait_for_end(*paused));
    CHECK(queue->job(*paused)->state == State::done);
    CHECK(queue.wait(
        [&] { return !queue.events(*cancelled).empty() && queue.events(*cancelled).back().kind == Kind::removed; }));
}

TEST_CASE("a paused job resumes from its checkpoint and ends as if it had not been interrupted") {
    RecordedQueue queue(options(scratch_directory("queue-pause")));
    Json const parameters = {{"steps", 300}, {"step_ms", 1}, {"seed", 7}};
    auto const whole = queue->submit(job("loop", parameters));
    REQUIRE(queue.wait_for_end(*whole));
    auto const id = queue->submit(job("loop", parameters));
    for (double const fraction : {0.1, 0.4, 0.7}) {
        REQUIRE(queue.wait_for_progress(*id, fraction));
        REQUIRE(queue->pause(*id).ok());
        REQUIRE(queue.wait_for_state(*id, State::paused));
        CHECK(queue->job(*id)->has_checkpoint);
        CHECK(queue->job(*id)->worker == 0);
        REQUIRE(queue->resume(*id).ok());
    }
    REQUIRE(queue.wait_for_end(*id));
    JobInfo const info = *queue->job(*id), reference = *queue->job(*whole);
    CHECK(info.state == State::done);
    CHECK(info.values == reference.values);
    CHECK(queue.points(*id, "value") == queue.points(*whole, "value"));
    REQUIRE(info.artifacts.size() == reference.artifacts.size());
    for (std::size_t i = 0; i < info.artifacts.size(); ++i)
        CHECK(info.artifacts[i].sha256 == reference.artifacts[i].sha256);
    CHECK(contains(info.log_tail, "resumed at step"));
    CHECK(!info.has_checkpoint);
}

TEST_CASE("a cancelled job goes on from the checkpoint it kept, and without one says so") {
    RecordedQueue queue(options(scratch_directory("queue-cancel-resume")));
    Json const parameters = {{"steps", 300}, {"step_ms", 1}, {"seed", 7}};
    auto const whole = queue->submit(job("loop", parameters));
    REQUIRE(queue.wait_for_end(*whole));
    auto const id = queue->submit(job("loop", parameters));
    REQUIRE(queue.wait_for_progress(*id, 0.5));
    REQUIRE(queue->cancel(*id).ok());
    REQUIRE(queue.wait_for_end(*id));
    REQUIRE(queue->job(*id)->state == State::cancelled);
    CHECK(queue->job(*id)->has_checkpoint);
    REQUIRE(queue->resume(*id).ok());
    REQUIRE(queue.wait([&] { return queue->job(*id)->state == State::done; }));
    JobInfo const info = *queue->job(*id), reference = *queue->job(*whole);
    CHECK(info.values == reference.values);
    REQUIRE(info.artifacts.size() == reference.artifacts.size());
    for (std::size_t i = 0; i < info.artifacts.size(); ++i)
        CHECK(info.artifacts[i].sha256 == reference.artifacts[i].sha256);
    CHECK(contains(info.log_tail, "resumed at step"));

    auto const without = queue->submit(job("wait"));
    REQUIRE(queue.wait_for_state(*without, State::running));
    REQUIRE(queue->cancel(*without).ok());
    REQUIRE(queue.wait_for_end(*without));
    Result<void> const resumed = queue->resume(*without);
    REQUIRE(!resumed.ok());
    CHECK(resumed.error().message() ==
          "the cancelled job kept no checkpoint to go on from (Test wait). Run it again from the start");
}

TEST_CASE("before the window ends, what can be paused is paused, and nothing starts") {
    QueueOptions given = options(scratch_directory("queue-pause-all"));
    given.gpu_lane = true;
    given.resumable = [](JobSpec const& spec) { return spec.verb == "loop"; };
    RecordedQueue queue(std::move(given));
    auto const running = queue->submit(job("loop", {{"steps", 100000}, {"step_ms", 2}}));
    auto const waiting = queue->submit(job("loop", {{"steps", 3}}));
    REQUIRE(queue.wait([&] { return !queue.points(*running, "value").empty(); }));
    CHECK(queue->pause_all(std::chrono::seconds(30)));
    CHECK(queue->job(*running)->state == State::paused);
    CHECK(queue->job(*running)->has_checkpoint);
    CHECK(queue->job(*waiting)->state == State::queued);
}

TEST_CASE("a verb without checkpoints cannot be paused, and says so") {
    QueueOptions given = options(scratch_directory("queue-no-pause"));
    given.resumable = [](JobSpec const& spec) { return spec.verb == "loop"; };
    RecordedQueue queue(std::move(given));
    auto const id = queue->submit(job("wait"));
    REQUIRE(queue.wait_for_state(*id, State::running));
    Result<void> const paused = queue->pause(*id);
    REQUIRE(!paused.ok());
    CHECK(paused.error().message() ==
          "the job cannot be paused: test wait keeps no checkpoint (Test wait). Cancel it; what it has so far is kept");
    CHECK(queue->job(*id)->state == State::running);
    REQUIRE(queue->cancel(*id).ok());
    REQUIRE(queue.wait_for_end(*id));
}

TEST_CASE("a crash is a failed job with its log, and the queue goes on") {
    RecordedQueue queue(options(scratch_directory("queue-crash")));
    auto const id = queue->submit(job("crash"));
    auto const next = queue->submit(job("loop", {{"steps", 3}}));
    REQUIRE(queue.wait_for_end(*next));
    JobInfo const info = *queue->job(*id);
    CHECK(info.state == State::failed);
    REQUIRE(info.error);
    CHECK(info.error->what == "the worker ended by signal 11 (segmentation fault)");
    CHECK(contains(info.log_tail, "about to crash"));
    CHECK(contains(info.log_tail, "last words on standard error"));
    CHECK(contains(info.error->chain, "last words on standard error"));
    CHECK(info.peak_memory > 0);
    CHECK(queue->job(*next)->state == State::done);
}

TEST_CASE("kill -9 of the worker in the middle of a job fails that job alone") {
    RecordedQueue queue(options(scratch_directory("queue-kill")));
    auto const id = queue->submit(job("loop", {{"steps", 100000}, {"step_ms", 2}}));
    auto const next = queue->submit(job("loop", {{"steps", 3}}));
    REQUIRE(queue.wait([&] { return queue.points(*id, "value").size() > 20; }));
    REQUIRE(::kill(queue->job(*id)->worker, SIGKILL) == 0);
    REQUIRE(queue.wait_for_end(*next));
    JobInfo const info = *queue->job(*id);
    CHECK(info.state == State::failed);
    REQUIRE(info.error);
    CHECK(info.error->what == "the worker ended by signal 9 (killed: out of memory or by hand)");
    CHECK(contains(info.log_tail, "the worker ended by signal 9"));
    CHECK(queue.points(*id, "value").size() > 20);
    CHECK(queue->job(*next)->state == State::done);
    auto const again = queue->run_again(*id);
    REQUIRE(again.ok());
    CHECK(*again != *id);
    REQUIRE(queue.wait_for_state(*again, State::running));
    REQUIRE(queue->cancel(*again).ok());
    REQUIRE(queue.wait_for_end(*again));
}

TEST_CASE("a warm worker that is killed while idle is replaced") {
    RecordedQueue queue(options(scratch_directory("queue-idle")));
    REQUIRE(queue.wait_until_warm());
    pid_t const first = queue->lanes().front().warm_worker;
    REQUIRE(::kill(first, SIGKILL) == 0);
    REQUIRE(queue.wait([&] { return queue->lanes().front().warm && queue->lanes().front().warm_worker != first; }));
    auto const id = queue->submit(job("loop", {{"steps", 3}}));
    REQUIRE(queue.wait_for_end(*id));
    CHECK(queue->job(*id)->state == State::done);
}

TEST_CASE("what a library prints goes to the log, not into the protocol") {
    RecordedQueue queue(options(scratch_directory("queue-print")));
    auto const id = queue->submit(job("print"));
    REQUIRE(queue.wait_for_end(*id));
    JobInfo const info = *queue->job(*id);
    CHECK(info.state == State::done);
    CHECK(info.values.at("input_is_empty") == true);
    CHECK(contains(info.log_tail, "this is not JSON"));
    CHECK(contains(info.log_tail, "\"forged\""));
    CHECK(contains(info.log_tail, "and this on standard error"));
}

TEST_CASE("peak memory is that of the job, not of the worker's past") {
    RecordedQueue queue(options(scratch_directory("queue-memory")));
    auto const large = queue->submit(job("eat", {{"megabytes", 150}}));
    auto const small = queue->submit(job("loop", {{"steps", 2}}));
    REQUIRE(queue.wait_for_end(*small));
    CHECK(queue->job(*large)->peak_memory > 150'000'000);
#ifdef __SANITIZE_ADDRESS__
    std::printf("skipped: the address sanitizer keeps freed memory, so the second job's peak says nothing\n");
#else
    CHECK(queue->job(*small)->peak_memory < 100'000'000);
#endif
}

TEST_CASE("a worker that is not there, or ends at once, is told as that") {
    fs::path const folder = scratch_directory("queue-absent");
    QueueOptions given = options(folder);
    given.worker_command = {(folder / "no-such-worker").string(), "worker"};
    {
        RecordedQueue queue(given);
        auto const id = queue->submit(job("loop"));
        REQUIRE(queue.wait_for_end(*id));
        JobInfo const info = *queue->job(*id);
        CHECK(info.state == State::failed);
        CHECK(info.error->kind == ErrorKind::unavailable);
        CHECK(info.error->message() == "the program " + given.worker_command[0] +
                                           " cannot be started (No such file or directory). Check that it is "
                                           "installed and may be run");
        CHECK(queue->lanes().front().problem);
    }
    {
        ::setenv("ORRERY_TEST_WORKER_ENDS", "127", 1);
        RecordedQueue queue(options(folder));
        auto const id = queue->submit(job("loop"));
        REQUIRE(queue.wait_for_end(*id));
        JobInfo const info = *queue->job(*id);
        ::unsetenv("ORRERY_TEST_WORKER_ENDS");
        CHECK(info.state == State::failed);
        CHECK(
            info.error->what.find("the worker ended with exit code 127 (a library or the program itself was not found) "
                                  "before it was ready") == 0);
        CHECK(contains(info.error->chain, "cannot load libexample.so"));
        // Once the cause is gone the next job runs.
        auto const next = queue->submit(job("loop", {{"steps", 2}}));
        REQUIRE(queue.wait_for_end(*next));
        CHECK(queue->job(*next)->state == State::done);
    }
}

TEST_CASE("a program that speaks no protocol does not bring the queue down") {
    QueueOptions given = options(scratch_directory("queue-babble"));
    given.worker_command = {"/bin/sh", "-c",
                            "echo hello; echo '{\"v\":1,\"type\":\"series\"}'; read line; echo '{'; exit 5"};
    RecordedQueue queue(std::move(given));
    auto const id = queue->submit(job("loop"));
    REQUIRE(queue.wait_for_end(*id));
    JobInfo const info = *queue->job(*id);
    CHECK(info.state == State::failed);
    CHECK(info.error->what == "the worker ended with exit code 5 before it was ready");
    CHECK(contains(info.log_tail, "is not JSON (hello)"));
    CHECK(contains(info.log_tail, "lacks \"name\""));
}

TEST_CASE("a job that needs more memory than there is, is refused unless forced") {
    RecordedQueue queue(options(scratch_directory("queue-estimate")));
    JobSpec spec = job("loop", {{"steps", 2}});
    spec.memory_estimate = std::uint64_t{1} << 60;
    auto const refused = queue->submit(spec);
    REQUIRE(!refused.ok());
    CHECK(refused.error().kind == ErrorKind::unavailable);
    CHECK(refused.error().what.find("the job needs about ") == 0);
    CHECK(refused.error().what.find(" are free") != std::string::npos);
    CHECK(queue->jobs().empty());

    // Behind another job it is looked at when its turn comes.
    auto const first = queue->submit(job("wait"));
    auto const waiting = queue->submit(spec);
    REQUIRE(waiting.ok());
    REQUIRE(queue.wait_for_state(*first, State::running));
    REQUIRE(queue->cancel(*first).ok());
    REQUIRE(queue.wait_for_end(*waiting));
    CHECK(queue->job(*waiting)->state == State::failed);
    CHECK(queue->job(*waiting)->error->kind == ErrorKind::unavailable);

    auto const forced = queue->run_again(*waiting, true);
    REQUIRE(forced.ok());
    REQUIRE(queue.wait_for_end(*forced));
    CHECK(queue->job(*forced)->state == State::done);
}

TEST_CASE("what may not follow is refused") {
    RecordedQueue queue(options(scratch_directory("queue-illegal")));
    auto const id = queue->submit(job("loop", {{"steps", 2}}));
    REQUIRE(queue.wait_for_end(*id));
    for (Result<void> const& result : {queue->pause(*id), queue->cancel(*id), queue->resume(*id)}) {
        REQUIRE(!result.ok());
        CHECK(result.error().kind == ErrorKind::internal);
    }
    CHECK(queue->resume(*id).error().what == "a job that is done cannot become queued");
    CHECK(queue->pause(*id).error().what == "a job that is done cannot become pausing");
    JobSpec same = job("loop");
    same.id = *id;
    CHECK(!queue->submit(same).ok());
    same.id = "../outside";
    CHECK(!queue->submit(same).ok());
    CHECK(queue->cancel("nobody").error().kind == ErrorKind::bad_input);
    JobSpec gpu = job("loop");
    gpu.lane = Lane::gpu;
    CHECK(queue->submit(gpu).error().message() == "there is no GPU to run the job on (Test loop). Run it on the CPU");
    auto const running = queue->submit(job("wait"));
    REQUIRE(queue.wait_for_state(*running, State::running));
    CHECK(!queue->resume(*running).ok());
    CHECK(!queue->run_again(*running).ok());
}

TEST_CASE("the GPU lane runs beside the CPU lane") {
    QueueOptions given = options(scratch_directory("queue-gpu"));
    given.gpu_lane = true;
    RecordedQueue queue(std::move(given));
    auto const cpu = queue->submit(job("wait"));
    JobSpec spec = job("loop", {{"steps", 3}});
    spec.lane = Lane::gpu;
    auto const gpu = queue->submit(spec);
    REQUIRE(gpu.ok());
    REQUIRE(queue.wait_for_end(*gpu));
    CHECK(queue->job(*gpu)->state == State::done);
    REQUIRE(queue.wait_for_state(*cpu, State::running));
    CHECK(queue->lanes().size() == 2);
}

TEST_CASE("cancelling at random times always frees the lane") {
    RecordedQueue queue(options(scratch_directory("queue-random")));
    std::mt19937 random(11);
    for (int round = 0; round < 25; ++round) {
        char const* verbs[] = {"loop", "wait", "deaf"};
        auto const id = queue->submit(job(verbs[random() % 3]));
        REQUIRE(id.ok());
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 30'000));
        if (random() % 4 == 0) (void)queue->pause(*id);
        Result<void> const cancelled = queue->cancel(*id);  // it may have ended before
        REQUIRE(queue.wait([&] {
            State const state = queue->job(*id)->state;
            return is_final(state);
        }));
        if (cancelled.ok()) {
            State const state = queue->job(*id)->state;
            CHECK((state == State::cancelled || state == State::done));
        }
    }
    auto const last = queue->submit(job("loop", {{"steps", 3}}));
    REQUIRE(queue.wait_for_end(*last));
    CHECK(queue->job(*last)->state == State::done);
}

TEST_CASE("the queue ends while jobs run, and leaves no process behind") {
    pid_t busy = 0, spare = 0;
    {
        RecordedQueue queue(options(scratch_directory("queue-end")));
        auto const id = queue->submit(job("deaf", {{"seconds", 600}}));
        REQUIRE(queue.wait([&] { return !queue.points(*id, "heard").empty(); }));
        REQUIRE(queue.wait_until_warm());
        busy = queue->job(*id)->worker;
        spare = queue->lanes().front().warm_worker;
    }
    CHECK(!is_alive(busy));
    CHECK(!is_alive(spare));
}

TEST_CASE("descriptions of how a process ended") {
    CHECK(describe_exit(0) == "exit code 0");
    CHECK(describe_exit(3 << 8) == "exit code 3");
    CHECK(describe_exit(SIGKILL) == "signal 9 (killed: out of memory or by hand)");
    CHECK(available_memory() > 0);
    CHECK(process_resident_memory() > 0);
    CHECK(process_peak_memory() >= process_resident_memory());
    CHECK(!spawn({}).ok());
    CHECK(spawn({"/"}).error().kind == ErrorKind::unavailable);
}
