#include "sched/gate.h"

#include <algorithm>

#include "base/hostlist.h"

namespace grappe::sched {
namespace {

Reason reservation_gate(const Snapshot& snapshot, const PendingJob& job) {
  if (job.reservation == UINT32_MAX) return Reason::kNone;
  if (job.reservation >= snapshot.reservations.size()) return Reason::kReservationDeleted;
  const Reservation& r = snapshot.reservations[job.reservation];
  bool begun = r.start <= snapshot.now || r.flexible;
  return begun && r.end > snapshot.now ? Reason::kNone : Reason::kReservation;
}

}  // namespace

Time shortest_run(const PendingJob& job) {
  return job.time_min > 0 ? std::min(job.time_min, job.time_limit) : job.time_limit;
}

Time longest_run(const PendingJob& job, const Partition& partition, Time start) {
  Time longest = std::min(job.time_limit, partition.max_time);
  return job.deadline ? std::min(longest, job.deadline - start) : longest;
}

Reason gate(const Snapshot& snapshot, const PendingJob& job, const Partition& partition) {
  if (!partition.up) {
    return partition.inactive ? Reason::kPartitionInactive : Reason::kPartitionDown;
  }
  if (shortest_run(job) > partition.max_time) return Reason::kPartitionTimeLimit;
  if (job.deadline && shortest_run(job) > job.deadline - snapshot.now) return Reason::kDeadLine;
  return reservation_gate(snapshot, job);
}

bool is_hard(Reason reason) {
  switch (reason) {
    case Reason::kPartitionDown:
    case Reason::kPartitionInactive:
    case Reason::kPartitionTimeLimit:
    case Reason::kPartitionNodeLimit:
    case Reason::kPartitionConfig:
    case Reason::kBadConstraints:
      return true;
    default:
      return false;
  }
}

std::string unavailable_text(const Snapshot& snapshot, const Bitmap& nodes) {
  std::vector<std::string> names;
  for (NodeIndex n : nodes.members()) names.push_back(snapshot.nodes[n].name);
  return "ReqNodeNotAvail, UnavailableNodes:" + fold_hostlist(names);
}

}  // namespace grappe::sched
