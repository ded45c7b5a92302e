// Hours, days and months by the clock on the wall, in the time zone of the process.
//
// An hour begins where the clock shows a full one, and the day that the clocks are set forward has
// 23 of them. Each function gives seconds since 1970; `next_...` is the first such moment after
// `time`.
#pragma once

#include <cstdint>

namespace grappe {

int64_t hour_start(int64_t time);
int64_t next_hour(int64_t time);
int64_t day_start(int64_t time);
int64_t next_day(int64_t time);
int64_t month_start(int64_t time);
int64_t next_month(int64_t time);
int64_t next_week(int64_t time);  // they begin on Sunday
int64_t next_quarter(int64_t time);
int64_t next_year(int64_t time);

}  // namespace grappe
