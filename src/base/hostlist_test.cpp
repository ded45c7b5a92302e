#include "base/hostlist.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace grappe {
namespace {

std::string names_of(std::string_view expression) {
  auto names = expand_hostlist(expression);
  return names ? join(*names, " ") : names.error().message;
}

std::string folded(std::string_view expression) {
  return fold_hostlist(expand_hostlist(expression).value());
}

std::string sorted(std::string_view expression) {
  return fold_sorted_hostlist(expand_hostlist(expression).value());
}

TEST(Hostlist, ExpandsRangesAndKeepsPadding) {
  EXPECT_EQ(names_of("node[1-3,07-10],a"), "node1 node2 node3 node07 node08 node09 node10 a");
  EXPECT_EQ(names_of("n[098-101]"), "n098 n099 n100 n101");
  EXPECT_EQ(names_of("n[98-101]"), "n98 n99 n100 n101");
  EXPECT_EQ(names_of("a[00-3]"), "a00 a01 a02 a03");
  EXPECT_EQ(names_of("[1-3]"), "1 2 3");
  EXPECT_EQ(names_of("a[5,3,1]"), "a5 a3 a1");
}

TEST(Hostlist, ExpandsSeveralBracketsInSlurmsOrder) {
  EXPECT_EQ(names_of("b[1-2]-ib[0-1]"), "b1-ib0 b1-ib1 b2-ib0 b2-ib1");
  EXPECT_EQ(names_of("n[1-2][3-4][5-6]"), "n135 n136 n235 n236 n145 n146 n245 n246");
  EXPECT_EQ(names_of("n[1-2,5]x[3-4]y[5-6]"),
            "n1x3y5 n1x3y6 n2x3y5 n2x3y6 n5x3y5 n5x3y6 n1x4y5 n1x4y6 n2x4y5 n2x4y6 n5x4y5 n5x4y6");
}

TEST(Hostlist, EmptyItemsAndBlanksSeparate) {
  EXPECT_EQ(names_of(",a,,b,"), "a b");
  EXPECT_EQ(names_of("a b\tc"), "a b c");
  EXPECT_EQ(names_of(""), "");
}

TEST(Hostlist, RefusesWhatNobodyMeant) {
  for (auto bad :
       {"a[3-1]", "a[]", "a[x]", "a[1-3", "a]1", "a[1-2]b", "a[1-3]-", "a[[1-3]]", "a[1,]", "a[,1]",
        "a[1-2-3]", "a[-1]", "a[+1]", "a[ 1]", "a[1-]", "a[99999999999999999999]"}) {
    EXPECT_EQ(names_of(bad), std::string("Invalid hostlist: ") + bad);
  }
  auto range = expand_hostlist("a[3-1]");
  ASSERT_FALSE(range);
  EXPECT_EQ(range.error().notes,
            std::vector<std::string>{"_parse_single_range: Invalid range: `3-1'"});
}

TEST(Hostlist, BoundsWhatAnExpressionGrowsTo) {
  EXPECT_EQ(expand_hostlist("a[1-65536]")->size(), 65536u);
  auto range = expand_hostlist("a[1-65537]");
  ASSERT_FALSE(range);
  EXPECT_EQ(range.error().notes.front(), "_parse_single_range: Too many hosts in range `1-65537'");
  EXPECT_FALSE(expand_hostlist("a[1-65536],a[1-65536]"));
  EXPECT_FALSE(expand_hostlist("a[1-1000][1-1000]"));
  EXPECT_FALSE(expand_hostlist("a[0-65535][0-65535][0-65535][0-65535][0-65535]"));
  EXPECT_FALSE(expand_hostlist(std::string(10000, 'x')));
  EXPECT_FALSE(expand_hostlist(std::string(10000, 'x') + "[1-1000]"));
}

TEST(Hostlist, FoldKeepsTheOrder) {
  EXPECT_EQ(folded("a,b,node3,node1,node2"), "a,b,node[3,1-2]");
  EXPECT_EQ(folded("node1,node2,node3,node1"), "node[1-3,1]");
  EXPECT_EQ(folded("n[1-3],n[2-4]"), "n[1-3,2-4]");
  EXPECT_EQ(folded("tux[0-1],tux10,tux9,tux"), "tux[0-1,10,9],tux");
  EXPECT_EQ(folded("b1-ib0,b1-ib1,b2-ib0"), "b1-ib[0-1],b2-ib0");
  EXPECT_EQ(folded("1,2,3"), "[1-3]");
  EXPECT_EQ(folded("12"), "12");
  EXPECT_EQ(folded("n1a,n2a"), "n1a,n2a");
  EXPECT_EQ(folded("a,a"), "a,a");
  EXPECT_EQ(fold_hostlist({}), "");
}

TEST(Hostlist, PaddingDecidesWhatFolds) {
  EXPECT_EQ(folded("n01,n02,n3,n10,n010"), "n[01-02,3,10,010]");
  EXPECT_EQ(folded("n9,n10,n11"), "n[9-11]");
  EXPECT_EQ(folded("n09,n10,n9"), "n[09-10,9]");
  EXPECT_EQ(folded("n099,n100,n0101"), "n[099-100,0101]");
  EXPECT_EQ(folded("n[01-99],n100"), "n[01-100]");
  EXPECT_EQ(folded("a99,a0100,a100"), "a[99,0100,100]");
  EXPECT_EQ(folded("n9,n010,n11"), "n[9,010,11]");
}

TEST(Hostlist, SortedFoldOrdersNumbersByValue) {
  EXPECT_EQ(sorted("a,b,node3,node1,node2"), "a,b,node[1-3]");
  EXPECT_EQ(sorted("tux[0-1],tux10,tux9,tux"), "tux,tux[0-1,9-10]");
  EXPECT_EQ(sorted("n10,n9,n8,n[01-03]"), "n[8-9,01-03,10]");
  EXPECT_EQ(sorted("n[1-3],n[2-4]"), "n[1-2,2-3,3-4]");
  EXPECT_EQ(sorted("node1,node2,node3,node1"), "node[1,1-3]");
  EXPECT_EQ(sorted("cn-1,cn-02,cn-3"), "cn-[1,3,02]");
  EXPECT_EQ(sorted("a10-0,a9-0,a10-1"), "a9-0,a10-[0-1]");
  EXPECT_EQ(sorted("A1,a1,B1"), "A1,B1,a1");
  EXPECT_EQ(sorted("n001,n1,n01"), "n[1,01,001]");
}

TEST(Hostlist, NumbersTooLongToCountArePlainText) {
  EXPECT_EQ(folded("n99999999999999999999,n100000000000000000000"),
            "n99999999999999999999,n100000000000000000000");
}

TEST(Hostlist, OrdersNames) {
  EXPECT_TRUE(hostname_less("node2", "node10"));
  EXPECT_FALSE(hostname_less("node10", "node2"));
  EXPECT_TRUE(hostname_less("rack9-1", "rack10-1"));
  EXPECT_FALSE(hostname_less("a", "a"));
}

}  // namespace
}  // namespace grappe
