#include "panels/stab-ddg/results.h"

#include "core/base/number.h"
#include "core/methods/stab-ddg/statistics.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace orrery::panels::stab_ddg {

namespace statistics = orrery::methods::stab_ddg;

namespace {

// "EA63Q" or "E:AB:63:Q" -> "A:63", "AB:63"; empty when it is neither.
std::string residue_key_of(std::string_view text) {
    std::string chain, position;
    if (text.find(':') != std::string_view::npos) {
        std::vector<std::string> parts;
        std::size_t start = 0;
        while (start <= text.size()) {
            std::size_t const end = std::min(text.find(':', start), text.size());
            parts.emplace_back(text.substr(start, end - start));
            start = end + 1;
        }
        if (parts.size() != 4) return {};
        chain = parts[1];
        position = parts[2];
    } else {
        if (text.size() < 4) return {};
        chain = text.substr(1, 1);
        position = text.substr(2, text.size() - 3);
    }
    // Insertion codes are lower case in mutations and upper case in residue keys.
    for (char& letter : position) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    return chain + ":" + position;
}

struct ColumnText {
    char const* name;
    char const* label;
    char const* help;
};
constexpr ColumnText known_columns[] = {
    {"complex", "Complex", "File and sides"},
    {"mutation", "Mutation (ordinal)", "Numbers count the chain's positions from 1, as in SKEMPI's cleaned column"},
    {"mutation_author", "Mutation", "Author numbers, as in the structure file"},
    {"ddg_mean", "ddG", "Mean over the draws"},
    {"ddg_se", "s.e.", "Standard error of the mean: s.d. / sqrt(n)"},
    {"n", "n", "Number of draws"},
    {"ddg_complex", "Complex part", "Folding ddG of the complex"},
    {"ddg_side1", "Side 1 part", "Folding ddG of side 1 alone"},
    {"ddg_side2", "Side 2 part", "Folding ddG of side 2 alone"},
    {"ddg_measured", "Measured", "From your table, in the sign shown"},
    {"ddg_calibrated", "Calibrated", "slope x ddG + intercept"},
};

Column column_of(std::string const& name) {
    Column column;
    column.name = column.label = name;
    for (ColumnText const& known : known_columns) {
        if (name != known.name) continue;
        column.label = known.label;
        column.help = known.help;
    }
    return column;
}

Table typed_table(CsvFile const& csv) {
    std::vector<Column> columns;
    for (std::size_t c = 0; c < csv.header.size(); ++c) {
        Column column = column_of(csv.header[c]);
        bool integer = true, real = true, any = false;
        for (auto const& row : csv.rows) {
            if (row[c].empty()) continue;
            any = true;
            integer = integer && parse_integer(row[c]).has_value() && row[c].find('.') == std::string::npos;
            real = real && parse_real(row[c]).has_value();
        }
        if (any && integer) column.type = ColumnType::integer;
        else if (any && real) column.type = ColumnType::real;
        columns.push_back(std::move(column));
    }
    Table table(columns);
    for (auto const& row : csv.rows) {
        std::vector<Cell> cells;
        for (std::size_t c = 0; c < columns.size(); ++c) {
            if (row[c].empty()) cells.emplace_back();
            else if (columns[c].type == ColumnType::integer) cells.emplace_back(*parse_integer(row[c]));
            else if (columns[c].type == ColumnType::real) cells.emplace_back(*parse_real(row[c]));
            else cells.emplace_back(row[c]);
        }
        table.add_row(std::move(cells));
    }
    return table;
}

double number_at(CsvFile const& csv, std::size_t row, int column) {
    if (column < 0) return nan_value;
    return parse_real(csv.rows[row][static_cast<std::size_t>(column)]).value_or(nan_value);
}

Axis value_axis(std::string title, std::string unit) {
    Axis axis;
    axis.title = std::move(title);
    axis.unit = std::move(unit);
    return axis;
}

}  // namespace

