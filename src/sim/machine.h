// The machine that a workload is run on.
//
//   100                  100 CPUs that any job may have, wherever they are
//   64x8                 64 nodes of 8 CPUs
//   16x64:gpu=8:mem=1T   with GPUs and memory
//   16x64:gpu=8:links=4  of the GPUs, each four talk fast to each other
//   4x64+2x32:gpu=4      several kinds
//
// Memory counts only where it is given.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sched/snapshot.h"

namespace grappe::sim {

struct NodeGroup {
  uint32_t nodes = 1, cpus = 1, gpus = 0;
  uint64_t memory_mb = 0;
  uint32_t links = 0;  // GPUs in a group of links; 0: all of the node
};

struct Machine {
  std::vector<NodeGroup> groups;

  uint64_t cpus() const;
  uint64_t gpus() const;
  uint32_t gpus_per_node() const;  // of the node that has most
  bool counts_memory() const;
  bool has_links() const;
};

Result<Machine> parse_machine(std::string_view text);
std::string machine_text(const Machine& machine);

// Everything is free and one partition, the first, has all of it.
sched::Snapshot empty_machine(const Machine& machine);

}  // namespace grappe::sim
