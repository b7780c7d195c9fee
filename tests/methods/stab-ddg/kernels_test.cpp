#include "core/methods/stab-ddg/kernels.h"
#include "tests/catch.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace orrery::methods::stab_ddg;

namespace {

std::vector<Kernels const*> sets() {
    std::vector<Kernels const*> all = {&plain_kernels()};
    if (avx2_kernels() != nullptr) all.push_back(avx2_kernels());
    return all;
}

std::mt19937& generator() {
    static std::mt19937 g(1);
    return g;
}

float gaussian() {
    static std::normal_distribution<float> n;
    return n(generator());
}

void fill(FloatBuffer& buffer, std::size_t rows, std::size_t width) {
    buffer.resize(rows * padded(width));
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < width; ++c) buffer[r * padded(width) + c] = gaussian();
    }
}

}  // namespace

TEST_CASE("GELU is the exact one, not the tanh form") {
    for (Kernels const* kernels : sets()) {
        INFO(kernels->name);
        double worst = 0;
        for (double x = -20; x <= 20; x += 1e-3) {
            float block[16];
            std::fill(std::begin(block), std::end(block), static_cast<float>(x));
            kernels->gelu(block, 16);
            double exact = static_cast<double>(static_cast<float>(x));
            double wanted = 0.5 * exact * std::erfc(-exact / std::sqrt(2.0));
            worst = std::max(worst, std::abs(static_cast<double>(block[7]) - wanted) / std::max(1.0, std::abs(exact)));
        }
        CHECK(worst < 3e-7);  // the tanh form differs by 5e-4
    }
}

TEST_CASE("linear layers of any number of rows and any width") {
    for (std::size_t width : {8, 16, 21, 128}) {
        for (std::size_t rows : {0, 1, 2, 3, 4, 5, 6, 7, 11, 48}) {
            std::vector<float> weight(width * 40), bias(width);
            for (float& w : weight) w = gaussian();
            for (float& b : bias) b = gaussian();
            PackedLinear layer = pack_linear(weight.data(), width, 40, 4, 32, bias.data());
            FloatBuffer x;
            fill(x, std::max<std::size_t>(rows, 1), 32);
            for (Kernels const* kernels : sets()) {
                FloatBuffer y(std::max<std::size_t>(rows, 1) * layer.stride());
                kernels->linear(layer, x.data(), 32, rows, y.data(), layer.stride(), false);
                kernels->linear(layer, x.data(), 32, rows, y.data(), layer.stride(), true);
                double worst = 0;
                for (std::size_t r = 0; r < rows; ++r) {
                    for (std::size_t o = 0; o < layer.stride(); ++o) {
                        double sum = o < width ? bias[o] : 0.0;
                        for (std::size_t k = 0; k < 32 && o < width; ++k) sum += weight[o * 40 + 4 + k] * x[r * 32 + k];
                        worst = std::max(worst, std::abs(2 * sum - y[r * layer.stride() + o]));
                    }
                }
                INFO(kernels->name << " " << width << " x " << rows);
                CHECK(worst < 2e-4);
            }
        }
    }
}

TEST_CASE("sums, differences, norms and radial basis agree between the two sets") {
    Kernels const* fast = avx2_kernels();
    if (fast == nullptr) return;
    Kernels const& plain = plain_kernels();
    auto compare = [](FloatBuffer const& a, FloatBuffer const& b, double tolerance) {
        double worst = 0;
        for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(static_cast<double>(a[i] - b[i])));
        CHECK(worst < tolerance);
    };
    for (std::size_t width : {8, 24, 128}) {
        FloatBuffer x, y, before;
        fill(x, 48, width);
        fill(before, 48, width);
        std::vector<float> weight(48);
        for (float& w : weight) w = gaussian() > 0 ? 1.0F : 0.0F;
        std::size_t stride = padded(width);
        y.resize(x.size());
        std::copy(x.data(), x.data() + x.size(), y.data());
        FloatBuffer sum_x(stride), sum_y(stride);
        plain.gelu_sum(x.data(), 48, stride, weight.data(), sum_x.data());
        fast->gelu_sum(y.data(), 48, stride, weight.data(), sum_y.data());
        compare(x, y, 2e-6);
        compare(sum_x, sum_y, 2e-5);
        plain.gelu_difference(x.data(), before.data(), stride, sum_x.data());
        fast->gelu_difference(x.data(), before.data(), stride, sum_y.data());
        compare(sum_x, sum_y, 2e-5);
        FloatBuffer scale, shift;
        fill(scale, 1, width);
        fill(shift, 1, width);
        std::copy(x.data(), x.data() + x.size(), y.data());
        plain.add_layer_norm(x.data(), before.data(), 48, width, scale.data(), shift.data());
        fast->add_layer_norm(y.data(), before.data(), 48, width, scale.data(), shift.data());
        compare(x, y, 1e-5);
    }
    std::vector<float> distances(25);
    for (float& d : distances) d = 12 + 8 * gaussian();
    FloatBuffer a(400), b(400);
    plain.radial_basis(distances.data(), 25, a.data());
    fast->radial_basis(distances.data(), 25, b.data());
    compare(a, b, 1e-6);
}
