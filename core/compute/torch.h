// The one LibTorch header of the tree, precompiled in orrery_compute and reused by every method. Include it in sources
// and in headers of core/compute and core/methods alone.
#pragma once

#include <torch/torch.h>
