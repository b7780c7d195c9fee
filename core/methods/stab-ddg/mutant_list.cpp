#include "core/methods/stab-ddg/mutant_list.h"

#include "core/base/hash.h"
#include "core/methods/stab-ddg/inputs.h"

#include <algorithm>
#include <map>

namespace orrery::methods::stab_ddg {
namespace {

struct RowSource {
    std::string text, where;
    std::optional<double> measured;
    bool censored = false;
};

std::string position_key(BackboneChain const& chain, std::size_t position) {
    if (chain.residue[position] < 0) return {};
    std::string key = chain.name + ":" + std::to_string(chain.number[position]);
    if (chain.insertion_code[position] != 0) key += chain.insertion_code[position];
    return key;
}

Result<ListedComplex> make_listed(JobContext& context, Backbone const& backbone, Sides const& sides,
                                  std::vector<RowSource> const& rows, Numbering numbering, bool all_chains) {
    ListedComplex complex;
    complex.name = backbone.name + "_" + sides.text;
    complex.input = make_complex(backbone, sides, all_chains);
    std::vector<std::string> texts, wheres, notes;
    for (RowSource const& row : rows) {
        texts.push_back(row.text);
        wheres.push_back(row.where);
    }
    ORRERY_TRY(complex.mutants, parse_mutants_at(backbone, texts, numbering, wheres, &notes));
    for (std::string const& note : notes) context.log(LogLevel::info, complex.name + ": " + note);
    ORRERY_CHECK(check_on_sides(backbone, sides, complex.mutants));
    std::string identity = backbone.sha256 + sides.text;
    for (std::size_t m = 0; m < complex.mutants.size(); ++m) {
        Mutant const& mutant = complex.mutants[m];
        ORRERY_TRY(MutantChanges changes, mutant_changes(backbone, sides, complex.input, mutant));
        complex.changes.push_back(std::move(changes));
        complex.measured.push_back(rows[m].measured);
        complex.censored.push_back(rows[m].censored);
        PointMutation const& first = mutant.mutations.front();
        complex.first_residue.push_back(position_key(backbone.chains[static_cast<std::size_t>(first.chain)],
                                                     static_cast<std::size_t>(first.position)));
        identity += ";" + mutant.ordinal;
    }
    complex.identity = sha256(identity);
    for (std::size_t which = 0; which < structure_count; ++which) {
        complex.position_keys[which].resize(complex.input.structures[which].length());
        for (std::size_t c = 0; c < backbone.chains.size(); ++c) {
            std::int64_t offset = complex.input.chain_offset[which][c];
            for (std::size_t i = 0; offset >= 0 && i < backbone.chains[c].size(); ++i) {
                complex.position_keys[which][static_cast<std::size_t>(offset) + i] =
                    position_key(backbone.chains[c], i);
            }
        }
    }
    return complex;
}

Numbering settled(Numbering asked, MutantTable const& table) {
    return asked == Numbering::automatic ? table.numbering : asked;
}

std::vector<RowSource> sources_of(MutantTable const& table, std::vector<MutantRow const*> const& rows) {
    std::vector<RowSource> sources;
    for (MutantRow const* row : rows) sources.push_back({row->mutation, table.where(*row), row->ddg, row->censored});
    return sources;
}

// Mutants of one structure, from --mutations and from a list whose rows are all taken to be of this structure.
Result<std::vector<ListedComplex>> one_structure(Json const& parameters, JobContext& context, std::string const& path,
                                                 std::vector<std::string> const& mutations,
                                                 std::optional<MutantTable> const& table) {
    ORRERY_TRY(Backbone backbone, read_structure_input(context, "structure", path, read_options(parameters)));
    std::string sides_text = parameters.value("sides", std::string());
    std::vector<RowSource> rows;
    for (std::string const& text : mutations) rows.push_back({text, "--mutations", std::nullopt, false});
    Numbering numbering = numbering_of(parameters);
    std::vector<ListedComplex> complexes;
    std::vector<MutantRow const*> taken;
    if (table) {
        std::size_t others = 0;
        for (MutantRow const& row : table->rows) {
            std::optional<ComplexName> name = split_complex_name(row.complex);
            if (!row.complex.empty() && (!name || name->structure != backbone.name)) {
                ++others;
                continue;
            }
            if (name && sides_text.empty()) sides_text = name->sides;
            taken.push_back(&row);
        }
        if (taken.empty()) {
            return bad_input("the list has no mutant of " + backbone.name, table->file_name,
                             "Give --structures with the folder of its structures", "list");
        }
        if (others > 0) {
            context.warn(bad_input(std::to_string(others) + " rows of other complexes were left out", table->file_name,
                                   "Give --structures instead of --structure to predict them", "list"));
        }
    }
    ORRERY_TRY(Sides sides, settle_sides(context, backbone, sides_text));
    // A list and the flag may count differently, so each is read under its own numbering.
    bool all_chains = parameters.value("all_chains", false);
    ListedComplex complex;
    if (!rows.empty()) {
        ORRERY_TRY(complex, make_listed(context, backbone, sides, rows, numbering, all_chains));
        complexes.push_back(std::move(complex));
    }
    if (!taken.empty()) {
        ORRERY_TRY(complex, make_listed(context, backbone, sides, sources_of(*table, taken), settled(numbering, *table),
                                        all_chains));
        complexes.push_back(std::move(complex));
    }
    return complexes;
}

}  // namespace

std::vector<std::string> split_mutants(std::vector<std::string> const& entries) {
    std::vector<std::string> mutants;
    for (std::string const& entry : entries) {
        std::size_t from = 0;
        while (from <= entry.size()) {
            std::size_t to = std::min(entry.find_first_of(";\n", from), entry.size());
            std::string text = entry.substr(from, to - from);
            std::size_t begin = text.find_first_not_of(" \t\r");
            if (begin != std::string::npos)
                mutants.push_back(text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1));
            from = to + 1;
        }
    }
    return mutants;
}

