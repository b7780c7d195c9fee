#include "core/methods/stab-ddg/tables.h"

#include "core/base/files.h"
#include "core/base/number.h"
#include "core/base/table.h"
#include "core/io/gunzip.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <initializer_list>

namespace orrery::methods::stab_ddg {
namespace {

constexpr std::uint64_t largest_table = std::uint64_t{1} << 30;

std::string trimmed(std::string_view text) {
    auto const first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

// The first column whose name is one of `names`, without regard to case; -1 if there is none.
int find_column(CsvFile const& csv, std::initializer_list<std::string_view> names) {
    for (std::string_view const name : names)
        for (std::size_t i = 0; i < csv.header.size(); ++i)
            if (lower(trimmed(csv.header[i])) == name) return static_cast<int>(i);
    return -1;
}

struct Columns {
    int complex = -1, cleaned = -1, author = -1, mutation = -1, ddg = -1;
    int mutant = -1, wild_type = -1;            // numbers, M
    int mutant_text = -1, wild_type_text = -1;  // SKEMPI: "<1E-11", "n.b"
    int temperature = -1, cluster = -1, split = -1;
};

Columns columns_of(CsvFile const& csv) {
    Columns c;
    c.complex = find_column(csv, {"#pdb", "pdb", "complex", "name"});
    c.cleaned = find_column(csv, {"mutation(s)_cleaned"});
    c.author = find_column(csv, {"mutation(s)_pdb", "mutation_author"});
    c.mutation = find_column(csv, {"mutation", "mutations", "mutant", "mutation(s)"});
    c.ddg = find_column(csv, {"ddg", "ddg_measured", "measured", "measured_ddg", "ddg_exp"});
    c.mutant = find_column(csv, {"affinity_mut_parsed", "kd_mut", "kd_mut (m)"});
    c.wild_type = find_column(csv, {"affinity_wt_parsed", "kd_wt", "kd_wt (m)"});
    c.mutant_text = find_column(csv, {"affinity_mut (m)"});
    c.wild_type_text = find_column(csv, {"affinity_wt (m)"});
    c.temperature = find_column(csv, {"temperature"});
    c.cluster = find_column(csv, {"cluster"});
    c.split = find_column(csv, {"split"});
    return c;
}

std::string const& cell(std::vector<std::string> const& row, int column) {
    static std::string const empty;
    return column < 0 ? empty : row[static_cast<std::size_t>(column)];
}

std::string column_list(CsvFile const& csv) {
    std::string text;
    for (std::string const& name : csv.header)
        if (!name.empty()) text += (text.empty() ? "" : ", ") + name;
    return text;
}

// A number that may be a limit: ">2.5", "<1E-11". `limit` is '>' or '<', 0 for a plain number.
struct Limited {
    double value = 0;
    char limit = 0;
};

std::optional<Limited> parse_limited(std::string_view given) {
    std::string text = trimmed(given);
    Limited result;
    if (!text.empty() && (text[0] == '>' || text[0] == '<')) {
        result.limit = text[0];
        text = trimmed(std::string_view(text).substr(text.size() > 1 && text[1] == '=' ? 2 : 1));
    } else if (!text.empty() && text[0] == '~') {
        text = trimmed(std::string_view(text).substr(1));
    }
    auto const value = parse_real(text);
    if (!value || !std::isfinite(*value)) return std::nullopt;
    result.value = *value;
    return result;
}

bool is_no_binding(std::string_view text) {
    std::string const small = lower(trimmed(text));
    return small == "n.b" || small == "n.b." || small == "nb" || small == "no binding" || small == "unf";
}

bool is_missing(std::string_view text) {
    std::string const small = lower(trimmed(text));
    return small.empty() || small == "nan" || small == "na" || small == "n/a" || small == "none" || small == "-";
}

class TableParser {
public:
    // `tighter_positive`: the comments of a table of ours say that the sign is that of the benchmark tables.
    TableParser(CsvFile csv, std::string const& file_name, bool tighter_positive)
        : m_csv(std::move(csv)), m_columns(columns_of(m_csv)), m_ours(m_csv.column("ddg_mean") >= 0) {
        m_table.file_name = file_name;
        m_turn_measured = m_ours && !tighter_positive;
    }

    Result<MutantTable> run() {
        if (m_columns.cleaned < 0 && m_columns.mutation < 0 && m_columns.author < 0)
            return bad_input("the table has no column of mutations", m_table.file_name,
                             "Name it mutation or Mutation(s)_cleaned; the columns are " + column_list(m_csv), "table");
        if (m_columns.complex < 0)
            return bad_input("the table has no column of complexes", m_table.file_name,
                             "Name it #Pdb, with entries like 1AO7_ABC_DE; the columns are " + column_list(m_csv),
                             "table");
        settle_kind();
        find_predictors();
        for (std::size_t i = 0; i < m_csv.rows.size(); ++i) ORRERY_CHECK(add_row(m_csv.rows[i], m_csv.lines[i]));
        if (m_table.rows.empty())
            return bad_input("the table has no rows", m_table.file_name, "Each mutant is one row", "table");
        add_notes();
        return std::move(m_table);
    }

private:
    void settle_kind() {
        if (m_columns.mutant >= 0 && m_columns.cleaned >= 0 && m_columns.mutant_text >= 0)
            m_table.kind = TableKind::skempi_v2;
        else if (m_csv.column("pred_1") >= 0)
            m_table.kind = TableKind::official_result;
        else if (m_columns.cleaned >= 0 || m_columns.ddg >= 0 || m_columns.mutant >= 0)
            m_table.kind = TableKind::skempi_like;
        else
            m_table.kind = TableKind::official_list;
        bool const cleaned = m_columns.cleaned >= 0 || m_table.kind == TableKind::official_result || m_ours;
        if (cleaned)
            m_table.numbering = Numbering::ordinal;
        else if (m_columns.mutation < 0)
            m_table.numbering = Numbering::author;
        // run_stabddg.py turns the sign before writing pred_1; its evaluation script, which adds ddG, does not.
        m_table.predictions_weaker_positive =
            m_turn_measured || (m_table.kind == TableKind::official_result && m_columns.ddg < 0);
    }

    // Every column whose cells are numbers or missing, and that is not measured or bookkeeping.
    void find_predictors() {
        if (m_table.kind == TableKind::skempi_v2) return;
        static constexpr std::array known = {"cluster", "split",       "temperature",   "ddg_se",    "n",
                                             "line",    "ddg_complex", "ddg_side1",     "ddg_side2", "index",
                                             "",        "unnamed: 0",  "measured_limit"};
        for (std::size_t c = 0; c < m_csv.header.size(); ++c) {
            std::string const name = lower(trimmed(m_csv.header[c]));
            if (std::find(known.begin(), known.end(), name) != known.end()) continue;
            int const column = static_cast<int>(c);
            if (column == m_columns.ddg || column == m_columns.mutant || column == m_columns.wild_type) continue;
            bool any = false, numbers = true;
            for (auto const& row : m_csv.rows) {
                if (is_missing(row[c])) continue;
                auto const value = parse_real(trimmed(row[c]));
                numbers = numbers && value && std::isfinite(*value);
                any = true;
                if (!numbers) break;
            }
            if (!any || !numbers) continue;
            m_predictor_columns.push_back(c);
            m_table.predictors.push_back(trimmed(m_csv.header[c]));
        }
    }

    [[nodiscard]] Error error(std::string what, int line, std::string remedy) const {
        return bad_input(std::move(what), m_table.file_name + " line " + std::to_string(line), std::move(remedy),
                         "table");
    }

    Result<void> add_row(std::vector<std::string> const& cells, int line) {
        MutantRow row;
        row.line = line;
        row.complex = trimmed(cell(cells, m_columns.complex));
        row.mutation_author = plain_mutation(cell(cells, m_columns.author));
        row.mutation = plain_mutation(cell(cells, m_columns.cleaned >= 0    ? m_columns.cleaned
                                                  : m_columns.mutation >= 0 ? m_columns.mutation
                                                                            : m_columns.author));
        if (row.mutation.empty() && row.complex.empty()) return {};
        if (row.mutation.empty()) return error("the mutation is empty", line, "Write it like EA63Q");
        if (!split_complex_name(row.complex))
            return error("\"" + row.complex + "\" does not name a complex", line,
                         "Write file name and the two sides: 1AO7_ABC_DE");
        row.cluster = trimmed(cell(cells, m_columns.cluster));
        row.split = trimmed(cell(cells, m_columns.split));
        if (trimmed(cell(cells, m_csv.column("measured_limit"))) == "1") {
            row.censored = true;
            row.censoring = "measured_limit";
        }
        if (m_columns.ddg >= 0)
            ORRERY_CHECK(add_ddg(row, cell(cells, m_columns.ddg)));
        else if (m_columns.mutant >= 0 && m_columns.wild_type >= 0)
            ORRERY_CHECK(add_affinities(row, cells));
        for (std::size_t const c : m_predictor_columns)
            row.predictions.push_back(is_missing(cells[c]) ? std::nullopt : parse_real(trimmed(cells[c])));
        m_table.rows.push_back(std::move(row));
        return {};
    }

    Result<void> add_ddg(MutantRow& row, std::string const& text) {
        if (is_missing(text)) return {};
        if (is_no_binding(text)) {
            row.censored = true;
            row.censoring = trimmed(text);
            return {};
        }
        auto const value = parse_limited(text);
        if (!value)
            return error("the ddG \"" + trimmed(text) + "\" is not a number", row.line, "Write kcal/mol, like -1.25");
        row.ddg = m_turn_measured ? -value->value : value->value;
        // AB-Bind writes "no binding" as 8 kcal/mol.
        if (value->limit != 0 || std::abs(value->value) == 8.0) {
            row.censored = true;
            row.censoring = "ddG " + trimmed(text);
        }
        return {};
    }

    Result<void> add_affinities(MutantRow& row, std::vector<std::string> const& cells) {
        auto const temperature = temperature_of(cell(cells, m_columns.temperature));
        if (!temperature)
            return error("the temperature \"" + trimmed(cell(cells, m_columns.temperature)) + "\" is not one", row.line,
                         "Write kelvins, like 298 or 298(assumed)");
        std::array<std::optional<double>, 2> affinity;
        std::array<int, 2> const numbers = {m_columns.mutant, m_columns.wild_type};
        std::array<int, 2> const texts = {m_columns.mutant_text, m_columns.wild_type_text};
        for (std::size_t i = 0; i < 2; ++i) {
            std::string const& text = cell(cells, numbers[i]);
            std::string const original = trimmed(cell(cells, texts[i] >= 0 ? texts[i] : numbers[i]));
            bool const limit = !original.empty() && (original[0] == '>' || original[0] == '<');
            if (limit || is_no_binding(original)) {
                row.censored = true;
                row.censoring +=
                    (row.censoring.empty() ? "" : ", ") + std::string(i == 0 ? "mutant " : "wild type ") + original;
            }
            if (is_missing(text) || is_no_binding(text)) continue;
            auto const value = parse_limited(text);
            if (!value)
                return error("the affinity \"" + trimmed(text) + "\" is not a number", row.line,
                             "Write K_D in M, like 1.2E-09");
            if (!(value->value > 0))
                return error("the affinity \"" + trimmed(text) + "\" is not positive", row.line, "Write K_D in M");
            affinity[i] = value->value;
        }
        if (affinity[0] && affinity[1]) row.ddg = ddg_from_affinities(*affinity[0], *affinity[1], *temperature);
        return {};
    }

    void add_notes() {
        auto const censored =
            std::count_if(m_table.rows.begin(), m_table.rows.end(), [](auto const& r) { return r.censored; });
        if (censored > 0)
            m_table.notes.push_back(std::to_string(censored) +
                                    (censored == 1 ? " measurement is a limit" : " measurements are limits") +
                                    " (>, <, no binding)");
    }

    CsvFile m_csv;
    Columns m_columns;
    std::vector<std::size_t> m_predictor_columns;
    bool m_ours;  // written by predict or scan
    bool m_turn_measured = false;
    MutantTable m_table;
};

// FoldX: one mutant a line, "EA63Q,QD30V;".
bool looks_like_individual_list(std::string_view bytes) {
    auto const end = bytes.find('\n');
    std::string const first = trimmed(bytes.substr(0, end));
    return first.size() > 4 && first.back() == ';' && first.find("#") == std::string::npos &&
           std::count(first.begin(), first.end(), ';') == 1 &&
           std::isdigit(static_cast<unsigned char>(first[first.size() - 3]));
}

Result<MutantTable> parse_individual_list(std::string_view bytes, std::string const& file_name) {
    MutantTable table;
    table.kind = TableKind::individual_list;
    table.file_name = file_name;
    table.numbering = Numbering::author;  // FoldX counts as the PDB file does
    int line = 0;
    while (!bytes.empty()) {
        auto const end = bytes.find('\n');
        std::string text = trimmed(bytes.substr(0, end));
        bytes = end == std::string_view::npos ? std::string_view{} : bytes.substr(end + 1);
        ++line;
        while (!text.empty() && (text.back() == ';' || text.back() == ',')) text.pop_back();
        if (text.empty()) continue;
        MutantRow row;
        row.line = line;
        row.mutation = row.mutation_author = text;
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace

std::string_view to_string(TableKind kind) {
    switch (kind) {
        case TableKind::official_list:
            return "list of mutants";
        case TableKind::skempi_like:
            return "SKEMPI-like table";
        case TableKind::skempi_v2:
            return "SKEMPI v2 table";
        case TableKind::official_result:
            return "result of the official code";
        case TableKind::individual_list:
            return "FoldX individual list";
    }
    return "table";
}

bool MutantTable::has_measurements() const {
    return std::any_of(rows.begin(), rows.end(), [](MutantRow const& row) { return row.ddg.has_value(); });
}

std::string MutantTable::where(MutantRow const& row) const { return file_name + " line " + std::to_string(row.line); }

std::string plain_mutation(std::string_view text) {
    std::string result;
    for (char const c : text)
        if (c != '[' && c != ']' && c != '\'' && c != '"' && c != ' ' && c != '\t') result += c;
    return result;
}

double binding_energy(double dissociation_constant, double temperature) {
    return 8.314 / 4184 * temperature * std::log(dissociation_constant);
}

double ddg_from_affinities(double mutant, double wild_type, double temperature) {
    return -(binding_energy(mutant, temperature) - binding_energy(wild_type, temperature));
}

std::optional<double> temperature_of(std::string_view text) {
    std::string const number = trimmed(text.substr(0, text.find('(')));
    if (number.empty()) return 298.0;
    int value = 0;
    auto const [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error != std::errc{} || end != number.data() + number.size() || value <= 0 || value > 1000) {
        auto const real = parse_real(number);
        if (!real || !(*real > 0) || *real > 1000) return std::nullopt;
        return *real;
    }
    return value;
}

Result<MutantTable> parse_mutant_table(std::string_view bytes, std::string const& file_name) {
    if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
    if (looks_like_individual_list(bytes)) return parse_individual_list(bytes, file_name);
    ORRERY_TRY(CsvFile csv, parse_csv(bytes, file_name));
    // Our tables say their sign in the comments before the header.
    bool const tighter_positive =
        bytes.substr(0, bytes.find("\ncomplex")).find("positive = tighter binding") != std::string_view::npos;
    return TableParser(std::move(csv), file_name, tighter_positive).run();
}

Result<MutantTable> read_mutant_table(std::filesystem::path const& path) {
    ORRERY_TRY(std::string bytes, read_file(path, largest_table));
    std::string const file_name = path.filename().string();
    if (io::is_gzip(bytes)) {
        ORRERY_TRY(bytes, io::gunzip(bytes, file_name, largest_table));
    }
    return parse_mutant_table(bytes, file_name);
}

}  // namespace orrery::methods::stab_ddg
