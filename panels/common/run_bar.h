// The run button, always at the foot of the form: says what it will do and how long it thinks that takes, and turns
// into progress with ETA, pause and cancel. Its height does not change, so nothing moves when a run starts.
#pragma once

#include "panels/common/services.h"

#include <QFrame>

class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace orrery {

class RunBar : public QFrame {
    Q_OBJECT
public:
    RunBar(QString const& slug, QWidget* parent);
    // `obstacle` not empty: the button is off and says why.
    void show_ready(QString const& text, double seconds, QString const& obstacle);
    void show_progress(JobStatus const& status, bool resumable);

signals:
    void run_wanted();
    void pause_wanted();
    void resume_wanted();
    void cancel_wanted();

private:
    QStackedWidget* m_pages = nullptr;
    QPushButton* m_run = nullptr;
    QLabel* m_note = nullptr;
    QProgressBar* m_progress = nullptr;
    QLabel* m_stage = nullptr;
    QLabel* m_percent = nullptr;
    QToolButton* m_pause = nullptr;
    QToolButton* m_cancel = nullptr;
    bool m_paused = false;
};

}  // namespace orrery
