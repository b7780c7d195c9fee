#include "core/methods/stab-ddg/positions.h"

#include <algorithm>
#include <cstdio>
#include <regex>
#include <set>
#include <sstream>

namespace orrery::methods::stab_ddg {
namespace {

constexpr char const* remedy = "Write interface, all, or chains with author numbers: A:10-20, B:5, C";

bool known(BackboneChain const& chain, std::size_t position) {
    std::size_t at = alphabet.find(chain.letters[position]);
    return at != std::string_view::npos && at + 1 < alphabet.size();
}

std::vector<std::string> parts_of(std::string const& text) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, ',');) {
        std::size_t begin = part.find_first_not_of(" \t");
        if (begin != std::string::npos) parts.push_back(part.substr(begin, part.find_last_not_of(" \t") - begin + 1));
    }
    return parts;
}

struct Range {
    int first = 0, last = 0;
    char first_code = 0;
    bool single = false;
    [[nodiscard]] bool holds(int number, char code) const {
        if (single) return number == first && code == first_code;
        return number >= first && number <= last;
    }
};

bool parse_range(std::string const& text, Range& range) {
    static std::regex const pattern(R"(^(-?\d{1,6})([A-Za-z]?)(?:-(-?\d{1,6})([A-Za-z]?))?$)");
    std::smatch match;
    if (!std::regex_match(text, match, pattern)) return false;
    auto upper = [](std::string const& code) {
        return code.empty() ? char{0} : static_cast<char>(std::toupper(static_cast<unsigned char>(code[0])));
    };
    range.first = std::stoi(match[1].str());
    range.first_code = upper(match[2].str());
    range.single = !match[3].matched;
    range.last = range.single ? range.first : std::stoi(match[3].str());
    return range.last >= range.first;
}

}  // namespace

Result<std::vector<std::pair<int, int>>> scan_positions(Backbone const& backbone, Sides const& sides,
                                                        std::string const& text, double cutoff) {
    std::set<int> on_sides(sides.side1.begin(), sides.side1.end());
    on_sides.insert(sides.side2.begin(), sides.side2.end());
    std::set<std::pair<int, int>> chosen;
    auto add_chain = [&](int chain, auto const& accept) {
        BackboneChain const& c = backbone.chains[static_cast<std::size_t>(chain)];
        std::size_t before = chosen.size(), again = 0;
        for (std::size_t i = 0; i < c.size(); ++i) {
            if (!known(c, i) || !accept(c, i)) continue;
            if (!chosen.insert({chain, static_cast<int>(i)}).second) ++again;
        }
        return chosen.size() > before || again > 0;
    };
    if (text == "interface") {
        for (auto const& [chain, position] : interface_positions(backbone, sides, cutoff)) {
            if (known(backbone.chains[static_cast<std::size_t>(chain)], static_cast<std::size_t>(position))) {
                chosen.insert({chain, position});
            }
        }
        if (chosen.empty()) {
            char number[64];
            std::snprintf(number, sizeof number, "%.1f Å (closest CB atoms: %.1f Å)", cutoff,
                          side_distance(backbone, sides));
            return bad_input("no residue lies within the interface cut-off of " + std::string(number),
                             backbone.name + ", sides " + sides.text, "Raise the cut-off, or check the sides",
                             "cutoff");
        }
    } else if (text == "all") {
        for (int chain : on_sides) add_chain(chain, [](auto const&, std::size_t) { return true; });
    } else {
        for (std::string const& part : parts_of(text)) {
            std::size_t colon = part.find(':');
            std::string name = part.substr(0, colon);
            int chain = backbone.chain_index(name);
            if (chain < 0) {
                return bad_input("there is no chain \"" + name + "\"", "positions " + part, remedy, "positions");
            }
            if (on_sides.count(chain) == 0) {
                return bad_input("chain " + name + " is on neither side", "positions " + part + ", sides " + sides.text,
                                 "Put the chain on a side, or leave these positions out", "positions");
            }
            Range range;
            bool whole = colon == std::string::npos;
            if (!whole && !parse_range(part.substr(colon + 1), range)) {
                return bad_input("\"" + part + "\" is no range of positions", {}, remedy, "positions");
            }
            bool found = add_chain(chain, [&](BackboneChain const& c, std::size_t i) {
                return whole || range.holds(c.number[i], c.insertion_code[i]);
            });
            if (!found) {
                return bad_input("chain " + name + " has no known residue in " + part,
                                 backbone.name + ", author numbering", remedy, "positions");
            }
        }
    }
    if (chosen.empty()) return bad_input("no positions are chosen", {}, remedy, "positions");
    return std::vector<std::pair<int, int>>(chosen.begin(), chosen.end());
}

}  // namespace orrery::methods::stab_ddg
