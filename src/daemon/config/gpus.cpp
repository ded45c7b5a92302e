#include "daemon/config/gpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/index_set.h"
#include "base/text.h"
#include "daemon/config/read_file.h"

namespace grappe {

namespace {

namespace fs = std::filesystem;

// The kernel's tables of links between processors and GPUs: XGMI is AMD's own.
constexpr std::uint64_t kXgmiLink = 11;
constexpr std::uint32_t kMaxCpu = 8191;

using Fields = std::map<std::string, std::string, std::less<>>;

// "Device Minor: \t 0" and "drm_render_minor 128": a name, a separator, a value.
Fields read_fields(const fs::path& path, char separator) {
  Fields fields;
  const std::string text = read_kernel_file(path).value_or("");
  for (std::string_view line : split(text, '\n')) {
    const std::size_t end = line.find(separator);
    if (end == std::string_view::npos) continue;
    fields.emplace(trim(line.substr(0, end)), trim(line.substr(end + 1)));
  }
  return fields;
}

std::string_view field(const Fields& fields, std::string_view name) {
  auto found = fields.find(name);
  return found == fields.end() ? std::string_view() : std::string_view(found->second);
}

// The names in a folder, sorted; none when there is no such folder.
std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::uint32_t> cpus_near(const fs::path& root, const std::string& pci_address) {
  auto text = read_kernel_file(root / "sys/bus/pci/devices" / pci_address / "local_cpulist");
  if (!text) return {};
  return parse_index_set(*text, kMaxCpu, kMaxCpu + 1).value_or(std::vector<std::uint32_t>());
}

std::vector<GpuDevice> detect_nvidia(const fs::path& root) {
  std::vector<GpuDevice> gpus;
  const fs::path folder = root / "proc/driver/nvidia/gpus";
  for (const std::string& address : names_in(folder)) {
    const Fields fields = read_fields(folder / address / "information", ':');
    auto minor = parse_uint(field(fields, "Device Minor"), 65535);
    const bool excluded = iequals(field(fields, "GPU Excluded"), "Yes") ||
                          iequals(field(fields, "Blacklisted"), "Yes");
    if (!minor || excluded) continue;
    GpuDevice gpu;
    gpu.minor = static_cast<int>(*minor);
    gpu.device_path = fmt::format("/dev/nvidia{}", *minor);
    gpu.type = gpu_type_name(field(fields, "Model"));
    gpu.pci_address = to_lower(address);
    gpu.uuid = field(fields, "GPU UUID");
    gpu.cpus = cpus_near(root, gpu.pci_address);
    gpus.push_back(std::move(gpu));
  }
  return gpus;
}

// A GPU among the kernel's compute nodes, most of which are processors.
struct KfdGpu {
  std::uint64_t node = 0;
  GpuDevice gpu;
};

std::optional<KfdGpu> read_kfd_node(const fs::path& root, const std::string& name) {
  const fs::path folder = root / "sys/class/kfd/kfd/topology/nodes" / name;
  auto node = parse_uint(name, 65535);
  const std::string id = read_kernel_file(folder / "gpu_id").value_or("0");
  if (!node || id == "0") return std::nullopt;
  const Fields fields = read_fields(folder / "properties", ' ');
  auto minor = parse_uint(field(fields, "drm_render_minor"), 65535);
  auto location = parse_uint(field(fields, "location_id"), 0xffff);
  if (!minor || *minor == 0 || !location) return std::nullopt;

  KfdGpu found;
  found.node = *node;
  GpuDevice& gpu = found.gpu;
  gpu.vendor = GpuVendor::kAmd;
  gpu.minor = static_cast<int>(*minor);
  gpu.device_path = fmt::format("/dev/dri/renderD{}", *minor);
  gpu.pci_address = fmt::format("{:04x}:{:02x}:{:02x}.{:x}",
                                parse_uint(field(fields, "domain"), UINT32_MAX).value_or(0),
                                *location >> 8, (*location >> 3) & 0x1f, *location & 7);
  auto product = read_kernel_file(root / "sys/class/drm" / fmt::format("renderD{}", *minor) /
                                  "device/product_name");
  if (!product || product->empty()) product = read_kernel_file(folder / "name");
  gpu.type = gpu_type_name(product.value_or(""));
  if (gpu.type.empty()) gpu.type = "amd";
  gpu.cpus = cpus_near(root, gpu.pci_address);
  return found;
}

// How many XGMI links lead from one GPU to each other one; nothing when there is none at all.
void read_xgmi_links(const fs::path& root, std::vector<KfdGpu>& gpus) {
  for (KfdGpu& from : gpus) {
    std::vector<int> links(gpus.size(), 0);
    bool any = false;
    const fs::path folder =
        root / "sys/class/kfd/kfd/topology/nodes" / std::to_string(from.node) / "io_links";
    for (const std::string& link : names_in(folder)) {
      const Fields fields = read_fields(folder / link / "properties", ' ');
      if (parse_uint(field(fields, "type")) != kXgmiLink) continue;
      const auto to = parse_uint(field(fields, "node_to"));
      for (std::size_t i = 0; i < gpus.size(); ++i) {
        if (to != gpus[i].node) continue;
        ++links[i];
        any = true;
      }
    }
    links[static_cast<std::size_t>(&from - gpus.data())] = -1;
    if (any) from.gpu.links = std::move(links);
  }
}

std::vector<GpuDevice> detect_amd(const fs::path& root) {
  std::vector<KfdGpu> found;
  for (const std::string& name : names_in(root / "sys/class/kfd/kfd/topology/nodes")) {
    if (auto gpu = read_kfd_node(root, name)) found.push_back(std::move(*gpu));
  }
  std::sort(found.begin(), found.end(),
            [](const KfdGpu& a, const KfdGpu& b) { return a.gpu.pci_address < b.gpu.pci_address; });
  read_xgmi_links(root, found);
  std::vector<GpuDevice> gpus;
  for (KfdGpu& item : found) gpus.push_back(std::move(item.gpu));
  return gpus;
}

}  // namespace

std::string gpu_type_name(std::string_view model) {
  std::string name = to_lower(trim(model));
  std::replace(name.begin(), name.end(), ' ', '_');
  // ',' and ':' separate resources in a request, so that a type cannot hold them.
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == ',' || c == ':'; }, '_');
  return name;
}

std::vector<GpuDevice> detect_gpus(const std::filesystem::path& root) {
  std::vector<GpuDevice> gpus = detect_nvidia(root);
  std::vector<GpuDevice> amd = detect_amd(root);
  const std::size_t before = gpus.size();
  for (GpuDevice& gpu : amd) {
    // Links count from the first GPU of all.
    if (!gpu.links.empty()) gpu.links.insert(gpu.links.begin(), before, 0);
    gpus.push_back(std::move(gpu));
  }
  for (std::size_t i = 0; i < gpus.size(); ++i) gpus[i].index = static_cast<int>(i);
  return gpus;
}

}  // namespace grappe
