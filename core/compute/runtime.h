// How LibTorch is set up for a job: threads, determinism, seeded generators, the device.
#pragma once

#include "core/base/job.h"
#include "core/base/result.h"
#include "core/compute/torch.h"

#include <cstdint>

namespace orrery {

// Sets LibTorch's intra-op threads and deterministic algorithms. Same seed, same machine, same number of threads: same
// bits. Call once at the start of each run; a warm worker may change the number from job to job.
void configure_torch(int threads);

// A generator of its own, on the CPU, seeded. Streams do not depend on each other or on the global generator.
[[nodiscard]] at::Generator seeded_generator(std::uint64_t seed);

// Seeds LibTorch's global generators, as torch.manual_seed: the draws equal those of official CPU code that calls
// torch.randn and friends in the same order.
void seed_global_generators(std::uint64_t seed);

// The CPU, or the first GPU when the job wants one. Loads LibTorch's CUDA libraries at first use. Error of kind
// unavailable saying what is missing (driver, GPU, LibTorch's CUDA libraries).
Result<torch::Device> choose_device(bool wants_gpu);

// configure_torch for the job's threads, then choose_device for its lane.
Result<torch::Device> prepare(JobContext const& context);

}  // namespace orrery
