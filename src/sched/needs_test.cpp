#include "sched/needs.h"

#include <gtest/gtest.h>

#include "sched/testing/builders.h"

namespace grappe::sched::testing {
namespace {

// Kinds 0 and 1 are GPUs of two types, 2 is an fpga.
Needs needs(const JobSpec& spec) {
  static Cluster c;
  static std::deque<Shape> shapes;
  return needs_of(c.snapshot, shapes.emplace_back(spec.shape));
}

TEST(Needs, ANameWithoutTypeIsAnyKindOfTheName) {
  Needs n = needs(tasks(1).gpus(2));
  ASSERT_EQ(n.devices.size(), 1u);
  EXPECT_TRUE(n.devices[0].takes(0) && n.devices[0].takes(1));
  EXPECT_FALSE(n.devices[0].takes(2));
  EXPECT_TRUE(n.devices[0].gpu);
}

TEST(Needs, ATypeIsOneKind) {
  JobSpec spec = tasks(1);
  spec.shape.per_node.push_back({1, "gpu", false, 2});
  Needs n = needs(spec);
  EXPECT_TRUE(n.devices[0].takes(1));
  EXPECT_FALSE(n.devices[0].takes(0));
  EXPECT_EQ(n.devices[0].per_node, 2u);
}

TEST(Needs, TheSameDeviceAskedInTwoWaysIsOneNeed) {
  Needs n = needs(tasks(1).gpus(4).gpus_per_node(2));
  ASSERT_EQ(n.devices.size(), 1u);
  EXPECT_EQ(n.devices[0].per_job, 4u);
  EXPECT_EQ(n.devices[0].per_node, 2u);
  EXPECT_TRUE(n.wants_job_devices());
}

TEST(Needs, ACountOfZeroAsksForNothing) {
  EXPECT_TRUE(needs(tasks(1).gpus(0)).devices.empty());
}

TEST(Needs, MoreDifferentDevicesThanFitAreTooMany) {
  JobSpec spec = tasks(1);
  for (GresKind k = 0; k < 9; ++k) spec.shape.per_node.push_back({k, "x", false, 1});
  EXPECT_TRUE(needs(spec).too_many);
}

TEST(Needs, TasksFollowFromGpusOfJobAndTask) {
  Needs n = needs(job().gpus(8).gpus_per_task(2));
  EXPECT_TRUE(n.counts_tasks);
  EXPECT_EQ(n.ntasks, 4u);
}

TEST(Needs, WithoutTasksEveryNodeHasTheSameNumber) {
  Needs n = needs(job().nodes(2).per_node(3));
  EXPECT_FALSE(n.counts_tasks);
  EXPECT_EQ(n.tasks_per_node, 3u);
  EXPECT_EQ(n.min_cpus, 3u);
}

TEST(Needs, CpusPerGpuRaiseTheCpusOfTasksAndNodes) {
  JobSpec by_task = tasks(2).gpus_per_task(2), by_node = tasks(2).gpus_per_node(3);
  by_task.shape.cpus_per_gpu = by_node.shape.cpus_per_gpu = 4;
  EXPECT_EQ(needs(by_task).cpus_per_task, 8u);
  EXPECT_EQ(needs(by_node).min_cpus, 12u);
}

TEST(Needs, ANodeMustHoldATaskOrAllWhenThereIsOneNode) {
  EXPECT_EQ(needs(tasks(6).cpus(2)).least_cpus, 2u);
  EXPECT_EQ(needs(tasks(6).cpus(2).nodes(1)).least_cpus, 12u);
}

TEST(Needs, OvercommitNeedsOneCpu) {
  JobSpec spec = tasks(20).nodes(1).per_node(20);
  spec.shape.overcommit = true;
  EXPECT_EQ(needs(spec).least_cpus, 1u);
  EXPECT_EQ(needs(spec).min_cpus, 1u);
}

}  // namespace
}  // namespace grappe::sched::testing
