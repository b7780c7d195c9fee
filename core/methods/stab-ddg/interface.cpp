#include "core/methods/stab-ddg/complex.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace orrery::methods::stab_ddg {
namespace {

// Distances are compared exactly, on a grid of 1e-4 Å: files hold three decimals, and "within 5 Å" must not depend on
// how a float was rounded.
using GridPoint = std::array<std::int64_t, 3>;
constexpr double grid_steps = 1e4;  // a Å

struct HeavyAtom {
    GridPoint position;
    std::size_t owner = 0;  // index into a list of positions
};

struct CellHash {
    std::size_t operator()(GridPoint const& c) const {
        return static_cast<std::size_t>(c[0] * 73856093 ^ c[1] * 19349663 ^ c[2] * 83492791);
    }
};

bool is_heavy(Atom const& atom) { return atom.element != 1; }  // deuterium has number 1 too

// Alternative locations count as well: a side chain that reaches over in one of them is at the interface.
std::vector<std::vector<std::size_t>> alternatives_by_residue(Backbone const& backbone) {
    std::vector<std::vector<std::size_t>> result(backbone.alternatives.empty() ? 0
                                                                               : backbone.structure.residues.size());
    for (std::size_t i = 0; i < backbone.alternatives.size(); ++i)
        result[backbone.alternatives[i].residue].push_back(i);
    return result;
}

void add_atoms(Backbone const& backbone, std::vector<int> const& side, std::vector<std::pair<int, int>>& positions,
               std::vector<HeavyAtom>& atoms) {
    auto const alternatives = alternatives_by_residue(backbone);
    auto const add = [&](Atom const& atom) {
        if (!is_heavy(atom)) return;
        GridPoint point{};
        for (std::size_t axis = 0; axis < 3; ++axis)
            point[axis] = std::llround(static_cast<double>(atom.position[axis]) * grid_steps);
        atoms.push_back({point, positions.size()});
    };
    for (int const chain : side) {
        BackboneChain const& from = backbone.chains[static_cast<std::size_t>(chain)];
        for (std::size_t i = 0; i < from.size(); ++i) {
            if (from.residue[i] < 0) continue;
            auto const index = static_cast<std::size_t>(from.residue[i]);
            Residue const& residue = backbone.structure.residues[index];
            for (std::size_t a = residue.first_atom; a < residue.first_atom + residue.atom_count; ++a)
                add(backbone.structure.atoms[a]);
            if (!alternatives.empty())
                for (std::size_t const a : alternatives[index]) add(backbone.alternatives[a]);
            positions.emplace_back(chain, static_cast<int>(i));
        }
    }
}

}  // namespace

std::vector<std::pair<int, int>> interface_positions(Backbone const& backbone, Sides const& sides, double cutoff) {
    if (!(cutoff > 0)) return {};
    std::vector<std::pair<int, int>> positions;
    std::vector<HeavyAtom> first, second;
    add_atoms(backbone, sides.side1, positions, first);
    add_atoms(backbone, sides.side2, positions, second);

    double const capped = std::min(cutoff, 1e4);
    auto const reach = static_cast<std::int64_t>(std::floor(capped * grid_steps + 1e-6));
    auto const cell = [&](GridPoint const& p) {
        GridPoint c{};
        for (std::size_t axis = 0; axis < 3; ++axis)
            c[axis] = static_cast<std::int64_t>(
                std::floor(static_cast<double>(p[axis]) / static_cast<double>(std::max<std::int64_t>(reach, 1))));
        return c;
    };
    std::unordered_map<GridPoint, std::vector<std::size_t>, CellHash> cells;
    for (std::size_t i = 0; i < second.size(); ++i) cells[cell(second[i].position)].push_back(i);
    std::vector<bool> touches(positions.size());
    for (HeavyAtom const& atom : first) {
        GridPoint const home = cell(atom.position);
        for (int n = 0; n < 27; ++n) {
            auto const at = cells.find({home[0] + n / 9 - 1, home[1] + n / 3 % 3 - 1, home[2] + n % 3 - 1});
            if (at == cells.end()) continue;
            for (std::size_t const j : at->second) {
                HeavyAtom const& other = second[j];
                if (touches[atom.owner] && touches[other.owner]) continue;
                std::int64_t sum = 0;
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    std::int64_t const d = atom.position[axis] - other.position[axis];
                    sum += d * d;
                }
                if (sum <= reach * reach) touches[atom.owner] = touches[other.owner] = true;
            }
        }
    }
    std::vector<std::pair<int, int>> result;
    for (std::size_t i = 0; i < positions.size(); ++i)
        if (touches[i]) result.push_back(positions[i]);
    std::sort(result.begin(), result.end());
    return result;
}

}  // namespace orrery::methods::stab_ddg
