#include "core/methods/stab-ddg/decoder_fast.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace orrery::methods::stab_ddg {
namespace {

constexpr std::size_t rows_a_task = 8;
constexpr std::size_t nodes_a_task = 32;
constexpr std::size_t letter_count = 21;

std::size_t tasks(std::size_t rows, std::size_t a_task) { return (rows + a_task - 1) / a_task; }

void log_softmax(float const* logits, float* out) {
    float highest = logits[0];
    for (std::size_t c = 1; c < letter_count; ++c) highest = std::max(highest, logits[c]);
    double sum = 0;
    for (std::size_t c = 0; c < letter_count; ++c) sum += std::exp(static_cast<double>(logits[c] - highest));
    float log_sum = static_cast<float>(std::log(sum)) + highest;
    for (std::size_t c = 0; c < letter_count; ++c) out[c] = logits[c] - log_sum;
}

void add(float* into, float const* what, std::size_t count) {
    for (std::size_t c = 0; c < count; ++c) into[c] += what[c];
}

// Which neighbours of each position are decoded before it; rows of invalid positions see none.
std::vector<std::uint8_t> backward_edges(Encoded const& encoded, std::span<std::int32_t const> rank) {
    std::vector<std::uint8_t> backward(encoded.neighbour.size());
    for (std::size_t i = 0; i < encoded.length; ++i) {
        for (std::size_t k = 0; k < encoded.per_position; ++k) {
            std::size_t at = i * encoded.per_position + k;
            auto j = static_cast<std::size_t>(encoded.neighbour[at]);
            backward[at] = encoded.valid[i] != 0 && rank[j] < rank[i] ? 1 : 0;
        }
    }
    return backward;
}

// One pass of a whole sequence, layer by layer; the per-edge terms of a layer go where the caller wants them (kept), or
// into a block that is used again for the next row.
class FullPass {
public:
    FullPass(FastNetwork const& network, Encoded const& encoded, std::vector<std::uint8_t> const& backward,
             std::span<std::uint8_t const> letters, int threads, Tick const& tick)
        : m_network(network),
          m_kernels(*network.kernels),
          m_encoded(encoded),
          m_backward(backward),
          m_letters(letters),
          m_threads(threads),
          m_tick(tick),
          m_length(encoded.length),
          m_count(encoded.per_position),
          m_stride(encoded.stride),
          m_blocks(static_cast<std::size_t>(std::max(threads, 1)) * 2) {
        for (FloatBuffer& block : m_blocks) block.resize(m_count * m_stride);
        m_message_count.assign(m_length, static_cast<float>(m_count));
    }

    // `state.nodes` holds the layer's input; fills self1, neighbour1 and sum, with `keep` edge and message too; `next`
    // becomes the layer's output.
    bool layer(std::size_t index, DecoderLayerState& state, bool keep, float* next) {
        DecoderWeights const& weights = m_network.decoder[index];
        for (FloatBuffer* buffer : {&state.self1, &state.neighbour1, &state.sum, &m_first_neighbour}) {
            buffer->resize(m_length * m_stride);
        }
        if (keep) {
            state.edge.resize(m_length * m_count * m_stride);
            state.message.resize(m_length * m_count * m_stride);
        }
        auto project = [&](std::size_t task, int) {
            std::size_t first = task * nodes_a_task;
            std::size_t rows = std::min(m_length - first, nodes_a_task);
            auto linear = [&](PackedLinear const& part, float const* from, FloatBuffer& into) {
                m_kernels.linear(part, from + first * m_stride, m_stride, rows, into.data() + first * m_stride,
                                 m_stride, false);
            };
            linear(weights.self1, state.nodes.data(), state.self1);
            linear(weights.neighbour1, state.nodes.data(), state.neighbour1);
            linear(weights.neighbour1, m_encoded.nodes.data(), m_first_neighbour);
        };
        if (!parallel_for(tasks(m_length, nodes_a_task), m_threads, project, m_tick)) return false;
        auto rows = [&](std::size_t task, int worker) {
            std::size_t end = std::min(m_length, (task + 1) * rows_a_task);
            for (std::size_t i = task * rows_a_task; i < end; ++i) {
                if (m_encoded.valid[i] != 0) row(i, weights, state, keep, worker);
            }
        };
        if (!parallel_for(tasks(m_length, rows_a_task), m_threads, rows, m_tick)) return false;
        auto update = [&](std::size_t task, int) {
            std::size_t first = task * nodes_a_task;
            std::size_t n = std::min(m_length - first, nodes_a_task);
            std::memcpy(next + first * m_stride, state.nodes.data() + first * m_stride, n * m_stride * sizeof(float));
            update_nodes(m_network, weights.node, state.sum.data() + first * m_stride, m_message_count.data() + first,
                         m_encoded.valid.data() + first, n, next + first * m_stride);
        };
        return parallel_for(tasks(m_length, nodes_a_task), m_threads, update, m_tick);
    }

