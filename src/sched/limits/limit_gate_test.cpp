// Limits in the plan.
#include "sched/limits/limit_gate.h"

#include <gtest/gtest.h>

#include "sched/testing/builders.h"

namespace grappe::sched::testing {
namespace {

// Everybody is in one association with a limit on CPUs (counter 0), and one job counts as much as
// its tasks.
struct Limited {
  Cluster c;
  std::deque<TresAmounts> asked;
  std::shared_ptr<LimitTable> table = std::make_shared<LimitTable>();

  explicit Limited(LimitSet limits) {
    c.nodes(2, node(8).gpus(4));
    const std::vector<std::string> tres{"cpu", "mem", "node", "gres/gpu"};
    LimitLevels levels;
    levels.associations = {{std::move(limits), 0}};
    table->chains = std::make_shared<const std::vector<LimitChain>>(
        std::vector<LimitChain>{settle_limits(levels, tres)});
    table->in_use = InUse(1, tres.size(), 2);
    table->gres = {{3}};
    c.snapshot.limits = table;
  }
  PendingJob& job(uint64_t tag, const JobSpec& spec) {
    PendingJob& added = c.job(tag, spec);
    asked.push_back({spec.shape.ntasks * spec.shape.cpus_per_task, 0, spec.shape.min_nodes, 0});
    added.tres = &asked.back();
    added.chains = {0};
    return added;
  }
};

LimitSet cpus(uint64_t most) {
  LimitSet out;
  out.grp_tres = {most, kNoLimit, kNoLimit, kNoLimit};
  return out;
}

TEST(LimitGate, StartsOfOnePlanCountTogether) {
  Limited l(cpus(4));
  for (uint64_t tag = 1; tag <= 3; ++tag) l.job(tag, tasks(2));
  Plan p = l.c.plan();
  EXPECT_TRUE(started(p, 1) && started(p, 2));
  EXPECT_EQ(why(p, 3), "AssocGrpCpuLimit");
}

TEST(LimitGate, WhoWaitsForALimitKeepsNobody) {
  Limited l(cpus(4));
  l.job(1, tasks(6));
  l.job(2, tasks(4));
  l.c.job(3, tasks(8));  // has no limits
  Plan p = l.c.plan();
  EXPECT_EQ(why(p, 1), "AssocGrpCpuLimit");
  EXPECT_TRUE(started(p, 2));
  EXPECT_TRUE(started(p, 3));
}

TEST(LimitGate, OrStopsItsPartitionWhereTheSiteWantsThat) {
  Limited l(cpus(4));
  l.c.policy.limit_stop = true;
  l.job(1, tasks(6));
  l.job(2, tasks(4));
  Plan p = l.c.plan();
  EXPECT_EQ(why(p, 1), "AssocGrpCpuLimit");
  EXPECT_EQ(why(p, 2), "Priority");
}

TEST(LimitGate, TasksOfAnArrayStartUpToTheLimit) {
  Limited l(cpus(5));
  l.job(1, tasks(1).copies(10));
  Plan p = l.c.plan();
  EXPECT_EQ(p.starts.size(), 5u);
  EXPECT_EQ(why(p, 1), "AssocGrpCpuLimit");
}

TEST(LimitGate, WhatIsGotCountsNotWhatWasAsked) {
  LimitSet none;
  none.grp_tres = {8, kNoLimit, kNoLimit, kNoLimit};
  Limited l(none);
  l.job(1, tasks(1).exclusive());  // a whole node
  l.job(2, tasks(1));
  Plan p = l.c.plan();
  EXPECT_TRUE(started(p, 1));
  EXPECT_EQ(why(p, 2), "AssocGrpCpuLimit");
  Limited tight(cpus(4));
  tight.job(1, tasks(1).exclusive());
  EXPECT_EQ(why(tight.c.plan(), 1), "AssocGrpCpuLimit");
}

TEST(LimitGate, JobsShareTheNodesTheyMayHave) {
  LimitSet one_node;
  one_node.grp_tres = {kNoLimit, kNoLimit, 1, kNoLimit};
  Limited l(one_node);
  for (uint64_t tag = 1; tag <= 3; ++tag) l.job(tag, tasks(4));
  Plan p = l.c.plan();
  EXPECT_EQ(p.starts.size(), 2u);
  EXPECT_EQ(why(p, 3), "AssocGrpNodeLimit");
}

TEST(LimitGate, NothingIsKeptForWhoDoesNotReserve) {
  Limited l({});
  l.c.running(0, 8, kNow + 600);
  l.c.running(1, 8, kNow + 600);
  l.job(1, tasks(8)).no_reserve = true;
  l.job(2, tasks(8));
  Plan p = l.c.plan();
  EXPECT_EQ(why(p, 1), "Resources");
  EXPECT_EQ(waiting(p, 2)->expected_start, kNow + 600);
}

}  // namespace
}  // namespace grappe::sched::testing
