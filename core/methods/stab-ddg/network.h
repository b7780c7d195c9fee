// ProteinMPNN as section 4 writes it, without any of the short cuts of the fast path: what the fast path, training and
// reference cases are compared with. Differentiable.
#pragma once

#include "core/methods/stab-ddg/features.h"
#include "core/methods/stab-ddg/parameters.h"

#include <map>
#include <string>

namespace orrery::methods::stab_ddg {

// Activations by the names of the reference cases ("mid.enc0.h_V"), with a leading dimension of 1.
using Activations = std::map<std::string, torch::Tensor>;

struct EncodedTensors {
    torch::Tensor nodes;  // [L,H]
    torch::Tensor edges;  // [L,K,H]
    Neighbours neighbours;
};

// `noise` [L,4,3] in Å or undefined.
EncodedTensors encode_reference(Parameters const& parameters, StructureTensors const& structure,
                                torch::Tensor const& noise, Activations* activations = nullptr);

// `order` [L] int64: order[t] is the position decoded at step t. `sequences` [B,L] int64. Log-probabilities [B,L,21].
torch::Tensor decode_reference(Parameters const& parameters, StructureTensors const& structure,
                               EncodedTensors const& encoded, torch::Tensor const& order,
                               torch::Tensor const& sequences, Activations* activations = nullptr);

// [B]: sum over all positions of the log-probability of the sequence's letter.
torch::Tensor sequence_energy(torch::Tensor const& log_probabilities, torch::Tensor const& sequences);

// rank[order[t]] = t
torch::Tensor rank_of(torch::Tensor const& order);

// Building blocks, shared with training.
torch::Tensor linear_layer(Parameters const& parameters, std::string const& name, torch::Tensor const& x);
torch::Tensor layer_norm(Parameters const& parameters, std::string const& name, torch::Tensor const& x);

}  // namespace orrery::methods::stab_ddg
