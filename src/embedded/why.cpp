#include "embedded/why.h"

#include <fmt/core.h>

#include "base/duration.h"
#include "base/hostlist.h"
#include "embedded/admit.h"
#include "embedded/arrays.h"
#include "embedded/eligible.h"
#include "embedded/plan_pass.h"
#include "embedded/reservation_use.h"
#include "embedded/snapshot.h"
#include "embedded/view.h"
#include "embedded/why_limits.h"
#include "model/slurm_error.h"
#include "sched/why.h"

namespace grappe::embedded {
namespace {

constexpr size_t kMostPartitions = 8;  // each is planned

// No limit keeps it.
bool waits_for_turn(Reason reason) {
  return reason == Reason::kNone || reason == Reason::kPriority || reason == Reason::kResources;
}

// Everything that the planning needs, apart from the engine's own state.
struct Case {
  v1::WhyResponse response;  // as far as it is known
  sched::Snapshot snapshot;
  // What the snapshot points to.
  std::vector<std::shared_ptr<const sched::Shape>> shapes;
  std::vector<std::shared_ptr<const sched::TresAmounts>> tres;
  std::vector<JobPtr> pending, running;  // parallel to those of the snapshot
  sched::Policy policy;
  LimitScene limits;
  uint32_t index = 0;
  std::vector<sched::PartitionIndex> partitions;
  std::vector<std::pair<std::string, std::string>> gres_kinds;
  JobPtr job;
  std::function<bool(const Job&)> may_see;
  bool sees_reservations = true;
};

std::vector<sched::PartitionIndex> usable_partitions(const Core& core, const Job& job) {
  Caller owner;
  owner.uid = job.uid;
  owner.gid = job.gid;
  owner.user = job.user;
  const Membership member{job.assoc_id, job.account, job.qos, job.wckey};
  std::vector<sched::PartitionIndex> out;
  const auto& partitions = core.state.cluster.partitions;
  for (uint32_t p = 0; p < partitions.size(); ++p) {
    if (check_partition_access(partitions[p], owner, *job.spec, member)) out.push_back(p);
  }
  return out;
}

std::string gres_word(const Case& c, sched::GresKind kind) {
  const auto& [name, type] = c.gres_kinds.at(kind);
  return "gres/" + name + (type.empty() ? "" : ":" + type);
}

std::string memory_word(uint64_t mb) {
  return mb % 1024 ? fmt::format("{}M", mb) : fmt::format("{}G", mb / 1024);
}

// The option that the job was submitted with for its devices, with another count.
std::string devices_option(const v1::JobSpec& spec, uint64_t count) {
  if (!spec.gpus().empty()) return fmt::format("--gpus={}", count);
  if (!spec.gpus_per_node().empty()) return fmt::format("--gpus-per-node={}", count);
  if (!spec.gpus_per_task().empty()) return fmt::format("--gpus-per-task={}", count);
  return fmt::format("--gres=gpu:{}", count);
}

std::string memory_option(const sched::Shape& shape) {
  if (shape.mem_per_cpu_mb) return "--mem-per-cpu=";
  return shape.mem_per_gpu_mb ? "--mem-per-gpu=" : "--mem=";
}

void fill_remedy(const Case& c, const sched::Remedy& from, v1::Remedy* out) {
  using What = sched::Remedy::What;
  const v1::JobSpec& spec = *c.job->spec;
  const sched::Shape& shape = *c.snapshot.pending[c.index].shape;
  auto set = [&](std::string option, bool drop = false) {
    out->set_option(std::move(option));
    out->set_drop(drop);
  };
  switch (from.what) {
    case What::kTimeLimit:
      set("--time=" + format_duration(static_cast<int64_t>(from.value)));
      break;
    case What::kMemory:
      set(memory_option(shape) + memory_word(from.value));
      break;
    case What::kDevices:
      set(devices_option(spec, from.value));
      break;
    case What::kAnyType:
      set(devices_option(spec, from.value));
      break;
    case What::kCpusPerTask:
      set(fmt::format("--cpus-per-task={}", from.value));
      break;
    case What::kShareNodes:
      set("--exclusive", true);
      break;
    case What::kAnyNode:
      set(shape.required_nodes.any() ? "--nodelist" : "--exclude", true);
      break;
    case What::kAnyFeature:
      set("--constraint", true);
      break;
    case What::kPartition:
      set("--partition=" + c.snapshot.partitions[from.value].name);
      break;
  }
  out->set_start_time(from.start);
}

void fill_ahead(const Case& c, const sched::Explanation& found, v1::WhyResponse& out) {
  out.set_ahead_count(found.ahead_count);
  for (uint32_t i : found.ahead) {
    const Job& other = *c.pending[i];
    if (!c.may_see(other)) continue;
    v1::AheadJob& row = *out.add_ahead();
    row.set_job_id(shown_id(other));
    row.set_user(other.user);
    row.set_account(other.account);
    row.set_priority(other.priority);
    row.set_expected_start(other.expected_start);
  }
}

void fill_nodes(const Case& c, const sched::Explanation& found, v1::WhyResponse& out) {
  using What = sched::Supply::What;
  for (const sched::NodeView& from : found.nodes) {
    v1::NodeSupply& node = *out.add_nodes();
    const sched::Node& machine = c.snapshot.nodes[from.node];
    node.set_node(machine.name);
    node.set_available(from.available);
    for (const sched::Supply& supply : from.supplies) {
      v1::Supply& row = *node.add_supplies();
      const bool cores = supply.what == What::kCores;
      const uint64_t each = cores ? std::max(machine.threads_per_core, 1u) : 1;
      row.set_what(cores                          ? "cpu"
                   : supply.what == What::kMemory ? "mem"
                                                  : gres_word(c, supply.kind));
      row.set_free(supply.free * each);
      row.set_total(supply.total * each);
      row.set_is_short(supply.is_short);
    }
  }
}

void fill_reserved(const Case& c, const sched::Explanation& found, v1::WhyResponse& out) {
  if (!c.sees_reservations) return;
  for (const sched::Explanation::Reserved& from : found.reserved) {
    const sched::Reservation& reservation = c.snapshot.reservations[from.reservation];
    std::vector<std::string> names;
    for (sched::NodeIndex n : from.nodes) names.push_back(c.snapshot.nodes[n].name);
    v1::ReservedNodes& row = *out.add_reserved();
    row.set_reservation(reservation.name);
    row.set_nodes(fold_hostlist(names));
    row.set_start_time(reservation.start);
    row.set_end_time(reservation.end >= sched::kForever ? 0 : reservation.end);
  }
}

// In each of its partitions as if it had asked for that one alone.
void fill_partitions(const Case& c, const sched::Explanation& found, v1::WhyResponse& out) {
  const sched::PendingJob& job = c.snapshot.pending[c.index];
  std::vector<sched::PartitionIndex> asked;
  for (size_t i = 0; i < job.partitions.size() && i < kMostPartitions; ++i) {
    asked.push_back(job.partitions[i]);
  }
  sched::Snapshot alone;
  if (asked.size() > 1) alone = c.snapshot;
  for (size_t i = 0; i < asked.size(); ++i) {
    v1::PartitionReason& row = *out.add_partitions();
    row.set_partition(c.snapshot.partitions[asked[i]].name);
    Reason reason = found.reason;
    row.set_expected_start(found.expected_start);
    if (asked.size() > 1) {
      sched::PendingJob& view = alone.pending[c.index];
      view.partitions = {};
      view.partitions.push_back(asked[i]);
      view.chains = {};
      if (!job.chains.empty()) view.chains.push_back(job.chains[i]);
      view.priorities = {};
      if (!job.priorities.empty()) view.priorities.push_back(job.priorities[i]);
      const sched::Waiting waiting = sched::start_of(alone, c.policy, c.index);
      reason = waiting.reason;
      row.set_expected_start(waiting.expected_start);
    }
    row.set_reason(std::string(reason_name(reason)));
    if (!waits_for_turn(reason)) {
      fill_limit(c.limits, c.snapshot, job, asked[i], reason, c.may_see, row);
    }
  }
}

v1::WhyResponse answer(const Case& c) {
  v1::WhyResponse out = c.response;
  if (!out.planned()) return out;
  const sched::Explanation found = sched::explain(c.snapshot, c.policy, c.index, c.partitions);
  out.set_reason(std::string(reason_name(found.reason)));
  out.set_detail(found.detail);
  out.set_expected_start(found.expected_start);
  out.set_may_be_passed(found.expected_start && !found.kept);
  out.set_fits_now(found.fits_now);
  for (sched::NodeIndex n : found.expected_nodes) {
    out.add_expected_nodes(c.snapshot.nodes[n].name);
  }
  fill_ahead(c, found, out);
  fill_nodes(c, found, out);
  fill_reserved(c, found, out);
  fill_partitions(c, found, out);
  for (uint32_t i : found.waits_for) {
    if (!c.may_see(*c.running[i])) continue;
    v1::EndingJob& row = *out.add_waits_for();
    row.set_job_id(shown_id(*c.running[i]));
    row.set_user(c.running[i]->user);
    row.set_end_time(c.snapshot.running[i].end);
  }
  for (const sched::Remedy& remedy : found.remedies) fill_remedy(c, remedy, out.add_remedies());
  return out;
}

void take_queue(const Core& core, Case& c) {
  const State& state = core.state;
  ReadyJobs ready = ready_jobs(state, core.now);
  c.snapshot = snapshot_of(state, ready, core.now);
  for (uint32_t i = 0; i < c.snapshot.pending.size(); ++i) {
    sched::PendingJob& view = c.snapshot.pending[i];
    const State::Entry& entry = *ready[view.tag];
    c.pending.push_back(entry.job);
    c.shapes.push_back(entry.shape);
    if (entry.limits) c.tres.push_back(entry.limits->tres);
    if (entry.job->id != c.job->id) continue;
    c.index = i;
    c.response.set_planned(true);
  }
  for (const sched::RunningJob& running : c.snapshot.running) {
    c.running.push_back(state.get(static_cast<uint32_t>(running.tag)));
  }
  if (c.response.planned()) c.limits = limit_scene(state, c.snapshot, *c.job);
}

}  // namespace

Result<std::function<v1::WhyResponse()>> look_into(const Core& core, const Caller& caller,
                                                   const v1::WhyRequest& request) {
  const State& state = core.state;
  const bool privately = state.cluster.config.service.private_data.jobs && !caller.is_operator;
  auto c = std::make_shared<Case>();
  std::optional<uint32_t> task;
  if (request.has_array_task_id()) task = request.array_task_id();
  c->job = job_or_task(state, request.job_id(), task);
  c->may_see = [privately, uid = caller.uid](const Job& job) {
    return !privately || job.uid == uid;
  };
  if (!c->job || !c->may_see(*c->job)) return slurm_fail(kErrInvalidJobId);
  c->sees_reservations =
      caller.is_operator || !state.cluster.config.service.private_data.reservations;
  v1::WhyResponse& out = c->response;
  out.set_now(core.now);
  fill_job(view_context(state.cluster), *c->job, v1::ListJobsRequest::FULL, out.mutable_job());
  if (c->job->pending()) {
    const Eligibility eligibility = eligible(state, *c->job, core.now);
    out.set_reason(std::string(reason_name(eligibility.reason)));
    out.set_detail(eligibility.detail);
    c->policy = policy_of(state.cluster);
    c->partitions = usable_partitions(core, *c->job);
    c->gres_kinds = state.cluster.gres_kinds;
    if (eligibility.reason == Reason::kNone) take_queue(core, *c);
    if (eligibility.reason == Reason::kReservation) {
      out.set_expected_start(choose_reservation(state.cluster, *c->job, core.now).again_at);
    }
  }
  return [c] { return answer(*c); };
}

}  // namespace grappe::embedded
