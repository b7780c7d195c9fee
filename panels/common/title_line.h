// Top of a room: name, one line of what it does, cite, help, layout.
#pragma once

#include <QFrame>

class QMenu;

namespace orrery {

struct PanelDescriptor;

class TitleLine : public QFrame {
    Q_OBJECT
public:
    TitleLine(PanelDescriptor const& panel, QWidget* parent);
    // Entry of the layout menu: a part of the room that can be hidden.
    void set_parts(bool form_visible, bool results_visible);

signals:
    void cite_wanted();
    void help_wanted();
    void part_toggled(QString const& part, bool visible);  // "form", "results"

private:
    QAction* m_form = nullptr;
    QAction* m_results = nullptr;
};

}  // namespace orrery
