// Starting and watching child processes with pipes, and what the system says about memory. Linux.
#pragma once

#include "core/base/result.h"

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace orrery {

// A child with pipes on its standard streams. Our ends don't block and close on exec. The child starts in a process
// group of its own (a Ctrl+C in the window's terminal is the window's to answer) with default signal handling.
struct ChildProcess {
    pid_t pid = 0;
    int input = -1;   // we write, the child reads
    int output = -1;  // the child's standard output
    int errors = -1;  // its standard error
    int watch = -1;   // readable (poll) once the child has ended; -1 where the kernel has no pidfd
};

// `command`: program (a path, or a name found in PATH) and arguments. Errors: the program is not there, is a folder,
// may not be run.
Result<ChildProcess> spawn(std::vector<std::string> const& command);

// "exit code 3", "signal 9 (killed: out of memory or by hand)", "signal 11 (segmentation fault)" from a wait status.
[[nodiscard]] std::string describe_exit(int status);

// Bytes that can be taken now without swapping: MemAvailable, or less where a control group allows less. 0: unknown.
[[nodiscard]] std::uint64_t available_memory();
// Bytes of this process in memory now, and at most since the last reset (or its start).
[[nodiscard]] std::uint64_t process_resident_memory();
[[nodiscard]] std::uint64_t process_peak_memory();
void reset_process_peak_memory();

// Is there an NVIDIA GPU with its driver? Asks the file system alone, in microseconds. Whether LibTorch can use it, the
// worker finds out.
[[nodiscard]] bool has_gpu();

}  // namespace orrery