Result<std::vector<ListedComplex>> complexes_of_table(MutantTable const& table, std::filesystem::path const& folder,
                                                      Json const& parameters, TableSelection const& selection,
                                                      JobContext& context) {
    std::map<std::string, std::vector<MutantRow const*>> groups;
    std::size_t count = 0;
    for (MutantRow const& row : table.rows) {
        if (!selection.complexes.empty() && std::find(selection.complexes.begin(), selection.complexes.end(),
                                                      row.complex) == selection.complexes.end()) {
            continue;
        }
        if (selection.single_only && row.mutation.find_first_of(",;+/") != std::string::npos) continue;
        if (selection.measured_only && !row.ddg) continue;
        if (selection.limit > 0 && count >= selection.limit) break;
        groups[row.complex].push_back(&row);
        ++count;
    }
    std::vector<ListedComplex> complexes;
    std::vector<std::string> missing;
    for (auto const& [name, rows] : groups) {
        std::optional<ComplexName> parts = split_complex_name(name);
        if (!parts) {
            return bad_input("\"" + name + "\" names no complex", table.where(*rows.front()),
                             "Write <structure>_<chains of side 1>_<chains of side 2>, as in 1AO7_ABC_DE", "list");
        }
        Result<std::filesystem::path> path = find_structure(folder, parts->structure, table.where(*rows.front()));
        if (!path.ok()) {
            if (!selection.skip_missing) return path.error();
            missing.push_back(name);
            continue;
        }
        ORRERY_TRY(Backbone backbone, read_structure_input(context, "structures", *path, read_options(parameters)));
        ORRERY_TRY(Sides sides, settle_sides(context, backbone, parts->sides));
        ORRERY_TRY(ListedComplex complex,
                   make_listed(context, backbone, sides, sources_of(table, rows),
                               settled(numbering_of(parameters), table), parameters.value("all_chains", false)));
        complex.name = name;
        complexes.push_back(std::move(complex));
    }
    if (!missing.empty()) {
        std::string few = missing.front() + (missing.size() > 1 ? ", ..., " + missing.back() : "");
        context.warn(bad_input(
            std::to_string(missing.size()) + " complexes without a structure in the folder were left out (" + few + ")",
            table.file_name, {}, "structures"));
    }
    if (complexes.empty()) {
        return bad_input(
            "no mutant of the table can be used", table.file_name,
            "Its complexes need structures in the folder, and measured values where training asks for them",
            "structures");
    }
    return complexes;
}

Result<std::vector<ListedComplex>> read_mutant_list(Json const& parameters, JobContext& context) {
    std::vector<std::string> entries;
    for (Json const& entry : parameters.value("mutations", Json::array())) entries.push_back(entry.get<std::string>());
    std::vector<std::string> mutations = split_mutants(entries);
    std::string list = parameters.value("list", std::string());
    std::string structure = parameters.value("structure", std::string());
    std::string folder = parameters.value("structures", std::string());
    if (mutations.empty() && list.empty()) {
        return bad_input("no mutants are given", {}, "Give --mutations EA63Q,QD30V or --list mutations.csv",
                         "mutations");
    }
    std::optional<MutantTable> table;
    if (!list.empty()) {
        ORRERY_TRY(MutantTable read, read_mutant_table(list));
        table = std::move(read);
        ORRERY_CHECK(record_file(context, "list", list));
        for (std::string const& note : table->notes) context.log(LogLevel::info, note);
    }
    if (!structure.empty()) return one_structure(parameters, context, structure, mutations, table);
    if (!mutations.empty()) {
        return bad_input("mutations are given without a structure", "--mutations", "Give --structure too", "structure");
    }
    if (folder.empty()) {
        return bad_input("neither a structure nor a folder of structures is given", table->file_name,
                         "Give --structure FILE, or --structures DIR for a list that names complexes", "structure");
    }
    return complexes_of_table(*table, folder, parameters, {}, context);
}

}  // namespace orrery::methods::stab_ddg
