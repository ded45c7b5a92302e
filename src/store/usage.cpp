#include "store/usage.h"

#include <algorithm>

#include "base/local_time.h"

namespace grappe {

TresCounts tres_counts(const std::vector<NodeAllocation>& allocation) {
  TresCounts counts;
  if (allocation.empty()) return counts;
  uint64_t cpus = 0, memory_mb = 0;
  for (const NodeAllocation& share : allocation) {
    cpus += share.cpus.size();
    memory_mb += share.memory_mb;
    for (const GresAllocation& gres : share.gres) {
      counts["gres/" + gres.name] += gres.indexes.size();
      if (!gres.type.empty()) counts["gres/" + gres.name + ":" + gres.type] += gres.indexes.size();
    }
  }
  counts.emplace("cpu", cpus);
  counts.emplace("mem", memory_mb);
  counts.emplace("node", allocation.size());
  return counts;
}

TresCounts tres_counts(const Job& job) {
  TresCounts counts = tres_counts(job.allocation);
  if (!counts.empty()) {
    counts["billing"] = job.billing ? static_cast<uint64_t>(*job.billing) : counts["cpu"];
  }
  return counts;
}

UsageJob usage_job(const Job& job) {
  UsageJob out;
  out.assoc_id = job.assoc_id;
  out.user = job.user;
  out.wckey = job.wckey;
  out.reservations = job.spec->reservation();
  out.eligible = job.eligible_time;
  out.start = job.pending() ? 0 : job.start_time;
  out.end = job.finished() ? job.end_time : 0;
  out.waiting = job.waiting ? job.waiting->count() : 1;
  out.asked_cpus = job.settled.cpus;
  out.tres = tres_counts(job);
  return out;
}

std::vector<UsageSums> sum_up(std::vector<int64_t> bounds, const UsageFacts& facts) {
  UsageSpans spans(std::move(bounds));
  for (const NodeEvent& event : facts.events) spans.add(event);
  for (const ReservationWindow& window : facts.windows) spans.add(window);
  facts.each_job([&](const UsageJob& job) { spans.add(job); });
  return spans.finish();
}

std::vector<int64_t> hour_bounds(int64_t from, int64_t until) {
  std::vector<int64_t> bounds{from};
  for (int64_t next = next_hour(from); next <= until; next = next_hour(next)) {
    bounds.push_back(next);
  }
  return bounds;
}

std::vector<UsagePart> parts_of(int64_t start, int64_t end, int64_t until) {
  std::vector<UsagePart> parts;
  auto add = [&](UsagePart::Kind kind, int64_t from, int64_t to) {
    if (!parts.empty() && parts.back().kind == kind) {
      parts.back().end = to;
    } else {
      parts.push_back({kind, from, to});
    }
  };
  const int64_t kept = std::min(end, until);
  int64_t at = start;
  while (at < kept) {
    if (at == month_start(at) && next_month(at) <= kept) {
      add(UsagePart::kMonths, at, next_month(at));
    } else if (at == day_start(at) && next_day(at) <= kept) {
      add(UsagePart::kDays, at, next_day(at));
    } else if (at == hour_start(at) && next_hour(at) <= kept) {
      add(UsagePart::kHours, at, next_hour(at));
    } else {
      add(UsagePart::kNotKept, at, std::min(next_hour(at), kept));
    }
    at = parts.back().end;
  }
  if (at < end) add(UsagePart::kNotKept, at, end);
  return parts;
}

}  // namespace grappe
