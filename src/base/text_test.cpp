#include "base/text.h"

#include <gtest/gtest.h>

namespace grappe {
namespace {

using Views = std::vector<std::string_view>;

TEST(Text, SplitKeepsEmptyFields) {
  EXPECT_EQ(split("a,,b", ','), (Views{"a", "", "b"}));
  EXPECT_EQ(split("", ','), (Views{""}));
  EXPECT_EQ(split("a,", ','), (Views{"a", ""}));
}

TEST(Text, SplitWordsLeavesOutEmptyOnes) {
  EXPECT_EQ(split_words("  a \t b ", " \t"), (Views{"a", "b"}));
  EXPECT_EQ(split_words("", ","), Views{});
  EXPECT_EQ(split_words(",,", ","), Views{});
}

TEST(Text, JoinPutsTheSeparatorBetween) {
  std::vector<std::string> parts{"a", "", "b"};
  EXPECT_EQ(join(parts, ", "), "a, , b");
  EXPECT_EQ(join({}, ","), "");
}

TEST(Text, TrimsBothEnds) {
  EXPECT_EQ(trim(" \ta b\r\n"), "a b");
  EXPECT_EQ(trim("  "), "");
}

TEST(Text, ComparesWithoutCase) {
  EXPECT_TRUE(iequals("UNLIMITED", "unlimited"));
  EXPECT_FALSE(iequals("a", "ab"));
  EXPECT_TRUE(istarts_with("AfterOk:1", "afterok"));
  EXPECT_FALSE(istarts_with("aft", "after"));
}

TEST(Text, NumbersAreDigitsAndNothingElse) {
  EXPECT_EQ(parse_uint("007"), 7u);
  EXPECT_EQ(parse_uint("18446744073709551615"), UINT64_MAX);
  for (auto bad : {"", "+1", "-1", " 1", "1 ", "1x", "0x1", "18446744073709551616"}) {
    EXPECT_FALSE(parse_uint(bad)) << bad;
  }
  EXPECT_FALSE(parse_uint("11", 10));
  EXPECT_EQ(parse_int("-5"), -5);
  EXPECT_FALSE(parse_int("-5", 0));
  EXPECT_FALSE(parse_int("--5"));
  EXPECT_FALSE(parse_int("+5"));
}

TEST(Text, EditDistanceCountsASwapAsOne) {
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("tiem", "time"), 1u);
  EXPECT_EQ(edit_distance("same", "same"), 0u);
}

TEST(Text, SuggestsOnlyWhatIsNear) {
  const Views options{"cpus-per-task", "nodes", "no-kill", "ntasks", "time", "mem", "exclude"};
  EXPECT_EQ(closest("cpu-per-task", options), "cpus-per-task");
  EXPECT_EQ(closest("tiem", options), "time");
  EXPECT_EQ(closest("memm", options), "mem");
  EXPECT_EQ(closest("exclud", options), "exclude");
  EXPECT_EQ(closest("nosuch", options), "");
  EXPECT_EQ(closest("x", options), "");
  EXPECT_EQ(closest("", options), "");
  EXPECT_EQ(closest(std::string(100000, 'a'), options), "");
}

}  // namespace
}  // namespace grappe
