// The bar at the foot: what is going on, CPU threads, memory, GPU, when the session was last written.
#pragma once

#include "app/session.h"

#include <QStatusBar>
#include <QTimer>

class QLabel;

namespace orrery {

class StatusLine : public QObject {
    Q_OBJECT
public:
    StatusLine(QStatusBar& bar, Session& session, CommandBus& commands);
    void set_threads(int threads);  // 0: all cores
    void say(QString const& text);  // for some seconds, in place of "ready"

private:
    void show_state();
    void show_memory();
    void show_saved();
    QStatusBar& m_bar;
    Session& m_session;
    QLabel* m_state = nullptr;
    QTimer m_said;
    QLabel* m_threads = nullptr;
    QLabel* m_memory = nullptr;
    QLabel* m_gpu = nullptr;
    QLabel* m_saved = nullptr;
};

// Resident bytes of this process, 0 where /proc does not tell.
[[nodiscard]] double resident_bytes();

}  // namespace orrery
