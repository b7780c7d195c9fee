// The scalar twin of kernels_avx2.cpp: same functions, same formulas.
#include "core/methods/stab-ddg/gelu_coefficients.h"
#include "core/methods/stab-ddg/kernels.h"

#include <cmath>

namespace orrery::methods::stab_ddg {
namespace {

float gelu_of(float x) {
    using namespace erf_fit;
    float y = x < -limit ? -limit : (x > limit ? limit : x);
    float t = y * y;
    float numerator = p[6];
    for (int k = 5; k >= 0; --k) numerator = numerator * t + p[k];
    float denominator = q[5];
    for (int k = 4; k >= 0; --k) denominator = denominator * t + q[k];
    float erf = y * numerator / denominator;
    erf = erf < -1.0F ? -1.0F : (erf > 1.0F ? 1.0F : erf);
    return 0.5F * x * (1.0F + erf);
}

void linear(PackedLinear const& layer, float const* x, std::size_t x_stride, std::size_t rows, float* y,
            std::size_t y_stride, bool add) {
    for (std::size_t first = 0; first < layer.stride(); first += panel_width) {
        float const* panel = layer.panels.data() + first * layer.inputs;
        for (std::size_t r = 0; r < rows; ++r) {
            float sum[panel_width];
            for (std::size_t c = 0; c < panel_width; ++c) sum[c] = layer.bias[first + c];
            float const* row = x + r * x_stride;
            for (std::size_t k = 0; k < layer.inputs; ++k) {
                for (std::size_t c = 0; c < panel_width; ++c) sum[c] += row[k] * panel[k * panel_width + c];
            }
            float* out = y + r * y_stride + first;
            for (std::size_t c = 0; c < panel_width; ++c) out[c] = add ? out[c] + sum[c] : sum[c];
        }
    }
}

void gelu(float* x, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) x[i] = gelu_of(x[i]);
}

void add_gelu(float const* a, float const* b, float const* c, float* out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out[i] = gelu_of(a[i] + b[i] + (c != nullptr ? c[i] : 0.0F));
}

void gelu_sum(float* x, std::size_t rows, std::size_t width, float const* weight, float* sum) {
    for (std::size_t r = 0; r < rows; ++r) {
        float w = weight != nullptr ? weight[r] : 1.0F;
        for (std::size_t c = 0; c < width; ++c) {
            float g = gelu_of(x[r * width + c]);
            x[r * width + c] = g;
            sum[c] += w * g;
        }
    }
}

void gelu_sum_only(float const* x, std::size_t rows, std::size_t width, float const* weight, float* sum) {
    for (std::size_t r = 0; r < rows; ++r) {
        float w = weight != nullptr ? weight[r] : 1.0F;
        for (std::size_t c = 0; c < width; ++c) sum[c] += w * gelu_of(x[r * width + c]);
    }
}

void gelu_difference(float const* x, float const* before, std::size_t width, float* sum) {
    for (std::size_t c = 0; c < width; ++c) sum[c] += gelu_of(x[c]) - before[c];
}

void add_layer_norm(float* x, float const* y, std::size_t rows, std::size_t width, float const* weight,
                    float const* bias) {
    std::size_t stride = padded(width);
    for (std::size_t r = 0; r < rows; ++r) {
        float* row = x + r * stride;
        float mean = 0;
        for (std::size_t c = 0; c < width; ++c) {
            if (y != nullptr) row[c] += y[r * stride + c];
            mean += row[c];
        }
        mean /= static_cast<float>(width);
        float variance = 0;
        for (std::size_t c = 0; c < width; ++c) variance += (row[c] - mean) * (row[c] - mean);
        float scale = 1.0F / std::sqrt(variance / static_cast<float>(width) + 1e-5F);
        for (std::size_t c = 0; c < width; ++c) row[c] = (row[c] - mean) * scale * weight[c] + bias[c];
    }
}

void radial_basis(float const* distances, std::size_t count, float* out) {
    for (std::size_t d = 0; d < count; ++d) {
        for (std::size_t c = 0; c < 16; ++c) {
            float centre = 2.0F + static_cast<float>(c) * (20.0F / 15.0F);
            float z = (distances[d] - centre) / 1.25F;
            out[16 * d + c] = std::exp(-z * z);
        }
    }
}

}  // namespace

Kernels const& plain_kernels() {
    static Kernels const set{"plain",       linear,          gelu,           add_gelu,    gelu_sum,
                             gelu_sum_only, gelu_difference, add_layer_norm, radial_basis};
    return set;
}

}  // namespace orrery::methods::stab_ddg
