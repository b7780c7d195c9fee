// Chains as the network sees them, in the default ("automatic") and the official reading mode. Spec: "Inputs".
#include "core/base/hash.h"
#include "core/io/structure_reader.h"
#include "core/methods/stab-ddg/complex.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace orrery::methods::stab_ddg {
namespace {

constexpr float absent = std::numeric_limits<float>::quiet_NaN();
constexpr std::array<std::string_view, 4> backbone_atoms = {"N", "CA", "C", "O"};

std::array<float, 12> no_atoms() {
    std::array<float, 12> result{};
    result.fill(absent);
    return result;
}

int backbone_index(std::string_view name) {
    auto const at = std::find(backbone_atoms.begin(), backbone_atoms.end(), name);
    return at == backbone_atoms.end() ? -1 : static_cast<int>(at - backbone_atoms.begin());
}

void add_position(BackboneChain& chain, char letter, std::array<float, 12> const& atoms, int number, char insertion,
                  std::int64_t residue) {
    chain.letters += letter;
    chain.backbone.push_back(atoms);
    chain.number.push_back(number);
    chain.insertion_code.push_back(insertion);
    chain.residue.push_back(residue);
}

void add_gap(BackboneChain& chain, int number) { add_position(chain, '-', no_atoms(), number, 0, -1); }

std::string place(std::string const& chain, int number, char insertion) {
    std::string text = chain + ":" + std::to_string(number);
    if (insertion != 0) text += insertion;
    return text;
}

Error too_long(std::string const& file_name, std::int64_t positions) {
    // Measured: 0.27 ms a residue, mutant and draw on one core; 48 neighbours x 128 numbers x 4 bytes, six layers'
    // worth.
    double const minutes = static_cast<double>(positions) * 0.27e-3 * 20 / 60;
    double const gigabytes = static_cast<double>(positions) * 48 * 128 * 4 * 6 / 1e9;
    char text[96];
    std::snprintf(text, sizeof text, "about %.1f GB and %.0f minutes a mutant at 20 draws", gigabytes, minutes);
    return bad_input(
        std::to_string(positions) + " residues are too many: at most " + std::to_string(most_positions) + " are read",
        file_name, std::string("They would take ") + text + ". Write only the chains of the two sides into a file",
        "structure");
}

// The default mode

std::array<float, 12> backbone_of(Structure const& structure, Residue const& residue) {
    std::array<float, 12> result = no_atoms();
    for (std::size_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
        int const at = backbone_index(structure.atoms[i].name.data());
        if (at < 0) continue;
        for (std::size_t axis = 0; axis < 3; ++axis)
            result[static_cast<std::size_t>(at) * 3 + axis] = structure.atoms[i].position[axis];
    }
    return result;
}

float atom_distance(std::array<float, 12> const& a, std::size_t i, std::array<float, 12> const& b, std::size_t j) {
    float sum = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        float const d = a[i * 3 + axis] - b[j * 3 + axis];
        sum += d * d;
    }
    return std::sqrt(sum);
}

// Where C or N is absent the CAs decide: two bonded residues have them 3.8 Å apart (2.9 when cis).
bool is_broken(std::array<float, 12> const& before, std::array<float, 12> const& after) {
    float const bond = atom_distance(before, 2, after, 0);
    if (!std::isnan(bond)) return bond > 2.0F;
    float const step = atom_distance(before, 1, after, 1);
    return std::isnan(step) || step > 4.5F;
}

Result<BackboneChain> automatic_chain(Structure const& structure, Chain const& from, std::string const& file_name) {
    BackboneChain chain;
    chain.name = from.name;
    chain.label_name = from.label_name;
    for (std::size_t i = from.first_residue; i < from.first_residue + from.residue_count; ++i) {
        Residue const& residue = structure.residues[i];
        if (residue.kind != ResidueKind::amino_acid) continue;
        auto const atoms = backbone_of(structure, residue);
        if (chain.size() > 0) {
            std::int64_t const jump = std::int64_t{residue.number} - chain.number.back();
            if (jump > 1 && is_broken(chain.backbone.back(), atoms)) {
                std::int64_t const positions = static_cast<std::int64_t>(chain.size()) + jump;
                if (positions > static_cast<std::int64_t>(most_positions)) return too_long(file_name, positions);
                for (int number = chain.number.back() + 1; number < residue.number; ++number) add_gap(chain, number);
            }
        }
        add_position(chain, residue.letter, atoms, residue.number, residue.insertion_code,
                     static_cast<std::int64_t>(i));
    }
    return chain;
}

