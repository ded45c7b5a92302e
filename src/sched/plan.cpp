#include "sched/plan.h"

#include <algorithm>

#include "sched/backfill.h"

namespace grappe::sched {

Plan plan(const Snapshot& snapshot, const Policy& policy) {
  return Planner(snapshot, policy).run();
}

Waiting expected_start(const Snapshot& snapshot, const Policy& policy, const PendingJob& job) {
  Snapshot with = snapshot;
  with.pending.push_back(job);
  Plan result = Planner(with, policy).run(static_cast<uint32_t>(snapshot.pending.size()));
  for (const Start& start : result.starts) {
    if (start.tag != job.tag) continue;
    Waiting now{job.tag, Reason::kNone, {}, snapshot.now, {}};
    for (const NodeShare& share : start.shares) now.expected_nodes.push_back(share.node);
    return now;
  }
  for (Waiting& waiting : result.waiting) {
    if (waiting.tag == job.tag) return std::move(waiting);
  }
  return {job.tag};
}

}  // namespace grappe::sched
