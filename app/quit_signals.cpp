#include "app/quit_signals.h"

#include <fcntl.h>
#include <unistd.h>

#include <QSocketNotifier>
#include <csignal>

namespace orrery {

namespace {

int signal_pipe[2] = {-1, -1};

// Only what is safe in a signal handler: one byte into a pipe that the event loop reads.
void note_signal(int) {
    char const byte = 1;
    [[maybe_unused]] ssize_t const written = ::write(signal_pipe[1], &byte, 1);
}

}  // namespace

void on_quit_signal(QObject& context, std::function<void()> quit) {
    if (::pipe2(signal_pipe, O_CLOEXEC | O_NONBLOCK) != 0) return;
    auto* notifier = new QSocketNotifier(signal_pipe[0], QSocketNotifier::Read, &context);
    QObject::connect(notifier, &QSocketNotifier::activated, &context, [notifier, quit = std::move(quit)] {
        notifier->setEnabled(false);
        quit();
    });
    struct sigaction action {};
    action.sa_handler = note_signal;
    action.sa_flags = SA_RESTART;
    for (int const number : {SIGTERM, SIGINT, SIGHUP}) ::sigaction(number, &action, nullptr);
}

}  // namespace orrery
