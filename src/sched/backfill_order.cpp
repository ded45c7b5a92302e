#include "sched/backfill_order.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace grappe::sched {
namespace {

// CPUs and GPUs count alike.
uint64_t units_of(const Shape& shape) {
  uint64_t nodes = std::max(shape.min_nodes, 1u);
  uint64_t tasks = shape.ntasks_given ? shape.ntasks : nodes;
  uint64_t units =
      std::max(tasks * std::max(shape.cpus_per_task, 1u), nodes * shape.min_cpus_per_node);
  for (const GresNeed& need : shape.per_job) units += need.count;
  for (const GresNeed& need : shape.per_node) units += nodes * need.count;
  for (const GresNeed& need : shape.per_task) units += tasks * need.count;
  return shape.sharing == Sharing::kExclusive ? UINT32_MAX : units;
}

// A crumb that has waited out of all proportion. That it goes first costs others next to nothing.
bool goes_first(const Snapshot& snapshot, const Policy& policy, const PendingJob& job) {
  if (job.time_limit > policy.small_job) return false;
  Time wait = snapshot.now - job.submit_time;
  return wait >= job.time_limit * policy.small_wait &&
         static_cast<uint64_t>(job.time_limit) * units_of(*job.shape) <=
             static_cast<uint64_t>(policy.small_job);
}

// The smaller first.
Time key_of(const Snapshot& snapshot, const Policy& policy, BackfillOrder order,
            const PendingJob& job) {
  switch (order) {
    case BackfillOrder::kPriority:
      return 0;
    case BackfillOrder::kSmallFirst:
      return goes_first(snapshot, policy, job) ? 0 : 1;
    case BackfillOrder::kShortestLimit:
      return job.time_limit;
    case BackfillOrder::kShortestRun:
      return job.expected_run ? std::min(job.expected_run, job.time_limit) : job.time_limit;
  }
  return 0;
}

}  // namespace

void order_for_backfill(const Snapshot& snapshot, const Policy& policy,
                        const BackfillOrders& orders, std::span<Candidate> candidates) {
  const bool as_they_are =
      std::all_of(orders.protections.begin(), orders.protections.end(),
                  [](const Protection& p) { return p.order == BackfillOrder::kPriority; });
  if (as_they_are) return;
  struct Keyed {
    Time key;
    Candidate candidate;
  };
  std::vector<Keyed> keyed;
  keyed.reserve(candidates.size());
  for (const Candidate& c : candidates) {
    const BackfillOrder order = orders.protections[orders.pools[c.partition]].order;
    keyed.push_back({key_of(snapshot, policy, order, snapshot.pending[c.job]), c});
  }
  auto before = [](const Keyed& a, const Keyed& b) { return a.key < b.key; };
  std::stable_sort(keyed.begin(), keyed.end(), before);
  for (std::size_t i = 0; i < keyed.size(); ++i) candidates[i] = keyed[i].candidate;
}

}  // namespace grappe::sched
