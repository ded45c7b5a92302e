// The lines of slurm.conf about nodes: NodeName=, NodeSet=, DownNodes=.
#pragma once

#include <span>

#include "model/config_line_keys.h"
#include "model/config_nodes.h"

namespace grappe {

std::span<const LineKey<NodeConfig>> node_line_keys();
std::span<const LineKey<NodeSetConfig>> node_set_line_keys();
std::span<const LineKey<DownNodesConfig>> down_nodes_line_keys();

// Every count of a node from those that were given, by Slurm's rules. When CPUs= fits neither the
// cores nor the threads, the threads win and `warning` says so.
NodeTopology complete_topology(const NodeConfig& node, std::string& warning);

}  // namespace grappe
