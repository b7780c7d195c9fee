#include "core/methods/stab-ddg/verbs_tables.h"

#include "core/base/files.h"
#include "core/base/number.h"
#include "core/base/table.h"
#include "core/methods/stab-ddg/complex.h"
#include "core/methods/stab-ddg/skempi_filter.h"
#include "core/methods/stab-ddg/verbs_common.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace orrery::methods::stab_ddg {
namespace {

Result<Backbone> read_structure_parameter(Json const& parameters, ReadingMode mode, JobContext& context) {
    std::filesystem::path const path = text_of(parameters, "structure");
    ReadOptions options;
    options.mode = mode;
    options.model = parameters.value("model", 1);
    options.assembly = parameters.value("assembly", false);
    auto backbone = read_backbone(path, options);
    if (!backbone.ok() && backbone.error().field.empty()) backbone.error().field = "structure";
    if (!backbone.ok()) return std::move(backbone).error();
    ORRERY_CHECK(record_input(context, "structure", path));
    for (std::string const& note : backbone->notes)
        context.log(note.starts_with("warning: ") ? LogLevel::warning : LogLevel::info, note);
    return backbone;
}

// read

std::string residue_number(BackboneChain const& chain, std::size_t i) {
    std::string text = std::to_string(chain.number[i]);
    if (chain.insertion_code[i] != 0) text += chain.insertion_code[i];
    return text;
}

Json chain_json(Backbone const& backbone, BackboneChain const& chain) {
    Json numbers = Json::array(), names = Json::array(), invalid = Json::array(), gaps = Json::array();
    int valid = 0;
    for (std::size_t i = 0; i < chain.size(); ++i) {
        bool const complete =
            std::none_of(chain.backbone[i].begin(), chain.backbone[i].end(), [](float x) { return std::isnan(x); });
        valid += complete;
        if (!complete) invalid.push_back(i + 1);
        if (chain.residue[i] < 0) gaps.push_back(i + 1);
        numbers.push_back(residue_number(chain, i));
        names.push_back(chain.residue[i] < 0
                            ? Json()
                            : Json(backbone.structure.residues[static_cast<std::size_t>(chain.residue[i])].name));
    }
    return {{"name", chain.name},
            {"label", chain.label_name},
            {"sequence", chain.letters},
            {"length", chain.size()},
            {"valid", valid},
            {"author_numbers", numbers},
            {"residue_names", names},
            {"invalid_positions_1based", invalid},
            {"gap_positions_1based", gaps}};
}

}  // namespace

Result<JobResult> run_read(Json const& parameters, JobContext& context) {
    bool const official = parameters.value("official", false);
    ORRERY_TRY(
        Backbone const backbone,
        read_structure_parameter(parameters, official ? ReadingMode::official : ReadingMode::automatic, context));
    JobResult result;
    Json chains = Json::array();
    for (BackboneChain const& chain : backbone.chains) {
        Json json = chain_json(backbone, chain);
        context.log(LogLevel::info, "chain " + chain.name + ": " + std::to_string(chain.size()) + " positions, " +
                                        std::to_string(json["gap_positions_1based"].size()) + " gaps, " +
                                        std::to_string(json["valid"].get<int>()) + " complete  " + chain.letters);
        chains.push_back(std::move(json));
    }
    Json json = {{"structure", backbone.name},
                 {"sha256", backbone.sha256},
                 {"reading", official ? "official" : "automatic"},
                 {"models", backbone.model_count},
                 {"has_assembly", backbone.has_assembly},
                 {"positions", backbone.positions()},
                 {"notes", backbone.notes},
                 {"chains", std::move(chains)}};
    if (auto const sides = suggest_sides(backbone)) json["suggested_sides"] = sides->text;
    result.values["chains"] = backbone.chains.size();
    result.values["positions"] = backbone.positions();
    context.log(LogLevel::info, "total " + std::to_string(backbone.positions()) + " positions");
    ORRERY_CHECK(emit_json(context, result, "read.json", std::move(json)));
    return result;
}

