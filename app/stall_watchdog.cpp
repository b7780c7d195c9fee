#include "app/stall_watchdog.h"

#include <chrono>

namespace orrery {

StallWatchdog::StallWatchdog(QObject* parent) : QObject(parent), m_thread([this] { watch(); }) {}

StallWatchdog::~StallWatchdog() {
    m_stop = true;
    m_thread.join();
}

void StallWatchdog::announce(QString const& what) {
    std::lock_guard const lock(m_mutex);
    m_now = what;
}

QString StallWatchdog::longest_during() const {
    std::lock_guard const lock(m_mutex);
    return m_longest_during;
}

void StallWatchdog::watch() {
    using Clock = std::chrono::steady_clock;
    while (!m_stop) {
        m_answered = false;
        auto const asked = Clock::now();
        QMetaObject::invokeMethod(
            this, [this] { m_answered = true; }, Qt::QueuedConnection);
        while (!m_answered && !m_stop) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (m_stop) return;
        double const took = std::chrono::duration<double, std::milli>(Clock::now() - asked).count();
        if (took > m_longest) {
            m_longest = took;
            std::lock_guard const lock(m_mutex);
            m_longest_during = m_now;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

}  // namespace orrery
