// One structure as the network sees it: chains one after the other, gap positions included. No LibTorch.
#pragma once

#include "core/methods/stab-ddg/complex.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace orrery::methods::stab_ddg {

struct StructureInput {
    std::vector<float> coordinates;           // L x 4 x 3 (N, CA, C, O), Å; an absent atom is 0
    std::vector<std::uint8_t> valid;          // L: 1 where all 12 numbers are there
    std::vector<std::int64_t> residue_index;  // L: position over all chains + 100 per chain before it (section 3)
    std::vector<std::int64_t> chain_label;    // L: 1, 2, ... by chain
    std::vector<std::uint8_t> letters;        // L: index into the alphabet, 20 = X
    [[nodiscard]] std::size_t length() const { return letters.size(); }
};

// A change of one letter of a structure.
struct LetterChange {
    std::int32_t position = 0;
    std::uint8_t letter = 20;
};

// Complex, side 1, side 2, in the order in which random numbers are drawn.
inline constexpr int structure_count = 3;
inline constexpr char const* structure_names[structure_count] = {"complex", "side 1", "side 2"};

struct ComplexInput {
    StructureInput structures[structure_count];
    // For each structure, the offset of each chain of the backbone in it; -1 where the chain is not part of it.
    std::vector<std::int64_t> chain_offset[structure_count];
};

[[nodiscard]] std::uint8_t letter_index(char letter);  // 20 for anything unknown

// The complex is side 1 + side 2 in the backbone's order of chains, or with `all_chains` every chain of the file (as
// the official code has it). Sides are cut out of it.
ComplexInput make_complex(Backbone const& backbone, Sides const& sides, bool all_chains);

// What a mutant changes in each structure; mutations to the wild type are left out. An error names a mutation in a
// chain that is in neither side.
struct MutantChanges {
    std::vector<LetterChange> structures[structure_count];
    [[nodiscard]] bool empty() const { return structures[0].empty() && structures[1].empty() && structures[2].empty(); }
};
Result<MutantChanges> mutant_changes(Backbone const& backbone, Sides const& sides, ComplexInput const& complex,
                                     Mutant const& mutant);

}  // namespace orrery::methods::stab_ddg
