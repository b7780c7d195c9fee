// Small networks and structures out of a seed, for tests that need no files.
#pragma once

#include "core/methods/stab-ddg/draw_tensors.h"
#include "core/methods/stab-ddg/energies.h"
#include "core/methods/stab-ddg/network.h"

namespace orrery::tests {

using namespace orrery::methods::stab_ddg;

inline Parameters random_parameters(std::int64_t hidden, std::int64_t neighbours, std::uint64_t seed = 1) {
    at::Generator generator = at::detail::createCPUGenerator(seed);
    std::map<std::string, torch::Tensor> tensors;
    for (auto const& [name, shape] : expected_tensors(hidden, 3, 3)) {
        bool norm = name.find("norm") != std::string::npos && name.find("weight") != std::string::npos;
        double scale = shape.size() > 1 ? 1.0 / std::sqrt(static_cast<double>(shape[1])) : 0.1;
        tensors[name] =
            scale * at::randn(shape, generator, torch::TensorOptions().dtype(torch::kFloat32)) + (norm ? 1.0 : 0.0);
    }
    auto parameters = check_parameters(std::move(tensors), "random");
    parameters->neighbours = neighbours;
    return *parameters;
}

// A random coil of two chains; every tenth position lacks its atoms, every seventh letter is unknown.
inline StructureInput random_structure(std::size_t length, std::uint64_t seed) {
    at::Generator generator = at::detail::createCPUGenerator(seed);
    torch::Tensor steps =
        at::randn({static_cast<std::int64_t>(length), 3}, generator, torch::TensorOptions().dtype(torch::kFloat32));
    torch::Tensor path = (2.5 * steps).cumsum(0);
    torch::Tensor atoms = path.unsqueeze(1) + at::randn({static_cast<std::int64_t>(length), 4, 3}, generator,
                                                        torch::TensorOptions().dtype(torch::kFloat32));
    torch::Tensor letters =
        at::randint(0, 20, {static_cast<std::int64_t>(length)}, generator, torch::TensorOptions().dtype(torch::kInt64));
    StructureInput structure;
    for (std::size_t i = 0; i < length; ++i) {
        bool valid = i % 10 != 9;
        std::int64_t label = i < length / 2 ? 1 : 2;
        for (int a = 0; a < 12; ++a) {
            structure.coordinates.push_back(valid ? atoms[static_cast<std::int64_t>(i)][a / 3][a % 3].item<float>()
                                                  : 0.0F);
        }
        structure.valid.push_back(valid ? 1 : 0);
        structure.residue_index.push_back(static_cast<std::int64_t>(i) + 100 * (label - 1));
        structure.chain_label.push_back(label);
        structure.letters.push_back(
            i % 7 == 6 ? 20 : static_cast<std::uint8_t>(letters[static_cast<std::int64_t>(i)].item<std::int64_t>()));
    }
    return structure;
}

// Complex and its two halves as sides.
inline ComplexInput random_complex(std::size_t length, std::uint64_t seed) {
    ComplexInput complex;
    complex.structures[0] = random_structure(length, seed);
    StructureInput const& whole = complex.structures[0];
    for (std::size_t side = 0; side < 2; ++side) {
        std::size_t first = side == 0 ? 0 : length / 2, end = side == 0 ? length / 2 : length;
        StructureInput& cut = complex.structures[side + 1];
        cut.coordinates.assign(whole.coordinates.begin() + static_cast<std::ptrdiff_t>(first * 12),
                               whole.coordinates.begin() + static_cast<std::ptrdiff_t>(end * 12));
        for (std::size_t i = first; i < end; ++i) {
            cut.valid.push_back(whole.valid[i]);
            cut.residue_index.push_back(static_cast<std::int64_t>(i - first));
            cut.chain_label.push_back(1);
            cut.letters.push_back(whole.letters[i]);
        }
    }
    return complex;
}

inline MutantChanges changes_at(ComplexInput const& complex,
                                std::vector<std::pair<std::size_t, std::uint8_t>> const& list) {
    std::size_t half = complex.structures[1].length();
    MutantChanges changes;
    for (auto const& [position, letter] : list) {
        if (complex.structures[0].letters[position] == letter) continue;
        changes.structures[0].push_back({static_cast<std::int32_t>(position), letter});
        bool first = position < half;
        changes.structures[first ? 1 : 2].push_back(
            {static_cast<std::int32_t>(first ? position : position - half), letter});
    }
    return changes;
}

}  // namespace orrery::tests
