#include "embedded/plan_pass.h"

#include <chrono>
#include <set>

#include "embedded/accrual.h"
#include "embedded/eligible.h"
#include "embedded/finish.h"
#include "embedded/preempt.h"
#include "embedded/reservation_use.h"
#include "embedded/snapshot.h"
#include "embedded/start.h"
#include "sched/plan.h"

namespace grappe::embedded {
namespace {

// Reasons are for people who look; they are not worth a write to disk. A restart finds them anew.
void show_reason(Core& core, const Job& job, Reason reason, const std::string& detail,
                 int64_t expected, const std::vector<uint32_t>& nodes) {
  if (job.reason == reason && job.reason_detail == detail && job.expected_start == expected) {
    return;
  }
  Job& record = core.state.edit_unsaved(job.id);
  record.reason = reason;
  record.reason_detail = detail;
  record.expected_start = expected;
  record.last_sched_eval = core.now;
  record.expected_nodes.clear();
  for (uint32_t node : nodes) {
    record.expected_nodes.push_back(core.state.cluster.nodes.at(node).machine.name);
  }
}

void tell(Core& core, const Job& job, Reason reason, const std::string& detail, int64_t expected,
          const std::vector<uint32_t>& nodes) {
  if (!job.pending()) return;
  const uint32_t id = job.id;
  // The next task is eligible when one of those that run has ended.
  const bool not_yet_eligible = reason == Reason::kJobArrayTaskLimit && job.eligible_time;
  show_reason(core, job, reason, detail, expected, nodes);
  if (not_yet_eligible) core.state.edit(id).eligible_time = 0;
}

// Those for the scheduler. Held jobs and those with an unfulfilled condition are not, but their
// reason shows.
ReadyJobs sort_out(Core& core) {
  bool kill_invalid = core.state.cluster.config.scheduling.kill_invalid_depend;
  ReadyJobs ready;
  std::vector<uint32_t> never;
  ready.reserve(core.state.pending_count());
  core.state.for_each_pending([&](const State::Entry& entry) {
    const Job& job = *entry.job;
    const uint32_t id = job.id;
    Eligibility now = eligible(core.state, job, core.now);
    if (now.reason == Reason::kNone) {
      ready.push_back(&entry);
      if (!job.eligible_time) {
        Job& record = core.state.edit(id);
        record.eligible_time = core.now;
      }
      return;
    }
    const v1::JobSpec& spec = *job.spec;
    bool kill = spec.has_kill_on_invalid_dep() ? spec.kill_on_invalid_dep() : kill_invalid;
    if (now.reason == Reason::kDependencyNeverSatisfied && kill) never.push_back(id);
    tell(core, job, now.reason, now.detail, job.begin_time > core.now ? job.begin_time : 0, {});
  });
  for (uint32_t id : never) {
    end_job(core, id, JobState::kCancelled, Reason::kDependencyNeverSatisfied, 0);
  }
  grow_older(core, ready);
  return ready;
}

void count_cycle(v1::CycleStats& stats, uint64_t micros, const sched::Plan& plan, size_t queue,
                 int64_t now) {
  stats.set_last_us(micros);
  stats.set_max_us(std::max<uint64_t>(stats.max_us(), micros));
  stats.set_total_us(stats.total_us() + micros);
  stats.set_cycles(stats.cycles() + 1);
  stats.set_last_depth(plan.tested);
  stats.set_total_depth(stats.total_depth() + plan.tested);
  stats.set_last_depth_try(plan.tested);
  stats.set_total_depth_try(stats.total_depth_try() + plan.tested);
  stats.set_last_queue(queue);
  stats.set_total_queue(stats.total_queue() + queue);
  stats.set_last_table(plan.reserved);
  stats.set_total_table(stats.total_table() + plan.reserved);
  stats.set_last_when(now);
}

// Those that a MAGNETIC reservation draws start inside it if they can, else they are planned with
// all others.
void start_drawn_jobs(Core& core) {
  auto snapshot = magnetic_snapshot(core.state, core.now);
  if (!snapshot) return;
  for (const sched::Start& start : sched::plan(*snapshot, policy_of(core.state.cluster)).starts) {
    const Job* job = core.state.find(static_cast<uint32_t>(start.tag));
    if (!job || !job->pending()) continue;
    uint32_t magnet = magnet_for(core.state.cluster, *job, core.now);
    bool drawn = magnet != kNoReservation;
    start_job(core, start, drawn ? reservation_at(core.state.cluster, magnet).name : "");
  }
}

sched::BackfillOrder backfill_order(std::string_view name) {
  if (name == "small") return sched::BackfillOrder::kSmallFirst;
  if (name == "limit") return sched::BackfillOrder::kShortestLimit;
  return sched::BackfillOrder::kPriority;
}

}  // namespace

sched::Policy policy_of(const Cluster& cluster) {
  const SchedulerParameters& parameters = cluster.config.scheduling.parameters;
  sched::Policy policy;
  policy.window = int64_t{parameters.bf_window_min} * 60;
  if (parameters.bf_job_part_count_reserve) {
    policy.protected_jobs = parameters.bf_job_part_count_reserve;
    policy.backfill_order = backfill_order(parameters.bf_order);
  }
  policy.by_pool = parameters.bf_by_pool;
  policy.max_reservations = parameters.bf_max_job_test;
  policy.max_array_reservations = parameters.bf_max_job_array_resv;
  policy.limit_stop = parameters.assoc_limit_stop;
  policy.placement.gpu_hold_back = parameters.gpu_hold_back;
  policy.placement.gpu_pack = parameters.gpu_pack;
  policy.placement.gpu_links = !parameters.gpu_ignore_links;
  return policy;
}

bool plan_pass(Core& core) {
  auto begin = std::chrono::steady_clock::now();
  const ReadyJobs ready = sort_out(core);
  resume_evicted(core);
  start_drawn_jobs(core);
  sched::Snapshot snapshot = snapshot_of(core.state, ready, core.now);
  sched::Plan plan = sched::plan(snapshot, policy_of(core.state.cluster));
  std::set<uint32_t> records;
  for (sched::Start& start : plan.starts) {
    start.tag = ready[start.tag]->job->id;
    records.insert(static_cast<uint32_t>(start.tag));
    start_job(core, start);
  }
  // What is left of an array that has just started tasks may have reached its limit.
  for (uint32_t id : records) {
    const Job* record = core.state.find(id);
    if (!record || !record->pending()) continue;
    Eligibility now = eligible(core.state, *record, core.now);
    if (now.reason != Reason::kNone) tell(core, *record, now.reason, now.detail, 0, {});
  }
  for (const sched::Evicted& evicted : plan.evicted) {
    evict_job(core, static_cast<uint32_t>(evicted.tag), ready[evicted.by]->job->id);
  }
  for (size_t i = 0; i < plan.waiting.size(); ++i) {
    const sched::Waiting& waiting = plan.waiting[i];
    if (i + State::kAhead < plan.waiting.size()) {
      State::fetch(*ready[plan.waiting[i + State::kAhead].tag]);
    }
    tell(core, *ready[waiting.tag]->job, waiting.reason, waiting.detail, waiting.expected_start,
         waiting.expected_nodes);
  }
  auto micros = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - begin);
  count_cycle(core.counters.main, static_cast<uint64_t>(micros.count()), plan,
              snapshot.pending.size(), core.now);
  core.counters.backfill = core.counters.main;
  core.forecasts.wanted = true;
  return plan.starts.empty() && !plan.waiting.empty();
}

}  // namespace grappe::embedded
