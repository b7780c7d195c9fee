// Two runs beside each other: pulses and curves. Which two is the selection of the results table.
#pragma once

#include "panels/quantum-control/runs.h"

#include <QWidget>
#include <optional>

class QLabel;

namespace orrery {
class XyView;
}

namespace orrery::panels::quantum_control {

class ComparePage : public QWidget {
    Q_OBJECT
public:
    explicit ComparePage(QWidget* parent);
    void show_runs(std::optional<ComparedRun> const& a, std::optional<ComparedRun> const& b);
    [[nodiscard]] XyView* amplitudes() const { return m_amplitudes; }
    [[nodiscard]] XyView* detunings() const { return m_detunings; }
    [[nodiscard]] XyView* curves() const { return m_curves; }
    [[nodiscard]] QString text() const;

private:
    QLabel* m_text = nullptr;
    XyView* m_amplitudes = nullptr;
    XyView* m_detunings = nullptr;
    XyView* m_curves = nullptr;
};

}  // namespace orrery::panels::quantum_control
