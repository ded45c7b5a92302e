// Could a shape ever run here, on an empty machine?
#pragma once

#include <vector>

#include "sched/machine.h"
#include "sched/needs.h"
#include "sched/place/room.h"
#include "sched/snapshot.h"

namespace grappe::sched {

// The node has what one task needs, nothing being in use: geometry, features, memory, disk,
// devices. Whether it is up doesn't matter.
bool node_suits(const Needs& needs, const Site& site, NodeIndex index);

// The nodes of the partition that suit, but for those the job excludes.
Bitmap suitable_nodes(const Snapshot& snapshot, const std::vector<NodeFacts>& facts,
                      const Needs& needs, PartitionIndex partition);

// What the partition forbids whatever the nodes: number of nodes, total of CPUs.
Reason partition_limits(const Snapshot& snapshot, const Needs& needs, PartitionIndex partition);

// As feasible() in plan.h, with the work done so far.
Reason feasible_on(const Snapshot& snapshot, const std::vector<NodeFacts>& facts,
                   const Needs& needs, PartitionIndex partition, const Bitmap& suitable);

}  // namespace grappe::sched
