// The encoder of section 4, row by row: for each position its K edges are one block of rows that stays in the cache
// from the features to the summed message. Phase 2 of a layer (new edges) and phase 1 of the next (messages) read the
// same block, so they share one pass.
#include "core/methods/stab-ddg/fast_network.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace orrery::methods::stab_ddg {
namespace {

constexpr std::size_t rows_a_task = 8;
constexpr std::size_t nodes_a_task = 32;

// Atom pairs in the order of the official edge features; 0 N, 1 CA, 2 C, 3 O, 4 virtual CB.
constexpr std::array<std::pair<int, int>, 25> atom_pairs = {
    {{1, 1}, {0, 0}, {2, 2}, {3, 3}, {4, 4}, {1, 0}, {1, 2}, {1, 3}, {1, 4}, {0, 2}, {0, 3}, {0, 4}, {4, 2},
     {4, 3}, {3, 2}, {0, 1}, {2, 1}, {3, 1}, {4, 1}, {2, 0}, {3, 0}, {4, 0}, {2, 4}, {3, 4}, {2, 3}}};

using Atoms = std::array<std::array<float, 3>, 5>;

std::vector<Atoms> with_virtual_cb(std::vector<float> const& coordinates) {
    std::vector<Atoms> atoms(coordinates.size() / 12);
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        Atoms& at = atoms[i];
        for (std::size_t a = 0; a < 4; ++a) {
            for (std::size_t d = 0; d < 3; ++d) at[a][d] = coordinates[i * 12 + a * 3 + d];
        }
        std::array<float, 3> b{}, c{};
        for (std::size_t d = 0; d < 3; ++d) {
            b[d] = at[1][d] - at[0][d];
            c[d] = at[2][d] - at[1][d];
        }
        std::array<float, 3> a = {b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]};
        for (std::size_t d = 0; d < 3; ++d) {
            at[4][d] = -0.58273431F * a[d] + 0.56802827F * b[d] - 0.54067466F * c[d] + at[1][d];
        }
    }
    return atoms;
}

struct Worker {
    FloatBuffer radial, a, b;  // K x 400, K x stride, K x stride
    std::vector<float> weight;
};

class Encoder {
public:
    Encoder(FastNetwork const& network, StructureInput const& structure, std::vector<float> const& coordinates,
            NeighbourLists const& neighbours, EncoderScratch& scratch, Encoded& out, int threads)
        : m_network(network),
          m_kernels(*network.kernels),
          m_structure(structure),
          m_neighbours(neighbours),
          m_scratch(scratch),
          m_out(out),
          m_atoms(with_virtual_cb(coordinates)),
          m_workers(static_cast<std::size_t>(std::max(threads, 1))),
          m_length(structure.length()),
          m_count(neighbours.per_position),
          m_stride(network.stride) {
        out.length = m_length;
        out.per_position = m_count;
        out.stride = m_stride;
        out.valid = structure.valid;
        out.neighbour = neighbours.index;
        out.nodes.resize(m_length * m_stride);
        out.edges.resize(m_length * m_count * m_stride);
        for (FloatBuffer* buffer :
             {&scratch.sum, &scratch.self1, &scratch.neighbour1, &scratch.self11, &scratch.neighbour11}) {
            buffer->resize(m_length * m_stride);
        }
        for (Worker& worker : m_workers) {
            worker.radial.resize(m_count * 400);
            worker.a.resize(m_count * m_stride);
            worker.b.resize(m_count * m_stride);
            worker.weight.resize(m_count);
        }
        m_message_count.resize(m_length);
        for (std::size_t i = 0; i < m_length; ++i) {
            float valid = 0;
            for (std::size_t k = 0; k < m_count; ++k) valid += m_out.valid[neighbour(i, k)] != 0 ? 1.0F : 0.0F;
            m_message_count[i] = valid;
        }
    }

