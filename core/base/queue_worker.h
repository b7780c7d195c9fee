// One worker process as the queue's thread sees it: pipes, lines, end. For core/base/queue*.cpp alone.
#pragma once

#include "core/base/process.h"
#include "core/base/protocol.h"

#include <poll.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace orrery {

class WorkerProcess {
public:
    using Clock = std::chrono::steady_clock;

    static Result<std::unique_ptr<WorkerProcess>> start(std::vector<std::string> const& command);
    ~WorkerProcess();  // kills and reaps
    WorkerProcess(WorkerProcess const&) = delete;
    WorkerProcess& operator=(WorkerProcess const&) = delete;

    [[nodiscard]] pid_t pid() const { return m_process.pid; }
    void send(protocol::Command const& command);  // never waits: what the pipe does not take is kept
    void close_input();                           // the worker ends itself
    void kill();                                  // and every process it started in its group

    void add_to_poll(std::vector<pollfd>& list) const;
    [[nodiscard]] bool can_be_watched() const { return m_process.watch >= 0; }
    // Writes what is kept and reads what is there, up to some 256 kB a call. Bad lines come as errors.
    struct Output {
        std::vector<Result<protocol::Message>> messages;
        std::vector<std::string> error_lines;
    };
    void exchange(Output& output);
    void drain(Output& output);  // after the end: all that is left, also a last line without line feed
    // The wait status once the process has ended.
    [[nodiscard]] std::optional<int> ended();
    [[nodiscard]] std::uint64_t peak_memory() const { return m_peak_memory; }  // bytes, after the end

    bool ready = false;
    bool used = false;  // has run a job
    protocol::Ready facts;
    std::vector<std::string> early_lines;  // standard error before its first job
    std::optional<Clock::time_point> kill_at;

private:
    explicit WorkerProcess(ChildProcess process) : m_process(process) {}
    void write_some();
    [[nodiscard]] static bool read_some(int& file, protocol::LineReader& lines);  // false: nothing more now
    void collect(Output& output);

    ChildProcess m_process;
    protocol::LineReader m_output, m_errors{std::size_t{1} << 16};
    std::string m_unsent;
    std::optional<int> m_status;
    std::uint64_t m_peak_memory = 0;
};

}  // namespace orrery
