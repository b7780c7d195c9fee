#include "tests/catch.h"
#include "tests/methods/stab-ddg/random_network.h"

#include <ATen/CPUGeneratorImpl.h>

#include <cmath>
#include <random>

using namespace orrery;
using namespace orrery::tests;

namespace {

std::vector<MutantChanges> random_mutants(ComplexInput const& complex, std::size_t count, std::uint32_t seed) {
    std::mt19937 g(seed);
    std::vector<MutantChanges> mutants;
    std::size_t length = complex.structures[0].length();
    for (std::size_t m = 0; m < count; ++m) {
        std::vector<std::pair<std::size_t, std::uint8_t>> list;
        std::vector<bool> used(length, false);
        for (std::size_t e = 0; e < 1 + m % 6; ++e) {
            std::size_t position = g() % length;
            if (used[position]) continue;
            used[position] = true;
            list.emplace_back(position, static_cast<std::uint8_t>(g() % 21));
        }
        mutants.push_back(changes_at(complex, list));
    }
    return mutants;
}

}  // namespace

TEST_CASE("incremental results equal full decoding and the plain network, for random mutants") {
    torch::NoGradGuard no_grad;
    for (auto [length, hidden, neighbours] :
         {std::tuple<std::size_t, std::int64_t, std::int64_t>{60, 16, 12}, {60, 24, 48}, {20, 8, 48}, {90, 128, 30}}) {
        Parameters parameters = random_parameters(hidden, neighbours);
        ComplexInput complex = random_complex(length, 3);
        std::vector<MutantChanges> mutants = random_mutants(complex, 24, 5);
        FastNetwork network = FastNetwork::pack(parameters);
        DdgEngine engine(network, complex, mutants, static_cast<std::size_t>(neighbours), 2);
        DrawGenerator generator(11);
        for (int d = 0; d < 2; ++d) {
            ComplexDraw draw = generator.next(complex, 0.1);
            REQUIRE(engine.prepare(draw, {}));
            for (std::size_t m = 0; m < mutants.size(); ++m) {
                MutantParts fast = engine.evaluate(m, static_cast<int>(m % 2));
                MutantParts scratch = engine.evaluate_from_scratch(m);
                for (std::size_t which = 0; which < structure_count; ++which) {
                    INFO("length " << length << " hidden " << hidden << " mutant " << m << " structure " << which);
                    CHECK(std::abs(fast.folding[which] - scratch.folding[which]) < 1e-4);
                    if (mutants[m].structures[which].empty()) CHECK(fast.folding[which] == 0.0);
                }
                if (m % 6 != 5) continue;
                StructureTensors tensors = to_tensors(complex.structures[0]);
                EncodedTensors encoded = encode_reference(parameters, tensors, noise_of(draw[0]));
                torch::Tensor sequences = torch::stack({tensors.letters, tensors.letters});
                for (LetterChange const& change : mutants[m].structures[0])
                    sequences[1][change.position] = std::int64_t{change.letter};
                torch::Tensor energies = sequence_energy(
                    decode_reference(parameters, tensors, encoded, order_of(draw[0]), sequences), sequences);
                CHECK(std::abs((energies[1] - energies[0]).item<double>() - fast.folding[0]) < 2e-4);
            }
        }
    }
}

TEST_CASE("wild type to wild type is exactly 0, and a second evaluation gives the same bits") {
    Parameters parameters = random_parameters(16, 12);
    ComplexInput complex = random_complex(40, 4);
    std::vector<MutantChanges> mutants = random_mutants(complex, 6, 1);
    mutants.push_back(changes_at(complex, {{3, complex.structures[0].letters[3]}}));
    REQUIRE(mutants.back().empty());
    FastNetwork network = FastNetwork::pack(parameters);
    DdgEngine engine(network, complex, mutants, 12, 1);
    DrawGenerator generator(0);
    engine.prepare(generator.next(complex, 0.1), {});
    CHECK(engine.evaluate(6, 0).binding() == 0.0);
    std::vector<double> first;
    for (std::size_t m = 0; m < 6; ++m) first.push_back(engine.evaluate(m, 0).binding());
    for (std::size_t m = 6; m-- > 0;) CHECK(engine.evaluate(m, 0).binding() == first[m]);
}

TEST_CASE("results do not depend on the number of threads, nor much on the kernels") {
    Parameters parameters = random_parameters(32, 20);
    ComplexInput complex = random_complex(70, 8);
    std::vector<MutantChanges> mutants = random_mutants(complex, 12, 2);
    std::vector<std::vector<double>> results;
    FastNetwork best = FastNetwork::pack(parameters);
    FastNetwork plain = FastNetwork::pack(parameters, plain_kernels());
    for (auto [network, threads] : {std::pair<FastNetwork*, int>{&best, 1}, {&best, 2}, {&best, 3}, {&plain, 1}}) {
        DdgEngine engine(*network, complex, mutants, 20, threads);
        DrawGenerator generator(0);
        engine.prepare(generator.next(complex, 0.1), {});
        std::vector<double> values(mutants.size());
        parallel_for(mutants.size(), threads,
                     [&](std::size_t m, int worker) { values[m] = engine.evaluate(m, worker).binding(); }, {});
        results.push_back(values);
    }
    CHECK(results[1] == results[0]);
    CHECK(results[2] == results[0]);
    for (std::size_t m = 0; m < mutants.size(); ++m) CHECK(std::abs(results[3][m] - results[0][m]) < 1e-4);
}

TEST_CASE("a profile adds up to the folding ddG") {
    Parameters parameters = random_parameters(16, 12);
    ComplexInput complex = random_complex(40, 4);
    std::vector<MutantChanges> mutants = random_mutants(complex, 12, 9);
    FastNetwork network = FastNetwork::pack(parameters);
    DdgEngine engine(network, complex, mutants, 12, 1);
    DrawGenerator generator(0);
    engine.prepare(generator.next(complex, 0.1), {});
    for (std::size_t m = 0; m < mutants.size(); ++m) {
        std::array<std::vector<double>, structure_count> profile;
        profile[0].assign(complex.structures[0].length(), 0.0);
        MutantParts parts = engine.evaluate(m, 0, &profile);
        double sum = 0;
        for (double change : profile[0]) sum += change;
        CHECK(std::abs(sum - parts.folding[0]) < 1e-9);
    }
}

TEST_CASE("preparing stops when asked") {
    Parameters parameters = random_parameters(16, 12);
    ComplexInput complex = random_complex(60, 4);
    FastNetwork network = FastNetwork::pack(parameters);
    DdgEngine engine(network, complex, random_mutants(complex, 6, 9), 12, 2);
    DrawGenerator generator(0);
    ComplexDraw draw = generator.next(complex, 0.1);
    for (int calls = 0; calls < 12; ++calls) {
        int left = calls;
        CHECK_FALSE(engine.prepare(draw, [&] { return left-- > 0; }));
    }
    CHECK(engine.prepare(draw, {}));
}
