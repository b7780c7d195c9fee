#include "core/methods/quantum-control/kernels.h"

#include <cstdlib>
#include <cstring>
#include <new>

namespace orrery::methods::quantum_control {

Kernels const* avx2_kernel_set();  // kernels_avx2.cpp

void LaneBuffer::Free::operator()(double* p) const { std::free(p); }

void LaneBuffer::resize(std::size_t count) {
    if (count > m_size) {
        auto* memory = static_cast<double*>(std::aligned_alloc(64, count * lanes * sizeof(double)));
        if (memory == nullptr) throw std::bad_alloc();
        m_data.reset(memory);
        m_size = count;
    }
    if (count > 0) std::memset(m_data.get(), 0, count * lanes * sizeof(double));
}

Packed::Packed(Program const& program)
    : components(static_cast<std::size_t>(program.components)),
      slots(program.slots.size()),
      channels(program.features.size() - first_control_feature),
      row_begin(program.row_begin),
      linear(program.linear),
      quadratic(program.quadratic) {
    auto changes = [&](std::size_t s) {
        for (SlotTerm const& t : program.slots[s])
            if (t.feature >= first_control_feature) return true;
        return false;
    };
    std::vector<std::uint16_t> order, place(slots);
    for (bool wanted : {true, false}) {
        for (std::size_t s = 0; s < slots; ++s)
            if (changes(s) == wanted) order.push_back(static_cast<std::uint16_t>(s));
        if (wanted) changing = order.size();
    }
    channel_begin.push_back(0);
    for (std::size_t i = 0; i < slots; ++i) {
        place[order[i]] = static_cast<std::uint16_t>(i);
        double constant = 0, of_rate = 0;
        for (SlotTerm const& t : program.slots[order[i]]) {
            if (t.feature == 0) constant += t.weight;
            if (t.feature == rate_feature) of_rate += t.weight;
            if (t.feature >= first_control_feature) {
                channel_terms.push_back({static_cast<std::uint16_t>(t.feature - first_control_feature), t.weight});
            }
        }
        base.push_back(constant);
        rate.push_back(of_rate);
        if (i < changing) channel_begin.push_back(static_cast<std::uint32_t>(channel_terms.size()));
    }
    for (LinearOp& op : linear) op.slot = place[op.slot];
    for (QuadraticOp& op : quadratic) op.slot = place[op.slot];
}

std::size_t scratch_groups(Packed const& packed) {
    return 3 * packed.slots + 2 * packed.channels + 8 * packed.components;
}

Kernels const* avx2_kernels() {
    static bool const has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return has ? avx2_kernel_set() : nullptr;
}

Kernels const& best_kernels() {
    Kernels const* avx2 = avx2_kernels();
    return avx2 != nullptr ? *avx2 : plain_kernels();
}

}  // namespace orrery::methods::quantum_control
