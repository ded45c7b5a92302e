// Why a pending job waits, and the smallest changes that would start it sooner.
//
// Nothing is guessed: what is free comes from the tables that the plan is made of, and every change
// is tried by planning again with the job as it would be.
#pragma once

#include <cstdint>
#include <vector>

#include "sched/plan.h"

namespace grappe::sched {

// One resource of a node, as this job meets it now.
struct Supply {
  enum class What : uint8_t { kCores, kMemory, kDevices };
  What what = What::kCores;
  GresKind kind = 0;  // of devices
  uint64_t free = 0, total = 0;
  bool is_short = false;  // too little is free for as much of the job as the node could take
};

struct NodeView {
  NodeIndex node = 0;
  bool available = true;
  std::vector<Supply> supplies;  // only what the job asks for
  bool is_short() const;
};

struct Remedy {
  enum class What : uint8_t {
    kTimeLimit,  // `value`: seconds
    kMemory,     // MB, in the way it was asked: for a node, a CPU or a GPU
    kDevices,    // how many of `kind`, in the way it was asked
    kAnyType,    // of devices; `value`: how many, as before
    kCpusPerTask,
    kShareNodes,  // not --exclusive
    kAnyNode,     // not --nodelist, --exclude
    kAnyFeature,  // not --constraint
    kPartition,   // `value`: its index
  };
  What what = What::kTimeLimit;
  uint64_t value = 0;
  Time start = 0;
};

struct Explanation {
  Reason reason = Reason::kNone;
  std::string detail;
  Time expected_start = 0;  // 0: not within sight
  std::vector<NodeIndex> expected_nodes;
  bool kept = false;  // nobody behind it delays that start
  // There is room for it now, but others come first and would start later if it took it.
  bool fits_now = false;
  // Pending jobs that come before it and could use the same nodes: the first ones, and how many.
  std::vector<uint32_t> ahead;  // indexes into Snapshot::pending
  uint32_t ahead_count = 0;
  std::vector<NodeView> nodes;  // that it could use
  // Reservations of some of them that are not the job's, and that it would run into now.
  struct Reserved {
    uint32_t reservation = 0;
    std::vector<NodeIndex> nodes;
  };
  std::vector<Reserved> reserved;
  std::vector<uint32_t> waits_for;  // running jobs on the expected nodes that end until then
  std::vector<Remedy> remedies;     // the soonest first
};

// `index` of the job in Snapshot::pending; `partitions` that its owner may use.
Explanation explain(const Snapshot& snapshot, const Policy& policy, uint32_t index,
                    const std::vector<PartitionIndex>& partitions);

}  // namespace grappe::sched
