// Called only after kernels.cpp has asked the processor. The instruction set is switched on behind the includes, so
// that no inline function of a header is compiled with it (the linker might keep that copy for everybody).
#include "core/methods/stab-ddg/gelu_coefficients.h"
#include "core/methods/stab-ddg/kernels.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define ORRERY_DDG_AVX2 1
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#else
#define ORRERY_DDG_AVX2 0
#endif

namespace orrery::methods::stab_ddg {

#if ORRERY_DDG_AVX2
namespace {

inline __m256 gelu_of(__m256 x) {
    using namespace erf_fit;
    __m256 y = _mm256_min_ps(_mm256_max_ps(x, _mm256_set1_ps(-limit)), _mm256_set1_ps(limit));
    __m256 t = _mm256_mul_ps(y, y);
    __m256 numerator = _mm256_fmadd_ps(_mm256_set1_ps(p[6]), t, _mm256_set1_ps(p[5]));
    __m256 denominator = _mm256_fmadd_ps(_mm256_set1_ps(q[5]), t, _mm256_set1_ps(q[4]));
    numerator = _mm256_fmadd_ps(numerator, t, _mm256_set1_ps(p[4]));
    denominator = _mm256_fmadd_ps(denominator, t, _mm256_set1_ps(q[3]));
    numerator = _mm256_fmadd_ps(numerator, t, _mm256_set1_ps(p[3]));
    denominator = _mm256_fmadd_ps(denominator, t, _mm256_set1_ps(q[2]));
    numerator = _mm256_fmadd_ps(numerator, t, _mm256_set1_ps(p[2]));
    denominator = _mm256_fmadd_ps(denominator, t, _mm256_set1_ps(q[1]));
    numerator = _mm256_fmadd_ps(numerator, t, _mm256_set1_ps(p[1]));
    denominator = _mm256_fmadd_ps(denominator, t, _mm256_set1_ps(q[0]));
    numerator = _mm256_fmadd_ps(numerator, t, _mm256_set1_ps(p[0]));
    __m256 erf = _mm256_div_ps(_mm256_mul_ps(y, numerator), denominator);
    erf = _mm256_min_ps(_mm256_max_ps(erf, _mm256_set1_ps(-1.0F)), _mm256_set1_ps(1.0F));
    __m256 half = _mm256_mul_ps(_mm256_set1_ps(0.5F), x);
    return _mm256_fmadd_ps(half, erf, half);
}

// `Rows` rows times one panel of 16 outputs: 2 x Rows accumulators stay in registers over the whole inner sum.
template <int Rows>
inline void block(float const* panel, float const* bias, std::size_t inputs, float const* x, std::size_t x_stride,
                  float* y, std::size_t y_stride, bool add) {
    __m256 low[Rows];
    __m256 high[Rows];
    __m256 bias_low = _mm256_load_ps(bias);
    __m256 bias_high = _mm256_load_ps(bias + 8);
#pragma GCC unroll 6
    for (int r = 0; r < Rows; ++r) {
        low[r] = bias_low;
        high[r] = bias_high;
    }
    for (std::size_t k = 0; k < inputs; ++k) {
        __m256 w_low = _mm256_load_ps(panel + k * panel_width);
        __m256 w_high = _mm256_load_ps(panel + k * panel_width + 8);
#pragma GCC unroll 6
        for (int r = 0; r < Rows; ++r) {
            __m256 value = _mm256_broadcast_ss(x + static_cast<std::size_t>(r) * x_stride + k);
            low[r] = _mm256_fmadd_ps(value, w_low, low[r]);
            high[r] = _mm256_fmadd_ps(value, w_high, high[r]);
        }
    }
#pragma GCC unroll 6
    for (int r = 0; r < Rows; ++r) {
        float* out = y + static_cast<std::size_t>(r) * y_stride;
        if (add) {
            low[r] = _mm256_add_ps(_mm256_loadu_ps(out), low[r]);
            high[r] = _mm256_add_ps(_mm256_loadu_ps(out + 8), high[r]);
        }
        _mm256_storeu_ps(out, low[r]);
        _mm256_storeu_ps(out + 8, high[r]);
    }
}

void linear(PackedLinear const& layer, float const* x, std::size_t x_stride, std::size_t rows, float* y,
            std::size_t y_stride, bool add) {
    // Panels outside, rows inside: a panel (8 kB at 128 inputs) stays in the first cache while the rows stream past.
    for (std::size_t first = 0; first < layer.stride(); first += panel_width) {
        float const* panel = layer.panels.data() + first * layer.inputs;
        float const* bias = layer.bias.data() + first;
        std::size_t r = 0;
        for (; r + 6 <= rows; r += 6) {
            block<6>(panel, bias, layer.inputs, x + r * x_stride, x_stride, y + r * y_stride + first, y_stride, add);
        }
        float const* rest = x + r * x_stride;
        float* out = y + r * y_stride + first;
        switch (rows - r) {
            case 5:
                block<5>(panel, bias, layer.inputs, rest, x_stride, out, y_stride, add);
                break;
            case 4:
                block<4>(panel, bias, layer.inputs, rest, x_stride, out, y_stride, add);
                break;
            case 3:
                block<3>(panel, bias, layer.inputs, rest, x_stride, out, y_stride, add);
                break;
            case 2:
                block<2>(panel, bias, layer.inputs, rest, x_stride, out, y_stride, add);
                break;
            case 1:
                block<1>(panel, bias, layer.inputs, rest, x_stride, out, y_stride, add);
                break;
            default:
                break;
        }
    }
}

void gelu(float* x, std::size_t count) {
    for (std::size_t i = 0; i < count; i += 8) _mm256_storeu_ps(x + i, gelu_of(_mm256_loadu_ps(x + i)));
}

void add_gelu(float const* a, float const* b, float const* c, float* out, std::size_t count) {
    for (std::size_t i = 0; i < count; i += 8) {
        __m256 value = _mm256_add_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i));
        if (c != nullptr) value = _mm256_add_ps(value, _mm256_loadu_ps(c + i));
        _mm256_storeu_ps(out + i, gelu_of(value));
    }
}

