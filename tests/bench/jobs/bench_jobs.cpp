// How long a person waits for a job: bench_jobs [rounds]
// Baseline, in the same run: a process started for each job, as programs without warm workers do.
#include "core/base/process.h"
#include "tests/base/job_harness.h"
#include "tests/bench/jobs/bench.h"

#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <thread>

using namespace orrery;
using namespace orrery::bench;
using orrery::tests::job;
namespace fs = std::filesystem;

namespace {

// Waits on the queue's own events, so that nothing of the measurement sleeps.
class Watched {
public:
    explicit Watched(QueueOptions options)
        : m_queue(std::move(options), [this](JobEvent const& event) {
              std::lock_guard const lock(m_mutex);
              m_events.push_back(event);
              m_changed.notify_all();
          }) {}
    Queue* operator->() { return &m_queue; }
    template <class Test>
    void wait(Test const& is_it) {
        std::unique_lock lock(m_mutex);
        std::size_t seen = 0;
        m_changed.wait(lock, [&] {
            for (; seen < m_events.size(); ++seen)
                if (is_it(m_events[seen])) return true;
            return false;
        });
        m_events.clear();
    }
    void wait_until_warm() {
        while (!m_queue.lanes().front().warm) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    void wait_first_progress(std::string const& id) {
        wait([&](JobEvent const& event) { return event.job == id && event.kind == JobEvent::Kind::progress; });
    }
    void wait_end(std::string const& id) {
        wait([&](JobEvent const& event) {
            return event.job == id && event.kind == JobEvent::Kind::state && is_final(event.state);
        });
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<JobEvent> m_events;
    Queue m_queue;
};

QueueOptions options(std::vector<std::string> command, fs::path const& folder) {
    QueueOptions options;
    options.worker_command = std::move(command);
    options.blob_root = folder;
    return options;
}

Times warm_start(int rounds, fs::path const& folder, bool cold) {
    Times times;
    Watched queue(options({ORRERY_TEST_WORKER}, folder));
    for (int i = 0; i < rounds; ++i) {
        queue.wait_until_warm();
        auto const start = Clock::now();
        if (cold) {
            Watched fresh(options({ORRERY_TEST_WORKER}, folder));
            auto const id = fresh->submit(job("loop", {{"steps", 2}}));
            fresh.wait_first_progress(*id);
            times.values.push_back(milliseconds_since(start));
            continue;
        }
        auto const id = queue->submit(job("loop", {{"steps", 2}}));
        queue.wait_first_progress(*id);
        times.values.push_back(milliseconds_since(start));
        while (!is_final(queue->job(*id)->state)) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return times;
}

// From cancel() to the first progress of the next job: the lane is free and works.
struct CancelTimes {
    Times ended, next;
};
CancelTimes cancel(int rounds, fs::path const& folder, char const* verb) {
    CancelTimes times;
    Watched queue(options({ORRERY_TEST_WORKER}, folder));
    for (int i = 0; i < rounds; ++i) {
        auto const id = queue->submit(job(verb));
        auto const next = queue->submit(job("loop", {{"steps", 2}}));
        queue.wait_first_progress(*id);
        queue.wait_until_warm();  // the spare one
        auto const start = Clock::now();
        (void)queue->cancel(*id);
        queue.wait_end(*id);
        times.ended.values.push_back(milliseconds_since(start));
        queue.wait_first_progress(*next);
        times.next.values.push_back(milliseconds_since(start));
        while (!is_final(queue->job(*next)->state)) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return times;
}

// The product's worker: how long LibTorch takes to be warm, and how soon it answers a job then.
void product_worker(fs::path const& folder, std::string const& program) {
    if (!fs::exists(program)) {
        std::printf("skipped: %s is not built\n", program.c_str());
        return;
    }
    Times warm, answer;
    for (int i = 0; i < 5; ++i) {
        auto const start = Clock::now();
        Watched queue(options({program, "worker"}, folder));
        queue.wait_until_warm();
        warm.values.push_back(milliseconds_since(start));
        for (int k = 0; k < 10; ++k) {
            auto const begin = Clock::now();
            auto const id = queue->submit(job("verify"));
            queue.wait_end(*id);
            answer.values.push_back(milliseconds_since(begin));
        }
    }
    report("orrery-cli worker: start to warm (LibTorch)", warm, 2000);
    report("orrery-cli worker, warm: submit to answer", answer, 50);
}

}  // namespace

int main(int argc, char** argv) {
    int const rounds = argc > 1 ? std::atoi(argv[1]) : 50;
    fs::path const folder = fs::temp_directory_path() / ("orrery-bench-jobs-" + std::to_string(::getpid()));
    Times const cold = warm_start(rounds, folder, true);
    report("baseline: a process for each job, to first progress", cold, 1000);
    Times const warm = warm_start(rounds, folder, false);
    report("submit to first progress, warm worker", warm, 50);
    std::printf("%-52s %.1f x\n", "  the baseline takes", cold.median() / warm.median());
    CancelTimes const cooperative = cancel(rounds, folder, "wait");
    report("cancel of a job that listens, to its end", cooperative.ended, 200);
    report("  to the first progress of the next job", cooperative.next, 200);
    CancelTimes const deaf = cancel(rounds, folder, "deaf");
    report("cancel of a deaf job, to its end", deaf.ended, 200);
    report("  to the first progress of the next job", deaf.next, 200);
    product_worker(folder, argc > 2 ? argv[2] : ORRERY_CLI);
    fs::remove_all(folder);
    bool const kept = warm.median() <= 50 && cooperative.ended.maximum() <= 200 && deaf.ended.maximum() <= 200;
    return kept ? 0 : 1;
}
