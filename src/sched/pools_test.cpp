#include "sched/pools.h"

#include <gtest/gtest.h>

#include "sched/testing/builders.h"

namespace grappe::sched::testing {
namespace {

std::vector<uint32_t> pools(std::initializer_list<Bitmap> nodes) {
  std::vector<Partition> partitions;
  for (const Bitmap& b : nodes) partitions.push_back({"p", b});
  return pools_of(partitions);
}

TEST(Pools, PartitionsThatShareNodesAreOne) {
  EXPECT_EQ(pools({bits({0, 1}), bits({2}), bits({1})}), (std::vector<uint32_t>{0, 1, 0}));
}

TEST(Pools, AlsoThroughAThirdOne) {
  EXPECT_EQ(pools({bits({0}), bits({1}), bits({0, 1})}), (std::vector<uint32_t>{0, 0, 0}));
  EXPECT_EQ(pools({bits({0}), bits({1}), bits({2}), bits({1, 2})}),
            (std::vector<uint32_t>{0, 1, 1, 1}));
}

}  // namespace
}  // namespace grappe::sched::testing
