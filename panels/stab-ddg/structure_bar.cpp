#include "panels/stab-ddg/structure_bar.h"

#include "panels/common/labels.h"
#include "renderers/protein/protein_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QToolButton>

namespace orrery::panels::stab_ddg {

namespace {

QToolButton* toggle(QString const& text, QString const& name, QString const& tip, QWidget* parent) {
    QToolButton* button = make_quiet_button(text, {}, "stab-ddg.structure." + name, parent);
    button->setCheckable(true);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    return button;
}

}  // namespace

StructureBar::StructureBar(ProteinView* view, QWidget* parent) : QWidget(parent), m_view(view) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(4);
    auto const change = [this](auto edit) {
        ProteinDisplay display = m_view->display();
        edit(display);
        m_view->set_display(display);
    };
    m_cartoon = toggle("Cartoon", "cartoon", "Show the cartoon", this);
    m_sticks = toggle("Sticks", "sticks", "Show the interface as sticks", this);
    m_spheres = toggle("Spheres", "spheres", "Show all atoms as spheres", this);
    m_surface = toggle("Surface", "surface", "Show the molecular surface", this);
    m_slice = toggle("Slice", "slice", "Cut away what lies in front of the interface", this);
    connect(m_cartoon, &QToolButton::clicked, this, [=](bool on) { change([on](ProteinDisplay& d) { d.cartoon = on; }); });
    connect(m_sticks, &QToolButton::clicked, this, [=](bool on) { change([on](ProteinDisplay& d) { d.sticks = on; }); });
    connect(m_spheres, &QToolButton::clicked, this, [=](bool on) { change([on](ProteinDisplay& d) { d.spheres = on; }); });
    connect(m_surface, &QToolButton::clicked, this, [=](bool on) { change([on](ProteinDisplay& d) { d.surface = on; }); });
    connect(m_slice, &QToolButton::clicked, this, [this](bool on) {
        if (on && m_view->slice_at_interface()) return;
        m_view->set_clipping(std::nullopt);
        m_slice->setChecked(false);
    });
    for (QToolButton* button : {m_cartoon, m_sticks, m_spheres, m_surface, m_slice}) layout->addWidget(button);
    QToolButton* reset = make_quiet_button("Reset", {}, "stab-ddg.structure.reset", this);
    reset->setToolTip("Show the whole structure");
    connect(reset, &QToolButton::clicked, this, [this] { m_view->reset_camera(); });
    layout->addWidget(reset);
    layout->addStretch(1);
    layout->addWidget(make_label("Color", "secondary", this));
    m_color = new QComboBox(this);
    m_color->setObjectName("stab-ddg.structure.color");
    m_color->setAccessibleName("Color of the structure");
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
    m_cartoon->setChecked(display.cartoon);
    m_sticks->setChecked(display.sticks);
    m_spheres->setChecked(display.spheres);
    m_surface->setChecked(display.surface);
    m_slice->setChecked(m_view->clipping().has_value());
}

}  // namespace orrery::panels::stab_ddg