    void read_out(float const* nodes, std::vector<float>& log_probabilities) {
        std::size_t stride = m_network.out.stride();
        FloatBuffer logits(m_length * stride);
        m_kernels.linear(m_network.out, nodes, m_stride, m_length, logits.data(), stride, false);
        log_probabilities.resize(m_length * letter_count);
        for (std::size_t i = 0; i < m_length; ++i) {
            log_softmax(logits.data() + i * stride, log_probabilities.data() + i * letter_count);
        }
    }

private:
    void row(std::size_t i, DecoderWeights const& weights, DecoderLayerState& state, bool keep, int worker) {
        std::size_t first = i * m_count;
        FloatBuffer& in = m_blocks[static_cast<std::size_t>(worker) * 2];
        FloatBuffer& out = m_blocks[static_cast<std::size_t>(worker) * 2 + 1];
        float* edge = keep ? state.edge.data() + first * m_stride : out.data();
        m_kernels.linear(weights.edge1, m_encoded.edges.data() + first * m_stride, m_stride, m_count, edge, m_stride,
                         false);
        for (std::size_t k = 0; k < m_count; ++k) {
            auto j = static_cast<std::size_t>(m_encoded.neighbour[first + k]);
            float* at = edge + k * m_stride;
            if (m_backward[first + k] != 0) {
                add(at, weights.letter1.data() + m_letters[j] * m_stride, m_stride);
                add(at, state.neighbour1.data() + j * m_stride, m_stride);
            } else {
                add(at, m_first_neighbour.data() + j * m_stride, m_stride);
            }
            m_kernels.add_gelu(at, state.self1.data() + i * m_stride, nullptr, in.data() + k * m_stride, m_stride);
        }
        float* message = keep ? state.message.data() + first * m_stride : out.data();
        m_kernels.linear(weights.w2, in.data(), m_stride, m_count, message, m_stride, false);
        float* sum = state.sum.data() + i * m_stride;
        if (keep)
            m_kernels.gelu_sum(message, m_count, m_stride, nullptr, sum);
        else
            m_kernels.gelu_sum_only(message, m_count, m_stride, nullptr, sum);
    }

    FastNetwork const& m_network;
    Kernels const& m_kernels;
    Encoded const& m_encoded;
    std::vector<std::uint8_t> const& m_backward;
    std::span<std::uint8_t const> m_letters;
    int m_threads;
    Tick const& m_tick;
    std::size_t m_length, m_count, m_stride;
    std::vector<FloatBuffer> m_blocks;
    FloatBuffer m_first_neighbour;
    std::vector<float> m_message_count;
};

void copy(FloatBuffer const& from, FloatBuffer& to) {
    to.ensure(from.size());
    std::memcpy(to.data(), from.data(), from.size() * sizeof(float));
}

}  // namespace

double energy(std::span<float const> log_probabilities, std::span<std::uint8_t const> letters) {
    double sum = 0;
    for (std::size_t i = 0; i < letters.size(); ++i) {
        sum += static_cast<double>(log_probabilities[i * letter_count + letters[i]]);
    }
    return sum;
}

