// orrery-cli as a process of its own: a worker driven over its pipes, and one command with its exit code.
#pragma once

#include "core/base/process.h"
#include "core/base/protocol.h"
#include "tests/catch.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace orrery::tests {

inline std::string command_line_program() {
    char const* program = std::getenv("ORRERY_CLI");
    REQUIRE(program != nullptr);
    return program;
}

class Worker {
public:
    Worker() {
        Result<ChildProcess> child = spawn({command_line_program(), "worker"});
        REQUIRE(child.ok());
        m_child = *child;
    }
    ~Worker() {
        ::kill(m_child.pid, SIGKILL);
        ::waitpid(m_child.pid, nullptr, 0);
        for (int const file : {m_child.input, m_child.output, m_child.errors, m_child.watch})
            if (file >= 0) ::close(file);
    }
    Worker(Worker const&) = delete;
    Worker& operator=(Worker const&) = delete;
    void send(protocol::Command const& command) {
        std::string const text = protocol::to_line(command);
        REQUIRE(::write(m_child.input, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    }
    protocol::Message next() {
        for (;;) {
            protocol::LineReader::Line line;
            if (m_lines.next(line)) {
                Result<protocol::Message> message = protocol::parse_message(line.text);
                if (!message) FAIL(message.error().message());
                return std::move(message).value();
            }
            pollfd file{m_child.output, POLLIN, 0};
            REQUIRE(::poll(&file, 1, 60'000) == 1);
            char bytes[65536];
            ssize_t const count = ::read(m_child.output, bytes, sizeof bytes);
            REQUIRE(count > 0);
            m_lines.feed({bytes, static_cast<std::size_t>(count)});
        }
    }

private:
    ChildProcess m_child;
    protocol::LineReader m_lines;
};

struct Said {
    int code = -1;
    std::string text;  // of both streams
};

inline Said say(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), command_line_program());
    Result<ChildProcess> child = spawn(arguments);
    REQUIRE(child.ok());
    ::close(child->input);
    Said said;
    pollfd files[2] = {{child->output, POLLIN, 0}, {child->errors, POLLIN, 0}};
    while (files[0].fd >= 0 || files[1].fd >= 0) {
        REQUIRE(::poll(files, 2, 60'000) > 0);
        for (pollfd& file : files) {
            if (file.fd < 0 || file.revents == 0) continue;
            char bytes[4096];
            ssize_t const count = ::read(file.fd, bytes, sizeof bytes);
            if (count > 0) said.text.append(bytes, static_cast<std::size_t>(count));
            if (count == 0) file.fd = -1;
        }
    }
    int status = 0;
    ::waitpid(child->pid, &status, 0);
    if (WIFEXITED(status)) said.code = WEXITSTATUS(status);
    for (int const file : {child->output, child->errors, child->watch})
        if (file >= 0) ::close(file);
    return said;
}

}  // namespace orrery::tests
