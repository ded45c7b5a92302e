#include "daemon/config/slices.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/hostlist.h"
#include "base/index_set.h"
#include "base/text.h"
#include "daemon/config/device_pool.h"
#include "daemon/config/load.h"
#include "model/config_node_lines.h"
#include "model/node_state.h"

namespace grappe {

namespace {

// "a,b" for every node, or one value for all: the i-th of `count`.
Result<std::vector<std::string>> spread(const std::string& expression, std::size_t count) {
  auto values = expand_hostlist(expression);
  if (!values) return tl::unexpected(values.error());
  if (values->size() == 1) values->resize(count, values->front());
  if (values->size() != count) {
    return fail(fmt::format("{} names {} hosts for {} nodes", expression, values->size(), count));
  }
  return *values;
}

std::uint32_t state_of(ConfiguredNodeState state) {
  const auto base = [](NodeBase value) { return static_cast<std::uint32_t>(value); };
  switch (state) {
    case ConfiguredNodeState::kUnknown:
      return base(NodeBase::kIdle);
    case ConfiguredNodeState::kDown:
      return base(NodeBase::kDown);
    case ConfiguredNodeState::kDrain:
      return base(NodeBase::kIdle) | kNodeDrain;
    case ConfiguredNodeState::kFail:
    case ConfiguredNodeState::kFailing:
      return base(NodeBase::kIdle) | kNodeFailing;
    case ConfiguredNodeState::kFuture:
      return base(NodeBase::kFuture);
  }
  return base(NodeBase::kUnknown);
}

// CoreSpecCount takes the last core of the last socket first, then that of the socket before, and
// so on around; spec_cores_first the first ones.
std::vector<std::uint32_t> specialized_cores(const NodeTopology& topology, std::uint32_t count,
                                             bool first) {
  std::vector<std::uint32_t> cores;
  for (std::uint32_t round = 0; round < topology.cores_per_socket; ++round) {
    for (std::uint32_t turn = 0; turn < topology.sockets; ++turn) {
      if (cores.size() >= count) return cores;
      const std::uint32_t core = first ? round : topology.cores_per_socket - 1 - round;
      const std::uint32_t socket = first ? turn : topology.sockets - 1 - turn;
      cores.push_back(socket * topology.cores_per_socket + core);
    }
  }
  return cores;
}

class Cutter {
 public:
  Cutter(const ClusterConfig& config, const Hardware& hardware, std::vector<std::string>& warnings)
      : config_(config),
        hardware_(hardware),
        warnings_(warnings),
        devices_(config, hardware),
        left_memory_mb_(hardware.memory_mb) {}

  Result<std::vector<ConfiguredNode>> cut() {
    for (const NodeConfig& line : config_.nodes) {
      if (Status status = add_line(line); !status) {
        return fail(fmt::format("slurm.conf:{}: {}", line.line, status.error().message));
      }
    }
    if (!pinned_) {
      for (ConfiguredNode& node : nodes_) node.real_cpus.clear();
    }
    if (Status status = apply_down_nodes(); !status) return tl::unexpected(status.error());
    return std::move(nodes_);
  }

 private:
  Status add_line(const NodeConfig& line) {
    auto names = expand_hostlist(line.names);
    if (!names) return tl::unexpected(names.error());
    if (nodes_.size() + names->size() > kMaxNodes) {
      return fail(fmt::format("one machine can be cut into at most {} nodes", kMaxNodes));
    }
    auto hosts = spread(line.hostname.empty() ? line.names : line.hostname, names->size());
    if (!hosts) return tl::unexpected(hosts.error());
    auto addresses = line.address.empty() ? hosts : spread(line.address, names->size());
    if (!addresses) return tl::unexpected(addresses.error());
    auto ports = spread(line.port.empty() ? "6818" : line.port, names->size());
    if (!ports) return tl::unexpected(ports.error());

    for (std::size_t i = 0; i < names->size(); ++i) {
      ConfiguredNode node;
      node.name = (*names)[i];
      node.hostname = (*hosts)[i];
      node.address = (*addresses)[i];
      node.port = (*ports)[i];
      if (!seen_.insert(node.name).second) {
        return fail(fmt::format("Duplicated NodeName {} in the config file", node.name));
      }
      if (Status status = fill(line, node, i == 0); !status) return status;
      nodes_.push_back(std::move(node));
    }
    return {};
  }

  Status fill(const NodeConfig& line, ConfiguredNode& node, bool first) {
    set_sizes(line, node, first);
    node.mem_spec_limit_mb = std::min(line.mem_spec_limit_mb, node.memory_mb);
    node.features = line.features;
    node.weight = line.weight;
    node.cpu_bind = line.cpu_bind;
    node.reason = line.reason;
    node.state = state_of(line.state);
    if (Status status = set_spec_cpus(line, node); !status) return status;

    std::vector<std::string> reasons = take_share(node);
    auto missing_device = devices_.equip(line.gres, node);
    if (!missing_device) return tl::unexpected(missing_device.error());
    if (!missing_device->empty()) reasons.insert(reasons.begin(), *missing_device);
    if (!reasons.empty()) {
      node.state = static_cast<std::uint32_t>(NodeBase::kUnknown) | kNodeDrain | kNodeInvalid;
      node.reason = join(reasons, ", ");
    }
    return {};
  }

