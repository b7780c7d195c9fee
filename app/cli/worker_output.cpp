#include "app/cli/worker_output.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <variant>

namespace orrery {

namespace {

constexpr std::chrono::milliseconds flush_interval{16};
constexpr std::size_t pending_limit = std::size_t{32} << 20;
constexpr std::size_t message_bytes = 256;  // a guess for what is not counted exactly
constexpr std::size_t point_bytes = 16;

bool is_barrier(protocol::Message const& message) {
    return std::holds_alternative<protocol::CheckpointWritten>(message) ||
           std::holds_alternative<protocol::Finished>(message) || std::holds_alternative<protocol::Failed>(message) ||
           std::holds_alternative<protocol::Cancelled>(message) || std::holds_alternative<protocol::Paused>(message);
}

}  // namespace

WorkerOutput::WorkerOutput(int descriptor) : m_descriptor(descriptor), m_thread([this] { write_loop(); }) {}

WorkerOutput::~WorkerOutput() {
    {
        std::lock_guard const lock(m_mutex);
        m_ending = true;
    }
    m_changed.notify_one();
    m_thread.join();
    ::close(m_descriptor);
}

void WorkerOutput::wait_for_room(std::unique_lock<std::mutex>& lock) {
    m_written.wait(lock, [this] { return m_pending_bytes < pending_limit; });
}

void WorkerOutput::send(protocol::Message message, When when) {
    std::size_t bytes = message_bytes;
    if (auto const* update = std::get_if<protocol::Update>(&message)) bytes += update->value.size() * point_bytes;
    if (auto const* line = std::get_if<protocol::LogLine>(&message)) bytes += line->text.size();
    std::unique_lock lock(m_mutex);
    wait_for_room(lock);
    if (is_barrier(message)) m_open_series.clear();
    bool const wake = m_pending.empty() || (when == When::at_once && !m_urgent);
    m_pending.push_back(std::move(message));
    m_pending_bytes += bytes;
    m_urgent = m_urgent || when == When::at_once;
    lock.unlock();
    if (wake) m_changed.notify_one();
}

void WorkerOutput::send_point(std::string_view name, double x, double y) {
    std::unique_lock lock(m_mutex);
    wait_for_room(lock);
    bool const wake = m_pending.empty();
    auto open = m_open_series.find(name);
    if (open == m_open_series.end()) {
        open = m_open_series.emplace(name, m_pending.size()).first;
        m_pending.emplace_back(protocol::SeriesPoints{std::string(name), {}, {}});
        m_pending_bytes += message_bytes;
    }
    auto& points = std::get<protocol::SeriesPoints>(m_pending[open->second]);
    points.x.push_back(x);
    points.y.push_back(y);
    m_pending_bytes += point_bytes;
    lock.unlock();
    if (wake) m_changed.notify_one();
}

void WorkerOutput::flush() {
    std::unique_lock lock(m_mutex);
    m_urgent = true;
    m_changed.notify_one();
    m_written.wait(lock, [this] { return m_pending.empty() && !m_writing; });
}

void WorkerOutput::write_loop() {
    Clock::time_point last{};
    std::unique_lock lock(m_mutex);
    while (true) {
        m_changed.wait(lock, [this] { return !m_pending.empty() || m_ending; });
        if (m_pending.empty()) return;
        // A quiet pipe is written at once; a busy one waits for the rest of the interval.
        m_changed.wait_until(lock, last + flush_interval, [this] { return m_urgent || m_ending; });
        std::vector<protocol::Message> batch = std::move(m_pending);
        m_pending.clear();
        m_open_series.clear();
        m_pending_bytes = 0;
        m_urgent = false;
        m_writing = true;
        lock.unlock();
        std::string text;
        for (protocol::Message const& message : batch) text += protocol::to_line(message);
        write_all(text);
        last = Clock::now();
        lock.lock();
        m_writing = false;
        m_written.notify_all();
    }
}

void WorkerOutput::write_all(std::string_view text) {
    while (!text.empty()) {
        ssize_t const count = ::write(m_descriptor, text.data(), text.size());
        if (count > 0)
            text.remove_prefix(static_cast<std::size_t>(count));
        else if (errno != EINTR)
            std::_Exit(3);  // EPIPE: nobody is there to work for
    }
}

}  // namespace orrery
