#include "core/methods/stab-ddg/reached_rows.h"

namespace orrery::methods::stab_ddg {
namespace {

VirtualLayer make_layer(std::size_t length, std::vector<std::vector<std::uint8_t>> const& reached) {
    VirtualLayer layer;
    layer.from.push_back(0);
    layer.index.resize(reached.size() * length);
    for (std::size_t i = 0; i < length; ++i) {
        auto wild_type = static_cast<std::int64_t>(layer.position.size());
        layer.position.push_back(static_cast<std::int32_t>(i));
        layer.mutant.push_back(-1);
        for (std::size_t m = 0; m < reached.size(); ++m) {
            layer.index[m * length + i] = wild_type;
            if (reached[m][i] == 0) continue;
            layer.index[m * length + i] = static_cast<std::int64_t>(layer.position.size());
            layer.position.push_back(static_cast<std::int32_t>(i));
            layer.mutant.push_back(static_cast<std::int32_t>(m));
        }
        layer.from.push_back(static_cast<std::int64_t>(layer.position.size()));
    }
    return layer;
}

}  // namespace

ReachedRows reached_rows(std::vector<std::int32_t> const& neighbours, std::vector<std::uint8_t> const& valid,
                         std::vector<std::int32_t> const& rank, std::vector<WeightedMutant> const& mutants,
                         std::size_t layers) {
    std::size_t length = valid.size();
    std::size_t count = neighbours.size() / length;
    ReachedRows rows;
    rows.backward.resize(neighbours.size());
    for (std::size_t at = 0; at < neighbours.size(); ++at) {
        std::size_t i = at / count;
        rows.backward[at] = valid[i] != 0 && rank[static_cast<std::size_t>(neighbours[at])] < rank[i] ? 1 : 0;
    }
    // A row differs in the output of a layer if it differed before, or looks back at a position that did (in the first
    // layer: at a mutated letter).
    std::vector<std::vector<std::uint8_t>> reached(mutants.size(), std::vector<std::uint8_t>(length, 0));
    std::vector<std::vector<std::uint8_t>> seen = reached;
    for (std::size_t m = 0; m < mutants.size(); ++m) {
        for (LetterChange const& change : mutants[m].changes) seen[m][static_cast<std::size_t>(change.position)] = 1;
    }
    rows.states.push_back(make_layer(length, reached));
    for (std::size_t l = 0; l < layers; ++l) {
        for (std::size_t m = 0; m < mutants.size(); ++m) {
            std::vector<std::uint8_t> next = reached[m];
            for (std::size_t at = 0; at < neighbours.size(); ++at) {
                if (rows.backward[at] != 0 && seen[m][static_cast<std::size_t>(neighbours[at])] != 0)
                    next[at / count] = 1;
            }
            reached[m] = next;
            for (std::size_t i = 0; i < length; ++i) seen[m][i] = seen[m][i] != 0 || next[i] != 0 ? 1 : 0;
        }
        rows.states.push_back(make_layer(length, reached));
    }
    return rows;
}

}  // namespace orrery::methods::stab_ddg
