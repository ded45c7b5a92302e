#include "base/random.h"

#include <gtest/gtest.h>

namespace grappe {
namespace {

TEST(Random, TheSameSeedGivesTheSameNumbers) {
  Random a(7), b(7), c(8);
  EXPECT_EQ(a.next(), b.next());
  EXPECT_NE(a.next(), c.next());
  EXPECT_EQ(Random(0).next(), 0xe220a8397b1dcdafu);
}

TEST(Random, DistributionsHaveTheirMeans) {
  Random random(1);
  double uniform = 0, exponential = 0, normal = 0, square = 0;
  constexpr int kDraws = 100000;
  for (int i = 0; i < kDraws; ++i) {
    uniform += random.uniform();
    exponential += random.exponential(3);
    double n = random.normal();
    normal += n;
    square += n * n;
  }
  EXPECT_NEAR(uniform / kDraws, 0.5, 0.01);
  EXPECT_NEAR(exponential / kDraws, 3, 0.05);
  EXPECT_NEAR(normal / kDraws, 0, 0.02);
  EXPECT_NEAR(square / kDraws, 1, 0.02);
}

}  // namespace
}  // namespace grappe
