#include "cli/format/timestamp.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

namespace grappe {
namespace {

int64_t local(int year, int month, int day, int hour, int minute, int second) {
  tm parts{};
  parts.tm_year = year - 1900;
  parts.tm_mon = month - 1;
  parts.tm_mday = day;
  parts.tm_hour = hour;
  parts.tm_min = minute;
  parts.tm_sec = second;
  parts.tm_isdst = -1;
  return mktime(&parts);
}

std::string shown(const char* format, int64_t time) {
  std::string out;
  TimestampFormat(format, local(2026, 11, 15, 19, 54, 15)).append(out, time);
  return out;
}

TEST(Timestamp, IsStandardByDefault) {
  EXPECT_EQ(shown(nullptr, local(2026, 11, 15, 19, 50, 51)), "2026-11-15T19:50:51");
  EXPECT_EQ(shown("standard", local(2026, 1, 2, 3, 4, 5)), "2026-01-02T03:04:05");
}

TEST(Timestamp, SaysTheNearPastAndFutureInWords) {
  EXPECT_EQ(shown("relative", local(2026, 11, 15, 19, 50, 51)), "19:50:51");
  EXPECT_EQ(shown("relative", local(2026, 11, 16, 22, 55, 5)), "Tomorr 22:55");
  EXPECT_EQ(shown("relative", local(2026, 11, 14, 1, 2, 3)), "Ystday 01:02");
  EXPECT_EQ(shown("relative", local(2026, 11, 18, 10, 0, 0)), "Wed 10:00");
  EXPECT_EQ(shown("relative", local(2026, 4, 25, 10, 0, 0)), "25 Apr 10:00");
  EXPECT_EQ(shown("relative", local(2027, 11, 16, 15, 58, 50)), "16 Nov 2027");
}

TEST(Timestamp, TakesAnyFormatOfStrftime) {
  EXPECT_EQ(shown("%a %T", local(2026, 11, 15, 19, 52, 15)), "Sun 19:52:15");
}

TEST(Timestamp, WritesTheDateLineOfALongReport) {
  std::string out;
  append_date_line(out, local(2026, 11, 5, 18, 34, 8));
  EXPECT_EQ(out, "Thu Nov  5 18:34:08 2026\n");
}

}  // namespace
}  // namespace grappe
