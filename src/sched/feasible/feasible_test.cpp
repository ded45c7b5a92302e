#include "sched/feasible/feasible.h"

#include <gtest/gtest.h>

#include "sched/plan.h"
#include "sched/testing/builders.h"

namespace grappe::sched::testing {
namespace {

class Feasible : public ::testing::Test {
 protected:
  Feasible() { c.nodes(4, node(8).gpus(4)); }
  Reason check(const JobSpec& spec) { return feasible(c.snapshot, spec.shape, 0); }

  Cluster c;
};

TEST_F(Feasible, WhatFitsAnEmptyMachineIs) {
  EXPECT_EQ(check(tasks(32)), Reason::kNone);
  EXPECT_EQ(check(job().gpus(16)), Reason::kNone);
  c.running(0, 8, kNow + 60, 32000, 4);
  EXPECT_EQ(check(tasks(32)), Reason::kNone);
}

TEST_F(Feasible, NodesThatAreDownCount) {
  for (Node& n : c.snapshot.nodes) n.available = false;
  EXPECT_EQ(check(tasks(32)), Reason::kNone);
}

TEST_F(Feasible, WhatNoNodeHasIsABadConstraint) {
  EXPECT_EQ(check(job().gpus(17)), Reason::kBadConstraints);
  EXPECT_EQ(check(tasks(1).gpus_per_node(5)), Reason::kBadConstraints);
  EXPECT_EQ(check(tasks(1).mem(40000)), Reason::kBadConstraints);
  EXPECT_EQ(check(tasks(1).cpus(9)), Reason::kBadConstraints);
  EXPECT_EQ(check(tasks(2).gpus(12)), Reason::kBadConstraints);
  EXPECT_EQ(check(tasks(3).nodes(2).gpus_per_task(3)), Reason::kBadConstraints);
  EXPECT_EQ(check(tasks(1).exclusive().mem_per_cpu(8000)), Reason::kBadConstraints);
}

TEST_F(Feasible, MoreCpusThanThePartitionHasWaitsForItsConfiguration) {
  EXPECT_EQ(check(tasks(40)), Reason::kPartitionConfig);
  EXPECT_EQ(check(job().nodes(40)), Reason::kPartitionConfig);
  EXPECT_EQ(check(job().nodes(5)), Reason::kPartitionNodeLimit);
}

TEST_F(Feasible, MoreNodesThanThePartitionAllowsIsItsLimit) {
  c.snapshot.partitions[0].max_nodes = 2;
  EXPECT_EQ(check(job().nodes(3)), Reason::kPartitionNodeLimit);
  EXPECT_EQ(check(job().nodes(2)), Reason::kNone);
  EXPECT_EQ(check(job().nodes(1, 3)), Reason::kPartitionNodeLimit);
  EXPECT_EQ(check(job().nodes(1, 2)), Reason::kNone);
}

TEST_F(Feasible, AQosMayFreeFromTheNumberOfNodes) {
  c.snapshot.partitions[0].max_nodes = 2;
  JobSpec many = job().nodes(3), range = job().nodes(1, 3), few = job().nodes(1);
  many.shape.own_max_nodes = range.shape.own_max_nodes = few.shape.own_min_nodes = true;
  EXPECT_EQ(check(many), Reason::kNone);
  EXPECT_EQ(check(range), Reason::kNone);
  c.snapshot.partitions[0].min_nodes = 2;
  EXPECT_EQ(check(few), Reason::kNone);
}

TEST_F(Feasible, FewerNodesThanThePartitionWantsIsItsLimit) {
  c.snapshot.partitions[0].min_nodes = 2;
  EXPECT_EQ(check(job().nodes(1)), Reason::kPartitionNodeLimit);
}

TEST_F(Feasible, QuotasOfCpusCount) {
  c.snapshot.partitions[0].max_cpus_per_node = 3;
  c.snapshot.partitions[0].max_nodes = 2;
  EXPECT_EQ(check(tasks(4)), Reason::kNone);
  EXPECT_EQ(check(tasks(8)), Reason::kBadConstraints);
  EXPECT_EQ(check(tasks(1).exclusive()), Reason::kBadConstraints);
}

TEST_F(Feasible, RequiredAndExcludedNodesCount) {
  EXPECT_EQ(check(tasks(9).nodes(2).on({0}).except({1, 2, 3})), Reason::kBadConstraints);
  EXPECT_EQ(check(tasks(1).on({7})), Reason::kBadConstraints);
  EXPECT_EQ(check(tasks(1).except({0, 1, 2, 3})), Reason::kBadConstraints);
}

TEST_F(Feasible, GeometryAndDiskCount) {
  JobSpec sockets = tasks(1), cores = tasks(1), threads = tasks(1), disk = tasks(1);
  sockets.shape.sockets_per_node = 2;
  cores.shape.cores_per_socket = 9;
  threads.shape.threads_per_core = 2;
  disk.shape.tmp_mb = 100;
  for (const JobSpec& spec : {sockets, cores, threads, disk}) {
    EXPECT_EQ(check(spec), Reason::kBadConstraints);
  }
  c.nodes(1, node(1).geometry(2, 10, 2).tmp(500));
  for (const JobSpec& spec : {sockets, cores, threads, disk}) {
    EXPECT_EQ(check(spec), Reason::kNone);
  }
}

TEST_F(Feasible, TooManySortsOfDevicesAreRefused) {
  JobSpec spec = tasks(1);
  for (GresKind k = 0; k < 9; ++k) spec.shape.per_node.push_back({k, "x", false, 1});
  EXPECT_EQ(check(spec), Reason::kBadConstraints);
}

TEST_F(Feasible, BoundTasksNeedTheirCpusNearTheirGpu) {
  c.nodes(1, node(1).geometry(2, 4, 1).gpus(2).linked(1));
  JobSpec bound = tasks(1).cpus(4).gpus_per_node(1).on({4});
  bound.shape.enforce_binding = true;
  EXPECT_EQ(check(bound), Reason::kNone);
  EXPECT_EQ(check(bound.cpus(5)), Reason::kBadConstraints);
}

TEST(Features, AlternativesAndCounts) {
  Cluster c;
  c.nodes(2, node(4).features({0, 2}));
  c.nodes(1, node(4).features({0, 1}));
  auto check = [&](JobSpec spec, std::vector<FeatureSet> sets, bool same = false) {
    spec.shape.features = std::move(sets);
    spec.shape.same_features = same;
    return feasible(c.snapshot, spec.shape, 0);
  };
  FeatureSet a{bits({0})}, b{bits({1})}, none{bits({5})}, ac{bits({0, 2})};
  EXPECT_EQ(check(job().nodes(3), {a}), Reason::kNone);
  EXPECT_EQ(check(job().nodes(2), {b}), Reason::kBadConstraints);
  EXPECT_EQ(check(job().nodes(2), {ac}), Reason::kNone);
  EXPECT_EQ(check(job().nodes(3), {ac}), Reason::kBadConstraints);
  EXPECT_EQ(check(job().nodes(3), {ac, b}), Reason::kNone);
  EXPECT_EQ(check(job().nodes(3), {ac, b}, true), Reason::kBadConstraints);
  EXPECT_EQ(check(job().nodes(1), {none}), Reason::kBadConstraints);
  FeatureSet two_a = ac, one_b = b, two_b = b;
  two_a.count = two_b.count = 2;
  one_b.count = 1;
  EXPECT_EQ(check(job().nodes(3), {two_a, one_b}), Reason::kNone);
  EXPECT_EQ(check(job().nodes(4), {two_a, two_b}), Reason::kPartitionNodeLimit);
  EXPECT_EQ(check(job().nodes(3), {one_b, two_b}), Reason::kBadConstraints);
}

}  // namespace
}  // namespace grappe::sched::testing
