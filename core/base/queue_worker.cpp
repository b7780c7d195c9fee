#include "core/base/queue_worker.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

namespace orrery {

namespace {

constexpr int reads_a_call = 4;

void close_file(int& file) {
    if (file >= 0) ::close(file);
    file = -1;
}

}  // namespace

Result<std::unique_ptr<WorkerProcess>> WorkerProcess::start(std::vector<std::string> const& command) {
    ORRERY_TRY(ChildProcess const process, spawn(command));
    return std::unique_ptr<WorkerProcess>(new WorkerProcess(process));
}

WorkerProcess::~WorkerProcess() {
    if (!m_status) {
        kill();
        ::waitpid(m_process.pid, nullptr, 0);
    }
    close_file(m_process.input);
    close_file(m_process.output);
    close_file(m_process.errors);
    close_file(m_process.watch);
}

void WorkerProcess::send(protocol::Command const& command) {
    m_unsent += protocol::to_line(command);
    write_some();
}

void WorkerProcess::write_some() {
    while (!m_unsent.empty() && m_process.input >= 0) {
        ssize_t const count = ::write(m_process.input, m_unsent.data(), m_unsent.size());
        if (count > 0)
            m_unsent.erase(0, static_cast<std::size_t>(count));
        else if (errno == EAGAIN)
            return;
        else if (errno != EINTR)
            close_file(m_process.input);  // it has ended; ended() tells how
    }
}

void WorkerProcess::close_input() { close_file(m_process.input); }

void WorkerProcess::kill() {
    if (m_status) return;
    ::kill(-m_process.pid, SIGKILL);
    ::kill(m_process.pid, SIGKILL);  // before it was moved to its group
}

void WorkerProcess::add_to_poll(std::vector<pollfd>& list) const {
    if (m_process.output >= 0) list.push_back({m_process.output, POLLIN, 0});
    if (m_process.errors >= 0) list.push_back({m_process.errors, POLLIN, 0});
    if (m_process.watch >= 0 && !m_status) list.push_back({m_process.watch, POLLIN, 0});
    if (m_process.input >= 0 && !m_unsent.empty()) list.push_back({m_process.input, POLLOUT, 0});
}

bool WorkerProcess::read_some(int& file, protocol::LineReader& lines) {
    if (file < 0) return false;
    std::array<char, 65536> bytes;
    ssize_t const count = ::read(file, bytes.data(), bytes.size());
    if (count > 0) {
        lines.feed({bytes.data(), static_cast<std::size_t>(count)});
        return true;
    }
    if (count < 0 && errno == EINTR) return true;
    if (count == 0 || errno != EAGAIN) close_file(file);
    return false;
}

void WorkerProcess::collect(Output& output) {
    protocol::LineReader::Line line;
    while (m_output.next(line)) {
        if (line.text.empty()) continue;
        if (line.too_long)
            output.messages.emplace_back(
                internal_error("a line of the job protocol is longer than 64 MB", line.text.substr(0, 80)));
        else
            output.messages.push_back(protocol::parse_message(line.text));
    }
    while (m_errors.next(line)) output.error_lines.push_back(std::move(line.text));
}

void WorkerProcess::exchange(Output& output) {
    write_some();
    for (int i = 0; i < reads_a_call && read_some(m_process.output, m_output); ++i) {
    }
    for (int i = 0; i < reads_a_call && read_some(m_process.errors, m_errors); ++i) {
    }
    collect(output);
}

void WorkerProcess::drain(Output& output) {
    while (read_some(m_process.output, m_output)) {
    }
    while (read_some(m_process.errors, m_errors)) {
    }
    collect(output);
    std::string rest = m_errors.remainder();
    if (!rest.empty()) output.error_lines.push_back(std::move(rest));
    // A message without its line feed was cut off in the middle: the process died while it wrote.
    (void)m_output.remainder();
}

std::optional<int> WorkerProcess::ended() {
    if (m_status) return m_status;
    // Looks without reaping first: until then the group's number can't be another's, and what the worker left behind in
    // it goes too.
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(m_process.pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0)
        return std::nullopt;
    ::kill(-m_process.pid, SIGKILL);
    int status = 0;
    rusage usage{};
    if (::wait4(m_process.pid, &status, 0, &usage) != m_process.pid) return std::nullopt;
    m_status = status;
    m_peak_memory = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    return m_status;
}

}  // namespace orrery
