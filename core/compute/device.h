// What the machine offers for computing: cores, memory, GPUs. Asking never fails and needs no GPU. No LibTorch here.
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace orrery {

struct GpuDescription {
    int index = 0;
    std::string name;                // "NVIDIA H200"
    std::uint64_t memory_total = 0;  // bytes
    std::uint64_t memory_free = 0;   // bytes; 0 when the driver's management library does not tell
    int compute_major = 0, compute_minor = 0;
};

struct DeviceReport {
    std::string cpu_name;
    int cpu_cores = 1;                   // that this process may use
    std::uint64_t memory_total = 0;      // bytes
    std::uint64_t memory_available = 0;  // bytes, without swapping
    std::vector<GpuDescription> gpus;
    std::string
        gpu_note;  // why there is none, or why LibTorch can't use it: "no NVIDIA driver (libcuda.so.1 not found)"
    bool torch_cuda = false;  // LibTorch's CUDA libraries lie beside its CPU ones
    [[nodiscard]] Json to_json() const;
};

[[nodiscard]] DeviceReport probe_devices();

// Memory a job needs, compared with what is free before it starts.
struct MemoryEstimate {
    std::uint64_t bytes = 0;
    std::string what;  // "attention maps of 20 sequences"
};
// Error of kind unavailable when the estimate passes what is available: says both, and what to make smaller.
Result<void> check_memory(MemoryEstimate const& estimate, std::uint64_t available, std::string const& remedy);
// "1.2 GB", "340 MB", "12 kB".
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);
// Peak resident memory of this process so far, bytes.
[[nodiscard]] std::uint64_t peak_memory();

}  // namespace orrery
