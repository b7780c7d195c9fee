// Helices and strands from the backbone's hydrogen bonds (Kabsch and Sander, Biopolymers 22:2577, 1983), for files that
// carry no HELIX and SHEET records.
#pragma once

#include "core/base/structure.h"

namespace orrery::io {

// Sets Residue::secondary of every amino acid with N, CA, C and O. Helix: two successive 3-, 4- or 5-turns. Strand: a
// ladder of at least two bridges, bulges included. Everything else is coil.
void assign_secondary_structure(Structure& structure);

}  // namespace orrery::io
