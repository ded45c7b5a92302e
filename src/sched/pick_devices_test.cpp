#include "sched/pick_devices.h"

#include <gtest/gtest.h>

#include "sched/testing/builders.h"

namespace grappe::sched::testing {
namespace {

using Devices = std::vector<uint32_t>;

// Picks for one need that counts by node.
Devices pick(NodeSpec spec, JobSpec asked, std::initializer_list<uint32_t> used = {},
             std::initializer_list<uint32_t> used_cpus = {}) {
  Cluster c;
  spec.value.used_devices = bits(used);
  spec.value.used_cpus = bits(used_cpus);
  NodeFacts facts = facts_of(spec.value);
  Needs needs = needs_of(c.snapshot, asked.shape);
  Site site{&spec.value, &facts, &c.snapshot.partitions[0]};
  auto devices = pick_devices(needs, site, piece_on(needs, site, 0, 1, {}));
  return devices ? *devices : Devices{999};
}

TEST(PickDevices, TheLowestFreeComeFirst) {
  EXPECT_EQ(pick(node(8).gpus(4), tasks(1).gpus_per_node(2)), (Devices{0, 1}));
  EXPECT_EQ(pick(node(8).gpus(4), tasks(1).gpus_per_node(2), {0, 2}), (Devices{1, 3}));
}

TEST(PickDevices, TheSmallestGroupOfLinksThatIsEnough) {
  NodeSpec spec = node(8).gpus(8).linked(4);
  EXPECT_EQ(pick(spec, tasks(1).gpus_per_node(1), {0, 4, 5, 6}), (Devices{7}));
  EXPECT_EQ(pick(spec, tasks(1).gpus_per_node(2), {0, 4, 5, 6}), (Devices{1, 2}));
  EXPECT_EQ(pick(spec, tasks(1).gpus_per_node(4), {0}), (Devices{4, 5, 6, 7}));
}

TEST(PickDevices, LinksAreOfNoAccountWhereTheRuleIsOff) {
  Cluster c;
  c.nodes(1, node(8).gpus(8).linked(4));
  c.running(0, 1, kNow + 1000, 0, 1);
  c.job(1, tasks(1).gpus_per_node(4));
  EXPECT_EQ(devices_of(c.plan(), 1), "n1:4-7");
  c.policy.placement.gpu_links = false;
  EXPECT_EQ(devices_of(c.plan(), 1), "n1:1-4");
}

TEST(PickDevices, FewGroupsWhenOneIsNotEnough) {
  NodeSpec spec = node(8).gpus(8).linked(4);
  EXPECT_EQ(pick(spec, tasks(1).gpus_per_node(5), {0, 1}), (Devices{2, 4, 5, 6, 7}));
}

TEST(PickDevices, GroupsWithoutAFreeCpuComeLast) {
  NodeSpec spec = node(8).gpus(4).linked(2);
  EXPECT_EQ(pick(spec, tasks(1).gpus_per_node(1), {}, {0, 1, 2, 3}), (Devices{2}));
}

TEST(PickDevices, OnlyTheTypeAskedFor) {
  JobSpec typed = tasks(1);
  typed.shape.per_node.push_back({1, "gpu", false, 1});
  EXPECT_EQ(pick(node(8).gpus(2, 0).gpus(2, 1), typed), (Devices{2}));
}

TEST(PickDevices, SeveralKindsForOneJob) {
  JobSpec spec = tasks(1).gpus_per_node(1);
  spec.shape.per_node.push_back({2, "fpga", false, 1});
  EXPECT_EQ(pick(node(8).gpus(2, 2).gpus(2, 0), spec), (Devices{0, 2}));
}

TEST(PickDevices, NotEnoughFreeIsNothing) {
  EXPECT_EQ(pick(node(8).gpus(2), tasks(1).gpus_per_node(2), {1}), (Devices{999}));
}

TEST(PickDevices, AWholeNodeBringsEveryDevice) {
  EXPECT_EQ(pick(node(8).gpus(2, 0).gpus(1, 2), tasks(1).exclusive()), (Devices{0, 1, 2}));
}

}  // namespace
}  // namespace grappe::sched::testing
