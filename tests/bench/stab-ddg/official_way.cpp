#include "tests/bench/stab-ddg/official_way.h"

#include <array>

namespace orrery::bench {
namespace {

using namespace orrery::methods::stab_ddg;

constexpr std::array<std::array<int, 2>, 25> atom_pairs = {
    {{1, 1}, {0, 0}, {2, 2}, {3, 3}, {4, 4}, {1, 0}, {1, 2}, {1, 3}, {1, 4}, {0, 2}, {0, 3}, {0, 4}, {4, 2},
     {4, 3}, {3, 2}, {0, 1}, {2, 1}, {3, 1}, {4, 1}, {2, 0}, {3, 0}, {4, 0}, {2, 4}, {3, 4}, {2, 3}}};

// L x L distances of each of the 25 atom pairs, of which L x K are then taken.
torch::Tensor all_pairs_features(Parameters const& parameters, StructureTensors const& structure,
                                 torch::Tensor const& coordinates, Neighbours& neighbours) {
    std::int64_t length = structure.length();
    torch::Tensor atoms = torch::cat({coordinates, virtual_cb(coordinates).unsqueeze(1)}, 1);
    torch::Tensor alpha = coordinates.select(1, 1);
    torch::Tensor both = structure.mask.unsqueeze(1) * structure.mask.unsqueeze(0);
    torch::Tensor distance = both * torch::sqrt((alpha.unsqueeze(0) - alpha.unsqueeze(1)).square().sum(2) + 1e-6);
    torch::Tensor adjusted = distance + (1 - both) * std::get<0>(distance.max(1, true));
    std::tie(neighbours.distance, neighbours.index) =
        torch::topk(adjusted, std::min<std::int64_t>(parameters.neighbours, length), 1, false);
    torch::Tensor centres = torch::linspace(2.0, 22.0, 16);
    std::vector<torch::Tensor> radial;
    for (std::size_t p = 0; p < atom_pairs.size(); ++p) {
        torch::Tensor chosen = neighbours.distance;
        if (p > 0) {
            torch::Tensor difference =
                atoms.select(1, atom_pairs[p][0]).unsqueeze(1) - atoms.select(1, atom_pairs[p][1]).unsqueeze(0);
            chosen = torch::sqrt(difference.square().sum(2) + 1e-6).gather(1, neighbours.index);
        }
        radial.push_back(torch::exp(-((chosen.unsqueeze(2) - centres) / 1.25).square()));
    }
    torch::Tensor classes = position_classes(structure, neighbours, 0, length);
    torch::Tensor positional =
        linear_layer(parameters, "features.embeddings.linear", torch::one_hot(classes, 66).to(torch::kFloat32));
    radial.insert(radial.begin(), positional);
    return torch::cat(radial, 2);
}

torch::Tensor gather(torch::Tensor const& nodes, torch::Tensor const& index) {
    return nodes.index_select(0, index.reshape({-1})).reshape({index.size(0), index.size(1), nodes.size(1)});
}

torch::Tensor message(Parameters const& parameters, std::string const& prefix, std::array<char const*, 3> names,
                      torch::Tensor const& x) {
    torch::Tensor h = torch::gelu(linear_layer(parameters, prefix + names[0], x));
    h = torch::gelu(linear_layer(parameters, prefix + names[1], h));
    return linear_layer(parameters, prefix + names[2], h);
}

torch::Tensor update(Parameters const& parameters, std::string const& prefix, torch::Tensor const& nodes,
                     torch::Tensor const& sum, torch::Tensor const& mask) {
    torch::Tensor h = layer_norm(parameters, prefix + "norm1", nodes + sum / 30.0);
    torch::Tensor wide = torch::gelu(linear_layer(parameters, prefix + "dense.W_in", h));
    return layer_norm(parameters, prefix + "norm2", h + linear_layer(parameters, prefix + "dense.W_out", wide)) *
           mask.unsqueeze(1);
}

}  // namespace

double official_energy(Parameters const& parameters, StructureInput const& input, StructureDraw const& draw,
                       std::vector<LetterChange> const& changes) {
    torch::NoGradGuard no_grad;
    StructureTensors structure = to_tensors(input);
    torch::Tensor letters = structure.letters.clone();
    for (LetterChange const& change : changes) letters[change.position] = std::int64_t{change.letter};
    Neighbours neighbours;
    torch::Tensor features =
        all_pairs_features(parameters, structure, structure.coordinates + noise_of(draw), neighbours);
    torch::Tensor embedded = torch::linear(features, parameters["features.edge_embedding.weight"]);
    torch::Tensor edges = linear_layer(parameters, "W_e", layer_norm(parameters, "features.norm_edges", embedded));
    torch::Tensor const& index = neighbours.index;
    torch::Tensor nodes = torch::zeros({structure.length(), parameters.hidden});
    torch::Tensor both =
        (structure.mask.unsqueeze(1) * structure.mask.index_select(0, index.reshape({-1})).reshape(index.sizes()))
            .unsqueeze(2);
    for (int l = 0; l < parameters.encoder_layers; ++l) {
        std::string prefix = "encoder_layers." + std::to_string(l) + ".";
        auto z = [&] { return torch::cat({nodes.unsqueeze(1).expand_as(edges), edges, gather(nodes, index)}, 2); };
        nodes = update(parameters, prefix, nodes, (message(parameters, prefix, {"W1", "W2", "W3"}, z()) * both).sum(1),
                       structure.mask);
        edges =
            layer_norm(parameters, prefix + "norm3", edges + message(parameters, prefix, {"W11", "W12", "W13"}, z()));
    }
    torch::Tensor rank = rank_of(order_of(draw));
    torch::Tensor before = (rank.unsqueeze(0) < rank.unsqueeze(1)).to(torch::kFloat32).gather(1, index).unsqueeze(2);
    torch::Tensor own = structure.mask.reshape({-1, 1, 1});
    torch::Tensor embedding = gather(parameters["W_s.weight"].index_select(0, letters), index);
    torch::Tensor later = own * (1 - before) * torch::cat({edges, torch::zeros_like(edges), gather(nodes, index)}, 2);
    for (int l = 0; l < parameters.decoder_layers; ++l) {
        std::string prefix = "decoder_layers." + std::to_string(l) + ".";
        torch::Tensor y = own * before * torch::cat({edges, embedding, gather(nodes, index)}, 2) + later;
        torch::Tensor z = torch::cat({nodes.unsqueeze(1).expand_as(edges), y}, 2);
        nodes = update(parameters, prefix, nodes, message(parameters, prefix, {"W1", "W2", "W3"}, z).sum(1),
                       structure.mask);
    }
    torch::Tensor log_probabilities = torch::log_softmax(linear_layer(parameters, "W_out", nodes), 1);
    return log_probabilities.gather(1, letters.unsqueeze(1)).sum().item<double>();
}

}  // namespace orrery::bench
