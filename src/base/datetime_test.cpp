#include "base/datetime.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

namespace grappe {
namespace {

// Sunday 2026-11-15T20:52:29 in Paris.
constexpr int64_t kNow = 1794772349;

class DatetimeTest : public testing::Test {
 protected:
  void SetUp() override {
    setenv("TZ", "Europe/Paris", 1);
    tzset();
  }
  void TearDown() override {
    unsetenv("TZ");
    tzset();
  }
};

std::string shown(std::string_view text, bool past_allowed = false) {
  auto time = parse_datetime(text, kNow, past_allowed);
  return time ? format_datetime(*time) : time.error().message;
}

TEST_F(DatetimeTest, NowWithOffsets) {
  EXPECT_EQ(parse_datetime("now", kNow, false).value(), kNow);
  struct Case {
    const char* text;
    int64_t offset;
  };
  const Case cases[] = {{"now+1", 1},         {"now+60", 60},       {"now+1minute", 60},
                        {"now+2hours", 7200}, {"now+1day", 86400},  {"now+1weeks", 604800},
                        {"now-1hour", -3600}, {"now + 5", 5},       {"now+5 minutes", 300},
                        {"NOW+1HOUR", 3600},  {"now+1seconds ", 1}, {"now\t", 0}};
  for (const Case& c : cases) {
    EXPECT_EQ(parse_datetime(c.text, kNow, false).value(), kNow + c.offset) << c.text;
  }
}

TEST_F(DatetimeTest, ATimeOfDayThatIsOverIsTomorrow) {
  EXPECT_EQ(shown("00:01"), "2026-11-16T00:01:00");
  EXPECT_EQ(shown("23:59"), "2026-11-15T23:59:00");
  EXPECT_EQ(shown("noon"), "2026-11-16T12:00:00");
  EXPECT_EQ(shown("midnight"), "2026-11-16T00:00:00");
  EXPECT_EQ(shown("fika"), "2026-11-16T15:00:00");
  EXPECT_EQ(shown("teatime"), "2026-11-16T16:00:00");
  EXPECT_EQ(shown("elevenses"), "2026-11-16T11:00:00");
  EXPECT_EQ(shown("noon", true), "2026-11-15T12:00:00");
  EXPECT_EQ(shown("00:01", true), "2026-11-15T00:01:00");
}

TEST_F(DatetimeTest, HalvesOfTheDay) {
  EXPECT_EQ(shown("1:00am"), "2026-11-16T01:00:00");
  EXPECT_EQ(shown("1:00 PM"), "2026-11-16T13:00:00");
  EXPECT_EQ(shown("12:00am"), "2026-11-16T00:00:00");
  EXPECT_EQ(shown("12:30:15pm"), "2026-11-16T12:30:15");
  EXPECT_EQ(shown("0:30pm"), "2026-11-16T12:30:00");
}

TEST_F(DatetimeTest, Dates) {
  EXPECT_EQ(shown("010129"), "2029-01-01T00:00:00");
  EXPECT_EQ(shown("01/01/29"), "2029-01-01T00:00:00");
  EXPECT_EQ(shown("1.2.29"), "2029-01-02T00:00:00");
  EXPECT_EQ(shown("2029-01-02"), "2029-01-02T00:00:00");
  EXPECT_EQ(shown("2029-01-02T10:11"), "2029-01-02T10:11:00");
  EXPECT_EQ(shown("2029-01-02T10:11:12"), "2029-01-02T10:11:12");
  EXPECT_EQ(shown("2029-01-02 10:11pm"), "2029-01-02T22:11:00");
  EXPECT_EQ(shown("2020-01-01"), "2020-01-01T00:00:00");
  EXPECT_EQ(shown("2029-02-30"), "2029-03-02T00:00:00");
  EXPECT_EQ(shown("01/01/99"), "2099-01-01T00:00:00");
}

TEST_F(DatetimeTest, ADateWithoutYearIsTheNextOneOrTheLast) {
  EXPECT_EQ(shown("01/01"), "2027-01-01T00:00:00");
  EXPECT_EQ(shown("01/01", true), "2026-01-01T00:00:00");
  EXPECT_EQ(shown("12/31"), "2026-12-31T00:00:00");
  EXPECT_EQ(shown("12/31", true), "2025-12-31T00:00:00");
  EXPECT_EQ(shown("11/15"), "2027-11-15T00:00:00");
  EXPECT_EQ(shown("11/15 23:50"), "2026-11-15T23:50:00");
  EXPECT_EQ(shown("0101"), "2027-01-01T00:00:00");
}

TEST_F(DatetimeTest, DayAndTimeTogether) {
  EXPECT_EQ(shown("today"), "2026-11-15T00:00:00");
  EXPECT_EQ(shown("Tomorrow"), "2026-11-16T00:00:00");
  EXPECT_EQ(shown("tomorrow 10:00"), "2026-11-16T10:00:00");
  EXPECT_EQ(shown("10:00tomorrow"), "2026-11-16T10:00:00");
  EXPECT_EQ(shown("today 12:00"), "2026-11-15T12:00:00");
  EXPECT_EQ(shown("noon 01/02/29"), "2029-01-02T12:00:00");
  EXPECT_EQ(shown("01/02/29-10:00"), "2029-01-02T10:00:00");
  EXPECT_EQ(shown("2029-01-02Tnoon"), "2029-01-02T12:00:00");
  EXPECT_EQ(shown("2029-01-02Tteatime"), "2029-01-02T16:00:00");
}

TEST_F(DatetimeTest, AnHourThatDaylightSavingSkips) {
  EXPECT_EQ(shown("2029-03-25T02:30"), "2029-03-25T03:30:00");
}

TEST_F(DatetimeTest, RefusesWithSlurmsWords) {
  EXPECT_EQ(shown("foo"), "Invalid time specification (pos=0): foo");
  EXPECT_EQ(shown("12:60"), "Invalid time specification (pos=3): 12:60");
  EXPECT_EQ(shown("13:00pm"), "Invalid time specification (pos=5): 13:00pm");
  EXPECT_EQ(shown("now+x"), "Invalid time specification (pos=3): now+x");
  EXPECT_EQ(shown("now+12year"), "Invalid time specification (pos=5): now+12year");
  EXPECT_EQ(shown("now + 12 years"), "Invalid time specification (pos=8): now + 12 years");
  EXPECT_EQ(shown("now+1hourx"), "Invalid time specification (pos=9): now+1hourx");
  EXPECT_EQ(shown("2029-13-02"), "Invalid time specification (pos=5): 2029-13-02");
  for (auto bad : {"",
                   " ",
                   "T",
                   "now+",
                   "nowx",
                   "now+5x",
                   "now+5min",
                   "now 10:00",
                   "today+1hour",
                   "24:00",
                   "12:00:60",
                   "10",
                   "10:",
                   "10:00:",
                   "1:2",
                   "12am",
                   "1/1/2029",
                   "13/01",
                   "01/32",
                   "02/00",
                   "1/",
                   "2029-1-2",
                   "29-01-02",
                   "20290102",
                   "1234567890",
                   "2029-01-02T10:11:12Z",
                   "12:00:00.5",
                   "10:00,",
                   "monday",
                   "now+-5",
                   "now+99999999999999999999",
                   "now+99999999999weeks"}) {
    EXPECT_FALSE(parse_datetime(bad, kNow, false)) << bad;
  }
}

TEST_F(DatetimeTest, RelativeFormat) {
  auto at = [](std::string_view text) {
    return format_datetime(parse_datetime(text, kNow, true).value(), "relative", kNow);
  };
  EXPECT_EQ(at("22:13:20"), "22:13:20");
  EXPECT_EQ(at("tomorrow"), "Tomorr 00:00");
  EXPECT_EQ(at("2026-11-14T23:59"), "Ystday 23:59");
  EXPECT_EQ(at("2026-11-21"), "Sat 00:00");
  EXPECT_EQ(at("2026-11-22"), "22 Nov 00:00");
  EXPECT_EQ(at("2026-10-06"), "6 Oct 00:00");
  EXPECT_EQ(at("2027-01-14"), "14 Jan 2027");
  EXPECT_EQ(at("2025-10-11"), "11 Oct 2025");
}

TEST_F(DatetimeTest, FormatOfStrftime) {
  EXPECT_EQ(format_datetime(kNow, "standard", kNow), "2026-11-15T20:52:29");
  EXPECT_EQ(format_datetime(kNow, "", kNow), "2026-11-15T20:52:29");
  EXPECT_EQ(format_datetime(kNow, "%a %T", kNow), "Sun 20:52:29");
  EXPECT_EQ(format_datetime(kNow, std::string(300, 'x'), kNow), "2026-11-15T20:52:29");
}

}  // namespace
}  // namespace grappe
