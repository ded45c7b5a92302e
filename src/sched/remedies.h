// The search for changes of a pending job that would start it sooner.
//
// Changes of one sort form a ladder, from the smallest to the largest; the larger the change, the
// sooner the start. So the smallest one that helps is found by halving, and so is the smallest that
// starts the job at once.
#pragma once

#include <vector>

#include "sched/why.h"

namespace grappe::sched {

std::vector<Remedy> find_remedies(const Snapshot& snapshot, const Policy& policy, uint32_t index,
                                  const std::vector<PartitionIndex>& partitions,
                                  const Explanation& now);

// The job with the change made.
struct Changed {
  Shape shape;
  PendingJob job;  // its shape is not set
};
Changed changed(const Snapshot& snapshot, const PendingJob& job, const Remedy& remedy);

}  // namespace grappe::sched