MutantValue const* Results::find(std::string const& key) const {
    auto const found = std::find_if(mutants.begin(), mutants.end(), [&](MutantValue const& m) { return m.key == key; });
    return found == mutants.end() ? nullptr : &*found;
}

bool Results::has_measured() const {
    return std::any_of(mutants.begin(), mutants.end(), [](MutantValue const& m) { return !std::isnan(m.measured); });
}

std::vector<std::string> residue_keys_of(std::string const& mutation) {
    std::vector<std::string> keys;
    std::size_t start = 0;
    while (start <= mutation.size()) {
        std::size_t const end = std::min(mutation.find(',', start), mutation.size());
        std::string key = residue_key_of(std::string_view(mutation).substr(start, end - start));
        if (!key.empty()) keys.push_back(std::move(key));
        start = end + 1;
    }
    return keys;
}

Result<std::vector<std::string>> combine_mutants(std::vector<std::string> const& keys, std::size_t size,
                                                 std::size_t most) {
    if (keys.size() < size)
        return bad_input("combining takes at least " + std::to_string(size) + " selected mutants, and " +
                             std::to_string(keys.size()) + " are",
                         "", "Select more of them in the table (Ctrl and click) or in the map", "mutations");
    std::vector<std::string> combined;
    std::vector<std::size_t> chosen;
    bool too_many = false;
    auto const extend = [&](auto const& self, std::size_t from, std::set<std::string> const& residues) -> void {
        if (chosen.size() == size) {
            std::string text;
            for (std::size_t const index : chosen) text += (text.empty() ? "" : ",") + keys[index];
            too_many = combined.size() == most;
            if (!too_many) combined.push_back(std::move(text));
            return;
        }
        for (std::size_t i = from; i < keys.size() && !too_many; ++i) {
            std::set<std::string> all = residues;
            bool again = false;
            for (std::string& residue : residue_keys_of(keys[i])) again |= !all.insert(std::move(residue)).second;
            if (again) continue;
            chosen.push_back(i);
            self(self, i + 1, all);
            chosen.pop_back();
        }
    };
    extend(extend, 0, {});
    if (too_many)
        return bad_input("the selected mutants have more than " + std::to_string(most) + " combinations", "",
                         "Select fewer of them, the best singles first", "mutations");
    if (combined.empty())
        return bad_input("the selected mutants all change the same residues", "",
                         "Select mutants of different positions", "mutations");
    return combined;
}

Result<Results> read_results(std::string_view text, std::string const& file_name) {
    ORRERY_TRY(CsvFile const csv, parse_csv(text, file_name, ','));
    int const author = csv.column("mutation_author");
    int const mean = csv.column("ddg_mean");
    if (author < 0 || mean < 0)
        return bad_input("the results have no columns mutation_author and ddg_mean", file_name, "Run it again");
    Results results;
    results.table = typed_table(csv);
    int const error = csv.column("ddg_se"), n = csv.column("n"), complex = csv.column("ddg_complex");
    int const side1 = csv.column("ddg_side1"), side2 = csv.column("ddg_side2"), measured = csv.column("ddg_measured");
    results.mutants.reserve(csv.rows.size());
    for (std::size_t row = 0; row < csv.rows.size(); ++row) {
        MutantValue value;
        value.key = csv.rows[row][static_cast<std::size_t>(author)];
        value.residue_keys = residue_keys_of(value.key);
        value.mutant = value.key.empty() ? 'X' : value.key.back();
        value.mean = number_at(csv, row, mean);
        value.standard_error = number_at(csv, row, error);
        double const draws = number_at(csv, row, n);
        value.draws = std::isnan(draws) ? 0 : static_cast<std::int64_t>(draws);
        value.complex = number_at(csv, row, complex);
        value.side1 = number_at(csv, row, side1);
        value.side2 = number_at(csv, row, side2);
        value.measured = number_at(csv, row, measured);
        results.mutants.push_back(std::move(value));
    }
    return results;
}

