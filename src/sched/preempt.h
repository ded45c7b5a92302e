// Preemption: which running jobs make room for a pending one that may take their place.
//
// As few as will do, those of the lowest priority first (or the youngest). They are ended or
// suspended by whoever carries out the plan; here they give back what they have at the end of their
// grace, and the job's start is planned for then like any other.
#pragma once

#include <set>
#include <tuple>
#include <vector>

#include "sched/plan.h"
#include "sched/timeline.h"

namespace grappe::sched {

// Whether `job`, looked at in `partition`, may take the place of `running`.
bool may_evict(const Snapshot& snapshot, const PendingJob& job, PartitionIndex partition,
               const RunningJob& running);

class Preemptor {
 public:
  Preemptor(const Snapshot& snapshot, Timeline& timeline);

  // True when the timeline has changed: with those evicted there is room for the job.
  bool make_room(const Request& request, const PendingJob& job);

  std::vector<Evicted> take_evicted() { return std::move(evicted_); }

 private:
  // What was tried in vain in this plan, and need not be again.
  using Tried = std::tuple<const Shape*, PartitionIndex, uint32_t, Time>;

  std::vector<uint32_t> candidates(const Request& request, const PendingJob& job) const;
  bool comes_soon(const Request& request) const;
  // Of `victims`, which have been released, those that the job can do without are taken back.
  void spare_some(const Request& request, std::vector<uint32_t>& victims, Time start);

  const Snapshot& snapshot_;
  Timeline& timeline_;
  std::vector<bool> gone_;  // by running job
  Time last_leaving_ = 0;   // when the last of those that are being ended will be gone
  std::set<Tried> tried_;
  std::vector<Evicted> evicted_;
};

}  // namespace grappe::sched
