// A moment as a person writes it: --begin, --deadline, StartTime=, sacct -S.
//
// Read, in local time and alone or combined with blanks: "now", "now+2hours", "now-1day", "today",
// "tomorrow", "midnight", "noon", "fika", "teatime", "16:00", "16:00:30", "4:30PM", "MMDDYY",
// "MM/DD[/YY]", "MM.DD[.YY]", "YYYY-MM-DD[THH:MM[:SS]]" and "uts1700000000".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace grappe {

// Which way an incomplete moment is completed: "16:00" after 16:00 is tomorrow for a job that is
// to begin, and today for a report that looks back.
enum class Completion { kFuture, kPast };

// Seconds since 1970. The message of a failure is Slurm's: "Invalid time specification (pos=0): x".
Result<int64_t> parse_calendar_time(std::string_view text, int64_t now,
                                    Completion completion = Completion::kFuture);

// "2026-11-15T18:34:11" in local time.
std::string format_calendar_time(int64_t seconds);

}  // namespace grappe
