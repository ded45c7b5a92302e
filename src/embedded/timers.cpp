#include "embedded/timers.h"

#include <signal.h>

#include <algorithm>

#include "base/duration.h"
#include "base/log.h"
#include "embedded/eligible.h"
#include "embedded/finish.h"
#include "embedded/leases.h"
#include "embedded/limit_clock.h"
#include "embedded/mail.h"
#include "embedded/nodes.h"
#include "embedded/notice.h"
#include "embedded/preempt.h"
#include "embedded/priority.h"
#include "embedded/reservation_clock.h"
#include "embedded/sampling.h"
#include "embedded/site_hooks.h"
#include "embedded/snapshot.h"
#include "embedded/steps.h"
#include "embedded/waiting.h"
#include "model/mail.h"

namespace grappe::embedded {
namespace {

class Next {
 public:
  void at(int64_t seconds) {
    if (seconds < INT64_MAX / 1000) at_ms(seconds * 1000);  // else it is never
  }
  void at_ms(int64_t ms) { ms_ = std::min(ms_, ms); }
  int64_t ms() const { return ms_; }

 private:
  int64_t ms_ = INT64_MAX;
};

// Minutes that a job may run beyond its limit.
uint32_t over_time(const Core& core, const Job& job) {
  const ClusterPartition* partition = core.state.cluster.partition(job.partitions.front());
  if (partition && partition->config.over_time_limit_min) {
    return *partition->config.over_time_limit_min;
  }
  return core.state.cluster.config.scheduling.over_time_limit_min;
}

int64_t limit_end(const Core& core, const Job& job) {
  if (job.settled.time_limit == kInfinite) return INT64_MAX / 2000;
  const uint32_t over = over_time(core, job);
  if (over == kInfinite) return INT64_MAX / 2000;
  return job.start_time + job.suspended_s + (int64_t{job.settled.time_limit} + over) * 60;
}

// --signal=SIG@seconds: to the steps, or with B: to the batch shell alone.
void warn(Core& core, uint32_t job_id) {
  Job& job = core.state.edit(job_id);
  job.warned = true;
  int number = job.spec->warn_signal();
  bool shell = job.spec->warn_batch_shell();
  for (const StepPtr& step : core.state.steps_of(job_id)) {
    if (step->end_time) continue;
    bool batch = step->step_id == exec::kBatchStep;
    if (shell != batch) continue;
    exec::StepKey key = key_of(*step);
    auto target = shell ? exec::SignalTarget::kBatchShell : exec::SignalTarget::kTasks;
    core.after_commit([&core, key, number, target] { core.executor.signal(key, number, target); });
  }
}

void tick_running(Core& core, const Job& job, Next& next) {
  if (job.base() == JobState::kSuspended) return;
  if (job.preempt_time) {
    if (int64_t due = tick_grace(core, job)) next.at(due);
    if (core.state.find(job.id)->finished()) return;
  }
  int64_t end = limit_end(core, job);
  if (job.spec->deadline() && job.spec->deadline() < end) end = job.spec->deadline();
  if (core.now >= end) {
    bool deadline = job.spec->deadline() && core.now >= job.spec->deadline();
    log_info("job {} reached its time limit", job.id);
    end_job(core, job.id, deadline ? JobState::kDeadline : JobState::kTimeout,
            deadline ? Reason::kDeadLine : Reason::kTimeLimit, 0);
    mail_event(core, *core.state.find(job.id), kMailTimeLimit, "Reached time limit");
    return;
  }
  next.at(end);
  if (job.spec->has_warn_signal() && !job.warned) {
    int64_t due = end - (job.spec->has_warn_seconds() ? job.spec->warn_seconds() : 60);
    if (core.now >= due) {
      warn(core, job.id);
    } else {
      next.at(due);
    }
  }
}

// SIGKILL did not end them: processes that wait inside the kernel, for a disk that is gone. Nobody
// else shall get their node until an operator has looked.
void give_up_killing(Core& core, const Job& job) {
  for (const StepPtr& step : core.state.steps_of(job.id)) {
    if (is_finished(base_state(step->state))) continue;
    log_error("job {}: step {} is not killable: {} is drained", job.id, step->step_id, step->nodes);
    for (const NodeAllocation& share : step->allocation) {
      drain_node(core, share.node, "Kill task failed");
    }
    run_unkillable_program(core, *step);
  }
}

// SIGTERM was KillWait ago: now what is left has no choice.
void tick_completing(Core& core, const Job& job, Next& next) {
  const JobsConfig& rules = core.state.cluster.config.jobs;
  const int64_t wait = std::max<int64_t>(rules.kill_wait_s, 1);
  const int64_t due = job.killed_time + wait;
  if (core.now < due) return next.at(due);
  terminate_steps(core, job.id, SIGKILL);
  const int64_t patience = job.end_time + wait + rules.unkillable_step_timeout_s;
  if (core.now >= patience && job.killed_time < patience) give_up_killing(core, job);
  core.state.edit(job.id).killed_time = core.now;
  next.at(core.now + wait);
}

void tick_steps(Core& core, const Job& job, Next& next) {
  const uint32_t over = over_time(core, job);
  if (over == kInfinite) return;
  for (const StepPtr& step : core.state.steps_of(job.id)) {
    if (step->end_time || step->time_limit == kInfinite) continue;
    int64_t end = step->start_time + (int64_t{step->time_limit} + over) * 60;
    if (core.now < end) {
      next.at(end);
      continue;
    }
    int64_t kill_at = end + core.state.cluster.config.jobs.kill_wait_s;
    int signal_number = core.now < kill_at ? SIGTERM : SIGKILL;
    if (signal_number == SIGTERM) next.at(kill_at);
    if (step->limit_signal == signal_number) continue;
    if (!step->limit_signal) {
      tell_end(core, *step, static_cast<uint32_t>(JobState::kTimeout), exec::NoticeKind::kEnd);
    }
    exec::StepKey key = key_of(*step);
    core.state.edit_step(job.id, step->step_id).limit_signal = signal_number;
    core.after_commit([&core, key, signal_number] {
      core.executor.signal(key, signal_number, exec::SignalTarget::kEverything);
    });
  }
}

// When a job with a deadline must have started to get what it asks for. One that waits for
// something else than resources is not asked before its deadline.
int64_t latest_start(const Cluster& cluster, const Job& job, const Eligibility& now) {
  const int64_t deadline = job.spec->deadline();
  if (now.reason != Reason::kNone) return deadline;
  if (uint32_t least = least_minutes(cluster, job)) return deadline - int64_t{least} * 60;
  if (job.settled.time_limit == kInfinite) return deadline;
  return deadline - int64_t{job.settled.time_limit} * 60;
}

void tick_pending(Core& core, const Job& job, Next& next) {
  Eligibility now = eligible(core.state, job, core.now);
  if (job.spec->deadline()) {
    const int64_t latest = latest_start(core.state.cluster, job, now);
    if (core.now > latest || core.now >= job.spec->deadline()) {
      if (now.reason == Reason::kNone && !job.eligible_time) {
        core.state.edit(job.id).eligible_time = core.now;
      }
      return end_job(core, job.id, JobState::kDeadline, Reason::kDeadLine, SIGHUP);
    }
    next.at(std::min(latest + 1, job.spec->deadline()));
  }
  if (now.again_at > core.now) next.at(now.again_at);
  if (job.reason == Reason::kBeginTime && now.reason != Reason::kBeginTime) {
    core.plan_wanted = true;
  }
}

}  // namespace

int64_t on_tick(Core& core) {
  Next next;
  const LimitsConfig& limits = core.state.cluster.config.limits;
  std::vector<uint32_t> active(core.state.active().begin(), core.state.active().end());
  for (uint32_t id : active) {
    JobPtr job = core.state.get(id);
    if (job->state & kStateCompleting) {
      tick_completing(core, *job, next);
    } else {
      tick_steps(core, *job, next);
      tick_running(core, *job, next);
    }
  }
  std::vector<uint32_t> timed(core.state.timed().begin(), core.state.timed().end());
  for (uint32_t id : timed) tick_pending(core, *core.state.get(id), next);
  for (uint32_t id : core.state.finished_before(core.now - limits.min_job_age_s)) {
    core.state.forget(id);
  }
  core.answers.expire(core.state, core.now);
  next.at(check_leases(core));
  next.at(tick_reservations(core));
  next.at(tick_boosts(core));
  next.at(tick_priorities(core));
  next.at(tick_limits(core));
  next.at(sample_due_steps(core));
  next.at(core.now + std::clamp<int64_t>(limits.min_job_age_s, 1, 30));
  next.at_ms(expire_waiters(core));
  next.at_ms(expire_step_waiters(core));
  return next.ms();
}

}  // namespace grappe::embedded
