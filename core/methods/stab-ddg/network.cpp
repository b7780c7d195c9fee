#include "core/methods/stab-ddg/network.h"

namespace orrery::methods::stab_ddg {
namespace {

constexpr double message_scale = 30.0;

void record(Activations* activations, std::string const& name, torch::Tensor const& value) {
    if (activations != nullptr) (*activations)["mid." + name] = value.detach().unsqueeze(0);
}

// [B,L,H] or [L,H] -> the states of the K neighbours of each position, [B,L,K,H] or [L,K,H]
torch::Tensor gather_nodes(torch::Tensor const& nodes, torch::Tensor const& index) {
    auto shape = index.sizes().vec();
    std::int64_t dimension = nodes.dim() - 2;
    auto out = nodes.index_select(dimension, index.reshape({-1}));
    auto sizes = nodes.sizes().vec();
    std::vector<std::int64_t> result(sizes.begin(), sizes.end() - 2);
    result.insert(result.end(), shape.begin(), shape.end());
    result.push_back(sizes.back());
    return out.reshape(result);
}

torch::Tensor three_linear(Parameters const& parameters, std::string const& prefix, char const* a, char const* b,
                           char const* c, torch::Tensor const& x) {
    torch::Tensor h = torch::gelu(linear_layer(parameters, prefix + a, x));
    h = torch::gelu(linear_layer(parameters, prefix + b, h));
    return linear_layer(parameters, prefix + c, h);
}

torch::Tensor update(Parameters const& parameters, std::string const& prefix, torch::Tensor const& nodes,
                     torch::Tensor const& message, torch::Tensor const& mask) {
    torch::Tensor h = layer_norm(parameters, prefix + "norm1", nodes + message / message_scale);
    torch::Tensor wide = torch::gelu(linear_layer(parameters, prefix + "dense.W_in", h));
    h = layer_norm(parameters, prefix + "norm2", h + linear_layer(parameters, prefix + "dense.W_out", wide));
    return h * mask.unsqueeze(-1);
}

}  // namespace

torch::Tensor linear_layer(Parameters const& parameters, std::string const& name, torch::Tensor const& x) {
    return torch::linear(x, parameters[name + ".weight"], parameters[name + ".bias"]);
}

torch::Tensor layer_norm(Parameters const& parameters, std::string const& name, torch::Tensor const& x) {
    return torch::layer_norm(x, {x.size(-1)}, parameters[name + ".weight"], parameters[name + ".bias"], 1e-5);
}

torch::Tensor rank_of(torch::Tensor const& order) {
    torch::Tensor rank = torch::empty_like(order);
    rank.scatter_(0, order, torch::arange(order.size(0), order.options()));
    return rank;
}

EncodedTensors encode_reference(Parameters const& parameters, StructureTensors const& structure,
                                torch::Tensor const& noise, Activations* activations) {
    torch::Tensor coordinates = noise.defined() ? structure.coordinates + noise : structure.coordinates;
    EncodedTensors encoded;
    encoded.neighbours = find_neighbours(coordinates.select(1, 1).contiguous(), structure.mask, parameters.neighbours);
    torch::Tensor const& index = encoded.neighbours.index;
    std::int64_t length = structure.length();

    torch::Tensor classes = position_classes(structure, encoded.neighbours, 0, length);
    torch::Tensor positional =
        linear_layer(parameters, "features.embeddings.linear", torch::one_hot(classes, 66).to(torch::kFloat32));
    torch::Tensor features = torch::cat({positional, radial_features(coordinates, encoded.neighbours, 0, length)}, 2);
    torch::Tensor embedded = torch::linear(features, parameters["features.edge_embedding.weight"]);
    torch::Tensor normed = layer_norm(parameters, "features.norm_edges", embedded);
    torch::Tensor edges = linear_layer(parameters, "W_e", normed);
    torch::Tensor nodes = torch::zeros({length, parameters.hidden});
    record(activations, "Cb", virtual_cb(coordinates));
    record(activations, "E_idx", index);
    record(activations, "edge_in", features);
    record(activations, "edge_embedded", embedded);
    record(activations, "E", normed);
    record(activations, "h_E0", edges);

    torch::Tensor both =
        structure.mask.unsqueeze(1) * structure.mask.index_select(0, index.reshape({-1})).reshape(index.sizes());
    for (std::int64_t l = 0; l < parameters.encoder_layers; ++l) {
        std::string prefix = "encoder_layers." + std::to_string(l) + ".";
        auto edge_input = [&] {
            torch::Tensor self = nodes.unsqueeze(1).expand_as(edges);
            return torch::cat({self, edges, gather_nodes(nodes, index)}, -1);
        };
        torch::Tensor message = three_linear(parameters, prefix, "W1", "W2", "W3", edge_input()) * both.unsqueeze(-1);
        nodes = update(parameters, prefix, nodes, message.sum(-2), structure.mask);
        torch::Tensor change = three_linear(parameters, prefix, "W11", "W12", "W13", edge_input());
        edges = layer_norm(parameters, prefix + "norm3", edges + change);
        record(activations, "enc" + std::to_string(l) + ".h_V", nodes);
        record(activations, "enc" + std::to_string(l) + ".h_E", edges);
    }
    encoded.nodes = nodes;
    encoded.edges = edges;
    return encoded;
}

torch::Tensor decode_reference(Parameters const& parameters, StructureTensors const& structure,
                               EncodedTensors const& encoded, torch::Tensor const& order,
                               torch::Tensor const& sequences, Activations* activations) {
    torch::Tensor const& index = encoded.neighbours.index;
    std::int64_t batch = sequences.size(0);
    torch::Tensor rank = rank_of(order);
    torch::Tensor earlier = (rank.unsqueeze(0) < rank.unsqueeze(1)).to(torch::kFloat32);  // [q,p]: p before q
    torch::Tensor before = earlier.gather(1, index).unsqueeze(-1);                        // [L,K,1]
    torch::Tensor own = structure.mask.reshape({-1, 1, 1});
    torch::Tensor backward = own * before;
    torch::Tensor forward = own * (1 - before);

    torch::Tensor letters = gather_nodes(parameters["W_s.weight"]
                                             .index_select(0, sequences.reshape({-1}))
                                             .reshape({batch, structure.length(), parameters.hidden}),
                                         index);
    torch::Tensor edges = encoded.edges.unsqueeze(0).expand_as(letters);
    torch::Tensor later =
        torch::cat({encoded.edges, torch::zeros_like(encoded.edges), gather_nodes(encoded.nodes, index)}, -1) * forward;
    torch::Tensor nodes = encoded.nodes.unsqueeze(0).expand({batch, -1, -1});
    for (std::int64_t l = 0; l < parameters.decoder_layers; ++l) {
        std::string prefix = "decoder_layers." + std::to_string(l) + ".";
        torch::Tensor y = backward * torch::cat({edges, letters, gather_nodes(nodes, index)}, -1) + later;
        torch::Tensor z = torch::cat({nodes.unsqueeze(2).expand_as(letters), y}, -1);
        torch::Tensor message = three_linear(parameters, prefix, "W1", "W2", "W3", z).sum(-2);
        nodes = update(parameters, prefix, nodes, message, structure.mask);
        if (activations != nullptr) record(activations, "dec" + std::to_string(l) + ".h_V", nodes.select(0, 0));
    }
    torch::Tensor logits = linear_layer(parameters, "W_out", nodes);
    record(activations, "order_mask_backward", earlier);
    if (activations != nullptr) record(activations, "logits", logits.select(0, 0));
    return torch::log_softmax(logits, -1);
}

torch::Tensor sequence_energy(torch::Tensor const& log_probabilities, torch::Tensor const& sequences) {
    return log_probabilities.gather(2, sequences.unsqueeze(2)).squeeze(2).sum(1);
}

}  // namespace orrery::methods::stab_ddg
