// The arithmetic of the fast path in float32: a linear layer over packed weights, exact (erf) GELU, layer norm, radial
// basis. Two sets with the same functions: AVX2 + FMA, and plain C++ for machines without. No LibTorch.
// All rows are padded to a multiple of 16 floats (`padded`), the padding being zero on entry and on return.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace orrery::methods::stab_ddg {

inline constexpr std::size_t panel_width = 16;  // columns of a weight panel; every row stride is a multiple of it
[[nodiscard]] constexpr std::size_t padded(std::size_t width) {
    return (width + panel_width - 1) / panel_width * panel_width;
}

// Floats at a 64-byte boundary. resize() does not keep old values; new ones are zero.
class FloatBuffer {
public:
    FloatBuffer() = default;
    explicit FloatBuffer(std::size_t count) { resize(count); }
    void resize(std::size_t count);
    void ensure(std::size_t count) {
        if (count > m_size) resize(count);
    }  // keeps values where it need not grow
    void clear_storage() {
        m_data.reset();
        m_size = 0;
        m_capacity = 0;
    }
    [[nodiscard]] std::size_t size() const { return m_size; }
    float* data() { return m_data.get(); }
    float const* data() const { return m_data.get(); }
    float& operator[](std::size_t i) { return m_data.get()[i]; }
    float const& operator[](std::size_t i) const { return m_data.get()[i]; }

private:
    struct Free {
        void operator()(float* p) const;
    };
    std::unique_ptr<float[], Free> m_data;
    std::size_t m_size = 0, m_capacity = 0;
};

// y = W x + b, W packed in panels of 16 outputs: panel p holds, for each input k, the weights of outputs 16p..16p+15.
struct PackedLinear {
    std::size_t inputs = 0, outputs = 0;  // as given; outputs are padded with zero rows
    FloatBuffer panels;                   // padded(outputs) / 16 panels of inputs x 16
    FloatBuffer bias;                     // padded(outputs), zero where there is none
    [[nodiscard]] std::size_t stride() const { return padded(outputs); }
};
// `weight` is row-major outputs x row_length, of which the columns from `first_input` on are taken; `bias` may be null.
PackedLinear pack_linear(float const* weight, std::size_t outputs, std::size_t row_length, std::size_t first_input,
                         std::size_t inputs, float const* bias);

struct Kernels {
    char const* name;  // "avx2", "plain"
    // y[r] = W x[r] + b for `rows` rows; with `add`, y[r] += W x[r] + b. y has stride >= layer.stride(). x and y apart.
    void (*linear)(PackedLinear const& layer, float const* x, std::size_t x_stride, std::size_t rows, float* y,
                   std::size_t y_stride, bool add);
    // x = x (1 + erf(x / sqrt 2)) / 2, in place; `count` a multiple of 16.
    void (*gelu)(float* x, std::size_t count);
    // out = gelu(a + b + c), c may be null; `count` a multiple of 16.
    void (*add_gelu)(float const* a, float const* b, float const* c, float* out, std::size_t count);
    // sum[c] += sum over rows of weight[r] gelu(x[r][c]); x becomes gelu(x). `weight` null: ones. Row stride = width.
    void (*gelu_sum)(float* x, std::size_t rows, std::size_t width, float const* weight, float* sum);
    // The same without writing x.
    void (*gelu_sum_only)(float const* x, std::size_t rows, std::size_t width, float const* weight, float* sum);
    // sum += gelu(x) - before, one row.
    void (*gelu_difference)(float const* x, float const* before, std::size_t width, float* sum);
    // x = LayerNorm(x + y) over the first `width` of each row (eps 1e-5); y null: LayerNorm(x). Stride padded(width).
    void (*add_layer_norm)(float* x, float const* y, std::size_t rows, std::size_t width, float const* weight,
                           float const* bias);
    // out[16 d + c] = exp(-((distance[d] - centre[c]) / 1.25)^2), centres linspace(2, 22, 16); distances in Å.
    void (*radial_basis)(float const* distances, std::size_t count, float* out);
};

[[nodiscard]] Kernels const& plain_kernels();
[[nodiscard]] Kernels const* avx2_kernels();  // null where the processor has no AVX2 and FMA
// The best set of this machine.
[[nodiscard]] Kernels const& best_kernels();

}  // namespace orrery::methods::stab_ddg
