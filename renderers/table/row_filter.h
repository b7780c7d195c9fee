// What is typed into a table's filter box:
//
//   leu                      rows with "leu" in any cell, whatever its case
//   ddg_mean > 1             a column by its name or its label, in quotes where it has blanks: "mean ddG" > 1
//   chain = A and (ddg_mean > 1 or n < 5)      and, or, not, parentheses; a comma is an "and"
//   mutation ~ Q             contains; !~ contains not;  measured = missing   cells without a value
//
// A row whose cell is missing passes no comparison but != and "= missing".
#pragma once

#include "core/base/result.h"
#include "core/base/table.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

using RowFilter = std::function<bool(Table const& table, std::size_t row)>;

// An empty text gives a filter that passes every row. Errors: an unknown column (naming the nearest), a number
// expected, a parenthesis or quote that is not closed, an operator without its other side.
Result<RowFilter> parse_row_filter(std::string_view text, std::vector<Column> const& columns);

// Numbers inside text by their value, letters without regard to case: A:9 before A:10, a before B. -1, 0, 1.
[[nodiscard]] int natural_compare(std::string_view a, std::string_view b);

// A cell as copied and searched: the shortest text that reads back to the same number; empty when missing.
[[nodiscard]] std::string cell_text(Cell const& cell);
// A cell as shown: a real with the column's decimals.
[[nodiscard]] std::string shown_text(Cell const& cell, Column const& column);
[[nodiscard]] bool is_missing(Cell const& cell);  // no value, or NaN

}  // namespace orrery
