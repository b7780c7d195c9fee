#include "core/compute/device.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>

namespace orrery {
namespace {

std::optional<std::string> field_of(char const* file, std::string const& name) {
    std::ifstream stream(file);
    std::string line;
    while (std::getline(stream, line)) {
        if (line.compare(0, name.size(), name) != 0) continue;
        std::size_t const colon = line.find(':');
        if (colon == std::string::npos) continue;
        std::size_t const start = line.find_first_not_of(" \t", colon + 1);
        return start == std::string::npos ? std::string() : line.substr(start);
    }
    return std::nullopt;
}

std::uint64_t kilobytes_of(char const* file, std::string const& name) {
    std::istringstream text(field_of(file, name).value_or("0"));
    std::uint64_t value = 0;
    text >> value;
    return value * 1024;
}

// A container may be given less than the machine has.
std::optional<std::uint64_t> number_in(char const* file) {
    std::ifstream stream(file);
    std::uint64_t value = 0;
    if (stream >> value) return value;
    return std::nullopt;
}

int usable_cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
    return std::max(1, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)));
}

struct Library {
    explicit Library(char const* name) : handle(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {}
    Library(Library const&) = delete;
    Library& operator=(Library const&) = delete;
    // The driver's libraries start threads and do not survive being unloaded: they stay.
    ~Library() = default;
    template <class F>
    F* function(char const* name) const {
        return handle == nullptr ? nullptr : reinterpret_cast<F*>(dlsym(handle, name));
    }
    void* handle;
};

// NVML tells the free memory without the 300 MB that a CUDA context would take.
void add_free_memory(std::vector<GpuDescription>& gpus) {
    struct Memory {
        unsigned long long total, free, used;
    };
    Library const nvml("libnvidia-ml.so.1");
    auto* start = nvml.function<int()>("nvmlInit_v2");
    auto* handle_of = nvml.function<int(char const*, void**)>("nvmlDeviceGetHandleByPciBusId_v2");
    auto* memory_of = nvml.function<int(void*, Memory*)>("nvmlDeviceGetMemoryInfo");
    Library const driver("libcuda.so.1");
    auto* device_get = driver.function<int(int*, int)>("cuDeviceGet");
    auto* bus_id = driver.function<int(char*, int, int)>("cuDeviceGetPCIBusId");
    if (start == nullptr || handle_of == nullptr || memory_of == nullptr || device_get == nullptr || bus_id == nullptr)
        return;
    if (start() != 0) return;
    for (GpuDescription& gpu : gpus) {
        int device = 0;
        std::array<char, 32> bus{};
        void* handle = nullptr;
        Memory memory{};
        // CUDA's order of devices is not NVML's, so they are matched by their place on the bus.
        if (device_get(&device, gpu.index) == 0 && bus_id(bus.data(), static_cast<int>(bus.size()), device) == 0 &&
            handle_of(bus.data(), &handle) == 0 && memory_of(handle, &memory) == 0)
            gpu.memory_free = memory.free;
    }
}

std::vector<GpuDescription> probe_gpus(std::string& note) {
    Library const driver("libcuda.so.1");
    if (driver.handle == nullptr) {
        note = "no NVIDIA driver (libcuda.so.1 not found)";
        return {};
    }
    auto* start = driver.function<int(unsigned)>("cuInit");
    auto* count_of = driver.function<int(int*)>("cuDeviceGetCount");
    auto* device_get = driver.function<int(int*, int)>("cuDeviceGet");
    auto* name_of = driver.function<int(char*, int, int)>("cuDeviceGetName");
    auto* memory_of = driver.function<int(std::size_t*, int)>("cuDeviceTotalMem_v2");
    auto* attribute_of = driver.function<int(int*, int, int)>("cuDeviceGetAttribute");
    if (!start || !count_of || !device_get || !name_of || !memory_of || !attribute_of) {
        note = "the NVIDIA driver (libcuda.so.1) lacks functions that are needed";
        return {};
    }
    int count = 0;
    if (int const code = start(0); code != 0 || count_of(&count) != 0) {
        note = fmt::format("the NVIDIA driver does not start (CUDA error {})", code);
        return {};
    }
    constexpr int attribute_major = 75, attribute_minor = 76;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_*
    std::vector<GpuDescription> gpus;
    for (int i = 0; i < count; ++i) {
        int device = 0;
        std::array<char, 256> name{};
        std::size_t memory = 0;
        GpuDescription gpu;
        gpu.index = i;
        if (device_get(&device, i) != 0) continue;
        if (name_of(name.data(), static_cast<int>(name.size()) - 1, device) == 0) gpu.name = name.data();
        if (memory_of(&memory, device) == 0) gpu.memory_total = memory;
        attribute_of(&gpu.compute_major, attribute_major, device);
        attribute_of(&gpu.compute_minor, attribute_minor, device);
        gpus.push_back(std::move(gpu));
    }
    if (gpus.empty()) note = "the NVIDIA driver sees no GPU";
    return gpus;
}

// Where the dynamic linker finds LibTorch. A process that has it loaded (a worker) knows; others ask without loading
// it.
bool torch_cuda_beside_torch() {
    void* torch = dlopen("libtorch_cpu.so", RTLD_NOW | RTLD_NOLOAD);
    if (torch == nullptr) return false;
    void* symbol = dlsym(torch, "_ZN2at15set_num_threadsEi");
    Dl_info info{};
    bool found = false;
    std::error_code failure;
    if (symbol != nullptr && dladdr(symbol, &info) != 0 && info.dli_fname != nullptr)
        found =
            std::filesystem::exists(std::filesystem::path(info.dli_fname).parent_path() / "libtorch_cuda.so", failure);
    dlclose(torch);
    return found;
}

}  // namespace

