// ddG of binding of many mutants of one complex under one draw (sections 1 and 2): complex, side 1 and side 2 are
// encoded once, the wild type is decoded once, each mutant costs what its letters can reach.
#pragma once

#include "core/methods/stab-ddg/decoder_fast.h"
#include "core/methods/stab-ddg/draws.h"

#include <array>
#include <memory>
#include <vector>

namespace orrery::methods::stab_ddg {

// Folding ddG of the three structures in nats, official sign (positive = the mutant is more stable).
struct MutantParts {
    std::array<double, structure_count> folding{};
    // complex - (side 1 + side 2): positive = tighter binding.
    [[nodiscard]] double binding() const { return folding[0] - (folding[1] + folding[2]); }
};

class DdgEngine {
public:
    // `network` and `complex` outlive the engine. `neighbours`: K asked (48).
    DdgEngine(FastNetwork const& network, ComplexInput const& complex, std::vector<MutantChanges> mutants,
              std::size_t neighbours, int threads);
    ~DdgEngine();
    DdgEngine(DdgEngine const&) = delete;
    DdgEngine& operator=(DdgEngine const&) = delete;

    // Encodes and decodes the wild type of every structure that some mutant changes; a side without mutations gives
    // exactly 0 and is left out. False when `tick` asked to stop.
    bool prepare(ComplexDraw const& draw, Tick const& tick);

    // After prepare(). `worker` < threads; two calls at the same time need two workers. `profile`, when given, has one
    // vector a structure, of its length or empty, to which the change of each position's log-probability is added.
    MutantParts evaluate(std::size_t mutant, int worker,
                         std::array<std::vector<double>, structure_count>* profile = nullptr);

    // The same from scratch: the whole sequence decoded again, nothing kept of the wild type's pass but its energy.
    MutantParts evaluate_from_scratch(std::size_t mutant) const;

    [[nodiscard]] std::size_t mutants() const { return m_mutants.size(); }
    [[nodiscard]] int threads() const { return m_threads; }
    [[nodiscard]] MutantChanges const& changes(std::size_t mutant) const { return m_mutants[mutant]; }
    [[nodiscard]] bool uses(int structure) const { return m_used[static_cast<std::size_t>(structure)]; }
    [[nodiscard]] double wild_type_energy(int structure) const;
    [[nodiscard]] std::size_t edges_evaluated() const;  // by evaluate(), for the benchmarks

private:
    struct Structure;
    FastNetwork const& m_network;
    ComplexInput const& m_complex;
    std::vector<MutantChanges> m_mutants;
    std::size_t m_neighbours;
    int m_threads;
    std::array<bool, structure_count> m_used{};
    std::array<std::unique_ptr<Structure>, structure_count> m_structures;
    std::vector<MutantScratch> m_scratch;
    EncoderScratch m_encoder_scratch;
};

// What the engine keeps and needs at most while it works, in bytes.
std::uint64_t estimated_memory(ComplexInput const& complex, std::size_t neighbours);

}  // namespace orrery::methods::stab_ddg
