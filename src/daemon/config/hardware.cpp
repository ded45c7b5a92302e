#include "daemon/config/hardware.h"

#include <hwloc.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <memory>
#include <set>

#include "base/text.h"
#include "daemon/config/read_file.h"

namespace grappe {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMegabyte = 1024 * 1024;
// The kernel writes "no limit" of cgroup v1 as a number near 2^63.
constexpr std::uint64_t kNoLimitBytes = std::uint64_t{1} << 60;

struct DestroyTopology {
  void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<hwloc_topology, DestroyTopology>;

Topology load_topology(const std::string& synthetic) {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) return nullptr;
  Topology topology(raw);
  if (!synthetic.empty()) hwloc_topology_set_synthetic(raw, synthetic.c_str());
  if (hwloc_topology_load(raw) != 0) return nullptr;
  if (!synthetic.empty()) return topology;
  // hwloc knows the cpuset cgroup; what taskset left to this process it does not apply by itself.
  hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
  if (allowed != nullptr && hwloc_get_cpubind(raw, allowed, HWLOC_CPUBIND_PROCESS) == 0) {
    hwloc_topology_restrict(raw, allowed, 0);
  }
  hwloc_bitmap_free(allowed);
  return topology;
}

struct CpuPlace {
  const hwloc_obj* socket = nullptr;
  const hwloc_obj* core = nullptr;
};

// Whether every socket has as many cores as the first, and every core as many threads.
bool is_even(const std::vector<CpuPlace>& places, std::size_t sockets, std::size_t cores) {
  if (cores % sockets != 0 || places.size() % cores != 0) return false;
  const std::size_t threads = places.size() / cores;
  const std::size_t per_socket = places.size() / sockets;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].core != places[i - i % threads].core) return false;
    if (places[i].socket != places[i - i % per_socket].socket) return false;
  }
  return true;
}

void read_processors(hwloc_topology* topology, Hardware& hardware) {
  std::vector<CpuPlace> places;
  std::set<const hwloc_obj*> sockets;
  std::set<const hwloc_obj*> cores;
  std::vector<std::uint32_t> ids;
  for (hwloc_obj_t pu = nullptr;
       (pu = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, pu)) != nullptr;) {
    const hwloc_obj* core = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, pu);
    const hwloc_obj* socket = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, pu);
    places.push_back({socket, core == nullptr ? pu : core});
    sockets.insert(places.back().socket);
    cores.insert(places.back().core);
    ids.push_back(pu->os_index);
  }
  if (ids.empty()) return;
  hardware.cpus = static_cast<std::uint32_t>(ids.size());
  hardware.cpu_ids = std::move(ids);
  if (is_even(places, sockets.size(), cores.size())) {
    hardware.sockets = static_cast<std::uint32_t>(sockets.size());
    hardware.cores_per_socket = static_cast<std::uint32_t>(cores.size() / sockets.size());
    hardware.threads_per_core = static_cast<std::uint32_t>(places.size() / cores.size());
  } else {
    // Slurm's counts describe even machines only: an uneven rest is one socket of single threads.
    hardware.sockets = 1;
    hardware.cores_per_socket = hardware.cpus;
    hardware.threads_per_core = 1;
  }
}

std::uint64_t kernel_memory_mb(const fs::path& root) {
  const std::string text = read_kernel_file(root / "proc/meminfo").value_or("");
  for (std::string_view line : split(text, '\n')) {
    if (!line.starts_with("MemTotal:")) continue;
    for (std::string_view word : split_words(line, " \t")) {
      if (auto kilobytes = parse_uint(word)) return *kilobytes / 1024;
    }
  }
  return 0;
}

std::uint64_t file_system_mb(const fs::path& path) {
  struct statvfs info = {};
  if (statvfs(path.c_str(), &info) != 0) return 0;
  return std::uint64_t{info.f_blocks} * info.f_frsize / kMegabyte;
}

// The smallest limit from `folder` upwards to the root of its hierarchy.
std::uint64_t smallest_limit(const fs::path& mount, std::string_view group, const char* file) {
  std::uint64_t smallest = UINT64_MAX;
  fs::path folder = mount;
  std::vector<std::string_view> steps = split_words(group, "/");
  for (std::size_t i = 0; i <= steps.size(); ++i) {
    const auto text = read_kernel_file(folder / file);
    const auto bytes = text ? parse_uint(*text) : std::nullopt;
    if (bytes && *bytes < kNoLimitBytes) smallest = std::min(smallest, *bytes / kMegabyte);
    if (i < steps.size()) folder /= steps[i];
  }
  return smallest;
}

}  // namespace

std::uint64_t cgroup_memory_limit_mb(const std::filesystem::path& root) {
  std::uint64_t smallest = UINT64_MAX;
  const std::string text = read_kernel_file(root / "proc/self/cgroup").value_or("");
  const fs::path mount = root / "sys/fs/cgroup";
  for (std::string_view line : split(text, '\n')) {
    // "4:memory:/group" (v1) or "0::/group" (v2).
    const std::size_t first = line.find(':');
    const std::size_t second = first == line.npos ? line.npos : line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const std::string_view group = line.substr(second + 1);
    if (controllers.empty()) {
      smallest = std::min(smallest, smallest_limit(mount, group, "memory.max"));
    }
    for (std::string_view controller : split(controllers, ',')) {
      if (controller != "memory") continue;
      smallest =
          std::min(smallest, smallest_limit(mount / "memory", group, "memory.limit_in_bytes"));
    }
  }
  return smallest;
}

Hardware detect_hardware(const DetectOptions& options) {
  Hardware hardware;
  if (Topology topology = load_topology(options.synthetic_topology)) {
    read_processors(topology.get(), hardware);
  }
  hardware.memory_mb =
      std::min(kernel_memory_mb(options.root), cgroup_memory_limit_mb(options.root));
  hardware.tmp_mb = file_system_mb(options.tmp_fs);
  hardware.gpus = detect_gpus(options.root);
  const std::set<std::uint32_t> usable(hardware.cpu_ids.begin(), hardware.cpu_ids.end());
  for (GpuDevice& gpu : hardware.gpus) {
    std::erase_if(gpu.cpus, [&](std::uint32_t cpu) { return !usable.contains(cpu); });
  }
  return hardware;
}

}  // namespace grappe
