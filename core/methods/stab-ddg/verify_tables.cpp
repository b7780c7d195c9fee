#include "core/methods/stab-ddg/verify_tables.h"

#include "core/base/files.h"
#include "core/methods/stab-ddg/complex.h"
#include "core/methods/stab-ddg/metrics.h"
#include "core/methods/stab-ddg/skempi_filter.h"
#include "core/methods/stab-ddg/tables.h"

#include <algorithm>
#include <cmath>

namespace orrery::methods::stab_ddg {
namespace {

constexpr double coordinate_tolerance = 2e-3;  // Å, sums over a chain of coordinates given to 0.001 Å
constexpr double metric_tolerance = 1e-6;
constexpr double energy_tolerance = 1e-12;  // kcal/mol

// A value of the case that may be absent or of another type: null then, which compares unequal.
Json const& field(Json const& object, std::string const& name) {
    static Json const nothing;
    if (!object.is_object()) return nothing;
    auto found = object.find(name);
    return found == object.end() ? nothing : *found;
}

bool near(double got, Json const& wanted, double tolerance) {
    return wanted.is_number() && std::abs(got - wanted.get<double>()) <= tolerance;
}

void check_equal(VerifyCase& c, std::string const& name, Json const& got, Json const& wanted) {
    c.check(name, got == wanted, got == wanted ? "equal" : got.dump() + " instead of " + wanted.dump());
}

void check_chain(VerifyCase& c, std::string const& name, BackboneChain const& chain, Json const& wanted) {
    std::vector<int> invalid;
    std::array<double, 3> alpha{};
    double nitrogen = 0;
    for (std::size_t i = 0; i < chain.size(); ++i) {
        auto const& atoms = chain.backbone[i];
        if (std::any_of(atoms.begin(), atoms.end(), [](float value) { return !std::isfinite(value); })) {
            invalid.push_back(static_cast<int>(i) + 1);
            continue;
        }
        for (std::size_t d = 0; d < 3; ++d) alpha[d] += static_cast<double>(atoms[3 + d]);
        nitrogen += static_cast<double>(atoms[0]);
    }
    check_equal(c, name + " sequence", chain.letters, field(wanted, "sequence"));
    check_equal(c, name + " invalid", invalid, field(wanted, "invalid_positions_1based"));
    Json const& sums = field(wanted, "sum_CA_xyz_valid");
    bool good =
        sums.is_array() && sums.size() == 3 && near(nitrogen, field(wanted, "sum_N_x_valid"), coordinate_tolerance);
    for (std::size_t d = 0; good && d < 3; ++d) good = near(alpha[d], sums[d], coordinate_tolerance);
    c.check(name + " coordinates", good, "sums over the complete positions");
}

Result<void> run_parser(VerifyCase& c) {
    for (auto const& [file, wanted] : c.content().items()) {
        if (file == "kind" || file == "config") continue;
        ReadOptions options;
        options.mode = ReadingMode::official;
        ORRERY_TRY(Backbone backbone, read_backbone(c.data_directory() / file, options));
        Json names = Json::array();
        for (BackboneChain const& chain : backbone.chains) names.push_back(chain.name);
        check_equal(c, file + " chains", names, field(wanted, "chain_order"));
        for (BackboneChain const& chain : backbone.chains) {
            check_chain(c, file + " " + chain.name, chain, field(field(wanted, "chains"), chain.name));
        }
    }
    return {};
}

Json residue_names(Backbone const& backbone, std::vector<std::pair<int, int>> const& positions,
                   std::vector<int> const& side) {
    Json names = Json::array();
    for (auto const& [chain, position] : positions) {
        if (std::find(side.begin(), side.end(), chain) == side.end()) continue;
        BackboneChain const& c = backbone.chains[static_cast<std::size_t>(chain)];
        auto at = static_cast<std::size_t>(position);
        Residue const& residue = backbone.structure.residues[static_cast<std::size_t>(c.residue[at])];
        names.push_back(c.name + ":" + residue.name + std::to_string(c.number[at]));
    }
    return names;
}

Result<void> run_interface_residues(VerifyCase& c) {
    for (auto const& [name, wanted] : c.content().items()) {
        if (name == "kind" || name == "config") continue;
        ORRERY_TRY(Backbone backbone, read_backbone(c.data_directory() / (name + ".pdb")));
        Json const& sides_text = field(wanted, "sides");
        if (!sides_text.is_array() || sides_text.size() != 2) return bad_input("no sides are given", name);
        ORRERY_TRY(Sides sides,
                   parse_sides(backbone, sides_text[0].get<std::string>() + "_" + sides_text[1].get<std::string>()));
        for (auto const& [cutoff, sets] : field(wanted, "cutoffs").items()) {
            auto positions = interface_positions(backbone, sides, std::stod(cutoff));
            std::string at = name + " " + cutoff + " Å ";
            check_equal(c, at + "side 1", residue_names(backbone, positions, sides.side1), field(sets, "side1"));
            check_equal(c, at + "side 2", residue_names(backbone, positions, sides.side2), field(sets, "side2"));
        }
    }
    return {};
}

// "flexddg_without_outlier" and "stabddg_1AO7_ABC_DE": a predictor, then what is left out or what alone is taken.
Measured chosen_rows(MutantTable const& table, std::string const& key) {
    std::string predictor = key.substr(0, key.find('_'));
    std::string rest = key.size() > predictor.size() ? key.substr(predictor.size() + 1) : "";
    auto column = static_cast<std::size_t>(std::find(table.predictors.begin(), table.predictors.end(), predictor) -
                                           table.predictors.begin());
    Measured data;
    for (MutantRow const& row : table.rows) {
        if (column >= table.predictors.size() || row.split != "test" || !row.ddg || !row.predictions[column]) continue;
        if (rest == "without_outlier") {
            if (row.complex + " " + row.mutation == "1OGA_ABC_DE SE95A") continue;
        } else if (!rest.empty() && row.complex != rest) {
            continue;
        }
        data.add(row.complex, *row.ddg, *row.predictions[column]);
    }
    return data;
}

Result<void> run_metrics(VerifyCase& c) {
    ORRERY_TRY(MutantTable table, read_mutant_table(c.data_directory() / "skempi_filtered_with_baselines.csv"));
    for (auto const& [key, wanted] : c.content().items()) {
        if (!wanted.is_object() || key == "config") continue;
        Json got = to_json(evaluate(chosen_rows(table, key)));
        for (auto const& [name, value] : wanted.items()) {
            Json const& found = field(got, name == "n_structures_ge10" ? "n_structures" : name);
            if (!value.is_number()) continue;
            bool passed = found.is_number() && near(found.get<double>(), value, metric_tolerance);
            c.check(key + " " + name, passed, found.dump() + ", reference " + value.dump());
        }
    }
    return {};
}

Result<void> run_filter(VerifyCase& c) {
    ORRERY_TRY(std::string bytes, read_file(c.data_directory() / "skempi_v2.csv"));
    SkempiOptions options;
    Json const& unresolved = field(c.content(), "unresolved_complexes");
    if (unresolved.is_array()) options.unresolved = unresolved.get<std::vector<std::string>>();
    ORRERY_TRY(SkempiResult result, filter_skempi(bytes, "skempi_v2.csv", options));
    Json got = to_json(result);
    for (auto const& [name, wanted] : c.content().items()) {
        if (got.contains(name)) check_equal(c, name, got[name], wanted);
    }
    for (Json const& example : field(c.content(), "examples")) {
        auto found = std::find_if(result.rows.begin(), result.rows.end(), [&](SkempiRow const& row) {
            return field(example, "complex") == row.complex && field(example, "mutation") == row.mutation;
        });
        bool passed = found != result.rows.end() && near(found->ddg, field(example, "ddG"), energy_tolerance);
        c.check("ddG of " + field(example, "complex").dump() + " " + field(example, "mutation").dump(), passed,
                found == result.rows.end() ? "the row is absent" : std::to_string(found->ddg) + " kcal/mol");
    }
    return {};
}

}  // namespace

std::map<std::string, std::function<Result<void>(VerifyCase&)>> verify_table_kinds() {
    return {{"parser_official", run_parser},
            {"interface_residues", run_interface_residues},
            {"metrics_skempi", run_metrics},
            {"skempi_filter", run_filter}};
}

}  // namespace orrery::methods::stab_ddg
