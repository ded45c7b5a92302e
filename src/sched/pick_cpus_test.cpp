#include "sched/pick_cpus.h"

#include <gtest/gtest.h>

#include "sched/testing/builders.h"

namespace grappe::sched::testing {
namespace {

std::vector<uint32_t> pick(NodeSpec spec, JobSpec asked, uint32_t cores,
                           std::initializer_list<uint32_t> used = {},
                           std::vector<uint32_t> devices = {}) {
  Cluster c;
  spec.value.used_cpus = bits(used);
  NodeFacts facts = facts_of(spec.value);
  Needs needs = needs_of(c.snapshot, asked.shape);
  Piece piece{0, 1, cores};
  auto cpus = pick_cpus(needs, {&spec.value, &facts, &c.snapshot.partitions[0]}, piece, devices, 0);
  return cpus ? cpus->members() : std::vector<uint32_t>{};
}
using Cpus = std::vector<uint32_t>;

TEST(PickCpus, TheLowestFreeComeFirst) {
  EXPECT_EQ(pick(node(8), tasks(1), 3), (Cpus{0, 1, 2}));
  EXPECT_EQ(pick(node(8), tasks(1), 3, {0, 2}), (Cpus{1, 3, 4}));
}

TEST(PickCpus, TasksAreDealtOverTheSockets) {
  EXPECT_EQ(pick(node(1).geometry(2, 4, 1), tasks(3), 3), (Cpus{0, 1, 4}));
  EXPECT_EQ(pick(node(1).geometry(2, 4, 1), tasks(4).cpus(2), 4), (Cpus{0, 1, 4, 5}));
}

TEST(PickCpus, AFullSocketIsPassed) {
  EXPECT_EQ(pick(node(1).geometry(2, 2, 1), tasks(2), 2, {0, 1}), (Cpus{2, 3}));
}

TEST(PickCpus, AllThreadsOfACoreGoTogether) {
  EXPECT_EQ(pick(node(1).geometry(1, 4, 2), tasks(2), 1), (Cpus{0, 1}));
  EXPECT_EQ(pick(node(1).geometry(1, 4, 2), tasks(2), 1, {1}), (Cpus{2, 3}));
}

TEST(PickCpus, CoresNearTheDevicesComeFirst) {
  NodeSpec spec = node(1).geometry(2, 4, 1).gpus(4).linked(2);
  EXPECT_EQ(pick(spec, tasks(1), 2, {}, {2}), (Cpus{4, 5}));
  EXPECT_EQ(pick(spec, tasks(1), 6, {}, {2}), (Cpus{0, 1, 4, 5, 6, 7}));
}

TEST(PickCpus, BindingForbidsCoresElsewhere) {
  NodeSpec spec = node(1).geometry(2, 4, 1).gpus(4).linked(2);
  JobSpec bound = tasks(1);
  bound.shape.enforce_binding = true;
  EXPECT_EQ(pick(spec, bound, 4, {}, {2}), (Cpus{4, 5, 6, 7}));
  EXPECT_TRUE(pick(spec, bound, 5, {}, {2}).empty());
  EXPECT_TRUE(pick(spec, bound, 4, {7}, {2}).empty());
}

TEST(PickCpus, TooFewFreeIsNothing) {
  EXPECT_TRUE(pick(node(2), tasks(1), 2, {0}).empty());
}

TEST(PickCpus, ABoundJobWaitsWhenTheCoresNearItsDeviceAreTaken) {
  Cluster c;
  c.nodes(1, node(1).geometry(2, 2, 1).gpus(2).linked(1));
  c.running(0, 2, kNow + 60, 0, 0);
  c.snapshot.nodes[0].used_devices = bits({1});
  JobSpec spec = tasks(1).gpus_per_node(1);
  c.job(1, spec);
  EXPECT_EQ(cpus_of(c.plan(), 1), "n1:2");
  c.snapshot.pending.clear();
  spec.shape.enforce_binding = true;
  c.job(1, spec);
  EXPECT_EQ(why(c.plan(), 1), "Resources@1060");
}

}  // namespace
}  // namespace grappe::sched::testing
