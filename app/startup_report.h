// What starting took, stage by stage, from the start of the process as the kernel noted it (/proc/self/stat, in steps
// of 10 ms) and, from main on, by the steady clock.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace orrery {

class StartupReport {
public:
    StartupReport();               // at the top of main
    void stage(std::string name);  // ends the stage of this name
    [[nodiscard]] std::string text(std::string const& last_line_name) const;
    [[nodiscard]] double milliseconds() const;  // since the process started

private:
    struct Stage {
        std::string name;
        double at = 0;  // ms since the process started
    };
    std::chrono::steady_clock::time_point m_main;
    double m_before_main = 0;  // ms
    std::vector<Stage> m_stages;
};

}  // namespace orrery
