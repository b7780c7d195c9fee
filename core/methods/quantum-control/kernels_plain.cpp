#include "core/methods/quantum-control/kernels.h"

namespace orrery::methods::quantum_control {
namespace {
#include "core/methods/quantum-control/kernels_body.h"
}  // namespace

Kernels const& plain_kernels() {
    static Kernels const kernels = {"plain", forward, backward};
    return kernels;
}

}  // namespace orrery::methods::quantum_control
