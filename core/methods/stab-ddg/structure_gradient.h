// The gradient of a weighted sum of folding ddG of one structure and draw, by hand-made segments: each phase of each
// layer is computed by blocks of rows, and computed again with a graph when its gradient is due.
#pragma once

#include "core/methods/stab-ddg/draws.h"
#include "core/methods/stab-ddg/parallel.h"
#include "core/methods/stab-ddg/parameters.h"
#include "core/methods/stab-ddg/reached_rows.h"

#include <vector>

namespace orrery::methods::stab_ddg {

// Adds to the grad() of every parameter. False when `tick` asked to stop; grad() is then of no use.
bool accumulate_gradient(Parameters const& parameters, StructureInput const& structure, StructureDraw const& draw,
                         std::vector<WeightedMutant> const& mutants, Tick const& tick);

}  // namespace orrery::methods::stab_ddg
