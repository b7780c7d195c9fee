// Binding ddG computed the way the official code does: for the wild type and for every mutant a whole forward pass of
// the complex and of both sides, features from all-pairs distances, encoder included. In LibTorch, so that both sides
// of the comparison are compiled code on one library.
#pragma once

#include "core/methods/stab-ddg/draw_tensors.h"
#include "core/methods/stab-ddg/network.h"

#include <vector>

namespace orrery::bench {

// Energy of one sequence, everything computed anew.
double official_energy(methods::stab_ddg::Parameters const& parameters,
                       methods::stab_ddg::StructureInput const& structure, methods::stab_ddg::StructureDraw const& draw,
                       std::vector<methods::stab_ddg::LetterChange> const& changes);

}  // namespace orrery::bench
