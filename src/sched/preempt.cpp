#include "sched/preempt.h"

#include <algorithm>

namespace grappe::sched {
namespace {

bool is_evictable(const RunningJob& job, Time now) {
  return job.eviction != Eviction::kNever && !job.leaving && !job.suspended &&
         job.exempt_until <= now;
}

bool touches(const RunningJob& job, const Bitmap& nodes) {
  return std::any_of(job.shares.begin(), job.shares.end(),
                     [&](const NodeShare& share) { return nodes.test(share.node); });
}

// Gone for certain one second after its grace.
Time time_to_leave(const RunningJob& job) {
  return std::max<Time>(job.grace, 1);
}

}  // namespace

bool may_evict(const Snapshot& snapshot, const PendingJob& job, PartitionIndex partition,
               const RunningJob& running) {
  const PreemptRules& rules = snapshot.preempt;
  switch (rules.by) {
    case PreemptRules::By::kNobody:
      return false;
    case PreemptRules::By::kTier:
      return snapshot.partitions[partition].priority_tier >
             snapshot.partitions[running.partition].priority_tier;
    case PreemptRules::By::kClass:
      break;
  }
  if (job.preempt_class == running.preempt_class) {
    return rules.within.test(job.preempt_class) && job.priority > running.priority;
  }
  return job.preempt_class < rules.may_evict.size() &&
         rules.may_evict[job.preempt_class].test(running.preempt_class);
}

Preemptor::Preemptor(const Snapshot& snapshot, Timeline& timeline)
    : snapshot_(snapshot), timeline_(timeline), gone_(snapshot.running.size()) {
  for (const RunningJob& job : snapshot.running) {
    if (job.leaving && job.end < kForever) last_leaving_ = std::max(last_leaving_, job.end);
  }
}

std::vector<uint32_t> Preemptor::candidates(const Request& request, const PendingJob& job) const {
  std::vector<uint32_t> out;
  for (uint32_t i = 0; i < snapshot_.running.size(); ++i) {
    const RunningJob& running = snapshot_.running[i];
    if (!gone_[i] && is_evictable(running, snapshot_.now) && touches(running, *request.nodes) &&
        may_evict(snapshot_, job, request.client.partition, running)) {
      out.push_back(i);
    }
  }
  std::stable_sort(out.begin(), out.end(), [&](uint32_t a, uint32_t b) {
    const RunningJob &x = snapshot_.running[a], &y = snapshot_.running[b];
    if (!snapshot_.preempt.youngest_first && x.priority != y.priority) {
      return x.priority < y.priority;
    }
    return x.start > y.start;
  });
  return out;
}

// What is being ended already will do.
bool Preemptor::comes_soon(const Request& request) const {
  return last_leaving_ > snapshot_.now &&
         timeline_.earliest(request, snapshot_.now + 1, last_leaving_).has_value();
}

void Preemptor::spare_some(const Request& request, std::vector<uint32_t>& victims, Time start) {
  for (size_t i = victims.size(); i-- > 0;) {
    const RunningJob& victim = snapshot_.running[victims[i]];
    timeline_.hold_again(victim, snapshot_.now + time_to_leave(victim));
    if (timeline_.place_at(request, start)) {
      victims.erase(victims.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      timeline_.release_early(victim, snapshot_.now + time_to_leave(victim));
    }
  }
}

bool Preemptor::make_room(const Request& request, const PendingJob& job) {
  if (snapshot_.preempt.by == PreemptRules::By::kNobody) return false;
  const Tried key{job.shape, request.client.partition, job.preempt_class, request.duration};
  if (tried_.contains(key) || comes_soon(request)) return false;
  std::vector<uint32_t> victims;
  Time start = snapshot_.now + 1;
  bool enough = false;
  for (uint32_t i : candidates(request, job)) {
    const RunningJob& victim = snapshot_.running[i];
    start = std::max(start, snapshot_.now + time_to_leave(victim));
    timeline_.release_early(victim, snapshot_.now + time_to_leave(victim));
    victims.push_back(i);
    enough = timeline_.place_at(request, start).has_value();
    if (enough) break;
  }
  if (enough) {
    spare_some(request, victims, start);
  } else {
    for (uint32_t i : victims) {
      const RunningJob& victim = snapshot_.running[i];
      timeline_.hold_again(victim, snapshot_.now + time_to_leave(victim));
    }
    // Within a class priority decides, so another job of this shape may have more luck.
    if (!snapshot_.preempt.within.test(job.preempt_class)) tried_.insert(key);
    return false;
  }
  for (uint32_t i : victims) {
    gone_[i] = true;
    evicted_.push_back({snapshot_.running[i].tag, job.tag});
  }
  return !victims.empty();
}

}  // namespace grappe::sched
