#include "cli/squeue/array_tasks.h"

#include <gtest/gtest.h>

namespace grappe {
namespace {

std::string again(std::string_view text) {
  return write_array_tasks(read_array_tasks(text));
}

TEST(ArrayTasks, FoldsNeighbours) {
  EXPECT_EQ(again("1,3,5,7,9,20-24%3"), "1,3,5,7,9,20-24%3");
  EXPECT_EQ(again("1,2,3"), "1-3");
  EXPECT_EQ(again("0"), "0");
}

TEST(ArrayTasks, WritesAStepOnlyOverMoreThanTenTasks) {
  EXPECT_EQ(again("1-199:2"), "1-199:2");
  EXPECT_EQ(again("1,3,5,7,9,11,13,15,17,19%4"), "1-19:2%4");
  EXPECT_EQ(again("0-6:2"), "0,2,4,6");
}

TEST(ArrayTasks, IgnoresWhatIsMalformed) {
  EXPECT_EQ(again("x,3,4-,5-1,7:0"), "3");
}

// The lengths and texts are those of squeue with SLURM_BITSTR_LEN set.
TEST(ArrayTasks, AreCutToTheFieldSize) {
  std::string_view all =
      "0,2,5,7,9,11,13,17,19,23,29,31,37,41,43,47,53,59,61,67,71,73,79,83,89,97,101,103%7";
  EXPECT_EQ(shorten_array_tasks(all, 0), all);
  EXPECT_EQ(shorten_array_tasks(all, 100), all);
  EXPECT_EQ(shorten_array_tasks(all, 64),
            "0,2,5,7,9,11,13,17,19,23,29,31,37,41,43,47,53,59,61,67,71,73...%7");
  EXPECT_EQ(shorten_array_tasks(all, 10), "0,2,5,...%7");
  EXPECT_EQ(shorten_array_tasks(all, 5), "0...%7");
  EXPECT_EQ(shorten_array_tasks(all, 1), "%7");
}

}  // namespace
}  // namespace grappe
