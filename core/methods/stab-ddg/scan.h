// The verb scan: 19 exchanges at each of N positions, a 20 x N map.
//
// Live messages (JobContext::update), all values in the reported sign and unit:
//   "layout"   {complex, sides, unit, value_title, rows: "AVLIM...", row_groups: [0,0,...], positions: N, mutants: M,
//   draws}
//              once, before the first column. `rows` is the order of the 20 amino acids in every list of 20 below.
//   "columns"  {first, columns: [{chain, position, key, letter, label, side}, ...]}   at most 40 columns a message,
//   before
//              the first result. `position` is the author number as text ("63", "52A"), `key` the selection key
//              ("A:63"), `label` the axis label ("A K63"), `letter` the wild type, `side` 1 or 2.
//   "column"   {draw, index, chain, position, key, mean: [20], se: [20], n: [20]}
//              each time a column is done in a draw (draw by draw, column by column; draw counts from 0). mean is over
//              the draws done so far, se its standard error (null for one draw), the wild type has mean 0, se 0. A
//              resumed job sends every column it already has once, with the draw it goes on from.
//   "draw"     {draw, complete: true}   when all columns of a draw are done: the map is whole.
#pragma once

#include "core/base/job.h"

namespace orrery::methods::stab_ddg {

Result<JobResult> scan(Json const& parameters, JobContext& context);

}  // namespace orrery::methods::stab_ddg
