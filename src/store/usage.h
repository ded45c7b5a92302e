// What the books know about use: the facts that reports are made of, and the sums that are kept of
// them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/job.h"
#include "model/usage.h"

namespace grappe {

// Of a step; of a job, which is billed for them.
TresCounts tres_counts(const std::vector<NodeAllocation>& allocation);
TresCounts tres_counts(const Job& job);
UsageJob usage_job(const Job& job);

// Everything that may matter between two moments. The jobs are not kept: there may be millions.
struct UsageFacts {
  std::vector<NodeEvent> events;
  std::vector<ReservationWindow> windows;
  std::function<void(const std::function<void(const UsageJob&)>& take)> each_job;
};

// Sums of the spans between `bounds`.
std::vector<UsageSums> sum_up(std::vector<int64_t> bounds, const UsageFacts& facts);

// The full hours of [from, until), as bounds; fewer than two: there is none.
std::vector<int64_t> hour_bounds(int64_t from, int64_t until);

// A time that is made of kept spans: whole months, days and hours, and what is not kept yet.
struct UsagePart {
  enum Kind { kHours, kDays, kMonths, kNotKept };
  Kind kind;
  int64_t start, end;

  bool operator==(const UsagePart&) const = default;
};
// Of [start, end), with sums kept until `until`: as few rows as can be.
std::vector<UsagePart> parts_of(int64_t start, int64_t end, int64_t until);

}  // namespace grappe
