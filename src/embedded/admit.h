// From a request to a job: defaults filled in, limits checked, or Slurm's refusal.
//
// Pure: looks at the cluster and at who asks, changes nothing.
#pragma once

#include <string>
#include <vector>

#include "books/membership.h"
#include "embedded/cluster.h"
#include "engine/engine.h"
#include "model/job.h"
#include "sched/snapshot.h"

namespace grappe::embedded {

struct Admission {
  Job job;  // without an id
  sched::Shape shape;
  uint32_t waits_for = 0;  // a Slurm error number that tells why it will wait, or 0
};

// What is asked for: where a job of a submission could run is looked at, but for one that is held;
// `--test-only` looks always; a change is taken, and the job then waits.
enum class Admitting { kSubmission, kTest, kChange };

Result<Admission> admit(const Cluster& cluster, const Books& books, const Caller& caller,
                        v1::JobSpec spec, int64_t now, Admitting what);

// Resources with the defaults of partition and cluster; also after a job was changed.
Result<Settled> settle(const Cluster& cluster, const v1::JobSpec& spec,
                       const std::vector<const ClusterPartition*>& partitions);

struct Freedom {
  bool held = false;  // nobody looks whether a node fits
  // Its QoS lets it run longer, on more nodes than its partition does.
  bool own_time = false, own_max_nodes = false;
};
// Could it ever run in one of its partitions? Refused with Slurm's words if not.
Status check_feasible(const Cluster& cluster, const Job& job, const sched::Shape& shape,
                      int64_t now, Freedom freedom, uint32_t* waits_for);

// More CPUs than each of its partitions has.
bool beyond_all_cpus(const Cluster& cluster, const Job& job);

// May this caller use this partition?
Status check_partition_access(const ClusterPartition& partition, const Caller& caller,
                              const v1::JobSpec& spec, const Membership& member);

}  // namespace grappe::embedded
