#include "core/methods/stab-ddg/skempi_filter.h"

#include "core/base/number.h"
#include "core/base/table.h"
#include "core/methods/stab-ddg/tables.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>

namespace orrery::methods::stab_ddg {
namespace {

std::vector<std::string> split_commas(std::string_view text) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        auto const comma = text.find(',');
        std::string_view part = text.substr(0, comma);
        while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
        while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
        if (!part.empty()) parts.emplace_back(part);
        if (comma == std::string_view::npos) break;
        text.remove_prefix(comma + 1);
    }
    return parts;
}

struct Columns {
    int complex = 0, cleaned = 0, author = 0, location = 0, hold_out = 0, mutant = 0, mutant_text = 0, wild_type = 0,
        wild_type_text = 0, temperature = 0;
};

Result<Columns> find_columns(CsvFile const& csv, std::string const& file_name) {
    Columns columns;
    std::pair<char const*, int*> const wanted[] = {{"#Pdb", &columns.complex},
                                                   {"Mutation(s)_cleaned", &columns.cleaned},
                                                   {"Mutation(s)_PDB", &columns.author},
                                                   {"iMutation_Location(s)", &columns.location},
                                                   {"Hold_out_proteins", &columns.hold_out},
                                                   {"Affinity_mut_parsed", &columns.mutant},
                                                   {"Affinity_mut (M)", &columns.mutant_text},
                                                   {"Affinity_wt_parsed", &columns.wild_type},
                                                   {"Affinity_wt (M)", &columns.wild_type_text},
                                                   {"Temperature", &columns.temperature}};
    for (auto const& [name, index] : wanted) {
        *index = csv.column(name);
        if (*index < 0)
            return bad_input(std::string("the column ") + name + " is missing", file_name,
                             "This verb reads skempi_v2.csv as it is distributed (29 columns, separated by ;)",
                             "table");
    }
    return columns;
}

bool touches_interface(std::string_view locations) {
    for (std::string const& location : split_commas(locations))
        if (location == "COR" || location == "SUP" || location == "RIM") return true;
    return false;
}

bool is_limit(std::string const& text) { return !text.empty() && (text[0] == '>' || text[0] == '<'); }

class Filter {
public:
    Filter(CsvFile csv, Columns columns, std::string const& file_name, SkempiOptions const& options)
        : m_csv(std::move(csv)), m_columns(columns), m_file_name(file_name), m_options(options) {}

    Result<SkempiResult> run() {
        count_table();
        ORRERY_CHECK(take_rows());
        drop_complexes();
        // pandas' group order: by name.
        std::stable_sort(m_result.rows.begin(), m_result.rows.end(),
                         [](SkempiRow const& a, SkempiRow const& b) { return a.complex < b.complex; });
        for (SkempiRow const& row : m_result.rows)
            if (row.mutation.find(',') == std::string::npos) ++m_result.single_mutants;
        split(cluster());
        return std::move(m_result);
    }

private:
    [[nodiscard]] std::string const& cell(std::size_t row, int column) const {
        return m_csv.rows[row][static_cast<std::size_t>(column)];
    }

    void count_table() {
        std::set<std::string> complexes, ids;
        for (std::size_t i = 0; i < m_csv.rows.size(); ++i) {
            complexes.insert(cell(i, m_columns.complex));
            ids.insert(cell(i, m_columns.complex).substr(0, 4));
        }
        m_result.all_rows = static_cast<int>(m_csv.rows.size());
        m_result.all_complexes = static_cast<int>(complexes.size());
        m_result.pdb_ids = static_cast<int>(ids.size());
    }

    // Rows with both affinities, once each, with an interface residue.
    Result<void> take_rows() {
        std::set<std::pair<std::string, std::string>> seen;
        for (std::size_t i = 0; i < m_csv.rows.size(); ++i) {
            std::string const& mutant = cell(i, m_columns.mutant);
            std::string const& wild_type = cell(i, m_columns.wild_type);
            if (mutant.empty() || wild_type.empty()) {
                ++m_result.no_affinity;
                continue;
            }
            if (!seen.insert({cell(i, m_columns.complex), cell(i, m_columns.cleaned)}).second) {
                ++m_result.duplicates;
                continue;
            }
            if (!touches_interface(cell(i, m_columns.location))) {
                ++m_result.no_interface;
                continue;
            }
            ORRERY_TRY(SkempiRow row, make_row(i));
            m_result.rows.push_back(std::move(row));
        }
        return {};
    }

    Result<SkempiRow> make_row(std::size_t i) const {
        auto const mutant = parse_real(cell(i, m_columns.mutant)), wild_type = parse_real(cell(i, m_columns.wild_type));
        auto const temperature = temperature_of(cell(i, m_columns.temperature));
        std::string const where = m_file_name + " line " + std::to_string(m_csv.lines[i]);
        if (!mutant || !wild_type || !(*mutant > 0) || !(*wild_type > 0))
            return bad_input("an affinity is not a positive number", where, "Affinities are K_D in M", "table");
        if (!temperature)
            return bad_input("the temperature \"" + cell(i, m_columns.temperature) + "\" is not one", where,
                             "Write kelvins, like 298 or 298(assumed)", "table");
        SkempiRow row;
        row.complex = cell(i, m_columns.complex);
        row.mutation = cell(i, m_columns.cleaned);
        row.mutation_author = cell(i, m_columns.author);
        row.ddg = ddg_from_affinities(*mutant, *wild_type, *temperature);
        row.line = m_csv.lines[i];
        row.censored = is_limit(cell(i, m_columns.mutant_text)) || is_limit(cell(i, m_columns.wild_type_text));
        row.hold_out = split_commas(cell(i, m_columns.hold_out));
        return row;
    }

