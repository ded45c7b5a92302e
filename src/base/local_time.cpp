#include "base/local_time.h"

#include <ctime>

namespace grappe {
namespace {

constexpr int64_t kSecondsOfHour = 3600;

tm parts_of(int64_t time) {
  const auto seconds = static_cast<time_t>(time);
  tm parts{};
  localtime_r(&seconds, &parts);
  return parts;
}

// The beginning of a day, which is not always 00:00: some clocks are set forward at midnight.
int64_t moment_of(int year, int month, int day) {
  tm parts{};
  parts.tm_year = year;
  parts.tm_mon = month;
  parts.tm_mday = day;
  parts.tm_isdst = -1;
  int64_t time = mktime(&parts);
  while (parts_of(time).tm_hour == 23) time += kSecondsOfHour;
  return time;
}

}  // namespace

int64_t hour_start(int64_t time) {
  const int64_t shown = time + parts_of(time).tm_gmtoff;
  return time - ((shown % kSecondsOfHour) + kSecondsOfHour) % kSecondsOfHour;
}

int64_t next_hour(int64_t time) {
  return hour_start(time) + kSecondsOfHour;
}

int64_t day_start(int64_t time) {
  const tm parts = parts_of(time);
  return moment_of(parts.tm_year, parts.tm_mon, parts.tm_mday);
}

int64_t next_day(int64_t time) {
  const tm parts = parts_of(time);
  return moment_of(parts.tm_year, parts.tm_mon, parts.tm_mday + 1);
}

int64_t month_start(int64_t time) {
  const tm parts = parts_of(time);
  return moment_of(parts.tm_year, parts.tm_mon, 1);
}

int64_t next_month(int64_t time) {
  const tm parts = parts_of(time);
  return moment_of(parts.tm_year, parts.tm_mon + 1, 1);
}

int64_t next_week(int64_t time) {
  const tm parts = parts_of(time);
  return moment_of(parts.tm_year, parts.tm_mon, parts.tm_mday + 7 - parts.tm_wday);
}

int64_t next_quarter(int64_t time) {
  const tm parts = parts_of(time);
  return moment_of(parts.tm_year, parts.tm_mon / 3 * 3 + 3, 1);
}

int64_t next_year(int64_t time) {
  return moment_of(parts_of(time).tm_year + 1, 0, 1);
}

}  // namespace grappe
