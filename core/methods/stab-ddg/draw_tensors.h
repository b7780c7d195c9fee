// Draws as tensors, for training, reference cases and tests.
#pragma once

#include "core/compute/torch.h"
#include "core/methods/stab-ddg/draws.h"

namespace orrery::methods::stab_ddg {

StructureDraw draw_from(torch::Tensor const& order, torch::Tensor const& noise);
torch::Tensor order_of(StructureDraw const& draw);  // [L] int64
torch::Tensor noise_of(StructureDraw const& draw);  // [L,4,3]

}  // namespace orrery::methods::stab_ddg
