// Which chains are which side: parsing, a suggestion from contacts, and whether the sides touch.
#include "core/methods/stab-ddg/complex.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>

namespace orrery::methods::stab_ddg {
namespace {

using Point = std::array<double, 3>;

std::string chain_list(Backbone const& backbone) {
    std::string text;
    for (BackboneChain const& chain : backbone.chains) text += (text.empty() ? "" : ", ") + chain.name;
    return text;
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts(1);
    for (char const c : text) {
        if (c == separator)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

std::string trimmed(std::string_view text) {
    auto const first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

// "ABC" is three chains unless there is one of that name and not all of the three; "A1,A2" names chains in full.
std::vector<std::string> chain_names(Backbone const& backbone, std::string const& part, bool commas) {
    if (commas) {
        std::vector<std::string> names = split(part, ',');
        for (std::string& name : names) name = trimmed(name);
        return names;
    }
    std::vector<std::string> letters;
    bool all = true;
    for (char const c : part) {
        letters.emplace_back(1, c);
        all = all && backbone.chain_index(letters.back()) >= 0;
    }
    if (!all && backbone.chain_index(part) >= 0) return {part};
    return letters;
}

bool has_backbone(BackboneChain const& chain) {
    return std::any_of(chain.backbone.begin(), chain.backbone.end(), [](auto const& atoms) {
        return !std::isnan(atoms[0]) && !std::isnan(atoms[3]) && !std::isnan(atoms[6]);
    });
}

Result<std::vector<int>> parse_side(Backbone const& backbone, std::string const& part, bool commas,
                                    std::set<int>& taken, std::string const& text) {
    std::vector<int> side;
    for (std::string const& name : chain_names(backbone, part, commas)) {
        int const index = backbone.chain_index(name);
        if (index < 0) {
            std::string remedy = "It has chains " + chain_list(backbone);
            for (BackboneChain const& chain : backbone.chains)
                if (chain.label_name == name && chain.name != name)
                    remedy += "; mmCIF label " + name + " is chain " + chain.name + " here";
            return bad_input("there is no protein chain \"" + name + "\" in " + backbone.name, "sides " + text, remedy,
                             "sides");
        }
        if (!taken.insert(index).second)
            return bad_input("chain " + name + " is named twice", "sides " + text, "A chain is on one side only",
                             "sides");
        if (!has_backbone(backbone.chains[static_cast<std::size_t>(index)]))
            return bad_input("chain " + name + " has only CA atoms; this method needs N, CA, C, O", "sides " + text,
                             "Rebuild its backbone, or leave the chain out", "sides");
        side.push_back(index);
    }
    return side;
}

std::string sides_text(Backbone const& backbone, Sides const& sides) {
    bool letters = true;
    for (auto const* side : {&sides.side1, &sides.side2})
        for (int const chain : *side)
            letters = letters && backbone.chains[static_cast<std::size_t>(chain)].name.size() == 1;
    std::string text;
    for (auto const* side : {&sides.side1, &sides.side2}) {
        if (side == &sides.side2) text += '_';
        for (std::size_t i = 0; i < side->size(); ++i) {
            if (i > 0 && !letters) text += ',';
            text += backbone.chains[static_cast<std::size_t>((*side)[i])].name;
        }
    }
    return text;
}

std::string names_of(Backbone const& backbone, std::vector<int> const& side) {
    std::string text;
    for (int const chain : side) text += backbone.chains[static_cast<std::size_t>(chain)].name;
    return text;
}

// CB built as the network builds it; CA where N or C is absent; nothing at a gap.
std::optional<Point> side_chain_point(std::array<float, 12> const& x) {
    if (std::isnan(x[3])) return std::nullopt;
    Point const ca = {x[3], x[4], x[5]};
    if (std::isnan(x[0]) || std::isnan(x[6])) return ca;
    Point const b = {ca[0] - x[0], ca[1] - x[1], ca[2] - x[2]};
    Point const c = {x[6] - ca[0], x[7] - ca[1], x[8] - ca[2]};
    Point const a = {b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]};
    Point result{};
    for (std::size_t k = 0; k < 3; ++k) result[k] = -0.58273431 * a[k] + 0.56802827 * b[k] - 0.54067466 * c[k] + ca[k];
    return result;
}

std::vector<Point> points_of(BackboneChain const& chain) {
    std::vector<Point> points;
    for (auto const& atoms : chain.backbone)
        if (auto const point = side_chain_point(atoms)) points.push_back(*point);
    return points;
}

double squared(Point const& a, Point const& b) {
    return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]);
}

constexpr double contact = 8.0;  // Å, CB to CB

struct Box {
    Point low{}, high{};
    [[nodiscard]] bool near(Box const& other, double reach) const {
        for (std::size_t k = 0; k < 3; ++k)
            if (low[k] > other.high[k] + reach || other.low[k] > high[k] + reach) return false;
        return true;
    }
};

Box box_of(Backbone const& backbone, BackboneChain const& chain) {
    constexpr double far = std::numeric_limits<double>::infinity();
    Box box{{far, far, far}, {-far, -far, -far}};
    for (std::int64_t const index : chain.residue) {
        if (index < 0) continue;
        Residue const& residue = backbone.structure.residues[static_cast<std::size_t>(index)];
        for (std::size_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i)
            for (std::size_t k = 0; k < 3; ++k) {
                double const x = backbone.structure.atoms[i].position[k];
                box.low[k] = std::min(box.low[k], x);
                box.high[k] = std::max(box.high[k], x);
            }
    }
    return box;
}

// Residues in contact within 5 Å, counted on the chain that has fewer of them.
double contact_size(Backbone const& backbone, int a, int b) {
    Sides const pair{{a}, {b}, {}};
    auto const positions = interface_positions(backbone, pair, 5.0);
    auto const of_a = std::count_if(positions.begin(), positions.end(), [&](auto const& p) { return p.first == a; });
    return static_cast<double>(std::min<std::ptrdiff_t>(of_a, static_cast<std::ptrdiff_t>(positions.size()) - of_a));
}

struct Cluster {
    std::vector<int> chains;
    double residues = 0;
};

class ContactClusters {
public:
    ContactClusters(Backbone const& backbone, std::vector<int> const& chains)
        : m_strength(backbone.chains.size(), std::vector<double>(backbone.chains.size())) {
        std::vector<Box> boxes;
        for (BackboneChain const& chain : backbone.chains) boxes.push_back(box_of(backbone, chain));
        for (int const i : chains) {
            m_clusters.push_back({{i}, length_of(backbone, i)});
            for (int const j : chains)
                if (j > i && boxes[static_cast<std::size_t>(i)].near(boxes[static_cast<std::size_t>(j)], 5.0))
                    set_strength(i, j, strength_of(backbone, i, j));
        }
    }

