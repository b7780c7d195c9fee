// bench_stab_ddg STRUCTURE.pdb SIDES [threads [repeats]]: the official way of computing binding ddG, our list path and
// our scan path, in turn, in one process. CPU seconds of the process, as other programs may share the machine.
#include "core/compute/device.h"
#include "core/compute/runtime.h"
#include "core/methods/stab-ddg/energies.h"
#include "core/methods/stab-ddg/parameters.h"
#include "core/methods/stab-ddg/positions.h"
#include "tests/bench/stab-ddg/official_way.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>

using namespace orrery;
using namespace orrery::methods::stab_ddg;

namespace {

double cpu_seconds() {
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    std::size_t n = values.size();
    return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

struct Timed {
    std::vector<double> cpu, wall;
    template <class Work>
    void run(Work const& work) {
        auto began = std::chrono::steady_clock::now();
        double before = cpu_seconds();
        work();
        cpu.push_back(cpu_seconds() - before);
        wall.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    }
};

template <class T>
T need(Result<T> result) {
    if (result.ok()) return std::move(result).value();
    std::fprintf(stderr, "%s\n", result.error().message().c_str());
    std::exit(2);
}

}  // namespace

int main(int argc, char* argv[]) {
    if (argc < 3) {
        std::fprintf(stderr, "usage: bench_stab_ddg STRUCTURE SIDES [threads [repeats]]\n");
        return 2;
    }
    int threads = argc > 3 ? std::atoi(argv[3]) : 1;
    int repeats = argc > 4 ? std::atoi(argv[4]) : 3;
    configure_torch(threads);
    torch::NoGradGuard no_grad;
    Parameters parameters = need(load_parameters_or_default(""));
    Backbone backbone = need(read_backbone(argv[1]));
    Sides sides = need(parse_sides(backbone, argv[2]));
    ComplexInput complex = make_complex(backbone, sides, false);
    auto positions = need(scan_positions(backbone, sides, "interface", 5.0));
    std::vector<MutantChanges> scan_mutants;
    for (auto const& [chain, position] : positions) {
        char wild_type = backbone.chains[static_cast<std::size_t>(chain)].letters[static_cast<std::size_t>(position)];
        for (char letter : alphabet.substr(0, 20)) {
            if (letter == wild_type) continue;
            Mutant mutant;
            mutant.mutations.push_back({chain, position, wild_type, letter});
            scan_mutants.push_back(need(mutant_changes(backbone, sides, complex, mutant)));
        }
    }
    // A list of 16 mutants spread over the interface; the official way is run on some of them, as its cost does not
    // depend on which.
    std::vector<MutantChanges> list_mutants;
    for (std::size_t m = 0; m < 16; ++m) list_mutants.push_back(scan_mutants[m * scan_mutants.size() / 16]);
    constexpr std::size_t official_mutants = 2;
    FastNetwork network = FastNetwork::pack(parameters);
    DdgEngine list(network, complex, list_mutants, 48, threads), scan(network, complex, scan_mutants, 48, threads);

    Timed official, fast_list, fast_scan;
    double worst = 0;
    DrawGenerator generator(0);
    for (int r = 0; r < repeats; ++r) {
        ComplexDraw draw = generator.next(complex, 0.1);
        std::vector<double> wanted, values(scan_mutants.size());
        official.run([&] {
            std::vector<double> energies;
            for (std::size_t m = 0; m <= official_mutants; ++m) {
                double binding = 0;
                for (std::size_t which = 0; which < structure_count; ++which) {
                    std::vector<LetterChange> none;
                    double e = bench::official_energy(parameters, complex.structures[which], draw[which],
                                                      m == 0 ? none : list_mutants[m - 1].structures[which]);
                    binding += which == 0 ? e : -e;
                }
                energies.push_back(binding);
            }
            for (std::size_t m = 1; m < energies.size(); ++m) wanted.push_back(energies[m] - energies[0]);
        });
        auto all = [&](DdgEngine& engine) {
            engine.prepare(draw, {});
            parallel_for(engine.mutants(), threads,
                         [&](std::size_t m, int worker) { values[m] = engine.evaluate(m, worker).binding(); }, {});
        };
        fast_list.run([&] { all(list); });
        for (std::size_t m = 0; m < wanted.size(); ++m) worst = std::max(worst, std::abs(wanted[m] - values[m]));
        fast_scan.run([&] { all(scan); });
        for (std::size_t m = 0; m < wanted.size(); ++m) {
            worst = std::max(worst, std::abs(wanted[m] - values[m * scan_mutants.size() / 16]));
        }
    }
    double one = median(official.cpu) / (official_mutants + 1);  // complex and both sides of one sequence
    double list_official = one * static_cast<double>(list_mutants.size() + 1);
    double scan_official = one * static_cast<double>(scan_mutants.size() + 1);
    std::printf(
        "%s %s: %zu residues, %zu interface positions, %zu mutants; %d thread(s), %d repeats, medians of CPU seconds\n",
        backbone.name.c_str(), sides.text.c_str(), complex.structures[0].length(), positions.size(),
        scan_mutants.size(), threads, repeats);
    std::printf("kernels: %s\n", best_kernels().name);
    std::printf("official way, one sequence (complex + sides)   %8.3f s\n", one);
    std::printf(
        "list of %zu mutants, 1 draw: official %8.2f s (from %zu measured sequences), ours %7.3f s, ratio %6.1f "
        "(target >= 15)\n",
        list_mutants.size(), list_official, official_mutants + 1, median(fast_list.cpu),
        list_official / median(fast_list.cpu));
    std::printf(
        "scan of %zu mutants, 1 draw: official %8.2f s (from the same), ours %7.3f s (wall %.3f s), ratio %6.1f "
        "(target >= 60)\n",
        scan_mutants.size(), scan_official, median(fast_scan.cpu), median(fast_scan.wall),
        scan_official / median(fast_scan.cpu));
    std::printf("edges evaluated a mutant and draw: %zu of %zu\n",
                scan.edges_evaluated() / (scan_mutants.size() * static_cast<std::size_t>(repeats)),
                complex.structures[0].length() * 48 * 3);
    std::printf("largest difference %.2e (limit 1e-3); peak memory %s\n", worst, bytes_text(peak_memory()).c_str());
    bool good =
        worst < 1e-3 && list_official / median(fast_list.cpu) >= 15 && scan_official / median(fast_scan.cpu) >= 60;
    std::printf("%s\n", good ? "all targets met" : "a target is missed");
    return good ? 0 : 1;
}
