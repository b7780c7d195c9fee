// Linked selection between all views of a room, and between rooms on the same data. Keys are text: residues are
// "A:63" (Structure::residue_key), mutants "EA63Q". Kinds: "residue", "mutant", "run", ...
#pragma once

#include <QHash>
#include <QObject>
#include <QSet>
#include <QString>

namespace orrery {

class SelectionModel : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    [[nodiscard]] QSet<QString> selected(QString const& kind) const { return m_selected.value(kind); }
    [[nodiscard]] QString hovered(QString const& kind) const { return m_hovered.value(kind); }
    // Both do nothing when nothing changes, so views may answer a signal with the same call.
    void select(QString const& kind, QSet<QString> const& keys);
    void hover(QString const& kind, QString const& key);  // empty: none

signals:
    void selection_changed(QString const& kind);
    void hover_changed(QString const& kind);

private:
    QHash<QString, QSet<QString>> m_selected;
    QHash<QString, QString> m_hovered;
};

}  // namespace orrery
