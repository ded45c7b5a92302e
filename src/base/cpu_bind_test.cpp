#include "base/cpu_bind.h"

#include <gtest/gtest.h>

namespace grappe {
namespace {

using Lists = std::vector<std::vector<uint32_t>>;

std::string error_of(std::string_view text) {
  auto bind = parse_cpu_bind(text);
  return bind ? "" : bind.error().message;
}

TEST(CpuBind, ReadsWordsInAnyOrder) {
  const CpuBind bind = *parse_cpu_bind("Verbose,cores");
  EXPECT_TRUE(bind.verbose);
  EXPECT_EQ(bind.unit, CpuBind::Unit::kCores);
  EXPECT_EQ(bind.kind, CpuBind::Kind::kUnset);
  EXPECT_EQ(parse_cpu_bind("v,none")->type(), "none");
  EXPECT_EQ(parse_cpu_bind("no,rank")->type(), "rank");
  EXPECT_EQ(parse_cpu_bind("quiet")->type(), "");
}

TEST(CpuBind, ReadsListsAndRepeatsEntries) {
  const CpuBind map = *parse_cpu_bind("verbose,map_cpu:3,0*2");
  EXPECT_EQ(map.lists, (Lists{{3}, {0}, {0}}));
  EXPECT_EQ(map.list, "3,0,0");
  EXPECT_EQ(map.type(), "map_cpu:");
  const CpuBind mask = *parse_cpu_bind("mask_cpu:0x3,F0");
  EXPECT_EQ(mask.lists, (Lists{{0, 1}, {4, 5, 6, 7}}));
  EXPECT_EQ(mask.list, "3,F0");
}

TEST(CpuBind, RefusesInSlurmsWords) {
  EXPECT_EQ(error_of("v,boards"), "unrecognized --cpu-bind argument \"boards\"");
  EXPECT_EQ(error_of("cores:1"), "unrecognized --cpu-bind argument \"cores\"");
  EXPECT_EQ(error_of("map_cpu:"), "missing list for \"--cpu-bind=map_cpu:<list>\"");
  EXPECT_EQ(error_of("map_cpu:0,0x1"),
            "Failed to validate number: 0x1, the offending character is x");
  EXPECT_EQ(error_of("mask_cpu:z"), "Failed to validate number: z, the offending character is z");
  EXPECT_NE(error_of("map_cpu:1,,2"), "");
  EXPECT_NE(error_of("map_cpu:0*99999999"), "");
  EXPECT_NE(error_of("v,map_ldom:0").find("memory domains"), std::string::npos);
}

TEST(CpuBind, WritesMasksOfTheWidthOfTheMachine) {
  EXPECT_EQ(cpu_mask({}), "0");
  EXPECT_EQ(cpu_mask({0, 1}), "3");
  EXPECT_EQ(cpu_mask({1}, 3), "002");
  EXPECT_EQ(cpu_mask({4, 5, 6, 7, 67}), "800000000000000F0");
}

}  // namespace
}  // namespace grappe