    bool run(int threads, Tick const& tick) {
        std::size_t row_tasks = (m_length + rows_a_task - 1) / rows_a_task;
        std::size_t node_tasks = (m_length + nodes_a_task - 1) / nodes_a_task;
        std::size_t layers = m_network.encoder.size();
        // Before layer 0 the nodes are 0, so W1's self and neighbour parts are the bias alone.
        for (std::size_t i = 0; i < m_length; ++i) {
            std::memcpy(m_scratch.self1.data() + i * m_stride, m_network.encoder[0].self1.bias.data(),
                        m_stride * sizeof(float));
        }
        for (std::size_t pass = 0; pass <= layers; ++pass) {
            auto row_body = [&](std::size_t task, int worker) {
                std::size_t end = std::min(m_length, (task + 1) * rows_a_task);
                for (std::size_t i = task * rows_a_task; i < end; ++i) {
                    if (m_out.valid[i] != 0) row(i, pass, m_workers[static_cast<std::size_t>(worker)]);
                }
            };
            if (!parallel_for(row_tasks, threads, row_body, tick)) return false;
            if (pass == layers) break;
            auto node_body = [&](std::size_t task, int) { nodes(task, pass); };
            if (!parallel_for(node_tasks, threads, node_body, tick)) return false;
        }
        return true;
    }

private:
    [[nodiscard]] std::size_t neighbour(std::size_t i, std::size_t k) const {
        return static_cast<std::size_t>(m_neighbours.index[i * m_count + k]);
    }

    // pass 0: features, messages of layer 0. Pass p: edges of layer p - 1, messages of layer p (none after the last).
    void row(std::size_t i, std::size_t pass, Worker& worker) {
        float* edges = m_out.edges.data() + i * m_count * m_stride;
        if (pass == 0)
            features(i, worker, edges);
        else
            new_edges(i, m_network.encoder[pass - 1], worker, edges);
        if (pass < m_network.encoder.size()) messages(i, m_network.encoder[pass], worker, edges);
    }

    void features(std::size_t i, Worker& worker, float* edges) {
        for (std::size_t k = 0; k < m_count; ++k) {
            std::size_t j = neighbour(i, k);
            std::array<float, 25> distance;
            distance[0] = m_neighbours.distance[i * m_count + k];
            for (std::size_t p = 1; p < 25; ++p) {
                auto const& a = m_atoms[i][static_cast<std::size_t>(atom_pairs[p].first)];
                auto const& b = m_atoms[j][static_cast<std::size_t>(atom_pairs[p].second)];
                float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
                distance[p] = std::sqrt(x * x + y * y + z * z + 1e-6F);
            }
            m_kernels.radial_basis(distance.data(), 25, worker.radial.data() + k * 400);
            std::int64_t offset = m_structure.residue_index[i] - m_structure.residue_index[j];
            std::int64_t position = m_structure.chain_label[i] == m_structure.chain_label[j]
                                        ? std::clamp<std::int64_t>(offset + 32, 0, 64)
                                        : 65;
            std::memcpy(worker.a.data() + k * m_stride,
                        m_network.position.data() + static_cast<std::size_t>(position) * m_stride,
                        m_stride * sizeof(float));
        }
        m_kernels.linear(m_network.radial, worker.radial.data(), 400, m_count, worker.a.data(), m_stride, true);
        m_kernels.add_layer_norm(worker.a.data(), nullptr, m_count, m_network.hidden,
                                 m_network.norm_edges.weight.data(), m_network.norm_edges.bias.data());
        m_kernels.linear(m_network.edge_in, worker.a.data(), m_stride, m_count, edges, m_stride, false);
    }

    // out = gelu(W edges + self_i + neighbour_j) for the K edges of i, in place of worker.a
    void first_layer(std::size_t i, PackedLinear const& edge, FloatBuffer const& self, FloatBuffer const& other,
                     float const* edges, Worker& worker) {
        m_kernels.linear(edge, edges, m_stride, m_count, worker.a.data(), m_stride, false);
        for (std::size_t k = 0; k < m_count; ++k) {
            float* at = worker.a.data() + k * m_stride;
            m_kernels.add_gelu(at, self.data() + i * m_stride, other.data() + neighbour(i, k) * m_stride, at, m_stride);
        }
    }

    void messages(std::size_t i, EncoderWeights const& layer, Worker& worker, float const* edges) {
        first_layer(i, layer.edge1, m_scratch.self1, m_scratch.neighbour1, edges, worker);
        m_kernels.linear(layer.w2, worker.a.data(), m_stride, m_count, worker.b.data(), m_stride, false);
        for (std::size_t k = 0; k < m_count; ++k) worker.weight[k] = m_out.valid[neighbour(i, k)] != 0 ? 1.0F : 0.0F;
        float* sum = m_scratch.sum.data() + i * m_stride;
        std::memset(sum, 0, m_stride * sizeof(float));
        m_kernels.gelu_sum_only(worker.b.data(), m_count, m_stride, worker.weight.data(), sum);
    }

