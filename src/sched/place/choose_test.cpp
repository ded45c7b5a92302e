#include "sched/place/choose.h"

#include <gtest/gtest.h>

#include "sched/testing/builders.h"

namespace grappe::sched::testing {
namespace {

std::string place(Cluster& c, const JobSpec& spec) {
  c.snapshot.pending.clear();
  c.job(1, spec);
  return where(c.plan(), 1);
}

TEST(Choose, SmallNodesAreDroppedWhenTheyUseUpTheNumberOfNodes) {
  Cluster c;
  c.nodes(4, node(8));
  c.running(0, 2, kNow + 60);
  c.running(1, 5, kNow + 60);
  EXPECT_EQ(place(c, tasks(14).nodes(2)), "n1:6 n3:8");
}

TEST(Choose, ThreeNodesOfFourLeaveTheFirstOfTheSmallest) {
  Cluster c;
  c.nodes(4, node(8));
  c.running(0, 4, kNow + 60);
  c.running(1, 4, kNow + 60);
  EXPECT_EQ(place(c, tasks(20).nodes(3)), "n2:4 n3:8 n4:8");
}

TEST(Choose, GpuJobsTakeTheNodeWithFewestGpusLeft) {
  Cluster c;
  c.nodes(4, node(8).gpus(4));
  c.running(0, 1, kNow + 60, 0, 2);
  c.running(1, 4, kNow + 60, 0, 1);
  EXPECT_EQ(place(c, tasks(1).gpus_per_node(1)), "n1:1");
  EXPECT_EQ(place(c, tasks(1).gpus(2)), "n1:1");
  EXPECT_EQ(place(c, tasks(1)), "n2:1");
  EXPECT_EQ(place(c, tasks(4).gpus(6)), "n2:3 n3:1");
}

TEST(Choose, ContiguousNodesAreNeighbours) {
  Cluster c;
  c.nodes(4, node(8));
  c.running(1, 8, kNow + 60);
  JobSpec two = job().nodes(2), three = job().nodes(3);
  two.shape.contiguous = three.shape.contiguous = true;
  EXPECT_EQ(place(c, two), "n3:1 n4:1");
  EXPECT_EQ(place(c, three), "");
}

TEST(Choose, ContiguousNodesFillInOrder) {
  Cluster c;
  c.nodes(4, node(8));
  c.running(0, 3, kNow + 60);
  c.running(2, 3, kNow + 60);
  JobSpec spec = tasks(20);
  spec.shape.contiguous = true;
  EXPECT_EQ(place(c, spec), "n1:5 n2:8 n3:5 n4:2");
}

TEST(Choose, ContiguousNodesHoldTheRequiredOnes) {
  Cluster c;
  c.nodes(5, node(8));
  JobSpec spec = job().nodes(2).on({3});
  spec.shape.contiguous = true;
  EXPECT_EQ(place(c, spec), "n3:1 n4:1");
}

TEST(Choose, LeastLoadedNodesComeFirstWhereThePartitionSaysSo) {
  Cluster c;
  c.nodes(4, node(8));
  c.snapshot.partitions[0].least_loaded = true;
  c.running(0, 2, kNow + 60);
  c.running(2, 3, kNow + 60);
  EXPECT_EQ(place(c, tasks(1)), "n2:1");
  c.running(1, 1, kNow + 60);
  c.running(3, 1, kNow + 60);
  EXPECT_EQ(place(c, tasks(10)), "n2:7 n4:3");
}

TEST(Choose, SpreadJobsUseManyNodesEvenly) {
  Cluster c;
  c.nodes(4, node(8));
  JobSpec spec = tasks(6);
  spec.shape.spread = true;
  EXPECT_EQ(place(c, spec), "n1:2 n2:2 n3:1 n4:1");
  spec.nodes(2, 3);
  EXPECT_EQ(place(c, spec), "n1:2 n2:2 n3:2");
}

TEST(Choose, UseMinNodesStaysAtTheLowEndOfARange) {
  Cluster c;
  c.nodes(4, node(8));
  JobSpec spec = tasks(6).nodes(1, 3);
  spec.shape.use_min_nodes = true;
  EXPECT_EQ(place(c, spec), "n1:6");
}

TEST(Choose, ExclusiveNodesShareTheTasksEvenly) {
  Cluster c;
  c.nodes(4, node(8));
  EXPECT_EQ(place(c, tasks(9).exclusive()), "n1:5 n2:4");
  EXPECT_EQ(place(c, tasks(3).nodes(2).exclusive()), "n1:2 n2:1");
}

TEST(Choose, OvercommittedTasksAreSharedEvenly) {
  Cluster c;
  c.nodes(4, node(8));
  JobSpec one = tasks(20), two = tasks(20).nodes(2);
  one.shape.overcommit = two.shape.overcommit = true;
  EXPECT_EQ(place(c, one), "n1:20");
  EXPECT_EQ(place(c, two), "n1:10 n2:10");
}

TEST(Choose, GpusOfJobAndNodeGiveTheNumberOfNodes) {
  Cluster c;
  c.nodes(4, node(8).gpus(4));
  EXPECT_EQ(place(c, job().gpus(4).gpus_per_node(2)), "n1:1 n2:1");
  EXPECT_EQ(place(c, job().gpus(4).gpus_per_task(2)), "n1:2");
}

TEST(Choose, EveryNodeOfAGpuJobHasAGpu) {
  Cluster c;
  c.nodes(4, node(8).gpus(4));
  EXPECT_EQ(place(c, tasks(3).nodes(1, 3).gpus(5)), "n1:2 n2:1");
  EXPECT_EQ(place(c, tasks(2).gpus(3)), "n1:2");
  EXPECT_EQ(place(c, tasks(2).gpus(5)), "n1:1 n2:1");
}

TEST(Choose, ARequiredNodeThatIsFullMeansWaiting) {
  Cluster c;
  c.nodes(2, node(4));
  c.running(0, 4, kNow + 60);
  c.job(1, tasks(1).on({0}));
  EXPECT_EQ(why(c.plan(), 1), "Resources@1060");
}

TEST(Choose, ARequiredNodeTooSmallForTheOnlyOneAllowedIsNotReplaced) {
  Cluster c;
  c.nodes(1, node(1));
  c.nodes(1, node(4));
  c.snapshot.partitions[0].max_nodes = 1;
  c.job(1, tasks(2).on({0}));
  EXPECT_EQ(why(c.plan(), 1), "BadConstraints");
}

TEST(Choose, TheOnlyNodeAllowedHoldsAllTheGpus) {
  Cluster c;
  c.nodes(1, node(4).gpus(4));
  c.nodes(1, node(8).gpus(2));
  c.running(0, 2, kNow + 60);
  c.snapshot.partitions[0].max_nodes = 1;
  c.snapshot.partitions[0].least_loaded = true;
  EXPECT_EQ(place(c, job().gpus(3)), "n1:1");
}

TEST(Choose, AnExclusivePartitionGivesWholeNodes) {
  Cluster c;
  c.nodes(2, node(4).gpus(2));
  c.snapshot.partitions[0].whole_nodes = true;
  c.job(1, tasks(1));
  Plan p = c.plan();
  EXPECT_EQ(cpus_of(p, 1), "n1:0-3");
  EXPECT_EQ(devices_of(p, 1), "n1:0-1");
}

}  // namespace
}  // namespace grappe::sched::testing