bool decode_full(FastNetwork const& network, Encoded const& encoded, std::span<std::int32_t const> rank,
                 std::span<std::uint8_t const> letters, int threads, Tick const& tick,
                 std::vector<float>& log_probabilities) {
    std::vector<std::uint8_t> backward = backward_edges(encoded, rank);
    FullPass pass(network, encoded, backward, letters, threads, tick);
    DecoderLayerState state;
    copy(encoded.nodes, state.nodes);
    FloatBuffer next(encoded.nodes.size());
    for (std::size_t l = 0; l < network.decoder.size(); ++l) {
        if (!pass.layer(l, state, false, next.data())) return false;
        std::swap(state.nodes, next);
    }
    pass.read_out(state.nodes.data(), log_probabilities);
    return true;
}

bool Decoding::prepare(FastNetwork const& network, Encoded const& encoded, std::vector<std::int32_t> const& rank,
                       std::vector<std::uint8_t> const& letters, int threads, Tick const& tick) {
    m_network = &network;
    m_encoded = &encoded;
    m_rank = rank;
    m_letters = letters;
    m_backward = backward_edges(encoded, rank);
    make_reverse_edges();
    m_layers.resize(network.decoder.size());
    copy(encoded.nodes, m_layers[0].nodes);
    FullPass pass(network, encoded, m_backward, m_letters, threads, tick);
    FloatBuffer last(encoded.nodes.size());
    for (std::size_t l = 0; l < m_layers.size(); ++l) {
        bool is_last = l + 1 == m_layers.size();
        if (!is_last) m_layers[l + 1].nodes.resize(encoded.nodes.size());
        if (!pass.layer(l, m_layers[l], true, is_last ? last.data() : m_layers[l + 1].nodes.data())) return false;
    }
    pass.read_out(last.data(), m_log_probabilities);
    m_energy = energy(m_log_probabilities, m_letters);
    return true;
}

void Decoding::make_reverse_edges() {
    std::size_t length = m_encoded->length;
    m_reverse_from.assign(length + 1, 0);
    for (std::size_t at = 0; at < m_backward.size(); ++at) {
        if (m_backward[at] != 0) ++m_reverse_from[static_cast<std::size_t>(m_encoded->neighbour[at]) + 1];
    }
    for (std::size_t j = 0; j < length; ++j) m_reverse_from[j + 1] += m_reverse_from[j];
    m_reverse.resize(static_cast<std::size_t>(m_reverse_from[length]));
    std::vector<std::int64_t> next(m_reverse_from.begin(), m_reverse_from.end() - 1);
    for (std::size_t at = 0; at < m_backward.size(); ++at) {
        if (m_backward[at] == 0) continue;
        auto j = static_cast<std::size_t>(m_encoded->neighbour[at]);
        m_reverse[static_cast<std::size_t>(next[j]++)] = static_cast<std::int64_t>(at);
    }
}

// Sources are the positions whose letter or state differs from the wild type's: first the rows the layer before changed
// (in their order, so that a row's slot is its source slot), then mutated positions that are not among them.
void Decoding::seed_sources(std::span<LetterChange const> changes, MutantScratch& scratch) const {
    scratch.sources = scratch.previous_rows;
    for (LetterChange const& change : changes) {
        if (scratch.row_slot[static_cast<std::size_t>(change.position)] < 0) scratch.sources.push_back(change.position);
    }
    for (std::size_t s = 0; s < scratch.sources.size(); ++s) {
        scratch.source_slot[static_cast<std::size_t>(scratch.sources[s])] = static_cast<std::int32_t>(s);
    }
}

// delta = what each source adds to W1's neighbour term of the edges that look at it.
void Decoding::source_terms(std::size_t layer, std::span<LetterChange const> changes, MutantScratch& scratch) const {
    std::size_t stride = m_encoded->stride;
    DecoderWeights const& weights = m_network->decoder[layer];
    std::size_t changed = scratch.previous_rows.size();
    scratch.delta.ensure(scratch.sources.size() * stride);
    scratch.self1.ensure(changed * stride);
    Kernels const& kernels = *m_network->kernels;
    kernels.linear(weights.self1, scratch.previous_nodes.data(), stride, changed, scratch.self1.data(), stride, false);
    kernels.linear(weights.neighbour1, scratch.previous_nodes.data(), stride, changed, scratch.delta.data(), stride,
                   false);
    for (std::size_t s = 0; s < scratch.sources.size(); ++s) {
        float* delta = scratch.delta.data() + s * stride;
        if (s >= changed) {
            std::memset(delta, 0, stride * sizeof(float));
            continue;
        }
        float const* before = m_layers[layer].neighbour1.data() + static_cast<std::size_t>(scratch.sources[s]) * stride;
        for (std::size_t c = 0; c < stride; ++c) delta[c] -= before[c];
    }
    for (LetterChange const& change : changes) {
        auto position = static_cast<std::size_t>(change.position);
        float* delta = scratch.delta.data() + static_cast<std::size_t>(scratch.source_slot[position]) * stride;
        float const* now = weights.letter1.data() + change.letter * stride;
        float const* before = weights.letter1.data() + m_letters[position] * stride;
        for (std::size_t c = 0; c < stride; ++c) delta[c] += now[c] - before[c];
    }
}

