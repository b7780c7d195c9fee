#include "app/cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace orrery::cli {

namespace {

constexpr double longest_estimate = 99 * 3600.0;  // seconds; beyond it an estimate says nothing

bool utf8_terminal() {
    for (char const* variable : {"LC_ALL", "LC_CTYPE", "LANG"})
        if (char const* value = std::getenv(variable); value != nullptr && *value != 0) {
            std::string_view const locale(value);
            return locale.find("UTF-8") != std::string_view::npos || locale.find("utf8") != std::string_view::npos;
        }
    return false;
}

// The first `columns` characters of UTF-8 text.
std::string shortened(std::string const& text, std::size_t columns) {
    std::size_t at = 0;
    for (std::size_t column = 0; at < text.size() && column < columns; ++column) do
            ++at;
        while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0u) == 0x80u);
    return text.substr(0, at);
}

std::string bar_text(double fraction, int cells, bool blocks) {
    int const full = std::clamp(static_cast<int>(fraction * cells), 0, cells);
    std::string text;
    for (int i = 0; i < cells; ++i) text += i < full ? (blocks ? "█" : "#") : (blocks ? "░" : "-");
    return text;
}

std::string rate_text(ProgressReport const& report) {
    if (report.remaining_seconds <= 0 || report.fraction >= 1) return {};
    double const percent_a_second = 100 * (1 - report.fraction) / report.remaining_seconds;
    return percent_a_second >= 0.1 ? fmt::format("{:.1f} %/s", percent_a_second)
                                   : fmt::format("{:.1f} %/min", 60 * percent_a_second);
}

std::string remaining_text(ProgressReport const& report) {
    if (report.fraction >= 1) return clock_text(report.elapsed_seconds);
    if (report.remaining_seconds < 0 || report.remaining_seconds > longest_estimate) return {};
    return clock_text(report.remaining_seconds) + " left";
}

}  // namespace

int terminal_width(std::FILE* stream) {
    int const descriptor = ::fileno(stream);
    if (descriptor < 0 || ::isatty(descriptor) == 0) return 0;
    winsize size{};
    if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
    return size.ws_col;
}

std::string clock_text(double seconds) {
    auto const whole = static_cast<long long>(std::max(0.0, seconds) + 0.5);
    if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::string progress_line(ProgressReport const& report, int width, bool blocks) {
    std::string tail = fmt::format("{:3.0f} %", 100 * report.fraction);
    for (std::string const& part : {rate_text(report), remaining_text(report)})
        if (!part.empty()) tail += "  " + part;
    int const room = width - 1 - static_cast<int>(tail.size());
    int const cells = std::clamp(room / 3, 0, 30);
    std::string const bar = cells >= 6 ? bar_text(report.fraction, cells, blocks) + " " : std::string();
    int const stage_room = room - (bar.empty() ? 0 : cells + 1) - 2;
    std::string const stage = stage_room >= 4 ? shortened(report.stage, static_cast<std::size_t>(stage_room)) : "";
    return bar + tail + (stage.empty() ? "" : "  " + stage);
}

TerminalContext::TerminalContext(RunSetup setup, Style style)
    : RunContext(std::move(setup)), m_style(style), m_bar(terminal_width(stderr) > 0) {}

void TerminalContext::clear_bar() {
    if (!m_bar_shown) return;
    std::fputs("\r\x1b[K", stderr);
    m_bar_shown = false;
}

void TerminalContext::on_progress(ProgressReport const& report) {
    if (m_style.quiet) return;
    if (m_bar) {
        std::string const line = progress_line(report, std::max(20, terminal_width(stderr)), utf8_terminal());
        std::fprintf(stderr, "\r%s\x1b[K", line.c_str());
        std::fflush(stderr);
        m_bar_shown = true;
        return;
    }
    int const tenth = static_cast<int>(report.fraction * 10 + 1e-9);
    if (tenth <= m_last_tenth) return;
    m_last_tenth = tenth;
    std::string const left = remaining_text(report);
    std::fprintf(stderr, "%3d %%  %s%s%s\n", tenth * 10, report.stage.c_str(), left.empty() ? "" : "  ", left.c_str());
}

void TerminalContext::on_log(LogLevel level, std::string_view text) {
    bool const serious = level == LogLevel::warning || level == LogLevel::error;
    if (level == LogLevel::debug || (m_style.quiet && !serious)) return;
    clear_bar();
    std::FILE* const stream = serious || m_style.json ? stderr : stdout;
    std::fprintf(stream, "%.*s\n", static_cast<int>(text.size()), text.data());
    std::fflush(stream);
}

void TerminalContext::on_warning(Error const& warning) {
    clear_bar();
    std::fprintf(stderr, "warning: %s\n", warning.message().c_str());
}

}  // namespace orrery::cli
