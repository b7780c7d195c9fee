#include "core/methods/stab-ddg/complex.h"

#include <algorithm>
#include <cmath>
#include <limits>
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

// All heavy atoms of the two sides, and a visit of every pair across within a distance.
class AcrossPairs {
public:
    AcrossPairs(Backbone const& backbone, Sides const& sides) {
        add_atoms(backbone, sides.side1, m_positions, m_first);
        add_atoms(backbone, sides.side2, m_positions, m_second);
    }

    [[nodiscard]] std::vector<std::pair<int, int>> const& positions() const { return m_positions; }

    // Calls visit(owner on side 1, owner on side 2, squared distance in grid steps) for pairs within `reach` Å.
    template <class Visit>
    void visit_within(double reach, Visit&& visit) const {
        auto const steps = static_cast<std::int64_t>(std::floor(std::min(reach, 1e4) * grid_steps + 1e-6));
        auto const cell = [&](GridPoint const& p) {
            GridPoint c{};
            for (std::size_t axis = 0; axis < 3; ++axis)
                c[axis] = static_cast<std::int64_t>(
                    std::floor(static_cast<double>(p[axis]) / static_cast<double>(std::max<std::int64_t>(steps, 1))));
            return c;
        };
        std::unordered_map<GridPoint, std::vector<std::size_t>, CellHash> cells;
        for (std::size_t i = 0; i < m_second.size(); ++i) cells[cell(m_second[i].position)].push_back(i);
        for (HeavyAtom const& atom : m_first) {
            GridPoint const home = cell(atom.position);
            for (int n = 0; n < 27; ++n) {
                auto const at = cells.find({home[0] + n / 9 - 1, home[1] + n / 3 % 3 - 1, home[2] + n % 3 - 1});
                if (at == cells.end()) continue;
                for (std::size_t const j : at->second) {
                    std::int64_t const sum = squared(atom.position, m_second[j].position);
                    if (sum <= steps * steps) visit(atom.owner, m_second[j].owner, sum);
                }
            }
        }
    }

private:
    static std::int64_t squared(GridPoint const& a, GridPoint const& b) {
        std::int64_t sum = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) sum += (a[axis] - b[axis]) * (a[axis] - b[axis]);
        return sum;
    }

    std::vector<std::pair<int, int>> m_positions;
    std::vector<HeavyAtom> m_first, m_second;
};

}  // namespace

std::vector<std::pair<int, int>> interface_positions(Backbone const& backbone, Sides const& sides, double cutoff) {
    if (!(cutoff > 0)) return {};
    AcrossPairs const pairs(backbone, sides);
    std::vector<bool> touches(pairs.positions().size());
    pairs.visit_within(cutoff, [&](std::size_t a, std::size_t b, std::int64_t) { touches[a] = touches[b] = true; });
    std::vector<std::pair<int, int>> result;
    for (std::size_t i = 0; i < touches.size(); ++i)
        if (touches[i]) result.push_back(pairs.positions()[i]);
    std::sort(result.begin(), result.end());
    return result;
}

std::vector<SideContact> side_contacts(Backbone const& backbone, Sides const& sides, double reach) {
    AcrossPairs const pairs(backbone, sides);
    std::vector<SideContact> result;
    for (auto const& [chain, position] : pairs.positions())
        result.push_back({chain, position, std::numeric_limits<double>::infinity(), 0});
    constexpr double contact = 5.0;  // Å
    constexpr auto contact_steps = static_cast<std::int64_t>(contact * grid_steps);
    pairs.visit_within(std::max(reach, contact), [&](std::size_t a, std::size_t b, std::int64_t squared) {
        double const distance = std::sqrt(static_cast<double>(squared)) / grid_steps;
        for (std::size_t const owner : {a, b}) {
            result[owner].distance = std::min(result[owner].distance, distance);
            if (squared <= contact_steps * contact_steps) ++result[owner].contacts;
        }
    });
    std::sort(result.begin(), result.end(), [](SideContact const& a, SideContact const& b) {
        return std::pair(a.chain, a.position) < std::pair(b.chain, b.position);
    });
    return result;
}

}  // namespace orrery::methods::stab_ddg
