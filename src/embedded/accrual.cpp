#include "embedded/accrual.h"

namespace grappe::embedded {
namespace {

void count_in(const LimitPlace& place, std::vector<uint64_t>& accruing) {
  for (uint32_t counter : place.counters) accruing[counter] += place.count;
}

}  // namespace

std::vector<uint64_t> accruing_jobs(const State& state) {
  std::vector<uint64_t> accruing(state.limits().counters().size());
  state.for_each_pending([&](const State::Entry& entry) {
    if (entry.limits && entry.job->accrue_time) count_in(*entry.limits, accruing);
  });
  return accruing;
}

void grow_older(Core& core, const ReadyJobs& ready) {
  const Limits& limits = core.state.limits();
  std::vector<uint64_t> accruing;
  if (limits.limit_age()) accruing = accruing_jobs(core.state);
  for (const State::Entry* entry : ready) {
    if (entry->job->accrue_time) continue;
    const LimitPlace* place = entry->limits.get();
    if (place && limits.limit_age()) {
      if (!sched::may_accrue(limits.chain(place->chains[0]), accruing, place->count)) continue;
      count_in(*place, accruing);
    }
    core.state.edit(entry->job->id).accrue_time = core.now;
  }
}

}  // namespace grappe::embedded
