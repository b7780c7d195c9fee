// Sample figures of every kind, from formulas: for the tests, and to be looked at.
#pragma once

#include "core/base/figure.h"

#include <string>
#include <utility>
#include <vector>

namespace orrery::tests {

// 20 amino acids by `positions` in two chains; wild types dotted, some cells hatched, the last tenth not computed, two
// strips.
Figure sample_heat_map(std::size_t positions);
Figure sample_small_heat_map();   // 4 x 6, sequential, words as labels
Figure sample_scatter();          // predicted against measured, error bars, identity line, notes
Figure sample_two_scatters();     // two series, many points
Figure sample_lines();            // two series with bands
Figure sample_few_points();       // lines with marks
Figure sample_bars();             // two series, categories, error bars, both signs
Figure sample_bars_long_names();  // one series, many categories
Figure sample_logarithmic();      // log-log
std::vector<std::pair<std::string, Figure>> all_samples();

}  // namespace orrery::tests
