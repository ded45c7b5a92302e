#include "model/config_node_lines.h"

#include <array>

namespace grappe {

namespace {

using Node = NodeConfig;

struct StateWord {
  std::string_view word;
  ConfiguredNodeState state;
};

// IDLE is what a healthy node becomes by itself.
constexpr std::array<StateWord, 7> kStates = {{
    {"UNKNOWN", ConfiguredNodeState::kUnknown},
    {"IDLE", ConfiguredNodeState::kUnknown},
    {"DOWN", ConfiguredNodeState::kDown},
    {"DRAIN", ConfiguredNodeState::kDrain},
    {"FAIL", ConfiguredNodeState::kFail},
    {"FAILING", ConfiguredNodeState::kFailing},
    {"FUTURE", ConfiguredNodeState::kFuture},
}};

Result<ConfiguredNodeState> read_node_state(std::string_view key, std::string_view value) {
  if (iequals(value, "CLOUD")) {
    return fail("State=CLOUD: a node is a part of this machine, there is no cloud");
  }
  for (const StateWord& row : kStates) {
    if (iequals(row.word, value)) return row.state;
  }
  return invalid_option(key, value);
}

template <class T>
Status set_state(const LineKey<T>& key, std::string_view value, T& record) {
  return line_rows::store(read_node_state(key.name, value), record.state);
}

constexpr std::uint64_t kMaxCpus = 65533;
constexpr std::uint64_t kMaxMegabytes = std::uint64_t{1} << 50;

constexpr LineKey<NodeConfig> kNodeKeys[] = {
    line_rows::text<&Node::names>("NodeName"),
    line_rows::text<&Node::hostname>("NodeHostname"),
    line_rows::text<&Node::address>("NodeAddr"),
    line_rows::text<&Node::port>("Port"),
    line_rows::no_effect<Node>("BcastAddr", "all nodes are this machine"),
    line_rows::number<&Node::boards>("Boards", 1, kMaxCpus),
    line_rows::number<&Node::core_spec_count>("CoreSpecCount", 0, kMaxCpus),
    line_rows::number<&Node::cores_per_socket>("CoresPerSocket", 1, kMaxCpus),
    line_rows::cpu_bind<&Node::cpu_bind>("CpuBind"),
    line_rows::number<&Node::cpus>("CPUs", 1, kMaxCpus),
    line_rows::number<&Node::cpus>("Procs", 1, kMaxCpus),
    line_rows::text<&Node::cpu_spec_list>("CpuSpecList"),
    line_rows::list<&Node::features>("Features"),
    line_rows::list<&Node::features>("Feature"),
    line_rows::text<&Node::gres>("Gres"),
    line_rows::number<&Node::mem_spec_limit_mb>("MemSpecLimit", 0, kMaxMegabytes),
    line_rows::number<&Node::real_memory_mb>("RealMemory", 1, kMaxMegabytes),
    line_rows::text<&Node::reason>("Reason"),
    line_rows::number<&Node::sockets>("Sockets", 1, kMaxCpus),
    line_rows::number<&Node::sockets_per_board>("SocketsPerBoard", 1, kMaxCpus),
    {"State", set_state<NodeConfig>},
    line_rows::number<&Node::threads_per_core>("ThreadsPerCore", 1, kMaxCpus),
    line_rows::number<&Node::tmp_disk_mb>("TmpDisk", 0, kMaxMegabytes),
    line_rows::no_effect<Node>("TRESWeights", "nobody is billed"),
    line_rows::number<&Node::weight>("Weight"),
};

constexpr LineKey<NodeSetConfig> kNodeSetKeys[] = {
    line_rows::text<&NodeSetConfig::name>("NodeSet"),
    line_rows::text<&NodeSetConfig::nodes>("Nodes"),
    line_rows::text<&NodeSetConfig::feature>("Feature"),
};

constexpr LineKey<DownNodesConfig> kDownNodesKeys[] = {
    line_rows::text<&DownNodesConfig::names>("DownNodes"),
    {"State", set_state<DownNodesConfig>},
    line_rows::text<&DownNodesConfig::reason>("Reason"),
};

}  // namespace

std::span<const LineKey<NodeConfig>> node_line_keys() {
  return kNodeKeys;
}
std::span<const LineKey<NodeSetConfig>> node_set_line_keys() {
  return kNodeSetKeys;
}
std::span<const LineKey<DownNodesConfig>> down_nodes_line_keys() {
  return kDownNodesKeys;
}

NodeTopology complete_topology(const NodeConfig& node, std::string& warning) {
  NodeTopology topology;
  topology.boards = node.boards.value_or(1);
  topology.cores_per_socket = node.cores_per_socket.value_or(1);
  topology.threads_per_core = node.threads_per_core.value_or(1);

  const std::uint64_t cpus_per_socket =
      std::uint64_t{topology.cores_per_socket} * topology.threads_per_core;
  std::uint64_t sockets_per_board = 1;
  if (node.sockets_per_board || node.sockets) {
    sockets_per_board = node.sockets_per_board ? *node.sockets_per_board : *node.sockets;
  } else if (node.cpus) {
    sockets_per_board = std::max<std::uint64_t>(1, *node.cpus / cpus_per_socket / topology.boards);
  }
  const std::uint64_t sockets = sockets_per_board * topology.boards;
  const std::uint64_t threads = sockets * cpus_per_socket;
  if (threads > kMaxCpus) {
    warning =
        fmt::format("NodeName={} has more than {} CPUs: treated as 1 CPU", node.names, kMaxCpus);
    return {};
  }
  topology.sockets = static_cast<std::uint32_t>(sockets);
  topology.cpus = static_cast<std::uint32_t>(threads);
  if (!node.cpus || *node.cpus == threads) return topology;
  if (*node.cpus == sockets * topology.cores_per_socket) {
    topology.cpus = *node.cpus;
    return topology;
  }
  warning = fmt::format(
      "NodeNames={} CPUs={} match no Sockets, Sockets*CoresPerSocket or "
      "Sockets*CoresPerSocket*ThreadsPerCore. Resetting CPUs.",
      node.names, *node.cpus);
  return topology;
}

}  // namespace grappe
