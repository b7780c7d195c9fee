#include "core/methods/stab-ddg/structure_gradient.h"

#include "core/methods/stab-ddg/draw_tensors.h"
#include "core/methods/stab-ddg/features.h"
#include "core/methods/stab-ddg/network.h"
#include "core/methods/stab-ddg/reached_rows.h"

#include <algorithm>
#include <functional>

namespace orrery::methods::stab_ddg {
namespace {

using Tensors = std::vector<torch::Tensor>;
using Segment = std::function<torch::Tensor(Tensors const&)>;

constexpr std::int64_t rows_a_block = 48;
constexpr double message_scale = 30.0;

// The segment again, with a graph; gradients of its inputs come back, those of parameters are added to their grad().
Tensors backward_through(Segment const& segment, Tensors const& inputs, torch::Tensor const& output_gradient) {
    torch::AutoGradMode with_graph(true);
    Tensors leaves;
    for (torch::Tensor const& input : inputs) leaves.push_back(input.detach().requires_grad_(true));
    torch::Tensor output = segment(leaves);
    torch::autograd::backward({output}, {output_gradient});
    Tensors gradients;
    for (torch::Tensor const& leaf : leaves) gradients.push_back(leaf.grad());
    return gradients;
}

torch::Tensor forward_through(Segment const& segment, Tensors const& inputs) {
    torch::NoGradGuard no_grad;
    return segment(inputs);
}

void accumulate(torch::Tensor into, torch::Tensor const& what) {
    if (what.defined()) into.add_(what);
}

class StructureGradient {
public:
    StructureGradient(Parameters const& parameters, StructureInput const& input, StructureDraw const& draw,
                      std::vector<WeightedMutant> const& mutants, Tick const& tick)
        : m_parameters(parameters),
          m_structure(to_tensors(input)),
          m_mutants(mutants),
          m_tick(tick),
          m_hidden(parameters.hidden),
          m_length(m_structure.length()),
          m_letters(input.letters) {
        torch::NoGradGuard no_grad;
        m_coordinates = m_structure.coordinates + noise_of(draw);
        m_neighbours =
            find_neighbours(m_coordinates.select(1, 1).contiguous(), m_structure.mask, parameters.neighbours);
        m_count = m_neighbours.index.size(1);
        torch::Tensor index = m_neighbours.index.to(torch::kInt32).contiguous();
        m_index.assign(index.data_ptr<std::int32_t>(), index.data_ptr<std::int32_t>() + index.numel());
        m_neighbour_mask = m_structure.mask.index_select(0, m_neighbours.index.reshape({-1})).reshape(index.sizes());
        m_rows =
            reached_rows(m_index, input.valid, draw.rank, mutants, static_cast<std::size_t>(parameters.decoder_layers));
    }

    bool run() { return forward() && backward(); }

private:
    [[nodiscard]] bool go_on() const { return !m_tick || m_tick(); }
    [[nodiscard]] std::string encoder(std::int64_t l) const { return "encoder_layers." + std::to_string(l) + "."; }
    [[nodiscard]] std::string decoder(std::int64_t l) const { return "decoder_layers." + std::to_string(l) + "."; }
    [[nodiscard]] torch::Tensor columns(std::string const& name, std::int64_t part) const {
        return m_parameters[name + ".weight"].narrow(1, part * m_hidden, m_hidden);
    }
    [[nodiscard]] torch::Tensor neighbour_rows(std::int64_t first, std::int64_t rows) const {
        return m_neighbours.index.narrow(0, first, rows).reshape({-1});
    }
    [[nodiscard]] std::int64_t block(std::int64_t first) const { return std::min(rows_a_block, m_length - first); }

    torch::Tensor node_update(std::string const& prefix, torch::Tensor const& nodes, torch::Tensor const& sum,
                              torch::Tensor const& message_count, torch::Tensor const& mask) const {
        torch::Tensor message = torch::matmul(sum, m_parameters[prefix + "W3.weight"].t()) +
                                message_count * m_parameters[prefix + "W3.bias"];
        torch::Tensor h = layer_norm(m_parameters, prefix + "norm1", nodes + message / message_scale);
        torch::Tensor wide = torch::gelu(linear_layer(m_parameters, prefix + "dense.W_in", h));
        h = layer_norm(m_parameters, prefix + "norm2", h + linear_layer(m_parameters, prefix + "dense.W_out", wide));
        return h * mask.unsqueeze(1);
    }

