#include "embedded/why_limits.h"

#include <fmt/core.h>

#include "sched/gate.h"

namespace grappe::embedded {
namespace {

constexpr int kMostTakers = 5;

v1::BrokenLimit owner_of(const State& state, const CounterKey& key, const Job& job) {
  v1::BrokenLimit out;
  if (key.kind == CounterKey::kAssociation) {
    if (const v1::Association* association = state.books.association(key.association)) {
      out.set_account(association->account());
      out.set_user(association->user());
    }
    return out;
  }
  out.set_qos(key.qos);
  out.set_of_partition(key.qos != job.qos);
  if (key.kind == CounterKey::kUserOfQos) out.set_user(key.name);
  if (key.kind == CounterKey::kAccountOfQos) out.set_account(key.name);
  return out;
}

}  // namespace

std::string shown_id(const Job& job) {
  if (!job.array_job_id) return std::to_string(job.id);
  if (job.array_task_id) return fmt::format("{}_{}", job.array_job_id, *job.array_task_id);
  constexpr size_t kEnough = 20;
  return fmt::format("{}_[{}]", job.array_job_id, job.waiting ? job.waiting->list(kEnough) : "");
}

LimitScene limit_scene(const State& state, const sched::Snapshot& snapshot, const Job& job) {
  LimitScene out;
  out.table = snapshot.limits;
  const LimitPlace* place = state.place(job.id);
  if (!out.table || !place) return {};
  out.tres = state.limits().tres();
  out.half_life_s = state.cluster.config.priority.decay_half_life_s;
  for (const auto& [key, counter] : state.limits().counters()) {
    const bool counts = std::binary_search(place->counters.begin(), place->counters.end(), counter);
    if (counts) out.owners[counter] = owner_of(state, key, job);
  }
  for (const sched::RunningJob& running : snapshot.running) {
    const auto id = static_cast<uint32_t>(running.tag);
    sched::CountedRun& run = out.running.emplace_back();
    const LimitPlace* counted = state.place(id);
    out.jobs.push_back(state.get(id));
    if (!counted || counted->chains.empty()) continue;
    run.chain = &(*out.table->chains)[counted->chains[0]];
    out.amounts.push_back(counted->tres);
    run.tres = counted->tres.get();
    run.end = running.end;
    if (running.end < sched::kForever && running.end > snapshot.now) {
      run.seconds_left = static_cast<uint64_t>(running.end - snapshot.now);
    }
    for (const sched::NodeShare& share : running.shares) run.nodes.set(share.node);
  }
  return out;
}

void fill_limit(const LimitScene& scene, const sched::Snapshot& snapshot,
                const sched::PendingJob& job, sched::PartitionIndex partition, Reason reason,
                const std::function<bool(const Job&)>& may_see, v1::PartitionReason& out) {
  if (!scene.table || !job.tres) return;
  size_t at = 0;
  while (at < job.chains.size() && job.partitions[at] != partition) ++at;
  if (at == job.chains.size() || job.chains[at] == sched::kNoChain) return;
  sched::BreakQuestion question;
  question.chain = &(*scene.table->chains)[job.chains[at]];
  const sched::Time run = sched::shortest_run(job);
  question.job.tres = job.tres;
  question.job.minutes = run >= sched::kForever ? UINT32_MAX : static_cast<uint64_t>(run / 60);
  question.table = scene.table.get();
  question.running = &scene.running;
  question.reason = reason;
  question.now = snapshot.now;
  question.half_life_s = scene.half_life_s;
  sched::LimitBreak found;
  if (!sched::report_break(question, found)) return;
  v1::BrokenLimit& limit = *out.mutable_limit();
  if (auto owner = scene.owners.find(found.rule.counter); owner != scene.owners.end()) {
    limit = owner->second;
  }
  limit.set_name(std::string(found.rule.name));
  using sched::Measure;
  const bool plain = found.rule.measure == Measure::kJobs || found.rule.measure == Measure::kWall ||
                     found.rule.measure == Measure::kGroupWall ||
                     found.rule.measure == Measure::kFairShare;
  if (!plain) limit.set_tres(scene.tres.at(found.rule.tres));
  limit.set_limit(found.rule.limit);
  limit.set_used(found.used);
  limit.set_asked(found.asked);
  limit.set_never(found.never);
  limit.set_job_count(static_cast<uint32_t>(found.takers.size()));
  limit.set_frees_at(found.frees_at);
  for (const auto& [index, amount] : found.takers) {
    const Job& taker = *scene.jobs.at(index);
    if (limit.jobs_size() == kMostTakers) break;
    if (!may_see(taker)) continue;
    v1::CountedJob& row = *limit.add_jobs();
    row.set_job_id(shown_id(taker));
    row.set_user(taker.user);
    row.set_amount(amount);
    row.set_end_time(scene.running[index].end);
  }
}

}  // namespace grappe::embedded
