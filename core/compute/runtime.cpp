#include "core/compute/runtime.h"

#include "core/compute/device.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <string>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/Parallel.h>

namespace orrery {
namespace {

// libtorch_cuda.so registers its kernels and hooks while it is loaded. It must happen before anything asks LibTorch
// whether there is CUDA, because the answer is kept; so the library is loaded before the question.
Result<void> load_torch_cuda() {
    static std::once_flag once;
    static std::string failure;
    std::call_once(once, [] {
        Dl_info info{};
        void* symbol = reinterpret_cast<void*>(static_cast<void (*)(int)>(&at::set_num_threads));
        std::filesystem::path folder;
        if (dladdr(symbol, &info) != 0 && info.dli_fname != nullptr)
            folder = std::filesystem::path(info.dli_fname).parent_path();
        void* library = dlopen((folder / "libtorch_cuda.so").c_str(), RTLD_NOW | RTLD_GLOBAL);
        if (library == nullptr) failure = dlerror();
    });
    if (failure.empty()) return {};
    return unavailable("LibTorch's CUDA libraries can't be loaded", {},
                       "Run packaging/setup.sh --gpu, or compute on the CPU")
        .caused_by(failure);
}

}  // namespace

void configure_torch(int threads) {
    // cuBLAS is deterministic only with a fixed workspace; it reads this when it starts.
    setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0);
    at::set_num_threads(std::max(1, threads));
    at::globalContext().setDeterministicAlgorithms(true, false);
    // Without this every torch::empty is filled, which costs time and hides nothing: no method reads what it has not
    // written.
    at::globalContext().setDeterministicFillUninitializedMemory(false);
    at::globalContext().setDeterministicCuDNN(true);
    at::globalContext().setBenchmarkCuDNN(false);
}

at::Generator seeded_generator(std::uint64_t seed) { return at::detail::createCPUGenerator(seed); }

void seed_global_generators(std::uint64_t seed) { torch::manual_seed(seed); }

Result<torch::Device> choose_device(bool wants_gpu) {
    if (!wants_gpu) return torch::Device(torch::kCPU);
    DeviceReport const report = probe_devices();
    if (report.gpus.empty()) return unavailable("there is no GPU: " + report.gpu_note, {}, "Compute on the CPU");
    ORRERY_CHECK(load_torch_cuda());
    if (!torch::cuda::is_available())
        return unavailable("LibTorch can't use the GPU " + report.gpus.front().name, {},
                           "Its driver may be older than CUDA 13 needs; update it, or compute on the CPU");
    return torch::Device(torch::kCUDA, 0);
}

Result<torch::Device> prepare(JobContext const& context) {
    configure_torch(context.threads());
    return choose_device(context.wants_gpu());
}

}  // namespace orrery