    // Chains in contact with each other, directly or through others: the piece with the most residues stays. A
    // crystal's second copy of the complex belongs to neither side.
    void keep_largest_piece() {
        std::vector<Cluster> pieces = m_clusters;
        while (auto const pair = best_pair(pieces)) merge(pieces, *pair);
        auto const largest = std::max_element(pieces.begin(), pieces.end(), [](Cluster const& a, Cluster const& b) {
            if ((a.chains.size() > 1) != (b.chains.size() > 1)) return b.chains.size() > 1;
            return a.residues < b.residues;  // ties: the first stays
        });
        if (largest->chains.size() < 2) return;
        std::set<int> const kept(largest->chains.begin(), largest->chains.end());
        std::erase_if(m_clusters, [&](Cluster const& cluster) { return !kept.contains(cluster.chains.front()); });
    }

    // Joins the two most firmly bound clusters until two are left.
    std::vector<Cluster> two() {
        while (m_clusters.size() > 2) {
            auto const pair = best_pair(m_clusters);
            if (!pair) break;
            merge(m_clusters, *pair);
        }
        return m_clusters;
    }

private:
    using Pair = std::pair<std::size_t, std::size_t>;

    static double length_of(Backbone const& backbone, int chain) {
        BackboneChain const& from = backbone.chains[static_cast<std::size_t>(chain)];
        return static_cast<double>(
            std::count_if(from.residue.begin(), from.residue.end(), [](auto r) { return r >= 0; }));
    }

    static double strength_of(Backbone const& backbone, int a, int b) {
        double const size = contact_size(backbone, a, b);
        std::set<std::string> const names = {backbone.chains[static_cast<std::size_t>(a)].name,
                                             backbone.chains[static_cast<std::size_t>(b)].name};
        bool const antibody = names == std::set<std::string>{"H", "L"} && size >= 8;  // heavy and light, by custom
        return antibody ? 2 * size + 60 : size;
    }

    void set_strength(int i, int j, double value) {
        m_strength[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = value;
        m_strength[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)] = value;
    }

    // The firmest contact of one chain with one chain: a subunit sits on one chain, a binder often straddles several. A
    // peptide is bound by its whole length, so its contact counts relative to that; from 60 residues on the contact
    // counts itself, so that the large interfaces inside an antibody, a receptor or an MHC win over those of binding.
    [[nodiscard]] double between(Cluster const& a, Cluster const& b) const {
        double firmest = 0;
        for (int const i : a.chains)
            for (int const j : b.chains)
                firmest = std::max(firmest, m_strength[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]);
        return firmest / std::min({a.residues, b.residues, 60.0});
    }

