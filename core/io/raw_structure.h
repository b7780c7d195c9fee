// A structure file as it is written: every model, chain, residue and atom, alternatives included, before any choice is
// made. structure_reader.h turns it into orrery::Structure; compatibility readers of methods read it directly. gemmi
// itself stays inside gemmi_reader.cpp.
#pragma once

#include "core/base/result.h"
#include "core/base/structure.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::io {

struct RawAtom {
    std::string name;                  // "CA", blanks removed
    std::array<double, 3> position{};  // Å
    float occupancy = 1;
    float b_factor = 0;        // Å^2
    std::uint8_t element = 0;  // atomic number, 0 unknown
    char altloc = 0;
};

struct RawResidue {
    std::string name;               // "MSE"
    int number = 0;                 // author number
    char insertion_code = 0;        // 0: none
    std::string label_chain;        // mmCIF label_asym_id
    bool has_label_number = false;  // mmCIF label_seq_id is set: a residue of a polymer
    bool hetero = false;            // HETATM
    std::vector<RawAtom> atoms;
};

struct RawChain {
    std::string name;  // author name
    std::vector<RawResidue> residues;
};

struct RawModel {
    std::string name;
    std::vector<RawChain> chains;  // parts of one chain are joined: waters after TER belong to their chain
};

struct SecondaryRange {
    SecondaryStructure kind = SecondaryStructure::coil;
    std::string chain;
    int first = 0, last = 0;
    char first_insertion = 0, last_insertion = 0;
};

struct RawStructure {
    std::string format;  // "PDB" or "mmCIF"
    std::vector<RawModel> models;
    std::vector<SecondaryRange> secondary;  // HELIX, SHEET, struct_conf, struct_sheet_range
    bool has_assembly = false;              // a biological assembly 1 is described
};

// What a residue name means. `letter` is the parent's one-letter code (MSE: M, SEP: S, HID: H), X for D-amino acids,
// UNK and what has no parent among the twenty.
struct ResidueFacts {
    ResidueKind kind = ResidueKind::ligand;
    char letter = 'X';
    bool known = false;  // in gemmi's table or in the alias table of force-field names
};
[[nodiscard]] ResidueFacts residue_facts(std::string const& name);

// The text of a structure file: read, uncompressed where it is gzip, a UTF-8 mark removed. Errors: those of read_file,
// empty, gzip damaged, more than 2 GiB, UTF-16, binary (naming BinaryCIF), a Git LFS pointer.
Result<std::string> read_structure_text(std::filesystem::path const& path);
// The same from bytes; `file_name` is for the messages.
Result<std::string> structure_text(std::string bytes, std::string const& file_name);

// Parses PDB or mmCIF text, told apart by content. With `assembly`, every model is replaced by its biological assembly
// 1 (chains keep their names unless copied; copies are A1, A2 ...). Errors carry the line: short or damaged ATOM lines,
// coordinates that are no numbers, loops with a wrong number of values, no such assembly, neither PDB nor mmCIF.
Result<RawStructure> parse_raw_structure(std::string const& text, std::string const& file_name, bool assembly = false);

}  // namespace orrery::io
