#include "app/docks/jobs_dock.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include "panels/common/icons.h"
#include "panels/common/labels.h"
#include "panels/common/text.h"
#include "renderers/theme_style.h"

namespace orrery {

namespace {

constexpr int most_cards = 20;

QString state_words(JobStatus const& status) {
    if (status.held) return QStringLiteral("from an earlier session, waits to be resumed");
    switch (status.state) {
        case JobState::queued:
            return QStringLiteral("waiting for its turn");
        case JobState::running: {
            QStringList words{QStringLiteral("%1 %").arg(static_cast<int>(status.fraction * 100))};
            if (!status.stage.empty()) words << qt(status.stage);
            if (status.eta_seconds >= 0) words << clock_text(status.eta_seconds) + QStringLiteral(" left");
            return words.join(QStringLiteral(" · "));
        }
        case JobState::pausing:
            return QStringLiteral("pausing");
        case JobState::paused:
            return QStringLiteral("paused at %1 %").arg(static_cast<int>(status.fraction * 100));
        case JobState::cancelling:
            return QStringLiteral("cancelling");
        case JobState::cancelled:
            return QStringLiteral("cancelled at %1 %").arg(static_cast<int>(status.fraction * 100));
        case JobState::completing:
            return QStringLiteral("writing results");
        case JobState::done:
            return QStringLiteral("done in %1").arg(duration_text(status.elapsed_seconds));
        case JobState::done_with_warnings:
            return QStringLiteral("done with warnings in %1").arg(duration_text(status.elapsed_seconds));
        case JobState::failed:
            return QStringLiteral("failed: %1")
                .arg(status.error ? qt(status.error->message()) : QStringLiteral("no reason given"));
    }
    return {};
}

}  // namespace

class JobCard : public QFrame {
public:
    JobCard(JobStatus const& status, CommandBus& commands, QWidget* parent)
        : QFrame(parent), m_commands(commands), m_id(status.id()) {
        setProperty("role", "card");
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(10, 6, 6, 8);
        layout->setSpacing(4);
        auto* line = new QHBoxLayout();
        line->setSpacing(2);
        m_title = make_eliding_label({}, "", this);
        line->addWidget(m_title, 1);
        QString const name = QStringLiteral("job.") + qt(m_id);
        m_pause = button(QStringLiteral("pause"), name + QStringLiteral(".pause"), QStringLiteral("Pause"));
        m_cancel = button(QStringLiteral("cancel"), name + QStringLiteral(".cancel"), QStringLiteral("Cancel"));
        m_show = button(QStringLiteral("show"), name + QStringLiteral(".show"), QStringLiteral("Show its results"));
        m_remove = button(QStringLiteral("remove"), name + QStringLiteral(".remove"),
                          QStringLiteral("Remove with its results (can't be undone)"));
        for (QToolButton* one : {m_pause, m_cancel, m_show, m_remove}) line->addWidget(one);
        layout->addLayout(line);
        m_progress = new QProgressBar(this);
        m_progress->setRange(0, 1000);
        m_progress->setTextVisible(false);
        m_progress->setAccessibleName(QStringLiteral("Progress"));
        layout->addWidget(m_progress);
        m_words = make_label({}, "secondary", this, 11);
        m_words->setWordWrap(true);
        layout->addWidget(m_words);
        connect(m_pause, &QToolButton::clicked, this, [this] { issue(m_resumes ? "resume" : "pause"); });
        connect(m_cancel, &QToolButton::clicked, this, [this] { issue("cancel"); });
        connect(m_show, &QToolButton::clicked, this, [this] { issue("show-run"); });
        connect(m_remove, &QToolButton::clicked, this, [this] { issue("remove-run"); });
        show_status(status, true);
    }