// Names that were not the twenty, grouped: "MSE read as M (B:2, B:90)".
void note_letters(Backbone& backbone) {
    static std::set<std::string> const standard = {"ALA", "ARG", "ASN", "ASP", "CYS", "GLN", "GLU",
                                                   "GLY", "HIS", "ILE", "LEU", "LYS", "MET", "PHE",
                                                   "PRO", "SER", "THR", "TRP", "TYR", "VAL"};
    std::map<std::string, std::pair<char, std::vector<std::string>>> renamed;
    for (BackboneChain const& chain : backbone.chains)
        for (std::size_t i = 0; i < chain.size(); ++i) {
            if (chain.residue[i] < 0) continue;
            Residue const& residue = backbone.structure.residues[static_cast<std::size_t>(chain.residue[i])];
            if (standard.contains(residue.name)) continue;
            auto& entry = renamed[residue.name];
            entry.first = chain.letters[i];
            entry.second.push_back(place(chain.name, chain.number[i], chain.insertion_code[i]));
        }
    for (auto const& [name, entry] : renamed) {
        auto const& [letter, places] = entry;
        std::string text = name + " read as " + (letter == '-' ? std::string("X") : std::string(1, letter)) + " (";
        for (std::size_t i = 0; i < places.size() && i < 5; ++i) text += (i > 0 ? ", " : "") + places[i];
        if (places.size() > 5) text += " and " + std::to_string(places.size() - 5) + " more";
        backbone.notes.push_back(text + ")");
    }
}

