// Which positions a scan covers, from the text of its parameter. No LibTorch.
#pragma once

#include "core/methods/stab-ddg/complex.h"

#include <string>
#include <utility>
#include <vector>

namespace orrery::methods::stab_ddg {

// "interface", "all", or a list parted by commas of A:10-20, B:5, B:52A, C (whole chain): author numbers, ends
// included. Gives (chain, position) in chain order, each once; positions without a known residue are left out. Errors:
// an unknown chain, a range that holds no residue, a chain on neither side, an empty interface (naming the closest
// distance).
Result<std::vector<std::pair<int, int>>> scan_positions(Backbone const& backbone, Sides const& sides,
                                                        std::string const& text, double cutoff);

}  // namespace orrery::methods::stab_ddg
