#include "panels/stab-ddg/structure_bar.h"

#include "panels/common/labels.h"
#include "renderers/protein/protein_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

namespace orrery::panels::stab_ddg {

StructureBar::StructureBar(ProteinView* view, QWidget* parent) : QWidget(parent), m_view(view) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(0);

    QToolButton* show = make_quiet_button("Show", {}, "stab-ddg.structure.show", this);
    show->setPopupMode(QToolButton::InstantPopup);
    show->setAccessibleName("What the structure view shows");
    auto* menu = new QMenu(show);
    auto const add = [&](char const* text, char const* name, bool ProteinDisplay::* member) {
        QAction* action = menu->addAction(text);
        action->setCheckable(true);
        action->setObjectName(QString("stab-ddg.structure.") + name);
        connect(action, &QAction::triggered, this, [this, member](bool on) {
            ProteinDisplay display = m_view->display();
            display.*member = on;
            m_view->set_display(display);
        });
        m_shown.push_back({action, member});
    };
    add("Cartoon", "cartoon", &ProteinDisplay::cartoon);
    add("Sticks of the interface", "sticks", &ProteinDisplay::sticks);
    add("Spheres", "spheres", &ProteinDisplay::spheres);
    add("Surface", "surface", &ProteinDisplay::surface);
    add("Ligands", "ligands", &ProteinDisplay::ligands);
    add("Waters", "waters", &ProteinDisplay::waters);
    menu->addSeparator();
    add("Contacts of the selected residue", "contacts", &ProteinDisplay::contacts);
    add("Parallel projection", "orthographic", &ProteinDisplay::orthographic);
    show->setMenu(menu);
    layout->addWidget(show);

    m_slice = make_quiet_button("Slice", {}, "stab-ddg.structure.slice", this);
    m_slice->setCheckable(true);
    m_slice->setToolTip("Cut away what lies in front of the interface");
    connect(m_slice, &QToolButton::clicked, this, [this](bool on) {
        if (on && m_view->slice_at_interface()) return;
        m_view->set_clipping(std::nullopt);
        m_slice->setChecked(false);
    });
    layout->addWidget(m_slice);
    QToolButton* reset = make_quiet_button("Reset", {}, "stab-ddg.structure.reset", this);
    reset->setToolTip("Show the whole structure");
    connect(reset, &QToolButton::clicked, this, [this] { m_view->reset_camera(); });
    layout->addWidget(reset);
    layout->addStretch(1);
    m_color = new QComboBox(this);
    m_color->setObjectName("stab-ddg.structure.color");
    m_color->setAccessibleName("Color of the structure");
    m_color->setToolTip("Color of the structure");
    m_color->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_color->setMinimumContentsLength(8);
    m_color->addItem("by chain", static_cast<int>(ResidueColoring::chain));
    m_color->addItem("by side", static_cast<int>(ResidueColoring::side));
    m_color->addItem("by mean ddG", static_cast<int>(ResidueColoring::mean));
    m_color->addItem("by best gain", static_cast<int>(ResidueColoring::best_gain));
    connect(m_color, &QComboBox::activated, this, [this](int index) {
        Q_EMIT coloring_changed(static_cast<ResidueColoring>(m_color->itemData(index).toInt()));
    });
    layout->addWidget(m_color);
    connect(m_view, &ProteinView::state_changed, this, &StructureBar::refresh);
    refresh();
}

void StructureBar::set_coloring(ResidueColoring coloring) {
    m_color->setCurrentIndex(m_color->findData(static_cast<int>(coloring)));
}

void StructureBar::set_values_available(bool available) {
    for (ResidueColoring coloring : {ResidueColoring::mean, ResidueColoring::best_gain}) {
        int const index = m_color->findData(static_cast<int>(coloring));
        m_color->setItemData(index, available ? QVariant() : QVariant(0), Qt::UserRole - 1);  // enabled or not
    }
}

void StructureBar::refresh() {
    ProteinDisplay const& display = m_view->display();
    for (auto const& [action, member] : m_shown) action->setChecked(display.*member);
    m_slice->setChecked(m_view->clipping().has_value());
}

}  // namespace orrery::panels::stab_ddg
