#include "sched/hold_back.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "sched/testing/builders.h"
#include "sched/testing/random.h"
#include "sched/why.h"

namespace grappe::sched::testing {
namespace {

// One node of 16 cores, 16000 MB and 4 GPUs, each of which keeps half of 4 cores and 4000 MB.
void fill_node(Cluster& c, uint32_t percent = 50) {
  c.nodes(1, node(16).memory(16000).gpus(4));
  c.policy.placement.gpu_hold_back = percent;
}

TEST(HoldBack, JobsWithoutGpusLeaveWhatFreeGpusNeed) {
  Cluster c;
  fill_node(c);
  c.job(1, tasks(9));
  c.job(2, tasks(8));
  c.job(3, tasks(1));
  Plan p = c.plan();
  EXPECT_EQ(started(p, 1), nullptr);
  EXPECT_EQ(where(p, 2), "n1:8");
  EXPECT_EQ(started(p, 3), nullptr);
}

TEST(HoldBack, MemoryIsHeldToo) {
  Cluster c;
  fill_node(c);
  c.job(1, tasks(1).mem(8001));
  c.job(2, tasks(1).mem(8000));
  Plan p = c.plan();
  EXPECT_EQ(started(p, 1), nullptr);
  EXPECT_NE(started(p, 2), nullptr);
}

TEST(HoldBack, NothingIsHeldWhereTheRuleIsOff) {
  Cluster c;
  fill_node(c, 0);
  c.job(1, tasks(16).mem(16000));
  EXPECT_EQ(where(c.plan(), 1), "n1:16");
}

TEST(HoldBack, JobsWithGpusMayHaveEverything) {
  Cluster c;
  fill_node(c, 100);
  c.job(1, tasks(16).gpus_per_node(1).mem(16000));
  EXPECT_EQ(where(c.plan(), 1), "n1:16");
}

TEST(HoldBack, GpusInUseKeepNothing) {
  Cluster c;
  fill_node(c);
  c.running(0, 1, kNow + 1000, 0, 2);  // two of them, with one core
  c.job(1, tasks(12));
  c.job(2, tasks(11).time(900));
  Plan p = c.plan();
  EXPECT_EQ(started(p, 1), nullptr);
  EXPECT_EQ(where(p, 2), "n1:11");
}

TEST(HoldBack, WhatIsFreeLaterIsKeptLater) {
  Cluster c;
  fill_node(c);
  c.running(0, 1, kNow + 1000, 0, 4);  // all, with one core, until 2000
  c.job(1, tasks(9).time(1001));
  c.job(2, tasks(9).time(1000));
  Plan p = c.plan();
  EXPECT_EQ(started(p, 1), nullptr);
  EXPECT_NE(started(p, 2), nullptr);
}

TEST(HoldBack, AWholeNodeComesWithItsGpus) {
  Cluster c;
  fill_node(c, 100);
  c.job(1, tasks(1).exclusive());
  EXPECT_NE(started(c.plan(), 1), nullptr);
}

TEST(HoldBack, TheReasonCountsOnlyWhatTheJobMayUse) {
  Cluster c;
  fill_node(c);
  c.job(1, tasks(9));
  const Explanation found = explain(c.snapshot, c.policy, 0, {0});
  ASSERT_EQ(found.nodes.size(), 1u);
  EXPECT_EQ(found.nodes[0].supplies[0].free, 8u);
  EXPECT_TRUE(found.nodes[0].supplies[0].is_short);
}

// After the plan, what the rule keeps is there: on no node do jobs without GPUs that start take
// cores or memory that the GPUs left free have a right to.
RC_GTEST_PROP(HoldBack, JobsWithoutGpusNeverStrandAGpu, ()) {
  Cluster c;
  fill_randomly(c);
  const uint32_t percent = c.policy.placement.gpu_hold_back = number(1, 100);
  Plan p = c.plan();
  std::vector<Node> nodes = c.snapshot.nodes;
  for (const Start& start : p.starts) {
    for (const NodeShare& share : start.shares) {
      Node& n = nodes[share.node];
      n.used_cpus |= share.cpus;
      n.used_memory_mb += share.memory_mb;
      for (uint32_t d : share.devices) n.used_devices.set(d);
    }
  }
  auto is = [&](uint64_t tag) {
    return *std::find_if(c.snapshot.pending.begin(), c.snapshot.pending.end(),
                         [tag](const PendingJob& job) { return job.tag == tag; });
  };
  for (const Start& start : p.starts) {
    const PendingJob job = is(start.tag);
    const Needs needs = needs_of(c.snapshot, *job.shape);
    if (least_gpus(needs, c.snapshot.partitions[start.partition]) > 0) continue;
    for (const NodeShare& share : start.shares) {
      const Node& before = c.snapshot.nodes[share.node];
      const NodeFacts facts = facts_of(before);
      if (before.devices.empty()) continue;
      // Alone against the machine as it was: others that start can only have left less.
      const uint64_t free = before.devices.size() - before.used_devices.count();
      const uint64_t kept = percent * free * facts.cores;
      const uint64_t unit = 100 * before.devices.size();
      const uint64_t left = free_cores(facts, before.used_cpus | share.cpus).size() * unit;
      RC_ASSERT(left >= kept);
      RC_ASSERT((before.memory_mb - before.used_memory_mb - share.memory_mb) * unit >=
                    percent * free * before.memory_mb ||
                share.memory_mb == 0);
    }
  }
}

}  // namespace
}  // namespace grappe::sched::testing
