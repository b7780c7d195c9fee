// Structures with a value of each residue in the B-factor column, and scripts that colour by it in PyMOL and ChimeraX.
#pragma once

#include "core/base/result.h"
#include "core/base/structure.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::methods::stab_ddg {

// `values`: one a residue of the structure; NaN (no value) is written as 0.00. `remarks` go to REMARK lines. Values
// outside -99.99..999.99 are set to the limit. Errors: a chain name of more than one character, more than 99,999 atoms,
// a residue number or coordinate that does not fit its columns: the remedy is mmCIF.
Result<std::string> write_pdb(Structure const& structure, std::span<double const> values,
                              std::vector<std::string> const& remarks);
// The same as mmCIF, for any structure.
[[nodiscard]] std::string write_mmcif(Structure const& structure, std::span<double const> values,
                                      std::vector<std::string> const& remarks);

struct ColoringScript {
    std::string file;                   // of the structure, beside the script: "scan_bfactor.pdb"
    double limit = 1;                   // colours run from -limit (blue) over 0 (white) to +limit (red)
    std::string meaning;                // "mean ddG of binding, kcal/mol, positive = weaker"
    std::vector<std::string> residues;  // selection keys shown as sticks: "A:63", "B:52A"
};
[[nodiscard]] std::string pymol_script(ColoringScript const& script);     // .pml
[[nodiscard]] std::string chimerax_script(ColoringScript const& script);  // .cxc

// The 98th percentile of |value|, at least `least`: the colours' limit. NaN are left out.
[[nodiscard]] double symmetric_limit(std::span<double const> values, double least = 0.1);

}  // namespace orrery::methods::stab_ddg
