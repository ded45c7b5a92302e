#include "embedded/reservation_times.h"

#include <gtest/gtest.h>

#include <ctime>

#include "base/datetime.h"
#include "model/reservation_flags.h"

namespace grappe::embedded {
namespace {

std::string next_start(const char* start, uint32_t flags) {
  int64_t from = parse_datetime(start, std::time(nullptr), true).value();
  return format_datetime(next_window({from, from + 60}, flags).start);
}

TEST(ReservationTimes, RepeatInLocalTime) {
  // 2026-11-13 is a Friday.
  EXPECT_EQ(next_start("2026-11-13T09:00:00", kResvHourly), "2026-11-13T10:00:00");
  EXPECT_EQ(next_start("2026-11-13T09:00:00", kResvDaily), "2026-11-14T09:00:00");
  EXPECT_EQ(next_start("2026-11-13T09:00:00", kResvWeekday), "2026-11-16T09:00:00");
  EXPECT_EQ(next_start("2026-11-12T09:00:00", kResvWeekday), "2026-11-13T09:00:00");
  EXPECT_EQ(next_start("2026-11-13T09:00:00", kResvWeekend), "2026-11-14T09:00:00");
  EXPECT_EQ(next_start("2026-11-14T09:00:00", kResvWeekend), "2026-11-15T09:00:00");
  EXPECT_EQ(next_start("2026-11-15T09:00:00", kResvWeekend), "2026-11-21T09:00:00");
  EXPECT_EQ(next_start("2026-11-13T09:00:00", kResvWeekly), "2026-11-20T09:00:00");
}

TEST(ReservationTimes, MeetWhenARepetitionDoes) {
  int64_t day = 86400, t = 1'800'000'000;
  EXPECT_FALSE(windows_meet({t, t + 60}, 0, {t + 60, t + 120}, 0));
  EXPECT_TRUE(windows_meet({t, t + 61}, 0, {t + 60, t + 120}, 0));
  EXPECT_FALSE(windows_meet({t + 60, t + 120}, kResvDaily, {t, t + 60}, 0));
  EXPECT_TRUE(windows_meet({t, t + 60}, kResvHourly, {t + 30 * day, t + 30 * day + 10}, 0));
  EXPECT_FALSE(windows_meet({t, t + 60}, kResvHourly, {t + 30 * day + 90, t + 30 * day + 100}, 0));
  EXPECT_TRUE(windows_meet({t, t + 7200}, kResvHourly, {t + 60, t + 70}, kResvHourly));
}

}  // namespace
}  // namespace grappe::embedded
