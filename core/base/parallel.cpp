#include "core/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace orrery {

bool parallel_for(std::size_t count, int threads, std::function<void(std::size_t, int)> const& body,
                  std::function<bool()> const& go_on) {
    std::atomic<std::size_t> next{0};
    std::atomic<bool> stop{false};
    std::exception_ptr failure;
    std::mutex failure_mutex;

    auto work = [&](int worker) {
        try {
            while (!stop.load(std::memory_order_relaxed)) {
                std::size_t item = next.fetch_add(1, std::memory_order_relaxed);
                if (item >= count) break;
                body(item, worker);
                if (worker == 0 && go_on && !go_on()) stop.store(true, std::memory_order_relaxed);
            }
        } catch (...) {
            std::lock_guard lock(failure_mutex);
            if (!failure) failure = std::current_exception();
            stop.store(true, std::memory_order_relaxed);
        }
    };
    {
        std::vector<std::jthread> others;
        int extra = std::min<int>(threads, static_cast<int>(std::min<std::size_t>(count, 1024))) - 1;
        for (int worker = 1; worker <= extra; ++worker) others.emplace_back(work, worker);
        work(0);
    }
    if (failure) std::rethrow_exception(failure);
    return !stop.load(std::memory_order_relaxed);
}

}  // namespace orrery
