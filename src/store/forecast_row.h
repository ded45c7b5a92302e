// When a job was said to start, and when it did.
#pragma once

#include <cstdint>
#include <string>

namespace grappe {

struct ForecastRow {
  static constexpr int64_t kWaits = 0, kNever = -1;

  uint32_t job_id = 0, restarts = 0;
  int64_t made = 0;
  std::string user, partition;
  int64_t median = 0, bound = 0;          // as told
  int64_t raw_median = 0, raw_bound = 0;  // before the correction by earlier ones
  int64_t start = kWaits;

  bool operator==(const ForecastRow&) const = default;
};

// Older ones are removed when others are written.
inline constexpr int64_t kForecastsKept = int64_t{90} * 86400;

}  // namespace grappe
