// A typed table: the results list of every room, and what is written as CSV. Missing values are allowed in any column.
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace orrery {

enum class ColumnType { text, real, integer };

struct Column {
    std::string name;   // header: "ddg_mean"
    std::string label;  // shown: "mean ddG"
    std::string unit;   // "kcal/mol"
    ColumnType type = ColumnType::text;
    int decimals = 3;  // shown; CSV keeps the shortest text that reads back to the same float32 or double
    std::string help;
};

using Cell = std::variant<std::monostate, std::string, double, std::int64_t>;

class Table {
public:
    Table() = default;
    explicit Table(std::vector<Column> columns) : m_columns(std::move(columns)) {}
    [[nodiscard]] std::vector<Column> const& columns() const { return m_columns; }
    [[nodiscard]] std::size_t rows() const { return m_rows.size(); }
    [[nodiscard]] Cell const& at(std::size_t row, std::size_t column) const { return m_rows[row][column]; }
    [[nodiscard]] int column_index(std::string_view name) const;  // -1 if absent
    void add_row(std::vector<Cell> row);  // as many cells as columns, each of its column's type or missing
    void set(std::size_t row, std::size_t column, Cell cell) { m_rows[row][column] = std::move(cell); }
    void clear_rows() { m_rows.clear(); }

    // RFC 4180, UTF-8, LF, header line of names; lines of `comments` first, each after "# ". Same table, same bytes.
    // A missing cell and a NaN are empty fields. parse_csv reads it back.
    [[nodiscard]] std::string to_csv(std::vector<std::string> const& comments = {}) const;
    [[nodiscard]] Json to_json() const;
    static Result<Table> from_json(Json const& value);

private:
    std::vector<Column> m_columns;
    std::vector<std::vector<Cell>> m_rows;
};

// `text` as one field of a CSV file: quoted where RFC 4180 asks for it.
[[nodiscard]] std::string csv_field(std::string_view text);

// A CSV file as text cells with line numbers, for readers of tables. Accepts UTF-8 with or without BOM, CRLF and LF,
// quoted fields with line breaks; finds the separator among , ; and tab unless given. Lines before the header that
// begin with "# " are comments (a header such as "#Pdb;..." is not); blank lines are skipped. Errors name file and
// line: unbalanced quote, text after a closing quote, wrong number of fields, not UTF-8 (UTF-16 named as such), binary,
// empty.
struct CsvFile {
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows;
    std::vector<int> lines;  // 1-based line of each row's start
    char separator = ',';
    [[nodiscard]] int column(std::string_view name) const;  // -1 if absent
};
Result<CsvFile> parse_csv(std::string_view bytes, std::string const& file_name, char separator = 0);

}  // namespace orrery
