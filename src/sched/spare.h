// A rough view of what is free at this instant in a partition, for dismissing at once the many
// jobs that can't start now.
#pragma once

#include <cstdint>
#include <vector>

#include "sched/snapshot.h"
#include "sched/timeline.h"

namespace grappe::sched {

class Spare {
 public:
  Spare(const Snapshot& snapshot, const Timeline& timeline, PartitionIndex partition);

  // Certainly too big for what is free; never says so of a job that could start.
  bool rules_out(const Shape& shape) const;

 private:
  uint32_t free_devices(const GresNeed& need) const;

  const Snapshot& snapshot_;
  const Partition& partition_;
  uint64_t most_cpus_ = 0, cpus_ = 0;  // on one node, on all
  int64_t most_memory_mb_ = 0;
  uint32_t nodes_ = 0;             // with a free core
  uint32_t idle_nodes_ = 0;        // with all cores free
  std::vector<uint32_t> devices_;  // by kind, on all nodes
};

}  // namespace grappe::sched
