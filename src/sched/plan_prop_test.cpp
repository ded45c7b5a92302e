// What must hold of every plan, whatever the machine and the queue.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "sched/gate.h"
#include "sched/plan.h"
#include "sched/testing/builders.h"
#include "sched/testing/random.h"

namespace grappe::sched::testing {
namespace {

const PendingJob& job_of(const Cluster& c, uint64_t tag) {
  auto is = [tag](const PendingJob& job) { return job.tag == tag; };
  return *std::find_if(c.snapshot.pending.begin(), c.snapshot.pending.end(), is);
}

RC_GTEST_PROP(Plan, NothingIsGivenTwice, ()) {
  Cluster c;
  fill_randomly(c);
  Plan p = c.plan();
  std::vector<Node> nodes = c.snapshot.nodes;
  for (const Start& start : p.starts) {
    for (const NodeShare& share : start.shares) {
      Node& n = nodes[share.node];
      RC_ASSERT(!n.used_cpus.intersects(share.cpus));
      RC_ASSERT(share.cpus.any());
      RC_ASSERT(Bitmap::first(n.cpus).contains(share.cpus));
      n.used_cpus |= share.cpus;
      n.used_memory_mb += share.memory_mb;
      RC_ASSERT(n.used_memory_mb <= n.memory_mb);
      for (uint32_t d : share.devices) {
        RC_ASSERT(d < n.devices.size());
        RC_ASSERT(!n.used_devices.test(d));
        n.used_devices.set(d);
      }
    }
  }
}

RC_GTEST_PROP(Plan, EveryPendingJobStartsOrHasAReason, ()) {
  Cluster c;
  fill_randomly(c);
  Plan p = c.plan();
  std::map<uint64_t, uint32_t> starts;
  for (const Start& start : p.starts) ++starts[start.tag];
  for (const PendingJob& job : c.snapshot.pending) {
    const Waiting* w = waiting(p, job.tag);
    RC_ASSERT(starts[job.tag] <= job.copies);
    RC_ASSERT((w != nullptr) == (starts[job.tag] < job.copies));
    if (!w) continue;
    RC_ASSERT(w->reason != Reason::kNone);
    if (w->expected_start) RC_ASSERT(w->expected_start > kNow);
  }
}

RC_GTEST_PROP(Plan, TheSameSnapshotGivesTheSamePlan, ()) {
  Cluster c;
  fill_randomly(c);
  Plan a = c.plan(), b = c.plan();
  RC_ASSERT(a.starts.size() == b.starts.size());
  for (std::size_t i = 0; i < a.starts.size(); ++i) {
    RC_ASSERT(a.starts[i].tag == b.starts[i].tag);
    RC_ASSERT(cpus_of(a, a.starts[i].tag) == cpus_of(b, a.starts[i].tag));
    RC_ASSERT(devices_of(a, a.starts[i].tag) == devices_of(b, a.starts[i].tag));
  }
  for (std::size_t i = 0; i < a.waiting.size(); ++i) {
    RC_ASSERT(why(a, a.waiting[i].tag) == why(b, a.waiting[i].tag));
  }
}

RC_GTEST_PROP(Plan, OnlyNodesThatMayBeUsedAreUsed, ()) {
  Cluster c;
  fill_randomly(c);
  Plan p = c.plan();
  for (const Start& start : p.starts) {
    const PendingJob& job = job_of(c, start.tag);
    const Partition& partition = c.snapshot.partitions[start.partition];
    RC_ASSERT(partition.up);
    RC_ASSERT(start.time_limit <= partition.max_time);
    Bitmap chosen;
    for (const NodeShare& share : start.shares) {
      RC_ASSERT(c.snapshot.nodes[share.node].available);
      RC_ASSERT(!chosen.test(share.node));
      chosen.set(share.node);
    }
    RC_ASSERT(partition.nodes.contains(chosen));
    RC_ASSERT(chosen.contains(job.shape->required_nodes));
    RC_ASSERT(!chosen.intersects(job.shape->excluded_nodes));
    RC_ASSERT(chosen.count() <= job.shape->max_nodes);
    RC_ASSERT(chosen.count() <= partition.max_nodes);
    uint32_t fewest = job.shape->min_nodes;
    if (job.shape->ntasks_given) fewest = std::min(fewest, job.shape->ntasks);
    RC_ASSERT(chosen.count() >= fewest);
  }
}

RC_GTEST_PROP(Plan, AJobGetsWhatItAskedFor, ()) {
  Cluster c;
  fill_randomly(c);
  Plan p = c.plan();
  for (const Start& start : p.starts) {
    const Shape& shape = *job_of(c, start.tag).shape;
    uint32_t tasks = 0, devices = 0;
    for (const NodeShare& share : start.shares) {
      tasks += share.tasks;
      devices += static_cast<uint32_t>(share.devices.size());
      RC_ASSERT(share.tasks > 0u);
      if (!shape.overcommit) RC_ASSERT(share.cpus.count() >= share.tasks * shape.cpus_per_task);
      RC_ASSERT(share.memory_mb >= shape.mem_per_node_mb);
      for (const GresNeed& need : shape.per_node) RC_ASSERT(share.devices.size() >= need.count);
      for (const GresNeed& need : shape.per_task) {
        RC_ASSERT(share.devices.size() >= need.count * share.tasks);
      }
    }
    if (shape.ntasks_given) RC_ASSERT(tasks == shape.ntasks);
    for (const GresNeed& need : shape.per_job) RC_ASSERT(devices >= need.count);
  }
}

RC_GTEST_PROP(Plan, TimeLimitsAreOnlyShortenedAsFarAsAllowed, ()) {
  Cluster c;
  fill_randomly(c);
  Plan p = c.plan();
  for (const Start& start : p.starts) {
    const PendingJob& job = job_of(c, start.tag);
    RC_ASSERT(start.time_limit <= job.time_limit);
    RC_ASSERT(start.time_limit >= shortest_run(job));
    if (job.deadline) RC_ASSERT(kNow + start.time_limit <= job.deadline);
  }
}

RC_GTEST_PROP(Plan, LicencesAreNotOverused, ()) {
  Cluster c;
  fill_randomly(c);
  Plan p = c.plan();
  uint32_t used = c.snapshot.licenses[0].used;
  for (const Start& start : p.starts) {
    for (const LicenseNeed& need : job_of(c, start.tag).licenses) used += need.count;
  }
  RC_ASSERT(used <= c.snapshot.licenses[0].total);
}

RC_GTEST_PROP(Plan, OutsidersKeepOffReservedNodes, ()) {
  Cluster c;
  fill_randomly(c);
  Plan p = c.plan();
  for (const Start& start : p.starts) {
    const PendingJob& job = job_of(c, start.tag);
    for (uint32_t r = 0; r < c.snapshot.reservations.size(); ++r) {
      const Reservation& reservation = c.snapshot.reservations[r];
      bool overlaps = reservation.start < kNow + start.time_limit && kNow < reservation.end;
      for (const NodeShare& share : start.shares) {
        bool inside = reservation.nodes.test(share.node);
        bool whole = reservation.cpus_per_node.empty();
        if (job.reservation == r && !reservation.flexible) RC_ASSERT(inside);
        if (job.reservation != r && overlaps && whole) RC_ASSERT(!inside);
      }
    }
  }
}

RC_GTEST_PROP(Plan, UsersWhoWantToBeAloneAre, ()) {
  Cluster c;
  fill_randomly(c);
  Plan p = c.plan();
  std::map<NodeIndex, std::vector<std::pair<uint32_t, bool>>> users;
  for (const RunningJob& job : c.snapshot.running) {
    users[job.shares[0].node].push_back({job.user, false});
  }
  for (const Start& start : p.starts) {
    const PendingJob& job = job_of(c, start.tag);
    bool alone = job.shape->sharing == Sharing::kUser ||
                 c.snapshot.partitions[start.partition].exclusive_user;
    for (const NodeShare& share : start.shares) {
      for (auto [user, other_alone] : users[share.node]) {
        if (user != job.user) RC_ASSERT(!alone && !other_alone);
      }
      users[share.node].push_back({job.user, alone});
    }
  }
}

RC_GTEST_PROP(Plan, QuotasOfCpusOnANodeHold, ()) {
  Cluster c;
  fill_randomly(c);
  for (Partition& partition : c.snapshot.partitions) partition.whole_nodes = false;
  Plan p = c.plan();
  std::map<std::pair<PartitionIndex, NodeIndex>, uint32_t> used;
  for (const RunningJob& job : c.snapshot.running) {
    used[{job.partition, job.shares[0].node}] += job.shares[0].cpus.count();
  }
  for (const Start& start : p.starts) {
    for (const NodeShare& share : start.shares) {
      uint32_t& sum = used[{start.partition, share.node}];
      sum += share.cpus.count();
      RC_ASSERT(sum <= c.snapshot.partitions[start.partition].max_cpus_per_node);
    }
  }
}

// Jobs of lower priority never make one of higher priority start later than it would alone.
RC_GTEST_PROP(Plan, ThoseBehindDelayNobody, ()) {
  Cluster c;
  fill_randomly(c);
  c.policy = {};
  fill_rules(c.policy);
  for (Partition& partition : c.snapshot.partitions) partition.priority_tier = 1;
  for (PendingJob& job : c.snapshot.pending) {
    job.partitions.shorten(1);
    job.reservation = UINT32_MAX;
  }
  Plan all = c.plan();
  uint32_t keep = number(1, 5);
  Snapshot ahead = c.snapshot;
  std::erase_if(ahead.pending, [&](const PendingJob& job) { return job.priority < keep; });
  Plan few = sched::plan(ahead, c.policy);
  for (const PendingJob& job : ahead.pending) {
    RC_ASSERT(cpus_of(all, job.tag) == cpus_of(few, job.tag));
    const Waiting* with = waiting(all, job.tag);
    const Waiting* without = waiting(few, job.tag);
    RC_ASSERT((with == nullptr) == (without == nullptr));
    if (with) RC_ASSERT(with->expected_start == without->expected_start);
  }
}

// However many planned starts are kept: those that are, nobody behind delays.
RC_GTEST_PROP(Plan, ThoseBehindDelayNoKeptStart, ()) {
  Cluster c;
  fill_randomly(c);
  c.policy = {};
  fill_rules(c.policy);
  fill_protection(c.policy);
  for (Partition& partition : c.snapshot.partitions) partition.priority_tier = 1;
  for (PendingJob& job : c.snapshot.pending) {
    job.partitions.shorten(1);
    job.reservation = UINT32_MAX;
    job.licenses.clear();  // pools have them in common
  }
  const Plan all = c.plan();
  for (const Waiting& promised : all.waiting) {
    if (!promised.kept) continue;
    Snapshot ahead = c.snapshot;
    const uint32_t priority = job_of(c, promised.tag).priority;
    std::erase_if(ahead.pending, [&](const PendingJob& job) { return job.priority < priority; });
    const Plan few = sched::plan(ahead, c.policy);
    const Waiting* alone = waiting(few, promised.tag);
    RC_ASSERT(alone != nullptr);
    RC_ASSERT(alone->expected_start == promised.expected_start);
  }
}

// What was started leaves the first planned job its time. (Those behind it may move: it may find a
// better place than it was promised, and they must go round it.)
RC_GTEST_PROP(Plan, TheFirstPlannedStartIsKept, ()) {
  Cluster c;
  fill_randomly(c);
  c.policy = {};
  fill_rules(c.policy);
  fill_protection(c.policy);
  c.snapshot.reservations.clear();
  for (Node& n : c.snapshot.nodes) n.available = true;
  for (Partition& partition : c.snapshot.partitions) partition.exclusive_user = false;
  // A snapshot doesn't say which of a user's jobs claims a node, so all are taken to; and what is
  // near to what is only looked at when a job starts.
  std::erase_if(c.snapshot.pending, [](const PendingJob& job) {
    return job.shape->sharing == Sharing::kUser || job.shape->enforce_binding;
  });
  for (PendingJob& job : c.snapshot.pending) {
    job.reservation = UINT32_MAX;
    job.partitions.shorten(1);
    job.deadline = job.time_min = 0;
    job.copies = 1;
  }
  Plan first = c.plan();
  auto planned = [](const Waiting& w) { return w.kept; };
  auto promised = std::find_if(first.waiting.begin(), first.waiting.end(), planned);
  if (promised == first.waiting.end()) return;
  // The machine a moment later: what started runs.
  Cluster later;
  later.snapshot = c.snapshot;
  later.policy = c.policy;
  for (const Start& start : first.starts) {
    RunningJob run;
    const PendingJob& job = job_of(c, start.tag);
    run.tag = start.tag;
    run.end = kNow + start.time_limit;
    run.shares = start.shares;
    run.partition = start.partition;
    run.user = job.user;
    run.licenses = job.licenses;
    for (const LicenseNeed& need : job.licenses) later.snapshot.licenses[0].used += need.count;
    for (const NodeShare& share : start.shares) {
      Node& n = later.snapshot.nodes[share.node];
      n.used_cpus |= share.cpus;
      n.used_memory_mb += share.memory_mb;
      for (uint32_t d : share.devices) n.used_devices.set(d);
    }
    later.snapshot.running.push_back(std::move(run));
    std::erase_if(later.snapshot.pending, [&](const PendingJob& j) { return j.tag == start.tag; });
  }
  later.snapshot.now = kNow;
  Plan second = later.plan();
  const Waiting* w = waiting(second, promised->tag);
  if (!w) return;  // it starts even now
  RC_ASSERT(w->expected_start != 0);
  RC_ASSERT(w->expected_start <= promised->expected_start);
}

}  // namespace
}  // namespace grappe::sched::testing