    void new_edges(std::size_t i, EncoderWeights const& layer, Worker& worker, float* edges) {
        first_layer(i, layer.edge11, m_scratch.self11, m_scratch.neighbour11, edges, worker);
        m_kernels.linear(layer.w12, worker.a.data(), m_stride, m_count, worker.b.data(), m_stride, false);
        m_kernels.gelu(worker.b.data(), m_count * m_stride);
        m_kernels.linear(layer.w13, worker.b.data(), m_stride, m_count, worker.a.data(), m_stride, false);
        m_kernels.add_layer_norm(edges, worker.a.data(), m_count, m_network.hidden, layer.norm3.weight.data(),
                                 layer.norm3.bias.data());
    }

    void nodes(std::size_t task, std::size_t pass) {
        std::size_t first = task * nodes_a_task;
        std::size_t rows = std::min(m_length - first, nodes_a_task);
        EncoderWeights const& layer = m_network.encoder[pass];
        float* at = m_out.nodes.data() + first * m_stride;
        update_nodes(m_network, layer.node, m_scratch.sum.data() + first * m_stride, m_message_count.data() + first,
                     m_out.valid.data() + first, rows, at);
        auto project = [&](PackedLinear const& linear, FloatBuffer& into) {
            m_kernels.linear(linear, at, m_stride, rows, into.data() + first * m_stride, m_stride, false);
        };
        project(layer.self11, m_scratch.self11);
        project(layer.neighbour11, m_scratch.neighbour11);
        if (pass + 1 < m_network.encoder.size()) {
            project(m_network.encoder[pass + 1].self1, m_scratch.self1);
            project(m_network.encoder[pass + 1].neighbour1, m_scratch.neighbour1);
        }
    }

    FastNetwork const& m_network;
    Kernels const& m_kernels;
    StructureInput const& m_structure;
    NeighbourLists const& m_neighbours;
    EncoderScratch& m_scratch;
    Encoded& m_out;
    std::vector<Atoms> m_atoms;
    std::vector<Worker> m_workers;
    std::vector<float> m_message_count;
    std::size_t m_length, m_count, m_stride;
};

}  // namespace

bool encode(FastNetwork const& network, StructureInput const& structure, std::vector<float> const& coordinates,
            NeighbourLists const& neighbours, int threads, Tick const& tick, EncoderScratch& scratch, Encoded& out) {
    Encoder encoder(network, structure, coordinates, neighbours, scratch, out, threads);
    return encoder.run(threads, tick);
}

void update_nodes(FastNetwork const& network, NodeUpdate const& layer, float const* sum, float const* count,
                  std::uint8_t const* valid, std::size_t rows, float* nodes) {
    Kernels const& kernels = *network.kernels;
    std::size_t stride = network.stride;
    thread_local FloatBuffer message, wide;
    constexpr std::size_t block = 32;
    message.ensure(block * stride);
    wide.ensure(block * layer.widen.stride());
    for (std::size_t first = 0; first < rows; first += block) {
        std::size_t n = std::min(block, rows - first);
        float* at = nodes + first * stride;
        kernels.linear(layer.w3, sum + first * stride, stride, n, message.data(), stride, false);
        for (std::size_t r = 0; r < n; ++r) {
            float* row = message.data() + r * stride;
            for (std::size_t c = 0; c < stride; ++c) row[c] += count[first + r] * layer.w3_bias[c];
        }
        kernels.add_layer_norm(at, message.data(), n, network.hidden, layer.norm1.weight.data(),
                               layer.norm1.bias.data());
        kernels.linear(layer.widen, at, stride, n, wide.data(), layer.widen.stride(), false);
        kernels.gelu(wide.data(), n * layer.widen.stride());
        kernels.linear(layer.narrow, wide.data(), layer.widen.stride(), n, message.data(), stride, false);
        kernels.add_layer_norm(at, message.data(), n, network.hidden, layer.norm2.weight.data(),
                               layer.norm2.bias.data());
        for (std::size_t r = 0; valid != nullptr && r < n; ++r) {
            if (valid[first + r] == 0) std::memset(at + r * stride, 0, stride * sizeof(float));
        }
    }
}

}  // namespace orrery::methods::stab_ddg
