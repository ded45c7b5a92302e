#include "sched/timeline.h"

#include <gtest/gtest.h>

#include "sched/testing/builders.h"

namespace grappe::sched::testing {
namespace {

class TimelineTest : public ::testing::Test {
 protected:
  TimelineTest() { c.nodes(2, node(4).gpus(2)); }
  // The start of the job if it came now, and keeps it.
  Time earliest(Timeline& t, const JobSpec& spec, bool keep = false) {
    Needs needs = needs_of(c.snapshot, spec.shape);
    Bitmap nodes = bits({0, 1});
    Request request{&needs, &nodes, {}, &spec.job.licenses, spec.job.time_limit};
    std::optional<Slot> slot = t.earliest(request, kNow, kNow + hours(24));
    if (!slot) return -1;
    if (keep) kept = t.keep(request, slot->placement, slot->start, false);
    return slot->start - kNow;
  }

  Cluster c;
  Kept kept;
};

TEST_F(TimelineTest, AnEmptyMachineIsFreeNow) {
  Timeline t(c.snapshot);
  EXPECT_EQ(earliest(t, tasks(8)), 0);
}

TEST_F(TimelineTest, TheFirstEndThatFreesEnough) {
  c.running(0, 2, kNow + 100);
  c.running(0, 2, kNow + 200);
  c.running(1, 4, kNow + 150);
  Timeline t(c.snapshot);
  EXPECT_EQ(earliest(t, tasks(1)), 100);
  EXPECT_EQ(earliest(t, tasks(3).nodes(1)), 150);
  EXPECT_EQ(earliest(t, tasks(6)), 150);
  EXPECT_EQ(earliest(t, tasks(7)), 200);
}

TEST_F(TimelineTest, WhatIsKeptIsNotGivenAgain) {
  Timeline t(c.snapshot);
  EXPECT_EQ(earliest(t, tasks(8).time(100), true), 0);
  EXPECT_EQ(earliest(t, tasks(1).time(100), true), 100);
  EXPECT_EQ(earliest(t, tasks(8).time(100)), 200);
}

TEST_F(TimelineTest, WhatIsGivenBackIsFreeAgain) {
  Timeline t(c.snapshot);
  EXPECT_EQ(earliest(t, tasks(8).time(100), true), 0);
  t.give_back(kept);
  EXPECT_EQ(earliest(t, tasks(8).time(100)), 0);
}

TEST_F(TimelineTest, AShortJobFitsBeforeAKeptOne) {
  c.running(0, 4, kNow + 100);
  Timeline t(c.snapshot);
  EXPECT_EQ(earliest(t, tasks(8).time(500), true), 100);
  EXPECT_EQ(earliest(t, tasks(4).time(100)), 0);
  EXPECT_EQ(earliest(t, tasks(4).time(101)), 600);
}

TEST_F(TimelineTest, DevicesAndMemoryAreWaitedFor) {
  c.running(0, 1, kNow + 100, 32000, 0);
  c.running(1, 1, kNow + 200, 0, 2);
  Timeline t(c.snapshot);
  EXPECT_EQ(earliest(t, tasks(1).mem(1).gpus_per_node(1)), 100);
  EXPECT_EQ(earliest(t, tasks(1).nodes(1).mem(1)), 0);
  EXPECT_EQ(earliest(t, job().nodes(2).gpus(4)), 200);
}

TEST_F(TimelineTest, LicencesAreWaitedFor) {
  uint32_t l = c.license("x", 2, 2);
  c.running(0, 1, kNow + 300).licenses = {{l, 1}};
  Timeline t(c.snapshot);
  EXPECT_EQ(earliest(t, tasks(1).license(l, 1), true), 300);
  EXPECT_EQ(earliest(t, tasks(1).license(l, 1)), 300 + hours(1));
  EXPECT_EQ(earliest(t, tasks(1).license(l, 2)), -1);
  EXPECT_EQ(earliest(t, tasks(1)), 0);
}

TEST_F(TimelineTest, ReservationsOfNodesAreGoneRound) {
  c.reserve({0, 1}, kNow + 100, kNow + 400);
  Timeline t(c.snapshot);
  EXPECT_EQ(earliest(t, tasks(1).time(100)), 0);
  EXPECT_EQ(earliest(t, tasks(1).time(101)), 400);
}

TEST_F(TimelineTest, JobsWithoutLimitNeverEnd) {
  c.running(0, 4, kForever);
  Timeline t(c.snapshot);
  EXPECT_EQ(earliest(t, tasks(8)), -1);
  EXPECT_EQ(earliest(t, tasks(4).time(kForever), true), 0);
  EXPECT_EQ(earliest(t, tasks(1)), -1);
}

TEST_F(TimelineTest, KnowsWhenSomethingNextBecomesFree) {
  c.running(0, 1, kNow + 300);
  Timeline t(c.snapshot);
  EXPECT_EQ(t.next_release(kNow), kNow + 300);
  EXPECT_EQ(t.next_release(kNow + 300), kForever);
}

TEST_F(TimelineTest, OccupantsAreOnlyTrackedWhenItMatters) {
  EXPECT_FALSE(Timeline(c.snapshot).tracks_users());
  c.snapshot.partitions[0].exclusive_user = true;
  EXPECT_TRUE(Timeline(c.snapshot).tracks_users());
}

}  // namespace
}  // namespace grappe::sched::testing
