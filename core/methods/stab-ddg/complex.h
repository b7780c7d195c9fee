// The input of the method: backbones of the chains of one structure, as read in official or default mode, and the two
// sides. Spec: "Inputs". No LibTorch.
#pragma once

#include "core/base/result.h"
#include "core/base/structure.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orrery::methods::stab_ddg {

inline constexpr std::string_view alphabet =
    "ACDEFGHIKLMNPQRSTVWYX";  // index of a letter = network's class; '-' -> X = 20

enum class ReadingMode { automatic, official };

// One chain as the network sees it: residues and gap positions, in order.
struct BackboneChain {
    std::string name;                             // author name
    std::string label_name;                       // mmCIF label_asym_id, empty for PDB
    std::string letters;                          // one a position, of the alphabet or '-'
    std::vector<std::array<float, 12>> backbone;  // N, CA, C, O x xyz in Å; NaN where an atom is absent
    std::vector<int> number;                      // author numbers; a gap position has the number it stands for
    std::vector<char> insertion_code;             // 0: none
    std::vector<std::int64_t> residue;            // index into Backbone::structure.residues; -1 for a gap position
    [[nodiscard]] std::size_t size() const { return letters.size(); }
};

struct Backbone {
    std::string name;  // file name without extension
    std::string sha256;
    Structure structure;  // everything in the file, one location an atom, for the 3-D view and interface distances
    std::vector<Atom> alternatives;  // the other locations, for interface distances; Atom::residue as in structure
    std::vector<BackboneChain> chains;
    std::vector<std::string> notes;  // "3 waters and 1 ligand ignored", "MSE 12 read as M", repaired and skipped
                                     // things; those that start with "warning: " are for the user's eyes at once
    int model_count = 1;             // models in the file, for a picker
    bool has_assembly = false;       // the file describes a biological assembly
    [[nodiscard]] int chain_index(std::string_view name) const;  // -1 if absent
    [[nodiscard]] std::size_t positions() const;                 // of all chains, gaps included
};

// The longest input, in positions of all chains: beyond it memory and time of the network are refused with an estimate.
inline constexpr std::size_t most_positions = 20000;

struct ReadOptions {
    ReadingMode mode = ReadingMode::automatic;
    int model = 1;          // 1-based, for NMR files
    bool assembly = false;  // biological assembly 1
};

// PDB (.pdb .ent, .gz) and mmCIF (.cif, .gz). Errors as in the spec: no protein residues, CA-only, truncated (line),
// too long (> 20,000 residues), no such model.
Result<Backbone> read_backbone(std::filesystem::path const& path, ReadOptions const& options = {});

// The structure of `text` (of a file called `file_name`), as read_backbone gives it, without touching the disk.
Result<Backbone> parse_backbone(std::string const& text, std::string const& file_name, ReadOptions const& options = {});

// "ABC_DE", or with longer chain names "A1,A2_B1". Every named chain must exist, have a backbone, and be on one side
// only.
struct Sides {
    std::vector<int> side1, side2;  // indices into Backbone::chains
    std::string text;               // as it is shown: "ABC_DE"
};
Result<Sides> parse_sides(Backbone const& backbone, std::string_view text);
// A suggestion by contact clusters (antibody H+L, peptide-MHC + TCR); an error when there are fewer than two chains.
Result<Sides> suggest_sides(Backbone const& backbone);
// Shortest distance between CB atoms of the two sides in Å (CB built from N, CA, C; CA where they are incomplete).
[[nodiscard]] double side_distance(Backbone const& backbone, Sides const& sides);
// "sides A and B do not touch (closest 14.2 Å)" when that distance is above 8 Å, else empty.
[[nodiscard]] std::string touch_warning(Backbone const& backbone, Sides const& sides);

// "1AO7_ABC_DE" -> "1AO7", "ABC_DE": split at the last two underscores, so that file names may hold more. Empty when
// there are fewer than two, or an empty part.
struct ComplexName {
    std::string structure, sides;
};
[[nodiscard]] std::optional<ComplexName> split_complex_name(std::string_view name);

// A point mutation: indices into Backbone::chains and its positions.
struct PointMutation {
    int chain = 0;
    int position = 0;  // 0-based
    char wild_type = 'X', mutant = 'X';
};
struct Mutant {
    std::vector<PointMutation> mutations;
    std::string ordinal;  // "EA63Q,QD30V" in SKEMPI cleaned numbering
    std::string author;   // the same in author numbering
};
enum class Numbering { automatic, author, ordinal };
// Grammar and errors of "Mutation strings". The automatic numbering is settled over all texts together (one list),
// chain by chain where the list as a whole fits neither; what was settled goes to `notes`. The first error ends the
// work; its place is `where`, or `wheres[i]` of the text ("mutations.csv line 12").
Result<std::vector<Mutant>> parse_mutants(Backbone const& backbone, std::vector<std::string> const& texts,
                                          Numbering numbering, std::string const& where = {},
                                          std::vector<std::string>* notes = nullptr);
Result<std::vector<Mutant>> parse_mutants_at(Backbone const& backbone, std::vector<std::string> const& texts,
                                             Numbering numbering, std::vector<std::string> const& wheres,
                                             std::vector<std::string>* notes = nullptr);
// An error naming the first mutation whose chain is on neither side.
Result<void> check_on_sides(Backbone const& backbone, Sides const& sides, std::vector<Mutant> const& mutants);
// The texts of a mutant made elsewhere (a scan, a combination): fills `ordinal` and `author`.
void name_mutant(Backbone const& backbone, Mutant& mutant);

// Positions with any heavy-atom pair of the other side within `cutoff` Å (inclusive), as (chain, position), chain
// order.
std::vector<std::pair<int, int>> interface_positions(Backbone const& backbone, Sides const& sides, double cutoff);

// How near each position of the two sides comes to the other side. Gap positions are left out.
struct SideContact {
    int chain = 0, position = 0;
    double distance = 0;  // Å, nearest heavy atoms; infinity beyond `reach`
    int contacts = 0;     // heavy-atom pairs within 5 Å
};
std::vector<SideContact> side_contacts(Backbone const& backbone, Sides const& sides, double reach = 12.0);

}  // namespace orrery::methods::stab_ddg
