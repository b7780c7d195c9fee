#include "core/base/table.h"

#include "core/base/number.h"

#include <array>
#include <cassert>
#include <cmath>
#include <utility>

namespace orrery {

namespace {

constexpr std::array<std::pair<ColumnType, std::string_view>, 3> type_names{{
    {ColumnType::text, "text"},
    {ColumnType::real, "real"},
    {ColumnType::integer, "integer"},
}};

std::string_view type_name(ColumnType type) {
    for (auto const& [known, name] : type_names)
        if (known == type) return name;
    return "text";
}

Json cell_to_json(Cell const& cell) {
    if (auto const* text = std::get_if<std::string>(&cell)) return *text;
    if (auto const* real = std::get_if<double>(&cell)) return json_real(*real);
    if (auto const* integer = std::get_if<std::int64_t>(&cell)) return *integer;
    return nullptr;
}

std::string cell_to_csv(Cell const& cell) {
    if (auto const* text = std::get_if<std::string>(&cell)) return csv_field(*text);
    if (auto const* real = std::get_if<double>(&cell)) return std::isnan(*real) ? std::string() : number_text(*real);
    if (auto const* integer = std::get_if<std::int64_t>(&cell)) return std::to_string(*integer);
    return {};
}

std::optional<Cell> cell_from_json(Json const& value, ColumnType type) {
    if (value.is_null()) return Cell{};
    switch (type) {
        case ColumnType::text:
            if (value.is_string()) return Cell{value.get<std::string>()};
            break;
        case ColumnType::integer:
            if (value.is_number_integer()) return Cell{value.get<std::int64_t>()};
            break;
        case ColumnType::real:
            if (std::optional<double> const real = real_from(value)) return Cell{*real};
            break;
    }
    return std::nullopt;
}

Result<Column> column_from_json(Json const& value, std::size_t index) {
    std::string const where = "column " + std::to_string(index + 1);
    if (!value.is_object() || !value.contains("name") || !value["name"].is_string())
        return bad_input("a table's column has no name", where);
    Column column;
    column.name = value["name"].get<std::string>();
    std::string type = "text";
    for (auto const& [key, target] :
         {std::pair{"label", &column.label}, {"unit", &column.unit}, {"help", &column.help}, {"type", &type}}) {
        auto const found = value.find(key);
        if (found == value.end()) continue;
        if (!found->is_string()) return bad_input(std::string("the column's ") + key + " is no text", where);
        *target = found->get<std::string>();
    }
    if (auto const decimals = value.find("decimals"); decimals != value.end()) {
        if (!decimals->is_number_integer()) return bad_input("the column's decimals are no whole number", where);
        column.decimals = decimals->get<int>();
    }
    for (auto const& [known, name] : type_names) {
        if (name != type) continue;
        column.type = known;
        return column;
    }
    return bad_input("the column's type \"" + type + "\" is unknown", where, "Types are text, real and integer");
}

}  // namespace

std::string csv_field(std::string_view text) {
    // Quoted, "# " at the start of a header is no comment.
    bool const plain = text.find_first_of(",\"\r\n") == std::string_view::npos && !text.starts_with("# ");
    if (plain) return std::string(text);
    std::string quoted = "\"";
    for (char const c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

int Table::column_index(std::string_view name) const {
    for (std::size_t i = 0; i < m_columns.size(); ++i)
        if (m_columns[i].name == name) return static_cast<int>(i);
    return -1;
}

void Table::add_row(std::vector<Cell> row) {
    assert(row.size() == m_columns.size());
    row.resize(m_columns.size());
    m_rows.push_back(std::move(row));
}

std::string Table::to_csv(std::vector<std::string> const& comments) const {
    std::string text;
    for (std::string comment : comments) {
        for (char& c : comment)
            if (c == '\n' || c == '\r') c = ' ';
        text += "# " + comment + '\n';
    }
    for (std::size_t i = 0; i < m_columns.size(); ++i) text += (i > 0 ? "," : "") + csv_field(m_columns[i].name);
    text += '\n';
    for (std::vector<Cell> const& row : m_rows) {
        std::size_t const start = text.size();
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i > 0) text += ',';
            text += cell_to_csv(row[i]);
        }
        if (text.size() == start && !row.empty()) text += "\"\"";  // an empty line would be no row
        text += '\n';
    }
    return text;
}

Json Table::to_json() const {
    Json columns = Json::array(), rows = Json::array();
    for (Column const& column : m_columns)
        columns.push_back({{"name", column.name},
                           {"label", column.label},
                           {"unit", column.unit},
                           {"type", type_name(column.type)},
                           {"decimals", column.decimals},
                           {"help", column.help}});
    for (std::vector<Cell> const& row : m_rows) {
        Json cells = Json::array();
        for (Cell const& cell : row) cells.push_back(cell_to_json(cell));
        rows.push_back(std::move(cells));
    }
    return {{"columns", std::move(columns)}, {"rows", std::move(rows)}};
}

Result<Table> Table::from_json(Json const& value) {
    if (!value.is_object() || !value.contains("columns") || !value["columns"].is_array() || !value.contains("rows") ||
        !value["rows"].is_array())
        return bad_input("a table must be an object with the lists \"columns\" and \"rows\"");
    Table table;
    for (Json const& column : value["columns"]) {
        ORRERY_TRY(Column read, column_from_json(column, table.m_columns.size()));
        table.m_columns.push_back(std::move(read));
    }
    for (Json const& cells : value["rows"]) {
        std::string const where = "row " + std::to_string(table.rows() + 1);
        if (!cells.is_array() || cells.size() != table.m_columns.size())
            return bad_input("a row of the table does not have " + std::to_string(table.m_columns.size()) + " cells",
                             where);
        std::vector<Cell> row;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            Column const& column = table.m_columns[i];
            std::optional<Cell> cell = cell_from_json(cells[i], column.type);
            if (!cell)
                return bad_input("a cell is no " + std::string(type_name(column.type)),
                                 where + ", column " + column.name);
            row.push_back(*std::move(cell));
        }
        table.m_rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace orrery
