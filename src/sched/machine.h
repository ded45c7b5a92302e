// What the scheduler works out once about each node of a snapshot: cores rather than CPUs, and
// its devices counted by kind.
//
// CPUs are given out by whole cores (CR_Core), so that everything below counts cores.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sched/snapshot.h"

namespace grappe::sched {

struct NodeFacts {
  uint32_t cores = 1;
  uint32_t cpus_per_core = 1;
  uint32_t sockets = 1;
  std::vector<GresKind> kinds;   // of its devices, each once, in the order of the devices
  std::vector<uint32_t> counts;  // devices of each of `kinds`

  // The place of `kind` in `kinds`; kinds.size() when the node has none.
  std::size_t slot(GresKind kind) const;
  uint32_t cores_per_socket() const { return cores / sockets ? cores / sockets : 1; }
};

NodeFacts facts_of(const Node& node);

// The cores that these CPUs belong to.
uint32_t cores_of(const NodeFacts& facts, const Bitmap& cpus);
// The cores none of whose CPUs is taken, socket by socket.
std::vector<uint32_t> free_cores(const NodeFacts& facts, const Bitmap& used_cpus);

// How many jobs a core may serve at once for a job of this shape in this partition.
uint32_t jobs_per_core(const Partition& partition, const Shape& shape);
void add_sharer(Node& node, PartitionIndex partition, const Bitmap& cpus);
// Jobs that share the core in this partition; none when somebody has it who does not.
std::optional<uint32_t> sharers_of(const NodeFacts& facts, const Node& node,
                                   PartitionIndex partition, uint32_t core);

}  // namespace grappe::sched
