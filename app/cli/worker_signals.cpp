#include "app/cli/worker_signals.h"

#include <execinfo.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>

namespace orrery {

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // sanitizers print better ones themselves

namespace {

alignas(16) std::array<std::byte, 65536> signal_stack;  // a stack overflow has none left

// Only calls that are safe in a handler.
void on_crash(int signal) {
    static constexpr char text[] = "worker: the program crashed here:\n";
    [[maybe_unused]] ssize_t const written = ::write(STDERR_FILENO, text, sizeof text - 1);
    std::array<void*, 48> frames;
    int const count = ::backtrace(frames.data(), static_cast<int>(frames.size()));
    ::backtrace_symbols_fd(frames.data(), count, STDERR_FILENO);
    ::raise(signal);  // the handler was reset: ends the process with the signal that came
}

}  // namespace

void print_stack_on_crash() {
    void* first[1];
    ::backtrace(first, 1);  // loads what it needs now, not in the handler
    stack_t stack{};
    stack.ss_sp = signal_stack.data();
    stack.ss_size = signal_stack.size();
    ::sigaltstack(&stack, nullptr);
    struct sigaction action {};
    action.sa_handler = on_crash;
    action.sa_flags = static_cast<int>(SA_ONSTACK | SA_RESETHAND);
    for (int const signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::sigaction(signal, &action, nullptr);
}

#else

void print_stack_on_crash() {}

#endif

}  // namespace orrery
