// Replays a text file of commands on the real window, line by line, and checks what it expects. Lines are commands of
// the command bus, or:
//   wait-job [seconds]               until no job is going (default 60)
//   wait-progress <fraction> [s]     until the last run has come so far
//   wait-idle [seconds]              until session, background work and repaints are done
//   wait-until <path> <op> <value>   until that holds (60 s)
//   pause-for <seconds>
//   click <objectName> [x y]         left button, at the middle or at this place
//   double-click, right-click, drag <objectName> x1 y1 x2 y2, wheel <objectName> steps
//   type <text>                      into the widget with the keyboard
//   key <keys>                       "Ctrl+K", "Return": a menu shortcut, else to the widget with the keyboard
//   drop <file> ...                  dropped on the window
//   expect <path> <op> <value>       ==, !=, <, <=, >, >=, contains (journey_state.h says which paths there are)
//   expect-error <command ...>       the command must be refused
//   expect-bytes <artifact> <file>   the last run's artifact of this name has the bytes of the file
//   print <path>                     "<ms since 1970> <path> <value>" on standard output
//   # comment
// The first line that fails ends the journey with exit code 1 and a message with file and line on standard error.
#pragma once

#include "core/base/result.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace orrery {

class MainWindow;
class StallWatchdog;

class Journey : public QObject {
    Q_OBJECT
public:
    Journey(MainWindow& window, StallWatchdog* watchdog);
    void play(std::string const& file);

signals:
    void ended(int exit_code);

private:
    using Words = std::vector<std::string>;
    struct Line {
        int number = 0;
        std::string text;
    };
    void add_words();
    void next();
    void wait_for(std::function<bool()> done, double seconds, std::string what);
    void fail(std::string const& why);
    void finish(int code);
    Result<void> wait_word(Words const& words);
    Result<void> expect(Words const& words);

    MainWindow& m_window;
    StallWatchdog* m_watchdog = nullptr;
    std::string m_file;
    std::vector<Line> m_lines;
    std::size_t m_at = 0;
    std::map<std::string, std::function<Result<void>(Words const&)>> m_words;
    std::function<bool()> m_waiting;
    std::string m_waiting_for;
    double m_limit_seconds = 0;
    QElapsedTimer m_waited;
    QTimer m_timer;
};

}  // namespace orrery
