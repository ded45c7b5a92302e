#include "sched/preempt.h"

#include <gtest/gtest.h>

#include "sched/testing/builders.h"

namespace grappe::sched::testing {
namespace {

std::string evicted(const Plan& plan) {
  std::string out;
  for (const Evicted& e : plan.evicted) {
    out += (out.empty() ? "" : " ") + std::to_string(e.tag) + "<" + std::to_string(e.by);
  }
  return out;
}

// Class 1 may take the place of class 0.
class Preempt : public ::testing::Test {
 protected:
  Preempt() {
    c.snapshot.preempt.by = PreemptRules::By::kClass;
    c.snapshot.preempt.may_evict = {Bitmap{}, bits({0})};
  }
  RunningJob& low(NodeIndex node, uint32_t cpus, uint64_t tag, uint32_t priority = 1,
                  uint32_t devices = 0) {
    RunningJob& job = c.running(node, cpus, kNow + hours(5), 100, devices);
    job.tag = tag;
    job.priority = priority;
    job.start = kNow - static_cast<Time>(tag);
    job.eviction = Eviction::kEnd;
    return job;
  }
  PendingJob& high(uint64_t tag, const JobSpec& spec) {
    PendingJob& job = c.job(tag, spec);
    job.preempt_class = 1;
    return job;
  }

  Cluster c;
};

TEST_F(Preempt, TakesThePlaceOfALesserJobWhenThereIsNoOther) {
  c.nodes(1, node(4));
  low(0, 4, 7);
  high(1, tasks(4).time(hours(1)));
  Plan p = c.plan();
  EXPECT_EQ(evicted(p), "7<1");
  EXPECT_EQ(why(p, 1), "Resources@1001");
}

TEST_F(Preempt, SparesEverybodyWhileThereIsRoom) {
  c.nodes(2, node(4));
  low(0, 4, 7);
  high(1, tasks(4).time(hours(1)));
  Plan p = c.plan();
  EXPECT_EQ(evicted(p), "");
  EXPECT_EQ(where(p, 1), "n2:4");
}

TEST_F(Preempt, NeedsTheRight) {
  c.nodes(1, node(4));
  low(0, 4, 7);
  c.job(1, tasks(4).time(hours(1)));
  EXPECT_EQ(evicted(c.plan()), "");
}

TEST_F(Preempt, EndsAsFewAsWillDoTheLowestPriorityFirst) {
  c.nodes(1, node(8));
  low(0, 2, 7, 30);
  low(0, 4, 8, 20);
  low(0, 2, 9, 10);
  high(1, tasks(4).time(hours(1)));
  EXPECT_EQ(evicted(c.plan()), "8<1");
  c.snapshot.pending.clear();
  high(2, tasks(2).time(hours(1)));
  EXPECT_EQ(evicted(c.plan()), "9<2");
}

TEST_F(Preempt, TakesTheYoungestFirstWhereAsked) {
  c.nodes(1, node(4));
  low(0, 2, 7, 10);
  low(0, 2, 3, 20);
  high(1, tasks(2).time(hours(1)));
  EXPECT_EQ(evicted(c.plan()), "7<1");
  c.snapshot.preempt.youngest_first = true;
  EXPECT_EQ(evicted(c.plan()), "3<1");
}

TEST_F(Preempt, WaitsForTheGrace) {
  c.nodes(1, node(4));
  low(0, 4, 7).grace = 120;
  high(1, tasks(4).time(hours(1)));
  EXPECT_EQ(why(c.plan(), 1), "Resources@1120");
}

TEST_F(Preempt, DoesNotEndMoreWhileSomeAreLeaving) {
  c.nodes(2, node(4));
  RunningJob& first = low(0, 4, 7);
  first.leaving = true;
  first.end = kNow + 60;
  low(1, 4, 8);
  high(1, tasks(4).time(hours(1)));
  Plan p = c.plan();
  EXPECT_EQ(evicted(p), "");
  EXPECT_EQ(why(p, 1), "Resources@1060");
  high(2, tasks(4).time(hours(1)));
  EXPECT_EQ(evicted(c.plan()), "8<2");
}

TEST_F(Preempt, KeepsWhatItMadeFreeFromOthers) {
  c.nodes(1, node(4));
  low(0, 3, 7).grace = 60;
  high(1, tasks(4).time(hours(1)));
  c.job(2, tasks(1).time(hours(1)));
  Plan p = c.plan();
  EXPECT_EQ(evicted(p), "7<1");
  EXPECT_EQ(where(p, 2), "");
}

TEST_F(Preempt, SparesThoseThatAreExemptOrMayNotBe) {
  c.nodes(2, node(4));
  low(0, 4, 7).exempt_until = kNow + 1;
  low(1, 4, 8).eviction = Eviction::kNever;
  high(1, tasks(4).time(hours(1)));
  EXPECT_EQ(evicted(c.plan()), "");
}

TEST_F(Preempt, SuspensionFreesCpusOnly) {
  c.nodes(1, node(4).memory(1000).gpus(2));
  low(0, 4, 7, 1, 1).eviction = Eviction::kSuspend;
  high(1, tasks(4).mem(900).time(hours(1)));
  EXPECT_EQ(evicted(c.plan()), "7<1");
  c.snapshot.pending.clear();
  high(1, tasks(4).mem(901).time(hours(1)));
  EXPECT_EQ(evicted(c.plan()), "");
  c.snapshot.pending.clear();
  high(1, tasks(1).gpus(2).time(hours(1)));
  EXPECT_EQ(evicted(c.plan()), "");
}

TEST_F(Preempt, ByTierOfThePartition) {
  c.nodes(1, node(4));
  c.snapshot.preempt.by = PreemptRules::By::kTier;
  c.partition({0}).priority_tier = 1;
  c.partition({0}).priority_tier = 2;
  low(0, 4, 7).partition = 0;
  c.job(1, tasks(4).in({0}).time(hours(1)));
  EXPECT_EQ(evicted(c.plan()), "");
  c.job(2, tasks(4).in({1}).time(hours(1)));
  EXPECT_EQ(evicted(c.plan()), "7<2");
}

TEST_F(Preempt, WithinAClassByPriority) {
  c.nodes(1, node(4));
  c.snapshot.preempt.within = bits({1});
  RunningJob& running = low(0, 4, 7, 500);
  running.preempt_class = 1;
  high(1, tasks(4).time(hours(1)).priority(500));
  EXPECT_EQ(evicted(c.plan()), "");
  high(2, tasks(4).time(hours(1)).priority(501));
  EXPECT_EQ(evicted(c.plan()), "7<2");
}

TEST_F(Preempt, GpusToo) {
  c.nodes(2, node(8).gpus(4));
  low(0, 1, 7, 5, 4);
  low(1, 1, 8, 9, 4);
  high(1, tasks(1).gpus(2).time(hours(1)));
  EXPECT_EQ(evicted(c.plan()), "7<1");
}

}  // namespace
}  // namespace grappe::sched::testing
