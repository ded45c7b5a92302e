#include "base/memory_size.h"

#include <gtest/gtest.h>

namespace grappe {
namespace {

TEST(MemorySize, ReadsEverySuffix) {
  struct Case {
    const char* text;
    uint64_t megabytes;
  };
  const Case cases[] = {{"0", 0},        {"1", 1},      {"512", 512},
                        {"512K", 1},     {"1K", 1},     {"1024K", 1},
                        {"1025K", 2},    {"1536k", 2},  {"0K", 0},
                        {"1M", 1},       {"1MB", 1},    {"1G", 1024},
                        {"1g", 1024},    {"1GB", 1024}, {"1KB", 1},
                        {"1T", 1048576}, {"007", 7},    {"17592186044415", 17592186044415}};
  for (const Case& c : cases) EXPECT_EQ(parse_megabytes(c.text).value(), c.megabytes) << c.text;
}

TEST(MemorySize, RefusesFractionsAndOtherSuffixes) {
  for (auto bad : {"", "G", "-1", "1x", "1 G", "1G ", "1.5G", "1GiB", "1P", "1B", "0x10", "1Gx",
                   "+5", "99999999999999999999", "18446744073709551615", "17592186044416T"}) {
    EXPECT_FALSE(parse_megabytes(bad)) << bad;
  }
}

TEST(MemorySize, SuffixOfACount) {
  EXPECT_EQ(suffix_multiplier(""), 1u);
  EXPECT_EQ(suffix_multiplier("k"), 1024u);
  EXPECT_EQ(suffix_multiplier("KB"), 1000u);
  EXPECT_EQ(suffix_multiplier("KiB"), 1024u);
  EXPECT_EQ(suffix_multiplier("mb"), 1000000u);
  EXPECT_EQ(suffix_multiplier("P"), 1125899906842624u);
  for (auto bad : {"b", "x", "E", "Kx", "KiBx"}) EXPECT_EQ(suffix_multiplier(bad), 0u) << bad;
}

TEST(MemorySize, ScontrolShowsAGreaterUnitOnlyWhenExact) {
  EXPECT_EQ(format_megabytes(0), "0");
  EXPECT_EQ(format_megabytes(512), "512M");
  EXPECT_EQ(format_megabytes(1024), "1G");
  EXPECT_EQ(format_megabytes(1025), "1025M");
  EXPECT_EQ(format_megabytes(1536), "1.50G");
  EXPECT_EQ(format_megabytes(32000), "32000M");
  EXPECT_EQ(format_megabytes(4 * 32000), "125G");
  EXPECT_EQ(format_megabytes(1048576), "1T");
}

TEST(MemorySize, SacctRoundsToTwoPlaces) {
  EXPECT_EQ(convert_units(32000, Unit::kMega), "31.25G");
  EXPECT_EQ(convert_units(1023, Unit::kKilo), "1023K");
  EXPECT_EQ(convert_units(1024, Unit::kNone), "1K");
  EXPECT_EQ(convert_units(1025, Unit::kKilo), "1.00M");
  EXPECT_EQ(convert_units(1048575.999, Unit::kNone), "1024.00K");
  EXPECT_EQ(convert_units(0.5, Unit::kMega), "0");
  EXPECT_EQ(convert_units(1.5, Unit::kMega), "1.50M");
  EXPECT_EQ(convert_units(-2048, Unit::kKilo), "-2048.00K");
  EXPECT_EQ(convert_units(2048, Unit::kPeta), "2?");
  EXPECT_EQ(convert_units(1500, Unit::kNone, Shorten::kRounded, 1000), "1.50K");
}

TEST(MemorySize, NoConvertAndRaw) {
  EXPECT_EQ(convert_units(131072, Unit::kMega, Shorten::kNever), "131072M");
  EXPECT_EQ(convert_units(131072, Unit::kMega, Shorten::kRaw), "131072");
  EXPECT_EQ(convert_units(1.5, Unit::kMega, Shorten::kRaw), "1.50");
}

TEST(MemorySize, ConvertsToTheUnitAskedFor) {
  EXPECT_EQ(convert_units_to(512, Unit::kMega, Unit::kGiga), "0.50G");
  EXPECT_EQ(convert_units_to(1, Unit::kMega, Unit::kKilo), "1024K");
  EXPECT_EQ(convert_units_to(1, Unit::kMega, Unit::kNone), "1048576");
  EXPECT_EQ(convert_units_to(1, Unit::kMega, Unit::kPeta), "0.00P");
  EXPECT_EQ(convert_units_to(0, Unit::kMega, Unit::kGiga), "0");
}

}  // namespace
}  // namespace grappe