std::string counted(std::size_t count, std::string const& one) {
    return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

void note_ignored(Backbone& backbone) {
    std::size_t waters = 0, nucleotides = 0, atoms = 0;
    std::map<std::string, std::size_t> ligands;
    std::vector<bool> used(backbone.structure.residues.size());
    for (BackboneChain const& chain : backbone.chains)
        for (std::int64_t const residue : chain.residue)
            if (residue >= 0) used[static_cast<std::size_t>(residue)] = true;
    for (std::size_t i = 0; i < used.size(); ++i) {
        if (used[i]) continue;
        Residue const& residue = backbone.structure.residues[i];
        atoms += residue.atom_count;
        if (residue.kind == ResidueKind::water)
            ++waters;
        else if (residue.kind == ResidueKind::nucleic_acid)
            ++nucleotides;
        else
            ++ligands[residue.name];
    }
    if (atoms == 0) return;
    std::vector<std::string> parts;
    if (waters > 0) parts.push_back(counted(waters, "water"));
    if (nucleotides > 0) parts.push_back(counted(nucleotides, "nucleotide"));
    if (!ligands.empty()) {
        std::size_t total = 0;
        std::string names;
        for (auto const& [name, count] : ligands) {
            total += count;
            names += (names.empty() ? "" : ", ") + name;
        }
        parts.push_back(counted(total, "ligand") + " (" + names + ")");
    }
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
    backbone.notes.push_back(text + " ignored (" + counted(atoms, "atom") + ")");
}

void note_gaps_and_invalid(Backbone& backbone) {
    for (BackboneChain const& chain : backbone.chains) {
        std::size_t gaps = 0;
        std::vector<std::string> incomplete;
        for (std::size_t i = 0; i < chain.size(); ++i) {
            if (chain.residue[i] < 0)
                ++gaps;
            else if (std::any_of(chain.backbone[i].begin(), chain.backbone[i].end(),
                                 [](float x) { return std::isnan(x); }))
                incomplete.push_back(place(chain.name, chain.number[i], chain.insertion_code[i]));
        }
        if (gaps > 0) backbone.notes.push_back("chain " + chain.name + " has " + counted(gaps, "unresolved position"));
        if (incomplete.empty()) continue;
        std::string text = "backbone atoms are absent in ";
        for (std::size_t i = 0; i < incomplete.size() && i < 5; ++i) text += (i > 0 ? ", " : "") + incomplete[i];
        if (incomplete.size() > 5) text += " and " + std::to_string(incomplete.size() - 5) + " more";
        backbone.notes.push_back(text);
    }
}

// The official mode

struct OfficialResidue {
    std::string name;  // of the first record seen
    std::array<float, 12> atoms = no_atoms();
};
using OfficialChain = std::map<int, std::map<char, OfficialResidue>>;  // by number, then insertion code as text

char official_letter(std::string const& name) {
    static std::map<std::string, char> const letters = {
        {"ALA", 'A'}, {"ARG", 'R'}, {"ASN", 'N'}, {"ASP", 'D'}, {"CYS", 'C'}, {"GLN", 'Q'}, {"GLU", 'E'},
        {"GLY", 'G'}, {"HIS", 'H'}, {"ILE", 'I'}, {"LEU", 'L'}, {"LYS", 'K'}, {"MET", 'M'}, {"PHE", 'F'},
        {"PRO", 'P'}, {"SER", 'S'}, {"THR", 'T'}, {"TRP", 'W'}, {"TYR", 'Y'}, {"VAL", 'V'}};
    auto const at = letters.find(name);
    return at == letters.end() ? '-' : at->second;
}

// Rule 5: the first record of a (number, insertion code, atom) wins, across alternatives and models.
void add_official(OfficialChain& chain, io::RawResidue const& residue) {
    bool const selenomethionine = residue.hetero && residue.name == "MSE";
    if (residue.hetero && !selenomethionine) return;
    auto const [at, added] = chain[residue.number].try_emplace(residue.insertion_code);
    OfficialResidue& target = at->second;
    if (added) target.name = selenomethionine ? "MET" : residue.name;
    for (io::RawAtom const& atom : residue.atoms) {
        int const index = backbone_index(atom.name);
        if (index < 0 || !std::isnan(target.atoms[static_cast<std::size_t>(index) * 3])) continue;
        for (std::size_t axis = 0; axis < 3; ++axis)
            target.atoms[static_cast<std::size_t>(index) * 3 + axis] = static_cast<float>(atom.position[axis]);
    }
}

// The order of the official reader's alphabet: A-Z, a-z, 0-9.
int official_rank(char name) {
    if (name >= 'A' && name <= 'Z') return name - 'A';
    if (name >= 'a' && name <= 'z') return 26 + name - 'a';
    if (name >= '0' && name <= '9') return 52 + name - '0';
    return -1;
}

Result<std::vector<BackboneChain>> official_chains(io::RawStructure const& raw, Structure const& structure, int model,
                                                   std::string const& file_name) {
    std::map<int, std::pair<std::string, OfficialChain>> chains;
    for (std::size_t m = 0; m < raw.models.size(); ++m) {
        if (model > 1 && m + 1 != static_cast<std::size_t>(model)) continue;
        for (io::RawChain const& chain : raw.models[m].chains) {
            if (chain.name.size() != 1 || official_rank(chain.name[0]) < 0) continue;
            auto& entry = chains[official_rank(chain.name[0])];
            entry.first = chain.name;
            for (io::RawResidue const& residue : chain.residues) add_official(entry.second, residue);
        }
    }
    std::map<std::tuple<std::string, int, char>, std::int64_t> residues;
    for (std::size_t i = 0; i < structure.residues.size(); ++i) {
        Residue const& residue = structure.residues[i];
        residues.emplace(std::tuple{structure.chains[residue.chain].name, residue.number, residue.insertion_code},
                         static_cast<std::int64_t>(i));
    }
    std::vector<BackboneChain> result;
    for (auto const& [rank, entry] : chains) {
        auto const& [name, numbers] = entry;
        if (numbers.empty()) continue;
        std::int64_t const span = std::int64_t{numbers.rbegin()->first} - numbers.begin()->first + 1;
        if (span > static_cast<std::int64_t>(most_positions)) return too_long(file_name, span);
        BackboneChain chain;
        chain.name = name;
        for (Chain const& known : structure.chains)
            if (known.name == name) chain.label_name = known.label_name;
        for (int number = numbers.begin()->first; number <= numbers.rbegin()->first; ++number) {
            auto const at = numbers.find(number);
            if (at == numbers.end()) {
                add_gap(chain, number);
                continue;
            }
            for (auto const& [insertion, residue] : at->second) {
                auto const known = residues.find({name, number, insertion});
                add_position(chain, official_letter(residue.name), residue.atoms, number, insertion,
                             known == residues.end() ? -1 : known->second);
            }
        }
        result.push_back(std::move(chain));
    }
    return result;
}

// Both modes

// Residues, but no N, C or O anywhere.
bool only_ca(BackboneChain const& chain) {
    bool any = false;
    for (auto const& atoms : chain.backbone) {
        if (!std::isnan(atoms[0]) || !std::isnan(atoms[6])) return false;
        any = any || !std::isnan(atoms[3]);
    }
    return any;
}

Result<void> check_chains(Backbone& backbone, std::string const& file_name) {
    if (backbone.chains.empty())
        return bad_input("no protein chains in " + file_name, {},
                         backbone.notes.empty() ? "The file has no amino acids" : "It has " + backbone.notes.back(),
                         "structure");
    if (backbone.positions() > most_positions)
        return too_long(file_name, static_cast<std::int64_t>(backbone.positions()));
    bool all = true;
    for (BackboneChain const& chain : backbone.chains) all = all && only_ca(chain);
    if (all)
        return bad_input("chain " + backbone.chains.front().name + " has only CA atoms; this method needs N, CA, C, O",
                         file_name, "Rebuild the backbone (for example with PULCHRA), or take a full model",
                         "structure");
    for (BackboneChain const& chain : backbone.chains)
        if (only_ca(chain))
            backbone.notes.push_back("warning: chain " + chain.name +
                                     " has only CA atoms and can be on neither side; this method needs N, CA, C, O");
    return {};
}

}  // namespace