    // [] -> edges of the rows, [R,K,H]
    [[nodiscard]] Segment features(std::int64_t first) const {
        return [this, first](Tensors const&) {
            std::int64_t rows = block(first);
            torch::Tensor classes = position_classes(m_structure, m_neighbours, first, rows);
            torch::Tensor table =
                m_parameters["features.embeddings.linear.weight"].t() + m_parameters["features.embeddings.linear.bias"];
            torch::Tensor positional = table.index_select(0, classes.reshape({-1})).reshape({rows, m_count, 16});
            torch::Tensor all = torch::cat({positional, radial_features(m_coordinates, m_neighbours, first, rows)}, 2);
            torch::Tensor embedded = torch::linear(all, m_parameters["features.edge_embedding.weight"]);
            return linear_layer(m_parameters, "W_e", layer_norm(m_parameters, "features.norm_edges", embedded));
        };
    }

    // [nodes] -> [L, 2H]: W1's self part with its bias, and its neighbour part
    [[nodiscard]] Segment projections(std::string const& name) const {
        return [this, name](Tensors const& in) {
            return torch::cat({torch::linear(in[0], columns(name, 0), m_parameters[name + ".bias"]),
                               torch::linear(in[0], columns(name, 2))},
                              1);
        };
    }

    // gelu(W1 [self, edge, neighbour]) of the rows, from their projections
    torch::Tensor first_layer(std::string const& name, torch::Tensor const& projected, torch::Tensor const& edges,
                              std::int64_t first, std::int64_t rows) const {
        torch::Tensor self = projected.narrow(0, first, rows).narrow(1, 0, m_hidden).unsqueeze(1);
        torch::Tensor others = projected.narrow(1, m_hidden, m_hidden)
                                   .index_select(0, neighbour_rows(first, rows))
                                   .reshape({rows, m_count, m_hidden});
        return torch::gelu(self + torch::linear(edges, columns(name, 1)) + others);
    }

    // [projections, edges of the rows, nodes of the rows] -> new nodes of the rows
    [[nodiscard]] Segment encoder_nodes(std::int64_t l, std::int64_t first) const {
        return [this, l, first](Tensors const& in) {
            std::int64_t rows = block(first);
            std::string prefix = encoder(l);
            torch::Tensor h = first_layer(prefix + "W1", in[0], in[1], first, rows);
            h = torch::gelu(linear_layer(m_parameters, prefix + "W2", h));
            torch::Tensor weight = m_neighbour_mask.narrow(0, first, rows).unsqueeze(2);
            return node_update(prefix, in[2], (h * weight).sum(1), weight.sum(1),
                               m_structure.mask.narrow(0, first, rows));
        };
    }

    // [projections, edges of the rows] -> new edges of the rows
    [[nodiscard]] Segment encoder_edges(std::int64_t l, std::int64_t first) const {
        return [this, l, first](Tensors const& in) {
            std::string prefix = encoder(l);
            torch::Tensor h = first_layer(prefix + "W11", in[0], in[1], first, block(first));
            h = torch::gelu(linear_layer(m_parameters, prefix + "W12", h));
            return layer_norm(m_parameters, prefix + "norm3", in[1] + linear_layer(m_parameters, prefix + "W13", h));
        };
    }

    // [states, encoder's nodes] -> [N + L + 22 , 2H]: rows of states: W1's self and neighbour parts; rows of the
    // encoder's nodes: neighbour part; last, the letters' part with a row of zeros for positions not decoded yet.
    [[nodiscard]] Segment decoder_projections(std::int64_t l) const {
        return [this, l](Tensors const& in) {
            std::string name = decoder(l) + "W1";
            torch::Tensor own =
                torch::cat({torch::linear(in[0], columns(name, 0)), torch::linear(in[0], columns(name, 3))}, 1);
            torch::Tensor encoded = torch::linear(in[1], columns(name, 3));
            torch::Tensor letters = torch::linear(m_parameters["W_s.weight"], columns(name, 2));
            torch::Tensor table = torch::cat({encoded, letters, torch::zeros({1, m_hidden})});
            return torch::cat({own, torch::cat({torch::zeros_like(table), table}, 1)});
        };
    }

    struct Block {
        std::int64_t first_position = 0, positions = 0;  // base rows
        std::int64_t first = 0, rows = 0;                // virtual rows
        torch::Tensor local;                             // [rows] position of each virtual row within the block
        torch::Tensor self;                              // [rows] its row among the states before
        torch::Tensor neighbour;                         // [rows * K] rows of the projections
        torch::Tensor letter;                            // [rows * K]
    };

