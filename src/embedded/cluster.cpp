#include "embedded/cluster.h"

#include <algorithm>

#include "base/hostlist.h"
#include "base/text.h"
#include "model/node_state.h"
#include "model/reservation_flags.h"

namespace grappe::embedded {
namespace {

void learn_kinds(Cluster& cluster) {
  cluster.gres_kinds.clear();
  cluster.features.clear();
  for (const ClusterNode& node : cluster.nodes) {
    for (const MachineDevice& device : node.machine.devices) {
      std::pair kind{device.name, device.type};
      if (std::find(cluster.gres_kinds.begin(), cluster.gres_kinds.end(), kind) ==
          cluster.gres_kinds.end()) {
        cluster.gres_kinds.push_back(kind);
      }
    }
    for (const std::string& feature : node.machine.features) {
      if (std::find(cluster.features.begin(), cluster.features.end(), feature) ==
          cluster.features.end()) {
        cluster.features.push_back(feature);
      }
    }
  }
}

bool node_in_set(const NodeSetConfig& set, const MachineNode& node) {
  if (!set.feature.empty() &&
      std::find(node.features.begin(), node.features.end(), set.feature) != node.features.end()) {
    return true;
  }
  auto names = expand_hostlist(set.nodes);
  return names && std::find(names->begin(), names->end(), node.name) != names->end();
}

// The nodes of a partition: a hostlist in which node sets and ALL may stand.
std::vector<uint32_t> nodes_of(const Cluster& cluster, const PartitionConfig& config) {
  std::vector<uint32_t> members;
  auto names = expand_hostlist(config.nodes);
  for (uint32_t i = 0; i < cluster.nodes.size(); ++i) {
    const MachineNode& node = cluster.nodes[i].machine;
    bool in = iequals(config.nodes, "ALL");
    if (!in && names) {
      in = std::any_of(names->begin(), names->end(), [&](const std::string& name) {
        if (name == node.name) return true;
        for (const NodeSetConfig& set : cluster.config.node_sets) {
          if (set.name == name && node_in_set(set, node)) return true;
        }
        return false;
      });
    }
    if (in) members.push_back(i);
  }
  return members;
}

// The nodes of a reservation; one that is gone from the configuration is left out.
void place(const Cluster& cluster, ClusterReservation& reservation) {
  const ClusterPartition* partition = cluster.partition(reservation.partition);
  if (reservation.has(kResvPartNodes) && partition) {
    reservation.node_names.clear();
    for (uint32_t i : partition->nodes) {
      reservation.node_names.push_back(cluster.nodes[i].machine.name);
    }
  }
  reservation.nodes.clear();
  for (size_t i = 0; i < reservation.node_names.size();) {
    auto found = cluster.node_index.find(reservation.node_names[i]);
    if (found != cluster.node_index.end()) {
      reservation.nodes.push_back(found->second);
      ++i;
      continue;
    }
    auto offset = static_cast<std::ptrdiff_t>(i);
    reservation.node_names.erase(reservation.node_names.begin() + offset);
    if (i < reservation.cores.size()) {
      reservation.cores.erase(reservation.cores.begin() + offset);
    }
  }
}

}  // namespace

uint32_t ClusterNode::state() const {
  NodeBase base = NodeBase::kIdle;
  if (down) {
    base = NodeBase::kDown;
  } else if (jobs > 0) {
    bool full = used_cpus.count() >= machine.topology.cpus || exclusive;
    base = full ? NodeBase::kAllocated : NodeBase::kMixed;
  }
  uint32_t state = static_cast<uint32_t>(base) | flags;
  if (completing > 0) state |= kNodeCompleting;
  if (machine.invalid) state |= kNodeInvalid | kNodeDrain;
  return state;
}

bool ClusterNode::may_start_jobs() const {
  return !down && !machine.invalid && (flags & (kNodeDrain | kNodeFailing)) == 0;
}

const ClusterPartition* Cluster::partition(std::string_view name) const {
  for (const ClusterPartition& p : partitions) {
    if (p.config.name == name) return &p;
  }
  return nullptr;
}

ClusterPartition* Cluster::partition(std::string_view name) {
  return const_cast<ClusterPartition*>(std::as_const(*this).partition(name));
}

const ClusterPartition* Cluster::default_partition() const {
  for (const ClusterPartition& p : partitions) {
    if (p.config.is_default) return &p;
  }
  return nullptr;
}

const ClusterNode* Cluster::node(std::string_view name) const {
  auto found = node_index.find(name);
  return found == node_index.end() ? nullptr : &nodes[found->second];
}

uint32_t Cluster::gres_kind(std::string_view name, std::string_view type) const {
  for (uint32_t i = 0; i < gres_kinds.size(); ++i) {
    if (gres_kinds[i].first == name && gres_kinds[i].second == type) return i;
  }
  return UINT32_MAX;
}

std::optional<uint64_t> Cluster::memory_rule(const ClusterPartition& partition,
                                             std::optional<uint64_t> MemoryRules::*field) const {
  const MemoryRules& own = partition.config.memory;
  return own.*field ? own.*field : config.scheduling.memory.*field;
}

bool Cluster::has_gres(std::string_view name) const {
  return std::any_of(gres_kinds.begin(), gres_kinds.end(),
                     [&](const auto& kind) { return kind.first == name; });
}

void set_device(ClusterNode& node, std::string_view name, uint32_t index, bool used) {
  for (uint32_t i = 0; i < node.machine.devices.size(); ++i) {
    const MachineDevice& device = node.machine.devices[i];
    if (device.name != name || device.index != index) continue;
    if (used) {
      node.used_devices.set(i);
    } else {
      node.used_devices.clear(i);
    }
  }
}

// Devices that are only counted get numbers too, so that each has one user.
std::vector<MachineDevice> devices_of(const ConfiguredNode& node) {
  constexpr uint64_t kMostDevices = 1024;
  std::vector<MachineDevice> out;
  for (const NodeGres& gres : node.gres) {
    if (gres.no_consume) continue;
    uint32_t first = 0;
    for (const MachineDevice& other : out) first += other.name == gres.name;
    for (const NodeDevice& device : gres.devices) {
      out.push_back(
          {gres.name, device.type, device.index, device.path, device.cpus, 0, device.environment});
    }
    if (!gres.devices.empty()) continue;
    for (uint32_t i = 0; i < std::min(gres.count, kMostDevices); ++i) {
      out.push_back({gres.name, gres.type, first + i, "", {}, 0, {}});
    }
  }
  return out;
}

MachineNode machine_of(const ConfiguredNode& from) {
  MachineNode to;
  to.name = from.name;
  to.hostname = from.hostname;
  to.address = from.address;
  to.port = from.port;
  to.topology = from.topology;
  to.memory_mb = from.memory_mb;
  to.tmp_mb = from.tmp_mb;
  to.devices = devices_of(from);
  to.gres = from.gres_text;
  to.features = from.features;
  to.weight = from.weight;
  to.real_cpus = from.real_cpus;
  to.mem_spec_mb = from.mem_spec_limit_mb;
  to.spec_cpus = from.spec_cpus;
  to.cpu_bind = from.cpu_bind;
  to.invalid = (from.state & kNodeInvalid) != 0;
  return to;
}

Cluster make_cluster(const LoadedConfig& loaded) {
  Cluster cluster;
  cluster.config = loaded.cluster;
  for (const ConfiguredNode& from : loaded.nodes) {
    ClusterNode& node = cluster.nodes.emplace_back();
    node.machine = machine_of(from);
    node.reason = from.reason;
    node.down = node_base(from.state) == NodeBase::kDown;
    node.flags = from.state & (kNodeDrain | kNodeFailing);
  }
  for (const ConfiguredPartition& partition : loaded.partitions) {
    cluster.partitions.emplace_back().config = partition.config;
  }
  for (const LicenseConfig& license : loaded.cluster.licenses) {
    cluster.licenses[license.name] = {license.name, license.total, 0, 0, false};
  }
  derive(cluster);
  return cluster;
}

void derive(Cluster& cluster) {
  cluster.node_index.clear();
  for (uint32_t i = 0; i < cluster.nodes.size(); ++i) {
    cluster.node_index[cluster.nodes[i].machine.name] = i;
  }
  learn_kinds(cluster);
  for (ClusterPartition& partition : cluster.partitions) {
    partition.nodes = nodes_of(cluster, partition.config);
    partition.total_cpus = 0;
    std::vector<std::string> names;
    for (uint32_t i : partition.nodes) {
      names.push_back(cluster.nodes[i].machine.name);
      partition.total_cpus += cluster.nodes[i].machine.topology.cpus;
    }
    partition.node_list = fold_hostlist(names);
  }
  for (auto& [name, reservation] : cluster.reservations) place(cluster, reservation);
}

}  // namespace grappe::embedded
