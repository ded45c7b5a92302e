#include "embedded/pool.h"

#include <gtest/gtest.h>

#include <vector>

namespace grappe::embedded {
namespace {

TEST(Pool, KeepsEqualValuesOnce) {
  Pool<int> pool;
  auto first = pool.share("a", std::make_shared<const int>(1));
  EXPECT_EQ(pool.share("a", std::make_shared<const int>(1)), first);
  EXPECT_NE(pool.share("b", std::make_shared<const int>(2)), first);
}

TEST(Pool, ForgetsWhatNobodyHolds) {
  Pool<int> pool;
  auto held = pool.share("held", std::make_shared<const int>(0));
  for (int i = 0; i < 10'000; ++i) pool.share(std::to_string(i), std::make_shared<const int>(i));
  EXPECT_LE(pool.size(), 1025u);
  EXPECT_EQ(pool.share("held", std::make_shared<const int>(9)), held);
}

}  // namespace
}  // namespace grappe::embedded
