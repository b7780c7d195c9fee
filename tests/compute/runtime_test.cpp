// Devices are told without fail, threads are set, and seeds give the same numbers as torch.manual_seed.
#include "core/compute/runtime.h"
#include "core/compute/device.h"
#include "tests/catch.h"

#include <ATen/Parallel.h>

using namespace orrery;

TEST_CASE("the machine is described whatever it has") {
    DeviceReport const report = probe_devices();
    CHECK(report.cpu_cores >= 1);
    CHECK_FALSE(report.cpu_name.empty());
    CHECK(report.memory_total > 100'000'000);
    CHECK(report.memory_available <= report.memory_total);
    CHECK((report.gpus.empty() ? !report.gpu_note.empty() : report.gpus.front().memory_total > 0));
    Json const json = report.to_json();
    CHECK(json.at("cpu_cores") == report.cpu_cores);
    CHECK(json.at("gpus").size() == report.gpus.size());
}

TEST_CASE("a job without a GPU computes on the CPU, one that wants a missing GPU is told why") {
    auto cpu = choose_device(false);
    REQUIRE(cpu.ok());
    CHECK(cpu->is_cpu());
    auto gpu = choose_device(true);
    if (gpu.ok()) {
        CHECK(gpu->is_cuda());
        torch::Tensor const sum = torch::ones({1000}, *gpu).sum();
        CHECK(sum.item<float>() == 1000);
    } else {
        CHECK(gpu.error().kind == ErrorKind::unavailable);
        CHECK(gpu.error().remedy.find("CPU") != std::string::npos);
    }
}

TEST_CASE("threads are set for a job") {
    configure_torch(2);
    CHECK(at::get_num_threads() == 2);
    configure_torch(0);
    CHECK(at::get_num_threads() == 1);
    CHECK(at::globalContext().deterministicAlgorithms());
}

TEST_CASE("seeded numbers are those of torch.manual_seed") {
    // What Python prints for torch.manual_seed(0); torch.randn(4) on the CPU, in full digits.
    std::vector<float> const expected{1.5409960746765137f, -0.293428897857666f, -2.1787893772125244f,
                                      0.5684312582015991f};
    seed_global_generators(0);
    torch::Tensor const global = torch::randn({4});
    at::Generator generator = seeded_generator(0);
    torch::Tensor const own = torch::randn({4}, generator);
    CHECK(torch::equal(global, torch::tensor(expected)));
    CHECK(torch::equal(own, global));
    at::Generator first = seeded_generator(7), second = seeded_generator(7);
    torch::Tensor const a = torch::randn({100}, first);
    torch::randn({5});  // another stream in between changes nothing
    CHECK(torch::equal(a, torch::randn({100}, second)));
    CHECK_FALSE(torch::equal(a, torch::randn({100}, first)));
}

TEST_CASE("memory estimates are compared with what is free") {
    CHECK(check_memory({1000, "a scan"}, 2000, "").ok());
    auto refused = check_memory({3'400'000'000, "a scan of 900 positions"}, 2'000'000'000, "Scan fewer positions");
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().kind == ErrorKind::unavailable);
    CHECK(refused.error().message() ==
          "a scan of 900 positions would need about 3.4 GB of memory, but 2.0 GB are free. Scan fewer positions");
    CHECK(bytes_text(999) == "999 bytes");
    CHECK(bytes_text(12'345) == "12 kB");
    CHECK(bytes_text(12'345'678) == "12 MB");
    CHECK(peak_memory() > 1'000'000);
}
