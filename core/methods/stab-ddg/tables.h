// Tables of mutants: official lists and results, SKEMPI v2 and SKEMPI-like tables, FoldX individual lists. Spec:
// "Tables". No LibTorch.
#pragma once

#include "core/methods/stab-ddg/complex.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::methods::stab_ddg {

enum class TableKind { official_list, skempi_like, skempi_v2, official_result, individual_list };
[[nodiscard]] std::string_view to_string(TableKind kind);

struct MutantRow {
    std::string complex;                             // "1AO7_ABC_DE"; empty in individual lists
    std::string mutation;                            // "EA63Q,QD30V" in the table's numbering
    std::string mutation_author;                     // SKEMPI's Mutation(s)_PDB, empty elsewhere
    int line = 0;                                    // of the file, 1-based
    std::optional<double> ddg;                       // measured, kcal/mol, sign of the table: negative = weaker binding
    bool censored = false;                           // a limit (">1E-06"), no binding, or AB-Bind's code 8 for it
    std::string censoring;                           // what the table says: "Affinity_mut >1.5E-04"
    std::string cluster, split;                      // "train", "test", empty if the table has no such column
    std::vector<std::optional<double>> predictions;  // one a MutantTable::predictors
};

struct MutantTable {
    TableKind kind = TableKind::official_list;
    std::string file_name;
    Numbering numbering = Numbering::automatic;  // ordinal for SKEMPI's cleaned column
    std::vector<std::string> predictors;         // numeric columns that are neither measured nor bookkeeping
    // Columns keep their own sign. In measured ones of our tables it is turned where needed; in predictions it is said:
    bool predictions_weaker_positive = false;  // run_stabddg's own output, and ours: the sign is the other way round
    std::vector<MutantRow> rows;
    std::vector<std::string> notes;
    [[nodiscard]] bool has_measurements() const;
    // "tcrm_spr.csv line 12", for parse_mutants_at.
    [[nodiscard]] std::string where(MutantRow const& row) const;
};

// Errors (with file and line): those of parse_csv, no mutation column (naming the columns found), an unknown complex
// name, an affinity, temperature or ddG that is no number, an affinity that is not positive, no rows.
Result<MutantTable> parse_mutant_table(std::string_view bytes, std::string const& file_name);
Result<MutantTable> read_mutant_table(std::filesystem::path const& path);

// "['HB8A', 'EA3K']" -> "HB8A,EA3K"; other texts unchanged but for blanks.
[[nodiscard]] std::string plain_mutation(std::string_view text);

// dG = (8.314 / 4184) T ln(K_D), kcal/mol; K_D in M, T in K.
[[nodiscard]] double binding_energy(double dissociation_constant, double temperature);
// -(dG_mut - dG_wt): negative = weaker binding, as in the training and benchmark tables.
[[nodiscard]] double ddg_from_affinities(double mutant, double wild_type, double temperature);
// "298(assumed)" -> 298, empty -> 298; nothing for other texts.
[[nodiscard]] std::optional<double> temperature_of(std::string_view text);

}  // namespace orrery::methods::stab_ddg
