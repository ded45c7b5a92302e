#include "sched/protection.h"

#include <gtest/gtest.h>

#include "sched/pools.h"
#include "sched/testing/builders.h"

namespace grappe::sched::testing {
namespace {

std::vector<Protection> protections_of(const Cluster& c) {
  return protections(c.snapshot, c.policy, pools_of(c.snapshot.partitions));
}

TEST(Protection, EveryPlannedStartIsKeptUnlessThePolicySaysOtherwise) {
  Cluster c;
  c.nodes(1, node(4));
  EXPECT_TRUE(protections_of(c)[0].for_all());
  EXPECT_EQ(protections_of(c)[0].window, c.policy.window);
  c.policy.protected_jobs = 3;
  EXPECT_EQ(protections_of(c)[0].jobs, 3u);
}

TEST(Protection, ByDefaultAPoolWithoutGpusKeepsTheStartOfTheFirstInLine) {
  Cluster c;
  c.policy = default_policy();
  c.nodes(1, node(4)).nodes(1, node(4).gpus(2));
  c.partition({0});
  c.partition({1});
  const auto rules = protections_of(c);
  EXPECT_EQ(rules[0].jobs, 1u);
  EXPECT_EQ(rules[0].order, BackfillOrder::kSmallFirst);
  EXPECT_GT(rules[0].window, hours(24 * 365));
  EXPECT_TRUE(rules[1].for_all());
  EXPECT_EQ(rules[1].order, BackfillOrder::kPriority);
}

TEST(Protection, APartitionThatReachesGpusMakesThePoolOneWithGpus) {
  Cluster c;
  c.policy = default_policy();
  c.nodes(1, node(4)).nodes(1, node(4).gpus(2));
  c.partition({0});
  c.partition({0, 1});
  EXPECT_TRUE(protections_of(c)[0].for_all());
}

TEST(Protection, ANodeThatIsDownStillCountsWithItsGpus) {
  Cluster c;
  c.policy = default_policy();
  c.nodes(2, node(4).gpus(2));
  c.snapshot.nodes[0].available = c.snapshot.nodes[1].available = false;
  EXPECT_TRUE(protections_of(c)[0].for_all());
}

// Two pools of four CPUs, two of which are free for 1000 s; in each a large job waits, then a
// middle one, then a small one that would delay the middle one but not the large one.
void two_crowded_pools(Cluster& c) {
  c.nodes(1, node(4)).nodes(1, node(4).gpus(1));
  c.partition({0});
  c.partition({1});
  for (uint32_t p = 0; p < 2; ++p) {
    c.running(p, 2, kNow + 1000).tag = 100 + p;
    c.job(10 * p + 1, tasks(4).time(500).in({p}));
    c.job(10 * p + 2, tasks(3).time(500).in({p}));
    c.job(10 * p + 3, tasks(2).time(3000).in({p}));
    c.job(10 * p + 4, tasks(2).time(900).in({p}));
  }
}

TEST(Protection, EachPoolIsPlannedByItsOwnRule) {
  Cluster c;
  c.policy = default_policy();
  two_crowded_pools(c);
  const Plan p = c.plan();
  for (uint64_t tag : {1u, 11u}) {
    EXPECT_EQ(waiting(p, tag)->expected_start, kNow + 1000);
    EXPECT_TRUE(waiting(p, tag)->kept);
  }
  EXPECT_FALSE(waiting(p, 2)->kept);
  EXPECT_NE(waiting(p, 2)->expected_start, 0);
  EXPECT_TRUE(waiting(p, 12)->kept);
  EXPECT_NE(started(p, 4), nullptr);
  EXPECT_NE(started(p, 14), nullptr);
}

TEST(Protection, APoolsPlannedStartsDoNotUseUpThoseOfAnother) {
  Cluster c;
  c.policy = default_policy();
  c.policy.max_reservations = 2;
  two_crowded_pools(c);
  const Plan p = c.plan();
  EXPECT_TRUE(waiting(p, 1)->kept);
  EXPECT_TRUE(waiting(p, 11)->kept);
}

TEST(Protection, WhoAsksForAStartHearsWhatThePlanDoes) {
  Cluster c;
  c.policy = default_policy();
  two_crowded_pools(c);
  const Plan p = c.plan();
  for (uint32_t i = 0; i < c.snapshot.pending.size(); ++i) {
    const uint64_t tag = c.snapshot.pending[i].tag;
    const Waiting asked = start_of(c.snapshot, c.policy, i);
    EXPECT_EQ(asked.expected_start, started(p, tag) ? kNow : waiting(p, tag)->expected_start)
        << tag;
    EXPECT_EQ(asked.kept, started(p, tag) || waiting(p, tag)->kept) << tag;
  }
}

}  // namespace
}  // namespace grappe::sched::testing
