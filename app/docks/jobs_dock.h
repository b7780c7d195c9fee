// Jobs that are going or ended lately: progress, time left, pause, cancel, remove.
#pragma once

#include "app/session.h"

#include <QHash>
#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace orrery {

class JobCard;

class JobsDock : public QWidget {
    Q_OBJECT
public:
    JobsDock(Session& session, CommandBus& commands, QWidget* parent);

private:
    void rebuild();
    void show_job(JobStatus const& status);
    void remove_job(QString const& id);
    void show_note();
    Session& m_session;
    CommandBus& m_commands;
    QVBoxLayout* m_cards_layout = nullptr;
    QLabel* m_note = nullptr;
    QHash<QString, JobCard*> m_cards;
};

}  // namespace orrery
