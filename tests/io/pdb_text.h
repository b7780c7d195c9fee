// Builds small PDB and mmCIF texts for tests.
#pragma once

#include <cstdio>
#include <string>

namespace orrery::tests {

struct TextAtom {
    char const* name = "CA";
    char const* residue = "ALA";
    char const* chain = "A";
    int number = 1;
    double x = 0, y = 0, z = 0;
    char altloc = ' ';
    char insertion = ' ';
    double occupancy = 1;
    bool hetero = false;
    char const* element = "C";
};

inline std::string pdb_line(TextAtom const& a, int serial = 1) {
    char padded[8];
    std::snprintf(padded, sizeof padded, " %-3s", a.name);
    char line[128];
    std::snprintf(line, sizeof line, "%-6s%5d %4s%c%3s %1s%4d%c   %8.3f%8.3f%8.3f%6.2f%6.2f          %2s\n",
                  a.hetero ? "HETATM" : "ATOM", serial, padded, a.altloc, a.residue, a.chain, a.number, a.insertion,
                  a.x, a.y, a.z, a.occupancy, 10.0, a.element);
    return line;
}

// N, CA, C, O of one residue. Residues 3.3 Å apart along x are bonded (C to N 1.33 Å).
inline std::string pdb_residue(TextAtom a) {
    double const x = a.x;
    struct {
        char const* name;
        double dx, dy;
        char const* element;
    } const atoms[] = {{"N", 0, 0, "N"}, {"CA", 1.45, 0.2, "C"}, {"C", 2.0, 0.4, "C"}, {"O", 1.9, 1.6, "O"}};
    std::string text;
    for (auto const& atom : atoms) {
        a.name = atom.name;
        a.element = atom.element;
        a.x = x + atom.dx;
        double const y = a.y;
        a.y = y + atom.dy;
        text += pdb_line(a);
        a.y = y;
    }
    return text;
}

inline std::string cif_start() {
    std::string text = "data_TEST\nloop_\n";
    for (char const* column :
         {"group_PDB", "id", "type_symbol", "label_atom_id", "label_alt_id", "label_comp_id", "label_asym_id",
          "label_entity_id", "label_seq_id", "pdbx_PDB_ins_code", "Cartn_x", "Cartn_y", "Cartn_z", "occupancy",
          "B_iso_or_equiv", "auth_seq_id", "auth_asym_id", "pdbx_PDB_model_num"})
        text += std::string("_atom_site.") + column + "\n";
    return text;
}

inline std::string cif_line(TextAtom const& a, char const* label_chain, int label_number, int serial = 1) {
    char line[256];
    std::string const label = label_number > 0 ? std::to_string(label_number) : ".";
    std::snprintf(line, sizeof line, "%s %d %s %s %c %s %s 1 %s %c %.3f %.3f %.3f %.2f 10.00 %d %s 1\n",
                  a.hetero ? "HETATM" : "ATOM", serial, a.element, a.name, a.altloc == ' ' ? '.' : a.altloc, a.residue,
                  label_chain, label.c_str(), a.insertion == ' ' ? '?' : a.insertion, a.x, a.y, a.z, a.occupancy,
                  a.number, a.chain);
    return line;
}

}  // namespace orrery::tests
