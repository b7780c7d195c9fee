// Times as a list, and a line of the report.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace orrery::bench {

using Clock = std::chrono::steady_clock;

inline double milliseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

struct Times {
    std::vector<double> values;  // ms
    [[nodiscard]] double median() const {
        std::vector<double> sorted = values;
        std::sort(sorted.begin(), sorted.end());
        return sorted.empty() ? 0 : sorted[sorted.size() / 2];
    }
    [[nodiscard]] double maximum() const {
        return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
    }
};

inline void report(std::string const& what, Times const& times, double budget) {
    std::printf("%-52s median %8.2f ms, maximum %8.2f ms of %zu; budget %.0f ms: %s\n", what.c_str(), times.median(),
                times.maximum(), times.values.size(), budget, times.median() <= budget ? "kept" : "MISSED");
    std::fflush(stdout);
}

}  // namespace orrery::bench
