// Work split into items that do not depend on the number of threads, so that results do not either.
#pragma once

#include <cstddef>
#include <functional>

namespace orrery::methods::stab_ddg {

// False asks to stop. Called on the thread that called parallel_for, between its own items.
using Tick = std::function<bool()>;

// Runs body(item, worker) for every item below `count`, in increasing order of start, on `threads` threads of which the
// caller is worker 0. Returns false when `tick` asked to stop: then some items were not run. An exception of a body
// stops the others and is thrown again here.
bool parallel_for(std::size_t count, int threads, std::function<void(std::size_t item, int worker)> const& body,
                  Tick const& tick);

}  // namespace orrery::methods::stab_ddg
