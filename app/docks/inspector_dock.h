// What is selected, and of the run shown: its settings, where its numbers come from.
#pragma once

#include "app/session.h"

#include <QTreeWidget>
#include <functional>

namespace orrery {

class Room;

class InspectorDock : public QWidget {
    Q_OBJECT
public:
    InspectorDock(Session& session, SelectionModel& selection, QWidget* parent);
    void show_room(Room* room);  // null: none

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void fit_columns();
    QTreeWidgetItem* section(QString const& title);
    void add_run(JobStatus const& status);
    Session& m_session;
    Room* m_room = nullptr;
    QTreeWidget* m_tree = nullptr;
    bool m_pending = false;
};

}  // namespace orrery
