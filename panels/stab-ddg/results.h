// What the room shows of a run: mutants with their values, read from the run's CSV or gathered from live updates, and
// the figures made of them. No Qt.
#pragma once

#include "core/base/figure.h"
#include "core/base/result.h"
#include "core/base/table.h"
#include "core/methods/stab-ddg/complex.h"

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::panels::stab_ddg {

inline constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

struct MutantValue {
    std::string key;                        // author text: "EA63Q,QD30V"
    std::vector<std::string> residue_keys;  // "A:63", "D:30"
    char mutant = 'X';                      // of a single mutant
    double mean = nan_value, standard_error = nan_value;
    std::int64_t draws = 0;
    double complex = nan_value, side1 = nan_value, side2 = nan_value;  // parts; ddG = complex - side 1 - side 2
    double measured = nan_value;
};

struct Results {
    Table table;
    std::vector<MutantValue> mutants;
    std::string value_unit = "nats";
    [[nodiscard]] MutantValue const* find(std::string const& key) const;
    [[nodiscard]] bool has_measured() const;
};

// scan.csv or predictions.csv of a run.
Result<Results> read_results(std::string_view csv, std::string const& file_name);

// "EA63Q" -> "A:63"; "RD100bA" -> "D:100B"; "E:AB:63:Q" -> "AB:63"; several joined by commas.
[[nodiscard]] std::vector<std::string> residue_keys_of(std::string const& mutation);

// Every set of `size` mutants of `keys` as one mutant ("EA63Q,QD30V"), in the order of `keys`; sets that change a residue
// twice are left out. Error: fewer mutants than `size`, none left, or more than `most` of them.
inline constexpr std::size_t most_combinations = 5000;
Result<std::vector<std::string>> combine_mutants(std::vector<std::string> const& keys, std::size_t size,
                                                 std::size_t most = most_combinations);

// The map of a scan while it runs, from its live messages (core/methods/stab-ddg/scan.h).
class LiveMap {
public:
    void clear() { m_figure = Figure(); m_ready = false; m_announced = 0; }
    // True once all columns are announced: figure() can be shown and columns may be set.
    bool layout(Json const& value);
    bool columns(Json const& value);
    [[nodiscard]] Figure const& figure() const { return m_figure; }

private:
    Figure m_figure;
    std::size_t m_positions = 0, m_announced = 0;
    bool m_ready = false;
};

// Author text of the mutant of a cell, as in the tables ("EA63Q"); empty for the wild type and outside the map.
[[nodiscard]] std::string cell_mutant(HeatMap const& map, int row, int column);

enum class ResidueColoring { chain, side, mean, best_gain };
// One value a residue key: the mean over its single mutants, or the most favourable one (smallest with
// weaker-positive).
[[nodiscard]] std::map<std::string, double> values_by_residue(Figure const& map, ResidueColoring coloring,
                                                              bool weaker_positive);

// Bars of complex, side 1 and side 2 and their sum for up to a handful of mutants.
[[nodiscard]] Figure parts_figure(Results const& results, std::vector<std::string> const& keys);
// Predicted against measured with statistics in the notes.
[[nodiscard]] Figure measured_figure(Results const& results);

// Running means of single mutants, from the live updates of a scan: for each mutant, one value after each draw.
class Convergence {
public:
    void clear() { m_history.clear(); }
    void add(std::string const& key, int draw, double mean, double standard_error);
    [[nodiscard]] bool empty() const { return m_history.empty(); }
    [[nodiscard]] Figure figure(std::vector<std::string> const& keys, std::string const& unit) const;

private:
    struct Point { int draw; double mean, standard_error; };
    std::map<std::string, std::vector<Point>> m_history;
};

}  // namespace orrery::panels::stab_ddg
