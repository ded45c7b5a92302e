#include "base/local_time.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <string>

namespace grappe {
namespace {

// Another time zone as long as it lives.
class Zone {
 public:
  explicit Zone(const char* name) {
    if (const char* before = std::getenv("TZ")) before_ = before;
    setenv("TZ", name, 1);
    tzset();
  }
  ~Zone() {
    before_.empty() ? unsetenv("TZ") : setenv("TZ", before_.c_str(), 1);
    tzset();
  }

 private:
  std::string before_;
};

constexpr const char* kBerlin = "CET-1CEST,M3.5.0,M10.5.0/3";

TEST(LocalTime, ADayHas23HoursWhenClocksAreSetForwardAnd25WhenBack) {
  Zone zone(kBerlin);
  const int64_t spring = 1774738800;  // 2026-03-29T00:00 in Berlin
  EXPECT_EQ(day_start(spring + 7200), spring);
  EXPECT_EQ(next_day(spring), spring + 23 * 3600);
  const int64_t autumn = 1792879200;  // 2026-10-25T00:00
  EXPECT_EQ(day_start(autumn + 3600), autumn);
  EXPECT_EQ(next_day(autumn) - autumn, 25 * 3600);
}

TEST(LocalTime, MonthsBeginOnTheFirst) {
  Zone zone("UTC0");
  EXPECT_EQ(month_start(1771200000), 1769904000);  // 2026-02-16 -> 2026-02-01
  EXPECT_EQ(next_month(1771200000), 1772323200);   // 2026-03-01
  EXPECT_EQ(next_month(1796083200), 1798761600);   // 2026-12-01 -> 2027-01-01
}

TEST(LocalTime, HoursAreThoseOfTheClockAlsoWhereZonesAreHalfAnHourOff) {
  Zone zone("IST-5:30");
  const int64_t noon = 1767162600;  // 2025-12-31T12:00 in India, 06:30 UTC
  EXPECT_EQ(hour_start(noon), noon);
  EXPECT_EQ(hour_start(noon + 3599), noon);
  EXPECT_EQ(next_hour(noon), noon + 3600);
}

TEST(LocalTime, ADayBeginsWhereMidnightIsLeftOut) {
  Zone zone("XXX-2YYY,M4.5.5/0,M10.5.5/0");  // clocks jump from 24:00 to 01:00
  const int64_t eve = 1776981600;            // 2026-04-24T00:00 is 01:00
  EXPECT_EQ(day_start(eve + 5 * 3600), eve);
  EXPECT_EQ(next_day(eve - 3600), eve);
}

}  // namespace
}  // namespace grappe
