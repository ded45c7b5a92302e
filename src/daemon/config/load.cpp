#include "daemon/config/load.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hostlist.h"
#include "base/text.h"
#include "daemon/config/read_file.h"
#include "daemon/config/slices.h"
#include "model/config_parse.h"

namespace grappe {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFileBytes = 16 * 1024 * 1024;

// The text of a file that need not exist.
Result<std::string> read_optional(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(path, error)) return std::string();
  return read_file(path, kMaxFileBytes);
}

// The names of detected types with their numbers: "gpu:nvidia_a100-sxm4-40gb:4".
std::string detected_gres(const std::vector<GpuDevice>& gpus) {
  std::vector<std::pair<std::string, int>> types;
  for (const GpuDevice& gpu : gpus) {
    auto type = std::find_if(types.begin(), types.end(),
                             [&](const auto& t) { return t.first == gpu.type; });
    if (type == types.end()) type = types.insert(types.end(), {gpu.type, 0});
    ++type->second;
  }
  std::vector<std::string> items;
  for (const auto& [type, count] : types) {
    items.push_back(type.empty() ? fmt::format("gpu:{}", count)
                                 : fmt::format("gpu:{}:{}", type, count));
  }
  return join(items, ",");
}

// The whole machine as one node, and defaults by which several jobs fit on it.
void add_default_node(ClusterConfig& config, const Hardware& hardware,
                      const std::string& hostname) {
  NodeConfig node;
  node.names = hostname;
  node.gres = detected_gres(hardware.gpus);
  config.nodes.push_back(std::move(node));

  MemoryRules& memory = config.scheduling.memory;
  const std::uint64_t memory_mb = usable_memory_mb(hardware.memory_mb);
  if (memory == MemoryRules()) {
    memory.default_per_cpu_mb = std::max<std::uint64_t>(1, memory_mb / hardware.cpus);
    if (!hardware.gpus.empty()) {
      const std::uint64_t gpus = hardware.gpus.size();
      memory.default_cpus_per_gpu = std::max<std::uint64_t>(1, hardware.cpus / gpus);
      memory.default_per_gpu_mb = std::max<std::uint64_t>(1, memory_mb / gpus);
    }
  }
  const bool has_gpu_tres = std::find(config.accounting.tres.begin(), config.accounting.tres.end(),
                                      "gres/gpu") != config.accounting.tres.end();
  if (!hardware.gpus.empty() && !has_gpu_tres) config.accounting.tres.emplace_back("gres/gpu");
}

void add_default_partition(ClusterConfig& config) {
  PartitionConfig partition;
  partition.name = "batch";
  partition.nodes = "ALL";
  partition.is_default = true;
  partition.default_time_min = 60;
  partition.max_time_min = 7 * 24 * 60;
  config.partitions.push_back(std::move(partition));
}

// Where nobody configured anything: fair share with sensible weights and room for large arrays.
ClusterConfig zero_config() {
  ClusterConfig config;
  config.priority.type = "priority/multifactor";
  config.priority.weight_age = 1000;
  config.priority.weight_fair_share = 10000;
  config.priority.weight_job_size = 100;
  config.priority.weight_partition = 1000;
  config.priority.weight_qos = 5000;
  config.scheduling.parameters.bf_by_pool = true;
  config.scheduling.parameters.text = "bf_by_pool";
  config.accounting.place_for_all = true;
  config.limits.max_job_count = 200000;
  config.limits.max_array_size = 100001;
  config.service.return_to_service = 2;
  return config;
}

// Every name of Gres= has to be in GresTypes; a site that forgot it means it nevertheless.
void add_gres_types(const std::vector<ConfiguredNode>& nodes, ClusterConfig& config, bool from_file,
                    std::vector<std::string>& warnings) {
  for (const ConfiguredNode& node : nodes) {
    for (const NodeGres& gres : node.gres) {
      std::vector<std::string>& types = config.gres_types;
      if (std::find(types.begin(), types.end(), gres.name) != types.end()) continue;
      types.push_back(gres.name);
      if (from_file) {
        warnings.push_back(
            fmt::format("GresTypes lacks {}, which node {} has: added", gres.name, node.name));
      }
    }
  }
}

class PartitionBuilder {
 public:
  PartitionBuilder(const ClusterConfig& config, const std::vector<ConfiguredNode>& nodes)
      : config_(config), nodes_(nodes) {}

