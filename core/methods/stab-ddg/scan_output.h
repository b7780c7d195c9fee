// Tables and figures of the verb scan.
#pragma once

#include "core/base/figure.h"
#include "core/methods/stab-ddg/energies.h"
#include "core/methods/stab-ddg/report.h"
#include "core/methods/stab-ddg/sampling.h"

#include <array>
#include <string>
#include <vector>

namespace orrery::methods::stab_ddg {

// The rows of the map: aliphatic, aromatic, polar, positive, negative, and G P C.
inline constexpr std::string_view scan_rows = "AVLIMFWYSTNQKRHDEGPC";
inline constexpr std::array<int, 20> scan_row_groups = {0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 5};

struct ScanColumn {
    int chain = 0, position = 0;  // of the backbone
    int side = 1;
    std::string chain_name, number;         // author number with insertion code: "52A"
    char letter = 'X';                      // wild type
    std::string key;                        // "A:52A"
    std::string label;                      // "A K52A"
    std::array<std::int64_t, 20> mutant{};  // index of the mutant of each row; -1: the wild type
    [[nodiscard]] Json to_json() const;
};

struct ScanResult {
    Backbone const* backbone = nullptr;
    std::string sides;
    std::vector<ScanColumn> columns;
    std::vector<Mutant> mutants;
    Samples const* samples = nullptr;
    Report const* report = nullptr;

    struct Value {
        double mean = 0, standard_error = 0;  // reported sign; 0, 0 for the wild type; NaN where not computed
        int n = 0;
    };
    [[nodiscard]] Value value(ScanColumn const& column, std::size_t row) const;
    // Mean, and maximum (the largest weakening in the weaker-positive sign), over the exchanges of a column; NaN if
    // none.
    [[nodiscard]] double column_mean(ScanColumn const& column) const;
    [[nodiscard]] double column_maximum(ScanColumn const& column) const;
};

std::string scan_csv(ScanResult const& result);
std::string scan_matrix_csv(ScanResult const& result);
Figure scan_figure(ScanResult const& result);
Json scan_summary(ScanResult const& result);
// One value a residue of the backbone's structure: the column mean, NaN elsewhere.
std::vector<double> residue_values(ScanResult const& result);

}  // namespace orrery::methods::stab_ddg
