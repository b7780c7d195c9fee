// Graph features of section 3 in LibTorch: neighbour lists and the 416 numbers of each edge. The fast encoder has its
// own code for the latter; this one serves training, reference cases and tests.
#pragma once

#include "core/compute/torch.h"
#include "core/methods/stab-ddg/fast_network.h"
#include "core/methods/stab-ddg/structure_input.h"

#include <vector>

namespace orrery::methods::stab_ddg {

struct StructureTensors {
    torch::Tensor coordinates;    // [L,4,3] float, Å
    torch::Tensor mask;           // [L] float
    torch::Tensor residue_index;  // [L] int64
    torch::Tensor chain_label;    // [L] int64
    torch::Tensor letters;        // [L] int64
    [[nodiscard]] std::int64_t length() const { return coordinates.size(0); }
};
StructureTensors to_tensors(StructureInput const& structure);
StructureInput from_tensors(StructureTensors const& tensors);

struct Neighbours {
    torch::Tensor index;     // [L,K] int64
    torch::Tensor distance;  // [L,K] float, Å: adjusted by the mask as in the neighbour search
};
// `alpha_carbons` [L,3], `mask` [L]; K = min(k, L). By blocks of rows, about half a million distances at once; when
// `tick` asks to stop between two blocks, both tensors come back undefined.
Neighbours find_neighbours(torch::Tensor const& alpha_carbons, torch::Tensor const& mask, std::int64_t k,
                           Tick const& tick = {});

// [L,3] from [L,4,3]
torch::Tensor virtual_cb(torch::Tensor const& coordinates);

// [R,K,400] radial part of the edges of rows [first, first + R); columns in the order of the official atom pairs.
torch::Tensor radial_features(torch::Tensor const& coordinates, Neighbours const& neighbours, std::int64_t first,
                              std::int64_t rows);

// [R,K] class of the relative position: clip(offset + 32, 0, 64), 65 between chains.
torch::Tensor position_classes(StructureTensors const& structure, Neighbours const& neighbours, std::int64_t first,
                               std::int64_t rows);

}  // namespace orrery::methods::stab_ddg
