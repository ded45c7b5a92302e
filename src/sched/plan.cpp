#include "sched/plan.h"

#include <algorithm>

#include "sched/backfill.h"

namespace grappe::sched {

Policy first_in_line_policy() {
  Policy policy;
  policy.window = kForever / 2;
  policy.protected_jobs = 1;
  policy.backfill_order = BackfillOrder::kSmallFirst;
  return policy;
}

Policy default_policy() {
  Policy policy;
  policy.by_pool = true;
  return policy;
}

Plan plan(const Snapshot& snapshot, const Policy& policy) {
  return Planner(snapshot, policy).run();
}

Waiting start_of(const Snapshot& snapshot, const Policy& policy, uint32_t index) {
  const PendingJob& job = snapshot.pending[index];
  Plan result = Planner(snapshot, policy).run_until(index);
  for (const Start& start : result.starts) {
    if (start.tag != job.tag) continue;
    Waiting now{job.tag, Reason::kNone, {}, snapshot.now, {}, true};
    for (const NodeShare& share : start.shares) now.expected_nodes.push_back(share.node);
    return now;
  }
  for (Waiting& waiting : result.waiting) {
    if (waiting.tag == job.tag) return std::move(waiting);
  }
  return {job.tag};
}

Waiting expected_start(const Snapshot& snapshot, const Policy& policy, const PendingJob& job) {
  Snapshot with = snapshot;
  with.pending.push_back(job);
  return start_of(with, policy, static_cast<uint32_t>(snapshot.pending.size()));
}

}  // namespace grappe::sched
