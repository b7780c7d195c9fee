#include "core/methods/stab-ddg/draws.h"

#include "core/methods/stab-ddg/draw_tensors.h"

#include <ATen/CPUGeneratorImpl.h>

#include <algorithm>

namespace orrery::methods::stab_ddg {

struct DrawGenerator::State {
    at::Generator generator;
};

DrawGenerator::DrawGenerator(std::uint64_t seed)
    : m_state(std::make_unique<State>(State{at::detail::createCPUGenerator(seed)})) {}

DrawGenerator::~DrawGenerator() = default;

StructureDraw DrawGenerator::next(std::size_t length, double noise_level) {
    torch::NoGradGuard no_grad;
    auto size = static_cast<std::int64_t>(length);
    auto options = torch::TensorOptions().dtype(torch::kFloat32);
    torch::Tensor order = torch::argsort(torch::abs(at::randn({1, size}, m_state->generator, options)));
    torch::Tensor noise = noise_level * at::randn({1, size, 4, 3}, m_state->generator, options);
    return draw_from(order, noise);
}

ComplexDraw DrawGenerator::next(ComplexInput const& complex, double noise_level) {
    ComplexDraw draw;
    for (std::size_t which = 0; which < draw.size(); ++which) {
        draw[which] = next(complex.structures[which].length(), noise_level);
    }
    return draw;
}

std::vector<std::size_t> DrawGenerator::permutation(std::size_t count) {
    torch::Tensor order =
        at::randperm(static_cast<std::int64_t>(count), m_state->generator, torch::TensorOptions().dtype(torch::kInt64));
    auto const* values = order.data_ptr<std::int64_t>();
    return {values, values + count};
}

std::string DrawGenerator::state() const {
    torch::Tensor bytes = m_state->generator.get_state().contiguous();
    return {reinterpret_cast<char const*>(bytes.data_ptr<std::uint8_t>()), static_cast<std::size_t>(bytes.numel())};
}

Result<void> DrawGenerator::restore(std::string_view state) {
    if (state.size() != static_cast<std::size_t>(m_state->generator.get_state().numel())) {
        return bad_input("the checkpoint's generator state has " + std::to_string(state.size()) + " bytes", {},
                         "It was written by another version; start the job anew");
    }
    torch::Tensor bytes = torch::empty({static_cast<std::int64_t>(state.size())}, torch::kUInt8);
    std::copy(state.begin(), state.end(), reinterpret_cast<char*>(bytes.data_ptr<std::uint8_t>()));
    m_state->generator.set_state(bytes);
    return {};
}

StructureDraw draw_from(torch::Tensor const& order, torch::Tensor const& noise) {
    torch::Tensor steps = order.reshape({-1}).contiguous();
    torch::Tensor flat = noise.reshape({-1}).to(torch::kFloat32).contiguous();
    StructureDraw draw;
    draw.rank.resize(static_cast<std::size_t>(steps.numel()));
    auto const* position = steps.data_ptr<std::int64_t>();
    for (std::size_t t = 0; t < draw.rank.size(); ++t) {
        draw.rank[static_cast<std::size_t>(position[t])] = static_cast<std::int32_t>(t);
    }
    draw.noise.assign(flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel());
    return draw;
}

torch::Tensor order_of(StructureDraw const& draw) {
    torch::Tensor order = torch::empty({static_cast<std::int64_t>(draw.rank.size())}, torch::kInt64);
    auto* position = order.data_ptr<std::int64_t>();
    for (std::size_t i = 0; i < draw.rank.size(); ++i) position[draw.rank[i]] = static_cast<std::int64_t>(i);
    return order;
}

torch::Tensor noise_of(StructureDraw const& draw) {
    return torch::tensor(draw.noise).reshape({static_cast<std::int64_t>(draw.rank.size()), 4, 3});
}

std::vector<float> noised(StructureInput const& structure, StructureDraw const& draw) {
    std::vector<float> coordinates = structure.coordinates;
    for (std::size_t i = 0; i < coordinates.size(); ++i) coordinates[i] += draw.noise[i];
    return coordinates;
}

}  // namespace orrery::methods::stab_ddg
