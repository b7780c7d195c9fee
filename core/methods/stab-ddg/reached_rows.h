// Which rows of the decoder a set of mutants reaches, layer by layer, as one list of "virtual" rows: the wild type's
// row of every position and, behind it, one row for each mutant that differs there.
#pragma once

#include "core/methods/stab-ddg/structure_input.h"

#include <cstdint>
#include <vector>

namespace orrery::methods::stab_ddg {

struct WeightedMutant {
    std::vector<LetterChange> changes;  // of this structure
    double weight = 0;                  // d loss / d (E(mutant) - E(wild type))
};

struct VirtualLayer {
    std::vector<std::int32_t> position;  // of each virtual row; increasing
    std::vector<std::int32_t> mutant;    // -1: the wild type
    std::vector<std::int64_t> from;      // L + 1: where the rows of a position begin
    // index[m * L + i]: the virtual row of mutant m at position i, the wild type's where they do not differ.
    std::vector<std::int64_t> index;
};

struct ReachedRows {
    std::vector<std::uint8_t> backward;  // L x K: the neighbour is decoded before
    std::vector<VirtualLayer> states;    // layers + 1: states[l] is the input of decoder layer l
};

// `neighbours` L x K; `valid` L.
ReachedRows reached_rows(std::vector<std::int32_t> const& neighbours, std::vector<std::uint8_t> const& valid,
                         std::vector<std::int32_t> const& rank, std::vector<WeightedMutant> const& mutants,
                         std::size_t layers);

}  // namespace orrery::methods::stab_ddg
