// The worker's side of its output pipe: messages are handed in by the job's threads and written by a thread of its own,
// batched: at most every 16 ms unless one is urgent. A method that reports a million points a second costs the window
// sixty reads a second.
#pragma once

#include "core/base/protocol.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace orrery {

class WorkerOutput {
public:
    // Takes the descriptor over. When nobody reads any more the process ends: its window is gone.
    explicit WorkerOutput(int descriptor);
    ~WorkerOutput();  // writes what is pending
    WorkerOutput(WorkerOutput const&) = delete;
    WorkerOutput& operator=(WorkerOutput const&) = delete;

    enum class When { batched, at_once };
    // Waits while more than 32 MB is pending, i.e. while nobody reads.
    void send(protocol::Message message, When when = When::batched);
    // Points of one name are gathered into one message until a checkpoint or an ending, which must not be overtaken.
    void send_point(std::string_view name, double x, double y);
    void flush();  // returns when all handed in before is written

private:
    using Clock = std::chrono::steady_clock;
    void write_loop();
    void write_all(std::string_view text);
    void wait_for_room(std::unique_lock<std::mutex>& lock);

    int m_descriptor;
    std::mutex m_mutex;
    std::condition_variable m_changed, m_written;
    std::vector<protocol::Message> m_pending;
    std::map<std::string, std::size_t, std::less<>> m_open_series;  // name -> index in m_pending
    std::size_t m_pending_bytes = 0;
    bool m_urgent = false, m_writing = false, m_ending = false;
    std::thread m_thread;
};

}  // namespace orrery
