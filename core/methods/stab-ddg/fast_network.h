// ProteinMPNN with its weights packed for the kernels: the shared encoder and the decoder with W1 split into its parts
// (section "Performance", points 1-5). Everything here is exact; no LibTorch in this header.
#pragma once

#include "core/methods/stab-ddg/kernels.h"
#include "core/methods/stab-ddg/parallel.h"
#include "core/methods/stab-ddg/structure_input.h"

#include <cstdint>
#include <vector>

namespace orrery::methods::stab_ddg {

struct Parameters;  // parameters.h

struct Norm {
    FloatBuffer weight, bias;
};

// What follows the sum of messages in every layer: W3, norm1, feed-forward, norm2. W3 and its bias carry the 1/30.
struct NodeUpdate {
    PackedLinear w3;      // without bias
    FloatBuffer w3_bias;  // added once for every summed message
    Norm norm1, norm2;
    PackedLinear widen, narrow;
};

struct EncoderWeights {
    PackedLinear self1, edge1, neighbour1, w2;  // W1 by columns; its bias is in self1
    NodeUpdate node;
    PackedLinear self11, edge11, neighbour11, w12, w13;
    Norm norm3;
};

struct DecoderWeights {
    PackedLinear self1, edge1, neighbour1, w2;  // W1 by columns; its bias is in edge1
    FloatBuffer letter1;                        // 21 x stride: W1's letter columns times W_s
    NodeUpdate node;
};

struct FastNetwork {
    std::size_t hidden = 0, stride = 0;  // stride = padded(hidden)
    FloatBuffer position;                // 66 x stride: the positional part of the edge embedding
    PackedLinear radial;                 // 400 -> hidden
    Norm norm_edges;
    PackedLinear edge_in;  // W_e
    std::vector<EncoderWeights> encoder;
    std::vector<DecoderWeights> decoder;
    PackedLinear out;  // W_out
    Kernels const* kernels = nullptr;

    static FastNetwork pack(Parameters const& parameters, Kernels const& kernels = best_kernels());
};

// Neighbour lists of one noised structure: K nearest by CA for each position, and their adjusted distance in Å.
struct NeighbourLists {
    std::size_t per_position = 0;     // K
    std::vector<std::int32_t> index;  // L x K
    std::vector<float> distance;      // L x K
};

// From L x 4 x 3 noised coordinates, K = min(k, L); per_position is 0 when `tick` asked to stop. (features.cpp, with
// LibTorch's topk, so that ties are settled as in the official code.)
NeighbourLists neighbour_lists(StructureInput const& structure, std::vector<float> const& coordinates, std::size_t k,
                               Tick const& tick = {});

// What the encoder gives for one structure and draw. Rows of invalid positions are 0 and never used.
struct Encoded {
    std::size_t length = 0, per_position = 0, stride = 0;
    std::vector<std::uint8_t> valid;
    std::vector<std::int32_t> neighbour;  // L x K
    FloatBuffer nodes;                    // L x stride
    FloatBuffer edges;                    // L x K x stride
};

// Scratch of the encoder, kept between draws.
struct EncoderScratch {
    FloatBuffer sum, self1, neighbour1, self11, neighbour11;
};

// `coordinates`: L x 4 x 3 with the noise already added. Returns false when `tick` asked to stop.
bool encode(FastNetwork const& network, StructureInput const& structure, std::vector<float> const& coordinates,
            NeighbourLists const& neighbours, int threads, Tick const& tick, EncoderScratch& scratch, Encoded& out);

// nodes = norm2(x + FF(x)), x = norm1(nodes + W3 sum + count b3), for `rows` rows, in place; rows where `valid` is 0
// become 0. `count` is the number of messages summed in each row, `valid` may be null (all valid).
void update_nodes(FastNetwork const& network, NodeUpdate const& layer, float const* sum, float const* count,
                  std::uint8_t const* valid, std::size_t rows, float* nodes);

}  // namespace orrery::methods::stab_ddg
