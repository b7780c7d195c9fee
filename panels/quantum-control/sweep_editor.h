// The field for an axis of the robustness map: what is wrong, from, to, and at how many points. The value is the same
// text as on the command line: "amp:-0.1:0.1:65".
#pragma once

#include "panels/common/parameter_editor.h"

class QComboBox;
class QLabel;
class QLineEdit;

namespace orrery::panels::quantum_control {

class SweepEditor : public ParameterEditor {
    Q_OBJECT
public:
    explicit SweepEditor(QWidget* parent);
    void show_value(Json const& value) override;
    QWidget* focus_widget() override;
    [[nodiscard]] bool wants_full_width() const override { return true; }

private:
    void commit();
    void kind_chosen();
    void show_unit();
    [[nodiscard]] bool relative() const;

    QComboBox* m_kind = nullptr;
    QLineEdit *m_from = nullptr, *m_to = nullptr, *m_points = nullptr;
    QLabel* m_unit = nullptr;
    QString m_shown;
};

}  // namespace orrery::panels::quantum_control
