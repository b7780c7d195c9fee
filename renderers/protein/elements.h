// What drawing needs to know of the elements.
#pragma once

#include "core/base/color_maps.h"

#include <cstdint>

namespace orrery::protein {

[[nodiscard]] float van_der_waals_radius(std::uint8_t element);  // Å (Bondi 1964; 1.7 where none is given)
[[nodiscard]] float covalent_radius(std::uint8_t element);       // Å (Cordero et al. 2008)
[[nodiscard]] Rgb element_color(std::uint8_t element);           // CPK, softened

}  // namespace orrery::protein
