#include "app/startup_report.h"

#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <fstream>
#include <sstream>

namespace orrery {

namespace {

// Milliseconds from the start of this process to now; 0 where /proc does not tell.
double since_process_start() {
    std::ifstream file("/proc/self/stat");
    std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    // The program's name, in brackets, may hold blanks: count fields after it. Start time is field 22, the 20th after.
    auto const bracket = text.rfind(')');
    if (bracket == std::string::npos) return 0;
    std::istringstream fields(text.substr(bracket + 1));
    std::string field;
    for (int i = 0; i < 20; ++i) fields >> field;
    timespec now{};
    if (field.empty() || clock_gettime(CLOCK_BOOTTIME, &now) != 0) return 0;
    double const started = std::stod(field) * 1000.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
    double const passed = static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6 - started;
    return passed > 0 ? passed : 0;
}

}  // namespace

StartupReport::StartupReport() : m_main(std::chrono::steady_clock::now()), m_before_main(since_process_start()) {
    m_stages.push_back({"program loaded", m_before_main});
}

double StartupReport::milliseconds() const {
    return m_before_main + std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - m_main).count();
}

void StartupReport::stage(std::string name) { m_stages.push_back({std::move(name), milliseconds()}); }

std::string StartupReport::text(std::string const& last_line_name) const {
    std::string result = "startup, ms from the start of the process (kernel's start time, steps of 10 ms)\n";
    double before = 0;
    char line[160];
    for (Stage const& stage : m_stages) {
        std::snprintf(line, sizeof line, "  %-28s %8.1f  (+%.1f)\n", stage.name.c_str(), stage.at, stage.at - before);
        result += line;
        before = stage.at;
    }
    std::snprintf(line, sizeof line, "%s: %.0f ms\n", last_line_name.c_str(), before);
    return result + line;
}

}  // namespace orrery
