// The page that is watched while a pulse is being found: curves of all seeds, the best pulse with its past in pale,
// populations, read-outs.
#pragma once

#include "panels/quantum-control/curves.h"
#include "panels/quantum-control/pulse_figures.h"

#include <QWidget>
#include <memory>
#include <vector>

class QSplitter;

namespace orrery {
class XyView;
}

namespace orrery::panels::quantum_control {

class Tiles;

struct ReadOut {
    double fidelity = 0;      // of the best; NaN: none yet
    QString seed;             // "12"
    double evaluations = 0;   // pulses tried
    double per_second = 0;    // 0: not known
    QString round;            // "340 of 600"
};

class OptimizePage : public QWidget {
    Q_OBJECT
public:
    explicit OptimizePage(QWidget* parent);
    // `smoothing`: standard deviation of the pulse's smoothing in knots, 0 where it is not a Gaussian.
    void clear(std::shared_ptr<method::QuantumSystem const> system, bool has_reward, double smoothing);
    void show_read_out(ReadOut const& read_out);
    void show_curves(Curves const& curves);
    void show_pulse(method::Pulse const& pulse, std::vector<method::Pulse> const& past);
    void show_populations(Populations const& populations);
    void set_live(bool live);
    [[nodiscard]] std::vector<XyView*> plots() const;
    [[nodiscard]] XyView* infidelity() const { return m_infidelity; }
    [[nodiscard]] XyView* reward() const { return m_reward; }
    [[nodiscard]] XyView* amplitudes() const { return m_amplitudes; }
    [[nodiscard]] XyView* detunings() const { return m_detunings; }
    [[nodiscard]] XyView* populations() const { return m_populations; }
    [[nodiscard]] XyView* spectrum() const { return m_spectrum; }

private:
    std::shared_ptr<method::QuantumSystem const> m_system;
    Tiles* m_tiles = nullptr;
    double m_smoothing = 0;
    std::vector<QSplitter*> m_columns;
    XyView* m_infidelity = nullptr;
    XyView* m_reward = nullptr;
    XyView* m_amplitudes = nullptr;
    XyView* m_detunings = nullptr;
    XyView* m_populations = nullptr;
    XyView* m_spectrum = nullptr;
};

}  // namespace orrery::panels::quantum_control
