#include "core/methods/stab-ddg/structure_writer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace orrery::methods::stab_ddg {
namespace {

constexpr std::array<std::string_view, 119> symbols = {
    "X",  "H",  "He", "Li", "Be", "B",  "C",  "N",  "O",  "F",  "Ne", "Na", "Mg", "Al", "Si", "P",  "S",
    "Cl", "Ar", "K",  "Ca", "Sc", "Ti", "V",  "Cr", "Mn", "Fe", "Co", "Ni", "Cu", "Zn", "Ga", "Ge", "As",
    "Se", "Br", "Kr", "Rb", "Sr", "Y",  "Zr", "Nb", "Mo", "Tc", "Ru", "Rh", "Pd", "Ag", "Cd", "In", "Sn",
    "Sb", "Te", "I",  "Xe", "Cs", "Ba", "La", "Ce", "Pr", "Nd", "Pm", "Sm", "Eu", "Gd", "Tb", "Dy", "Ho",
    "Er", "Tm", "Yb", "Lu", "Hf", "Ta", "W",  "Re", "Os", "Ir", "Pt", "Au", "Hg", "Tl", "Pb", "Bi", "Po",
    "At", "Rn", "Fr", "Ra", "Ac", "Th", "Pa", "U",  "Np", "Pu", "Am", "Cm", "Bk", "Cf", "Es", "Fm", "Md",
    "No", "Lr", "Rf", "Db", "Sg", "Bh", "Hs", "Mt", "Ds", "Rg", "Cn", "Nh", "Fl", "Mc", "Lv", "Ts", "Og"};

std::string symbol(Atom const& atom) { return std::string(symbols[atom.element < symbols.size() ? atom.element : 0]); }

std::string upper(std::string text) {
    for (char& c : text)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return text;
}

double value_of(std::span<double const> values, std::size_t residue) {
    double const value = residue < values.size() ? values[residue] : 0;
    return std::isnan(value) ? 0 : std::clamp(value, -99.99, 999.99);
}

// The element stands right-justified in columns 13-14, so "CA" the alpha carbon and "CA" calcium differ.
std::string pdb_atom_name(Atom const& atom) {
    std::string const name = atom.name.data();
    bool const shifted = symbol(atom).size() == 1 && name.size() < 4;
    std::string text = shifted ? " " + name : name;
    text.resize(4, ' ');
    return text;
}

bool is_hetero(Residue const& residue) {
    return residue.kind != ResidueKind::amino_acid && residue.kind != ResidueKind::nucleic_acid;
}

Error does_not_fit(std::string what, Structure const& structure) {
    return bad_input(std::move(what) + " does not fit the PDB format", structure.name, "Write mmCIF instead");
}

Result<void> check_fits(Structure const& structure) {
    for (Chain const& chain : structure.chains)
        if (chain.name.size() > 1) return does_not_fit("the chain name \"" + chain.name + "\"", structure);
    if (structure.atoms.size() + structure.chains.size() > 99999)
        return does_not_fit(std::to_string(structure.atoms.size()) + " atoms", structure);
    for (Residue const& residue : structure.residues) {
        if (residue.number < -999 || residue.number > 9999)
            return does_not_fit("residue number " + std::to_string(residue.number), structure);
        if (residue.name.size() > 3) return does_not_fit("the residue name " + residue.name, structure);
    }
    for (Atom const& atom : structure.atoms)
        for (float const x : atom.position)
            if (!(x > -999.9995F && x < 9999.9995F)) return does_not_fit("a coordinate", structure);
    return {};
}

// Quoted where mmCIF asks for it: names of atoms with a prime, blanks, reserved starts.
std::string cif_value(std::string const& text) {
    if (text.empty()) return "?";
    bool plain = std::string_view("_#$'\"[];").find(text[0]) == std::string_view::npos && text != "." && text != "?";
    for (char const c : text) plain = plain && c > ' ' && c < 127 && c != '\'' && c != '"';
    if (plain) return text;
    return text.find('"') == std::string::npos ? "\"" + text + "\"" : "'" + text + "'";
}

template <class... Arguments>
void append(std::string& out, char const* format, Arguments... arguments) {
    std::array<char, 256> buffer{};
    int const length = std::snprintf(buffer.data(), buffer.size(), format, arguments...);
    out.append(buffer.data(), static_cast<std::size_t>(std::clamp(length, 0, static_cast<int>(buffer.size()) - 1)));
}

struct Place {
    std::string chain, number;
};

Place place_of(std::string const& key) {
    auto const colon = key.rfind(':');
    if (colon == std::string::npos) return {};
    return {key.substr(0, colon), key.substr(colon + 1)};
}

// Keys by chain, in their order.
std::vector<std::pair<std::string, std::vector<std::string>>> by_chain(std::vector<std::string> const& keys) {
    std::vector<std::pair<std::string, std::vector<std::string>>> result;
    for (std::string const& key : keys) {
        auto [chain, number] = place_of(key);
        if (number.empty()) continue;
        auto at = std::find_if(result.begin(), result.end(), [&](auto const& entry) { return entry.first == chain; });
        if (at == result.end()) at = result.insert(result.end(), {chain, {}});
        at->second.push_back(number);
    }
    return result;
}

std::string joined(std::vector<std::string> const& parts, char const* separator, bool negative_escaped) {
    std::string text;
    for (std::string const& part : parts) {
        if (!text.empty()) text += separator;
        text += negative_escaped && part[0] == '-' ? "\\" + part : part;
    }
    return text;
}

}  // namespace

