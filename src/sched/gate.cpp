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

// What the job has on a node at the least.
uint64_t least_memory(const Snapshot& snapshot, const Shape& shape, const Partition& partition) {
  if (shape.mem_per_gpu_mb) return 0;
  if (shape.all_memory) return UINT64_MAX;
  if (shape.mem_per_node_mb) return shape.mem_per_node_mb;
  uint64_t cpus = shape.min_cpus_per_node;
  if (shape.sharing == Sharing::kExclusive || partition.whole_nodes) {
    for (NodeIndex n : partition.nodes.members()) {
      cpus = std::max<uint64_t>(cpus, snapshot.nodes[n].cpus);
    }
  }
  const uint64_t each = shape.mem_per_cpu_mb;
  return each && cpus > UINT64_MAX / each ? UINT64_MAX : cpus * each;
}

}  // namespace

Time shortest_run(const PendingJob& job) {
  return job.time_min > 0 ? std::min(job.time_min, job.time_limit) : job.time_limit;
}

Time most_time(const PendingJob& job, const Partition& partition) {
  return job.own_time ? kForever : partition.max_time;
}

Time longest_run(const PendingJob& job, const Partition& partition, Time start) {
  Time longest = std::min(job.time_limit, most_time(job, partition));
  return job.deadline ? std::min(longest, job.deadline - start) : longest;
}

Reason gate(const Snapshot& snapshot, const PendingJob& job, const Partition& partition) {
  if (!partition.up) {
    return partition.inactive ? Reason::kPartitionInactive : Reason::kPartitionDown;
  }
  if (shortest_run(job) > most_time(job, partition)) return Reason::kPartitionTimeLimit;
  if (partition.max_memory_mb != UINT64_MAX &&
      least_memory(snapshot, *job.shape, partition) > partition.max_memory_mb) {
    return Reason::kMaxMemPerLimit;
  }
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
    case Reason::kMaxMemPerLimit:
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
