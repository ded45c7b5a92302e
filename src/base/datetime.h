// Points in time as users write them (--begin, --deadline, sacct -S) and as commands print them.
//
// Read are, in local time: "HH:MM[:SS] [AM|PM]", "midnight", "noon", "elevenses", "fika" and
// "teatime"; "MMDD[YY]", "MM/DD[/YY]", "MM.DD[.YY]", "YYYY-MM-DD", "today", "tomorrow"; one of the
// former and one of the latter joined by blanks, 'T' or '-'; and "now", "now+2hours", "now-1week"
// (seconds when no unit is given). The time zone is that of the process.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace grappe {

// Seconds since 1970. A time of day that is over is that of tomorrow, and a date without a year
// that is over is that of next year, unless `past_allowed` (sacct, reservations). The message of
// a failure is Slurm's: "Invalid time specification (pos=0): soon".
Result<int64_t> parse_datetime(std::string_view text, int64_t now, bool past_allowed);

// 2026-11-15T18:34:20
std::string format_datetime(int64_t time);

// By the variable SLURM_TIME_FORMAT: "standard" or empty as above, "relative" as seen from `now`
// ("18:34:20", "Tomorr 09:00", "Tue 09:00", "15 Dec 09:00", "11 Oct 2025"), else a format of
// strftime. Slurm ends the program when the result is empty or long; here it is the standard form.
std::string format_datetime(int64_t time, std::string_view time_format, int64_t now);

}  // namespace grappe
