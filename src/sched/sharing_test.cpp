// OverSubscribe: several jobs on a core.
#include <gtest/gtest.h>

#include "sched/machine.h"
#include "sched/plan.h"
#include "sched/testing/builders.h"

namespace grappe::sched::testing {
namespace {

class SharingTest : public ::testing::Test {
 protected:
  SharingTest() {
    c.nodes(1, node(4));
    shared().oversubscribe = 2;
    shared().oversubscribe_forced = true;
  }
  Partition& shared() { return c.snapshot.partitions[0]; }
  // A running job on the lowest CPUs that are free or, with `from`, from that one on.
  RunningJob& sharer(uint32_t from, uint32_t cpus, Time end) {
    Node& n = c.snapshot.nodes[0];
    NodeShare share{0, {}, 10, {}, 1};
    for (uint32_t cpu = from; cpu < from + cpus; ++cpu) share.cpus.set(cpu);
    n.used_cpus |= share.cpus;
    n.used_memory_mb += share.memory_mb;
    add_sharer(n, 0, share.cpus);
    RunningJob job;
    job.end = end;
    job.shares_cpus = true;
    job.shares.push_back(std::move(share));
    return c.snapshot.running.emplace_back(std::move(job));
  }
  Plan run() { return plan(c.snapshot, c.policy); }

  Cluster c;
};

TEST_F(SharingTest, AForcedPartitionStartsAsManyJobsOnACoreAsItSays) {
  for (uint64_t tag = 1; tag <= 3; ++tag) c.job(tag, tasks(4).mem(10));
  Plan p = run();
  EXPECT_EQ(cpus_of(p, 1), "n1:0-3");
  EXPECT_EQ(cpus_of(p, 2), "n1:0-3");
  EXPECT_FALSE(started(p, 3));
}

TEST_F(SharingTest, FreeCoresAreTakenBeforeSharedOnes) {
  sharer(0, 2, kNow + 100);
  c.job(1, tasks(2).mem(10));
  c.job(2, tasks(2).mem(10));
  Plan p = run();
  EXPECT_EQ(cpus_of(p, 1), "n1:2-3");
  EXPECT_EQ(cpus_of(p, 2), "n1:0-1");
}

TEST_F(SharingTest, MemoryIsNotShared) {
  c.job(1, tasks(1).mem(600));
  c.job(2, tasks(1).mem(600));
  c.snapshot.nodes[0].memory_mb = 1000;
  Plan p = run();
  EXPECT_TRUE(started(p, 1));
  EXPECT_FALSE(started(p, 2));
}

TEST_F(SharingTest, WhereItIsAllowedOnlyThoseThatAskShare) {
  shared().oversubscribe_forced = false;
  JobSpec asks = tasks(4).mem(10);
  asks.shape.sharing = Sharing::kOversubscribe;
  c.job(1, asks);
  c.job(2, tasks(4).mem(10));
  c.job(3, asks);
  Plan p = run();
  EXPECT_TRUE(started(p, 1));
  EXPECT_FALSE(started(p, 2));
  c.policy.backfill = true;
  EXPECT_TRUE(started(p, 3)) << "beside the first, which it does not delay";
}

TEST_F(SharingTest, ACoreOfAJobThatDoesNotShareIsNobodyElses) {
  c.running(0, 2, kNow + 100, 10);
  for (uint64_t tag = 1; tag <= 3; ++tag) c.job(tag, tasks(2).mem(10));
  Plan p = run();
  EXPECT_EQ(cpus_of(p, 1), "n1:2-3");
  EXPECT_EQ(cpus_of(p, 2), "n1:2-3");
  EXPECT_FALSE(started(p, 3));
}

TEST_F(SharingTest, AnExclusiveJobWaitsForTheWholeNode) {
  sharer(0, 1, kNow + 100);
  JobSpec alone = tasks(1).mem(10);
  alone.shape.sharing = Sharing::kExclusive;
  c.job(1, alone);
  Plan p = run();
  EXPECT_FALSE(started(p, 1));
  EXPECT_EQ(why(p, 1), "Resources@" + std::to_string(kNow + 100));
}

TEST_F(SharingTest, TheStartOfAWaitingJobIsWhenAPlaceIsFree) {
  sharer(0, 4, kNow + 100);
  sharer(0, 4, kNow + 300);
  c.job(1, tasks(4).mem(10));
  EXPECT_EQ(why(run(), 1), "Resources@" + std::to_string(kNow + 100));
}

TEST_F(SharingTest, APartitionWithoutSharingIsAsBefore) {
  shared().oversubscribe = 1;
  c.job(1, tasks(4).mem(10));
  c.job(2, tasks(4).mem(10));
  Plan p = run();
  EXPECT_TRUE(started(p, 1));
  EXPECT_FALSE(started(p, 2));
}

}  // namespace
}  // namespace grappe::sched::testing
