#include "embedded/reservation_times.h"

#include <ctime>

#include "model/reservation_flags.h"

namespace grappe::embedded {
namespace {

int64_t days_later(int64_t time, int days) {
  time_t from = time;
  tm parts{};
  localtime_r(&from, &parts);
  parts.tm_mday += days;
  parts.tm_isdst = -1;
  return mktime(&parts);
}

int weekday(int64_t time) {
  time_t from = time;
  tm parts{};
  localtime_r(&from, &parts);
  return parts.tm_wday;
}

int days_to_next(int64_t start, uint32_t flags) {
  if (flags & kResvDaily) return 1;
  int day = weekday(start);  // 0 is Sunday
  if (flags & kResvWeekday) return day == 5 ? 3 : day == 6 ? 2 : 1;
  if (flags & kResvWeekend) return day == 0 ? 6 : day == 6 ? 1 : 6 - day;
  return 7;
}

}  // namespace

Window next_window(Window window, uint32_t flags) {
  if (flags & kResvHourly) return {window.start + 3600, window.end + 3600};
  int days = days_to_next(window.start, flags);
  return {days_later(window.start, days), days_later(window.end, days)};
}

bool windows_meet(Window a, uint32_t a_flags, Window b, uint32_t b_flags) {
  constexpr int kFarEnough = 10000;  // more than a year of hours
  for (int i = 0; i < kFarEnough; ++i) {
    if (a.start < b.end && b.start < a.end) return true;
    bool a_first = a.end <= b.end;
    uint32_t flags = a_first ? a_flags : b_flags;
    if (!(flags & kResvRepeats)) return false;
    Window& first = a_first ? a : b;
    first = next_window(first, flags);
  }
  return false;
}

void float_to(ClusterReservation& r, int64_t now) {
  if (!r.has(kResvTimeFloat)) return;
  int64_t length = r.end - r.start;
  r.start = now + r.float_s;
  r.end = r.start + length;
}

}  // namespace grappe::embedded
