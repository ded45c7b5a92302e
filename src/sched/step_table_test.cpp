#include "sched/step_table.h"

#include <gtest/gtest.h>

#include <array>

namespace grappe::sched {
namespace {

int64_t lowest(const StepTable& table, Time from, Time to) {
  int64_t out = 0;
  table.lowest(from, to, {&out, 1});
  return out;
}

void add(StepTable& table, Time from, Time to, int64_t delta) {
  table.add(from, to, {&delta, 1});
}

TEST(StepTable, IsConstantAtFirst) {
  StepTable t(10, {8});
  EXPECT_EQ(t.at(10)[0], 8);
  EXPECT_EQ(t.at(0)[0], 8);
  EXPECT_EQ(t.at(kForever)[0], 8);
  EXPECT_EQ(t.next_change(10), kForever);
}

TEST(StepTable, AnAdditionHoldsFromItsStartUntilBeforeItsEnd) {
  StepTable t(0, {8});
  add(t, 5, 10, -3);
  EXPECT_EQ(t.at(4)[0], 8);
  EXPECT_EQ(t.at(5)[0], 5);
  EXPECT_EQ(t.at(9)[0], 5);
  EXPECT_EQ(t.at(10)[0], 8);
  EXPECT_EQ(t.next_change(0), 5);
  EXPECT_EQ(t.next_change(5), 10);
  EXPECT_EQ(t.next_change(10), kForever);
}

TEST(StepTable, AnAdditionForEverHasNoEnd) {
  StepTable t(0, {1});
  add(t, 5, kForever, 2);
  EXPECT_EQ(t.at(1000000)[0], 3);
  EXPECT_EQ(t.rows(), 2u);
}

TEST(StepTable, LowestLooksAtEveryRowItTouches) {
  StepTable t(0, {8});
  add(t, 10, 20, -3);
  add(t, 15, 30, -4);
  EXPECT_EQ(lowest(t, 0, 10), 8);
  EXPECT_EQ(lowest(t, 0, 11), 5);
  EXPECT_EQ(lowest(t, 0, 16), 1);
  EXPECT_EQ(lowest(t, 20, 25), 4);
  EXPECT_EQ(lowest(t, 30, kForever), 8);
}

TEST(StepTable, ColumnsAreIndependent) {
  StepTable t(0, {8, 100});
  std::array<int64_t, 2> delta{-1, -50}, out{};
  t.add(0, 10, delta);
  t.lowest(0, 20, out);
  EXPECT_EQ(out, (std::array<int64_t, 2>{7, 50}));
}

TEST(StepTable, GivesUpBelowTheFloor) {
  StepTable t(0, {8, 100});
  std::array<int64_t, 2> delta{-6, 0}, out{}, floor{3, 0};
  t.add(10, 20, delta);
  std::size_t hint = 0;
  EXPECT_TRUE(t.lowest(0, 10, floor, out, hint));
  EXPECT_EQ(out[0], 8);
  EXPECT_FALSE(t.lowest(0, 11, floor, out, hint));
  EXPECT_FALSE(t.lowest(12, 13, floor, out, hint));
  EXPECT_TRUE(t.lowest(20, 99, floor, out, hint));
  floor[0] = 2;
  hint = 0;
  EXPECT_TRUE(t.lowest(0, 30, floor, out, hint));
  EXPECT_EQ(out[0], 2);
}

TEST(StepTable, NothingHappensInAnEmptySpan) {
  StepTable t(0, {8});
  add(t, 5, 5, -1);
  add(t, 6, 5, -1);
  EXPECT_EQ(t.rows(), 1u);
}

TEST(StepTable, TakingAndGivingBackLeavesTheCounts) {
  StepTable t(0, {8});
  add(t, 3, 9, -2);
  add(t, 5, 12, -1);
  add(t, 3, 9, 2);
  add(t, 5, 12, 1);
  for (Time at = 0; at < 15; ++at) EXPECT_EQ(t.at(at)[0], 8) << at;
}

}  // namespace
}  // namespace grappe::sched
