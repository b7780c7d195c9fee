// Work split into items that do not depend on the number of threads, so that results do not either. No LibTorch.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <thread>

namespace orrery::methods::quantum_control {

// False asks to stop. Called on the thread that called parallel_for, between its own items.
using Tick = std::function<bool()>;

// Asks `tick` on the thread that made it, and tells the others: safe to ask on any thread, at any time.
class Stopper {
public:
    explicit Stopper(Tick const& tick) : m_tick(tick) {}
    [[nodiscard]] bool go_on() {
        if (m_tick && !stopped() && std::this_thread::get_id() == m_own && !m_tick()) {
            m_stopped.store(true, std::memory_order_relaxed);
        }
        return !stopped();
    }
    [[nodiscard]] bool stopped() const { return m_stopped.load(std::memory_order_relaxed); }

private:
    Tick const& m_tick;
    std::thread::id m_own = std::this_thread::get_id();
    std::atomic<bool> m_stopped{false};
};

// Runs body(item) for every item below `count`, in increasing order of start, on `threads` threads, the caller's being
// one. Returns false when `tick` asked to stop: then some items were not run. An exception of a body stops the others
// and is thrown again here.
bool parallel_for(std::size_t count, int threads, std::function<void(std::size_t item)> const& body, Tick const& tick);

}  // namespace orrery::methods::quantum_control