    [[nodiscard]] std::vector<Block> decoder_blocks(std::size_t l) const {
        VirtualLayer const& before = m_rows.states[l];
        VirtualLayer const& now = m_rows.states[l + 1];
        auto encoded_from = static_cast<std::int64_t>(before.position.size());
        std::vector<Block> blocks;
        for (std::int64_t position = 0; position < m_length;) {
            Block b;
            b.first_position = position;
            b.first = now.from[static_cast<std::size_t>(position)];
            while (position < m_length && (position == b.first_position ||
                                           now.from[static_cast<std::size_t>(position) + 1] - b.first <= rows_a_block))
                ++position;
            b.positions = position - b.first_position;
            b.rows = now.from[static_cast<std::size_t>(position)] - b.first;
            std::vector<std::int64_t> local, self, neighbour, letter;
            for (std::int64_t v = b.first; v < b.first + b.rows; ++v) {
                std::int64_t i = now.position[static_cast<std::size_t>(v)];
                std::int32_t m = now.mutant[static_cast<std::size_t>(v)];
                auto state = [&](std::int64_t j) {
                    return m < 0 ? before.from[static_cast<std::size_t>(j)]
                                 : before.index[static_cast<std::size_t>(m * m_length + j)];
                };
                local.push_back(i - b.first_position);
                self.push_back(state(i));
                for (std::int64_t k = 0; k < m_count; ++k) {
                    auto at = static_cast<std::size_t>(i * m_count + k);
                    std::int64_t j = m_index[at];
                    bool back = m_rows.backward[at] != 0;
                    neighbour.push_back(back ? state(j) : encoded_from + j);
                    letter.push_back(encoded_from + m_length + (back ? letter_of(m, j) : 21));
                }
            }
            b.local = torch::tensor(local);
            b.self = torch::tensor(self);
            b.neighbour = torch::tensor(neighbour);
            b.letter = torch::tensor(letter);
            blocks.push_back(std::move(b));
        }
        return blocks;
    }

    [[nodiscard]] std::int64_t letter_of(std::int32_t mutant, std::int64_t position) const {
        if (mutant >= 0) {
            for (LetterChange const& change : m_mutants[static_cast<std::size_t>(mutant)].changes) {
                if (change.position == position) return change.letter;
            }
        }
        return m_letters[static_cast<std::size_t>(position)];
    }

    // [projections, edges of the positions, states] -> states of the virtual rows
    [[nodiscard]] Segment decoder_rows(std::int64_t l, Block const& b) const {
        return [this, l, &b](Tensors const& in) {
            std::string prefix = decoder(l);
            torch::Tensor edges = torch::linear(in[1], columns(prefix + "W1", 1), m_parameters[prefix + "W1.bias"]);
            torch::Tensor others = in[0].narrow(1, m_hidden, m_hidden);
            torch::Tensor z = edges.index_select(0, b.local) +
                              in[0].narrow(1, 0, m_hidden).index_select(0, b.self).unsqueeze(1) +
                              (others.index_select(0, b.neighbour) + others.index_select(0, b.letter))
                                  .reshape({b.rows, m_count, m_hidden});
            torch::Tensor h = torch::gelu(linear_layer(m_parameters, prefix + "W2", torch::gelu(z)));
            torch::Tensor mask = m_structure.mask.narrow(0, b.first_position, b.positions).index_select(0, b.local);
            torch::Tensor count = torch::full({1, 1}, static_cast<double>(m_count), torch::kFloat32);
            return node_update(prefix, in[2].index_select(0, b.self), h.sum(1), count, mask);
        };
    }

    // Each virtual row's coefficient of each letter's log-probability in sum of weight (E(mutant) - E(wild type)).
    [[nodiscard]] torch::Tensor coefficients() const {
        VirtualLayer const& last = m_rows.states.back();
        auto rows = static_cast<std::int64_t>(last.position.size());
        torch::Tensor table = torch::zeros({rows, 21}, torch::kFloat64);
        auto at = table.accessor<double, 2>();
        for (std::size_t v = 0; v < last.position.size(); ++v) {
            std::int32_t m = last.mutant[v];
            if (m < 0) continue;
            double weight = m_mutants[static_cast<std::size_t>(m)].weight;
            std::int64_t position = last.position[v];
            at[static_cast<std::int64_t>(v)][letter_of(m, position)] += weight;
            at[last.from[static_cast<std::size_t>(position)]][letter_of(-1, position)] -= weight;
        }
        for (std::size_t m = 0; m < m_mutants.size(); ++m) {
            for (LetterChange const& change : m_mutants[m].changes) {
                std::int64_t wild_type = last.from[static_cast<std::size_t>(change.position)];
                if (last.index[m * static_cast<std::size_t>(m_length) + static_cast<std::size_t>(change.position)] !=
                    wild_type)
                    continue;
                at[wild_type][change.letter] += m_mutants[m].weight;
                at[wild_type][letter_of(-1, change.position)] -= m_mutants[m].weight;
            }
        }
        return table.to(torch::kFloat32);
    }

