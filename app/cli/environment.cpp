#include "app/cli/environment.h"

#include "core/compute/runtime.h"

namespace orrery::cli {

Result<Environment> prepare_torch(int threads, Lane lane) {
    configure_torch(threads);
    ORRERY_TRY(torch::Device const device, choose_device(lane == Lane::gpu));
    Environment environment;
    environment.libraries["LibTorch"] = TORCH_VERSION;
    environment.device = device.is_cuda() ? "cuda" : "cpu";
    return environment;
}

}  // namespace orrery::cli
