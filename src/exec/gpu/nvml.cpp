#include "exec/gpu/nvml.h"

#include <dlfcn.h>

#include <optional>

namespace grappe::exec {

// The binary interface of nvml.h, which NVIDIA keeps stable: results are 0 when all is well.
struct Nvml::Functions {
  using Device = void*;
  struct Utilization {
    unsigned gpu, memory;
  };
  struct Memory {
    unsigned long long total, free, used;
  };

  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*count)(unsigned*) = nullptr;
  int (*device)(unsigned, Device*) = nullptr;
  int (*number)(Device, unsigned*) = nullptr;
  int (*utilization)(Device, Utilization*) = nullptr;
  int (*memory)(Device, Memory*) = nullptr;

  // One device; none if it does not tell its number or neither of the two figures.
  std::optional<GpuUse> measure(unsigned index) const {
    Device handle = nullptr;
    GpuUse use;
    Utilization busy{};
    Memory taken{};
    if (device(index, &handle) != 0 || number(handle, &use.minor) != 0) return std::nullopt;
    const bool told_busy = utilization(handle, &busy) == 0;
    const bool told_memory = memory(handle, &taken) == 0;
    if (!told_busy && !told_memory) return std::nullopt;
    use.percent = busy.gpu;
    use.memory_bytes = taken.used;
    return use;
  }
};

Nvml::Nvml() : functions_(std::make_unique<Functions>()) {}

Nvml::~Nvml() {
  if (begun_) functions_->shutdown();
  if (library_) dlclose(library_);
}

Result<std::unique_ptr<Nvml>> Nvml::open(const std::string& library) {
  std::unique_ptr<Nvml> nvml(new Nvml);
  if (Status loaded = nvml->load(library); !loaded) return tl::unexpected(loaded.error());
  return nvml;
}

Status Nvml::load(const std::string& library) {
  library_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library_) return fail(dlerror());
  const char* missing = nullptr;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library_, name));
    if (!function) missing = name;
  };
  find(functions_->init, "nvmlInit_v2");
  find(functions_->shutdown, "nvmlShutdown");
  find(functions_->count, "nvmlDeviceGetCount_v2");
  find(functions_->device, "nvmlDeviceGetHandleByIndex_v2");
  find(functions_->number, "nvmlDeviceGetMinorNumber");
  find(functions_->utilization, "nvmlDeviceGetUtilizationRates");
  find(functions_->memory, "nvmlDeviceGetMemoryInfo");
  if (missing) return fail(library + " has no " + missing);
  if (const int code = functions_->init(); code != 0) {
    return fail("nvmlInit_v2 of " + library + " answers " + std::to_string(code));
  }
  begun_ = true;
  return {};
}

std::vector<GpuUse> Nvml::measure() const {
  std::vector<GpuUse> gpus;
  unsigned count = 0;
  if (functions_->count(&count) != 0) return gpus;
  for (unsigned i = 0; i < count; ++i) {
    if (auto use = functions_->measure(i)) gpus.push_back(*use);
  }
  return gpus;
}

}  // namespace grappe::exec
