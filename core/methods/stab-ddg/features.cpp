#include "core/methods/stab-ddg/features.h"

#include <algorithm>
#include <array>

namespace orrery::methods::stab_ddg {
namespace {

constexpr double distance_epsilon = 1e-6;

enum AtomIndex { n = 0, ca = 1, c = 2, o = 3, cb = 4 };
constexpr std::array<std::pair<int, int>, 25> atom_pairs = {
    {{ca, ca}, {n, n}, {c, c},  {o, o},  {cb, cb}, {ca, n}, {ca, c}, {ca, o}, {ca, cb},
     {n, c},   {n, o}, {n, cb}, {cb, c}, {cb, o},  {o, c},  {n, ca}, {c, ca}, {o, ca},
     {cb, ca}, {c, n}, {o, n},  {cb, n}, {c, cb},  {o, cb}, {c, o}}};

template <class T>
torch::Tensor tensor_of(std::vector<T> const& values, torch::IntArrayRef shape, torch::ScalarType type) {
    return torch::from_blob(const_cast<T*>(values.data()), shape, torch::TensorOptions().dtype(type)).clone();
}

template <class T>
std::vector<T> vector_of(torch::Tensor const& tensor) {
    torch::Tensor flat = tensor.contiguous();
    return std::vector<T>(flat.data_ptr<T>(), flat.data_ptr<T>() + flat.numel());
}

}  // namespace

StructureTensors to_tensors(StructureInput const& structure) {
    auto length = static_cast<std::int64_t>(structure.length());
    StructureTensors tensors;
    tensors.coordinates = tensor_of(structure.coordinates, {length, 4, 3}, torch::kFloat32);
    tensors.mask = tensor_of(structure.valid, {length}, torch::kUInt8).to(torch::kFloat32);
    tensors.residue_index = tensor_of(structure.residue_index, {length}, torch::kInt64);
    tensors.chain_label = tensor_of(structure.chain_label, {length}, torch::kInt64);
    tensors.letters = tensor_of(structure.letters, {length}, torch::kUInt8).to(torch::kInt64);
    return tensors;
}

StructureInput from_tensors(StructureTensors const& tensors) {
    StructureInput structure;
    structure.coordinates = vector_of<float>(tensors.coordinates.to(torch::kFloat32));
    structure.valid = vector_of<std::uint8_t>((tensors.mask > 0).to(torch::kUInt8));
    structure.residue_index = vector_of<std::int64_t>(tensors.residue_index.to(torch::kInt64));
    structure.chain_label = vector_of<std::int64_t>(tensors.chain_label.to(torch::kInt64));
    structure.letters = vector_of<std::uint8_t>(tensors.letters.to(torch::kUInt8));
    return structure;
}

Neighbours find_neighbours(torch::Tensor const& alpha_carbons, torch::Tensor const& mask, std::int64_t k,
                           Tick const& tick) {
    torch::NoGradGuard no_grad;
    std::int64_t length = alpha_carbons.size(0);
    std::int64_t count = std::min(k, length);
    std::int64_t block = std::max<std::int64_t>(1, (std::int64_t{1} << 19) / std::max<std::int64_t>(length, 1));
    std::vector<torch::Tensor> indices, distances;
    for (std::int64_t first = 0; first < length; first += block) {
        std::int64_t rows = std::min(block, length - first);
        torch::Tensor difference = alpha_carbons.unsqueeze(0) - alpha_carbons.narrow(0, first, rows).unsqueeze(1);
        torch::Tensor both = mask.narrow(0, first, rows).unsqueeze(1) * mask.unsqueeze(0);
        torch::Tensor distance = both * torch::sqrt(difference.square().sum(2) + distance_epsilon);
        torch::Tensor farthest = std::get<0>(distance.max(1, true));
        torch::Tensor adjusted = distance + (1 - both) * farthest;
        auto [values, index] = torch::topk(adjusted, count, 1, false);
        indices.push_back(index);
        distances.push_back(values);
        if (tick && !tick()) return {};
    }
    return {torch::cat(indices), torch::cat(distances)};
}

NeighbourLists neighbour_lists(StructureInput const& structure, std::vector<float> const& coordinates, std::size_t k,
                               Tick const& tick) {
    auto length = static_cast<std::int64_t>(structure.length());
    torch::Tensor atoms = tensor_of(coordinates, {length, 4, 3}, torch::kFloat32);
    torch::Tensor mask = tensor_of(structure.valid, {length}, torch::kUInt8).to(torch::kFloat32);
    Neighbours found = find_neighbours(atoms.select(1, 1).contiguous(), mask, static_cast<std::int64_t>(k), tick);
    NeighbourLists lists;
    if (!found.index.defined()) return lists;
    lists.per_position = static_cast<std::size_t>(found.index.size(1));
    lists.index = vector_of<std::int32_t>(found.index.to(torch::kInt32));
    lists.distance = vector_of<float>(found.distance);
    return lists;
}

torch::Tensor virtual_cb(torch::Tensor const& coordinates) {
    torch::Tensor alpha = coordinates.select(1, ca);
    torch::Tensor b = alpha - coordinates.select(1, n);
    torch::Tensor c_vector = coordinates.select(1, c) - alpha;
    torch::Tensor a = torch::cross(b, c_vector, 1);
    return -0.58273431 * a + 0.56802827 * b - 0.54067466 * c_vector + alpha;
}

torch::Tensor radial_features(torch::Tensor const& coordinates, Neighbours const& neighbours, std::int64_t first,
                              std::int64_t rows) {
    torch::Tensor atoms = torch::cat({coordinates, virtual_cb(coordinates).unsqueeze(1)}, 1);  // [L,5,3]
    torch::Tensor index = neighbours.index.narrow(0, first, rows);
    std::int64_t count = index.size(1);
    torch::Tensor others = atoms.index_select(0, index.reshape({-1})).reshape({rows, count, 5, 3});
    torch::Tensor own = atoms.narrow(0, first, rows);
    std::vector<torch::Tensor> distances;
    for (std::size_t p = 0; p < atom_pairs.size(); ++p) {
        if (p == 0) {
            distances.push_back(neighbours.distance.narrow(0, first, rows));
            continue;
        }
        torch::Tensor difference =
            own.select(1, atom_pairs[p].first).unsqueeze(1) - others.select(2, atom_pairs[p].second);
        distances.push_back(torch::sqrt(difference.square().sum(2) + distance_epsilon));
    }
    torch::Tensor centres = torch::linspace(2.0, 22.0, 16);
    torch::Tensor z = (torch::stack(distances, 2).unsqueeze(3) - centres) / 1.25;
    return torch::exp(-z.square()).reshape({rows, count, 400});
}

torch::Tensor position_classes(StructureTensors const& structure, Neighbours const& neighbours, std::int64_t first,
                               std::int64_t rows) {
    torch::Tensor index = neighbours.index.narrow(0, first, rows);
    auto of_neighbours = [&](torch::Tensor const& values) {
        return values.index_select(0, index.reshape({-1})).reshape(index.sizes());
    };
    torch::Tensor offset =
        structure.residue_index.narrow(0, first, rows).unsqueeze(1) - of_neighbours(structure.residue_index);
    torch::Tensor same =
        structure.chain_label.narrow(0, first, rows).unsqueeze(1) == of_neighbours(structure.chain_label);
    return torch::where(same, torch::clamp(offset + 32, 0, 64), torch::full_like(offset, 65));
}

}  // namespace orrery::methods::stab_ddg
