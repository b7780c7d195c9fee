// The one LibTorch header of the tree, precompiled in orrery_compute and reused by every method. Include it in sources
// and in headers of core/compute and core/methods alone. Tensors, gradients and devices; <torch/torch.h> would add the
// modules, optimisers and data loaders, which nobody here uses and which make each source three seconds slower.
#pragma once

#include <torch/autograd.h>
#include <torch/cuda.h>
#include <torch/types.h>
#include <torch/version.h>
