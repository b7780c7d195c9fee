#include "app/journey.h"

#include <QApplication>
#include <QDateTime>
#include <QThreadPool>
#include <cstdio>
#include <sstream>

#include "app/journey_input.h"
#include "app/journey_state.h"
#include "app/main_window.h"
#include "app/room_host.h"
#include "app/stall_watchdog.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/number.h"
#include "panels/common/background.h"
#include "panels/common/text.h"

namespace orrery {

namespace {

constexpr double standard_wait = 60;  // s
// A file a person wrote in a line: where a journey looks for what it names with $VARIABLE.
std::string with_variables(std::string text) {
    for (std::size_t at = 0; (at = text.find("${", at)) != std::string::npos;) {
        auto const end = text.find('}', at);
        if (end == std::string::npos) break;
        char const* value = std::getenv(text.substr(at + 2, end - at - 2).c_str());
        text.replace(at, end - at + 1, value != nullptr ? value : "");
    }
    return text;
}

double seconds_in(std::vector<std::string> const& words, std::size_t index) {
    if (words.size() <= index) return standard_wait;
    return parse_real(words[index]).value_or(standard_wait);
}

}  // namespace

Journey::Journey(MainWindow& window, StallWatchdog* watchdog) : m_window(window), m_watchdog(watchdog) {
    m_timer.setInterval(10);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        if (m_waiting) {
            if (m_waiting()) {
                m_waiting = nullptr;
            } else if (static_cast<double>(m_waited.elapsed()) / 1e3 > m_limit_seconds) {
                fail("waited " + number_text(m_limit_seconds) + " s for " + m_waiting_for);
                return;
            } else {
                return;
            }
        }
        next();
    });
    add_words();
}

void Journey::play(std::string const& file) {
    m_file = file;
    auto const bytes = read_file(file, 1 << 20);
    if (!bytes.ok()) {
        std::fprintf(stderr, "%s\n", bytes.error().message().c_str());
        finish(1);
        return;
    }
    std::istringstream stream(*bytes);
    std::string text;
    for (int number = 1; std::getline(stream, text); ++number) {
        auto const first = text.find_first_not_of(" \t\r");
        if (first == std::string::npos || text[first] == '#') continue;
        m_lines.push_back({number, text.substr(first, text.find_last_not_of(" \t\r") - first + 1)});
    }
    wait_for([this] { return m_window.session().ready(); }, 30, "the session");
    m_timer.start();
}

void Journey::wait_for(std::function<bool()> done, double seconds, std::string what) {
    m_waiting = std::move(done);
    m_limit_seconds = seconds;
    m_waiting_for = std::move(what);
    m_waited.start();
}

void Journey::next() {
    if (m_at == m_lines.size()) {
        finish(0);
        return;
    }
    Line const line = m_lines[m_at++];
    if (m_watchdog != nullptr) m_watchdog->announce(qt(line.text));
    auto const call = CommandCall::parse(with_variables(line.text));
    if (!call.ok()) {
        fail(call.error().message());
        return;
    }
    auto const word = m_words.find(call->name);
    // Pressing a button may open a box that waits; the journey goes on meanwhile, so nothing here is a nested loop.
    Result<void> done = word != m_words.end() ? word->second(call->arguments) : m_window.commands().execute(*call);
    if (!done.ok())
        fail(done.error().message());
    else if (call->name == "quit")
        finish(0);
}

void Journey::fail(std::string const& why) {
    int const number = m_at > 0 ? m_lines[m_at - 1].number : 0;
    std::string const text = m_at > 0 ? m_lines[m_at - 1].text : std::string();
    std::fprintf(stderr, "%s:%d: %s\n  %s\n", m_file.c_str(), number, text.c_str(), why.c_str());
    // What the program said lately tells most about why.
    auto const& log = m_window.log().lines();
    std::size_t const first = log.size() > 12 ? log.size() - 12 : 0;
    for (std::size_t i = first; i < log.size(); ++i)
        std::fprintf(stderr, "  log: %s\n", log[i].text.toUtf8().constData());
    finish(1);
}

