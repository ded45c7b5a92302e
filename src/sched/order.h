// Who is looked at first: jobs inside a reservation, then the priority tier of the partition,
// then priority, then the earlier submission, then the smaller job id.
#pragma once

#include <cstdint>
#include <vector>

#include "sched/snapshot.h"

namespace grappe::sched {

// A pending job in one of its partitions: a job that named several is looked at in each.
struct Candidate {
  uint32_t job = 0;  // index into Snapshot::pending
  PartitionIndex partition = 0;
};

std::vector<Candidate> look_order(const Snapshot& snapshot);

// What decides first, by the best of its partitions: the greater is looked at first.
uint64_t best_rank(const Snapshot& snapshot, const PendingJob& job);

}  // namespace grappe::sched
