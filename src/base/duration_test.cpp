#include "base/duration.h"

#include <gtest/gtest.h>

namespace grappe {
namespace {

TEST(Duration, ReadsEveryFormOfSlurm) {
  struct Case {
    const char* text;
    uint32_t seconds;
  };
  const Case cases[] = {
      {"0", 0},
      {"1", 60},
      {"60", 3600},
      {"1:30", 90},
      {"0:01", 1},
      {"0:99", 99},
      {"1:0:0", 3600},
      {"99:99:99", 362439},
      {"2-", 172800},
      {"2-3", 183600},
      {"2-03:04", 183840},
      {"2-3:4:5", 183845},
      {"1-25:61:61", 180121},
      {"UNLIMITED", kInfinite},
      {"unlimited", kInfinite},
      {"Infinite", kInfinite},
      {"-1", kInfinite},
      {"71582788", 4294967280},
  };
  for (const Case& c : cases) EXPECT_EQ(parse_duration(c.text).value(), c.seconds) << c.text;
}

TEST(Duration, RefusesEverythingElse) {
  for (auto bad :
       {"",      " 1",    "1 ",         "a",         "1a",   "1:",         "1::", "1:2:3:4",
        "1-2-3", ":1",    "-",          "1-:2",      "1.5",  "+5",         "1m",  "-5",
        "1:-1",  "UNLIM", "unlimitedx", "1-1:1:1:1", "0x10", "1-UNLIMITED"}) {
    EXPECT_FALSE(parse_duration(bad)) << bad;
  }
}

TEST(Duration, RefusesWhatDoesNotFitInsteadOfWrapping) {
  for (auto big : {"71582789", "4294967295", "60000-0", "49710-6:28:15", "99999999999999999999",
                   "4294967295-4294967295:4294967295:4294967295"}) {
    EXPECT_FALSE(parse_duration(big)) << big;
  }
}

TEST(Duration, LimitsRoundUpToMinutes) {
  EXPECT_EQ(minutes_rounded_up(0), 0u);
  EXPECT_EQ(minutes_rounded_up(1), 1u);
  EXPECT_EQ(minutes_rounded_up(60), 1u);
  EXPECT_EQ(minutes_rounded_up(61), 2u);
  EXPECT_EQ(minutes_rounded_up(kNoValue - 1), 71582789u);
  EXPECT_EQ(minutes_rounded_up(kInfinite), kInfinite);
}

TEST(Duration, ShortStyleIsThatOfSqueue) {
  EXPECT_EQ(format_duration_short(0), "0:00");
  EXPECT_EQ(format_duration_short(1), "0:01");
  EXPECT_EQ(format_duration_short(600), "10:00");
  EXPECT_EQ(format_duration_short(3600), "1:00:00");
  EXPECT_EQ(format_duration_short(604800), "7-00:00:00");
  EXPECT_EQ(format_duration_short(kInfinite), "UNLIMITED");
  EXPECT_EQ(format_duration_short(-1), "INVALID");
  EXPECT_EQ(format_minutes_short(5), "5:00");
  EXPECT_EQ(format_minutes_short(kInfinite), "UNLIMITED");
}

TEST(Duration, LongStyleIsThatOfScontrol) {
  EXPECT_EQ(format_duration(0), "00:00:00");
  EXPECT_EQ(format_duration(61), "00:01:01");
  EXPECT_EQ(format_duration(86399), "23:59:59");
  EXPECT_EQ(format_duration(604800), "7-00:00:00");
  EXPECT_EQ(format_duration(10000000000), "115740-17:46:40");
  EXPECT_EQ(format_duration(kInfinite), "UNLIMITED");
  EXPECT_EQ(format_duration(-5), "INVALID");
  EXPECT_EQ(format_minutes(1), "00:01:00");
  EXPECT_EQ(format_minutes(10080), "7-00:00:00");
  EXPECT_EQ(format_minutes(kInfinite), "UNLIMITED");
}

}  // namespace
}  // namespace grappe
