#include "base/calendar_time.h"

#include <gtest/gtest.h>

#include <ctime>

namespace grappe {
namespace {

// A Sunday afternoon.
int64_t now() {
  std::tm t{};
  t.tm_year = 126, t.tm_mon = 10, t.tm_mday = 15, t.tm_hour = 18, t.tm_min = 30, t.tm_isdst = -1;
  return std::mktime(&t);
}

std::string read(std::string_view text, Completion completion = Completion::kFuture) {
  auto when = parse_calendar_time(text, now(), completion);
  return when ? format_calendar_time(*when) : when.error().message;
}

struct Case {
  const char* text;
  const char* meaning;
};

TEST(CalendarTime, ReadsEveryFormOfTheManual) {
  const Case cases[] = {
      {"now", "2026-11-15T18:30:00"},
      {"now+1hour", "2026-11-15T19:30:00"},
      {"now+60", "2026-11-15T18:31:00"},
      {"now + 2 days", "2026-11-17T18:30:00"},
      {"now-1week", "2026-11-08T18:30:00"},
      {"16:00", "2026-11-16T16:00:00"},
      {"20:00", "2026-11-15T20:00:00"},
      {"8:15pm", "2026-11-15T20:15:00"},
      {"12:00am", "2026-11-16T00:00:00"},
      {"20:00:05", "2026-11-15T20:00:05"},
      {"tomorrow", "2026-11-16T00:00:00"},
      {"today", "2026-11-15T00:00:00"},
      {"noon tomorrow", "2026-11-16T12:00:00"},
      {"teatime", "2026-11-16T16:00:00"},
      {"fika", "2026-11-16T15:00:00"},
      {"midnight", "2026-11-16T00:00:00"},
      {"2010-01-20T12:34:00", "2010-01-20T12:34:00"},
      {"2030-01-20", "2030-01-20T00:00:00"},
      {"12/24", "2026-12-24T00:00:00"},
      {"01/24", "2027-01-24T00:00:00"},
      {"01/24/28", "2028-01-24T00:00:00"},
      {"012428", "2028-01-24T00:00:00"},
      {"12/24 10:00", "2026-12-24T10:00:00"},
  };
  for (const Case& c : cases) EXPECT_EQ(read(c.text), c.meaning) << c.text;
}

TEST(CalendarTime, LooksBackWhenAsked) {
  EXPECT_EQ(read("16:00", Completion::kPast), "2026-11-15T16:00:00");
}

TEST(CalendarTime, SaysWhereAWrongOneGoesWrong) {
  EXPECT_EQ(read("x"), "Invalid time specification (pos=0): x");
  EXPECT_EQ(read("now+1xx"), "Invalid time specification (pos=4): now+1xx");
  EXPECT_EQ(read("25:00"), "Invalid time specification (pos=0): 25:00");
  EXPECT_EQ(read(""), "Invalid time specification (pos=0): ");
  EXPECT_EQ(read("13/01"), "Invalid time specification (pos=0): 13/01");
}

}  // namespace
}  // namespace grappe
