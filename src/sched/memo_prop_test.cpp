// What is remembered of a shape changes how fast a plan is made, never the plan.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <deque>

#include "sched/testing/builders.h"
#include "sched/testing/random.h"

namespace grappe::sched::testing {
namespace {

// A queue of many jobs of few shapes.
void add_alike(Cluster& c) {
  c.snapshot.pending.clear();
  std::vector<JobSpec> kinds;
  for (uint32_t i = number(1, 3); i > 0; --i) {
    kinds.push_back(random_job(c));
    // What is near to what is not counted, so a failure for its lack is no rule for others.
    kinds.back().shape.enforce_binding = false;
  }
  std::vector<const Shape*> shapes;
  for (uint64_t tag = 1; tag <= number(5, 30); ++tag) {
    std::size_t kind = number(0, static_cast<uint32_t>(kinds.size()) - 1);
    JobSpec spec = kinds[kind];
    spec.time(number(1, 30) * 100, coin(5) ? number(1, 5) * 60 : 0).user(number(0, 2));
    uint32_t partition = number(0, static_cast<uint32_t>(c.snapshot.partitions.size()) - 1);
    c.job(tag, spec.in({partition}).priority(number(1, 5)));
    while (shapes.size() <= kind) shapes.push_back(nullptr);
    if (!shapes[kind]) shapes[kind] = c.snapshot.pending.back().shape;
    c.snapshot.pending.back().shape = shapes[kind];
  }
}

void expect_same(const Plan& a, const Plan& b) {
  RC_ASSERT(a.starts.size() == b.starts.size());
  for (std::size_t i = 0; i < a.starts.size(); ++i) {
    RC_ASSERT(a.starts[i].tag == b.starts[i].tag);
    RC_ASSERT(a.starts[i].time_limit == b.starts[i].time_limit);
    RC_ASSERT(a.starts[i].shares.size() == b.starts[i].shares.size());
    for (std::size_t s = 0; s < a.starts[i].shares.size(); ++s) {
      RC_ASSERT(a.starts[i].shares[s].node == b.starts[i].shares[s].node);
      RC_ASSERT(a.starts[i].shares[s].cpus == b.starts[i].shares[s].cpus);
      RC_ASSERT(a.starts[i].shares[s].devices == b.starts[i].shares[s].devices);
    }
  }
  RC_ASSERT(a.waiting.size() == b.waiting.size());
  for (std::size_t i = 0; i < a.waiting.size(); ++i) {
    RC_ASSERT(a.waiting[i].tag == b.waiting[i].tag);
    RC_ASSERT(a.waiting[i].expected_start == b.waiting[i].expected_start);
  }
}

RC_GTEST_PROP(MemoProp, SharedShapesGiveThePlanOfSeparateOnes, ()) {
  Cluster c;
  fill_randomly(c);
  add_alike(c);
  c.policy.max_reservations = UINT32_MAX;
  Plan shared = c.plan();
  std::deque<Shape> copies;
  for (PendingJob& job : c.snapshot.pending) job.shape = &copies.emplace_back(*job.shape);
  expect_same(shared, c.plan());
}

RC_GTEST_PROP(MemoProp, WithoutPlannedStartsTooTheSameJobsStart, ()) {
  Cluster c;
  fill_randomly(c);
  add_alike(c);
  c.policy = {};
  c.policy.max_reservations = 0;
  Plan shared = c.plan();
  std::deque<Shape> copies;
  for (PendingJob& job : c.snapshot.pending) job.shape = &copies.emplace_back(*job.shape);
  Plan separate = c.plan();
  RC_ASSERT(shared.starts.size() == separate.starts.size());
  for (std::size_t i = 0; i < shared.starts.size(); ++i) {
    RC_ASSERT(shared.starts[i].tag == separate.starts[i].tag);
  }
}

}  // namespace
}  // namespace grappe::sched::testing
