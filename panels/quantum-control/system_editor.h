// The field for "system": the presets, the user's own file where one is open, and below it the level diagram.
#pragma once

#include "core/methods/quantum-control/system.h"
#include "panels/common/parameter_editor.h"

#include <memory>

class QComboBox;

namespace orrery::panels::quantum_control {

class LevelDiagram;

class SystemEditor : public ParameterEditor {
    Q_OBJECT
public:
    SystemEditor(Parameter const& parameter, QWidget* parent);
    void show_value(Json const& value) override;
    QWidget* focus_widget() override;
    [[nodiscard]] bool wants_full_width() const override { return true; }
    // What the diagram shows; `own_file`: its name where the system is a file's, else empty.
    void show_system(std::shared_ptr<methods::quantum_control::QuantumSystem const> system, QString const& own_file);

signals:
    void preset_chosen();  // by the user, after edited(): a file of one's own gives way

private:
    QComboBox* m_box = nullptr;
    LevelDiagram* m_diagram = nullptr;
    int m_presets = 0;
};

}  // namespace orrery::panels::quantum_control
