#include "panels/quantum-control/optimize_page.h"

#include "panels/common/labels.h"
#include "panels/quantum-control/plots.h"
#include "panels/quantum-control/tiles.h"

#include <QLocale>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace orrery::panels::quantum_control {

namespace {

enum Tile : std::size_t { tile_fidelity, tile_infidelity, tile_seed, tile_round, tile_tried, tile_speed };

}  // namespace

OptimizePage::OptimizePage(QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_tiles = new Tiles("quantum-control.live",
                        {{"fidelity", "F of the best", "Fidelity of the best pulse so far; refined when the run has ended"},
                         {"infidelity", "1 − F", ""},
                         {"seed", "best seed", ""},
                         {"round", "round", "PPO: update. GRAPE and CRAB: step of every start"},
                         {"tried", "pulses tried", "By all seeds together"},
                         {"speed", "pulses a second", "Mean over the run"}},
                        this);
    layout->addWidget(m_tiles);
    layout->addWidget(make_separator(this));

    auto* columns = new QSplitter(Qt::Horizontal, this);
    columns->setHandleWidth(1);
    columns->setChildrenCollapsible(false);
    auto const plot = [&](QSplitter* at, char const* name, char const* title, char const* hint) {
        auto* view = new XyView(at);
        view->setObjectName(QString("quantum-control.") + name);
        view->setAccessibleName(title);
        view->set_empty_text(title, hint);
        view->setMinimumSize(120, 90);
        at->addWidget(view);
        return view;
    };
    auto const rows = [&] {
        auto* splitter = new QSplitter(Qt::Vertical, columns);
        splitter->setHandleWidth(1);
        splitter->setChildrenCollapsible(false);
        columns->addWidget(splitter);
        m_columns.push_back(splitter);
        return splitter;
    };
    QSplitter *curves = rows(), *pulses = rows(), *effects = rows();
    m_infidelity = plot(curves, "infidelity", "Infidelity", "1 − F of the best pulse, while it is found");
    m_reward = plot(curves, "reward", "Reward", "What PPO is paid: fidelity less penalties");
    m_amplitudes = plot(pulses, "amplitudes", "Amplitudes", "The best pulse, with its past in pale");
    m_detunings = plot(pulses, "detunings", "Detunings", "The best pulse, with its past in pale");
    m_populations = plot(effects, "populations", "Populations", "Where the system is while the best pulse acts");
    m_spectrum = plot(effects, "spectrum", "Spectrum", "What bandwidth the best pulse needs");
    columns->setSizes({340, 380, 340});
    layout->addWidget(columns, 1);
}

std::vector<XyView*> OptimizePage::plots() const {
    return {m_infidelity, m_reward, m_amplitudes, m_detunings, m_populations, m_spectrum};
}

void OptimizePage::clear(std::shared_ptr<method::QuantumSystem const> system, bool has_reward, double smoothing) {
    m_system = std::move(system);
    m_smoothing = smoothing;
    for (XyView* view : plots()) view->clear();
    m_reward->setVisible(has_reward);
    // A search over amplitudes alone has no detunings to show; they come in with the first that is not 0.
    m_detunings->setVisible(has_reward &&
                            (m_system == nullptr || has_controls(*m_system, method::ControlKind::detuning)));
    for (QSplitter* column : m_columns) column->setSizes({1000, 1000});
    show_read_out({std::nan(""), {}, 0, 0, {}});
}

void OptimizePage::show_read_out(ReadOut const& read_out) {
    QLocale locale = QLocale::c();
    locale.setNumberOptions(QLocale::DefaultNumberOptions);
    auto const count = [&](double v) {
        QString text = locale.toString(static_cast<qlonglong>(std::llround(v)));
        return text.replace(',', QChar(0x2009));  // thin blanks between thousands
    };
    m_tiles->set(tile_fidelity, fidelity_text(read_out.fidelity));
    m_tiles->set(tile_infidelity, infidelity_text(read_out.fidelity));
    m_tiles->set(tile_seed, read_out.seed);
    m_tiles->set(tile_round, read_out.round);
    m_tiles->set(tile_tried, read_out.evaluations > 0 ? count(read_out.evaluations) : QString());
    m_tiles->set(tile_speed, read_out.per_second > 0 ? count(read_out.per_second) : QString());
}

void OptimizePage::show_curves(Curves const& curves) {
    show_figure(m_infidelity, curves.infidelity_figure());
    if (curves.has_reward()) show_figure(m_reward, curves.reward_figure());
}

void OptimizePage::show_pulse(method::Pulse const& pulse, std::vector<method::Pulse> const& past) {
    if (m_system == nullptr) return;
    show_figure(m_amplitudes, controls_figure(*m_system, pulse, past, method::ControlKind::amplitude));
    bool moved = false;
    for (std::size_t const c : controls_of(*m_system, method::ControlKind::detuning))
        moved = moved || std::any_of(pulse.values[c].begin(), pulse.values[c].end(), [](double v) { return v != 0; });
    if (moved && !m_detunings->isVisibleTo(this)) {
        m_detunings->show();
        m_columns[1]->setSizes({1000, 1000});
    }
    if (has_controls(*m_system, method::ControlKind::detuning))
        show_figure(m_detunings, controls_figure(*m_system, pulse, past, method::ControlKind::detuning));
    show_figure(m_spectrum, spectrum_figure(*m_system, pulse, m_smoothing));
}

void OptimizePage::show_populations(Populations const& populations) {
    show_figure(m_populations, populations_figure(populations));
}

void OptimizePage::set_live(bool live) {
    m_infidelity->set_live(live);
    m_reward->set_live(live && m_reward->isVisibleTo(this));
}

}  // namespace orrery::panels::quantum_control