    [[nodiscard]] std::optional<Pair> best_pair(std::vector<Cluster> const& clusters) const {
        std::optional<Pair> best;
        double highest = 0;
        for (std::size_t i = 0; i < clusters.size(); ++i)
            for (std::size_t j = i + 1; j < clusters.size(); ++j)
                if (double const strength = between(clusters[i], clusters[j]); strength > highest) {
                    highest = strength;
                    best = Pair{i, j};
                }
        return best;
    }

    static void merge(std::vector<Cluster>& clusters, Pair const& pair) {
        Cluster& into = clusters[pair.first];
        Cluster const& from = clusters[pair.second];
        into.chains.insert(into.chains.end(), from.chains.begin(), from.chains.end());
        into.residues += from.residues;
        clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(pair.second));
    }

    std::vector<std::vector<double>> m_strength;  // chain by chain
    std::vector<Cluster> m_clusters;
};

}  // namespace

Result<Sides> parse_sides(Backbone const& backbone, std::string_view given) {
    std::string const text = trimmed(given);
    std::string const remedy = "Write the chains of side 1, an underscore, the chains of side 2: ABC_DE, or A1,A2_B1";
    if (text.empty()) return bad_input("the two sides are not given", {}, remedy, "sides");
    auto const cut = text.find('_');
    if (cut == std::string::npos || text.find('_', cut + 1) != std::string::npos)
        return bad_input("\"" + text + "\" does not name two sides", {}, remedy, "sides");
    bool const commas = text.find(',') != std::string::npos;
    std::string const first = trimmed(text.substr(0, cut)), second = trimmed(text.substr(cut + 1));
    if (first.empty() || second.empty()) return bad_input("\"" + text + "\" has an empty side", {}, remedy, "sides");
    Sides sides;
    std::set<int> taken;
    ORRERY_TRY(sides.side1, parse_side(backbone, first, commas, taken, text));
    ORRERY_TRY(sides.side2, parse_side(backbone, second, commas, taken, text));
    sides.text = sides_text(backbone, sides);
    return sides;
}

Result<Sides> suggest_sides(Backbone const& backbone) {
    std::vector<int> usable;
    for (std::size_t i = 0; i < backbone.chains.size(); ++i)
        if (has_backbone(backbone.chains[i])) usable.push_back(static_cast<int>(i));
    if (usable.size() < 2)
        return bad_input(
            "a complex has at least two protein chains; " + backbone.name + " has " + std::to_string(usable.size()), {},
            backbone.has_assembly ? "Read the biological assembly: the two sides may meet only there"
                                  : "Open a file that holds both binding partners",
            "structure");
    ContactClusters clusters(backbone, usable);
    clusters.keep_largest_piece();
    std::vector<Cluster> const two = clusters.two();
    Sides sides{two[0].chains, two[1].chains, {}};
    std::sort(sides.side1.begin(), sides.side1.end());
    std::sort(sides.side2.begin(), sides.side2.end());
    if (sides.side2.front() < sides.side1.front()) std::swap(sides.side1, sides.side2);
    sides.text = sides_text(backbone, sides);
    return sides;
}

double side_distance(Backbone const& backbone, Sides const& sides) {
    double best = std::numeric_limits<double>::infinity();
    std::vector<Point> other;
    for (int const chain : sides.side2) {
        auto const points = points_of(backbone.chains[static_cast<std::size_t>(chain)]);
        other.insert(other.end(), points.begin(), points.end());
    }
    for (int const chain : sides.side1)
        for (Point const& a : points_of(backbone.chains[static_cast<std::size_t>(chain)]))
            for (Point const& b : other) best = std::min(best, squared(a, b));
    return std::sqrt(best);
}

std::string touch_warning(Backbone const& backbone, Sides const& sides) {
    double const distance = side_distance(backbone, sides);
    if (distance <= contact) return {};
    char closest[32];
    std::snprintf(closest, sizeof closest, "%.1f", distance);
    return "sides " + names_of(backbone, sides.side1) + " and " + names_of(backbone, sides.side2) +
           " do not touch (closest " + closest + " Å)";
}

std::optional<ComplexName> split_complex_name(std::string_view name) {
    auto const second = name.rfind('_');
    if (second == std::string_view::npos || second == 0) return std::nullopt;
    auto const first = name.rfind('_', second - 1);
    if (first == std::string_view::npos || first == 0 || first + 1 == second || second + 1 == name.size())
        return std::nullopt;
    return ComplexName{std::string(name.substr(0, first)), std::string(name.substr(first + 1))};
}

}  // namespace orrery::methods::stab_ddg
