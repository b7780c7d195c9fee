// The benchmark's filter of SKEMPI v2 and its split by homology. Spec: "Evaluation", protocol.
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/methods/stab-ddg/skempi_unresolved.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::methods::stab_ddg {

struct SkempiOptions {
    std::vector<std::string> unresolved = published_unresolved();
    int least_mutants = 3;        // of a complex
    double least_distinct = 0.6;  // distinct ddG values / mutants of a complex
    double train_share = 0.7;     // of the clusters, rounded down
    std::uint32_t seed = 17;      // of numpy's legacy generator
};

struct SkempiRow {
    std::string complex, mutation, mutation_author;
    double ddg = 0;         // kcal/mol, negative = weaker binding
    int line = 0;           // of skempi_v2.csv
    bool censored = false;  // an affinity is a limit
    std::vector<std::string> hold_out;
    int cluster = 0;  // homology clusters, numbered by their first complex in alphabetical order
    bool train = false;
};

struct SkempiPart {
    int clusters = 0, complexes = 0, rows = 0;
};

struct SkempiResult {
    std::vector<SkempiRow> rows;  // by complex in alphabetical order, then in the table's order
    int all_rows = 0, all_complexes = 0, pdb_ids = 0;
    int no_affinity = 0, duplicates = 0, no_interface = 0;
    int small_complexes = 0, small_rows = 0;
    std::vector<std::string> repetitive;  // complexes, alphabetically
    int repetitive_rows = 0;
    std::vector<std::string> unresolved;  // those of the options that were in the table at this step
    int unresolved_rows = 0;
    int single_mutants = 0;
    SkempiPart train, test;
};

// `bytes`: skempi_v2.csv as distributed. Errors: those of parse_csv, a column that is missing (naming it), a number or
// temperature that is none (with its line).
Result<SkempiResult> filter_skempi(std::string_view bytes, std::string const& file_name,
                                   SkempiOptions const& options = {});

// numpy.random.RandomState(seed).shuffle on 0..count-1: Mersenne Twister, masked rejection, from the end.
[[nodiscard]] std::vector<int> numpy_shuffled(int count, std::uint32_t seed);

// The counts under the names of the reference file.
[[nodiscard]] Json to_json(SkempiResult const& result);

}  // namespace orrery::methods::stab_ddg
