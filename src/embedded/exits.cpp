#include "embedded/exits.h"

#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <set>

#include "base/log.h"
#include "embedded/finish.h"
#include "embedded/nodes.h"
#include "embedded/sampling.h"
#include "embedded/shrink.h"
#include "embedded/site_hooks.h"
#include "embedded/start.h"
#include "embedded/step_launch.h"
#include "embedded/steps.h"
#include "model/node_state.h"

namespace grappe::embedded {
namespace {

// The exit of a step is the worst of its tasks: any signal, then the highest code.
int worst_status(const std::vector<exec::TaskExit>& exits) {
  int worst = 0;
  for (const exec::TaskExit& exit : exits) {
    if (WIFSIGNALED(worst)) break;
    if (WIFSIGNALED(exit.status) || WEXITSTATUS(exit.status) > WEXITSTATUS(worst)) {
      worst = exit.status;
    }
  }
  return worst;
}

JobState state_of_exit(const exec::StepEnded& end, int status) {
  if (end.out_of_memory) return JobState::kOutOfMemory;
  if (!end.failure.empty()) return JobState::kFailed;
  return status == 0 ? JobState::kCompleted : JobState::kFailed;
}

JobState step_state(const exec::StepEnded& end, int status, const Job& job) {
  JobState state = state_of_exit(end, status);
  if (state == JobState::kFailed && WIFSIGNALED(status)) return JobState::kCancelled;
  bool job_ended_otherwise = job.finished() && job.base() != JobState::kCompleted;
  if (job_ended_otherwise && status != 0) return JobState::kCancelled;
  return state;
}

bool listed(const std::vector<int>& codes, int status) {
  return WIFEXITED(status) &&
         std::find(codes.begin(), codes.end(), WEXITSTATUS(status)) != codes.end();
}

// RequeueExit and RequeueExitHold: codes with which a job asks for another run.
bool requeue_by_exit_code(Core& core, const Job& job, int status) {
  const JobsConfig& rules = core.state.cluster.config.jobs;
  bool hold = listed(rules.requeue_exit_hold, status);
  if (!hold && !listed(rules.requeue_exit, status)) return false;
  Job& record = core.state.edit(job.id);
  record.requeue_after = true;
  if (hold) record.state |= kStateRequeueHold;
  return true;
}

void batch_ended(Core& core, const exec::StepEnded& end, int status) {
  uint32_t id = end.key.job_id;
  const Job* job = core.state.find(id);
  if (job->finished()) {
    // What scancel did to the script is its exit code, as scontrol and `sbatch --wait` tell it.
    if (job->base() == JobState::kCancelled) core.state.edit(id).exit_code = status;
    return clean_if_over(core, id);
  }
  if (!end.failure.empty()) {
    log_warn("job {} could not run: {}", id, end.failure);
    core.state.edit(id).reason_detail = end.failure;
  }
  requeue_by_exit_code(core, *job, status);
  if (end.failure.empty()) return end_by_status(core, id, status);
  end_job(core, id, JobState::kFailed, Reason::kJobLaunchFailure, status);
}

void step_ended(Core& core, const exec::StepEnded& end) {
  exec::StepKey key = end.key;
  core.after_commit([&core, key] { core.executor.forget(key); });
  StepPtr known = core.state.find_step(key.job_id, key.step_id);
  const Job* job = core.state.find(key.job_id);
  if (!known || !job || known->restart != key.restart || known->end_time) return;
  int status = end.out_of_memory ? kOutOfMemoryStatus : worst_status(end.exits);
  Step& step = core.state.edit_step(key.job_id, key.step_id);
  step.state = static_cast<uint32_t>(
      known->limit_signal && status != 0 ? JobState::kTimeout : step_state(end, status, *job));
  step.end_time = core.now;
  step.exit_code = status;
  step.failure = end.failure;
  end_metering(core, step, end.usage);
  if (key.step_id == exec::kBatchStep) return batch_ended(core, end, status);
  Job& record = core.state.edit(key.job_id);
  record.derived_exit_code = std::max(record.derived_exit_code, status);
  if (end.out_of_memory && !record.finished() && record.spec->batch()) {
    record.system_comment = "a step ran out of memory";
  }
  retry_steps(core, key.job_id);
  clean_if_over(core, key.job_id);
}

void step_started(Core& core, const exec::StepStarted& started) {
  StepPtr known = core.state.find_step(started.key.job_id, started.key.step_id);
  if (!known || known->restart != started.key.restart) return;
  Step& step = core.state.edit_step(started.key.job_id, started.key.step_id);
  step.launched = true;
  step.pids = started.pids;
  begin_metering(core, step);
}

void prolog_failed(Core& core, const exec::PrologFailed& failed) {
  const Job* job = core.state.find(failed.key.job_id);
  if (!job || job->restarts != failed.key.restart) return;
  log_error("job {}: prolog failed: {}", job->id, failed.message);
  for (const NodeAllocation& share : job->allocation) drain_node(core, share.node, "Prolog error");
  if (core.state.find_step(failed.key.job_id, failed.key.step_id)) {
    Step& step = core.state.edit_step(failed.key.job_id, failed.key.step_id);
    step.state = static_cast<uint32_t>(JobState::kFailed);
    step.end_time = core.now;
    step.failure = failed.message;
  }
  Job& record = core.state.edit(failed.key.job_id);
  record.requeue_after = record.spec->batch();
  const auto& rules = core.state.cluster.config.scheduling.parameters;
  if (record.requeue_after && !rules.nohold_on_prolog_fail) {
    record.state |= kStateRequeueHold;
    record.reason_detail = "launch failed requeued held";
  }
  end_job(core, failed.key.job_id, JobState::kFailed, Reason::kJobLaunchFailure, 0);
}

// A step that the launcher has never heard of: the machine was booted anew (then its processes
// are gone), or the request to start it got lost with a killed process (then it never ran).
void reconcile_step(Core& core, const Job& job, const Step& step) {
  if (job.boot_id != core.state.cluster.boot_id) {
    Step& lost = core.state.edit_step(step.job_id, step.step_id);
    lost.state = static_cast<uint32_t>(JobState::kNodeFail);
    lost.end_time = core.now;
    return;
  }
  if (step.step_id == exec::kBatchStep && !job.finished()) {
    log_info("job {}: starting its script, which a restart had cut off", job.id);
    return launch_batch(core, job.id);
  }
  // Its tasks start when srun connects, so they have not, and srun still tries to.
  if (step.spec && !job.finished()) {
    // It could be bound when it was made.
    const StepBinding binding = bind_step(core, job, step).value_or(StepBinding{});
    return launch_step(core, step.job_id, step.step_id, binding);
  }
  Step& lost = core.state.edit_step(step.job_id, step.step_id);
  lost.state = static_cast<uint32_t>(JobState::kCancelled);
  lost.end_time = core.now;
}

// Whether a job is frozen is on disk before the launcher hears of it, and may not have got there.
void refreeze(Core& core, const Job& job) {
  bool frozen = job.base() == JobState::kSuspended;
  if (!frozen && !job.suspend_time) return;
  core.after_commit([&core, id = job.id, frozen] { core.executor.freeze(id, frozen); });
}

void node_failed(Core& core, uint32_t job_id) {
  const Job* job = core.state.find(job_id);
  bool again = may_run_again(core, *job);
  log_warn("job {} was running when the machine went down: {}", job_id,
           again ? "requeued" : "failed");
  if (again) core.state.edit(job_id).requeue_after = true;
  end_job(core, job_id, JobState::kNodeFail, Reason::kNodeDown, 0);
}

// The launcher is (again) there: agree on what runs.
void executor_ready(Core& core, const exec::ExecutorReady& ready) {
  core.executor_ready = true;
  core.unconfined = ready.unconfined;
  core.plan_wanted = true;
  for (const exec::StepEnded& end : ready.ended) step_ended(core, end);
  std::set<exec::StepKey> known(ready.running.begin(), ready.running.end());
  std::vector<uint32_t> active(core.state.active().begin(), core.state.active().end());
  for (uint32_t id : active) {
    for (const StepPtr& step : core.state.steps_of(id)) {
      if (step->end_time) continue;
      if (known.contains(key_of(*step))) {
        begin_metering(core, *step);
        continue;
      }
      reconcile_step(core, *core.state.find(id), *step);
    }
    const Job* job = core.state.find(id);
    if (!job->finished() && job->boot_id != core.state.cluster.boot_id) node_failed(core, id);
    refreeze(core, *core.state.find(id));
    resume_site_prolog(core, id);
    confine_again(core, *core.state.find(id));
    if (core.state.find(id)->finished()) {
      terminate_steps(core, id, SIGTERM);
      clean_if_over(core, id);
    }
  }
  std::set<uint32_t> live(active.begin(), active.end());
  for (uint32_t id : ready.jobs) {
    if (!live.contains(id)) {
      core.after_commit([&core, id] { core.executor.clean(id, UINT32_MAX); });
    }
  }
}

}  // namespace

void end_by_status(Core& core, uint32_t job_id, int status) {
  if (status == 0) return end_job(core, job_id, JobState::kCompleted, Reason::kNone, 0);
  if (status == kOutOfMemoryStatus) {
    return end_job(core, job_id, JobState::kOutOfMemory, Reason::kOutOfMemory, status);
  }
  // A signal is a failed launch in Slurm's words.
  Reason reason = WIFSIGNALED(status) ? Reason::kJobLaunchFailure : Reason::kNonZeroExitCode;
  end_job(core, job_id, JobState::kFailed, reason, status);
}

exec::StepKey key_of(const Step& step) {
  return {step.job_id, step.step_id, step.restart};
}

void on_exec_event(Core& core, exec::ExecEvent event) {
  if (auto* started = std::get_if<exec::StepStarted>(&event)) {
    step_started(core, *started);
  } else if (auto* ended = std::get_if<exec::StepEnded>(&event)) {
    step_ended(core, *ended);
  } else if (auto* cleaned = std::get_if<exec::JobCleaned>(&event)) {
    if (!cleaned->epilog_failure.empty()) {
      log_error("job {}: epilog failed: {}", cleaned->job_id, cleaned->epilog_failure);
    }
    const Job* job = core.state.find(cleaned->job_id);
    if (job && job->restarts == cleaned->restart) job_cleaned(core, cleaned->job_id);
  } else if (auto* failed = std::get_if<exec::PrologFailed>(&event)) {
    prolog_failed(core, *failed);
  } else if (auto* over = std::get_if<exec::SiteProgramEnded>(&event)) {
    site_program_ended(core, *over);
  } else if (auto* ready = std::get_if<exec::ExecutorReady>(&event)) {
    executor_ready(core, *ready);
  } else if (auto* measured = std::get_if<exec::StepsMeasured>(&event)) {
    on_steps_measured(core, *measured);
  } else if (auto* gpus = std::get_if<exec::GpusMeasured>(&event)) {
    on_gpus_measured(core, *gpus);
  } else {
    core.executor_ready = false;
  }
}

}  // namespace grappe::embedded