    bool forward() {
        torch::NoGradGuard no_grad;
        m_nodes = {torch::zeros({m_length, m_hidden})};
        m_edges = {torch::empty({m_length, m_count, m_hidden})};
        auto by_blocks = [&](auto const& body) {
            for (std::int64_t first = 0; first < m_length; first += rows_a_block) {
                body(first, block(first));
                if (!go_on()) return false;
            }
            return true;
        };
        if (!by_blocks([&](std::int64_t first, std::int64_t rows) {
                m_edges[0].narrow(0, first, rows).copy_(forward_through(features(first), {}));
            }))
            return false;
        for (std::int64_t l = 0; l < m_parameters.encoder_layers; ++l) {
            auto layer = static_cast<std::size_t>(l);
            torch::Tensor projected = forward_through(projections(encoder(l) + "W1"), {m_nodes[layer]});
            m_nodes.push_back(torch::empty({m_length, m_hidden}));
            if (!by_blocks([&](std::int64_t first, std::int64_t rows) {
                    Tensors in = {projected, m_edges[layer].narrow(0, first, rows),
                                  m_nodes[layer].narrow(0, first, rows)};
                    m_nodes[layer + 1].narrow(0, first, rows).copy_(forward_through(encoder_nodes(l, first), in));
                }))
                return false;
            projected = forward_through(projections(encoder(l) + "W11"), {m_nodes[layer + 1]});
            m_edges.push_back(torch::empty({m_length, m_count, m_hidden}));
            if (!by_blocks([&](std::int64_t first, std::int64_t rows) {
                    Tensors in = {projected, m_edges[layer].narrow(0, first, rows)};
                    m_edges[layer + 1].narrow(0, first, rows).copy_(forward_through(encoder_edges(l, first), in));
                }))
                return false;
        }
        m_states = {m_nodes.back()};
        for (std::int64_t l = 0; l < m_parameters.decoder_layers; ++l) {
            auto layer = static_cast<std::size_t>(l);
            m_blocks.push_back(decoder_blocks(layer));
            torch::Tensor projected = forward_through(decoder_projections(l), {m_states[layer], m_nodes.back()});
            m_states.push_back(
                torch::empty({static_cast<std::int64_t>(m_rows.states[layer + 1].position.size()), m_hidden}));
            for (Block const& b : m_blocks[layer]) {
                Tensors in = {projected, m_edges.back().narrow(0, b.first_position, b.positions), m_states[layer]};
                m_states[layer + 1].narrow(0, b.first, b.rows).copy_(forward_through(decoder_rows(l, b), in));
                if (!go_on()) return false;
            }
        }
        return true;
    }

    bool backward() {
        torch::Tensor coefficient = coefficients();
        Segment objective = [&](Tensors const& in) {
            return (torch::log_softmax(linear_layer(m_parameters, "W_out", in[0]), 1) * coefficient).sum();
        };
        torch::Tensor states_gradient = backward_through(objective, {m_states.back()}, torch::ones({}))[0];
        torch::Tensor nodes_gradient = torch::zeros_like(m_nodes.back());
        torch::Tensor edges_gradient = torch::zeros_like(m_edges.back());
        for (std::int64_t l = m_parameters.decoder_layers - 1; l >= 0; --l) {
            if (!decoder_backward(l, states_gradient, nodes_gradient, edges_gradient)) return false;
        }
        nodes_gradient.add_(states_gradient);
        for (std::int64_t l = m_parameters.encoder_layers - 1; l >= 0; --l) {
            if (!encoder_backward(l, nodes_gradient, edges_gradient)) return false;
        }
        for (std::int64_t first = 0; first < m_length; first += rows_a_block) {
            backward_through(features(first), {}, edges_gradient.narrow(0, first, block(first)));
            if (!go_on()) return false;
        }
        return true;
    }

