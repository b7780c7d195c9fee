// What predict and finetune work on: complexes with their mutants, from flags, lists and folders of structures.
#pragma once

#include "core/base/job.h"
#include "core/methods/stab-ddg/structure_input.h"
#include "core/methods/stab-ddg/tables.h"

#include <optional>
#include <string>
#include <vector>

namespace orrery::methods::stab_ddg {

struct ListedComplex {
    std::string name;      // "1AO7_ABC_DE"
    std::string identity;  // structure's SHA-256, sides and mutants: part of a checkpoint's key
    ComplexInput input;
    std::vector<Mutant> mutants;
    std::vector<MutantChanges> changes;                       // one a mutant
    std::vector<std::optional<double>> measured;              // kcal/mol, sign of the tables: negative = weaker binding
    std::vector<bool> censored;                               // the measurement is a limit
    std::vector<std::string> first_residue;                   // selection key of each mutant's first exchange: "A:63"
    std::vector<std::string> position_keys[structure_count];  // selection key of each position; empty for gaps
};

// One mutant an entry of `mutations`, entries parted again at ';'.
std::vector<std::string> split_mutants(std::vector<std::string> const& entries);

// Parameters structure, sides, mutations, list, structures, numbering, reading, all_chains. Errors: nothing to do; a
// list that names complexes without a folder or a structure of that name; those of the readers.
Result<std::vector<ListedComplex>> read_mutant_list(Json const& parameters, JobContext& context);

struct TableSelection {
    std::vector<std::string> complexes;  // empty: all
    std::size_t limit = 0;               // mutants, 0: all
    bool single_only = false;
    bool measured_only = false;
    bool skip_missing = false;  // complexes without a structure in the folder are left out with a warning
};
// The complexes of a table, alphabetically, structures from `folder`.
Result<std::vector<ListedComplex>> complexes_of_table(MutantTable const& table, std::filesystem::path const& folder,
                                                      Json const& parameters, TableSelection const& selection,
                                                      JobContext& context);

}  // namespace orrery::methods::stab_ddg
