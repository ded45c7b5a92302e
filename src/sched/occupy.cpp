#include "sched/occupy.h"

#include <algorithm>

#include "sched/machine.h"

namespace grappe::sched {
namespace {

void count_licenses(Snapshot& snapshot, const std::vector<LicenseNeed>& needs, bool taken) {
  for (const LicenseNeed& need : needs) {
    uint32_t& used = snapshot.licenses[need.license].used;
    used = taken ? used + need.count : used - std::min(used, need.count);
  }
}

// A CPU is free when the last of those who share it has gone.
void leave_shared(Node& node, PartitionIndex partition, const Bitmap& cpus) {
  for (Sharers& sharers : node.sharers) {
    if (sharers.partition != partition) continue;
    for (uint32_t cpu = cpus.next(0); cpu != UINT32_MAX; cpu = cpus.next(cpu + 1)) {
      if (cpu >= sharers.jobs.size() || sharers.jobs[cpu] == 0) continue;
      if (--sharers.jobs[cpu] == 0) node.used_cpus.clear(cpu);
    }
  }
}

}  // namespace

RunningJob running_job(const Snapshot& snapshot, const PendingJob& job, const Start& start) {
  const Partition& partition = snapshot.partitions[start.partition];
  RunningJob out;
  out.tag = job.tag;
  out.start = snapshot.now;
  out.end = start.time_limit >= kForever ? kForever : snapshot.now + start.time_limit;
  out.shares = start.shares;
  out.partition = start.partition;
  out.priority = job.priority;
  out.user = job.user;
  out.exclusive = partition.whole_nodes || job.shape->sharing == Sharing::kExclusive;
  out.shares_cpus = jobs_per_core(partition, *job.shape) > 1;
  out.licenses = job.licenses;
  out.reservation = job.reservation;
  out.preempt_class = job.preempt_class;
  for (std::size_t i = 0; i < job.chains.size(); ++i) {
    if (job.partitions[i] == start.partition) out.chain = job.chains[i];
  }
  out.tres = job.tres;
  out.alone = partition.exclusive_user || job.shape->sharing == Sharing::kUser;
  return out;
}

void occupy(Snapshot& snapshot, RunningJob job) {
  for (const NodeShare& share : job.shares) {
    Node& node = snapshot.nodes[share.node];
    node.used_cpus |= share.cpus;
    if (job.shares_cpus) add_sharer(node, job.partition, share.cpus);
    node.used_memory_mb += share.memory_mb;
    for (uint32_t device : share.devices) node.used_devices.set(device);
    ++node.jobs;
    if (job.exclusive) node.exclusive = true;
    if (job.alone) node.owner = job.user;
  }
  count_licenses(snapshot, job.licenses, true);
  snapshot.running.push_back(std::move(job));
}

void vacate(Snapshot& snapshot, std::size_t running) {
  const RunningJob& job = snapshot.running[running];
  for (const NodeShare& share : job.shares) {
    Node& node = snapshot.nodes[share.node];
    if (job.shares_cpus) {
      leave_shared(node, job.partition, share.cpus);
    } else if (!job.suspended) {
      node.used_cpus -= share.cpus;
    }
    node.used_memory_mb -= std::min(node.used_memory_mb, share.memory_mb);
    for (uint32_t device : share.devices) node.used_devices.clear(device);
    if (node.jobs > 0) --node.jobs;
    if (job.exclusive) node.exclusive = false;
    if (node.jobs == 0) node.owner = UINT32_MAX;
  }
  count_licenses(snapshot, job.licenses, false);
  if (running + 1 != snapshot.running.size()) {
    snapshot.running[running] = std::move(snapshot.running.back());
  }
  snapshot.running.pop_back();
}

}  // namespace grappe::sched
