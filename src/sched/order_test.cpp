#include "sched/order.h"

#include <gtest/gtest.h>

#include "sched/testing/builders.h"

namespace grappe::sched::testing {
namespace {

std::vector<uint64_t> order_of(const Cluster& c) {
  std::vector<uint64_t> tags;
  for (const Candidate& candidate : look_order(c.snapshot)) {
    tags.push_back(c.snapshot.pending[candidate.job].tag);
  }
  return tags;
}
using Tags = std::vector<uint64_t>;

TEST(Order, HigherPriorityComesFirst) {
  Cluster c;
  c.job(1, tasks(1).priority(5));
  c.job(2, tasks(1).priority(9));
  EXPECT_EQ(order_of(c), (Tags{2, 1}));
}

TEST(Order, OfEqualPriorityTheEarlierSubmittedThenTheSmallerId) {
  Cluster c;
  c.job(3, tasks(1).priority(5)).submit_time = 20;
  c.job(2, tasks(1).priority(5)).submit_time = 10;
  c.job(1, tasks(1).priority(5)).submit_time = 20;
  EXPECT_EQ(order_of(c), (Tags{2, 1, 3}));
}

TEST(Order, TheTierOfThePartitionOutweighsPriority) {
  Cluster c;
  c.partition({}).priority_tier = 1;
  c.partition({}).priority_tier = 2;
  c.job(1, tasks(1).priority(4000000000u).in({0}));
  c.job(2, tasks(1).priority(1).in({1}));
  EXPECT_EQ(order_of(c), (Tags{2, 1}));
}

TEST(Order, HoldersOfAReservationComeBeforeAll) {
  Cluster c;
  c.partition({}).priority_tier = 1;
  c.partition({}).priority_tier = 60000;
  c.job(1, tasks(1).priority(100).in({1}));
  c.job(2, tasks(1).priority(1).in({0}).reservation(0));
  EXPECT_EQ(order_of(c), (Tags{2, 1}));
}

TEST(Order, AJobIsLookedAtInEachOfItsPartitions) {
  Cluster c;
  c.partition({}).priority_tier = 1;
  c.partition({}).priority_tier = 2;
  c.job(1, tasks(1).in({0, 1}));
  std::vector<Candidate> order = look_order(c.snapshot);
  ASSERT_EQ(order.size(), 2u);
  EXPECT_EQ(order[0].partition, 1u);
  EXPECT_EQ(order[1].partition, 0u);
}

TEST(Order, PartitionsOfOneTierAreTakenAsNamed) {
  Cluster c;
  c.partition({});
  c.partition({});
  c.job(1, tasks(1).in({1, 0}));
  EXPECT_EQ(look_order(c.snapshot)[0].partition, 1u);
}

}  // namespace
}  // namespace grappe::sched::testing
