// Reasons to wait that need no look at resources: the partition is down, the limit is too long,
// the reservation has not begun.
#pragma once

#include <string>

#include "sched/snapshot.h"

namespace grappe::sched {

// The shortest run that the job accepts.
Time shortest_run(const PendingJob& job);
// As far as it must obey the partition.
Time most_time(const PendingJob& job, const Partition& partition);
// The longest that partition and deadline allow it if it starts at `start`.
Time longest_run(const PendingJob& job, const Partition& partition, Time start);

// kNone when the job may be looked at in this partition.
Reason gate(const Snapshot& snapshot, const PendingJob& job, const Partition& partition);

// Nothing but a change of the configuration or of the job ends such a wait.
bool is_hard(Reason reason);

// Slurm's long texts, shown instead of the reason's name.
std::string unavailable_text(const Snapshot& snapshot, const Bitmap& nodes);
inline constexpr const char* kReservedText = "ReqNodeNotAvail, May be reserved for other job";
inline constexpr const char* kNodesDownText =
    "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions";

}  // namespace grappe::sched
