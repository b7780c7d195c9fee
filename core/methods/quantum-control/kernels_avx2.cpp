// Called only after kernels.cpp has asked the processor. The instruction set is switched on behind the includes, so
// that no inline function of a header is compiled with it (the linker might keep that copy for everybody).
#include "core/methods/quantum-control/kernels.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define ORRERY_QC_AVX2 1
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#else
#define ORRERY_QC_AVX2 0
#endif

namespace orrery::methods::quantum_control {
#if ORRERY_QC_AVX2
namespace {
#include "core/methods/quantum-control/kernels_body.h"
}  // namespace

Kernels const* avx2_kernel_set() {
    static Kernels const kernels = {"avx2", forward, backward};
    return &kernels;
}
#else
Kernels const* avx2_kernel_set() { return nullptr; }
#endif
}  // namespace orrery::methods::quantum_control

#if ORRERY_QC_AVX2
#pragma GCC pop_options
#endif
