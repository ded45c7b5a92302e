#include "base/index_set.h"

#include <gtest/gtest.h>

namespace grappe {
namespace {

using Numbers = std::vector<uint32_t>;

TEST(IndexSet, ReadsNumbersRangesAndSteps) {
  EXPECT_EQ(parse_index_set("0-3,5,9-13:2", 100, 100).value(), (Numbers{0, 1, 2, 3, 5, 9, 11, 13}));
  EXPECT_EQ(parse_index_set("7", 7, 1).value(), Numbers{7});
  EXPECT_EQ(parse_index_set("", 7, 1).value(), Numbers{});
  EXPECT_EQ(parse_index_set("0-1\n", 7, 9).value(), (Numbers{0, 1}));
}

TEST(IndexSet, SortsAndKeepsEachNumberOnce) {
  EXPECT_EQ(parse_index_set("5,1-3,2", 100, 100).value(), (Numbers{1, 2, 3, 5}));
}

TEST(IndexSet, RefusesWhatIsNoSet) {
  for (auto bad :
       {",", "1,", "a", "1-", "-1", "3-1", "1-5:0", "1:2", "1-5:x", "1-2-3", "101", "+1", "1 2"}) {
    EXPECT_FALSE(parse_index_set(bad, 100, 100)) << bad;
  }
}

TEST(IndexSet, BoundsTheCount) {
  EXPECT_TRUE(parse_index_set("0-99", 4294967295u, 100));
  EXPECT_FALSE(parse_index_set("0-100", 4294967295u, 100));
  EXPECT_FALSE(parse_index_set("0-4294967295", 4294967295u, 100));
  EXPECT_FALSE(parse_index_set("0-99,200", 4294967295u, 100));
  EXPECT_TRUE(parse_index_set("0-4294967295:4294967295", 4294967295u, 2));
}

TEST(IndexSet, FoldsRunsIntoRanges) {
  EXPECT_EQ(format_index_set({}), "");
  EXPECT_EQ(format_index_set(Numbers{4}), "4");
  EXPECT_EQ(format_index_set(Numbers{0, 1, 2, 3, 5, 8, 9}), "0-3,5,8-9");
  EXPECT_EQ(format_index_set(Numbers{4294967295u, 0}), "4294967295,0");
}

}  // namespace
}  // namespace grappe