    // `states_gradient`: of the layer's output on entry, of its input on return.
    bool decoder_backward(std::int64_t l, torch::Tensor& states_gradient, torch::Tensor const& nodes_gradient,
                          torch::Tensor const& edges_gradient) {
        auto layer = static_cast<std::size_t>(l);
        torch::Tensor projected = forward_through(decoder_projections(l), {m_states[layer], m_nodes.back()});
        torch::Tensor projected_gradient = torch::zeros_like(projected);
        torch::Tensor before = torch::zeros_like(m_states[layer]);
        for (Block const& b : m_blocks[layer]) {
            Tensors in = {projected, m_edges.back().narrow(0, b.first_position, b.positions), m_states[layer]};
            Tensors out = backward_through(decoder_rows(l, b), in, states_gradient.narrow(0, b.first, b.rows));
            accumulate(projected_gradient, out[0]);
            accumulate(edges_gradient.narrow(0, b.first_position, b.positions), out[1]);
            accumulate(before, out[2]);
            if (!go_on()) return false;
        }
        Tensors out = backward_through(decoder_projections(l), {m_states[layer], m_nodes.back()}, projected_gradient);
        accumulate(before, out[0]);
        accumulate(nodes_gradient, out[1]);
        states_gradient = before;
        return true;
    }

    // Both gradients: of the layer's output on entry, of its input on return.
    bool encoder_backward(std::int64_t l, torch::Tensor& nodes_gradient, torch::Tensor& edges_gradient) {
        auto layer = static_cast<std::size_t>(l);
        torch::Tensor edges_before = torch::zeros_like(edges_gradient);
        torch::Tensor projected = forward_through(projections(encoder(l) + "W11"), {m_nodes[layer + 1]});
        torch::Tensor projected_gradient = torch::zeros_like(projected);
        for (std::int64_t first = 0; first < m_length; first += rows_a_block) {
            std::int64_t rows = block(first);
            Tensors out = backward_through(encoder_edges(l, first), {projected, m_edges[layer].narrow(0, first, rows)},
                                           edges_gradient.narrow(0, first, rows));
            accumulate(projected_gradient, out[0]);
            accumulate(edges_before.narrow(0, first, rows), out[1]);
            if (!go_on()) return false;
        }
        accumulate(nodes_gradient,
                   backward_through(projections(encoder(l) + "W11"), {m_nodes[layer + 1]}, projected_gradient)[0]);

        torch::Tensor nodes_before = torch::zeros_like(nodes_gradient);
        projected = forward_through(projections(encoder(l) + "W1"), {m_nodes[layer]});
        projected_gradient = torch::zeros_like(projected);
        for (std::int64_t first = 0; first < m_length; first += rows_a_block) {
            std::int64_t rows = block(first);
            Tensors in = {projected, m_edges[layer].narrow(0, first, rows), m_nodes[layer].narrow(0, first, rows)};
            Tensors out = backward_through(encoder_nodes(l, first), in, nodes_gradient.narrow(0, first, rows));
            accumulate(projected_gradient, out[0]);
            accumulate(edges_before.narrow(0, first, rows), out[1]);
            accumulate(nodes_before.narrow(0, first, rows), out[2]);
            if (!go_on()) return false;
        }
        accumulate(nodes_before,
                   backward_through(projections(encoder(l) + "W1"), {m_nodes[layer]}, projected_gradient)[0]);
        nodes_gradient = nodes_before;
        edges_gradient = edges_before;
        return true;
    }

    Parameters const& m_parameters;
    StructureTensors m_structure;
    std::vector<WeightedMutant> const& m_mutants;
    Tick const& m_tick;
    std::int64_t m_hidden, m_length, m_count = 0;
    std::vector<std::uint8_t> m_letters;
    torch::Tensor m_coordinates, m_neighbour_mask;
    Neighbours m_neighbours;
    std::vector<std::int32_t> m_index;
    ReachedRows m_rows;
    std::vector<std::vector<Block>> m_blocks;
    Tensors m_nodes, m_edges;  // encoder: input of each layer, and the last output
    Tensors m_states;          // decoder: the same for virtual rows
};

}  // namespace

bool accumulate_gradient(Parameters const& parameters, StructureInput const& structure, StructureDraw const& draw,
                         std::vector<WeightedMutant> const& mutants, Tick const& tick) {
    return StructureGradient(parameters, structure, draw, mutants, tick).run();
}

}  // namespace orrery::methods::stab_ddg
