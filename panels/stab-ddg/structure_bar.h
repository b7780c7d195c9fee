// The line of controls above the 3-D view: what is drawn, what the colours mean, slice and reset. Kept narrow, so that
// structure and map fit side by side in a small window.
#pragma once

#include "panels/stab-ddg/results.h"

#include "renderers/protein/protein_display.h"

#include <QWidget>
#include <utility>
#include <vector>

class QAction;
class QComboBox;
class QToolButton;

namespace orrery {
class ProteinView;
}

namespace orrery::panels::stab_ddg {

class StructureBar : public QWidget {
    Q_OBJECT
public:
    StructureBar(ProteinView* view, QWidget* parent);
    void set_coloring(ResidueColoring coloring);  // emits nothing
    void set_values_available(bool available);
    void refresh();  // buttons follow the view's display

signals:
    void coloring_changed(ResidueColoring coloring);

private:
    ProteinView* m_view;
    QComboBox* m_color = nullptr;
    std::vector<std::pair<QAction*, bool ProteinDisplay::*>> m_shown;
    QToolButton* m_slice = nullptr;
};

}  // namespace orrery::panels::stab_ddg
