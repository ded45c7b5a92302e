#include "embedded/preempt.h"

#include <signal.h>

#include <algorithm>

#include "base/log.h"
#include "embedded/finish.h"
#include "embedded/suspend.h"
#include "model/config_values.h"

namespace grappe::embedded {
namespace {

bool by_qos(const State& state) {
  return state.cluster.config.scheduling.preempt_type == "preempt/qos";
}

bool by_partition(const State& state) {
  return state.cluster.config.scheduling.preempt_type == "preempt/partition_prio";
}

PreemptMode mode_of(const State& state, const v1::Qos& qos) {
  const PreemptMode& cluster = state.cluster.config.scheduling.preempt_mode;
  if (qos.preempt_mode().empty() || qos.preempt_mode() == "cluster") return cluster;
  return read_preempt_mode("PreemptMode", qos.preempt_mode()).value_or(cluster);
}

struct Terms {
  PreemptAction action = PreemptAction::kOff;
  int64_t grace_s = 0;
  int64_t exempt_s = 0;
};

// On which terms a running job leaves.
Terms terms_of(const State& state, const Job& job) {
  const SchedulingConfig& config = state.cluster.config.scheduling;
  Terms out{config.preempt_mode.action, 0, config.preempt_exempt_time_s};
  if (by_qos(state)) {
    const v1::Qos* qos = state.books.qos(job.qos);
    if (!qos) return {};
    out.action = mode_of(state, *qos).action;
    out.grace_s = qos->grace_time_s();
    if (qos->has_preempt_exempt_time_s()) out.exempt_s = qos->preempt_exempt_time_s();
    return out;
  }
  const ClusterPartition* partition = state.cluster.partition(job.partitions.front());
  if (!by_partition(state) || !partition) return {};
  if (partition->config.preempt_mode) out.action = partition->config.preempt_mode->action;
  out.grace_s = partition->config.grace_time_s;
  return out;
}

void end_evicted(Core& core, const Job& job) {
  const bool again =
      terms_of(core.state, job).action == PreemptAction::kRequeue && may_run_again(core, job);
  const uint32_t id = job.id;
  if (again) core.state.edit(id).requeue_after = true;
  log_info("job {} is preempted", id);
  end_job(core, id, JobState::kPreempted, Reason::kNone, 0);
}

bool has_its_cpus_free(const State& state, const Job& job) {
  return std::all_of(job.allocation.begin(), job.allocation.end(), [&](const auto& share) {
    const sched::Bitmap& used = state.cluster.nodes.at(share.node).used_cpus;
    return std::none_of(share.cpus.begin(), share.cpus.end(),
                        [&](uint32_t cpu) { return used.test(cpu); });
  });
}

bool still_waits(const Core& core, uint32_t job_id) {
  auto reason = core.evicted_for.find(job_id);
  if (reason == core.evicted_for.end()) return false;
  const Job* other = core.state.find(reason->second);
  return other && other->pending();
}

}  // namespace

sched::PreemptRules preempt_rules(const State& state) {
  using By = sched::PreemptRules::By;
  sched::PreemptRules out;
  out.youngest_first = state.cluster.config.scheduling.parameters.preempt_youngest_first;
  if (by_partition(state)) out.by = By::kTier;
  if (!by_qos(state)) return out;
  out.by = By::kClass;
  for (const auto& [name, qos] : state.books.qos()) {
    if (qos->stamp().deleted()) continue;
    if (out.may_evict.size() <= qos->id()) out.may_evict.resize(qos->id() + 1);
    for (const std::string& other : qos->preempt()) {
      if (const v1::Qos* lesser = state.books.qos(other))
        out.may_evict[qos->id()].set(lesser->id());
    }
    if (mode_of(state, *qos).within) out.within.set(qos->id());
  }
  return out;
}

uint32_t preempt_class(const State& state, const Job& job) {
  const v1::Qos* qos = by_qos(state) ? state.books.qos(job.qos) : nullptr;
  return qos ? qos->id() : 0;
}

void fill_eviction(const State& state, const Job& job, int64_t now, sched::RunningJob& out) {
  if (job.state & kStateCompleting) {
    out.leaving = true;
    out.end = now + 1;
    return;
  }
  const Terms terms = terms_of(state, job);
  if (terms.action == PreemptAction::kOff) return;
  out.eviction =
      terms.action == PreemptAction::kSuspend ? sched::Eviction::kSuspend : sched::Eviction::kEnd;
  out.grace = terms.grace_s;
  out.exempt_until = job.start_time + terms.exempt_s;
  out.preempt_class = preempt_class(state, job);
  if (job.preempt_time && !out.suspended) {
    out.leaving = true;
    out.end = std::min(out.end, std::max(job.preempt_time + terms.grace_s, now + 1));
  }
}

void evict_job(Core& core, uint32_t job_id, uint32_t by) {
  const Job* job = core.state.find(job_id);
  if (!job || !job->running() || job->preempt_time) return;
  const Terms terms = terms_of(core.state, *job);
  if (terms.action == PreemptAction::kOff) return;
  core.state.edit(job_id).preempt_time = core.now;
  if (terms.action == PreemptAction::kSuspend) {
    core.evicted_for[job_id] = by;
    suspend_job(core, job_id);
  } else if (terms.grace_s > 0) {
    terminate_steps(core, job_id, SIGCONT);
    terminate_steps(core, job_id, SIGTERM);
  } else {
    end_evicted(core, *core.state.find(job_id));
  }
}

int64_t tick_grace(Core& core, const Job& job) {
  if (!job.preempt_time || !job.running()) return 0;
  const int64_t due = job.preempt_time + terms_of(core.state, job).grace_s;
  if (core.now < due) return due;
  end_evicted(core, job);
  return 0;
}

void resume_evicted(Core& core) {
  std::vector<uint32_t> ready;
  for (uint32_t id : core.state.active()) {
    const Job& job = *core.state.find(id);
    if (!job.preempt_time || job.base() != JobState::kSuspended) continue;
    if (!still_waits(core, id) && has_its_cpus_free(core.state, job)) ready.push_back(id);
  }
  for (uint32_t id : ready) {
    core.evicted_for.erase(id);
    core.state.edit(id).preempt_time = 0;
    resume_job(core, id);
  }
}

}  // namespace grappe::embedded