  Result<ConfiguredPartition> build(const PartitionConfig& config) const {
    ConfiguredPartition partition;
    partition.config = config;
    std::vector<bool> member(nodes_.size(), false);
    auto names = expand_hostlist(config.nodes);
    if (!names) return failed(config, names.error().message);
    for (const std::string& name : *names) {
      if (iequals(name, "ALL")) {
        member.assign(nodes_.size(), true);
      } else if (const NodeSetConfig* set = find_set(name)) {
        if (Status status = add_set(*set, member); !status) {
          return failed(config, status.error().message);
        }
        partition.node_sets.push_back(name);
      } else if (!add_node(name, member)) {
        return failed(config,
                      fmt::format("invalid node name {} in partition {}", name, config.name));
      }
    }
    for (std::uint32_t i = 0; i < member.size(); ++i) {
      if (member[i]) partition.nodes.push_back(i);
    }
    return partition;
  }

 private:
  static tl::unexpected<Error> failed(const PartitionConfig& config, const std::string& message) {
    return fail(fmt::format("slurm.conf:{}: {}", config.line, message));
  }

  const NodeSetConfig* find_set(const std::string& name) const {
    for (const NodeSetConfig& set : config_.node_sets) {
      if (set.name == name) return &set;
    }
    return nullptr;
  }

  bool add_node(const std::string& name, std::vector<bool>& member) const {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].name == name) return member[i] = true;
    }
    return false;
  }

  Status add_set(const NodeSetConfig& set, std::vector<bool>& member) const {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const auto& features = nodes_[i].features;
      if (!set.feature.empty() &&
          std::find(features.begin(), features.end(), set.feature) != features.end()) {
        member[i] = true;
      }
    }
    if (set.nodes.empty()) return {};
    auto names = expand_hostlist(set.nodes);
    if (!names) return tl::unexpected(names.error());
    for (const std::string& name : *names) {
      if (!add_node(name, member)) {
        return fail(fmt::format("invalid node name {} in node set {}", name, set.name));
      }
    }
    return {};
  }

  const ClusterConfig& config_;
  const std::vector<ConfiguredNode>& nodes_;
};

}  // namespace

Result<LoadedConfig> build_cluster(ClusterConfig config, const Hardware& hardware,
                                   const std::string& hostname) {
  LoadedConfig loaded;
  const bool nodes_from_file = !config.nodes.empty();
  if (config.service.cluster_name.empty()) config.service.cluster_name = to_lower(hostname);
  if (!nodes_from_file) add_default_node(config, hardware, hostname);
  if (config.partitions.empty()) add_default_partition(config);

  auto nodes = cut_machine(config, hardware, loaded.warnings);
  if (!nodes) return tl::unexpected(nodes.error());
  loaded.nodes = std::move(*nodes);
  add_gres_types(loaded.nodes, config, nodes_from_file, loaded.warnings);

  const PartitionBuilder builder(config, loaded.nodes);
  bool has_default = false;
  for (const PartitionConfig& partition : config.partitions) {
    auto built = builder.build(partition);
    if (!built) return tl::unexpected(built.error());
    has_default |= partition.is_default;
    loaded.partitions.push_back(std::move(*built));
  }
  if (!has_default) loaded.warnings.emplace_back("default partition not set.");
  loaded.cluster = std::move(config);
  return loaded;
}

Result<LoadedConfig> load_config(const std::filesystem::path& conf_dir, const Hardware& hardware,
                                 const std::string& hostname) {
  std::string texts[3];
  const char* const names[3] = {"slurm.conf", "gres.conf", "cgroup.conf"};
  for (int i = 0; i < 3 && !conf_dir.empty(); ++i) {
    auto text = read_optional(conf_dir / names[i]);
    if (!text) return tl::unexpected(text.error());
    texts[i] = std::move(*text);
  }
  const ReadInclude include = [&](const std::string& name) {
    return read_file(conf_dir / name, kMaxFileBytes);
  };
  auto parsed = parse_slurm_conf(texts[0], texts[1], texts[2], include);
  if (!parsed) return tl::unexpected(parsed.error());
  if (trim(texts[0]).empty()) {
    ClusterConfig config = zero_config();
    config.gres = std::move(parsed->config.gres);
    config.cgroup = std::move(parsed->config.cgroup);
    parsed->config = std::move(config);
  }
  auto loaded = build_cluster(std::move(parsed->config), hardware, hostname);
  if (!loaded) return loaded;
  loaded->warnings.insert(loaded->warnings.begin(), parsed->warnings.begin(),
                          parsed->warnings.end());
  return loaded;
}

}  // namespace grappe
