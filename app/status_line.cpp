#include "app/status_line.h"

#include <unistd.h>

#include <QLabel>
#include <QThread>
#include <QTimer>
#include <QToolButton>
#include <cstdio>
#include <filesystem>

#include "panels/common/background.h"
#include "panels/common/labels.h"
#include "panels/common/text.h"

namespace orrery {

double resident_bytes() {
    std::FILE* file = std::fopen("/proc/self/statm", "r");
    if (file == nullptr) return 0;
    long size = 0, resident = 0;
    int const read = std::fscanf(file, "%ld %ld", &size, &resident);
    std::fclose(file);
    return read == 2 ? static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) : 0;
}

StatusLine::StatusLine(QStatusBar& bar, Session& session, CommandBus& commands)
    : QObject(&bar), m_bar(bar), m_session(session) {
    bar.setSizeGripEnabled(false);
    auto const add = [&](char const* name, char const* accessible) {
        QLabel* label = make_label({}, "secondary", &bar, 11);
        label->setObjectName(QStringLiteral("status.") + QString::fromLatin1(name));
        label->setAccessibleName(QString::fromLatin1(accessible));
        label->setContentsMargins(8, 0, 8, 0);
        bar.addPermanentWidget(label);
        return label;
    };
    // As wide as there is room: a long text is cut, never pushes the facts at the right out.
    m_state = make_eliding_label(QStringLiteral("ready"), "secondary", &bar, 11);
    m_state->setObjectName(QStringLiteral("status.state"));
    m_state->setContentsMargins(12, 0, 8, 0);
    bar.addWidget(m_state, 1);
    m_said.setSingleShot(true);
    m_said.setInterval(8000);
    connect(&m_said, &QTimer::timeout, this, &StatusLine::show_state);
    m_threads = add("threads", "Processor threads");
    m_memory = add("memory", "Memory of the window");
    m_gpu = add("gpu", "Graphics processor");
    m_saved = add("saved", "Last autosave");
    auto* log = make_quiet_button(QStringLiteral("Log"), QStringLiteral("log"), QStringLiteral("status.log"), &bar);
    connect(log, &QToolButton::clicked, this, [&commands] { (void)commands.execute("toggle log"); });
    bar.addPermanentWidget(log);

    connect(&session, &Session::job_changed, this, &StatusLine::show_state);
    connect(&session, &Session::job_added, this, &StatusLine::show_state);
    connect(&session, &Session::opened_now, this, &StatusLine::show_state);
    connect(&session, &Session::written, this, &StatusLine::show_saved);
    auto* timer = new QTimer(this);
    timer->setInterval(2000);
    connect(timer, &QTimer::timeout, this, &StatusLine::show_memory);
    timer->start();
    show_memory();
    set_threads(0);
    in_background(
        this,
        [] {
            std::error_code none;
            return std::filesystem::exists("/dev/nvidia0", none);
        },
        [this](bool gpu) { m_gpu->setText(gpu ? QStringLiteral("GPU") : QStringLiteral("no GPU")); });
}

void StatusLine::set_threads(int threads) {
    m_threads->setText(QStringLiteral("CPU %1 threads").arg(threads > 0 ? threads : QThread::idealThreadCount()));
}

void StatusLine::say(QString const& text) {
    m_state->setText(text);
    m_said.start();
}

void StatusLine::show_state() {
    if (m_said.isActive()) return;
    int const busy = m_session.busy_count();
    m_state->setText(busy == 0   ? QStringLiteral("ready")
                     : busy == 1 ? QStringLiteral("1 job")
                                 : QStringLiteral("%1 jobs").arg(busy));
}

void StatusLine::show_memory() { m_memory->setText(bytes_text(resident_bytes())); }

void StatusLine::show_saved() {
    m_saved->setText(QStringLiteral("autosaved %1").arg(m_session.last_written().toString("HH:mm:ss")));
    m_saved->setToolTip(qt(m_session.path().string()));
}

}  // namespace orrery
