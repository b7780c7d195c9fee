#include "core/methods/stab-ddg/kernels.h"

#include <cstdlib>
#include <cstring>
#include <new>

namespace orrery::methods::stab_ddg {

Kernels const* avx2_kernel_set();  // kernels_avx2.cpp

void FloatBuffer::Free::operator()(float* p) const { std::free(p); }

void FloatBuffer::resize(std::size_t count) {
    if (count > m_capacity) {
        std::size_t bytes = (count * sizeof(float) + 63) / 64 * 64;
        auto* memory = static_cast<float*>(std::aligned_alloc(64, bytes));
        if (memory == nullptr) throw std::bad_alloc();
        m_data.reset(memory);
        m_capacity = count;
    }
    m_size = count;
    if (count > 0) std::memset(m_data.get(), 0, count * sizeof(float));
}

PackedLinear pack_linear(float const* weight, std::size_t outputs, std::size_t row_length, std::size_t first_input,
                         std::size_t inputs, float const* bias) {
    PackedLinear layer;
    layer.inputs = inputs;
    layer.outputs = outputs;
    layer.panels.resize(padded(outputs) * inputs);
    layer.bias.resize(padded(outputs));
    for (std::size_t o = 0; o < outputs; ++o) {
        float* panel = layer.panels.data() + o / panel_width * panel_width * inputs + o % panel_width;
        for (std::size_t k = 0; k < inputs; ++k) panel[k * panel_width] = weight[o * row_length + first_input + k];
        if (bias != nullptr) layer.bias[o] = bias[o];
    }
    return layer;
}

Kernels const* avx2_kernels() {
    static bool const has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return has ? avx2_kernel_set() : nullptr;
}

Kernels const& best_kernels() {
    Kernels const* avx2 = avx2_kernels();
    return avx2 != nullptr ? *avx2 : plain_kernels();
}

}  // namespace orrery::methods::stab_ddg
