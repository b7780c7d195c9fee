// The pulse in hand: its knots can be dragged, and what it does is shown beside it.
#pragma once

#include "panels/quantum-control/pulse_figures.h"

#include <QWidget>
#include <memory>
#include <optional>

class QLabel;
class QPushButton;
class QSpinBox;

namespace orrery {
class XyView;
}

namespace orrery::panels::quantum_control {

class Tiles;

// What is known of the pulse; NaN: not known (yet).
struct PulseFacts {
    double fidelity, fidelity_before;  // now, and as it came
    double process_fidelity;           // gates
    double milliseconds;               // from the change to the answer
    int edits = 0;
    bool waiting = false;  // the shown numbers are of an earlier form
};

class EditorPage : public QWidget {
    Q_OBJECT
public:
    explicit EditorPage(QWidget* parent);
    // Null system: nothing in hand. `original` in pale below it; give it from the start, so that the zoom stays when the
    // first knot is moved.
    void show_pulse(std::shared_ptr<method::QuantumSystem const> system, method::Pulse const& pulse,
                    std::optional<method::Pulse> const& original, QString const& source);
    void show_facts(PulseFacts const& facts);
    void show_populations(Populations const& populations);
    [[nodiscard]] int brush() const;  // knots to each side that move along
    [[nodiscard]] XyView* amplitudes() const { return m_amplitudes; }
    [[nodiscard]] XyView* detunings() const { return m_detunings; }
    [[nodiscard]] XyView* populations() const { return m_populations; }

signals:
    // In MHz; `finished` false while it is dragged.
    void knot_moved(int control, int knot, double megahertz, bool finished);
    void revert_wanted();
    void robustness_wanted();
    void export_wanted();

private:
    void moved(method::ControlKind kind, int series, int index, double value, bool finished);
    void show_controls(XyView* view, method::ControlKind kind);

    std::shared_ptr<method::QuantumSystem const> m_system;
    method::Pulse m_pulse;
    std::optional<method::Pulse> m_original;
    Tiles* m_tiles = nullptr;
    QLabel* m_source = nullptr;
    QSpinBox* m_brush = nullptr;
    QPushButton *m_revert = nullptr, *m_map = nullptr, *m_export = nullptr;
    XyView* m_amplitudes = nullptr;
    XyView* m_detunings = nullptr;
    XyView* m_populations = nullptr;
};

}  // namespace orrery::panels::quantum_control
