// The field for "sides": chains as chips in three rows (side 1, side 2, ignore). A chip is dragged to another row, or
// moved on by a click or the space bar. The value is the same text as on the command line: "ABC_DE".
#pragma once

#include "panels/common/parameter_editor.h"

#include <array>
#include <string>
#include <vector>

class QLabel;

namespace orrery::panels::stab_ddg {

struct ChainChip {
    std::string name;        // author name
    std::string label_name;  // mmCIF label, shown in the tool tip when it differs
    int residues = 0;
};

class ChipRow;

class SidesEditor : public ParameterEditor {
    Q_OBJECT
public:
    explicit SidesEditor(QWidget* parent);
    ~SidesEditor() override;

    void set_chains(std::vector<ChainChip> chains);
    void show_value(Json const& value) override;
    [[nodiscard]] bool wants_full_width() const override { return true; }

    // What the drop and click handlers call: puts a chain into row 0 (side 1), 1 (side 2) or 2 (ignore).
    void move_chain(std::string const& name, int row);

private:
    void rebuild();
    [[nodiscard]] std::string text() const;

    std::vector<ChainChip> m_chains;
    std::vector<int> m_row_of;  // one a chain
    std::string m_value;
    std::array<ChipRow*, 3> m_rows{};
    QLabel* m_hint = nullptr;
};

}  // namespace orrery::panels::stab_ddg
