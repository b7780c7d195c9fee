// What a person sees while a verb runs: a bar that is redrawn in place on a terminal, a line every tenth elsewhere.
#pragma once

#include "core/base/run_context.h"

#include <cstdio>
#include <string>

namespace orrery::cli {

// Width in columns of the terminal at `stream`; 0 where it is none.
[[nodiscard]] int terminal_width(std::FILE* stream);
// "0:07", "3:12", "2:03:00"
[[nodiscard]] std::string clock_text(double seconds);
// One line of at most `width` columns: "######------  31 %  2.1 %/s  0:33 left  draw 3 of 20". `blocks` draws the bar
// with block characters (UTF-8 terminals).
[[nodiscard]] std::string progress_line(ProgressReport const& report, int width, bool blocks);

// The command line's context. Progress and warnings go to standard error; log lines of level info to standard output
// (standard error when it carries JSON), as they are the result of verbs such as verify.
class TerminalContext final : public RunContext {
public:
    struct Style {
        bool json = false;
        bool quiet = false;
    };
    TerminalContext(RunSetup setup, Style style);
    ~TerminalContext() override { clear_bar(); }
    void clear_bar();  // takes the bar off the terminal

private:
    void on_progress(ProgressReport const& report) override;
    void on_series(std::string_view, double, double) override {}
    void on_update(std::string_view, Json const&) override {}
    void on_log(LogLevel level, std::string_view text) override;
    void on_warning(Error const& warning) override;

    Style m_style;
    bool m_bar = false;  // standard error is a terminal
    bool m_bar_shown = false;
    int m_last_tenth = -1;
};

}  // namespace orrery::cli
