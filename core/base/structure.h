// A molecular structure as flat arrays: what the protein view draws and the readers of core/io fill.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace orrery {

struct Atom {
    std::array<float, 3> position;  // Å
    float b_factor = 0;             // Å^2
    float occupancy = 1;
    std::uint32_t residue = 0;      // index into residues
    std::uint8_t element = 6;       // atomic number
    char altloc = 0;
    std::array<char, 5> name{};     // "CA", zero-terminated
};

enum class SecondaryStructure : std::uint8_t { coil, helix, strand };
enum class ResidueKind : std::uint8_t { amino_acid, nucleic_acid, water, ion, ligand };

struct Residue {
    std::string name;              // three-letter code as in the file: "MSE"
    char letter = 'X';             // parent's one-letter code
    int number = 0;                // author number
    char insertion_code = 0;       // 0: none
    std::uint32_t chain = 0;       // index into chains
    std::uint32_t first_atom = 0, atom_count = 0;
    SecondaryStructure secondary = SecondaryStructure::coil;
    ResidueKind kind = ResidueKind::amino_acid;
};

struct Chain {
    std::string name;        // author name
    std::string label_name;  // mmCIF label_asym_id, empty for PDB
    std::uint32_t first_residue = 0, residue_count = 0;
};

struct Structure {
    std::string name;        // "1AO7"
    std::string source;      // path
    std::vector<Chain> chains;
    std::vector<Residue> residues;
    std::vector<Atom> atoms;

    // Selection key of a residue: "A:63" or "A:52A" (author chain, number, insertion code).
    [[nodiscard]] std::string residue_key(std::size_t residue) const {
        Residue const& r = residues[residue];
        std::string key = chains[r.chain].name + ":" + std::to_string(r.number);
        if (r.insertion_code != 0) key += r.insertion_code;
        return key;
    }
};

}  // namespace orrery
