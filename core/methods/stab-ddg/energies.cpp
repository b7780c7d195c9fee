#include "core/methods/stab-ddg/energies.h"

#include <algorithm>

namespace orrery::methods::stab_ddg {

struct DdgEngine::Structure {
    Encoded encoded;
    Decoding decoding;
};

DdgEngine::DdgEngine(FastNetwork const& network, ComplexInput const& complex, std::vector<MutantChanges> mutants,
                     std::size_t neighbours, int threads)
    : m_network(network),
      m_complex(complex),
      m_mutants(std::move(mutants)),
      m_neighbours(neighbours),
      m_threads(std::max(threads, 1)),
      m_scratch(static_cast<std::size_t>(m_threads)) {
    for (MutantChanges const& mutant : m_mutants) {
        for (std::size_t which = 0; which < m_used.size(); ++which) {
            m_used[which] = m_used[which] || !mutant.structures[which].empty();
        }
    }
}

DdgEngine::~DdgEngine() = default;

bool DdgEngine::prepare(ComplexDraw const& draw, Tick const& tick) {
    for (std::size_t which = 0; which < m_used.size(); ++which) {
        if (!m_used[which]) continue;
        if (!m_structures[which]) m_structures[which] = std::make_unique<Structure>();
        Structure& structure = *m_structures[which];
        StructureInput const& input = m_complex.structures[which];
        std::vector<float> coordinates = noised(input, draw[which]);
        NeighbourLists lists = neighbour_lists(input, coordinates, m_neighbours, tick);
        if (lists.per_position == 0) return false;
        if (!encode(m_network, input, coordinates, lists, m_threads, tick, m_encoder_scratch, structure.encoded)) {
            return false;
        }
        if (!structure.decoding.prepare(m_network, structure.encoded, draw[which].rank, input.letters, m_threads,
                                        tick)) {
            return false;
        }
    }
    return true;
}

MutantParts DdgEngine::evaluate(std::size_t mutant, int worker,
                                std::array<std::vector<double>, structure_count>* profile) {
    MutantParts parts;
    for (std::size_t which = 0; which < m_used.size(); ++which) {
        std::vector<LetterChange> const& changes = m_mutants[mutant].structures[which];
        if (changes.empty()) continue;
        double* positions = profile != nullptr && !(*profile)[which].empty() ? (*profile)[which].data() : nullptr;
        parts.folding[which] =
            m_structures[which]->decoding.difference(changes, m_scratch[static_cast<std::size_t>(worker)], positions);
    }
    return parts;
}

MutantParts DdgEngine::evaluate_from_scratch(std::size_t mutant) const {
    MutantParts parts;
    std::vector<float> log_probabilities;
    for (std::size_t which = 0; which < m_used.size(); ++which) {
        std::vector<LetterChange> const& changes = m_mutants[mutant].structures[which];
        if (changes.empty()) continue;
        Structure const& structure = *m_structures[which];
        std::vector<std::uint8_t> letters(structure.decoding.letters().begin(), structure.decoding.letters().end());
        for (LetterChange const& change : changes) letters[static_cast<std::size_t>(change.position)] = change.letter;
        decode_full(m_network, structure.encoded, structure.decoding.rank(), letters, 1, {}, log_probabilities);
        parts.folding[which] = energy(log_probabilities, letters) - structure.decoding.wild_type_energy();
    }
    return parts;
}

double DdgEngine::wild_type_energy(int structure) const {
    auto const& found = m_structures[static_cast<std::size_t>(structure)];
    return found ? found->decoding.wild_type_energy() : 0.0;
}

std::size_t DdgEngine::edges_evaluated() const {
    std::size_t sum = 0;
    for (MutantScratch const& scratch : m_scratch) sum += scratch.edges_evaluated;
    return sum;
}

std::uint64_t estimated_memory(ComplexInput const& complex, std::size_t neighbours) {
    std::uint64_t bytes = std::uint64_t{250} << 20;  // LibTorch, weights, reading
    for (StructureInput const& structure : complex.structures) {
        std::uint64_t edges = structure.length() * std::min(neighbours, structure.length());
        bytes += edges * 128 * 4 * 7;  // encoder's edges, and two arrays for each of three decoder layers
    }
    return bytes;
}

}  // namespace orrery::methods::stab_ddg
