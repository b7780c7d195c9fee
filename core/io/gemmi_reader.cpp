// The one translation unit that compiles gemmi (11 s of CPU). Works with 0.5.7 (headers alone) and with 0.6 and later
// (linked with gemmi_cpp).
#include "core/io/raw_structure.h"

#include "core/io/pdb_check.h"

#include <gemmi/assembly.hpp>
#include <gemmi/cif.hpp>
#include <gemmi/mmcif.hpp>
#include <gemmi/pdb.hpp>
#include <gemmi/resinfo.hpp>
#if __has_include(<gemmi/remarks.hpp>)
#include <gemmi/remarks.hpp>
#endif

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

namespace orrery::io {
namespace {

// Protonation states and other names that force fields give; gemmi's table holds the names of the PDB's dictionary.
std::map<std::string, char> const& force_field_names() {
    static std::map<std::string, char> const names = {
        {"HID", 'H'},  {"HIE", 'H'},  {"HIP", 'H'},  {"HSD", 'H'},  {"HSE", 'H'},  {"HSP", 'H'},  {"HISD", 'H'},
        {"HISE", 'H'}, {"HISH", 'H'}, {"HISP", 'H'}, {"HIS1", 'H'}, {"HIS2", 'H'}, {"HISA", 'H'}, {"HISB", 'H'},
        {"CYX", 'C'},  {"CYM", 'C'},  {"CYS2", 'C'}, {"CYZ", 'C'},  {"CYSH", 'C'}, {"GLH", 'E'},  {"GLUH", 'E'},
        {"GLUP", 'E'}, {"ASH", 'D'},  {"ASPH", 'D'}, {"ASPP", 'D'}, {"LYN", 'K'},  {"LYSN", 'K'}, {"LYP", 'K'},
        {"LYSH", 'K'}, {"ARN", 'R'},  {"ARGN", 'R'}, {"TYM", 'Y'},  {"SEM", 'S'},  {"MSEL", 'M'}};
    return names;
}

std::set<std::string> const& water_names() {
    static std::set<std::string> const names = {"HOH",  "DOD", "WAT", "H2O", "TIP", "TIP3",
                                                "TIP4", "TP3", "T3P", "SOL", "SPC", "OH2"};
    return names;
}

constexpr std::string_view twenty = "ACDEFGHIKLMNPQRSTVWY";

char insertion_code(gemmi::SeqId const& id) { return id.icode == ' ' ? char{0} : id.icode; }

RawResidue raw_residue(gemmi::Residue const& from) {
    RawResidue residue;
    residue.name = from.name;
    residue.number = from.seqid.num.has_value() ? from.seqid.num.value : 0;
    residue.insertion_code = insertion_code(from.seqid);
    residue.label_chain = from.subchain;
    residue.has_label_number = from.label_seq.has_value();
    residue.hetero = from.het_flag == 'H';
    residue.atoms.reserve(from.atoms.size());
    for (gemmi::Atom const& atom : from.atoms)
        residue.atoms.push_back({atom.name,
                                 {atom.pos.x, atom.pos.y, atom.pos.z},
                                 atom.occ,
                                 atom.b_iso,
                                 static_cast<std::uint8_t>(atom.element.atomic_number()),
                                 atom.altloc});
    return residue;
}

// Joins the parts of each chain (gemmi's merge_chain_parts, which takes quadratic time on files whose chains
// alternate).
RawModel raw_model(gemmi::Model const& from, std::string const& name) {
    RawModel model;
    model.name = name;
    std::unordered_map<std::string, std::size_t> index;
    for (gemmi::Chain const& part : from.chains) {
        auto const [place, added] = index.emplace(part.name, model.chains.size());
        if (added) model.chains.push_back({part.name, {}});
        auto& residues = model.chains[place->second].residues;
        for (gemmi::Residue const& residue : part.residues) residues.push_back(raw_residue(residue));
    }
    return model;
}

void add_range(std::vector<SecondaryRange>& ranges, SecondaryStructure kind, gemmi::AtomAddress const& start,
               gemmi::AtomAddress const& end) {
    auto const& first = start.res_id.seqid;
    auto const& last = end.res_id.seqid;
    if (!first.num.has_value() || !last.num.has_value() || start.chain_name != end.chain_name) return;
    ranges.push_back(
        {kind, start.chain_name, first.num.value, last.num.value, insertion_code(first), insertion_code(last)});
}

gemmi::Assembly const* first_assembly(gemmi::Structure const& structure) {
    for (gemmi::Assembly const& assembly : structure.assemblies)
        if (assembly.name == "1") return &assembly;
    return structure.assemblies.empty() ? nullptr : &structure.assemblies.front();
}

// More copies of a chain than one: then copies need names of their own.
bool copies_chains(gemmi::Assembly const& assembly) {
    std::set<std::string> seen;
    for (auto const& generator : assembly.generators) {
        if (generator.operators.size() > 1) return true;
        for (auto const* names : {&generator.chains, &generator.subchains})
            for (std::string const& name : *names)
                if (!seen.insert(name).second) return true;
    }
    return false;
}

// A hostile file can ask for any number of operators; what people look at has at most a virus capsid's sixty.
constexpr std::size_t largest_assembly_atoms = 5'000'000;

Result<void> apply_assembly(gemmi::Structure& structure, std::string const& file_name) {
    gemmi::Assembly const* assembly = first_assembly(structure);
    if (assembly == nullptr)
        return bad_input("the file describes no biological assembly", file_name,
                         "Read it without the assembly, or take the mmCIF file from the PDB", "assembly");
    std::size_t operators = 0;
    for (auto const& generator : assembly->generators) operators += generator.operators.size();
    std::size_t atoms = 0;
    for (auto const& model : structure.models)
        for (auto const& chain : model.chains)
            for (auto const& residue : chain.residues) atoms += residue.atoms.size();
    if (operators > 0 && atoms > largest_assembly_atoms / operators)
        return bad_input("biological assembly 1 would have up to " + std::to_string(atoms * operators) + " atoms",
                         file_name, "Read it without the assembly", "assembly");
    using How = gemmi::HowToNameCopiedChain;
    auto const how = copies_chains(*assembly) ? How::AddNumber : How::Dup;
    for (auto& model : structure.models) model = gemmi::make_assembly(*assembly, model, how, {});
    return {};
}

// Columns that gemmi needs: without one of them it reads no atom and says nothing.
Result<void> check_atom_site(gemmi::cif::Document& document, std::string const& file_name) {
    if (document.blocks.empty()) return bad_input("the mmCIF file has no data block", file_name);
    auto& block = document.blocks.front();
    auto const categories = block.get_mmcif_category_names();
    if (std::find(categories.begin(), categories.end(), "_atom_site.") == categories.end())
        return bad_input("the mmCIF file has no atoms: _atom_site is absent", file_name,
                         "A chemical component or structure-factor file is not a structure");
    for (char const* column : {"id", "type_symbol", "label_alt_id", "label_asym_id", "Cartn_x", "Cartn_y", "Cartn_z",
                               "occupancy", "B_iso_or_equiv", "auth_seq_id"})
        if (block.find_values(std::string("_atom_site.") + column).length() == 0)
            return bad_input(std::string("the mmCIF file lacks the column _atom_site.") + column, file_name,
                             "Write it again with the program it comes from, or convert it to PDB");
    return {};
}

Result<gemmi::Structure> parse_mmcif(std::string const& text, std::string const& file_name) {
    auto document = gemmi::cif::read_memory(text.data(), text.size(), file_name.c_str());
    ORRERY_CHECK(check_atom_site(document, file_name));
    gemmi::Structure structure = gemmi::make_structure_from_block(document.blocks.front());
    for (auto const& model : structure.models)
        for (auto const& chain : model.chains)
            for (auto const& residue : chain.residues)
                for (auto const& atom : residue.atoms)
                    for (double const value : {atom.pos.x, atom.pos.y, atom.pos.z})
                        if (!std::isfinite(value) || std::abs(value) > largest_coordinate)
                            return bad_input("atom " + std::to_string(atom.serial) + " (" + atom.name + " of residue " +
                                                 residue.name + " " + chain.name + ":" + residue.seqid.str() +
                                                 ") has no usable coordinates",
                                             file_name, "Coordinates are numbers below 100,000 Å in size");
    return structure;
}

// gemmi 0.5 reads past the end of LINK, SSBOND and CISPEP records that are cut short. They are not needed, so they get a
// name that no record has; lines keep their places.
std::string without_bond_records(std::string text) {
    for (std::size_t line = 0; line < text.size();) {
        std::string name = text.substr(line, 4);
        for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        if (name == "LINK" || name == "SSBO" || name == "CISP") text.replace(line, 4, "XXXX");
        std::size_t const end = text.find('\n', line);
        if (end == std::string::npos) break;
        line = end + 1;
    }
    return text;
}

// A message of gemmi in one line; "file:12:3: ..." and "Problem in line 12: ..." keep their line.
Error gemmi_error(std::string message, std::string const& file_name) {
    std::replace(message.begin(), message.end(), '\n', ' ');
    std::string where = file_name;
    std::string what = message;
    constexpr std::string_view pdb_start = "Problem in line ";
    if (message.starts_with(pdb_start)) {
        auto const colon = message.find(": ");
        if (colon != std::string::npos) {
            where += " line " + message.substr(pdb_start.size(), colon - pdb_start.size());
            what = message.substr(colon + 2);
        }
    } else if (message.starts_with(file_name + ":")) {
        auto const start = file_name.size() + 1;
        auto const end = message.find_first_not_of("0123456789", start);
        if (end != std::string::npos && end > start) {
            where += " line " + message.substr(start, end - start);
            auto const text = message.find_first_not_of("0123456789:( ", end);
            if (text != std::string::npos) what = message.substr(text);
        }
    }
    return bad_input("the structure file can't be read: " + what, where,
                     "The file is cut short or damaged: take it again from its source");
}

}  // namespace

ResidueFacts residue_facts(std::string const& name) {
    if (auto const alias = force_field_names().find(name); alias != force_field_names().end())
        return {ResidueKind::amino_acid, alias->second, true};
    if (water_names().contains(name)) return {ResidueKind::water, 'X', true};
    auto const info = gemmi::find_tabulated_residue(name);
    if (!info.found()) return {};
    if (info.is_water()) return {ResidueKind::water, 'X', true};
    if (info.is_nucleic_acid()) return {ResidueKind::nucleic_acid, 'X', true};
    if (!info.is_amino_acid()) return {ResidueKind::ligand, 'X', true};
    char letter = static_cast<char>(info.one_letter_code & ~0x20);
    bool const right_handed = info.kind == decltype(info.kind)::AAD;
    if (right_handed || twenty.find(letter) == std::string_view::npos) letter = 'X';
    return {ResidueKind::amino_acid, letter, true};
}

Result<RawStructure> parse_raw_structure(std::string const& text, std::string const& file_name, bool assembly) {
    ORRERY_TRY(StructureFormat const format, structure_format(text, file_name));
    if (format == StructureFormat::pdb) ORRERY_CHECK(check_pdb_lines(text, file_name));
    try {
        gemmi::Structure structure;
        if (format == StructureFormat::pdb) {
            std::string const records = without_bond_records(text);
            structure = gemmi::read_pdb_from_memory(records.data(), records.size(), file_name);
            if (structure.assemblies.empty()) gemmi::read_metadata_from_remarks(structure);
        } else {
            ORRERY_TRY(structure, parse_mmcif(text, file_name));
        }
        RawStructure raw;
        raw.format = format == StructureFormat::pdb ? "PDB" : "mmCIF";
        raw.has_assembly = !structure.assemblies.empty();
        if (assembly) ORRERY_CHECK(apply_assembly(structure, file_name));
        for (std::size_t i = 0; i < structure.models.size(); ++i)
            raw.models.push_back(raw_model(structure.models[i], std::to_string(i + 1)));
        for (auto const& helix : structure.helices)
            add_range(raw.secondary, SecondaryStructure::helix, helix.start, helix.end);
        for (auto const& sheet : structure.sheets)
            for (auto const& strand : sheet.strands)
                add_range(raw.secondary, SecondaryStructure::strand, strand.start, strand.end);
        return raw;
    } catch (std::exception const& error) {
        return gemmi_error(error.what(), file_name).caused_by(error.what());
    }
}

}  // namespace orrery::io
