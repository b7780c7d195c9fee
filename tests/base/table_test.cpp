#include "core/base/table.h"
#include "tests/catch.h"

#include <cmath>
#include <limits>
#include <random>

using namespace orrery;

namespace {

Table sample() {
    Table table({{"mutation", "Mutation", "", ColumnType::text, 0, "one or several"},
                 {"ddg_mean", "mean ddG", "kcal/mol", ColumnType::real, 2, ""},
                 {"n", "n", "", ColumnType::integer, 0, ""}});
    table.add_row({std::string("EA63Q,QD30V"), 0.1, std::int64_t{20}});
    table.add_row({std::string("says \"no\"\nand ends"), std::nan(""), Cell{}});
    table.add_row({Cell{}, -std::numeric_limits<double>::infinity(), std::int64_t{-3}});
    return table;
}

std::string refused(std::string_view bytes, char separator = 0) {
    Result<CsvFile> const file = parse_csv(bytes, "list.csv", separator);
    REQUIRE_FALSE(file.ok());
    CHECK(file.error().kind == ErrorKind::bad_input);
    return file.error().message();
}

bool contains(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("A table writes RFC 4180") {
    CHECK(sample().to_csv({"ddG in kcal/mol", "two\nlines"}) ==
          "# ddG in kcal/mol\n# two lines\nmutation,ddg_mean,n\n\"EA63Q,QD30V\",0.1,20\n\"says \"\"no\"\"\nand "
          "ends\",,\n,-inf,-3\n");
}

TEST_CASE("What a table wrote is read back") {
    Result<CsvFile> const file = parse_csv(sample().to_csv({"comment, with \"quotes"}), "t.csv");
    REQUIRE(file.ok());
    CHECK(file->header == std::vector<std::string>{"mutation", "ddg_mean", "n"});
    REQUIRE(file->rows.size() == 3);
    CHECK(file->rows[0][0] == "EA63Q,QD30V");
    CHECK(file->rows[1] == std::vector<std::string>{"says \"no\"\nand ends", "", ""});
    CHECK(file->lines == std::vector<int>{3, 4, 6});
    CHECK(file->column("n") == 2);
    CHECK(file->column("absent") == -1);

    Table one({{"# odd", "", "", ColumnType::text, 0, ""}});
    one.add_row({std::string()});
    one.add_row({std::string("x")});
    Result<CsvFile> const back = parse_csv(one.to_csv(), "t.csv");
    REQUIRE(back.ok());
    CHECK(back->header == std::vector<std::string>{"# odd"});
    CHECK(back->rows == std::vector<std::vector<std::string>>{{""}, {"x"}});
}

TEST_CASE("Random tables of awkward texts survive CSV") {
    std::mt19937 random(3);
    std::string const letters = "a,;\t\"\n\r #'\\";
    for (int round = 0; round < 200; ++round) {
        std::size_t const width = 2 + random() % 3;
        std::vector<Column> columns(width);
        for (std::size_t i = 0; i < width; ++i) columns[i].name = "c" + std::to_string(i);
        Table table(columns);
        for (int row = 0; row < 5; ++row) {
            std::vector<Cell> cells;
            for (std::size_t i = 0; i < width; ++i) {
                std::string text;
                for (auto length = random() % 6; length > 0; --length) text += letters[random() % letters.size()];
                cells.emplace_back(text);
            }
            table.add_row(cells);
        }
        Result<CsvFile> const file = parse_csv(table.to_csv(), "t.csv", ',');
        REQUIRE(file.ok());
        REQUIRE(file->rows.size() == 5);
        for (std::size_t row = 0; row < 5; ++row)
            for (std::size_t i = 0; i < width; ++i)
                CHECK(file->rows[row][i] == std::get<std::string>(table.at(row, i)));
    }
}

TEST_CASE("CSV as other programs write it") {
    // Byte order mark, CR LF, no line end at the end, blank lines, a header that begins with #.
    Result<CsvFile> const windows = parse_csv("\xEF\xBB\xBF#Pdb;ddG\r\n\r\n1AO7_ABC_DE;1,5\r\n", "s.csv");
    REQUIRE(windows.ok());
    CHECK(windows->separator == ';');
    CHECK(windows->header == std::vector<std::string>{"#Pdb", "ddG"});
    CHECK(windows->rows == std::vector<std::vector<std::string>>{{"1AO7_ABC_DE", "1,5"}});
    CHECK(windows->lines == std::vector<int>{3});

    Result<CsvFile> const tabs = parse_csv("a\tb, c\n\t\n1\t2", "t.tsv");
    REQUIRE(tabs.ok());
    CHECK(tabs->separator == '\t');
    CHECK(tabs->rows == std::vector<std::vector<std::string>>{{"", ""}, {"1", "2"}});

    Result<CsvFile> const mac = parse_csv("a,b\r1,2\r", "m.csv");  // line ends of old Macs
    REQUIRE(mac.ok());
    CHECK(mac->rows == std::vector<std::vector<std::string>>{{"1", "2"}});

    Result<CsvFile> const header_only = parse_csv("a,\"b\nc\"", "h.csv");
    REQUIRE(header_only.ok());
    CHECK(header_only->header == std::vector<std::string>{"a", "b\nc"});
    CHECK(header_only->rows.empty());
}

TEST_CASE("Broken CSV is refused with its line") {
    CHECK(refused("") == "the table is empty (list.csv)");
    CHECK(contains(refused("\xEF\xBB\xBF"), "has no header line"));
    CHECK(contains(refused("\n\n# only a comment\n"), "has no header line"));
    CHECK(contains(refused("a,b\n1,2\n3\n"), "the row has 1 field, the header has 2 (list.csv line 3)"));
    CHECK(contains(refused("# c\na,b\n1,2,3\n"), "the row has 3 fields, the header has 2 (list.csv line 3)"));
    CHECK(contains(refused("a,b\n1,\"2\n3,4\n5,6\n"), "a quote opened here is never closed (list.csv line 2)"));
    CHECK(contains(refused("a,b\n\"x\ny\",\"1\"2\n"), "text follows a closing quote (list.csv line 3)"));
    CHECK(contains(refused("\""), "never closed (list.csv line 1)"));
}

TEST_CASE("Text that is not UTF-8 is named") {
    CHECK(contains(refused(std::string_view("\xFF\xFE"
                                            "a\0,\0",
                                            6)),
                   "UTF-16"));
    CHECK(contains(refused(std::string_view("\xFE\xFF\0a\0,", 6)), "UTF-16"));
    CHECK(contains(refused(std::string_view("a\0,\0b\0\n\0", 8)), "UTF-16"));
    CHECK(contains(refused("a,b\nM\xFCller,2\n"), "not UTF-8 text (list.csv line 2)"));
    CHECK(contains(refused("a,b\n\xC0\xAF,2\n"), "not UTF-8"));          // overlong
    CHECK(contains(refused("a,b\n\xED\xA0\x80,2\n"), "not UTF-8"));      // a surrogate
    CHECK(contains(refused("a,b\n\xF4\x90\x80\x80,2\n"), "not UTF-8"));  // beyond Unicode
    CHECK(contains(refused("a,b\n1,\xE2\x82"), "not UTF-8"));            // cut in a character
    CHECK(contains(refused(std::string_view("a,bcd\n1,\0", 9)), "zero bytes"));
    CHECK(parse_csv("a,b\nM\xC3\xBCller,\xF0\x9F\x98\x80\n", "t.csv").ok());
}

TEST_CASE("Random bytes never crash the reader of CSV") {
    std::mt19937 random(11);
    for (int round = 0; round < 2000; ++round) {
        std::string bytes;
        for (auto length = random() % 60; length > 0; --length) {
            constexpr std::string_view likely = ",;\t\"\n\r# a1\xC3\xA9\xFF";
            bytes += likely[random() % likely.size()];
        }
        Result<CsvFile> const file = parse_csv(bytes, "r.csv");
        if (!file) {
            CHECK_FALSE(file.error().what.empty());
        } else {
            for (auto const& row : file->rows) CHECK(row.size() == file->header.size());
        }
    }
}

TEST_CASE("A table survives JSON") {
    Table const table = sample();
    Json const json = Json::parse(table.to_json().dump());
    Result<Table> const back = Table::from_json(json);
    REQUIRE(back.ok());
    CHECK(back->to_csv() == table.to_csv());
    CHECK(back->columns()[1].unit == "kcal/mol");
    CHECK(back->columns()[1].label == "mean ddG");
    CHECK(back->columns()[1].decimals == 2);
    CHECK(back->columns()[2].type == ColumnType::integer);
    CHECK(std::holds_alternative<std::monostate>(back->at(2, 0)));
    CHECK(back->to_json() == table.to_json());
    CHECK(table.column_index("n") == 2);
    CHECK(table.column_index("m") == -1);
}

TEST_CASE("JSON that is no table is refused with its place") {
    auto const message = [](Json const& value) {
        Result<Table> const table = Table::from_json(value);
        REQUIRE_FALSE(table.ok());
        return table.error().message();
    };
    Json const good = sample().to_json();
    CHECK(contains(message(Json::array()), "must be an object"));
    CHECK(contains(message({{"columns", 1}, {"rows", 2}}), "must be an object"));
    Json broken = good;
    broken["rows"][1] = {"a", 1.5};
    CHECK(message(broken) == "a row of the table does not have 3 cells (row 2)");
    broken = good;
    broken["rows"][0][2] = "many";
    CHECK(message(broken) == "a cell is no integer (row 1, column n)");
    broken = good;
    broken["columns"][1]["type"] = "matrix";
    CHECK(contains(message(broken), "the column's type \"matrix\" is unknown (column 2)"));
    broken = good;
    broken["columns"][0].erase("name");
    CHECK(message(broken) == "a table's column has no name (column 1)");
    broken = good;
    broken["columns"][0]["unit"] = 3;
    CHECK(contains(message(broken), "unit is no text"));
}
