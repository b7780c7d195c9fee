#include "tests/cli/run_program.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <stdexcept>

namespace orrery::tests {

namespace {

struct Pipe {
    int read_end = -1, write_end = -1;
};

Pipe open_pipe() {
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
    return {ends[0], ends[1]};
}

Pipe open_terminal() {
    int const master = ::posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || ::grantpt(master) != 0 || ::unlockpt(master) != 0) throw std::runtime_error("no pseudo-terminal");
    int const slave = ::open(::ptsname(master), O_RDWR | O_NOCTTY);
    winsize size{};
    size.ws_col = 80;
    size.ws_row = 24;
    ::ioctl(slave, TIOCSWINSZ, &size);
    return {master, slave};
}

[[noreturn]] void become(std::string const& program, std::vector<std::string> const& arguments,
                         RunOptions const& options, Pipe output, Pipe errors) {
    ::dup2(output.write_end, STDOUT_FILENO);
    ::dup2(errors.write_end, STDERR_FILENO);
    for (int end : {output.read_end, output.write_end, errors.read_end, errors.write_end}) ::close(end);
    int const nothing = ::open("/dev/null", O_RDONLY);
    ::dup2(nothing, STDIN_FILENO);
    if (!options.folder.empty() && ::chdir(options.folder.c_str()) != 0) ::_exit(99);
    std::vector<char*> words{const_cast<char*>(program.c_str())};
    for (std::string const& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    ::execv(program.c_str(), words.data());
    ::_exit(98);
}

// Reads both until both are closed; sends the signal once when its text has come.
void read_both(int output, int errors, Ran& ran, pid_t child, RunOptions const& options) {
    bool sent = options.signal == 0;
    std::array<pollfd, 2> polled{{{output, POLLIN, 0}, {errors, POLLIN, 0}}};
    std::array<std::string*, 2> const texts{&ran.output, &ran.errors};
    while (polled[0].fd >= 0 || polled[1].fd >= 0) {
        if (::poll(polled.data(), polled.size(), -1) < 0 && errno != EINTR) throw std::runtime_error("poll failed");
        for (std::size_t i = 0; i < polled.size(); ++i) {
            if (polled[i].fd < 0 || polled[i].revents == 0) continue;
            char block[4096];
            ssize_t const count = ::read(polled[i].fd, block, sizeof block);
            if (count > 0)
                texts[i]->append(block, static_cast<std::size_t>(count));
            else
                polled[i].fd = -1;  // a closed pseudo-terminal gives an error
        }
        if (!sent && (ran.output + ran.errors).find(options.signal_when) != std::string::npos) {
            ::kill(child, options.signal);
            sent = true;
        }
    }
}

}  // namespace

Ran run_program(std::string const& program, std::vector<std::string> const& arguments, RunOptions const& options) {
    Pipe const output = open_pipe();
    Pipe const errors = options.terminal ? open_terminal() : open_pipe();
    pid_t const child = ::fork();
    if (child < 0) throw std::runtime_error("no process");
    if (child == 0) become(program, arguments, options, output, errors);
    ::close(output.write_end);
    ::close(errors.write_end);
    Ran ran;
    read_both(output.read_end, errors.read_end, ran, child, options);
    ::close(output.read_end);
    ::close(errors.read_end);
    int status = 0;
    ::waitpid(child, &status, 0);
    ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return ran;
}

}  // namespace orrery::tests
