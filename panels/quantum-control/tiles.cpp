#include "panels/quantum-control/tiles.h"

#include "panels/common/labels.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <cmath>

namespace orrery::panels::quantum_control {

Tiles::Tiles(QString const& prefix, std::vector<Tile> const& tiles, QWidget* parent) : QWidget(parent) {
    m_row = new QHBoxLayout(this);
    m_row->setContentsMargins(12, 6, 12, 6);
    m_row->setSpacing(24);
    for (Tile const& tile : tiles) {
        auto* box = new QWidget(this);
        auto* column = new QVBoxLayout(box);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        QLabel* value = make_label(QStringLiteral("–"), "", box, 16, QFont::DemiBold);
        value->setObjectName(prefix + "." + tile.name);
        value->setAccessibleName(tile.caption);
        QLabel* caption = make_label(tile.caption, "secondary", box, 11);
        box->setToolTip(tile.tool_tip);
        column->addWidget(value);
        column->addWidget(caption);
        m_row->addWidget(box);
        m_boxes.push_back(box);
        m_values.push_back(value);
    }
    m_row->addStretch(1);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void Tiles::set(std::size_t tile, QString const& value) {
    m_values[tile]->setText(value.isEmpty() ? QStringLiteral("–") : value);
}

void Tiles::set_visible(std::size_t tile, bool visible) { m_boxes[tile]->setVisible(visible); }

QString fidelity_text(double fidelity) {
    return std::isfinite(fidelity) ? QString::number(fidelity, 'f', 7) : QString();
}

QString infidelity_text(double fidelity) {
    return std::isfinite(fidelity) ? QString::number(1 - fidelity, 'e', 2) : QString();
}

}  // namespace orrery::panels::quantum_control
