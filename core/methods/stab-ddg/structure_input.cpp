#include "core/methods/stab-ddg/structure_input.h"

#include <algorithm>
#include <cmath>

namespace orrery::methods::stab_ddg {
namespace {

void append_chain(StructureInput& structure, BackboneChain const& chain, std::int64_t label) {
    for (std::size_t i = 0; i < chain.size(); ++i) {
        bool finite = std::all_of(chain.backbone[i].begin(), chain.backbone[i].end(),
                                  [](float value) { return std::isfinite(value); });
        for (float value : chain.backbone[i]) structure.coordinates.push_back(std::isfinite(value) ? value : 0.0F);
        structure.valid.push_back(finite ? 1 : 0);
        auto running = static_cast<std::int64_t>(structure.residue_index.size());
        structure.residue_index.push_back(running + 100 * (label - 1));
        structure.chain_label.push_back(label);
        structure.letters.push_back(letter_index(chain.letters[i]));
    }
}

void append_chains(Backbone const& backbone, std::vector<int> const& chains, ComplexInput& complex, int which) {
    complex.chain_offset[which].assign(backbone.chains.size(), -1);
    std::int64_t label = 0;
    for (int chain : chains) {
        auto index = static_cast<std::size_t>(chain);
        complex.chain_offset[which][index] = static_cast<std::int64_t>(complex.structures[which].length());
        append_chain(complex.structures[which], backbone.chains[index], ++label);
    }
}

}  // namespace

std::uint8_t letter_index(char letter) {
    std::size_t at = alphabet.find(letter);
    return static_cast<std::uint8_t>(at == std::string_view::npos ? alphabet.size() - 1 : at);
}

ComplexInput make_complex(Backbone const& backbone, Sides const& sides, bool all_chains) {
    std::vector<int> side1 = sides.side1;
    std::vector<int> side2 = sides.side2;
    std::sort(side1.begin(), side1.end());
    std::sort(side2.begin(), side2.end());
    std::vector<int> both;
    if (all_chains) {
        for (std::size_t i = 0; i < backbone.chains.size(); ++i) both.push_back(static_cast<int>(i));
    } else {
        std::merge(side1.begin(), side1.end(), side2.begin(), side2.end(), std::back_inserter(both));
    }
    ComplexInput complex;
    append_chains(backbone, both, complex, 0);
    append_chains(backbone, side1, complex, 1);
    append_chains(backbone, side2, complex, 2);
    return complex;
}

Result<MutantChanges> mutant_changes(Backbone const& backbone, Sides const& sides, ComplexInput const& complex,
                                     Mutant const& mutant) {
    MutantChanges changes;
    for (PointMutation const& mutation : mutant.mutations) {
        auto chain = static_cast<std::size_t>(mutation.chain);
        bool on_side = complex.chain_offset[1][chain] >= 0 || complex.chain_offset[2][chain] >= 0;
        if (!on_side) {
            std::string name = backbone.chains[chain].name;
            return bad_input(mutant.author + " changes chain " + name + ", which is on neither side", sides.text,
                             "Put chain " + name + " on a side, or take this mutation out", "sides");
        }
        if (mutation.mutant == mutation.wild_type) continue;
        for (int which = 0; which < structure_count; ++which) {
            std::int64_t offset = complex.chain_offset[which][chain];
            if (offset < 0) continue;
            changes.structures[which].push_back(
                {static_cast<std::int32_t>(offset + mutation.position), letter_index(mutation.mutant)});
        }
    }
    return changes;
}

}  // namespace orrery::methods::stab_ddg