void Journey::finish(int code) {
    m_timer.stop();
    m_waiting = nullptr;
    Q_EMIT ended(code);
}

Result<void> Journey::expect(Words const& words) {
    if (words.size() < 3) return bad_input("expect needs a path, an operator and a value");
    return expect_state(m_window, words[0], words[1], words[2]);
}

Result<void> Journey::wait_word(Words const& words) {
    if (words.empty()) return bad_input("wait-progress needs a fraction");
    double const fraction = parse_real(words[0]).value_or(2);
    wait_for(
        [this, fraction] {
            auto const last = m_window.session().last_run();
            JobStatus const* status = last ? m_window.session().find(*last) : nullptr;
            return status != nullptr && status->fraction >= fraction;
        },
        seconds_in(words, 1), "progress " + words[0]);
    return {};
}

void Journey::add_words() {
    m_words["wait-job"] = [this](Words const& words) -> Result<void> {
        wait_for([this] { return m_window.session().busy_count() == 0 && background_pool().activeThreadCount() == 0; },
                 seconds_in(words, 0), "the jobs");
        return {};
    };
    m_words["wait-progress"] = [this](Words const& words) { return wait_word(words); };
    m_words["wait-idle"] = [this](Words const& words) -> Result<void> {
        // Quiet for three looks in a row: an answer from the background may start something new.
        wait_for(
            [this, quiet = 0]() mutable {
                bool const now = m_window.session().ready() && background_pool().activeThreadCount() == 0;
                quiet = now ? quiet + 1 : 0;
                return quiet >= 3;
            },
            seconds_in(words, 0), "the window to be idle");
        return {};
    };
    m_words["wait-until"] = [this](Words const& words) -> Result<void> {
        if (words.size() < 3) return bad_input("wait-until needs a path, an operator and a value");
        wait_for([this, words] { return expect_state(m_window, words[0], words[1], words[2]).ok(); },
                 seconds_in(words, 3), words[0] + " " + words[1] + " " + words[2]);
        return {};
    };
    m_words["pause-for"] = [this](Words const& words) -> Result<void> {
        double const seconds = words.empty() ? 1 : parse_real(words[0]).value_or(1);
        wait_for([this, seconds] { return static_cast<double>(m_waited.elapsed()) / 1e3 >= seconds; }, seconds + 10,
                 "the pause");
        return {};
    };
    m_words["expect"] = [this](Words const& words) { return expect(words); };
    m_words["expect-error"] = [this](Words const& words) -> Result<void> {
        if (words.empty()) return bad_input("expect-error needs a command");
        auto const done = m_window.commands().execute(CommandCall{words[0], {words.begin() + 1, words.end()}});
        if (done.ok()) return bad_input("the command was not refused");
        return {};
    };
    m_words["expect-bytes"] = [this](Words const& words) -> Result<void> {
        if (words.size() < 2) return bad_input("expect-bytes needs the name of an artifact and a file");
        auto const last = m_window.session().last_run();
        JobStatus const* status = last ? m_window.session().find(*last) : nullptr;
        Artifact const* artifact = status != nullptr ? status->artifact(words[0]) : nullptr;
        if (artifact == nullptr) return bad_input("the last run has no artifact \"" + words[0] + "\"");
        ORRERY_TRY(std::string const sha256, sha256_file(words[1]));
        if (sha256 == artifact->sha256) return {};
        return bad_input("the artifact " + words[0] + " has the SHA-256 " + artifact->sha256 + ", not " + sha256,
                         words[1]);
    };
    m_words["print"] = [this](Words const& words) -> Result<void> {
        if (words.empty()) return bad_input("print needs a path");
        ORRERY_TRY(Json const value, read_state(m_window, words[0]));
        std::printf("%lld %s %s\n", static_cast<long long>(QDateTime::currentMSecsSinceEpoch()), words[0].c_str(),
                    value.dump().c_str());
        std::fflush(stdout);
        return {};
    };
    for (char const* name : {"click", "double-click", "right-click", "drag", "wheel", "type", "key", "drop"})
        m_words[name] = [this, name](Words const& words) { return give_input(m_window, name, words); };
}

}  // namespace orrery
