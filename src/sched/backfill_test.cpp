#include "sched/backfill.h"

#include <gtest/gtest.h>

#include "sched/testing/builders.h"

namespace grappe::sched::testing {
namespace {

// One node of 8 CPUs and 8 GPUs, half of it in use until kNow + 1 h.
class HalfBusy : public ::testing::Test {
 protected:
  HalfBusy() {
    c.nodes(1, node(8).gpus(8));
    c.running(0, 4, kNow + hours(1), 0, 4);
  }

  Cluster c;
};

TEST_F(HalfBusy, StartsWhatFits) {
  c.job(1, tasks(4));
  Plan p = c.plan();
  EXPECT_EQ(cpus_of(p, 1), "n1:4-7");
  EXPECT_FALSE(started(p, 1)->backfilled);
  EXPECT_TRUE(p.waiting.empty());
}

TEST_F(HalfBusy, AJobWithoutLimitStarts) {
  c.job(1, tasks(4).time(kForever));
  EXPECT_EQ(cpus_of(c.plan(), 1), "n1:4-7");
}

TEST_F(HalfBusy, LicencesOfAReservationAreForItsJobs) {
  uint32_t matlab = c.license("matlab", 4, 0);
  c.reserve({}, kNow, kNow + hours(2)).licenses = {{matlab, 3}};
  c.snapshot.reservations[0].flexible = true;
  c.job(1, tasks(1).license(matlab, 2));
  c.job(2, tasks(1).license(matlab, 3).reservation(0));
  c.job(3, tasks(1).license(matlab, 1));
  Plan p = c.plan();
  EXPECT_EQ(why(p, 1).substr(0, 8), "Licenses");
  EXPECT_TRUE(started(p, 2));
}

TEST_F(HalfBusy, TheFirstThatDoesNotFitWaitsForResourcesAndTheNextForPriority) {
  c.job(1, tasks(8));
  c.job(2, tasks(8));
  Plan p = c.plan();
  EXPECT_EQ(why(p, 1), "Resources@4600");
  EXPECT_EQ(why(p, 2), "Priority@8200");
  EXPECT_EQ(waiting(p, 1)->expected_nodes, std::vector<NodeIndex>{0});
  EXPECT_EQ(p.reserved, 2u);
}

TEST_F(HalfBusy, AShortJobPassesOneThatWaits) {
  c.job(1, tasks(8));
  c.job(2, tasks(2).time(hours(1)));
  Plan p = c.plan();
  EXPECT_EQ(where(p, 2), "n1:2");
  EXPECT_TRUE(started(p, 2)->backfilled);
  EXPECT_EQ(why(p, 1), "Resources@4600");
}

TEST_F(HalfBusy, AJobThatWouldDelayAPlannedOneWaits) {
  c.job(1, tasks(8));
  c.job(2, tasks(2).time(hours(1) + 1));
  EXPECT_EQ(why(c.plan(), 2), "Priority@8200");
}

TEST_F(HalfBusy, ALongJobPassesWhenThePlannedOneLeavesRoomBesideIt) {
  c.job(1, tasks(6));
  c.job(2, tasks(2).time(hours(100)));
  EXPECT_EQ(where(c.plan(), 2), "n1:2");
}

TEST_F(HalfBusy, WholeNodeReservationsKeepThatRoomEmpty) {
  c.policy.whole_node_reservations = true;
  c.job(1, tasks(6));
  c.job(2, tasks(2).time(hours(100)));
  EXPECT_EQ(where(c.plan(), 2), "");
}

TEST_F(HalfBusy, WithoutBackfillNobodyPasses) {
  c.policy.backfill = false;
  c.job(1, tasks(8));
  c.job(2, tasks(1).time(60));
  Plan p = c.plan();
  EXPECT_EQ(why(p, 1), "Resources");
  EXPECT_EQ(why(p, 2), "Priority");
}

TEST_F(HalfBusy, BeyondTheReservationsOnlyWhatStartsNowIsFound) {
  c.policy.max_reservations = 1;
  c.job(1, tasks(8));
  c.job(2, tasks(8));
  c.job(3, tasks(4).time(hours(1)));
  Plan p = c.plan();
  EXPECT_EQ(why(p, 2), "Priority");
  EXPECT_EQ(where(p, 3), "n1:4");
  EXPECT_EQ(p.reserved, 1u);
}

TEST_F(HalfBusy, AStartBeyondTheWindowIsNotPlanned) {
  c.policy.window = minutes(30);
  c.job(1, tasks(8));
  EXPECT_EQ(why(c.plan(), 1), "Resources");
}

TEST_F(HalfBusy, TasksOfAnArrayStartWhileTheyFit) {
  c.job(1, tasks(1).cpus(2).copies(5));
  Plan p = c.plan();
  EXPECT_EQ(p.starts.size(), 2u);
  EXPECT_EQ(why(p, 1), "Resources@4600");
}

TEST_F(HalfBusy, LimitsAreShortenedDownToTimeMin) {
  c.job(1, tasks(8));
  c.job(2, tasks(1).time(hours(5), minutes(10)));
  Plan p = c.plan();
  ASSERT_TRUE(started(p, 2));
  EXPECT_EQ(started(p, 2)->time_limit, hours(1));
}

TEST_F(HalfBusy, AJobPastItsLimitStillHoldsItsShare) {
  c.snapshot.running[0].end = kNow - 10;
  c.job(1, tasks(8));
  EXPECT_EQ(why(c.plan(), 1), "Resources@1001");
}

TEST(Backfill, TheSameSnapshotGivesTheSamePlan) {
  Cluster c;
  c.nodes(3, node(8).gpus(2));
  for (uint64_t i = 1; i < 40; ++i) c.job(i, tasks(static_cast<uint32_t>(1 + i * 7 % 11)));
  Plan a = c.plan(), b = c.plan();
  ASSERT_EQ(a.starts.size(), b.starts.size());
  for (std::size_t i = 0; i < a.starts.size(); ++i) {
    EXPECT_EQ(cpus_of(a, a.starts[i].tag), cpus_of(b, a.starts[i].tag));
  }
}

TEST(Backfill, AJobStartsInTheFirstOfItsPartitionsThatHasRoom) {
  Cluster c;
  c.nodes(2, node(4));
  c.partition({0});
  c.partition({1});
  c.running(0, 4, kNow + 60);
  c.job(1, tasks(4).in({0, 1}));
  Plan p = c.plan();
  EXPECT_EQ(where(p, 1), "n2:4");
  EXPECT_EQ(started(p, 1)->partition, 1u);
  EXPECT_TRUE(p.waiting.empty());
}

TEST(Backfill, WhatWasPlannedElsewhereIsGivenBackWhenAJobStarts) {
  Cluster c;
  c.nodes(2, node(4));
  c.partition({0});
  c.partition({1});
  c.running(0, 3, kNow + 60);
  c.job(1, tasks(4).in({0, 1}));
  c.job(2, tasks(1).time(hours(9)).in({0}));
  Plan p = c.plan();
  EXPECT_EQ(where(p, 1), "n2:4");
  EXPECT_EQ(where(p, 2), "n1:1");
}

}  // namespace
}  // namespace grappe::sched::testing
