#include "sched/plan.h"

#include <gtest/gtest.h>

#include "sched/testing/builders.h"

namespace grappe::sched::testing {
namespace {

class ExpectedStart : public ::testing::Test {
 protected:
  ExpectedStart() {
    c.nodes(2, node(4));
    c.running(0, 4, kNow + 100);
    c.running(1, 4, kNow + 200);
  }
  Waiting expect(const JobSpec& spec) {
    PendingJob job = other.job(99, spec);
    return expected_start(c.snapshot, c.policy, job);
  }

  Cluster c, other;
};

TEST_F(ExpectedStart, IsNowWhenThereIsRoom) {
  c.nodes(1, node(4));
  Waiting w = expect(tasks(4));
  EXPECT_EQ(w.reason, Reason::kNone);
  EXPECT_EQ(w.expected_start, kNow);
  EXPECT_EQ(w.expected_nodes, std::vector<NodeIndex>{2});
}

TEST_F(ExpectedStart, IsWhenEnoughEnds) {
  EXPECT_EQ(expect(tasks(4)).expected_start, kNow + 100);
  EXPECT_EQ(expect(tasks(8)).expected_start, kNow + 200);
}

TEST_F(ExpectedStart, ComesAfterThoseAhead) {
  c.job(1, tasks(4).time(1000).priority(10));
  EXPECT_EQ(expect(tasks(4).priority(5)).expected_start, kNow + 200);
  EXPECT_EQ(expect(tasks(4).priority(15)).expected_start, kNow + 100);
}

TEST_F(ExpectedStart, IsFoundBeyondWindowReservationsAndDepth) {
  c.policy.max_reservations = 0;
  c.policy.depth = 1;
  c.policy.window = 10;
  c.job(1, tasks(4).priority(10));
  c.job(2, tasks(4).priority(10));
  EXPECT_EQ(expect(tasks(8).priority(5)).expected_start, kNow + 200);
}

TEST_F(ExpectedStart, IsNotKnownOfWhatCanNeverRun) {
  Waiting w = expect(tasks(1).cpus(9));
  EXPECT_EQ(w.reason, Reason::kBadConstraints);
  EXPECT_EQ(w.expected_start, 0);
}

TEST(PlanDepth, OnlySoManyJobsAreLookedAt) {
  Cluster c;
  c.nodes(1, node(4));
  c.policy.depth = 2;
  for (uint64_t i = 1; i <= 4; ++i) c.job(i, tasks(1));
  Plan p = c.plan();
  EXPECT_EQ(p.starts.size(), 2u);
  EXPECT_TRUE(p.waiting.empty());
  EXPECT_EQ(p.tested, 2u);
}

TEST(PlanEmpty, NothingPendingIsNoPlan) {
  Cluster c;
  c.nodes(1, node(4));
  Plan p = c.plan();
  EXPECT_TRUE(p.starts.empty() && p.waiting.empty());
  Plan none = plan(Snapshot{}, Policy{});
  EXPECT_TRUE(none.starts.empty());
}

TEST(PlanArrays, EachArrayKeepsOnlySoManyPlannedStarts) {
  Cluster c;
  c.nodes(1, node(4));
  c.running(0, 4, kNow + 100);
  c.policy.max_array_reservations = 3;
  c.job(1, tasks(4).time(60).copies(1000));
  c.job(2, tasks(4).time(60));
  Plan p = c.plan();
  EXPECT_EQ(p.reserved, 4u);
  EXPECT_EQ(why(p, 1), "Resources@1100");
  EXPECT_EQ(why(p, 2), "Priority@1280");
}

TEST(PlanStrict, AnotherPartitionMayNotTakeWhatIsWaitedFor) {
  Cluster c;
  c.nodes(2, node(4));
  c.partition({0});
  c.partition({0, 1});
  c.running(0, 3, kNow + 100);
  c.policy.backfill = false;
  c.job(1, tasks(4).in({0}));
  c.job(2, tasks(1).in({1}));
  EXPECT_EQ(where(c.plan(), 2), "n2:1");
}

TEST(PlanUsers, ExclusiveUserKeepsOthersOffTheNode) {
  Cluster c;
  c.nodes(2, node(4));
  c.snapshot.partitions[0].exclusive_user = true;
  c.job(1, tasks(1).user(1));
  c.job(2, tasks(1).user(2));
  c.job(3, tasks(1).user(1));
  c.job(4, tasks(1).user(3));
  Plan p = c.plan();
  EXPECT_EQ(where(p, 1), "n1:1");
  EXPECT_EQ(where(p, 2), "n2:1");
  EXPECT_EQ(where(p, 3), "n1:1");
  EXPECT_EQ(why(p, 4), "Resources@4600");
}

TEST(PlanUsers, ANodeWithAnOwnerIsClosedToOthers) {
  Cluster c;
  c.nodes(1, node(4));
  c.running(0, 1, kNow + 100).user = 1;
  c.snapshot.nodes[0].owner = 1;
  c.job(1, tasks(1).user(2));
  c.job(2, tasks(1).user(1).time(60));
  Plan p = c.plan();
  EXPECT_EQ(why(p, 1), "Resources@1100");
  EXPECT_EQ(where(p, 2), "n1:1");
}

}  // namespace
}  // namespace grappe::sched::testing
