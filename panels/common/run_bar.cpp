#include "panels/common/run_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "panels/common/icons.h"
#include "panels/common/labels.h"
#include "panels/common/text.h"
#include "renderers/theme_style.h"

namespace orrery {

namespace {

QString estimate_text(double seconds) {
    if (seconds < 0) return {};
    if (seconds < 1) return QStringLiteral(", under a second");
    // Two figures are all an estimate is worth.
    double const step = seconds < 20 ? 1 : seconds < 100 ? 5 : 30;
    return QStringLiteral(", about ") +
           duration_text(std::max(step, std::round(seconds / step) * step)).remove(QStringLiteral(".0"));
}

}  // namespace

RunBar::RunBar(QString const& slug, QWidget* parent) : QFrame(parent) {
    setFixedHeight(76);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 10, 12, 8);
    m_pages = new QStackedWidget(this);
    layout->addWidget(m_pages);

    auto* ready = new QWidget(m_pages);
    auto* ready_layout = new QVBoxLayout(ready);
    ready_layout->setContentsMargins(0, 0, 0, 0);
    ready_layout->setSpacing(4);
    m_run = make_button({}, slug + QStringLiteral(".run"), ready, true);
    m_run->setMinimumHeight(32);
    m_run->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_note = make_eliding_label({}, "secondary", ready, 11);
    m_note->setObjectName(slug + QStringLiteral(".run.note"));
    ready_layout->addWidget(m_run);
    ready_layout->addWidget(m_note);
    ready_layout->addStretch(1);
    m_pages->addWidget(ready);

    auto* busy = new QWidget(m_pages);
    auto* busy_layout = new QVBoxLayout(busy);
    busy_layout->setContentsMargins(0, 0, 0, 0);
    busy_layout->setSpacing(4);
    auto* line = new QHBoxLayout();
    line->setSpacing(4);
    m_percent = make_label({}, "", busy, 16, QFont::DemiBold);
    m_percent->setObjectName(slug + QStringLiteral(".progress.percent"));
    m_pause =
        make_quiet_button(QStringLiteral("Pause"), QStringLiteral("pause"), slug + QStringLiteral(".pause"), busy);
    m_cancel =
        make_quiet_button(QStringLiteral("Cancel"), QStringLiteral("cancel"), slug + QStringLiteral(".cancel"), busy);
    line->addWidget(m_percent);
    line->addStretch(1);
    line->addWidget(m_pause);
    line->addWidget(m_cancel);
    m_progress = new QProgressBar(busy);
    m_progress->setObjectName(slug + QStringLiteral(".progress"));
    m_progress->setAccessibleName(QStringLiteral("Progress"));
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_stage = make_eliding_label({}, "secondary", busy, 11);
    m_stage->setObjectName(slug + QStringLiteral(".progress.stage"));
    busy_layout->addLayout(line);
    busy_layout->addWidget(m_progress);
    busy_layout->addWidget(m_stage);
    m_pages->addWidget(busy);

    connect(m_run, &QPushButton::clicked, this, &RunBar::run_wanted);
    connect(m_cancel, &QToolButton::clicked, this, &RunBar::cancel_wanted);
    connect(m_pause, &QToolButton::clicked, this,
            [this] { m_paused ? Q_EMIT resume_wanted() : Q_EMIT pause_wanted(); });
}

void RunBar::show_ready(QString const& text, double seconds, QString const& obstacle) {
    QString const words = obstacle.isEmpty() ? text + estimate_text(seconds) : text;
    m_run->setText(words);
    m_run->setAccessibleName(words);
    m_run->setToolTip(obstacle.isEmpty() ? words : obstacle);
    m_run->setEnabled(obstacle.isEmpty());
    m_note->setText(obstacle);
    m_pages->setCurrentIndex(0);
}

void RunBar::show_progress(JobStatus const& status, bool resumable) {
    m_paused = status.waits_for_user();
    bool const queued = status.state == JobState::queued && !status.held;
    m_progress->setValue(static_cast<int>(status.fraction * 1000));
    set_property(*m_progress, "state", m_paused ? QStringLiteral("paused") : QStringLiteral("running"));
    m_percent->setText(queued ? QStringLiteral("Waiting")
                              : QStringLiteral("%1 %").arg(static_cast<int>(status.fraction * 100)));
    QStringList words;
    if (m_paused)
        words << QStringLiteral("paused");
    else if (status.state == JobState::pausing)
        words << QStringLiteral("pausing");
    else if (status.state == JobState::cancelling)
        words << QStringLiteral("cancelling");
    else if (queued)
        words << QStringLiteral("waiting for its turn");
    if (!status.stage.empty()) words << qt(status.stage);
    if (status.eta_seconds >= 0 && !m_paused && !queued)
        words << clock_text(status.eta_seconds) + QStringLiteral(" left");
    m_stage->setText(words.join(QStringLiteral(" · ")));
    m_pause->setText(m_paused ? QStringLiteral("Resume") : QStringLiteral("Pause"));
    m_pause->setAccessibleName(m_pause->text());
    m_pause->setIcon(icon(m_paused ? QStringLiteral("play") : QStringLiteral("pause")));
    m_pause->setEnabled(resumable && (m_paused || status.state == JobState::running));
    m_pause->setToolTip(resumable ? QString() : QStringLiteral("This kind of run can't be paused"));
    m_cancel->setEnabled(status.state != JobState::cancelling);
    m_pages->setCurrentIndex(1);
}

}  // namespace orrery
