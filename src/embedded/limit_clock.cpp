#include "embedded/limit_clock.h"

#include "base/log.h"
#include "embedded/finish.h"
#include "embedded/mail.h"
#include "model/mail.h"

namespace grappe::embedded {
namespace {

constexpr int64_t kLimitPeriod = 30;

uint64_t minutes_run(const Job& job, int64_t now) {
  return static_cast<uint64_t>(std::max<int64_t>(now - job.start_time - job.suspended_s, 0) / 60);
}

// With `safe` what has started may end.
std::vector<uint32_t> jobs_beyond(const State& state, int64_t now) {
  std::vector<uint32_t> out;
  const auto table = state.limit_table();
  if (!table || table->safe) return out;
  for (uint32_t id : state.active()) {
    const Job& job = *state.find(id);
    const LimitPlace* place = state.place(id);
    if (!job.running() || !place) continue;
    const sched::LimitedJob has{place->tres.get(), minutes_run(job, now), nullptr};
    if (sched::minutes_are_over((*table->chains)[place->chains[0]], has, table->in_use)) {
      out.push_back(id);
    }
  }
  return out;
}

}  // namespace

int64_t tick_limits(Core& core) {
  if (!core.state.limits().follow_the_clock()) return core.now + kLimitPeriod;
  if (core.now < core.limits_due) return core.limits_due;
  core.limits_due = core.now + kLimitPeriod;
  core.plan_wanted = true;
  for (uint32_t id : jobs_beyond(core.state, core.now)) {
    log_info("job {} has used up the minutes that its limits allow", id);
    end_job(core, id, JobState::kTimeout, Reason::kTimeLimit, 0);
    mail_event(core, *core.state.find(id), kMailTimeLimit, "Reached time limit");
  }
  return core.limits_due;
}

}  // namespace grappe::embedded
