#include "panels/quantum-control/editor_page.h"

#include "panels/common/labels.h"
#include "panels/quantum-control/plots.h"
#include "panels/quantum-control/tiles.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QSplitter>
#include <QVBoxLayout>
#include <cmath>

namespace orrery::panels::quantum_control {

namespace {

enum Tile : std::size_t { tile_fidelity, tile_infidelity, tile_change, tile_process, tile_time };

}  // namespace

EditorPage::EditorPage(QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_tiles = new Tiles("quantum-control.edit",
                        {{"fidelity", "F, refined", "By the adaptive method of order 8 at 1e-11"},
                         {"infidelity", "1 − F", ""},
                         {"change", "change of F", "Against the pulse as it came"},
                         {"process", "process fidelity", "Of the gate, without phase correction"},
                         {"time", "answer after", "From the change of the knot to the new fidelity"}},
                        this);
    auto* brush_label = make_label("Brush", "secondary", m_tiles);
    m_brush = new QSpinBox(m_tiles);
    m_brush->setObjectName("quantum-control.edit.brush");
    m_brush->setAccessibleName("Brush, knots to each side");
    m_brush->setToolTip("Knots to each side that move along with the dragged one");
    m_brush->setRange(0, 20);
    m_brush->setPrefix("± ");
    m_brush->setSpecialValueText("single");
    m_brush->setFixedWidth(96);
    brush_label->setBuddy(m_brush);
    m_revert = make_button("Revert", "quantum-control.edit.revert", m_tiles);
    m_revert->setToolTip("Back to the pulse as it came");
    m_map = make_button("Map robustness", "quantum-control.edit.map", m_tiles);
    m_map->setToolTip("Fidelity of this pulse over two errors");
    m_export = make_button("Export…", "quantum-control.edit.export", m_tiles);
    m_export->setToolTip("The pulse as CSV, for the generator or for orrery-cli");
    auto* tools = new QWidget(this);
    auto* tool_row = new QHBoxLayout(tools);
    tool_row->setContentsMargins(12, 0, 12, 6);
    tool_row->setSpacing(8);
    auto* hint = make_eliding_label("Drag a knot up or down", "secondary", tools, 11);
    tool_row->addWidget(hint, 1);
    for (QWidget* widget : {static_cast<QWidget*>(brush_label), static_cast<QWidget*>(m_brush),
                            static_cast<QWidget*>(m_revert), static_cast<QWidget*>(m_export),
                            static_cast<QWidget*>(m_map)})
        tool_row->addWidget(widget);
    m_source = make_eliding_label({}, "secondary", m_tiles, 11);
    m_source->setObjectName("quantum-control.edit.source");
    m_source->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_tiles->row()->addWidget(m_source, 100);
    layout->addWidget(m_tiles);
    layout->addWidget(tools);
    layout->addWidget(make_separator(this));

    auto* columns = new QSplitter(Qt::Horizontal, this);
    columns->setHandleWidth(1);
    columns->setChildrenCollapsible(false);
    auto* controls = new QSplitter(Qt::Vertical, columns);
    controls->setHandleWidth(1);
    controls->setChildrenCollapsible(false);
    columns->addWidget(controls);
    auto const plot = [&](QSplitter* at, char const* name, char const* title, char const* hint) {
        auto* view = new XyView(at);
        view->setObjectName(QString("quantum-control.edit.") + name);
        view->setAccessibleName(title);
        view->set_empty_text(title, hint);
        view->setMinimumSize(120, 90);
        at->addWidget(view);
        return view;
    };
    m_amplitudes = plot(controls, "amplitudes", "No pulse in hand", "Optimize one, or open a pulse as CSV or .npy");
    m_detunings = plot(controls, "detunings", "Detunings", "Drag a knot up or down");
    m_populations = plot(columns, "populations", "Populations", "They follow the pulse");
    controls->setSizes({320, 220});
    columns->setSizes({650, 450});
    layout->addWidget(columns, 1);

    connect(m_amplitudes, &XyView::point_moved, this, [this](int series, int index, double value, bool finished) {
        moved(method::ControlKind::amplitude, series, index, value, finished);
    });
    connect(m_detunings, &XyView::point_moved, this, [this](int series, int index, double value, bool finished) {
        moved(method::ControlKind::detuning, series, index, value, finished);
    });
    connect(m_revert, &QPushButton::clicked, this, &EditorPage::revert_wanted);
    connect(m_map, &QPushButton::clicked, this, &EditorPage::robustness_wanted);
    connect(m_export, &QPushButton::clicked, this, &EditorPage::export_wanted);
    show_pulse(nullptr, {}, std::nullopt, {});
    show_facts({std::nan(""), std::nan(""), std::nan(""), std::nan(""), 0, false});
}

int EditorPage::brush() const { return m_brush->value(); }

void EditorPage::moved(method::ControlKind kind, int series, int index, double value, bool finished) {
    if (m_system == nullptr) return;
    std::vector<std::size_t> const controls = controls_of(*m_system, kind);
    int const past = m_original ? static_cast<int>(controls.size()) : 0;  // pale lines come first
    int const at = series - past;
    if (at < 0 || at >= static_cast<int>(controls.size())) return;
    Q_EMIT knot_moved(static_cast<int>(controls[static_cast<std::size_t>(at)]), index, value, finished);
}

void EditorPage::show_controls(XyView* view, method::ControlKind kind) {
    std::vector<method::Pulse> past;
    if (m_original) past.push_back(*m_original);
    show_figure(view, controls_figure(*m_system, m_pulse, past, kind));
    int const count = static_cast<int>(controls_of(*m_system, kind).size());
    for (int k = 0; k < count; ++k) view->set_movable(k + (m_original ? count : 0), true);
}

void EditorPage::show_pulse(std::shared_ptr<method::QuantumSystem const> system, method::Pulse const& pulse,
                            std::optional<method::Pulse> const& original, QString const& source) {
    m_system = std::move(system);
    m_pulse = pulse;
    m_original = original;
    bool const any = m_system != nullptr;
    for (QWidget* button : {m_revert, m_map, m_export}) button->setEnabled(any);
    m_revert->setEnabled(false);  // show_facts knows
    m_brush->setEnabled(any);
    m_source->setText(source);
    if (!any) {
        for (XyView* view : {m_amplitudes, m_detunings, m_populations}) view->clear();
        return;
    }
    show_controls(m_amplitudes, method::ControlKind::amplitude);
    bool const detunings = has_controls(*m_system, method::ControlKind::detuning);
    m_detunings->setVisible(detunings);
    if (detunings) show_controls(m_detunings, method::ControlKind::detuning);
}

void EditorPage::show_facts(PulseFacts const& facts) {
    QString const later = facts.waiting && std::isfinite(facts.fidelity) ? QStringLiteral(" …") : QString();
    m_tiles->set(tile_fidelity, fidelity_text(facts.fidelity) + later);
    m_tiles->set(tile_infidelity, infidelity_text(facts.fidelity));
    m_revert->setEnabled(m_system != nullptr && facts.edits > 0);
    double const change = facts.fidelity - facts.fidelity_before;
    QString text;
    if (facts.edits > 0 && std::isfinite(change))
        text = (change < 0 ? QString(QChar(0x2212)) : QStringLiteral("+")) + QString::number(std::abs(change), 'e', 2);
    m_tiles->set(tile_change, text);
    m_tiles->set(tile_process, fidelity_text(facts.process_fidelity));
    m_tiles->set_visible(tile_process, std::isfinite(facts.process_fidelity));
    m_tiles->set(tile_time,
                 std::isfinite(facts.milliseconds) ? QString("%1 ms").arg(std::lround(facts.milliseconds)) : QString());
}

void EditorPage::show_populations(Populations const& populations) {
    show_figure(m_populations, populations_figure(populations));
}

}  // namespace orrery::panels::quantum_control