    // Removes the rows of complexes that `drop` says, and returns the complexes and how many rows they had.
    template <class Drop>
    std::pair<std::vector<std::string>, int> drop_where(Drop&& drop) {
        std::map<std::string, std::vector<double>> values;
        for (SkempiRow const& row : m_result.rows) values[row.complex].push_back(row.ddg);
        std::set<std::string> dropped;
        int rows = 0;
        for (auto const& [complex, ddg] : values)
            if (drop(complex, ddg)) {
                dropped.insert(complex);
                rows += static_cast<int>(ddg.size());
            }
        std::erase_if(m_result.rows, [&](SkempiRow const& row) { return dropped.contains(row.complex); });
        return {{dropped.begin(), dropped.end()}, rows};
    }

    void drop_complexes() {
        auto const small = drop_where(
            [&](auto const&, auto const& ddg) { return static_cast<int>(ddg.size()) < m_options.least_mutants; });
        m_result.small_complexes = static_cast<int>(small.first.size());
        m_result.small_rows = small.second;
        std::tie(m_result.repetitive, m_result.repetitive_rows) = drop_where([&](auto const&, auto const& ddg) {
            std::set<double> const distinct(ddg.begin(), ddg.end());
            return static_cast<double>(distinct.size()) / static_cast<double>(ddg.size()) < m_options.least_distinct;
        });
        std::set<std::string> const unresolved(m_options.unresolved.begin(), m_options.unresolved.end());
        std::tie(m_result.unresolved, m_result.unresolved_rows) =
            drop_where([&](std::string const& complex, auto const&) { return unresolved.contains(complex); });
    }

    // Hold_out_proteins lists that share an entry are one cluster, transitively. Returns the number of clusters.
    int cluster() {
        std::map<std::string, std::string> parent;
        auto const root = [&](std::string name) {
            while (true) {
                std::string const& up = parent.try_emplace(name, name).first->second;
                if (up == name) return name;
                name = up;
            }
        };
        for (SkempiRow const& row : m_result.rows)
            for (std::string const& name : row.hold_out)
                if (std::string const a = root(row.hold_out.front()), b = root(name); a != b) parent[b] = a;
        std::map<std::string, int> numbers;
        for (SkempiRow& row : m_result.rows) {
            // A complex that names nothing is a cluster of its own.
            std::string const key = row.hold_out.empty() ? "complex " + row.complex : root(row.hold_out.front());
            row.cluster = numbers.emplace(key, static_cast<int>(numbers.size())).first->second;
        }
        return static_cast<int>(numbers.size());
    }

    void split(int clusters) {
        std::vector<int> const order = numpy_shuffled(clusters, m_options.seed);
        auto const share = static_cast<std::size_t>(m_options.train_share * clusters);
        std::set<int> const train(order.begin(),
                                  order.begin() + static_cast<std::ptrdiff_t>(std::min(share, order.size())));
        std::set<std::string> train_complexes, test_complexes;
        for (SkempiRow& row : m_result.rows) {
            row.train = train.contains(row.cluster);
            ++(row.train ? m_result.train : m_result.test).rows;
            (row.train ? train_complexes : test_complexes).insert(row.complex);
        }
        m_result.train.clusters = static_cast<int>(train.size());
        m_result.test.clusters = clusters - m_result.train.clusters;
        m_result.train.complexes = static_cast<int>(train_complexes.size());
        m_result.test.complexes = static_cast<int>(test_complexes.size());
    }

    CsvFile m_csv;
    Columns m_columns;
    std::string const& m_file_name;
    SkempiOptions const& m_options;
    SkempiResult m_result;
};

}  // namespace

std::vector<int> numpy_shuffled(int count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<int> result(static_cast<std::size_t>(std::max(count, 0)));
    std::iota(result.begin(), result.end(), 0);
    for (int last = count - 1; last > 0; --last) {
        std::uint32_t const mask = (std::uint32_t{2} << (31 - __builtin_clz(static_cast<unsigned>(last)))) - 1;
        std::uint32_t other = 0;
        do other = static_cast<std::uint32_t>(random()) & mask;
        while (other > static_cast<std::uint32_t>(last));
        std::swap(result[static_cast<std::size_t>(last)], result[other]);
    }
    return result;
}

Result<SkempiResult> filter_skempi(std::string_view bytes, std::string const& file_name, SkempiOptions const& options) {
    ORRERY_TRY(CsvFile csv, parse_csv(bytes, file_name, ';'));
    ORRERY_TRY(Columns const columns, find_columns(csv, file_name));
    return Filter(std::move(csv), columns, file_name, options).run();
}

Json to_json(SkempiResult const& result) {
    std::set<std::string> complexes;
    for (SkempiRow const& row : result.rows) complexes.insert(row.complex);
    auto const part = [](SkempiPart const& p) {
        return Json{{"clusters", p.clusters}, {"complexes", p.complexes}, {"rows", p.rows}};
    };
    return {{"rows", result.all_rows},
            {"complexes", result.all_complexes},
            {"pdb_ids", result.pdb_ids},
            {"dropped_no_affinity", result.no_affinity},
            {"dropped_duplicates", result.duplicates},
            {"dropped_no_interface", result.no_interface},
            {"small_complexes", result.small_complexes},
            {"small_rows", result.small_rows},
            {"repetitive_complexes", result.repetitive},
            {"repetitive_rows", result.repetitive_rows},
            {"unresolved_complexes", result.unresolved},
            {"unresolved_rows", result.unresolved_rows},
            {"final_rows", result.rows.size()},
            {"final_complexes", complexes.size()},
            {"single_mutants", result.single_mutants},
            {"train", part(result.train)},
            {"test", part(result.test)}};
}

}  // namespace orrery::methods::stab_ddg
