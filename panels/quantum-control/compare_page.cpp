#include "panels/quantum-control/compare_page.h"

#include "panels/common/labels.h"
#include "panels/common/text.h"
#include "panels/quantum-control/plots.h"
#include "panels/quantum-control/pulse_figures.h"
#include "panels/quantum-control/tiles.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>

namespace orrery::panels::quantum_control {

ComparePage::ComparePage(QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_text = make_label({}, "", this);
    m_text->setObjectName("quantum-control.compare.text");
    m_text->setWordWrap(true);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 8, 12, 8);
    head->addWidget(m_text);
    layout->addLayout(head);
    layout->addWidget(make_separator(this));
    auto* columns = new QSplitter(Qt::Horizontal, this);
    columns->setHandleWidth(1);
    columns->setChildrenCollapsible(false);
    auto* pulses = new QSplitter(Qt::Vertical, columns);
    pulses->setHandleWidth(1);
    pulses->setChildrenCollapsible(false);
    columns->addWidget(pulses);
    auto const plot = [&](QSplitter* at, char const* name, char const* title, char const* hint) {
        auto* view = new XyView(at);
        view->setObjectName(QString("quantum-control.compare.") + name);
        view->setAccessibleName(title);
        view->set_empty_text(title, hint);
        view->setMinimumSize(120, 90);
        at->addWidget(view);
        return view;
    };
    m_amplitudes = plot(pulses, "amplitudes", "Two runs beside each other", "Select two rows in the table below");
    m_detunings = plot(pulses, "detunings", "Detunings", "Of both runs");
    m_curves = plot(columns, "curves", "Infidelity", "Of both runs, by pulses tried");
    columns->setSizes({650, 450});
    layout->addWidget(columns, 1);
    show_runs(std::nullopt, std::nullopt);
}

void ComparePage::show_runs(std::optional<ComparedRun> const& a, std::optional<ComparedRun> const& b) {
    for (XyView* view : {m_amplitudes, m_detunings, m_curves}) view->clear();
    if (!a || !b) {
        m_text->setText(a ? QString("<b>A</b> %1 · now select a second row of another run (Ctrl+click)")
                                .arg(qt(a->name).toHtmlEscaped())
                          : QString("Select two rows of different runs in the table (Ctrl+click adds one)"));
        return;
    }
    auto const named = [](char const* letter, ComparedRun const& run) {
        QString const when = run.started.empty() ? QString() : ", " + qt(run.started);
        return QString("<b>%1</b> %2%3: F %4").arg(letter, qt(run.name).toHtmlEscaped(), when, fidelity_text(run.fidelity));
    };
    m_text->setText(named("A", *a) + " · " + named("B", *b) +
                    QString(" · difference %1").arg(b->fidelity - a->fidelity, 0, 'e', 2));
    show_figure(m_amplitudes, compared_pulses(*a, *b, method::ControlKind::amplitude));
    bool const detunings = has_controls(*a->system, method::ControlKind::detuning) ||
                           has_controls(*b->system, method::ControlKind::detuning);
    m_detunings->setVisible(detunings);
    if (detunings) show_figure(m_detunings, compared_pulses(*a, *b, method::ControlKind::detuning));
    show_figure(m_curves, compared_curves(*a, *b));
}

QString ComparePage::text() const { return m_text->text(); }

}  // namespace orrery::panels::quantum_control