  // Where the only node of a cluster says nothing of a size, it has what the machine has; several
  // have Slurm's defaults of one CPU and one megabyte.
  void set_sizes(const NodeConfig& line, ConfiguredNode& node, bool first) {
    const bool alone = config_.nodes.size() == 1 && line.names == node.name;
    const bool has_cpus = line.cpus || line.boards || line.sockets || line.sockets_per_board ||
                          line.cores_per_socket || line.threads_per_core;
    if (alone && !has_cpus) {
      node.topology = {1, hardware_.sockets, hardware_.cores_per_socket, hardware_.threads_per_core,
                       hardware_.cpus};
    } else {
      std::string warning;
      node.topology = complete_topology(line, warning);
      if (!warning.empty() && first) {
        warnings_.push_back(fmt::format("slurm.conf:{}: {}", line.line, warning));
      }
    }
    node.memory_mb =
        line.real_memory_mb.value_or(alone ? usable_memory_mb(hardware_.memory_mb) : 1);
    node.tmp_mb = line.tmp_disk_mb.value_or(alone ? hardware_.tmp_mb : 0);
  }

  Status set_spec_cpus(const NodeConfig& line, ConfiguredNode& node) {
    const NodeTopology& topology = node.topology;
    const std::uint32_t cores = topology.sockets * topology.cores_per_socket;
    const std::uint32_t per_core = std::max<std::uint32_t>(1, topology.cpus / cores);
    std::set<std::uint32_t> chosen;
    if (!line.cpu_spec_list.empty()) {
      auto cpus = parse_index_set(line.cpu_spec_list, topology.cpus - 1, topology.cpus);
      if (!cpus) return fail(fmt::format("Invalid CpuSpecList={}", line.cpu_spec_list));
      for (std::uint32_t cpu : *cpus) chosen.insert(cpu / per_core);
    } else {
      const bool first = config_.scheduling.parameters.spec_cores_first;
      for (std::uint32_t core : specialized_cores(topology, line.core_spec_count, first)) {
        chosen.insert(core);
      }
    }
    if (!chosen.empty() && chosen.size() >= cores) {
      return fail(fmt::format("NodeName={}: no core is left for jobs", node.name));
    }
    for (std::uint32_t core : chosen) {
      for (std::uint32_t i = 0; i < per_core; ++i) node.spec_cpus.push_back(core * per_core + i);
    }
    return {};
  }

  // Takes CPUs and memory from what is left of the machine; answers what it has too little of.
  std::vector<std::string> take_share(ConfiguredNode& node) {
    const NodeTopology& topology = node.topology;
    const std::uint32_t threads =
        topology.sockets * topology.cores_per_socket * topology.threads_per_core;
    const std::uint32_t left_cpus = hardware_.cpus - next_cpu_;
    std::vector<std::string> reasons;
    const bool fits = take_cpus(node, threads, left_cpus);
    if (config_.service.config_overrides) {
      pinned_ &= fits;
      return reasons;
    }
    if (threads > left_cpus) reasons.emplace_back("Low socket*core*thread count");
    if (topology.cpus > left_cpus) reasons.emplace_back("Low CPUs");
    if (node.memory_mb > left_memory_mb_) {
      reasons.push_back(fmt::format("Low RealMemory (reported:{} < 100.00% of configured:{})",
                                    left_memory_mb_, node.memory_mb));
    } else {
      left_memory_mb_ -= node.memory_mb;
    }
    if (node.tmp_mb > hardware_.tmp_mb) reasons.emplace_back("Low TmpDisk");
    return reasons;
  }

  bool take_cpus(ConfiguredNode& node, std::uint32_t threads, std::uint32_t left_cpus) {
    if (threads > left_cpus) return false;
    const std::uint32_t per_cpu = threads / node.topology.cpus;
    auto id = hardware_.cpu_ids.begin() + next_cpu_;
    for (std::uint32_t cpu = 0; cpu < node.topology.cpus; ++cpu) {
      node.real_cpus.emplace_back(id, id + per_cpu);
      id += per_cpu;
    }
    next_cpu_ += threads;
    return true;
  }

  Status apply_down_nodes() {
    for (const DownNodesConfig& down : config_.down_nodes) {
      auto names = expand_hostlist(down.names);
      if (!names) return fail(fmt::format("DownNodes={}: {}", down.names, names.error().message));
      for (const std::string& name : *names) {
        auto node = std::find_if(nodes_.begin(), nodes_.end(),
                                 [&](const ConfiguredNode& n) { return n.name == name; });
        if (node == nodes_.end()) {
          return fail(fmt::format("DownNodes={}: no node is called {}", down.names, name));
        }
        node->state = state_of(down.state);
        node->reason = down.reason;
      }
    }
    return {};
  }

  const ClusterConfig& config_;
  const Hardware& hardware_;
  std::vector<std::string>& warnings_;
  DevicePool devices_;
  std::vector<ConfiguredNode> nodes_;
  std::set<std::string> seen_;
  std::uint32_t next_cpu_ = 0;
  std::uint64_t left_memory_mb_ = 0;
  bool pinned_ = true;
};

}  // namespace

std::uint64_t usable_memory_mb(std::uint64_t machine_mb) {
  constexpr std::uint64_t kLeast = 256;
  constexpr std::uint64_t kMost = 8192;
  const std::uint64_t kept = std::clamp(machine_mb / 20, kLeast, kMost);
  return std::max<std::uint64_t>(1, machine_mb > 2 * kept ? machine_mb - kept : machine_mb / 2);
}

Result<std::vector<ConfiguredNode>> cut_machine(const ClusterConfig& config,
                                                const Hardware& hardware,
                                                std::vector<std::string>& warnings) {
  return Cutter(config, hardware, warnings).cut();
}

}  // namespace grappe
