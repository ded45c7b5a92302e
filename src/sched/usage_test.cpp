#include "sched/usage.h"

#include <gtest/gtest.h>

#include <cmath>

namespace grappe::sched {
namespace {

constexpr int64_t kWeek = 7 * 24 * 3600;

TEST(Usage, HalvesInAHalfLifeAsSlurmCounts) {
  EXPECT_NEAR(decay_factor(kWeek, kWeek), 0.50007, 1e-5);
  EXPECT_EQ(decay_factor(0, kWeek), 1);
  EXPECT_EQ(decay_factor(kWeek, 0), 1);
}

TEST(Usage, NeverDecaysToNothing) {
  EXPECT_GT(decay_factor(60, int64_t{1} << 40), 0);
}

TEST(Usage, DecaysTheSameInOneStepAsInMany) {
  double in_steps = 1;
  for (int i = 0; i < 2016; ++i) in_steps *= decay_factor(kWeek, 300);
  EXPECT_NEAR(in_steps, decay_factor(kWeek, kWeek), 1e-9);
}

TEST(Usage, ChargesWhatAJobHasForTheTimeItRan) {
  const Use use = use_of({100, {{"cpu", 4}, {"mem", 2000}}, 6.5, 1, 0});
  EXPECT_DOUBLE_EQ(use.billed, 650);
  EXPECT_DOUBLE_EQ(use.wall, 100);
  EXPECT_DOUBLE_EQ(use.tres.at("cpu"), 400);
  EXPECT_DOUBLE_EQ(use.tres.at("mem"), 200000);
  EXPECT_DOUBLE_EQ(use.tres.at("billing"), 650);
}

TEST(Usage, AQosMayMakeItCheaper) {
  EXPECT_DOUBLE_EQ(use_of({100, {{"cpu", 4}}, 4, 0.5, 0}).billed, 200);
  EXPECT_DOUBLE_EQ(use_of({100, {{"cpu", 4}}, 4, 0, 0}).billed, 0);
}

TEST(Usage, OfAChargedStretchHasDecayedSinceItBegan) {
  EXPECT_DOUBLE_EQ(use_of({300, {{"cpu", 1}}, 1, 1, kWeek}).billed, 300 * decay_factor(kWeek, 300));
}

TEST(Usage, IsTakenAwayAsFarAsThereIsAny) {
  Use use = use_of({10, {{"cpu", 2}}, 2, 1, 0});
  use -= use_of({20, {{"cpu", 2}}, 2, 1, 0});
  EXPECT_EQ(use.billed, 0);
  EXPECT_EQ(use.tres.at("cpu"), 0);
}

TEST(Usage, IsReadBackToTheLastBit) {
  Use use = use_of({12345, {{"cpu", 3}, {"gres/gpu:a100", 2}}, 1.0 / 3, 0.7, kWeek});
  EXPECT_EQ(parse_use(format_use(use)), use);
  EXPECT_EQ(parse_use(format_use({})), Use{});
  EXPECT_EQ(parse_use("what is this"), Use{});
}

TEST(UsageBook, HasNothingOfWhomItDoesNotKnow) {
  UsageBook book;
  book.association(3).billed = 5;
  EXPECT_EQ(book.of_association(3).billed, 5);
  EXPECT_EQ(book.of_association(4), Use{});
  EXPECT_EQ(book.of_qos(3), Use{});
}

}  // namespace
}  // namespace grappe::sched
