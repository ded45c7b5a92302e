// Time limits and spans in Slurm's notation.
//
// Read: "minutes", "minutes:seconds", "hours:minutes:seconds", "days-hours", "days-hours:minutes",
// "days-hours:minutes:seconds", "UNLIMITED", "INFINITE", "-1". Written in two styles: that of
// squeue, as short as it can be, and that of scontrol and sacct, with every place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace grappe {

// Slurm's marks in a 32 bit number: no limit, and no value given.
inline constexpr uint32_t kInfinite = 0xffffffff;
inline constexpr uint32_t kNoValue = 0xfffffffe;

// Seconds, or kInfinite. A span that does not fit 32 bits of seconds (136 years) is refused.
Result<uint32_t> parse_duration(std::string_view text);

// A limit is kept in minutes: 61 s is 2 minutes. kInfinite and kNoValue stay what they are.
uint32_t minutes_rounded_up(uint32_t seconds);

// squeue: "0:01", "10:00", "1:00:00", "7-00:00:00", "UNLIMITED"; "INVALID" below zero.
std::string format_duration_short(int64_t seconds);

// scontrol, sacct: "00:00:01", "01:00:00", "7-00:00:00", "UNLIMITED"; "INVALID" below zero.
std::string format_duration(int64_t seconds);

// The two styles for a limit in minutes; kInfinite is "UNLIMITED".
std::string format_minutes_short(uint32_t minutes);
std::string format_minutes(uint32_t minutes);

}  // namespace grappe
