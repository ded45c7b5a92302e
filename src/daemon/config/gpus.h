// The GPUs of this machine, as the drivers describe them in /proc and /sys.
//
// Nothing is loaded and no device is opened: the files are enough to hand devices out, and they are
// the same for every user. `root` stands before every path, so that a test brings its own tree.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace grappe {

enum class GpuVendor { kNvidia, kAmd };

struct GpuDevice {
  int index = 0;                    // among all GPUs of the machine, in the order of the PCI bus
  int minor = 0;                    // of the device file
  std::string device_path;          // "/dev/nvidia0", "/dev/dri/renderD128"; without the root
  std::string type;                 // "nvidia_a100-sxm4-40gb": as AutoDetect of Slurm names it
  std::vector<std::uint32_t> cpus;  // near it, by the kernel's numbers; empty: all alike
  std::vector<int> links;  // connections to the GPU of each index, -1 at itself; empty: unknown
  GpuVendor vendor = GpuVendor::kNvidia;
  std::string pci_address;  // "0000:3b:00.0"
  std::string uuid;         // "GPU-..."; empty when the driver does not tell
};

// Those of both vendors; GPUs that the NVIDIA driver excludes are left out.
std::vector<GpuDevice> detect_gpus(const std::filesystem::path& root);

// "NVIDIA A100-SXM4-40GB" -> "nvidia_a100-sxm4-40gb".
std::string gpu_type_name(std::string_view model);

}  // namespace grappe
