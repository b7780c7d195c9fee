// The decoder of section 4 on the fast path. `Decoding` holds the wild type's pass of one structure and draw with its
// per-edge terms; a mutant then costs only what its letters can reach: positions decoded later, in as many hops as
// there are layers. No LibTorch.
#pragma once

#include "core/methods/stab-ddg/fast_network.h"

#include <cstdint>
#include <span>
#include <vector>

namespace orrery::methods::stab_ddg {

// Log-probabilities of a whole sequence, L x 21, teacher-forced in the decoding order given by `rank` (rank[i] = when i
// is decoded). Shares nothing with the incremental path but the encoder's output. False when `tick` asked to stop.
bool decode_full(FastNetwork const& network, Encoded const& encoded, std::span<std::int32_t const> rank,
                 std::span<std::uint8_t const> letters, int threads, Tick const& tick,
                 std::vector<float>& log_probabilities);

// Sum of the log-probabilities of `letters` over all positions, in nats (section 1; no mask).
[[nodiscard]] double energy(std::span<float const> log_probabilities, std::span<std::uint8_t const> letters);

struct DecoderLayerState {
    FloatBuffer edge;        // L x K x stride: W1's terms of the edge and of its neighbour, for the wild type
    FloatBuffer message;     // L x K x stride: gelu(W2 gelu(...)), the summand of each edge
    FloatBuffer sum;         // L x stride: sum of the messages
    FloatBuffer nodes;       // L x stride: the state the layer starts from
    FloatBuffer self1;       // L x stride: W1's self part of that state
    FloatBuffer neighbour1;  // L x stride: W1's neighbour part of that state
};

// Scratch of one worker for the incremental path; grows to what the largest mutant needs.
struct MutantScratch {
    std::vector<std::int32_t> row_slot, source_slot;         // L; -1 where absent
    std::vector<std::int32_t> rows, previous_rows, sources;  // positions
    std::vector<std::int32_t> edge_row;                      // slot of the row of each changed single edge
    std::vector<std::int64_t> edge_at;                       // i * K + k of it
    std::vector<std::int32_t> edge_source;                   // slot of its neighbour among the sources
    FloatBuffer nodes, previous_nodes, self1, delta, sum, block_in, block_out, logits;
    std::vector<float> count;
    std::size_t edges_evaluated = 0;  // since the scratch was made, for the benchmarks
};

class Decoding {
public:
    // The wild type's pass. False when `tick` asked to stop.
    bool prepare(FastNetwork const& network, Encoded const& encoded, std::vector<std::int32_t> const& rank,
                 std::vector<std::uint8_t> const& letters, int threads, Tick const& tick);

    // E(mutant) - E(wild type) in nats; exactly 0 for no change. Thread-safe with one scratch a thread. With
    // `per_position` (length L), the change of log-probability of each position is added to it.
    double difference(std::span<LetterChange const> changes, MutantScratch& scratch,
                      double* per_position = nullptr) const;

    [[nodiscard]] double wild_type_energy() const { return m_energy; }
    [[nodiscard]] std::vector<float> const& log_probabilities() const { return m_log_probabilities; }  // L x 21
    [[nodiscard]] std::span<std::int32_t const> rank() const { return m_rank; }
    [[nodiscard]] std::span<std::uint8_t const> letters() const { return m_letters; }
    [[nodiscard]] Encoded const& encoded() const { return *m_encoded; }

private:
    void make_reverse_edges();
    void seed_sources(std::span<LetterChange const> changes, MutantScratch& scratch) const;
    void source_terms(std::size_t layer, std::span<LetterChange const> changes, MutantScratch& scratch) const;
    void whole_rows(std::size_t layer, MutantScratch& scratch) const;
    void single_edges(std::size_t layer, MutantScratch& scratch) const;
    double read_out(std::span<LetterChange const> changes, MutantScratch& scratch, double* per_position) const;

    FastNetwork const* m_network = nullptr;
    Encoded const* m_encoded = nullptr;
    std::vector<std::int32_t> m_rank;
    std::vector<std::uint8_t> m_letters;
    std::vector<std::uint8_t> m_backward;      // L x K: the neighbour is decoded before (bw of the spec)
    std::vector<std::int64_t> m_reverse_from;  // L + 1: where the edges that look at a position begin in m_reverse
    std::vector<std::int64_t> m_reverse;       // i * K + k
    std::vector<DecoderLayerState> m_layers;
    std::vector<float> m_log_probabilities;
    double m_energy = 0;
};

}  // namespace orrery::methods::stab_ddg
