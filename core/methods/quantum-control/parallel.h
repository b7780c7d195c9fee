// Work split into items that do not depend on the number of threads, so that results do not either. No LibTorch.
#pragma once

#include <cstddef>
#include <functional>

namespace orrery::methods::quantum_control {

// False asks to stop. Called on the thread that called parallel_for, between its own items.
using Tick = std::function<bool()>;

// Runs body(item) for every item below `count`, in increasing order of start, on `threads` threads, the caller's being
// one. Returns false when `tick` asked to stop: then some items were not run. An exception of a body stops the others
// and is thrown again here.
bool parallel_for(std::size_t count, int threads, std::function<void(std::size_t item)> const& body, Tick const& tick);

}  // namespace orrery::methods::quantum_control