bool LiveMap::layout(Json const& value) {
    clear();
    std::string const rows = value.value("rows", std::string());
    m_positions = value.value("positions", std::size_t{0});
    if (rows.empty() || m_positions == 0) return false;
    HeatMap map;
    map.rows.title = "mutant";
    map.columns.title = "position (chain, wild type, author number)";
    for (char letter : rows) {
        map.rows.categories.emplace_back(1, letter);
        map.row_keys.emplace_back(1, letter);
    }
    for (Json const& group : value.value("row_groups", Json::array()))
        if (group.is_number_integer()) map.row_groups.push_back(group.get<int>());
    if (map.row_groups.size() != rows.size()) map.row_groups.clear();
    map.value_title = value.value("value_title", std::string("ddG of binding"));
    map.value_unit = value.value("unit", std::string("nats"));
    map.values.assign(rows.size() * m_positions, nan_value);
    map.errors.assign(rows.size() * m_positions, nan_value);
    map.marks.assign(rows.size() * m_positions, 0);
    map.columns.categories.resize(m_positions);
    map.column_keys.resize(m_positions);
    map.column_groups.assign(m_positions, 0);
    m_figure.title = value.value("complex", std::string());
    m_figure.content = std::move(map);
    return false;
}

bool LiveMap::columns(Json const& value) {
    auto* map = std::get_if<HeatMap>(&m_figure.content);
    if (map == nullptr || m_positions == 0) return false;
    std::size_t index = value.value("first", std::size_t{0});
    for (Json const& column : value.value("columns", Json::array())) {
        if (index >= m_positions) return false;
        std::string const letter = column.value("letter", std::string());
        map->columns.categories[index] = column.value("label", std::string());
        map->column_keys[index] = column.value("key", std::string());
        map->column_groups[index] = column.value("side", 1);
        for (std::size_t row = 0; row < map->rows.categories.size(); ++row)
            if (map->rows.categories[row] == letter) map->marks[row * m_positions + index] = 1;
        ++index;
        ++m_announced;
    }
    m_ready = m_announced >= m_positions;
    return m_ready;
}

std::string cell_mutant(HeatMap const& map, int row, int column) {
    if (row < 0 || column < 0) return {};
    auto const r = static_cast<std::size_t>(row), c = static_cast<std::size_t>(column);
    if (r >= map.rows.categories.size() || c >= map.column_keys.size()) return {};
    std::string const& residue = map.column_keys[c];
    // The label is "A K63": chain, wild type, author number.
    std::string const& label = map.columns.categories[c];
    std::size_t const colon = residue.rfind(':'), blank = label.rfind(' ');
    if (colon == std::string::npos || blank == std::string::npos || blank + 1 >= label.size()) return {};
    std::string const wild_type = label.substr(blank + 1, 1), mutant = map.rows.categories[r].substr(0, 1);
    if (wild_type == mutant) return {};
    std::string const chain = residue.substr(0, colon);
    std::string position = residue.substr(colon + 1);
    for (char& letter : position) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    if (chain.size() == 1) return wild_type + chain + position + mutant;
    return wild_type + ":" + chain + ":" + position + ":" + mutant;
}

std::map<std::string, double> values_by_residue(Figure const& figure, ResidueColoring coloring, bool weaker_positive) {
    std::map<std::string, double> values;
    auto const* map = std::get_if<HeatMap>(&figure.content);
    if (map == nullptr) return values;
    std::size_t const columns = map->column_keys.size(), rows = map->rows.categories.size();
    for (std::size_t c = 0; c < columns; ++c) {
        double sum = 0, best = nan_value;
        int count = 0;
        for (std::size_t r = 0; r < rows; ++r) {
            double const value = map->values[r * columns + c];
            bool const wild_type = !map->marks.empty() && (map->marks[r * columns + c] & 1) != 0;
            if (std::isnan(value) || wild_type) continue;
            sum += value;
            ++count;
            if (std::isnan(best) || (weaker_positive ? value < best : value > best)) best = value;
        }
        if (count == 0) continue;
        values[map->column_keys[c]] = coloring == ResidueColoring::best_gain ? best : sum / count;
    }
    return values;
}