Result<std::string> write_pdb(Structure const& structure, std::span<double const> values,
                              std::vector<std::string> const& remarks) {
    ORRERY_CHECK(check_fits(structure));
    std::string out;
    for (std::string const& remark : remarks) {
        // Lines of a PDB file have 80 columns.
        for (std::size_t start = 0; start == 0 || start < remark.size(); start += 69)
            out += "REMARK   3 " + remark.substr(start, 69) + "\n";
    }
    int serial = 0;
    for (Chain const& chain : structure.chains) {
        bool in_polymer = false;
        std::size_t last = 0;
        auto const terminate = [&] {
            if (!in_polymer) return;
            Residue const& residue = structure.residues[last];
            append(out, "TER   %5d      %3s %1s%4d%c\n", ++serial, residue.name.c_str(),
                   chain.name.empty() ? " " : chain.name.c_str(), residue.number,
                   residue.insertion_code != 0 ? residue.insertion_code : ' ');
            in_polymer = false;
        };
        for (std::size_t r = chain.first_residue; r < chain.first_residue + chain.residue_count; ++r) {
            Residue const& residue = structure.residues[r];
            if (is_hetero(residue))
                terminate();
            else
                in_polymer = true, last = r;
            for (std::size_t a = residue.first_atom; a < residue.first_atom + residue.atom_count; ++a) {
                Atom const& atom = structure.atoms[a];
                // The kept location is the only one, so its mark would mislead.
                append(out, "%-6s%5d %4s %3s %1s%4d%c   %8.3f%8.3f%8.3f%6.2f%6.2f          %2s\n",
                       is_hetero(residue) ? "HETATM" : "ATOM", ++serial, pdb_atom_name(atom).c_str(),
                       residue.name.c_str(), chain.name.empty() ? " " : chain.name.c_str(), residue.number,
                       residue.insertion_code != 0 ? residue.insertion_code : ' ',
                       static_cast<double>(atom.position[0]), static_cast<double>(atom.position[1]),
                       static_cast<double>(atom.position[2]),
                       static_cast<double>(std::clamp(atom.occupancy, 0.0F, 999.0F)), value_of(values, r),
                       upper(symbol(atom)).c_str());
            }
        }
        terminate();
    }
    return out + "END\n";
}

