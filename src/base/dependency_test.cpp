#include "base/dependency.h"

#include <gtest/gtest.h>

namespace grappe {
namespace {

std::string shown(std::string_view text) {
  auto list = parse_dependencies(text);
  return list ? format_dependencies(*list) : list.error().message;
}

TEST(Dependency, ShownAsScontrolDoes) {
  EXPECT_EQ(shown("afterok:13"), "afterok:13(unfulfilled)");
  EXPECT_EQ(shown("afterok:1:2"), "afterok:1(unfulfilled),afterok:2(unfulfilled)");
  EXPECT_EQ(shown("afterok:1,afternotok:2"), "afterok:1(unfulfilled),afternotok:2(unfulfilled)");
  EXPECT_EQ(shown("afterok:1:2?afterany:1"),
            "afterok:1(unfulfilled)?afterok:2(unfulfilled)?afterany:1(unfulfilled)");
  EXPECT_EQ(shown("after:1+10:2+5"), "after:1+10(unfulfilled),after:2+5(unfulfilled)");
  EXPECT_EQ(shown("singleton,afterok:1"), "singleton(unfulfilled),afterok:1(unfulfilled)");
  EXPECT_EQ(shown("AFTEROK:1"), "afterok:1(unfulfilled)");
  EXPECT_EQ(shown("expand:1"), "expand:1(unfulfilled)");
  EXPECT_EQ(shown("aftercorr:1?afterburstbuffer:2"),
            "aftercorr:1(unfulfilled)?afterburstbuffer:2(unfulfilled)");
}

TEST(Dependency, TasksOfArrays) {
  EXPECT_EQ(shown("afterany:12_2:12_3"), "afterany:12_2(unfulfilled),afterany:12_3(unfulfilled)");
  EXPECT_EQ(shown("afterany:12_*"), "afterany:12_*(unfulfilled)");
  EXPECT_EQ(shown("afterany:12_[2-3]"), "afterany:12_2(unfulfilled),afterany:12_3(unfulfilled)");
  EXPECT_EQ(shown("afterany:12_[2,4]?after:1"),
            "afterany:12_2(unfulfilled)?afterany:12_4(unfulfilled)?after:1(unfulfilled)");
  EXPECT_EQ(parse_dependencies("afterok:12")->items[0].task_id, kNoValue);
}

TEST(Dependency, ANumberAloneIsAfterany) {
  EXPECT_EQ(shown("1,2"), "afterany:1(unfulfilled),afterany:2(unfulfilled)");
  EXPECT_EQ(shown("afterok:1,2"), "afterok:1(unfulfilled),afterany:2(unfulfilled)");
}

TEST(Dependency, RepetitionsAreLeftOut) {
  EXPECT_EQ(shown("afterok:1:1,afterok:1"), "afterok:1(unfulfilled)");
  EXPECT_EQ(shown("after:1,afterok:1"), "after:1(unfulfilled),afterok:1(unfulfilled)");
}

TEST(Dependency, WhatIsShownCanBeGivenBack) {
  for (auto text : {"afterok:1(unfulfilled)?singleton(unfulfilled)", "after:1+5(failed)",
                    "afterany:12_*(unfulfilled),aftercorr:7_3(failed)", "singleton(failed)"}) {
    EXPECT_EQ(shown(text), text);
  }
}

TEST(Dependency, RefusesWithSlurmsWords) {
  for (auto bad : {"",
                   "afterok",
                   "afterok:",
                   "afterok:1:",
                   "afterok:1,",
                   ",afterok:1",
                   "afterok:1,,afterok:2",
                   "nosuch:1",
                   "1:2",
                   "afterok:x",
                   "afterok:0",
                   "afterok:-1",
                   "afterok:1 2",
                   " afterok:1",
                   "afterok:1_2_3",
                   "after:1+0",
                   "after:1+x",
                   "after:1+-1",
                   "singleton:1",
                   "afterok:99999999999",
                   "afterok:1_[",
                   "afterok:1_[]",
                   "afterok:1_[1-",
                   "after:1+99999999999",
                   "afterok:1(x)"}) {
    EXPECT_EQ(shown(bad), "Job dependency problem") << bad;
  }
}

TEST(Dependency, AnyAmongAllIsAny) {
  EXPECT_EQ(shown("afterok:1,afterok:2?afterok:3"),
            "afterok:1(unfulfilled)?afterok:2(unfulfilled)?afterok:3(unfulfilled)");
}

TEST(Dependency, BoundsTheNumberOfItems) {
  EXPECT_EQ(parse_dependencies("afterok:1_[0-9999]")->items.size(), 10000u);
  EXPECT_FALSE(parse_dependencies("afterok:1_[0-10000]"));
  EXPECT_FALSE(parse_dependencies("afterok:1_[0-9999]:2"));
}

}  // namespace
}  // namespace grappe
