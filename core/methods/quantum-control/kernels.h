// The integrator: fixed-step RK4 of a Program, eight pulses at once (eight doubles side by side), and its exact
// discrete adjoint. Two builds of one source: AVX2 + FMA, and plain C++. No LibTorch.
#pragma once

#include "core/methods/quantum-control/program.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace orrery::methods::quantum_control {

inline constexpr std::size_t lanes = 8;

// Doubles at a 64-byte boundary.
class LaneBuffer {
public:
    // Of `count` groups of eight, zero.
    void resize(std::size_t count);
    [[nodiscard]] double* data() { return m_data.get(); }
    [[nodiscard]] double const* data() const { return m_data.get(); }
    [[nodiscard]] double* at(std::size_t group) { return m_data.get() + group * lanes; }
    [[nodiscard]] double const* at(std::size_t group) const { return m_data.get() + group * lanes; }
    [[nodiscard]] std::size_t size() const { return m_size; }

private:
    struct Free {
        void operator()(double* p) const;
    };
    std::unique_ptr<double[], Free> m_data;
    std::size_t m_size = 0;
};

// A Program in the form of the loops: slots that depend on a channel first, with their terms.
// A channel is a power of a control, interpolated from its values at the knots.
struct Packed {
    explicit Packed(Program const& program);
    std::size_t components = 0, slots = 0, changing = 0, channels = 0;
    std::vector<std::uint32_t> row_begin;
    std::vector<LinearOp> linear;
    std::vector<QuadraticOp> quadratic;
    std::vector<double> base, rate;            // by slot: constant, and weight of the scale of rates
    std::vector<std::uint32_t> channel_begin;  // by changing slot, + 1
    std::vector<SlotTerm> channel_terms;       // feature counted from first_control_feature
};

// Everything of one run of eight lanes. Channels are cubic in u, the time since the start of the segment:
// c0 + c1 u + c2 u^2 + c3 u^3.
struct KernelRun {
    Packed const* packed = nullptr;
    std::size_t segments = 0;
    double const* coefficients = nullptr;  // [segment][channel][4][lane]
    double const* lengths = nullptr;       // [segment], us, for a time scale of 1
    int const* steps = nullptr;            // [segment]
    double const* time_scale = nullptr;    // [lane]
    double const* rate_scale = nullptr;    // [lane]
    double* state = nullptr;               // [component][lane], start in, end out
    double* at_segments = nullptr;         // [segment + 1][component][lane], or null
    double* scratch = nullptr;             // scratch_groups(packed) groups
    // Asked before each segment with `asked`; where it says false the run ends there, its results of no use. Or null.
    bool (*go_on)(void* asked) = nullptr;
    void* asked = nullptr;
    // Adjoint alone: room for the states before each step of the longest segment, [step][component][lane]; dJ/d state
    // at the end in, at the start out; dJ/d coefficients out; dJ/d (state at segment s) that is added on the way back,
    // [segment + 1][component][lane], or null.
    double* path = nullptr;
    double* adjoint = nullptr;
    double* gradient = nullptr;
    double const* injected = nullptr;
};
[[nodiscard]] std::size_t scratch_groups(Packed const& packed);

struct Kernels {
    char const* name;  // "avx2", "plain"
    void (*forward)(KernelRun const& run);
    void (*backward)(KernelRun const& run);  // needs run.at_segments of forward; integrates each segment again
};
[[nodiscard]] Kernels const& plain_kernels();
[[nodiscard]] Kernels const* avx2_kernels();  // null where the processor has no AVX2 and FMA
[[nodiscard]] Kernels const& best_kernels();

}  // namespace orrery::methods::quantum_control