Result<JobResult> run_interface(Json const& parameters, JobContext& context) {
    bool const official = text_of(parameters, "reading") == "official";
    ORRERY_TRY(
        Backbone const backbone,
        read_structure_parameter(parameters, official ? ReadingMode::official : ReadingMode::automatic, context));
    std::string const wanted = text_of(parameters, "sides");
    ORRERY_TRY(Sides const sides, wanted.empty() ? suggest_sides(backbone) : parse_sides(backbone, wanted));
    if (wanted.empty()) context.log(LogLevel::info, "sides " + sides.text + ", suggested from the contacts");
    if (std::string const warning = touch_warning(backbone, sides); !warning.empty())
        context.warn(
            bad_input(warning, backbone.name, backbone.has_assembly ? "Read the biological assembly" : "", "sides"));
    double const cutoff = parameters.value("cutoff", 5.0);
    auto const positions = interface_positions(backbone, sides, cutoff);
    std::set<std::pair<int, int>> const chosen(positions.begin(), positions.end());
    Table table({{"side", "side", "", ColumnType::integer, 0, "1 or 2"},
                 {"chain", "chain", "", ColumnType::text, 0, "Author name"},
                 {"position", "position", "", ColumnType::integer, 0, "Ordinal in the chain as read"},
                 {"number", "number", "", ColumnType::text, 0, "Author number with insertion code"},
                 {"residue", "residue", "", ColumnType::text, 0, "Name in the file"},
                 {"distance", "distance", "Å", ColumnType::real, 2, "Nearest heavy atoms of the other side"},
                 {"contacts", "contacts", "", ColumnType::integer, 0, "Heavy-atom pairs within 5 Å"}});
    std::array<std::vector<std::string>, 2> keys;
    for (SideContact const& contact : side_contacts(backbone, sides, std::max(cutoff, 5.0))) {
        if (!chosen.contains({contact.chain, contact.position})) continue;
        BackboneChain const& chain = backbone.chains[static_cast<std::size_t>(contact.chain)];
        auto const at = static_cast<std::size_t>(contact.position);
        auto const residue = static_cast<std::size_t>(chain.residue[at]);
        bool const first = std::find(sides.side1.begin(), sides.side1.end(), contact.chain) != sides.side1.end();
        keys[first ? 0 : 1].push_back(backbone.structure.residue_key(residue));
        table.add_row({std::int64_t{first ? 1 : 2}, chain.name, std::int64_t{contact.position + 1},
                       residue_number(chain, at), backbone.structure.residues[residue].name, contact.distance,
                       std::int64_t{contact.contacts}});
    }
    JobResult result;
    context.log(LogLevel::info, std::to_string(positions.size()) + " positions within " + number_text(cutoff) +
                                    " Å: " + std::to_string(keys[0].size()) + " + " + std::to_string(keys[1].size()));
    result.values = {{"side1", keys[0].size()}, {"side2", keys[1].size()}};
    ORRERY_CHECK(emit(context, result, "interface.csv", "table", "text/csv", table.to_csv()));
    ORRERY_CHECK(emit_json(context, result, "interface.json",
                           {{"sides", sides.text}, {"cutoff", cutoff}, {"side1", keys[0]}, {"side2", keys[1]}}));
    return result;
}

Result<JobResult> run_skempi_filter(Json const& parameters, JobContext& context) {
    std::filesystem::path const path = text_of(parameters, "table");
    ORRERY_TRY(std::string const bytes, read_file(path));
    ORRERY_CHECK(record_input(context, "table", path));
    SkempiOptions options;
    if (parameters.contains("unresolved")) options.unresolved = texts_of(parameters, "unresolved");
    options.least_mutants = parameters.value("least_mutants", options.least_mutants);
    options.least_distinct = parameters.value("least_distinct", options.least_distinct);
    options.train_share = parameters.value("train_share", options.train_share);
    options.seed = parameters.value("seed", options.seed);
    ORRERY_TRY(SkempiResult const filtered, filter_skempi(bytes, path.filename().string(), options));
    Table table({{"#Pdb", "complex", "", ColumnType::text, 0, "Structure and sides"},
                 {"Mutation(s)_cleaned", "mutation", "", ColumnType::text, 0, "Ordinal numbering"},
                 {"Mutation(s)_PDB", "mutation (author)", "", ColumnType::text, 0, "Author numbering"},
                 {"ddG", "ddG", "kcal/mol", ColumnType::real, 3, "Measured; negative = weaker binding"},
                 {"cluster", "cluster", "", ColumnType::integer, 0, "Homology cluster"},
                 {"split", "split", "", ColumnType::text, 0, "train or test"},
                 {"limit", "limit", "", ColumnType::text, 0, "yes where an affinity is a limit"}});
    for (SkempiRow const& row : filtered.rows)
        table.add_row({row.complex, row.mutation, row.mutation_author, row.ddg, std::int64_t{row.cluster},
                       std::string(row.train ? "train" : "test"), std::string(row.censored ? "yes" : "no")});
    Json json = to_json(filtered);
    auto const count = [&](char const* name) { return std::to_string(json[name].get<int>()); };
    for (std::string const& line :
         {count("rows") + " rows, " + count("complexes") + " complexes",
          "without both affinities: " + count("dropped_no_affinity"), "repeats: " + count("dropped_duplicates"),
          "no interface residue: " + count("dropped_no_interface"),
          "complexes with few mutants: " + count("small_complexes") + " (" + count("small_rows") + " rows)",
          "repeated values: " + std::to_string(filtered.repetitive.size()) + " (" + count("repetitive_rows") + " rows)",
          "unresolved: " + std::to_string(filtered.unresolved.size()) + " (" + count("unresolved_rows") + " rows)",
          "left: " + count("final_complexes") + " complexes, " + count("final_rows") + " mutants"})
        context.log(LogLevel::info, line);
    for (auto const& [name, part] : {std::pair{"train", filtered.train}, std::pair{"test", filtered.test}})
        context.log(LogLevel::info, std::string(name) + ": " + std::to_string(part.clusters) + " clusters, " +
                                        std::to_string(part.complexes) + " complexes, " + std::to_string(part.rows) +
                                        " mutants");
    JobResult result;
    result.values = {{"final_rows", json["final_rows"]}, {"final_complexes", json["final_complexes"]}};
    ORRERY_CHECK(emit(context, result, "skempi_filtered.csv", "table", "text/csv", table.to_csv()));
    ORRERY_CHECK(emit_json(context, result, "skempi_filter.json", std::move(json)));
    return result;
}

}  // namespace orrery::methods::stab_ddg
