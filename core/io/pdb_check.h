// What gemmi does not say about PDB text: it reads a damaged coordinate as 0. These checks come first and name the
// line.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace orrery::io {

inline constexpr double largest_coordinate = 1e5;  // Å: no structure is larger, and float keeps 0.01 Å there

enum class StructureFormat { pdb, mmcif };

// By content: `data_` first (after comments) is mmCIF, a known PDB record is PDB, anything else is an error.
Result<StructureFormat> structure_format(std::string_view text, std::string const& file_name);

// Every ATOM and HETATM line before END has three finite coordinates in columns 31-54 and a residue number; a last line
// without line break that is shorter than all others was cut.
Result<void> check_pdb_lines(std::string_view text, std::string const& file_name);

}  // namespace orrery::io