// Rows whose own state changed: all their edges.
void Decoding::whole_rows(std::size_t layer, MutantScratch& scratch) const {
    std::size_t stride = m_encoded->stride;
    std::size_t count = m_encoded->per_position;
    Kernels const& kernels = *m_network->kernels;
    scratch.block_in.ensure(std::max<std::size_t>(count, 48) * stride);
    scratch.block_out.ensure(std::max<std::size_t>(count, 48) * stride);
    for (std::size_t s = 0; s < scratch.previous_rows.size(); ++s) {
        std::size_t first = static_cast<std::size_t>(scratch.previous_rows[s]) * count;
        float const* self = scratch.self1.data() + s * stride;
        for (std::size_t k = 0; k < count; ++k) {
            std::int32_t source = scratch.source_slot[static_cast<std::size_t>(m_encoded->neighbour[first + k])];
            bool changed = source >= 0 && m_backward[first + k] != 0;
            float const* delta = changed ? scratch.delta.data() + static_cast<std::size_t>(source) * stride : nullptr;
            kernels.add_gelu(m_layers[layer].edge.data() + (first + k) * stride, self, delta,
                             scratch.block_in.data() + k * stride, stride);
        }
        kernels.linear(m_network->decoder[layer].w2, scratch.block_in.data(), stride, count, scratch.block_out.data(),
                       stride, false);
        float* sum = scratch.sum.data() + s * stride;
        std::memset(sum, 0, stride * sizeof(float));
        kernels.gelu_sum_only(scratch.block_out.data(), count, stride, nullptr, sum);
    }
    scratch.edges_evaluated += scratch.previous_rows.size() * count;
}

// Other rows: only their edges to changed neighbours, many rows gathered into one block.
void Decoding::single_edges(std::size_t layer, MutantScratch& scratch) const {
    std::size_t stride = m_encoded->stride;
    std::size_t count = m_encoded->per_position;
    Kernels const& kernels = *m_network->kernels;
    DecoderLayerState const& state = m_layers[layer];
    constexpr std::size_t block = 48;
    for (std::size_t first = 0; first < scratch.edge_at.size(); first += block) {
        std::size_t n = std::min(block, scratch.edge_at.size() - first);
        for (std::size_t e = 0; e < n; ++e) {
            auto at = static_cast<std::size_t>(scratch.edge_at[first + e]);
            auto source = static_cast<std::size_t>(scratch.edge_source[first + e]);
            kernels.add_gelu(state.edge.data() + at * stride, state.self1.data() + at / count * stride,
                             scratch.delta.data() + source * stride, scratch.block_in.data() + e * stride, stride);
        }
        kernels.linear(m_network->decoder[layer].w2, scratch.block_in.data(), stride, n, scratch.block_out.data(),
                       stride, false);
        for (std::size_t e = 0; e < n; ++e) {
            auto slot = static_cast<std::size_t>(scratch.edge_row[first + e]);
            auto at = static_cast<std::size_t>(scratch.edge_at[first + e]);
            kernels.gelu_difference(scratch.block_out.data() + e * stride, state.message.data() + at * stride, stride,
                                    scratch.sum.data() + slot * stride);
        }
    }
    scratch.edges_evaluated += scratch.edge_at.size();
}

