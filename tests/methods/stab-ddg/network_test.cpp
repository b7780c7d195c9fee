#include "core/methods/stab-ddg/network.h"

#include "tests/catch.h"
#include "tests/methods/stab-ddg/random_network.h"

#include <ATen/CPUGeneratorImpl.h>

using namespace orrery;
using namespace orrery::tests;

TEST_CASE("neighbour lists hold the position itself first, and are the same by blocks") {
    StructureTensors structure = to_tensors(random_structure(120, 2));
    torch::Tensor alpha = structure.coordinates.select(1, 1).contiguous();
    Neighbours found = find_neighbours(alpha, structure.mask, 48);
    CHECK(found.index.size(1) == 48);
    for (std::int64_t i = 0; i < 120; ++i) {
        if (structure.mask[i].item<float>() == 0) continue;
        CHECK(found.index[i][0].item<std::int64_t>() == i);
        CHECK(found.distance[i][0].item<double>() == Approx(1e-3).epsilon(1e-3));
    }
    CHECK(find_neighbours(alpha.slice(0, 0, 20), structure.mask.slice(0, 0, 20), 48).index.size(1) == 20);
}

TEST_CASE("a letter is not seen by what is decoded before it, nor by itself") {
    torch::NoGradGuard no_grad;
    Parameters parameters = random_parameters(16, 30);
    StructureTensors structure = to_tensors(random_structure(40, 6));
    DrawGenerator generator(3);
    StructureDraw draw = generator.next(40, 0.1);
    EncodedTensors encoded = encode_reference(parameters, structure, noise_of(draw));
    torch::Tensor order = order_of(draw);
    torch::Tensor sequences = structure.letters.repeat({2, 1});
    std::int64_t changed = order[20].item<std::int64_t>();
    sequences[1][changed] = (sequences[1][changed].item<std::int64_t>() + 1) % 20;
    torch::Tensor log_probabilities = decode_reference(parameters, structure, encoded, order, sequences);
    bool later_differs = false;
    for (std::int64_t t = 0; t < 40; ++t) {
        std::int64_t i = order[t].item<std::int64_t>();
        bool same = log_probabilities[0][i].equal(log_probabilities[1][i]);
        if (t <= 20)
            CHECK(same);
        else
            later_differs = later_differs || !same;
    }
    CHECK(later_differs);
}

TEST_CASE("the generator draws as torch.manual_seed does, and its state can be kept") {
    torch::manual_seed(5);
    torch::Tensor order = torch::argsort(torch::abs(torch::randn({1, 30})));
    torch::Tensor noise = 0.1 * torch::randn({1, 30, 4, 3});
    DrawGenerator generator(5);
    StructureDraw draw = generator.next(30, 0.1);
    CHECK(order_of(draw).equal(order.squeeze(0)));
    CHECK(noise_of(draw).equal(noise.squeeze(0)));
    std::string state = generator.state();
    StructureDraw next = generator.next(30, 0.1);
    REQUIRE(generator.restore(state).ok());
    CHECK(generator.next(30, 0.1).noise == next.noise);
    CHECK_FALSE(generator.restore("short").ok());
}