template <bool Store>
inline void sum_rows(float* x, std::size_t rows, std::size_t width, float const* weight, float* sum) {
    for (std::size_t c = 0; c < width; c += 16) {
        __m256 low = _mm256_loadu_ps(sum + c);
        __m256 high = _mm256_loadu_ps(sum + c + 8);
        for (std::size_t r = 0; r < rows; ++r) {
            float* at = x + r * width + c;
            __m256 g_low = gelu_of(_mm256_loadu_ps(at));
            __m256 g_high = gelu_of(_mm256_loadu_ps(at + 8));
            if (Store) {
                _mm256_storeu_ps(at, g_low);
                _mm256_storeu_ps(at + 8, g_high);
            }
            if (weight != nullptr) {
                __m256 w = _mm256_broadcast_ss(weight + r);
                low = _mm256_fmadd_ps(w, g_low, low);
                high = _mm256_fmadd_ps(w, g_high, high);
            } else {
                low = _mm256_add_ps(low, g_low);
                high = _mm256_add_ps(high, g_high);
            }
        }
        _mm256_storeu_ps(sum + c, low);
        _mm256_storeu_ps(sum + c + 8, high);
    }
}

void gelu_sum(float* x, std::size_t rows, std::size_t width, float const* weight, float* sum) {
    sum_rows<true>(x, rows, width, weight, sum);
}

void gelu_sum_only(float const* x, std::size_t rows, std::size_t width, float const* weight, float* sum) {
    sum_rows<false>(const_cast<float*>(x), rows, width, weight, sum);  // NOLINT: not written without Store
}

void gelu_difference(float const* x, float const* before, std::size_t width, float* sum) {
    for (std::size_t c = 0; c < width; c += 8) {
        __m256 change = _mm256_sub_ps(gelu_of(_mm256_loadu_ps(x + c)), _mm256_loadu_ps(before + c));
        _mm256_storeu_ps(sum + c, _mm256_add_ps(_mm256_loadu_ps(sum + c), change));
    }
}

inline float horizontal_sum(__m256 v) {
    __m128 four = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    four = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(four, _mm_shuffle_ps(four, four, 1)));
}

