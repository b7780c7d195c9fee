// The worker of orrery-cli: LibTorch is loaded and has computed once before a job comes.
#include "app/cli/worker.h"
#include "core/compute/runtime.h"

namespace orrery {

namespace {

// The first operation of each kind costs far more than the later ones (thread pool, kernel tables, oneDNN).
WorkerHooks::Warm warm_up(bool gpu) {
    WorkerHooks::Warm warm;
    warm.libraries["LibTorch"] = TORCH_VERSION;
    torch::NoGradGuard const no_gradient;
    Result<torch::Device> const device = choose_device(gpu);
    // Without the GPU asked for the worker still comes up: the job then fails with the reason, not the worker.
    torch::Device const used = device.ok() ? *device : torch::Device(torch::kCPU);
    torch::Tensor const ones = torch::ones({64, 64}, used);
    torch::Tensor const sum = torch::softmax(torch::linear(ones, ones), -1).sum();
    if (sum.item<float>() > 0 && used.is_cuda()) warm.device = "cuda";
    return warm;
}

}  // namespace

int run_worker(int argc, char** argv) {
    return run_worker_with(argc, argv,
                           {warm_up, [](JobContext const& context) { configure_torch(context.threads()); }});
}

}  // namespace orrery
