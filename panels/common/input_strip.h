// What is loaded, what was noticed, and a way to change it.
#pragma once

#include <QFrame>
#include <QStringList>

class QLabel;
class QToolButton;

namespace orrery {

class InputStrip : public QFrame {
    Q_OBJECT
public:
    InputStrip(QString const& slug, QString const& label, QWidget* parent);
    void show_nothing();
    void show_loading(QString const& name);
    void show_input(QString const& name, QString const& facts, QStringList const& notes);
    [[nodiscard]] QString text() const;

signals:
    void change_wanted();

private:
    QString m_label_text;
    QLabel* m_label = nullptr;
    QLabel* m_name = nullptr;
    QLabel* m_facts = nullptr;
    QToolButton* m_notes = nullptr;
    QToolButton* m_change = nullptr;
    QStringList m_note_lines;
};

}  // namespace orrery
