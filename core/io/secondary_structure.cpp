#include "core/io/secondary_structure.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace orrery::io {
namespace {

using Vector = std::array<double, 3>;

Vector operator-(Vector const& a, Vector const& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double length(Vector const& a) { return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }
double distance(Vector const& a, Vector const& b) { return length(a - b); }

struct BackboneResidue {
    std::size_t residue = 0;  // in the structure
    Vector n{}, ca{}, c{}, o{}, h{};
    bool has_h = false;    // proline and chain starts have no donor
    bool follows = false;  // bonded to the one before
};

bool find_backbone(Structure const& structure, std::size_t index, BackboneResidue& out) {
    Residue const& residue = structure.residues[index];
    if (residue.kind != ResidueKind::amino_acid) return false;
    unsigned found = 0;
    for (std::size_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
        Atom const& atom = structure.atoms[i];
        std::string_view const name(atom.name.data());
        Vector const position = {atom.position[0], atom.position[1], atom.position[2]};
        if (name == "N")
            out.n = position, found |= 1U;
        else if (name == "CA")
            out.ca = position, found |= 2U;
        else if (name == "C")
            out.c = position, found |= 4U;
        else if (name == "O")
            out.o = position, found |= 8U;
    }
    out.residue = index;
    return found == 15U;
}

std::vector<BackboneResidue> backbone_of(Structure const& structure) {
    std::vector<BackboneResidue> residues;
    for (std::size_t i = 0; i < structure.residues.size(); ++i) {
        BackboneResidue next;
        if (!find_backbone(structure, i, next)) continue;
        if (!residues.empty()) {
            BackboneResidue const& before = residues.back();
            Residue const& here = structure.residues[i];
            next.follows = structure.residues[before.residue].chain == here.chain && distance(before.c, next.n) < 2.5;
            if (next.follows && here.letter != 'P') {
                // The amide hydrogen points away from the carbonyl before it, 1 Å from N.
                Vector const carbonyl = before.c - before.o;
                double const norm = std::max(length(carbonyl), 1e-6);
                for (std::size_t axis = 0; axis < 3; ++axis) next.h[axis] = next.n[axis] + carbonyl[axis] / norm;
                next.has_h = true;
            }
        }
        residues.push_back(next);
    }
    return residues;
}

// Electrostatic energy of N-H(donor) ... O=C(acceptor), kcal/mol: 0.42 e * 0.20 e * 332 = 27.9.
double bond_energy(BackboneResidue const& donor, BackboneResidue const& acceptor) {
    double const on = distance(acceptor.o, donor.n), ch = distance(acceptor.c, donor.h);
    double const oh = distance(acceptor.o, donor.h), cn = distance(acceptor.c, donor.n);
    constexpr double shortest = 0.5;  // Å: closer atoms are no structure, and count as a strong bond in DSSP
    if (std::min({on, ch, oh, cn}) < shortest) return -9.9;
    return 27.9 * (1 / on + 1 / ch - 1 / oh - 1 / cn);
}

// For each donor the two acceptors with the lowest energy below -0.5 kcal/mol, as in DSSP.
class HydrogenBonds {
public:
    explicit HydrogenBonds(std::vector<BackboneResidue> const& residues)
        : m_acceptors(residues.size(), {std::pair<std::ptrdiff_t, double>{-1, 0.0}, {-1, 0.0}}) {
        constexpr double reach = 9.0;  // Å, CA to CA
        std::map<std::tuple<int, int, int>, std::vector<std::size_t>> cells;
        auto const cell = [&](Vector const& p) {
            return std::tuple{static_cast<int>(std::floor(p[0] / reach)), static_cast<int>(std::floor(p[1] / reach)),
                              static_cast<int>(std::floor(p[2] / reach))};
        };
        for (std::size_t i = 0; i < residues.size(); ++i) cells[cell(residues[i].ca)].push_back(i);
        for (std::size_t i = 0; i < residues.size(); ++i) {
            if (!residues[i].has_h) continue;
            auto const [x, y, z] = cell(residues[i].ca);
            for (int dx = -1; dx <= 1; ++dx)
                for (int dy = -1; dy <= 1; ++dy)
                    for (int dz = -1; dz <= 1; ++dz)
                        if (auto const at = cells.find({x + dx, y + dy, z + dz}); at != cells.end())
                            for (std::size_t const j : at->second) consider(residues, i, j, reach);
        }
    }

    [[nodiscard]] bool bonded(std::ptrdiff_t donor, std::ptrdiff_t acceptor) const {
        auto const count = static_cast<std::ptrdiff_t>(m_acceptors.size());
        if (donor < 0 || acceptor < 0 || donor >= count || acceptor >= count) return false;
        auto const& best = m_acceptors[static_cast<std::size_t>(donor)];
        return best[0].first == acceptor || best[1].first == acceptor;
    }

    [[nodiscard]] std::array<std::ptrdiff_t, 2> acceptors(std::ptrdiff_t donor) const {
        auto const& best = m_acceptors[static_cast<std::size_t>(donor)];
        return {best[0].first, best[1].first};
    }

private:
    void consider(std::vector<BackboneResidue> const& residues, std::size_t donor, std::size_t acceptor, double reach) {
        if (donor == acceptor || (donor == acceptor + 1 && residues[donor].follows)) return;
        if (distance(residues[donor].ca, residues[acceptor].ca) > reach) return;
        double const energy = bond_energy(residues[donor], residues[acceptor]);
        if (energy >= -0.5) return;
        auto& best = m_acceptors[donor];
        std::pair<std::ptrdiff_t, double> const bond{static_cast<std::ptrdiff_t>(acceptor), energy};
        if (energy < best[0].second)
            best[1] = best[0], best[0] = bond;
        else if (energy < best[1].second)
            best[1] = bond;
    }

    std::vector<std::array<std::pair<std::ptrdiff_t, double>, 2>> m_acceptors;  // (acceptor, energy), -1: none
};

struct Bridge {
    std::ptrdiff_t i = 0, j = 0;  // i < j
    bool parallel = false;
};

class Assignment {
public:
    Assignment(Structure& structure, std::vector<BackboneResidue> const& residues)
        : m_structure(structure),
          m_residues(residues),
          m_bonds(residues),
          m_kinds(residues.size(), SecondaryStructure::coil) {}

    void run() {
        strands();
        for (int const turn : {4, 3, 5}) helices(turn);  // the alpha helix goes first, as in DSSP
        for (std::size_t i = 0; i < m_residues.size(); ++i)
            m_structure.residues[m_residues[i].residue].secondary = m_kinds[i];
    }

private:
    // Positions first..last lie in one piece of chain.
    [[nodiscard]] bool unbroken(std::ptrdiff_t first, std::ptrdiff_t last) const {
        if (first < 0 || last >= static_cast<std::ptrdiff_t>(m_residues.size())) return false;
        for (std::ptrdiff_t i = first + 1; i <= last; ++i)
            if (!m_residues[static_cast<std::size_t>(i)].follows) return false;
        return true;
    }

    void helices(int turn) {
        auto const count = static_cast<std::ptrdiff_t>(m_residues.size());
        for (std::ptrdiff_t i = 1; i + turn < count; ++i) {
            if (!unbroken(i - 1, i + turn) || !m_bonds.bonded(i - 1 + turn, i - 1) || !m_bonds.bonded(i + turn, i))
                continue;
            auto const first = m_kinds.begin() + i;
            bool const free = turn == 4 || std::all_of(first, first + turn, [](SecondaryStructure kind) {
                                  return kind == SecondaryStructure::coil;
                              });
            if (free) std::fill(first, first + turn, SecondaryStructure::helix);
        }
    }

    // In every pattern of a bridge residue i or i + 1 is a donor to j or j - 1, so its acceptors name the candidates.
    [[nodiscard]] std::vector<Bridge> bridges() const {
        std::vector<Bridge> found;
        auto const on = [&](std::ptrdiff_t donor, std::ptrdiff_t acceptor) { return m_bonds.bonded(donor, acceptor); };
        for (std::ptrdiff_t i = 1; i + 1 < static_cast<std::ptrdiff_t>(m_residues.size()); ++i) {
            if (!unbroken(i - 1, i + 1)) continue;
            std::set<std::ptrdiff_t> candidates;
            for (std::ptrdiff_t const donor : {i, i + 1})
                for (std::ptrdiff_t const acceptor : m_bonds.acceptors(donor))
                    candidates.insert({acceptor, acceptor + 1});
            for (std::ptrdiff_t const j : candidates) {
                if (j < i + 3 || !unbroken(j - 1, j + 1)) continue;
                if ((on(j, i - 1) && on(i + 1, j)) || (on(i, j - 1) && on(j + 1, i)))
                    found.push_back({i, j, true});
                else if ((on(j, i) && on(i, j)) || (on(j + 1, i - 1) && on(i + 1, j - 1)))
                    found.push_back({i, j, false});
            }
        }
        return found;
    }

    // Two bridges of one ladder: next to each other, or a bulge apart (one side at most 1, the other at most 4
    // between).
    [[nodiscard]] bool linked(Bridge const& a, Bridge const& b) const {
        if (a.parallel != b.parallel) return false;
        std::ptrdiff_t const di = b.i - a.i;
        std::ptrdiff_t const dj = a.parallel ? b.j - a.j : a.j - b.j;
        if (di < 1 || dj < 1 || !((di <= 2 && dj <= 5) || (di <= 5 && dj <= 2))) return false;
        return unbroken(a.i, b.i) && unbroken(std::min(a.j, b.j), std::max(a.j, b.j));
    }

    void strands() {
        std::vector<Bridge> const all = bridges();  // sorted by i, then j
        for (std::size_t a = 0; a < all.size(); ++a)
            for (std::size_t b = a + 1; b < all.size() && all[b].i - all[a].i <= 5; ++b) {
                if (!linked(all[a], all[b])) continue;
                fill(all[a].i, all[b].i);
                fill(std::min(all[a].j, all[b].j), std::max(all[a].j, all[b].j));
            }
    }

    void fill(std::ptrdiff_t first, std::ptrdiff_t last) {
        std::fill(m_kinds.begin() + first, m_kinds.begin() + last + 1, SecondaryStructure::strand);
    }

    Structure& m_structure;
    std::vector<BackboneResidue> const& m_residues;
    HydrogenBonds m_bonds;
    std::vector<SecondaryStructure> m_kinds;
};

}  // namespace

void assign_secondary_structure(Structure& structure) {
    std::vector<BackboneResidue> const residues = backbone_of(structure);
    if (residues.size() < 3) return;
    Assignment(structure, residues).run();
}

}  // namespace orrery::io
