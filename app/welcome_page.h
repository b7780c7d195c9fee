// The first thing seen: what Orrery is in one line, the rooms with their samples one click away, recent files, where to
// start.
#pragma once

#include "core/base/command.h"
#include "panels/common/panel.h"

#include <QStringList>
#include <QWidget>
#include <vector>

class QVBoxLayout;

namespace orrery {

class WelcomePage : public QWidget {
    Q_OBJECT
public:
    WelcomePage(std::vector<PanelDescriptor> const& panels, CommandBus& commands, QWidget* parent);
    void show_recent(QStringList const& files);

private:
    QWidget* make_gallery_card(PanelDescriptor const& panel, QWidget* parent);
    CommandBus& m_commands;
    QVBoxLayout* m_recent = nullptr;
    QWidget* m_recent_box = nullptr;
};

}  // namespace orrery
