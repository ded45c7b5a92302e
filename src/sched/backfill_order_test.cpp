#include "sched/backfill_order.h"

#include <gtest/gtest.h>

#include "sched/testing/builders.h"

namespace grappe::sched::testing {
namespace {

// Eight CPUs of ten are taken, the first in line waits for all; two gaps are to be filled.
Plan fill(BackfillOrder order, uint32_t reservations = 1) {
  Cluster c;
  c.nodes(1, node(10));
  c.running(0, 8, kNow + 1000).tag = 100;
  c.job(1, tasks(10).time(100));
  c.job(2, tasks(2).time(900)).expected_run = 20;
  c.job(3, tasks(2).time(500)).expected_run = 400;
  c.policy.max_reservations = reservations;
  c.policy.protected_jobs = 1;
  c.policy.backfill_order = order;
  return c.plan();
}

TEST(BackfillOrder, GapsAreFilledInTheOrderOfThePolicy) {
  EXPECT_NE(started(fill(BackfillOrder::kPriority), 2), nullptr);
  EXPECT_NE(started(fill(BackfillOrder::kShortestLimit), 3), nullptr);
  EXPECT_NE(started(fill(BackfillOrder::kShortestRun), 2), nullptr);
}

TEST(BackfillOrder, ACrumbThatHasWaitedLongGoesFirst) {
  Cluster c;
  c.policy = first_in_line_policy();
  c.nodes(1, node(10));
  c.running(0, 9, kNow + 1000).tag = 100;
  c.job(1, tasks(10).time(100));
  c.job(2, tasks(1).time(900)).submit_time = kNow - 900;
  PendingJob& crumb = c.job(3, tasks(1).time(60));
  crumb.submit_time = kNow - 1200;
  EXPECT_NE(started(c.plan(), 3), nullptr);
  crumb.submit_time = kNow - 1199;
  EXPECT_NE(started(c.plan(), 2), nullptr);
  crumb.submit_time = kNow - 1200;
  crumb.time_limit = 61;
  EXPECT_NE(started(c.plan(), 2), nullptr);
}

TEST(BackfillOrder, TheOthersAreToldWhenTheirTurnWillCome) {
  Plan p = fill(BackfillOrder::kPriority, 500);
  EXPECT_EQ(why(p, 1), "Resources@2000");
  EXPECT_EQ(why(p, 3), "Priority@2100");
  EXPECT_EQ(p.reserved, 2u);
}

TEST(BackfillOrder, EachPoolOfPartitionsHasItsFirstInLine) {
  Cluster c;
  c.policy = first_in_line_policy();
  c.nodes(2, node(10));
  c.partition({0});
  c.partition({1});
  for (NodeIndex n : {0u, 1u}) c.running(n, 8, kNow + 1000).tag = 100 + n;
  c.job(1, tasks(10).time(100).in({0}));
  c.job(2, tasks(10).time(100).in({1}));
  c.job(3, tasks(2).time(2000).in({0}));
  c.job(4, tasks(2).time(2000).in({1}));
  EXPECT_TRUE(c.plan().starts.empty());
}

TEST(BackfillOrder, TheFirstInLineKeepsItsPlannedStart) {
  for (auto order : {BackfillOrder::kPriority, BackfillOrder::kShortestLimit,
                     BackfillOrder::kShortestRun, BackfillOrder::kSmallFirst}) {
    EXPECT_EQ(why(fill(order), 1), "Resources@2000");
  }
}

}  // namespace
}  // namespace grappe::sched::testing
