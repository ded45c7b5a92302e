// The scheduler is a function: plan(snapshot, policy) says who starts where, and for every other
// pending job why not, and when it is expected to.
//
// It runs the same in the daemon, in a test, in the simulator and in a forecast. No clock, no
// thread, no log, no file, no unseeded random.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sched/placement_rules.h"
#include "sched/snapshot.h"

namespace grappe::sched {

// See backfill_order.h.
enum class BackfillOrder : uint8_t { kPriority, kSmallFirst, kShortestLimit, kShortestRun };

inline constexpr uint32_t kEverybody = UINT32_MAX;

// As it stands: what Slurm does, but by GPU, core and megabyte.
struct Policy {
  Time window = 86400;                   // how far ahead backfill plans (bf_window)
  uint32_t depth = UINT32_MAX;           // pending jobs looked at (default_queue_depth)
  uint32_t max_reservations = 500;       // of each pool: get a planned start (bf_max_job_test)
  uint32_t max_array_reservations = 20;  // of which tasks of one array (bf_max_job_array_resv)
  bool backfill = true;                  // false: strict priority order
  bool whole_node_reservations = false;  // as Slurm plans; for comparison
  // Who waits for a limit stops all that come after it in its partition (assoc_limit_stop).
  bool limit_stop = false;
  // The first so many of each pool of partitions keep their planned start, whoever comes after
  // them; the others fill the gaps in the order below.
  uint32_t protected_jobs = kEverybody;
  BackfillOrder backfill_order = BackfillOrder::kPriority;
  Time small_job = 60;       // CPU-seconds by its limit: not more is small
  uint32_t small_wait = 20;  // small jobs go first once they have waited so many times their limit
  // In pools without GPUs the window, the number and the order are first_in_line_policy()'s
  // (protection.h).
  bool by_pool = false;
  bool foretell = true;  // also when those are expected to start whose planned start is not kept
  PlacementRules placement;
};

// Only the first in line has a planned start that is kept, however far off, and crumbs go first
// among the others: docs/decisions/008 has the figures.
Policy first_in_line_policy();

// What the service does where nobody has said otherwise: that in pools without GPUs, and every
// planned start is kept in the others.
Policy default_policy();

struct Start {
  uint64_t tag = 0;
  PartitionIndex partition = 0;
  std::vector<NodeShare> shares;
  Time time_limit = 0;      // possibly shortened, down to time_min
  bool backfilled = false;  // it passed a job of higher priority
};

struct Waiting {
  uint64_t tag = 0;
  Reason reason = Reason::kNone;
  std::string detail;       // Slurm's longer text, shown instead of the reason's name; or empty
  Time expected_start = 0;  // 0: not planned
  std::vector<NodeIndex> expected_nodes;
  bool kept = false;  // nobody behind it delays the expected start; else it is an estimate
};

// A running job that makes room for a pending one, which starts when it is gone.
struct Evicted {
  uint64_t tag = 0;
  uint64_t by = 0;
};

struct Plan {
  std::vector<Start> starts;          // in the order decided
  std::vector<Evicted> evicted;       // none twice
  std::vector<Waiting> waiting;       // every pending job that was looked at and not started
  uint32_t tested = 0, reserved = 0;  // for sdiag
};

Plan plan(const Snapshot& snapshot, const Policy& policy);

// Could this shape ever run in this partition, on an empty machine? The reason if not:
// kNone when it can; kBadConstraints where nodes of this kind don't exist ("Requested node
// configuration is not available"), kPartitionNodeLimit where only the partition forbids it.
Reason feasible(const Snapshot& snapshot, const Shape& shape, PartitionIndex partition);

// The expected start and place of a pending job, however far off. Reason kNone: it starts now.
Waiting start_of(const Snapshot& snapshot, const Policy& policy, uint32_t index);

// The earliest start and place of one job if it were submitted now (sbatch --test-only).
Waiting expected_start(const Snapshot& snapshot, const Policy& policy, const PendingJob& job);

}  // namespace grappe::sched