std::string write_mmcif(Structure const& structure, std::span<double const> values,
                        std::vector<std::string> const& remarks) {
    std::string name;
    for (char const c : structure.name) name += (c > ' ' && c < 127) ? c : '_';
    std::string out = "data_" + (name.empty() ? std::string("structure") : name) + "\n";
    for (std::string const& remark : remarks) out += "# " + remark + "\n";
    out += "loop_\n";
    for (char const* column : {"group_PDB",      "id",
                               "type_symbol",    "label_atom_id",
                               "label_alt_id",   "label_comp_id",
                               "label_asym_id",  "label_entity_id",
                               "label_seq_id",   "pdbx_PDB_ins_code",
                               "Cartn_x",        "Cartn_y",
                               "Cartn_z",        "occupancy",
                               "B_iso_or_equiv", "auth_seq_id",
                               "auth_comp_id",   "auth_asym_id",
                               "auth_atom_id",   "pdbx_PDB_model_num"})
        out += std::string("_atom_site.") + column + "\n";
    for (std::size_t a = 0; a < structure.atoms.size(); ++a) {
        Atom const& atom = structure.atoms[a];
        Residue const& residue = structure.residues[atom.residue];
        Chain const& chain = structure.chains[residue.chain];
        std::string const atom_name = cif_value(atom.name.data()), residue_name = cif_value(residue.name);
        std::string const chain_name = cif_value(chain.name);
        std::string const label = chain.label_name.empty() ? chain_name : cif_value(chain.label_name);
        std::string const insertion(1, residue.insertion_code != 0 ? residue.insertion_code : '?');
        out += is_hetero(residue) ? "HETATM " : "ATOM ";
        out += std::to_string(a + 1) + " " + symbol(atom) + " " + atom_name + " . " + residue_name + " " + label +
               " 1 . " + insertion;
        append(out, " %.3f %.3f %.3f %.2f %.4f ", static_cast<double>(atom.position[0]),
               static_cast<double>(atom.position[1]), static_cast<double>(atom.position[2]),
               static_cast<double>(atom.occupancy), value_of(values, atom.residue));
        out += std::to_string(residue.number) + " " + residue_name + " " + chain_name + " " + atom_name + " 1\n";
    }
    return out + "#\n";
}

std::string pymol_script(ColoringScript const& script) {
    std::string out = "# " + script.meaning + "\nload " + script.file + ", scan\nhide everything\nshow cartoon, scan\n";
    append(out, "spectrum b, blue_white_red, scan, minimum=%.3f, maximum=%.3f\n", -script.limit, script.limit);
    std::string selection;
    for (auto const& [chain, numbers] : by_chain(script.residues))
        selection += (selection.empty() ? "" : " or ") + std::string("(chain ") + (chain.empty() ? "''" : chain) +
                     " and resi " + joined(numbers, "+", true) + ")";
    if (!selection.empty())
        out += "select positions, " + selection + "\nshow sticks, positions and not name N+C+O\ndeselect\n";
    append(out, "ramp_new ddG, none, [%.3f, 0, %.3f], [blue, white, red]\nzoom scan\n", -script.limit, script.limit);
    return out;
}

std::string chimerax_script(ColoringScript const& script) {
    std::string out = "# " + script.meaning + "\nopen " + script.file + "\nhide atoms\nshow cartoons\n";
    append(out, "color bfactor palette blue:white:red range %.3f,%.3f\n", -script.limit, script.limit);
    std::string selection;
    for (auto const& [chain, numbers] : by_chain(script.residues))
        selection += "/" + chain + ":" + joined(numbers, ",", false);
    if (!selection.empty()) out += "show " + selection + " atoms\nstyle " + selection + " stick\n";
    append(out, "key blue:%.2f white:0 red:%.2f\nview\n", -script.limit, script.limit);
    return out;
}

double symmetric_limit(std::span<double const> values, double least) {
    std::vector<double> sizes;
    for (double const value : values)
        if (std::isfinite(value)) sizes.push_back(std::abs(value));
    if (sizes.empty()) return least;
    std::sort(sizes.begin(), sizes.end());
    auto const index = static_cast<std::size_t>(std::ceil(0.98 * static_cast<double>(sizes.size()))) - 1;
    return std::max(least, sizes[std::min(index, sizes.size() - 1)]);
}

}  // namespace orrery::methods::stab_ddg