    void show_status(JobStatus const& status, bool resumable) {
        bool const waits = status.waits_for_user();
        m_resumes = status.can_resume();
        bool const ended = is_final(status.state);
        m_title->setText(qt(status.spec.title));
        setToolTip(QStringLiteral("%1 %2, run %3").arg(qt(status.spec.method), qt(status.spec.verb), qt(m_id)));
        m_words->setText(state_words(status));
        set_property(*m_words, "role", status.state == JobState::failed ? "bad" : "secondary");
        m_progress->setVisible(!ended);
        m_progress->setValue(static_cast<int>(status.fraction * 1000));
        set_property(*m_progress, "state", waits ? QStringLiteral("paused") : QStringLiteral("running"));
        m_pause->setVisible(m_resumes || (!ended && resumable));
        m_pause->setEnabled(m_resumes || status.state == JobState::running);
        m_pause->setIcon(icon(m_resumes ? QStringLiteral("play") : QStringLiteral("pause")));
        QString const word = m_resumes ? QStringLiteral("Resume") : QStringLiteral("Pause");
        m_pause->setToolTip(word);
        m_pause->setAccessibleName(word);
        m_cancel->setVisible(!ended);
        m_show->setVisible(ended && status.state != JobState::failed);
        m_remove->setVisible(ended);
    }

private:
    QToolButton* button(QString const& icon_name, QString const& name, QString const& tip) {
        QToolButton* made = make_quiet_button({}, icon_name, name, this);
        made->setToolTip(tip);
        made->setAccessibleName(tip);
        return made;
    }
    void issue(char const* command) { (void)m_commands.execute(CommandCall{command, {m_id}}); }

    CommandBus& m_commands;
    std::string m_id;
    bool m_resumes = false;
    QLabel* m_title = nullptr;
    QLabel* m_words = nullptr;
    QProgressBar* m_progress = nullptr;
    QToolButton *m_pause = nullptr, *m_cancel = nullptr, *m_show = nullptr, *m_remove = nullptr;
};

JobsDock::JobsDock(Session& session, CommandBus& commands, QWidget* parent)
    : QWidget(parent), m_session(session), m_commands(commands) {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* page = new QWidget(scroll);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    m_note = make_label({}, "secondary", page);
    m_note->setObjectName(QStringLiteral("jobs.note"));
    m_note->setWordWrap(true);
    layout->addWidget(m_note);
    m_cards_layout = new QVBoxLayout();
    m_cards_layout->setSpacing(8);
    layout->addLayout(m_cards_layout);
    layout->addStretch(1);
    scroll->setWidget(page);
    outer->addWidget(scroll);
    connect(&session, &Session::opened_now, this, &JobsDock::rebuild);
    connect(&session, &Session::renamed, this, &JobsDock::rebuild);
    connect(&session, &Session::job_changed, this, &JobsDock::show_job);
    connect(&session, &Session::job_added, this, [this](QString const& id) {
        if (auto const status = m_session.job(id.toStdString())) show_job(*status);
    });
    connect(&session, &Session::job_removed, this, &JobsDock::remove_job);
    connect(&session, &Session::workers_changed, this, &JobsDock::show_note);
    rebuild();
}

void JobsDock::rebuild() {
    for (JobCard* card : m_cards) card->deleteLater();
    m_cards.clear();
    auto const& order = m_session.order();
    std::size_t const first = order.size() > most_cards ? order.size() - most_cards : 0;
    for (std::size_t i = first; i < order.size(); ++i)
        if (auto const status = m_session.job(order[i])) show_job(*status);
    show_note();
}

void JobsDock::show_job(JobStatus const& status) {
    if (status.helper) return;
    QString const id = qt(status.id());
    bool resumable = false;
    if (PanelDescriptor const* panel = m_session.panel(status.spec.method))
        if (VerbSchema const* verb = panel->schema->verb(status.spec.verb)) resumable = verb->resumable;
    JobCard*& card = m_cards[id];
    if (card == nullptr) {
        card = new JobCard(status, m_commands, this);
        m_cards_layout->insertWidget(0, card);  // newest first
        while (m_cards_layout->count() > most_cards) {
            QWidget* oldest = m_cards_layout->itemAt(m_cards_layout->count() - 1)->widget();
            m_cards.removeIf([oldest](auto const& entry) { return entry.value() == oldest; });
            m_cards_layout->removeWidget(oldest);
            oldest->deleteLater();
        }
    }
    m_cards[id]->show_status(status, resumable);
    show_note();
}

void JobsDock::remove_job(QString const& id) {
    if (JobCard* card = m_cards.take(id)) card->deleteLater();
    show_note();
}

void JobsDock::show_note() {
    QString text;
    if (!m_session.worker_problem().isEmpty())
        text = QStringLiteral("No worker: %1").arg(m_session.worker_problem());
    else if (m_cards.isEmpty())
        text = QStringLiteral("Nothing is running.");
    m_note->setText(text);
    m_note->setVisible(!text.isEmpty());
}

}  // namespace orrery
