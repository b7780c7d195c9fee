#include "core/io/structure_reader.h"

#include "core/io/secondary_structure.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

namespace orrery::io {
namespace {

constexpr double longest_peptide_bond = 2.0;  // Å, C to N of the next residue
constexpr double longest_ca_step = 4.5;       // Å, CA to CA of the next residue (3.8 trans, 2.9 cis)

// A raw residue with one location an atom, and what it was taken for.
struct Picked {
    RawResidue const* raw = nullptr;
    std::vector<RawAtom const*> atoms;
    ResidueFacts facts;
    float occupancy = 0;           // of the location kept, mean over its atoms
    bool alternatives = false;     // it had alternative locations
    bool all_alternative = false;  // every atom has a location mark
    bool repeated = false;         // an atom stood twice at one location mark
    bool dropped = false;
};

RawAtom const* find_atom(Picked const& residue, std::string_view name) {
    for (RawAtom const* atom : residue.atoms)
        if (atom->name == name) return atom;
    return nullptr;
}

double distance(RawAtom const& a, RawAtom const& b) {
    double sum = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        double const d = a.position[axis] - b.position[axis];
        sum += d * d;
    }
    return std::sqrt(sum);
}

// The location of the residue with the highest occupancy, summed over its atoms; ties: the first in the file.
char best_location(RawResidue const& residue) {
    std::vector<std::pair<char, double>> totals;
    for (RawAtom const& atom : residue.atoms) {
        if (atom.altloc == 0) continue;
        auto place = std::find_if(totals.begin(), totals.end(), [&](auto const& t) { return t.first == atom.altloc; });
        if (place == totals.end()) place = totals.insert(totals.end(), {atom.altloc, 0.0});
        place->second += atom.occupancy;
    }
    char best = 0;
    double highest = -1;
    for (auto const& [location, total] : totals)
        if (total > highest + 1e-6) {
            best = location;
            highest = total;
        }
    return best;
}

Picked pick(RawResidue const& raw) {
    Picked picked;
    picked.raw = &raw;
    picked.facts = residue_facts(raw.name);
    char const best = best_location(raw);
    picked.alternatives = best != 0;
    picked.all_alternative = best != 0;
    std::unordered_map<std::string_view, std::size_t> place;
    // Better: the residue's best location, then an atom without a mark, then the highest occupancy, then the first.
    auto const rank = [&](RawAtom const& atom) { return atom.altloc == best ? 2 : atom.altloc == 0 ? 1 : 0; };
    for (RawAtom const& atom : raw.atoms) {
        if (atom.altloc == 0) picked.all_alternative = false;
        auto const [at, added] = place.emplace(atom.name, picked.atoms.size());
        if (added) {
            picked.atoms.push_back(&atom);
            continue;
        }
        RawAtom const*& kept = picked.atoms[at->second];
        if (kept->altloc == atom.altloc)
            picked.repeated = true;
        else if (rank(atom) > rank(*kept) || (rank(atom) == rank(*kept) && atom.occupancy > kept->occupancy))
            kept = &atom;
    }
    for (RawAtom const* atom : picked.atoms) picked.occupancy += atom->occupancy;
    if (!picked.atoms.empty()) picked.occupancy /= static_cast<float>(picked.atoms.size());
    return picked;
}

// Bonded one after the other: by the peptide bond, or, where the numbers follow each other, by the distance of the CAs.
bool joined(Picked const& before, Picked const& after) {
    RawAtom const* carbon = find_atom(before, "C");
    RawAtom const* nitrogen = find_atom(after, "N");
    if (carbon != nullptr && nitrogen != nullptr && distance(*carbon, *nitrogen) <= longest_peptide_bond) return true;
    int const step = after.raw->number - before.raw->number;
    RawAtom const* a = find_atom(before, "CA");
    RawAtom const* b = find_atom(after, "CA");
    return (step == 0 || step == 1) && a != nullptr && b != nullptr && distance(*a, *b) <= longest_ca_step;
}

bool has_backbone(Picked const& residue) {
    RawAtom const* n = find_atom(residue, "N");
    RawAtom const* ca = find_atom(residue, "CA");
    RawAtom const* c = find_atom(residue, "C");
    return n != nullptr && ca != nullptr && c != nullptr && ca->element != 20 && distance(*n, *ca) < 2.0 &&
           distance(*ca, *c) < 2.0;
}

// HETATM amino acids outside the chain are ligands; unknown residues with a backbone inside it are amino acids X.
void settle_amino_acids(std::vector<Picked>& residues) {
    auto const candidate = [](Picked const& r) {
        return r.facts.kind == ResidueKind::amino_acid || (!r.facts.known && has_backbone(r));
    };
    std::vector<bool> inside(residues.size());
    for (std::size_t i = 0; i < residues.size(); ++i) {
        Picked const& residue = residues[i];
        if (!candidate(residue)) continue;
        bool const known = residue.facts.kind == ResidueKind::amino_acid;
        bool bonded = (known && !residue.raw->hetero) || residue.raw->has_label_number;
        if (!bonded && i > 0 && candidate(residues[i - 1])) bonded = joined(residues[i - 1], residue);
        if (!bonded && i + 1 < residues.size() && candidate(residues[i + 1])) bonded = joined(residue, residues[i + 1]);
        inside[i] = bonded || (!known && !residue.raw->hetero);
    }
    for (std::size_t i = 0; i < residues.size(); ++i) {
        if (!candidate(residues[i])) continue;
        residues[i].facts.kind = inside[i] ? ResidueKind::amino_acid : ResidueKind::ligand;
    }
}

std::string place_text(RawChain const& chain, RawResidue const& residue) {
    std::string text = chain.name + ":" + std::to_string(residue.number);
    if (residue.insertion_code != 0) text += residue.insertion_code;
    return text;
}

// Two amino acids at one number: alternatives (the better occupied stays) or a repeat (the first stays).
void settle_same_place(RawChain const& chain, std::vector<Picked>& residues, std::vector<std::string>& notes) {
    std::map<std::pair<int, char>, std::size_t> first;
    for (std::size_t i = 0; i < residues.size(); ++i) {
        Picked& residue = residues[i];
        if (residue.facts.kind != ResidueKind::amino_acid) continue;
        std::string const place = place_text(chain, *residue.raw);
        if (residue.repeated)
            notes.push_back("warning: residue " + place + " " + residue.raw->name +
                            " is in the file twice; the first is used");
        auto const [at, added] = first.emplace(std::pair{residue.raw->number, residue.raw->insertion_code}, i);
        if (added) continue;
        Picked& kept = residues[at->second];
        if (kept.all_alternative && residue.all_alternative) {
            bool const better = residue.occupancy > kept.occupancy + 1e-6F;
            notes.push_back("residue " + place + " is " + kept.raw->name + " or " + residue.raw->name + "; " +
                            (better ? residue : kept).raw->name + " is used");
            (better ? kept : residue).dropped = true;
            if (better) at->second = i;
        } else {
            notes.push_back("warning: residue " + place + " is in the file twice, as " + kept.raw->name + " and " +
                            residue.raw->name + "; the first is used");
            residue.dropped = true;
        }
    }
}

bool is_ion(Picked const& residue) {
    if (residue.atoms.size() != 1) return false;
    static std::set<std::uint8_t> const organic = {0, 1, 6, 7, 8, 15, 16};
    return !organic.contains(residue.atoms.front()->element);
}

std::uint8_t element_of(RawAtom const& atom) {
    if (atom.element != 0) return atom.element;
    switch (atom.name.empty() ? 'C' : atom.name.front()) {
        case 'H':
            return 1;
        case 'N':
            return 7;
        case 'O':
            return 8;
        case 'S':
            return 16;
        case 'P':
            return 15;
        default:
            return 6;
    }
}

Atom atom_of(RawAtom const& source, std::uint32_t residue) {
    Atom atom;
    for (std::size_t axis = 0; axis < 3; ++axis) atom.position[axis] = static_cast<float>(source.position[axis]);
    atom.b_factor = std::isfinite(source.b_factor) ? source.b_factor : 0;
    atom.occupancy = std::isfinite(source.occupancy) ? source.occupancy : 0;
    atom.residue = residue;
    atom.element = element_of(source);
    atom.altloc = source.altloc;
    std::copy_n(source.name.begin(), std::min<std::size_t>(source.name.size(), 4), atom.name.begin());
    return atom;
}

void add_residue(StructureFile& file, Picked const& from, std::uint32_t chain) {
    Structure& structure = file.structure;
    Residue residue;
    residue.name = from.raw->name;
    residue.number = from.raw->number;
    residue.insertion_code = from.raw->insertion_code;
    residue.chain = chain;
    residue.kind = from.facts.kind == ResidueKind::ligand && is_ion(from) ? ResidueKind::ion : from.facts.kind;
    residue.letter = residue.kind == ResidueKind::amino_acid ? from.facts.letter : 'X';
    residue.first_atom = static_cast<std::uint32_t>(structure.atoms.size());
    residue.atom_count = static_cast<std::uint32_t>(from.atoms.size());
    auto const index = static_cast<std::uint32_t>(structure.residues.size());
    for (RawAtom const* source : from.atoms) structure.atoms.push_back(atom_of(*source, index));
    if (from.alternatives) {
        std::set<RawAtom const*> const kept(from.atoms.begin(), from.atoms.end());
        for (RawAtom const& source : from.raw->atoms)
            if (!kept.contains(&source)) file.alternatives.push_back(atom_of(source, index));
    }
    structure.residues.push_back(std::move(residue));
}

void add_chain(StructureFile& file, RawChain const& raw, std::size_t& alternatives) {
    Structure& structure = file.structure;
    std::vector<Picked> residues;
    residues.reserve(raw.residues.size());
    for (RawResidue const& residue : raw.residues) residues.push_back(pick(residue));
    settle_amino_acids(residues);
    settle_same_place(raw, residues, file.notes);
    Chain chain;
    chain.name = raw.name;
    chain.first_residue = static_cast<std::uint32_t>(structure.residues.size());
    auto const index = static_cast<std::uint32_t>(structure.chains.size());
    for (Picked const& residue : residues) {
        if (residue.dropped) continue;
        if (residue.alternatives) ++alternatives;
        // The polymer's label name is the one people know; ligands of the chain have others.
        if (chain.label_name.empty() && residue.facts.kind == ResidueKind::amino_acid)
            chain.label_name = residue.raw->label_chain;
        add_residue(file, residue, index);
    }
    if (chain.label_name.empty() && !residues.empty()) chain.label_name = residues.front().raw->label_chain;
    chain.residue_count = static_cast<std::uint32_t>(structure.residues.size()) - chain.first_residue;
    structure.chains.push_back(std::move(chain));
}

// Ranges run in file order from the first named residue to the last.
bool apply_secondary(Structure& structure, std::vector<SecondaryRange> const& ranges) {
    std::map<std::string_view, std::size_t> chains;
    for (std::size_t i = 0; i < structure.chains.size(); ++i) chains.emplace(structure.chains[i].name, i);
    bool any = false;
    for (SecondaryRange const& range : ranges) {
        auto const at = chains.find(range.chain);
        if (at == chains.end()) continue;
        Chain const& chain = structure.chains[at->second];
        std::optional<std::size_t> first, last;
        for (std::size_t i = chain.first_residue; i < chain.first_residue + chain.residue_count; ++i) {
            Residue const& residue = structure.residues[i];
            if (residue.kind != ResidueKind::amino_acid) continue;
            if (!first && residue.number == range.first && residue.insertion_code == range.first_insertion) first = i;
            if (residue.number == range.last && residue.insertion_code == range.last_insertion) last = i;
        }
        if (!first || !last || *last < *first) continue;
        for (std::size_t i = *first; i <= *last; ++i)
            if (structure.residues[i].kind == ResidueKind::amino_acid) structure.residues[i].secondary = range.kind;
        any = true;
    }
    return any;
}

}  // namespace

