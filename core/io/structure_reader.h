// PDB and mmCIF files as orrery::Structure: everything of one model, one location an atom.
#pragma once

#include "core/io/raw_structure.h"

namespace orrery::io {

struct StructureOptions {
    int model = 1;          // 1-based
    bool assembly = false;  // biological assembly 1
};

struct StructureFile {
    Structure structure;
    std::vector<Atom> alternatives;  // locations that were not chosen; Atom::residue as in structure
    std::vector<std::string> notes;  // what was chosen, renamed or left out, a sentence each
    std::string format;              // "PDB" or "mmCIF"
    int model_count = 1;
    bool has_assembly = false;
    bool secondary_from_file = false;  // else assigned from the backbone's hydrogen bonds
};

// Reads a .pdb, .ent, .cif or .mmcif file, plain or gzip. Of alternative locations the one with the highest occupancy
// in the residue is kept (ties: the first); of two residues at one place likewise. Modified amino acids get their
// parent's letter; an amino acid as HETATM counts as part of the chain when it is bonded into it, else as a ligand.
// Errors: those of read_structure_text and parse_raw_structure, and no such model.
Result<StructureFile> read_structure(std::filesystem::path const& path, StructureOptions const& options = {});
// The same from a parsed file; `name` is the structure's name, `file_name` for the messages.
Result<StructureFile> build_structure(RawStructure const& raw, std::string const& name, std::string const& file_name,
                                      StructureOptions const& options = {});
// "1AO7" of "/data/1AO7.pdb.gz".
[[nodiscard]] std::string structure_name(std::filesystem::path const& path);

}  // namespace orrery::io
