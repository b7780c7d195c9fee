#include "panels/quantum-control/sweep_editor.h"

#include "core/base/number.h"
#include "panels/common/labels.h"
#include "panels/common/text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>
#include <cmath>

namespace orrery::panels::quantum_control {

SweepEditor::SweepEditor(QWidget* parent) : ParameterEditor(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    m_kind = new QComboBox(this);
    m_kind->addItem("amplitude error", "amp");
    m_kind->addItem("detuning offset", "det");
    m_kind->addItem("duration error", "T");
    m_kind->addItem("decay rate error", "gamma");
    layout->addWidget(m_kind);
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    auto const line = [&](char const* name, int width) {
        auto* edit = new QLineEdit(this);
        edit->setAccessibleName(name);
        edit->setToolTip(name);
        edit->setFixedWidth(width);
        row->addWidget(edit);
        connect(edit, &QLineEdit::editingFinished, this, &SweepEditor::commit);
        return edit;
    };
    m_from = line("from", 46);
    row->addWidget(make_label("to", "secondary", this));
    m_to = line("to", 46);
    m_unit = make_label({}, "secondary", this);
    row->addWidget(m_unit);
    row->addStretch(1);
    row->addWidget(make_label("×", "secondary", this));
    m_points = line("number of points", 38);
    layout->addLayout(row);
    connect(m_kind, &QComboBox::activated, this, &SweepEditor::kind_chosen);
}

QWidget* SweepEditor::focus_widget() { return m_from; }

bool SweepEditor::relative() const { return m_kind->currentData().toString() != "det"; }

void SweepEditor::show_unit() { m_unit->setText(relative() ? "%" : "MHz"); }

void SweepEditor::show_value(Json const& value) {
    m_shown = value.is_string() ? qt(value.get<std::string>()) : QString();
    QStringList const parts = m_shown.split(':');
    if (parts.size() != 4) return;
    int const kind = m_kind->findData(parts[0]);
    if (kind >= 0) m_kind->setCurrentIndex(kind);
    show_unit();
    auto const shown = [&](QString const& text) {
        auto const number = parse_real(text.toStdString());
        if (!number || !relative()) return text;
        return qt(number_text(std::round(*number * 1e8) / 1e6));
    };
    m_from->setText(shown(parts[1]));
    m_to->setText(shown(parts[2]));
    m_points->setText(parts[3]);
}

// Another quantity has another scale: the ends start anew.
void SweepEditor::kind_chosen() {
    show_unit();
    bool const detuning = !relative();
    m_from->setText(detuning ? "-5" : "-10");
    m_to->setText(detuning ? "5" : "10");
    commit();
}

void SweepEditor::commit() {
    auto const written = [&](QLineEdit* edit) {
        QString const text = edit->text().trimmed();
        auto const number = parse_real(text.toStdString());
        // What is no number goes on as typed: the run refuses it and says why.
        if (!number || !relative()) return text;
        return qt(number_text(std::round(*number * 1e6) / 1e8));
    };
    QString const text = QStringList{m_kind->currentData().toString(), written(m_from), written(m_to),
                                     m_points->text().trimmed()}
                             .join(':');
    if (text == m_shown) return;
    m_shown = text;
    Q_EMIT edited({text});
}

}  // namespace orrery::panels::quantum_control