std::string structure_name(std::filesystem::path const& path) {
    std::filesystem::path name = path.filename();
    if (name.extension() == ".gz") name = name.stem();
    for (char const* extension : {".pdb", ".ent", ".cif", ".mmcif", ".PDB", ".ENT", ".CIF"})
        if (name.extension() == extension) return name.stem().string();
    return name.string();
}

Result<StructureFile> build_structure(RawStructure const& raw, std::string const& name, std::string const& file_name,
                                      StructureOptions const& options) {
    auto const count = static_cast<int>(raw.models.size());
    if (options.model < 1 || options.model > count)
        return bad_input("there is no model " + std::to_string(options.model), file_name,
                         count == 1 ? "The file has one model" : "The file has models 1 to " + std::to_string(count),
                         "model");
    StructureFile file;
    file.format = raw.format;
    file.model_count = count;
    file.has_assembly = raw.has_assembly;
    file.structure.name = name;
    std::size_t alternatives = 0;
    for (RawChain const& chain : raw.models[static_cast<std::size_t>(options.model - 1)].chains)
        add_chain(file, chain, alternatives);
    if (alternatives > 0)
        file.notes.push_back(std::to_string(alternatives) + (alternatives == 1 ? " residue has" : " residues have") +
                             " alternative locations; the one with the highest occupancy is used");
    if (count > 1)
        file.notes.push_back("model " + std::to_string(options.model) + " of " + std::to_string(count) + " is used");
    file.secondary_from_file = apply_secondary(file.structure, raw.secondary);
    if (!file.secondary_from_file) assign_secondary_structure(file.structure);
    return file;
}

Result<StructureFile> read_structure(std::filesystem::path const& path, StructureOptions const& options) {
    ORRERY_TRY(std::string const text, read_structure_text(path));
    std::string const file_name = path.filename().string();
    ORRERY_TRY(RawStructure const raw, parse_raw_structure(text, file_name, options.assembly));
    ORRERY_TRY(StructureFile file, build_structure(raw, structure_name(path), file_name, options));
    file.structure.source = path.string();
    return file;
}

}  // namespace orrery::io
