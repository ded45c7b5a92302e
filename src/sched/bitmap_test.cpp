#include "sched/bitmap.h"

#include <gtest/gtest.h>

#include "sched/testing/builders.h"

namespace grappe::sched {
namespace {

using testing::bits;

TEST(Bitmap, HoldsWhatWasSet) {
  Bitmap b = bits({0, 63, 64, 200});
  EXPECT_TRUE(b.test(0) && b.test(63) && b.test(64) && b.test(200));
  EXPECT_FALSE(b.test(1) || b.test(65) || b.test(100000));
  EXPECT_EQ(b.count(), 4u);
  b.clear(64);
  b.clear(5000);
  EXPECT_EQ(b.members(), (std::vector<uint32_t>{0, 63, 200}));
}

TEST(Bitmap, NextFindsTheFirstAtOrAfter) {
  Bitmap b = bits({3, 130});
  EXPECT_EQ(b.next(0), 3u);
  EXPECT_EQ(b.next(3), 3u);
  EXPECT_EQ(b.next(4), 130u);
  EXPECT_EQ(b.next(131), UINT32_MAX);
  EXPECT_EQ(Bitmap().next(0), UINT32_MAX);
}

TEST(Bitmap, LengthDoesNotMatterToComparison) {
  Bitmap longer = bits({1, 300});
  longer.clear(300);
  EXPECT_EQ(longer, bits({1}));
  EXPECT_TRUE(bits({1}).contains(longer));
  EXPECT_FALSE(bits({300}).intersects(bits({1})));
}

TEST(Bitmap, CombinesSetsOfDifferentLength) {
  EXPECT_EQ(bits({1, 2}) | bits({100}), bits({1, 2, 100}));
  EXPECT_EQ(bits({1, 100}) & bits({1, 2}), bits({1}));
  EXPECT_EQ(bits({1, 2}) - bits({2, 100}), bits({1}));
  EXPECT_EQ(Bitmap::first(3), bits({0, 1, 2}));
  EXPECT_TRUE((bits({1}) - bits({1})).none());
}

}  // namespace
}  // namespace grappe::sched
