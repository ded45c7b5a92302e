#include "daemon/config/device_pool.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

#include "base/gres_spec.h"
#include "base/hostlist.h"
#include "base/index_set.h"
#include "base/text.h"

namespace grappe {

namespace {

// More devices of one name than this are a number that is counted, not things with an index.
constexpr std::uint64_t kMaxDevices = 1024;

bool exists(const std::string& path) {
  struct stat info = {};
  return ::stat(path.c_str(), &info) == 0;
}

// The node's numbers of those kernel CPUs that it has.
std::vector<std::uint32_t> node_cpus(const std::vector<std::uint32_t>& kernel_cpus,
                                     const ConfiguredNode& node) {
  std::vector<std::uint32_t> cpus;
  for (std::uint32_t cpu = 0; cpu < node.real_cpus.size(); ++cpu) {
    const auto& real = node.real_cpus[cpu];
    const bool near = std::any_of(real.begin(), real.end(), [&](std::uint32_t id) {
      return std::find(kernel_cpus.begin(), kernel_cpus.end(), id) != kernel_cpus.end();
    });
    if (near) cpus.push_back(cpu);
  }
  return cpus;
}

// Cores= counts the cores of the node.
std::vector<std::uint32_t> cpus_of_cores(const std::string& cores, const NodeTopology& topology) {
  const std::uint32_t all = topology.sockets * topology.cores_per_socket;
  auto numbers = parse_index_set(cores, all == 0 ? 0 : all - 1, all);
  if (!numbers) return {};
  const std::uint32_t per_core = std::max<std::uint32_t>(1, topology.cpus / all);
  std::vector<std::uint32_t> cpus;
  for (std::uint32_t core : *numbers) {
    for (std::uint32_t i = 0; i < per_core; ++i) cpus.push_back(core * per_core + i);
  }
  return cpus;
}

GpuEnvironment environment_of(const std::vector<std::string>& flags) {
  const auto has = [&](std::string_view flag) {
    return std::find(flags.begin(), flags.end(), flag) != flags.end();
  };
  if (has("no_gpu_env")) return {false, false, false, false};
  GpuEnvironment chosen{has("nvidia_gpu_env"), has("amd_gpu_env"), has("opencl_env"),
                        has("intel_gpu_env")};
  const bool any = chosen.cuda || chosen.rocr || chosen.opencl || chosen.ze;
  return any ? chosen : GpuEnvironment();
}

// Links of detected GPUs count all GPUs of the machine: here those of the node.
void renumber_links(ConfiguredNode& node, const std::string& name) {
  std::vector<NodeDevice*> devices;
  for (NodeGres& gres : node.gres) {
    if (gres.name != name) continue;
    for (NodeDevice& device : gres.devices) devices.push_back(&device);
  }
  for (NodeDevice* from : devices) {
    if (from->machine_index < 0 || from->links.empty()) continue;
    std::vector<int> links;
    for (const NodeDevice* to : devices) {
      const auto index = static_cast<std::size_t>(to->machine_index);
      const bool known = to->machine_index >= 0 && index < from->links.size();
      links.push_back(to == from ? -1 : known ? from->links[index] : 0);
    }
    from->links = std::move(links);
  }
}

// "gpu:a100:no_consume:4" -> the same without the mark.
std::string without_no_consume(std::string_view item, bool& no_consume) {
  std::string kept;
  for (std::string_view part : split(item, ':')) {
    if (iequals(part, "no_consume")) {
      no_consume = true;
      continue;
    }
    if (!kept.empty()) kept += ':';
    kept += part;
  }
  return kept;
}

Result<std::vector<NodeGres>> read_gres(const std::string& text) {
  std::vector<NodeGres> all;
  for (std::string_view item : split_words(text, ",")) {
    NodeGres gres;
    auto specs = parse_gres(without_no_consume(item, gres.no_consume));
    if (!specs || specs->size() != 1) return fail(fmt::format("Invalid Gres={}", text));
    gres.name = specs->front().name;
    gres.type = specs->front().type;
    gres.count = specs->front().count;
    all.push_back(std::move(gres));
  }
  return all;
}

}  // namespace

// A device that a node could have.
struct DevicePool::Candidate {
  NodeDevice device;
  bool detected = false;  // then `device.type` is the full name, of which Gres= may use a part
  bool used = false;
};

DevicePool::DevicePool(const ClusterConfig& config, const Hardware& hardware)
    : config_(config), hardware_(hardware) {}

bool DevicePool::applies(const GresConfig& line, const ConfiguredNode& node) const {
  if (line.node_names.empty()) return true;
  auto names = expand_hostlist(line.node_names);
  return names && std::find(names->begin(), names->end(), node.name) != names->end();
}

// Detected GPUs count unless gres.conf turns detection off for the node or lists files itself.
bool DevicePool::may_detect(const ConfiguredNode& node) const {
  std::string mode;
  bool own_line = false;
  bool lists_gpus = false;
  for (const GresConfig& line : config_.gres) {
    if (!applies(line, node)) continue;
    const bool own = !line.node_names.empty();
    if (!line.auto_detect.empty() && (own || !own_line)) {
      mode = line.auto_detect;
      own_line = own;
    }
    lists_gpus |= iequals(line.name, "gpu") && !line.files.empty();
  }
  return mode.empty() ? !lists_gpus : mode != "off";
}

bool DevicePool::is_counted_only(const std::string& name, const ConfiguredNode& node) const {
  for (const GresConfig& line : config_.gres) {
    if (!iequals(line.name, name) || !applies(line, node)) continue;
    if (std::find(line.flags.begin(), line.flags.end(), "countonly") != line.flags.end()) {
      return true;
    }
    if (!line.files.empty()) return false;
  }
  return !iequals(name, "gpu");
}

void DevicePool::add_files(const GresConfig& line, const ConfiguredNode& node,
                           std::vector<Candidate>& found) const {
  for (const std::string& path : line.files) {
    Candidate candidate;
    candidate.device.path = path;
    candidate.device.type = line.type;
    candidate.device.cpus = cpus_of_cores(line.cores, node.topology);
    candidate.device.links = line.links;
    candidate.device.environment = environment_of(line.flags);
    if (!exists(path)) {
      if (!config_.service.config_overrides) continue;
      candidate.device.path.clear();
    }
    found.push_back(std::move(candidate));
  }
  if (!line.files.empty()) return;
  // Count= without File=: devices that nobody guards.
  for (std::uint64_t i = 0; i < std::min(line.count.value_or(0), kMaxDevices); ++i) {
    Candidate candidate;
    candidate.device.type = line.type;
    candidate.device.cpus = cpus_of_cores(line.cores, node.topology);
    candidate.device.environment = environment_of(line.flags);
    found.push_back(std::move(candidate));
  }
}

void DevicePool::add_detected(const ConfiguredNode& node, std::vector<Candidate>& found) const {
  for (const GpuDevice& gpu : hardware_.gpus) {
    const auto same = [&](const Candidate& c) { return c.device.path == gpu.device_path; };
    if (std::any_of(found.begin(), found.end(), same)) continue;
    if (std::find(taken_.begin(), taken_.end(), gpu.device_path) != taken_.end()) continue;
    Candidate candidate;
    candidate.detected = true;
    candidate.device.machine_index = gpu.index;
    candidate.device.path = gpu.device_path;
    candidate.device.type = gpu.type;
    candidate.device.cpus = node_cpus(gpu.cpus, node);
    candidate.device.links = gpu.links;
    candidate.device.environment = gpu.vendor == GpuVendor::kNvidia
                                       ? GpuEnvironment{true, false, false, false}
                                       : GpuEnvironment{false, true, false, false};
    found.push_back(std::move(candidate));
  }
}

std::vector<DevicePool::Candidate> DevicePool::candidates(const std::string& name,
                                                          const ConfiguredNode& node) const {
  std::vector<Candidate> found;
  for (const GresConfig& line : config_.gres) {
    if (iequals(line.name, name) && applies(line, node)) add_files(line, node, found);
  }
  if (iequals(name, "gpu") && may_detect(node)) add_detected(node, found);
  return found;
}

// Takes devices of the right type; Gres= may name a part of a detected type ("a100").
void DevicePool::assign(NodeGres& gres, std::vector<Candidate>& found, ConfiguredNode& node) {
  std::uint32_t next = 0;
  for (const NodeGres& other : node.gres) {
    if (other.name == gres.name) next += static_cast<std::uint32_t>(other.devices.size());
  }
  const std::string wanted = to_lower(gres.type);
  for (Candidate& candidate : found) {
    if (gres.devices.size() >= gres.count) return;
    const std::string& type = candidate.device.type;
    const bool fits = wanted.empty() || type.empty() || iequals(type, wanted) ||
                      (candidate.detected && type.find(wanted) != std::string::npos);
    if (candidate.used || !fits) continue;
    candidate.used = true;
    if (candidate.detected) taken_.push_back(candidate.device.path);
    NodeDevice device = candidate.device;
    device.type = gres.type;
    device.index = next++;
    gres.devices.push_back(std::move(device));
  }
  while (config_.service.config_overrides && gres.devices.size() < gres.count) {
    NodeDevice device;
    device.type = gres.type;
    device.index = next++;
    gres.devices.push_back(std::move(device));
  }
}

Result<std::string> DevicePool::equip(const std::string& gres_text, ConfiguredNode& node) {
  auto wanted = read_gres(gres_text);
  if (!wanted) return tl::unexpected(wanted.error());
  node.gres_text = gres_text;
  std::string reason;
  std::vector<std::pair<std::string, std::vector<Candidate>>> pools;
  for (NodeGres& gres : *wanted) {
    if (gres.count <= kMaxDevices && !gres.no_consume && !is_counted_only(gres.name, node)) {
      auto pool = std::find_if(pools.begin(), pools.end(),
                               [&](const auto& p) { return p.first == gres.name; });
      if (pool == pools.end()) {
        pool = pools.insert(pools.end(), {gres.name, candidates(gres.name, node)});
      }
      assign(gres, pool->second, node);
      if (gres.devices.size() < gres.count && reason.empty()) {
        reason = fmt::format("gres/{} count reported lower than configured ({} < {})", gres.name,
                             gres.devices.size(), gres.count);
      }
    }
    node.gres.push_back(std::move(gres));
  }
  for (const auto& pool : pools) renumber_links(node, pool.first);
  return reason;
}

}  // namespace grappe
