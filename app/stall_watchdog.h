// Measures how long the window does not answer: a thread posts a question to the window's event loop every 10 ms of
// silence and notes how long the answer took. On with --report-stalls; costs nothing else.
#pragma once

#include <QObject>
#include <QString>
#include <atomic>
#include <mutex>
#include <thread>

namespace orrery {

class StallWatchdog : public QObject {
    Q_OBJECT
public:
    explicit StallWatchdog(QObject* parent = nullptr);
    ~StallWatchdog() override;
    [[nodiscard]] double longest_milliseconds() const { return m_longest.load(); }
    // What the window was doing: the last command or step that was announced before the longest stall.
    [[nodiscard]] QString longest_during() const;
    void announce(QString const& what);

private:
    void watch();
    std::atomic<bool> m_stop{false};
    std::atomic<bool> m_answered{true};
    std::atomic<double> m_longest{0};
    mutable std::mutex m_mutex;  // guards the two texts
    QString m_now, m_longest_during;
    std::thread m_thread;
};

}  // namespace orrery
