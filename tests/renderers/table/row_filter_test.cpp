#include "renderers/table/row_filter.h"
#include "tests/catch.h"

#include <cmath>

using namespace orrery;

namespace {

Table results() {
    Table table({{"mutation", "mutation", "", ColumnType::text, 3, ""},
                 {"chain", "chain", "", ColumnType::text, 3, ""},
                 {"ddg_mean", "mean ddG", "kcal/mol", ColumnType::real, 2, ""},
                 {"n", "draws", "", ColumnType::integer, 0, ""},
                 {"measured", "measured", "kcal/mol", ColumnType::real, 2, ""}});
    table.add_row({"EA63Q", "A", 1.24, std::int64_t{20}, 0.9});
    table.add_row({"KA52G", "A", -0.5, std::int64_t{4}, {}});
    table.add_row({"LB7V", "B", 2.75, std::int64_t{20}, std::nan("")});
    table.add_row({"LB10V", "B", {}, {}, -1.5});
    return table;
}

// The rows that pass, as digits: "02".
std::string passing(std::string const& text) {
    Table const table = results();
    Result<RowFilter> const filter = parse_row_filter(text, table.columns());
    INFO(text);
    REQUIRE(filter.ok());
    std::string rows;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        if (filter.value()(table, row)) rows += static_cast<char>('0' + row);
    }
    return rows;
}

std::string refusal(std::string const& text) {
    Result<RowFilter> const filter = parse_row_filter(text, results().columns());
    INFO(text);
    REQUIRE_FALSE(filter.ok());
    return filter.error().message();
}

}  // namespace

TEST_CASE("words are looked for in every text, numbers also in numeric cells") {
    CHECK(passing("") == "0123");
    CHECK(passing("  ") == "0123");
    CHECK(passing("lb") == "23");
    CHECK(passing("LB 10") == "3");
    CHECK(passing("1.24") == "0");
    CHECK(passing("-0.5") == "1");
    CHECK(passing("zebra").empty());
    CHECK(passing("not lb") == "01");
}

TEST_CASE("conditions compare numbers by value and leave missing cells out") {
    CHECK(passing("ddg_mean > 1") == "02");
    CHECK(passing("ddg_mean>1") == "02");
    CHECK(passing("DDG_MEAN >= 1.24") == "02");
    CHECK(passing("\"mean ddG\" < 0") == "1");
    CHECK(passing("n = 20") == "02");
    CHECK(passing("n == 20") == "02");
    CHECK(passing("n != 20") == "13");
    CHECK(passing("measured <= 1e1") == "03");
    CHECK(passing("measured = missing") == "12");
    CHECK(passing("measured != missing") == "03");
}

TEST_CASE("texts compare exactly, naturally, and by parts") {
    CHECK(passing("chain = A") == "01");
    CHECK(passing("chain != A") == "23");
    CHECK(passing("chain = a").empty());
    CHECK(passing("mutation ~ lb") == "23");
    CHECK(passing("mutation !~ LB") == "01");
    CHECK(passing("mutation > LB8") == "3");
    CHECK(passing("mutation = \"LB7V\"") == "2");
}

TEST_CASE("and, or, not and parentheses") {
    CHECK(passing("ddg_mean > 1 and chain = B") == "2");
    CHECK(passing("ddg_mean > 1, chain = B") == "2");
    CHECK(passing("ddg_mean > 1 chain = B") == "2");
    CHECK(passing("n = 4 or chain = B") == "123");
    CHECK(passing("(n = 4 or chain = B) and not measured = missing") == "3");
    CHECK(passing("n = 4 or chain = B and ddg_mean > 1") == "12");
    CHECK(passing("NOT (chain = A OR chain = B)").empty());
}

TEST_CASE("what can't be understood is said with its place and a remedy") {
    CHECK(refusal("ddg_men > 1") == "there is no column \"ddg_men\" (filter). Did you mean \"ddg_mean\"?");
    CHECK(refusal("ddg_mean > much") ==
          "\"much\" is not a number (filter, column ddg_mean). compare it with a number, or write = missing");
    CHECK(refusal("ddg_mean >") == "nothing to compare with after \"ddg_mean >\" (filter)");
    CHECK(refusal("> 1") == "a column or a word is missing before \">\" (filter). for example: ddg_mean > 1");
    CHECK(refusal("(n = 4") == "a ( is not closed (filter). add the )");
    CHECK(refusal("n = 4)") == "a ) without its ( (filter). remove it");
    CHECK(refusal("\"mean") == "a quote is not closed (filter). add the second \"");
    CHECK(refusal("n = 4 and") == "a column or a word is missing before the end (filter). for example: ddg_mean > 1");
    CHECK(refusal("()").find("missing before \")\"") != std::string::npos);
    // Deep nesting is read, not crashed on.
    CHECK(passing(std::string(300, '(') + "n = 4" + std::string(300, ')')) == "1");
}

TEST_CASE("text with numbers in it is ordered as a reader expects") {
    CHECK(natural_compare("A:9", "A:10") < 0);
    CHECK(natural_compare("A:52", "A:52A") < 0);
    CHECK(natural_compare("a", "B") < 0);
    CHECK(natural_compare("x007", "x7") != 0);
    CHECK(natural_compare("x007", "x8") < 0);
    CHECK(natural_compare("", "a") < 0);
    CHECK(natural_compare("same", "same") == 0);
    CHECK(natural_compare("99999999999999999999998", "99999999999999999999999") < 0);
}

TEST_CASE("cells are shown with the column's decimals and copied in full") {
    Column const column{"ddg", "", "", ColumnType::real, 2, ""};
    CHECK(shown_text(1.23456789, column) == "1.23");
    CHECK(cell_text(Cell(1.23456789)) == "1.23456789");
    CHECK(shown_text(0.0001, column) == "1.00e-04");
    CHECK(shown_text(Cell(), column).empty());
    CHECK(cell_text(Cell(std::int64_t{20})) == "20");
    CHECK(is_missing(Cell(std::nan(""))));
    CHECK_FALSE(is_missing(Cell(std::string())));
}
