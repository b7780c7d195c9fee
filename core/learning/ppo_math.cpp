#include "core/learning/ppo_math.h"

#include <cmath>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define ORRERY_CLONES __attribute__((target_clones("arch=haswell", "default")))
#else
#define ORRERY_CLONES
#endif

namespace orrery::learning {
namespace {

using Four = double __attribute__((vector_size(32), aligned(8), may_alias));
constexpr std::size_t width = 4;

}  // namespace

ORRERY_CLONES void add_scaled(double* sum, double const* x, double factor, std::size_t count) {
    std::size_t i = 0;
    for (; i + width <= count; i += width) {
        *reinterpret_cast<Four*>(sum + i) += factor * *reinterpret_cast<Four const*>(x + i);
    }
    for (; i < count; ++i) sum[i] += factor * x[i];
}

ORRERY_CLONES double dot(double const* a, double const* b, std::size_t count) {
    Four first = {}, second = {};
    std::size_t i = 0;
    for (; i + 2 * width <= count; i += 2 * width) {
        first += *reinterpret_cast<Four const*>(a + i) * *reinterpret_cast<Four const*>(b + i);
        second += *reinterpret_cast<Four const*>(a + i + width) * *reinterpret_cast<Four const*>(b + i + width);
    }
    first += second;
    double sum = (first[0] + first[1]) + (first[2] + first[3]);
    for (; i < count; ++i) sum += a[i] * b[i];
    return sum;
}

ORRERY_CLONES void adam_row(double* values, double const* gradient, double* first, double* second, std::size_t count,
                            double scale, double rate, double first_correction, double second_correction) {
    double const step = rate / first_correction, root = 1 / second_correction;
    for (std::size_t i = 0; i < count; ++i) {
        double const g = scale * gradient[i];
        first[i] = 0.9 * first[i] + 0.1 * g;
        second[i] = 0.999 * second[i] + 0.001 * g * g;
        values[i] -= step * first[i] / (std::sqrt(second[i] * root) + 1e-5);
    }
}

}  // namespace orrery::learning
