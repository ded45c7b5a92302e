#include "sched/machine.h"

#include <gtest/gtest.h>

#include "sched/testing/builders.h"

namespace grappe::sched::testing {
namespace {

TEST(Machine, CountsCoresAndThreads) {
  NodeFacts f = facts_of(node(1).geometry(2, 4, 2).value);
  EXPECT_EQ(f.cores, 8u);
  EXPECT_EQ(f.cpus_per_core, 2u);
  EXPECT_EQ(f.sockets, 2u);
  EXPECT_EQ(f.cores_per_socket(), 4u);
}

TEST(Machine, ANodeWithFewerCpusThanThreadsHasACoreForEachCpu) {
  Node n = node(1).geometry(1, 4, 2).value;
  n.cpus = 4;
  NodeFacts f = facts_of(n);
  EXPECT_EQ(f.cores, 4u);
  EXPECT_EQ(f.cpus_per_core, 1u);
}

TEST(Machine, AnIrregularNodeIsOneSocket) {
  Node n = node(7).value;
  n.sockets = 2;
  EXPECT_EQ(facts_of(n).sockets, 1u);
  EXPECT_EQ(facts_of(n).cores, 7u);
}

TEST(Machine, CountsDevicesByKind) {
  NodeFacts f = facts_of(node(8).gpus(2, 1).gpus(3, 0).value);
  EXPECT_EQ(f.kinds, (std::vector<GresKind>{1, 0}));
  EXPECT_EQ(f.counts, (std::vector<uint32_t>{2, 3}));
  EXPECT_EQ(f.slot(0), 1u);
  EXPECT_EQ(f.slot(9), f.kinds.size());
}

TEST(Machine, CpusBelongToCores) {
  NodeFacts plain = facts_of(node(8).value), threaded = facts_of(node(1).geometry(1, 4, 2).value);
  EXPECT_EQ(cores_of(plain, bits({1, 3})), 2u);
  EXPECT_EQ(cores_of(threaded, bits({0, 1})), 1u);
  EXPECT_EQ(cores_of(threaded, bits({1, 2, 7})), 3u);
  EXPECT_EQ(cores_of(threaded, {}), 0u);
}

TEST(Machine, ACoreIsFreeWhenAllItsThreadsAre) {
  NodeFacts f = facts_of(node(1).geometry(1, 4, 2).value);
  EXPECT_EQ(free_cores(f, bits({1, 4})), (std::vector<uint32_t>{1, 3}));
}

}  // namespace
}  // namespace grappe::sched::testing
