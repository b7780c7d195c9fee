#include "core/base/parallel.h"
#include "tests/catch.h"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <vector>

using namespace orrery;

TEST_CASE("work runs once an item, stops when asked and hands exceptions on") {
    for (int threads : {1, 2, 5}) {
        std::vector<std::atomic<int>> seen(1000);
        CHECK(parallel_for(1000, threads, [&](std::size_t i, int) { ++seen[i]; }, {}));
        CHECK(std::all_of(seen.begin(), seen.end(), [](auto const& n) { return n == 1; }));
        int ticks = 0;
        CHECK_FALSE(parallel_for(
            std::size_t{1} << 50, threads, [](std::size_t, int) {}, [&] { return ++ticks < 10; }));
        CHECK(ticks == 10);
        CHECK_THROWS_AS(parallel_for(100, threads,
                                     [](std::size_t i, int) {
                                         if (i == 50) throw std::runtime_error("x");
                                     },
                                     {}),
                        std::runtime_error);
        CHECK(parallel_for(0, threads, [](std::size_t, int) {}, {}));
    }
}

TEST_CASE("a stopper asks on its own thread alone, and what it was told holds for all") {
    int asked = 0;
    Stopper stopper([&] { return ++asked < 3; });
    std::atomic<bool> ever_stopped_first{false};
    std::jthread([&] { ever_stopped_first = !stopper.go_on(); }).join();
    CHECK_FALSE(ever_stopped_first);
    CHECK(asked == 0);
    CHECK(stopper.go_on());
    CHECK(stopper.go_on());
    CHECK_FALSE(stopper.go_on());
    bool other_goes_on = true;
    std::jthread([&] { other_goes_on = stopper.go_on(); }).join();
    CHECK_FALSE(other_goes_on);
    CHECK_FALSE(stopper.go_on());
    CHECK(asked == 3);
}
