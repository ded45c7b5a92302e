#include "embedded/suspend.h"

#include "embedded/steps.h"

namespace grappe::embedded {

void suspend_job(Core& core, uint32_t job_id) {
  const Job* job = core.state.find(job_id);
  core.state.release_cpus(*job);
  core.state.save_first_share(*job);
  core.plan_wanted = true;
  Job& record = core.state.edit(job_id);
  record.state = static_cast<uint32_t>(JobState::kSuspended);
  record.pre_suspend_s = core.now - record.start_time - record.suspended_s;
  record.suspend_time = core.now;
  core.state.save_share(record, core.now);
  core.after_commit([&core, job_id] { core.executor.freeze(job_id, true); });
}

void resume_job(Core& core, uint32_t job_id) {
  core.state.occupy_cpus(*core.state.find(job_id));
  Job& record = core.state.edit(job_id);
  record.state = static_cast<uint32_t>(JobState::kRunning);
  record.suspended_s += core.now - record.suspend_time;
  record.suspend_time = core.now;
  core.state.save_share(record, core.now);
  core.after_commit([&core, job_id] { core.executor.freeze(job_id, false); });
  retry_steps(core, job_id);
}

}  // namespace grappe::embedded
