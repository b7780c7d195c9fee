#include "renderers/table/row_filter.h"

#include "core/base/nearest.h"
#include "core/base/number.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>

namespace orrery {
namespace {

char lower(char letter) { return static_cast<char>(std::tolower(static_cast<unsigned char>(letter))); }

std::string lowered(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), lower);
    return result;
}

bool contains(std::string_view text, std::string_view lowered_part) {
    auto const equal = [](char a, char b) { return lower(a) == b; };
    return std::search(text.begin(), text.end(), lowered_part.begin(), lowered_part.end(), equal) != text.end();
}

struct Token {
    enum Kind { word, quoted, comparison, open, close, comma, end } kind = end;
    std::string text;
};

Result<std::vector<Token>> split(std::string_view text) {
    std::vector<Token> tokens;
    std::size_t at = 0;
    while (at < text.size()) {
        char const letter = text[at];
        if (std::isspace(static_cast<unsigned char>(letter)) != 0) {
            ++at;
        } else if (letter == '"') {
            std::size_t const end = text.find('"', at + 1);
            if (end == std::string_view::npos) return bad_input("a quote is not closed", "filter", "add the second \"");
            tokens.push_back({Token::quoted, std::string(text.substr(at + 1, end - at - 1))});
            at = end + 1;
        } else if (letter == '(' || letter == ')' || letter == ',') {
            tokens.push_back({letter == '('   ? Token::open
                              : letter == ')' ? Token::close
                                              : Token::comma,
                              std::string(1, letter)});
            ++at;
        } else if (std::string_view("<>=!~").find(letter) != std::string_view::npos) {
            std::size_t length = 1;
            if (at + 1 < text.size() && (text[at + 1] == '=' || (letter == '!' && text[at + 1] == '~'))) length = 2;
            tokens.push_back({Token::comparison, std::string(text.substr(at, length))});
            at += length;
        } else {
            std::size_t end = at;
            while (end < text.size() && std::isspace(static_cast<unsigned char>(text[end])) == 0 &&
                   std::string_view("\"(),<>=!~").find(text[end]) == std::string_view::npos) {
                ++end;
            }
            tokens.push_back({Token::word, std::string(text.substr(at, end - at))});
            at = end;
        }
    }
    tokens.push_back({});
    return tokens;
}

template <class T>
bool holds(std::string const& comparison, T const& order) {  // order: <0, 0, >0
    if (comparison == "<") return order < 0;
    if (comparison == "<=") return order <= 0;
    if (comparison == ">") return order > 0;
    if (comparison == ">=") return order >= 0;
    if (comparison == "!=") return order != 0;
    return order == 0;
}

double number_of(Cell const& cell) {
    if (auto const* const real = std::get_if<double>(&cell)) return *real;
    if (auto const* const whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
    return std::nan("");
}

class Parser {
public:
    Parser(std::vector<Token> tokens, std::vector<Column> const& columns)
        : m_tokens(std::move(tokens)), m_columns(columns) {}

    Result<RowFilter> parse() {
        ORRERY_TRY(RowFilter filter, either());
        if (here().kind == Token::close) return bad_input("a ) without its (", "filter", "remove it");
        if (here().kind != Token::end) return bad_input("\"" + here().text + "\" does not fit here", "filter");
        return filter;
    }

private:
    [[nodiscard]] Token const& here() const { return m_tokens[m_at]; }
    [[nodiscard]] bool is_word(char const* word) const {
        return here().kind == Token::word && lowered(here().text) == word;
    }

    Result<RowFilter> either() {
        ORRERY_TRY(RowFilter left, both());
        while (is_word("or")) {
            ++m_at;
            ORRERY_TRY(RowFilter right, both());
            left = [left, right](Table const& table, std::size_t row) { return left(table, row) || right(table, row); };
        }
        return left;
    }

    // Conditions side by side all have to hold, with or without "and" or a comma between them.
    Result<RowFilter> both() {
        ORRERY_TRY(RowFilter left, one());
        while (here().kind != Token::end && here().kind != Token::close && !is_word("or")) {
            if (is_word("and") || here().kind == Token::comma) ++m_at;
            ORRERY_TRY(RowFilter right, one());
            left = [left, right](Table const& table, std::size_t row) { return left(table, row) && right(table, row); };
        }
        return left;
    }

    Result<RowFilter> one() {
        if (is_word("not")) {
            ++m_at;
            ORRERY_TRY(RowFilter inner, one());
            return RowFilter([inner](Table const& table, std::size_t row) { return !inner(table, row); });
        }
        if (here().kind == Token::open) {
            ++m_at;
            ORRERY_TRY(RowFilter inner, either());
            if (here().kind != Token::close) return bad_input("a ( is not closed", "filter", "add the )");
            ++m_at;
            return inner;
        }
        if (here().kind != Token::word && here().kind != Token::quoted) {
            std::string const found = here().kind == Token::end ? "the end" : "\"" + here().text + "\"";
            return bad_input("a column or a word is missing before " + found, "filter", "for example: ddg_mean > 1");
        }
        Token const first = here();
        ++m_at;
        if (here().kind != Token::comparison) return any_cell(first.text);
        std::string comparison = here().text;
        ++m_at;
        if (here().kind != Token::word && here().kind != Token::quoted) {
            return bad_input("nothing to compare with after \"" + first.text + " " + comparison + "\"", "filter");
        }
        Token const value = here();
        ++m_at;
        return comparison_of(first.text, comparison == "==" ? "=" : comparison, value);
    }

    [[nodiscard]] RowFilter any_cell(std::string const& word) const {
        std::string const part = lowered(word);
        std::vector<std::size_t> searched;
        bool const like_a_number = !part.empty() && (std::isdigit(static_cast<unsigned char>(part[0])) != 0 ||
                                                     part[0] == '-' || part[0] == '.');
        for (std::size_t column = 0; column < m_columns.size(); ++column) {
            if (m_columns[column].type == ColumnType::text || like_a_number) searched.push_back(column);
        }
        return [part, searched, columns = m_columns](Table const& table, std::size_t row) {
            return std::any_of(searched.begin(), searched.end(), [&](std::size_t column) {
                Cell const& cell = table.at(row, column);
                if (auto const* const text = std::get_if<std::string>(&cell)) return contains(*text, part);
                return contains(shown_text(cell, columns[column]), part);
            });
        };
    }

    Result<RowFilter> comparison_of(std::string const& name, std::string const& comparison, Token const& value) const {
        std::size_t column = m_columns.size();
        for (std::size_t index = 0; index < m_columns.size(); ++index) {
            if (lowered(m_columns[index].name) == lowered(name) || lowered(m_columns[index].label) == lowered(name)) {
                column = index;
                break;
            }
        }
        if (column == m_columns.size()) {
            std::vector<std::string> names;
            for (Column const& known : m_columns) names.push_back(known.name);
            std::string const near = did_you_mean(name, names);
            return bad_input("there is no column \"" + name + "\"", "filter",
                             near.empty() ? "Columns: " + or_list(names) : near);
        }
        bool const equality = comparison == "=" || comparison == "!=";
        if (equality && value.kind == Token::word && lowered(value.text) == "missing") {
            return RowFilter([column, wanted = comparison == "="](Table const& table, std::size_t row) {
                return is_missing(table.at(row, column)) == wanted;
            });
        }
        bool const has_part = comparison == "~" || comparison == "!~";
        if (has_part) {
            return RowFilter(
                [column, part = lowered(value.text), wanted = comparison == "~"](Table const& table, std::size_t row) {
                    return contains(cell_text(table.at(row, column)), part) == wanted;
                });
        }
        if (m_columns[column].type == ColumnType::text) {
            return RowFilter([column, comparison, text = value.text](Table const& table, std::size_t row) {
                auto const* const cell = std::get_if<std::string>(&table.at(row, column));
                if (cell == nullptr) return comparison == "!=";
                if (comparison == "=" || comparison == "!=") return (*cell == text) == (comparison == "=");
                return holds(comparison, natural_compare(*cell, text));
            });
        }
        std::optional<double> const number = parse_real(value.text);
        if (!number) {
            return bad_input("\"" + value.text + "\" is not a number", "filter, column " + m_columns[column].name,
                             "compare it with a number, or write = missing");
        }
        return RowFilter([column, comparison, wanted = *number](Table const& table, std::size_t row) {
            double const found = number_of(table.at(row, column));
            if (std::isnan(found)) return comparison == "!=";
            return holds(comparison, found < wanted ? -1 : found > wanted ? 1 : 0);
        });
    }

    std::vector<Token> m_tokens;
    std::vector<Column> const& m_columns;
    std::size_t m_at = 0;
};

}  // namespace

