#include "embedded/notice.h"

#include <fmt/core.h>

#include "base/datetime.h"
#include "embedded/view.h"

namespace grappe::embedded {
namespace {

std::string_view cause(uint32_t job_state) {
  switch (base_state(job_state)) {
    case JobState::kTimeout:
    case JobState::kDeadline:
      return " DUE TO TIME LIMIT";
    case JobState::kPreempted:
      return " DUE TO PREEMPTION";
    case JobState::kNodeFail:
      return " DUE TO NODE FAILURE";
    default:
      return job_state & kStateRequeued ? " DUE TO JOB REQUEUE" : "";
  }
}

}  // namespace

void tell_end(Core& core, const Step& step, uint32_t job_state, exec::NoticeKind kind) {
  if (step.step_id == exec::kExternStep || step.allocation.empty()) return;
  const bool batch = step.step_id == exec::kBatchStep;
  std::string what = batch ? fmt::format("JOB {}", step.job_id)
                           : fmt::format("STEP {}.{}", step.job_id, step_name(step.step_id));
  std::string line =
      fmt::format("slurmstepd: error: *** {} ON {} CANCELLED AT {}{} ***", what,
                  step.allocation.front().name, format_datetime(core.now), cause(job_state));
  exec::StepKey key = key_of(step);
  core.after_commit(
      [&core, key, line = std::move(line), kind] { core.executor.notify(key, line, kind); });
}

void tell_end(Core& core, uint32_t job_id) {
  const Job* job = core.state.find(job_id);
  if (!job) return;
  uint32_t state = job->state | (job->requeue_after ? kStateRequeued : 0);
  for (const StepPtr& step : core.state.steps_of(job_id)) {
    if (!is_finished(base_state(step->state))) tell_end(core, *step, state, exec::NoticeKind::kEnd);
  }
}

}  // namespace grappe::embedded
