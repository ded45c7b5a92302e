#include "embedded/finish.h"

#include <signal.h>

#include "base/log.h"
#include "embedded/arrays.h"
#include "embedded/dependencies.h"
#include "embedded/mail.h"
#include "embedded/notice.h"
#include "embedded/priority.h"
#include "embedded/site_hooks.h"
#include "embedded/usage.h"
#include "embedded/waiting.h"
#include "model/slurm_error.h"

namespace grappe::embedded {
namespace {

// What is to become of a job after the end of this run.
constexpr uint32_t kRequeueFlags = kStateRequeueHold | kStateRequeued | kStateSpecialExit;

void count_end(Core& core, JobState state) {
  switch (state) {
    case JobState::kCompleted:
      ++core.counters.completed;
      break;
    case JobState::kCancelled:
      ++core.counters.canceled;
      break;
    default:
      ++core.counters.failed;
      break;
  }
}

// It never ran: nothing to kill, nothing to clean.
void end_pending(Core& core, uint32_t job_id, JobState state, Reason reason, int exit_status) {
  Job& job = core.state.edit(job_id);
  job.exit_code = exit_status;
  job.state = static_cast<uint32_t>(state);
  // Who cancels a job leaves standing why it waited.
  if (reason != Reason::kNone) {
    job.reason = reason;
    job.reason_detail.clear();
  }
  job.start_time = job.end_time = core.now;
  job.expected_start = 0;
  core.state.reindex(job_id);
}

// The rows of the run that ends here stay as they are; the record goes on as the next run.
void restart_record(Core& core, uint32_t job_id) {
  State& state = core.state;
  Job& job = state.edit(job_id);
  // Held while it ran, or to be held now.
  Hold held = job.hold;
  if (held == Hold::kNone && (job.state & kStateRequeueHold)) held = Hold::kUser;
  const bool hold = held != Hold::kNone;
  Job next = job;
  next.state = static_cast<uint32_t>(JobState::kPending) | (job.state & kStateSpecialExit);
  next.reason = held == Hold::kAdmin  ? Reason::kJobHeldAdmin
                : held == Hold::kUser ? Reason::kJobHeldUser
                                      : Reason::kBeginTime;
  next.hold = held;
  if (!hold) next.reason_detail.clear();
  next.allocation.clear();
  next.billing.reset();
  next.nodes.clear();
  next.start_time = next.end_time = next.suspend_time = 0;
  next.pre_suspend_s = next.suspended_s = next.killed_time = 0;
  next.warned = false;
  next.preempt_time = 0;
  next.exit_code = next.derived_exit_code = 0;
  next.requeue_after = false;
  next.next_step = 0;
  next.ended_by = 0;
  next.boot_id.clear();
  ++next.restarts;
  next.submit_time = core.now;
  next.eligible_time = next.accrue_time = 0;
  // A moment, so that what failed can settle. Slurm's jobs wait until the permits of their last run
  // have expired; a site that wants that says how long.
  next.begin_time = std::max(next.begin_time,
                             core.now + core.state.cluster.config.jobs.cred_expire_s + int64_t{1});
  job.state &= ~(kRequeueFlags & ~kStateRequeued);
  job.requeue_after = false;
  auto shape = state.shape(job_id);
  state.archive(job_id);
  set_priority(core, next);
  if (hold) next.priority = 0;
  state.add(std::move(next));
  if (shape) state.set_shape(job_id, *shape);
  core.plan_wanted = true;
}

}  // namespace

void terminate_steps(Core& core, uint32_t job_id, int signal_number) {
  for (const StepPtr& step : core.state.steps_of(job_id)) {
    if (is_finished(base_state(step->state))) continue;
    exec::StepKey key = key_of(*step);
    core.after_commit([&core, key, signal_number] {
      core.executor.signal(key, signal_number, exec::SignalTarget::kEverything);
    });
  }
}

void clean_if_over(Core& core, uint32_t job_id) {
  const Job* job = core.state.find(job_id);
  if (!job || !(job->state & kStateCompleting) || core.state.has_running_steps(job_id)) return;
  uint32_t restart = job->restarts;
  core.after_commit([&core, job_id, restart] { core.executor.clean(job_id, restart); });
}

void end_job(Core& core, uint32_t job_id, JobState state, Reason reason, int exit_status) {
  const Job* current = core.state.find(job_id);
  if (!current || current->finished()) return;
  if (current->pending()) {
    note_no_start(core, *current);
    end_pending(core, job_id, state, reason, exit_status);
  } else {
    Job& job = core.state.edit(job_id);
    if (job.base() == JobState::kSuspended) {
      core.state.occupy_cpus(job);
      core.after_commit([&core, job_id] { core.executor.freeze(job_id, false); });
    }
    job.state = static_cast<uint32_t>(state) | kStateCompleting | (job.state & kRequeueFlags);
    job.reason = reason;
    job.exit_code = exit_status;
    job.end_time = core.now;
    charge_at_end(core, job);
    note_run(core, job);
    job.killed_time = core.now;
    for (const NodeAllocation& share : job.allocation) {
      ++core.state.cluster.nodes.at(share.node).completing;
    }
    tell_end(core, job_id);
    terminate_steps(core, job_id, SIGTERM);
    clean_if_over(core, job_id);
  }
  count_end(core, state);
  wake_waiters(core, job_id);
  mail_at_end(core, *core.state.find(job_id));
  resolve_dependents(core, job_id);
  core.plan_wanted = true;
  log_debug("job {} ended: {}", job_id, job_state_name(static_cast<uint32_t>(state)));
}

void cancel_job(Core& core, uint32_t job_id, uid_t by) {
  const Job* job = core.state.find(job_id);
  if (!job || job->finished()) return;
  core.state.edit(job_id).ended_by = by;
  end_job(core, job_id, JobState::kCancelled, Reason::kNone, 0);
}

void job_cleaned(Core& core, uint32_t job_id) {
  const Job* current = core.state.find(job_id);
  if (!current || !(current->state & kStateCompleting)) return;
  core.state.release(*current);
  Job& job = core.state.edit(job_id);
  job.state &= ~kStateCompleting;
  for (const NodeAllocation& share : job.allocation) {
    ClusterNode& node = core.state.cluster.nodes.at(share.node);
    if (node.completing > 0) --node.completing;
    node.last_busy = core.now;
  }
  core.state.reindex(job_id);
  core.plan_wanted = true;
  run_site_epilog(core, job_id);
  bool again = job.requeue_after;
  if (again) {
    restart_record(core, job_id);
  } else {
    core.state.drop_steps(job_id);
    resolve_dependents(core, job_id);
  }
  wake_waiters(core, job_id);
}

bool may_run_again(const Core& core, const Job& job) {
  if (!job.spec->batch()) return false;
  return job.spec->has_requeue() ? job.spec->requeue() : core.state.cluster.config.jobs.requeue;
}

Status requeue_job(Core& core, uint32_t job_id, Requeue how) {
  const Job* current = core.state.find(job_id);
  if (!current) return slurm_fail(kErrInvalidJobId);
  if (!current->spec->batch()) return slurm_fail(kErrBatchOnly);
  if (current->pending()) return slurm_fail(kErrJobPending);
  Job& job = core.state.edit(job_id);
  job.requeue_after = true;
  // However the run ended, history tells that its owner wanted another one.
  job.state |= kStateRequeued;
  if (how != Requeue::kRun) {
    job.state |= kStateRequeueHold | (how == Requeue::kSpecialExit ? kStateSpecialExit : 0);
    job.reason_detail = "job requeued in held state";
  }
  if (job.finished() && !(job.state & kStateCompleting)) {
    restart_record(core, job_id);
  } else if (!job.finished()) {
    end_job(core, job_id, JobState::kCancelled, Reason::kNone, 0);
  }
  return {};
}

}  // namespace grappe::embedded
