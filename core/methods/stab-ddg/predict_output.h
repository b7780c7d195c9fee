// Tables and figures of the verb predict.
#pragma once

#include "core/base/figure.h"
#include "core/methods/stab-ddg/energies.h"
#include "core/methods/stab-ddg/mutant_list.h"
#include "core/methods/stab-ddg/report.h"
#include "core/methods/stab-ddg/sampling.h"

#include <optional>
#include <string>
#include <vector>

namespace orrery::methods::stab_ddg {

struct PredictionRow {
    ListedComplex const* complex = nullptr;
    std::size_t mutant = 0;
    Estimate estimate;  // official sign
};

// complex, mutation, mutation_author, ddg_mean, ddg_se, n, ddg_complex, ddg_side1, ddg_side2; then ddg_calibrated and
// measured where there are any. Measured values are turned to the reported sign.
std::string predictions_csv(std::vector<PredictionRow> const& rows, Report const& report);
// Settings, and where measurements are given the metrics; the main ones are put into `values` too.
Json predictions_json(std::vector<PredictionRow> const& rows, Report const& report, Json& values);
// Predicted against measured, a series a complex; nothing without measurements.
std::optional<Figure> measured_figure(std::vector<PredictionRow> const& rows, Report const& report);

// Change of each residue's log-probability, summed over draws.
class ProfileTable {
public:
    ProfileTable(ListedComplex const& complex, Report const& report);
    void add(std::size_t mutant, DdgEngine& engine);
    [[nodiscard]] std::string csv_rows(int draws, bool with_header) const;

private:
    ListedComplex const& m_complex;
    Report const& m_report;
    std::vector<std::array<std::vector<double>, structure_count>> m_sums;
};

}  // namespace orrery::methods::stab_ddg
