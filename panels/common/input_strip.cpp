#include "panels/common/input_strip.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

#include "panels/common/labels.h"

namespace orrery {

InputStrip::InputStrip(QString const& slug, QString const& label, QWidget* parent)
    : QFrame(parent), m_label_text(label) {
    setProperty("role", "strip");
    setFixedHeight(40);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 0, 8, 0);
    layout->setSpacing(12);
    m_label = make_label(label, "secondary", this);
    m_name = make_label({}, "", this, 13, QFont::DemiBold);
    m_name->setObjectName(slug + QStringLiteral(".input.name"));
    m_facts = make_eliding_label({}, "secondary", this);
    m_facts->setObjectName(slug + QStringLiteral(".input.facts"));
    m_notes = make_quiet_button({}, QStringLiteral("note"), slug + QStringLiteral(".input.notes"), this);
    m_notes->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_change = make_quiet_button(QStringLiteral("Change…"), {}, slug + QStringLiteral(".change"), this);
    layout->addWidget(m_label);
    layout->addWidget(m_name);
    layout->addWidget(m_facts, 1);
    layout->addWidget(m_notes);
    layout->addWidget(m_change);
    connect(m_change, &QToolButton::clicked, this, &InputStrip::change_wanted);
    connect(m_notes, &QToolButton::clicked, this, [this] {
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        for (QString const& line : m_note_lines) menu->addAction(line);
        menu->popup(m_notes->mapToGlobal(QPoint(0, m_notes->height())));
    });
    show_nothing();
}

void InputStrip::show_nothing() {
    m_name->setText(QStringLiteral("nothing loaded"));
    m_facts->clear();
    m_notes->hide();
    m_change->setText(QStringLiteral("Choose…"));
}

void InputStrip::show_loading(QString const& name) {
    m_name->setText(name);
    m_facts->setText(QStringLiteral("reading"));
    m_notes->hide();
}

void InputStrip::show_input(QString const& name, QString const& facts, QStringList const& notes) {
    m_name->setText(name);
    m_facts->setText(facts);
    m_change->setText(QStringLiteral("Change…"));
    m_note_lines = notes;
    m_notes->setVisible(!notes.isEmpty());
    m_notes->setText(notes.size() == 1 ? QStringLiteral("1 note") : QStringLiteral("%1 notes").arg(notes.size()));
    m_notes->setToolTip(notes.join('\n'));
    m_notes->setAccessibleDescription(notes.join('\n'));
}

QString InputStrip::text() const { return m_name->text() + ' ' + m_facts->text(); }

}  // namespace orrery
