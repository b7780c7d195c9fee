// One line above the views that says in which state the shown result is, when that is not plain to see: failed (what,
// where, what to do), stale (what changed since), paused, cancelled, replayed, done. An icon and a word go with the
// colour.
#pragma once

#include <QFrame>
#include <QString>
#include <QStringList>
#include <functional>
#include <vector>

class QHBoxLayout;
class QLabel;

namespace orrery {

class StateStrip : public QFrame {
    Q_OBJECT
public:
    enum class Kind { info, good, warning, error };
    struct Action {
        QString text;
        QString object_name;
        std::function<void()> run;
    };
    explicit StateStrip(QString const& object_name, QWidget* parent);
    // `word` in the heavier face ("Failed"), `text` after it, wrapped. Actions are quiet buttons at the right.
    void show_message(Kind kind, QString const& word, QString const& text, std::vector<Action> actions);
    void clear();
    [[nodiscard]] QString text() const;

private:
    QLabel* m_icon = nullptr;
    QLabel* m_text = nullptr;
    QHBoxLayout* m_actions = nullptr;
    Kind m_kind = Kind::info;
    QStringList m_action_names;
    void draw_icon();
};

}  // namespace orrery
