// Row operations of the network, vectorised; built for AVX2 and for plain processors, chosen when the program starts.
#pragma once

#include <cstddef>

namespace orrery::learning {

void add_scaled(double* sum, double const* x, double factor, std::size_t count);  // sum += factor x
[[nodiscard]] double dot(double const* a, double const* b, std::size_t count);
// Adam without the clip: values -= rate m' / (sqrt v' + eps), m' and v' the corrected means; gradient times `scale`.
void adam_row(double* values, double const* gradient, double* first, double* second, std::size_t count, double scale,
              double rate, double first_correction, double second_correction);

}  // namespace orrery::learning
