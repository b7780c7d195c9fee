// Complexes of SKEMPI v2 whose structures have numbering gaps, and 4NKQ, as published: a parameter's default, so it
// stands apart from the filter.
#pragma once

#include <string>
#include <vector>

namespace orrery::methods::stab_ddg {

[[nodiscard]] inline std::vector<std::string> const& published_unresolved() {
    static std::vector<std::string> const names = {"1DAN_HL_UT", "1KNE_A_P",  "2BTF_A_P", "3D3V_ABC_DE",
                                                   "3LB6_A_C",   "3R9A_AC_B", "3UIG_A_P", "4NKQ_C_AB"};
    return names;
}

}  // namespace orrery::methods::stab_ddg