Result<RowFilter> parse_row_filter(std::string_view text, std::vector<Column> const& columns) {
    ORRERY_TRY(std::vector<Token> tokens, split(text));
    if (tokens.size() == 1) return RowFilter([](Table const&, std::size_t) { return true; });
    return Parser(std::move(tokens), columns).parse();
}

int natural_compare(std::string_view a, std::string_view b) {
    auto const digit = [](char letter) { return std::isdigit(static_cast<unsigned char>(letter)) != 0; };
    std::size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (digit(a[i]) && digit(b[j])) {
            while (i < a.size() && a[i] == '0') ++i;
            while (j < b.size() && b[j] == '0') ++j;
            std::size_t const first = i, second = j;
            while (i < a.size() && digit(a[i])) ++i;
            while (j < b.size() && digit(b[j])) ++j;
            if (i - first != j - second) return i - first < j - second ? -1 : 1;
            int const order = a.substr(first, i - first).compare(b.substr(second, j - second));
            if (order != 0) return order < 0 ? -1 : 1;
            continue;
        }
        char const x = lower(a[i]), y = lower(b[j]);
        if (x != y) return static_cast<unsigned char>(x) < static_cast<unsigned char>(y) ? -1 : 1;
        ++i;
        ++j;
    }
    if (i < a.size() || j < b.size()) return j < b.size() ? -1 : 1;
    int const order = a.compare(b);  // 01 and 1, a and A: one order, always the same
    return order < 0 ? -1 : order > 0 ? 1 : 0;
}

std::string cell_text(Cell const& cell) {
    if (auto const* const text = std::get_if<std::string>(&cell)) return *text;
    if (auto const* const whole = std::get_if<std::int64_t>(&cell)) return std::to_string(*whole);
    if (auto const* const real = std::get_if<double>(&cell))
        return std::isnan(*real) ? std::string() : number_text(*real);
    return {};
}

std::string shown_text(Cell const& cell, Column const& column) {
    auto const* const real = std::get_if<double>(&cell);
    if (real == nullptr || !std::isfinite(*real)) return cell_text(cell);
    char text[64];
    double const smallest = 0.5 * std::pow(10.0, -column.decimals);
    bool const plain = *real == 0 || (std::abs(*real) < 1e9 && std::abs(*real) >= smallest);
    std::snprintf(text, sizeof text, plain ? "%.*f" : "%.*e", plain ? column.decimals : 2, *real);
    return text;
}

bool is_missing(Cell const& cell) {
    if (auto const* const real = std::get_if<double>(&cell)) return std::isnan(*real);
    return std::holds_alternative<std::monostate>(cell);
}

}  // namespace orrery