Figure parts_figure(Results const& results, std::vector<std::string> const& keys) {
    XyPlot plot;
    plot.kind = XyKind::bars;
    plot.y = value_axis("folding ddG", results.value_unit);
    plot.x.categories = {"complex", "side 1", "side 2", "binding"};
    plot.x.title = "part";
    plot.horizontal_lines = {0};
    for (std::string const& key : keys) {
        MutantValue const* mutant = results.find(key);
        if (mutant == nullptr || std::isnan(mutant->complex)) continue;
        Series series;
        series.name = key;
        series.x = {0, 1, 2, 3};
        series.y = {mutant->complex, mutant->side1, mutant->side2, mutant->mean};
        series.error = {0, 0, 0, std::isnan(mutant->standard_error) ? 0 : mutant->standard_error};
        plot.series.push_back(std::move(series));
    }
    Figure figure;
    figure.title = "Parts of the binding ddG";
    figure.caption = "binding = complex - side 1 - side 2";
    figure.content = std::move(plot);
    return figure;
}

Figure measured_figure(Results const& results) {
    XyPlot plot;
    plot.kind = XyKind::scatter;
    plot.x = value_axis("measured ddG of binding", "kcal/mol");
    plot.y = value_axis("predicted ddG of binding", results.value_unit);
    plot.identity_line = true;
    Series series;
    series.name = "mutants";
    for (MutantValue const& mutant : results.mutants) {
        if (std::isnan(mutant.measured) || std::isnan(mutant.mean)) continue;
        series.x.push_back(mutant.measured);
        series.y.push_back(mutant.mean);
        series.error.push_back(std::isnan(mutant.standard_error) ? 0 : mutant.standard_error);
        series.labels.push_back(mutant.key);
        series.keys.push_back(mutant.key);
    }
    if (series.x.size() > 2) {
        plot.notes.push_back(fmt::format("n = {}", series.x.size()));
        plot.notes.push_back(fmt::format("Pearson {:.3f}", statistics::pearson(series.x, series.y)));
        plot.notes.push_back(fmt::format("Spearman {:.3f}", statistics::spearman(series.x, series.y)));
        plot.notes.push_back(fmt::format("RMSE {:.3f}", statistics::rmse(series.x, series.y)));
    }
    plot.series.push_back(std::move(series));
    Figure figure;
    figure.title = "Predicted against measured";
    figure.content = std::move(plot);
    return figure;
}

void Convergence::add(std::string const& key, int draw, double mean, double standard_error) {
    auto& points = m_history[key];
    // A resumed run may send a draw again.
    if (!points.empty() && points.back().draw >= draw) return;
    points.push_back({draw, mean, standard_error});
}

Figure Convergence::figure(std::vector<std::string> const& keys, std::string const& unit) const {
    XyPlot plot;
    plot.kind = XyKind::line;
    plot.x = value_axis("draws", "");
    plot.y = value_axis("running mean of ddG", unit);
    for (std::string const& key : keys) {
        auto const found = m_history.find(key);
        if (found == m_history.end()) continue;
        Series series;
        series.name = key;
        for (Point const& point : found->second) {
            series.x.push_back(point.draw);
            series.y.push_back(point.mean);
            series.error.push_back(std::isnan(point.standard_error) ? 0 : point.standard_error);
        }
        plot.series.push_back(std::move(series));
    }
    Figure figure;
    figure.title = "Convergence";
    figure.caption = "running mean and standard error";
    figure.content = std::move(plot);
    return figure;
}

}  // namespace orrery::panels::stab_ddg
