// Times in reports: in which form they are shown, and which window is reported.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace grappe::sreport {

enum class TimeForm { kSecPer, kMinPer, kHourPer, kSeconds, kMinutes, kHours, kPercent };

// "minper", "h", "Percent": in any case, all but the "...per" by their beginning.
std::optional<TimeForm> parse_time_form(std::string_view text);
// "Minutes/Percentage of Total"
std::string_view time_form_name(TimeForm form);
bool has_percent(TimeForm form);

// Seconds in that form, as a part of `total` seconds.
std::string format_time(uint64_t seconds, uint64_t total, TimeForm form);

// Whole hours: each end is rounded to the nearest one, and is yesterday where none is given.
struct Window {
  int64_t start = 0, end = 0;

  int64_t seconds() const { return end - start; }
  // "2026-11-14T00:00:00 - 2026-11-14T23:59:59"
  std::string text() const;
};
Result<Window> window_of(const std::string& start, const std::string& end, int64_t now);

}  // namespace grappe::sreport
