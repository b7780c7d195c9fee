// Random draws (section 2): decoding order and backbone noise, with the official order of generator calls, so that
// CPU results are the official ones number for number. The complex and its sides have independent draws. No LibTorch in
// this header; draw_tensors.h has the tensors.
#pragma once

#include "core/base/result.h"
#include "core/methods/stab-ddg/structure_input.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::methods::stab_ddg {

struct StructureDraw {
    std::vector<std::int32_t> rank;  // L: rank[i] = step at which i is decoded
    std::vector<float> noise;        // L x 4 x 3, Å
};
using ComplexDraw = std::array<StructureDraw, structure_count>;

// LibTorch's CPU generator, its own (not the process's default one).
class DrawGenerator {
public:
    explicit DrawGenerator(std::uint64_t seed);
    ~DrawGenerator();
    DrawGenerator(DrawGenerator const&) = delete;
    DrawGenerator& operator=(DrawGenerator const&) = delete;
    // order = argsort(|randn(1, L)|), noise = level * randn(1, L, 4, 3); both always drawn.
    StructureDraw next(std::size_t length, double noise_level);
    // Complex, side 1, side 2, in this order. A side that will not be used is drawn all the same.
    ComplexDraw next(ComplexInput const& complex, double noise_level);
    std::vector<std::size_t> permutation(std::size_t count);  // randperm
    [[nodiscard]] std::string state() const;
    Result<void> restore(std::string_view state);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

// coordinates + noise
std::vector<float> noised(StructureInput const& structure, StructureDraw const& draw);

}  // namespace orrery::methods::stab_ddg
