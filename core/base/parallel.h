// Work split into items that do not depend on the number of threads, so that results do not either. No LibTorch.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <thread>
#include <utility>

namespace orrery {

// Asks `go_on` on the thread that made it, and tells the others: safe to ask on any thread, at any time.
class Stopper {
public:
    explicit Stopper(std::function<bool()> go_on) : m_go_on(std::move(go_on)) {}
    [[nodiscard]] bool go_on() {
        if (m_go_on && !stopped() && std::this_thread::get_id() == m_own && !m_go_on()) {
            m_stopped.store(true, std::memory_order_relaxed);
        }
        return !stopped();
    }
    [[nodiscard]] bool stopped() const { return m_stopped.load(std::memory_order_relaxed); }

private:
    std::function<bool()> m_go_on;
    std::thread::id m_own = std::this_thread::get_id();
    std::atomic<bool> m_stopped{false};
};

// Runs body(item, worker) for every item below `count`, in increasing order of start, on `threads` threads of which the
// caller is worker 0. `go_on` is asked on the caller's thread between its own items; false: the rest is not run, and
// false is returned. An exception of a body stops the others and is thrown again here.
bool parallel_for(std::size_t count, int threads, std::function<void(std::size_t item, int worker)> const& body,
                  std::function<bool()> const& go_on);

}  // namespace orrery