int Backbone::chain_index(std::string_view wanted) const {
    for (std::size_t i = 0; i < chains.size(); ++i)
        if (chains[i].name == wanted) return static_cast<int>(i);
    return -1;
}

std::size_t Backbone::positions() const {
    std::size_t total = 0;
    for (BackboneChain const& chain : chains) total += chain.size();
    return total;
}

Result<Backbone> parse_backbone(std::string const& text, std::string const& file_name, ReadOptions const& options) {
    ORRERY_TRY(io::RawStructure const raw, io::parse_raw_structure(text, file_name, options.assembly));
    std::string const name = io::structure_name(file_name);
    ORRERY_TRY(io::StructureFile file,
               io::build_structure(raw, name, file_name, {.model = options.model, .assembly = options.assembly}));
    Backbone backbone;
    backbone.name = name;
    backbone.structure = std::move(file.structure);
    backbone.alternatives = std::move(file.alternatives);
    backbone.notes = std::move(file.notes);
    backbone.model_count = file.model_count;
    backbone.has_assembly = file.has_assembly;
    if (options.mode == ReadingMode::official) {
        // Choices of the default reading say nothing about this one.
        backbone.notes.clear();
        ORRERY_TRY(backbone.chains, official_chains(raw, backbone.structure, options.model, file_name));
    } else {
        for (Chain const& chain : backbone.structure.chains) {
            ORRERY_TRY(BackboneChain read, automatic_chain(backbone.structure, chain, file_name));
            if (read.size() > 0) backbone.chains.push_back(std::move(read));
        }
        note_letters(backbone);
    }
    note_ignored(backbone);
    ORRERY_CHECK(check_chains(backbone, file_name));
    note_gaps_and_invalid(backbone);
    return backbone;
}

Result<Backbone> read_backbone(std::filesystem::path const& path, ReadOptions const& options) {
    ORRERY_TRY(std::string const text, io::read_structure_text(path));
    ORRERY_TRY(Backbone backbone, parse_backbone(text, path.filename().string(), options));
    ORRERY_TRY(backbone.sha256, sha256_file(path));
    backbone.structure.source = path.string();
    return backbone;
}

}  // namespace orrery::methods::stab_ddg
