// The list at the left: rooms grouped by what a scientist has in hand, with the number of runs that are going.
#pragma once

#include "panels/common/panel.h"

#include <QTreeWidget>
#include <string>
#include <vector>

namespace orrery {

class RoomsList : public QTreeWidget {
    Q_OBJECT
public:
    RoomsList(std::vector<PanelDescriptor> const& panels, QWidget* parent);
    void set_current(std::string const& slug);  // empty: the start page
    void set_busy(std::string const& slug, int running);

signals:
    void room_wanted(std::string const& slug);  // empty: the start page

private:
    QTreeWidgetItem* item(std::string const& slug) const;
    QTreeWidgetItem* m_start = nullptr;
};

}  // namespace orrery