DeviceReport probe_devices() {
    DeviceReport report;
    report.cpu_name = field_of("/proc/cpuinfo", "model name").value_or("unknown CPU");
    report.cpu_cores = usable_cores();
    report.memory_total = kilobytes_of("/proc/meminfo", "MemTotal");
    report.memory_available = kilobytes_of("/proc/meminfo", "MemAvailable");
    auto const limit = number_in("/sys/fs/cgroup/memory.max");
    auto const used = number_in("/sys/fs/cgroup/memory.current");
    if (limit && used && *limit < report.memory_total) {
        report.memory_total = *limit;
        report.memory_available = std::min(report.memory_available, *limit - std::min(*limit, *used));
    }
    report.gpus = probe_gpus(report.gpu_note);
    add_free_memory(report.gpus);
    report.torch_cuda = torch_cuda_beside_torch();
    if (!report.gpus.empty() && !report.torch_cuda)
        report.gpu_note = "a GPU is there, but LibTorch's CUDA libraries are not: run packaging/setup.sh --gpu";
    return report;
}

Json DeviceReport::to_json() const {
    Json list = Json::array();
    for (GpuDescription const& gpu : gpus)
        list.push_back({{"index", gpu.index},
                        {"name", gpu.name},
                        {"memory_total", gpu.memory_total},
                        {"memory_free", gpu.memory_free},
                        {"compute_capability", fmt::format("{}.{}", gpu.compute_major, gpu.compute_minor)}});
    return {{"cpu_name", cpu_name},
            {"cpu_cores", cpu_cores},
            {"memory_total", memory_total},
            {"memory_available", memory_available},
            {"gpus", list},
            {"gpu_note", gpu_note},
            {"torch_cuda", torch_cuda}};
}

Result<void> check_memory(MemoryEstimate const& estimate, std::uint64_t available, std::string const& remedy) {
    if (estimate.bytes <= available) return {};
    return unavailable(fmt::format("{} would need about {} of memory, but {} are free", estimate.what,
                                   bytes_text(estimate.bytes), bytes_text(available)),
                       {}, remedy);
}

std::string bytes_text(std::uint64_t bytes) {
    double const value = static_cast<double>(bytes);
    if (value >= 1e9) return fmt::format("{:.1f} GB", value / 1e9);
    if (value >= 1e6) return fmt::format("{:.0f} MB", value / 1e6);
    if (value >= 1e3) return fmt::format("{:.0f} kB", value / 1e3);
    return fmt::format("{} bytes", bytes);
}

std::uint64_t peak_memory() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace orrery
