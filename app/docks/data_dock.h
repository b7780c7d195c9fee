// The files that this session used: name, size, SHA-256, place; double click opens one again.
#pragma once

#include "app/session.h"

#include <QTreeWidget>

namespace orrery {

class DataDock : public QTreeWidget {
    Q_OBJECT
public:
    DataDock(Session& session, CommandBus& commands, QWidget* parent);

private:
    void reload();
    Session& m_session;
};

}  // namespace orrery