void add_layer_norm(float* x, float const* y, std::size_t rows, std::size_t width, float const* weight,
                    float const* bias) {
    std::size_t stride = padded(width);
    std::size_t vectors = width / 8 * 8;
    for (std::size_t r = 0; r < rows; ++r) {
        float* row = x + r * stride;
        __m256 sums = _mm256_setzero_ps();
        for (std::size_t c = 0; c < vectors; c += 8) {
            __m256 value = _mm256_loadu_ps(row + c);
            if (y != nullptr) value = _mm256_add_ps(value, _mm256_loadu_ps(y + r * stride + c));
            _mm256_storeu_ps(row + c, value);
            sums = _mm256_add_ps(sums, value);
        }
        float mean = horizontal_sum(sums);
        for (std::size_t c = vectors; c < width; ++c) {
            if (y != nullptr) row[c] += y[r * stride + c];
            mean += row[c];
        }
        mean /= static_cast<float>(width);
        __m256 means = _mm256_set1_ps(mean);
        sums = _mm256_setzero_ps();
        for (std::size_t c = 0; c < vectors; c += 8) {
            __m256 d = _mm256_sub_ps(_mm256_loadu_ps(row + c), means);
            sums = _mm256_fmadd_ps(d, d, sums);
        }
        float variance = horizontal_sum(sums);
        for (std::size_t c = vectors; c < width; ++c) variance += (row[c] - mean) * (row[c] - mean);
        float scale = 1.0F / __builtin_sqrtf(variance / static_cast<float>(width) + 1e-5F);
        __m256 scales = _mm256_set1_ps(scale);
        for (std::size_t c = 0; c < vectors; c += 8) {
            __m256 z = _mm256_mul_ps(_mm256_sub_ps(_mm256_loadu_ps(row + c), means), scales);
            _mm256_storeu_ps(row + c, _mm256_fmadd_ps(z, _mm256_loadu_ps(weight + c), _mm256_loadu_ps(bias + c)));
        }
        for (std::size_t c = vectors; c < width; ++c) row[c] = (row[c] - mean) * scale * weight[c] + bias[c];
    }
}

// exp(x) for x <= 0: x = n ln 2 + f, |f| <= ln 2 / 2, Taylor sum to the seventh power, exponent put in by bits.
inline __m256 exp_of(__m256 x) {
    x = _mm256_max_ps(x, _mm256_set1_ps(-87.0F));
    __m256 n =
        _mm256_round_ps(_mm256_mul_ps(x, _mm256_set1_ps(1.44269504F)), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    __m256 f = _mm256_fnmadd_ps(n, _mm256_set1_ps(0.693359375F), x);       // ln 2 in two parts, so that n times
    f = _mm256_fnmadd_ps(n, _mm256_set1_ps(-2.12194440054690583e-4F), f);  // the first is exact
    __m256 e = _mm256_set1_ps(1.0F / 5040.0F);
    e = _mm256_fmadd_ps(e, f, _mm256_set1_ps(1.0F / 720.0F));
    e = _mm256_fmadd_ps(e, f, _mm256_set1_ps(1.0F / 120.0F));
    e = _mm256_fmadd_ps(e, f, _mm256_set1_ps(1.0F / 24.0F));
    e = _mm256_fmadd_ps(e, f, _mm256_set1_ps(1.0F / 6.0F));
    e = _mm256_fmadd_ps(e, f, _mm256_set1_ps(0.5F));
    e = _mm256_fmadd_ps(e, f, _mm256_set1_ps(1.0F));
    e = _mm256_fmadd_ps(e, f, _mm256_set1_ps(1.0F));
    __m256i bits = _mm256_slli_epi32(_mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127)), 23);
    return _mm256_mul_ps(e, _mm256_castsi256_ps(bits));
}

void radial_basis(float const* distances, std::size_t count, float* out) {
    alignas(32) float centres[16];
    for (int c = 0; c < 16; ++c) centres[c] = 2.0F + static_cast<float>(c) * (20.0F / 15.0F);
    __m256 low = _mm256_load_ps(centres);
    __m256 high = _mm256_load_ps(centres + 8);
    __m256 inverse = _mm256_set1_ps(1.0F / 1.25F);
    __m256 sign = _mm256_set1_ps(-0.0F);
    for (std::size_t d = 0; d < count; ++d) {
        __m256 distance = _mm256_broadcast_ss(distances + d);
        __m256 z_low = _mm256_mul_ps(_mm256_sub_ps(distance, low), inverse);
        __m256 z_high = _mm256_mul_ps(_mm256_sub_ps(distance, high), inverse);
        _mm256_storeu_ps(out + 16 * d, exp_of(_mm256_xor_ps(_mm256_mul_ps(z_low, z_low), sign)));
        _mm256_storeu_ps(out + 16 * d + 8, exp_of(_mm256_xor_ps(_mm256_mul_ps(z_high, z_high), sign)));
    }
}

}  // namespace

Kernels const* avx2_kernel_set() {
    static constexpr Kernels set{"avx2",        linear,          gelu,           add_gelu,    gelu_sum,
                                 gelu_sum_only, gelu_difference, add_layer_norm, radial_basis};
    return &set;
}

#pragma GCC pop_options

#else
Kernels const* avx2_kernel_set() { return nullptr; }
#endif

}  // namespace orrery::methods::stab_ddg
