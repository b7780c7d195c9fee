#include "renderers/selection.h"

namespace orrery {

void SelectionModel::select(QString const& kind, QSet<QString> const& keys) {
    if (m_selected.value(kind) == keys) return;
    m_selected[kind] = keys;
    emit selection_changed(kind);
}

void SelectionModel::hover(QString const& kind, QString const& key) {
    if (m_hovered.value(kind) == key) return;
    m_hovered[kind] = key;
    emit hover_changed(kind);
}

}  // namespace orrery