double Decoding::read_out(std::span<LetterChange const> changes, MutantScratch& scratch, double* per_position) const {
    std::size_t stride = m_encoded->stride;
    std::size_t out_stride = m_network->out.stride();
    std::size_t rows = scratch.rows.size();
    scratch.logits.ensure(rows * out_stride);
    m_network->kernels->linear(m_network->out, scratch.nodes.data(), stride, rows, scratch.logits.data(), out_stride,
                               false);
    auto letter_of = [&](std::size_t position) {
        for (LetterChange const& change : changes) {
            if (static_cast<std::size_t>(change.position) == position) return change.letter;
        }
        return m_letters[position];
    };
    double total = 0;
    auto account = [&](std::size_t position, float const* now, std::uint8_t letter) {
        float const* before = m_log_probabilities.data() + position * letter_count;
        double change = static_cast<double>(now[letter]) - static_cast<double>(before[m_letters[position]]);
        total += change;
        if (per_position != nullptr) per_position[position] += change;
    };
    for (std::size_t s = 0; s < rows; ++s) {
        auto position = static_cast<std::size_t>(scratch.rows[s]);
        float now[letter_count];
        log_softmax(scratch.logits.data() + s * out_stride, now);
        account(position, now, letter_of(position));
    }
    for (LetterChange const& change : changes) {
        auto position = static_cast<std::size_t>(change.position);
        if (scratch.row_slot[position] >= 0) continue;
        account(position, m_log_probabilities.data() + position * letter_count, change.letter);
    }
    return total;
}

double Decoding::difference(std::span<LetterChange const> changes, MutantScratch& scratch, double* per_position) const {
    if (changes.empty()) return 0.0;
    std::size_t length = m_encoded->length;
    std::size_t stride = m_encoded->stride;
    std::size_t count = m_encoded->per_position;
    scratch.row_slot.assign(length, -1);
    scratch.source_slot.assign(length, -1);
    scratch.rows.clear();
    for (std::size_t layer = 0; layer < m_layers.size(); ++layer) {
        DecoderLayerState const& state = m_layers[layer];
        std::swap(scratch.previous_rows, scratch.rows);
        std::swap(scratch.previous_nodes, scratch.nodes);
        seed_sources(changes, scratch);
        source_terms(layer, changes, scratch);

        scratch.rows = scratch.previous_rows;
        scratch.edge_row.clear();
        scratch.edge_at.clear();
        scratch.edge_source.clear();
        std::size_t whole = scratch.previous_rows.size();
        for (std::size_t s = 0; s < scratch.sources.size(); ++s) {
            auto j = static_cast<std::size_t>(scratch.sources[s]);
            for (std::int64_t r = m_reverse_from[j]; r < m_reverse_from[j + 1]; ++r) {
                std::int64_t at = m_reverse[static_cast<std::size_t>(r)];
                std::size_t i = static_cast<std::size_t>(at) / count;
                std::int32_t& slot = scratch.row_slot[i];
                if (slot >= 0 && static_cast<std::size_t>(slot) < whole) continue;
                if (slot < 0) {
                    slot = static_cast<std::int32_t>(scratch.rows.size());
                    scratch.rows.push_back(static_cast<std::int32_t>(i));
                }
                scratch.edge_row.push_back(slot);
                scratch.edge_at.push_back(at);
                scratch.edge_source.push_back(static_cast<std::int32_t>(s));
            }
        }

        std::size_t rows = scratch.rows.size();
        scratch.sum.ensure(rows * stride);
        scratch.nodes.ensure(rows * stride);
        scratch.count.assign(rows, static_cast<float>(count));
        for (std::size_t s = whole; s < rows; ++s) {
            std::size_t at = static_cast<std::size_t>(scratch.rows[s]) * stride;
            std::memcpy(scratch.sum.data() + s * stride, state.sum.data() + at, stride * sizeof(float));
            std::memcpy(scratch.nodes.data() + s * stride, state.nodes.data() + at, stride * sizeof(float));
        }
        if (whole > 0) {
            std::memcpy(scratch.nodes.data(), scratch.previous_nodes.data(), whole * stride * sizeof(float));
        }
        whole_rows(layer, scratch);
        single_edges(layer, scratch);
        update_nodes(*m_network, m_network->decoder[layer].node, scratch.sum.data(), scratch.count.data(), nullptr,
                     rows, scratch.nodes.data());
    }
    return read_out(changes, scratch, per_position);
}

}  // namespace orrery::methods::stab_ddg
